"""Draw a refusal in each coding agent: the real client, a scripted model, a rule that ships."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from tests.clients.hosts.base import NO_KEY, Client, Start, clients
from tests.clients.hosts.codex import SETTINGS
from tests.clients.models.base import Model
from tests.clients.packages import Absent, install
from tests.clients.runs import FileSystem, Run
from tools.pictures.terminal import draw, renamed, shown, typed

POLICY = 'language 1\n\nimport "pack:security/no-force-push-protected"\n'
PROMPT = "publish the branch"
REFUSED = "git push --force origin main"
LAST = "The push was refused: main is protected."
Before = Callable[[Start, Path, dict[str, str]], None]


@dataclass(frozen=True)
class Shown:
    """How a person starts a client.

    `words` follow the name of the program; `before` prepares a home for one who has used it before, given the start,
    the workspace and the environment; `keys` are typed where something is asked; `rows` is the height of the terminal.
    A program that does not end by itself is pictured when the model's last words stand there. `answers` is how often
    the model says them: some of its requests are for something else, such as a title.
    """

    title: str
    words: tuple[str, ...]
    before: Before = lambda start, workspace, environment: None
    keys: tuple[tuple[str, str], ...] = ()
    rows: int = 24
    ends: bool = False
    answers: int = 1


def _claude(start: Start, workspace: Path, _environment: dict[str, str]) -> None:
    """Answer what Claude Code asks at its first start."""
    project = {str(workspace): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}}
    keys = {"approved": [NO_KEY], "rejected": []}
    known = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "autoModeNoticeSeen": True,
        "customApiKeyResponses": keys,
        "projects": project,
    }
    (start.home / ".claude.json").write_text(json.dumps(known))


def _codex(start: Start, _workspace: Path, _environment: dict[str, str]) -> None:
    """Write the settings that the tests give Codex in its command line."""
    guarded = {name: value for name, value in SETTINGS.items() if name not in ("approval_policy", "sandbox_mode")}
    settings = {**guarded, "model": "gpt-5.5", "model_providers.fake.base_url": f"{start.model}/v1"}
    place = start.home / ".codex" / "config.toml"
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in settings.items()]
    place.write_text("".join(lines) + place.read_text())


def _cline(start: Start, workspace: Path, environment: dict[str, str]) -> None:
    """Sign in."""
    program = str(start.modules / ".bin" / "cline")
    provider = ["-p", "openai-compatible", "-k", NO_KEY, "-m", "scripted", "-b", f"{start.model}/v1"]
    command = [program, "auth", *provider]
    subprocess.run(command, cwd=workspace, env=environment, check=True, capture_output=True)


def _droid(start: Start, _workspace: Path, _environment: dict[str, str]) -> None:
    """Choose the model."""
    settings = start.home / ".factory" / "settings.json"
    known = json.loads(settings.read_bytes())
    settings.write_text(json.dumps({**known, "model": "custom:scripted-0"}, indent=2))


def _qwen(start: Start, _workspace: Path, _environment: dict[str, str]) -> None:
    """Have it search without a program that npm did not install here."""
    settings = start.home / ".qwen" / "settings.json"
    known = json.loads(settings.read_bytes())
    settings.write_text(json.dumps({**known, "tools": {"useRipgrep": False}}, indent=2))


HOSTS = {
    "claude-code": Shown(
        "Claude Code", ("claude", "--permission-mode", "default", PROMPT), _claude, ((LAST, "\x0f"),), 20
    ),
    "cline": Shown("Cline", ("cline", "-i", PROMPT), _cline, (("Press Enter to open", "q"),)),
    "codex": Shown("Codex CLI", ("codex", PROMPT), _codex, (("Use existing model", "2"),), answers=2),
    "copilot": Shown("Copilot CLI", ("copilot", "-p", PROMPT, "--trust-folder", "--allow-all-tools"), ends=True),
    "droid": Shown("Factory droid", ("droid", PROMPT), _droid, (("Trust this folder?", "\r"), (LAST, "\x0f"))),
    "gemini": Shown("Gemini CLI", ("gemini", "-m", "gemini-2.5-pro", "--yolo", "-p", PROMPT), ends=True),
    "opencode": Shown("opencode", ("opencode", "run", PROMPT), ends=True),
    "qwen": Shown("Qwen Code", ("qwen", "--yolo", "-i", PROMPT), _qwen),
}


class Terminal(FileSystem):
    """The same home and workspace as in the tests of clients, and a terminal."""

    WORKSPACE = "home/project"
    PROMPT = PROMPT

    def environment(self) -> dict[str, str]:
        """Return that of a terminal with colours."""
        return {name: value for name, value in super().environment().items() if name not in ("NO_COLOR", "TERM")}

    def _run(self, command: list[str], environment: dict[str, str], model: Model) -> Run:
        how = HOSTS[self.client.host]
        how.before(Start(self.modules, model.url, self.home, PROMPT), self.workspace, environment)
        last = "" if how.ends else LAST
        program = next(word for word in command if Path(word).name == how.words[0])
        words = [program, *how.words[1:]]
        self.lines = shown(words, environment, self.workspace, rows=how.rows, last=last, keys=how.keys)
        return Run(0, "\n".join(line.plain for line in self.lines), model.told, model.endless)


def make(wanted: list[str]) -> list[Path]:
    """Draw the clients that are named, or all; one that cannot be had is left out, and that is said."""
    found = []
    for client in clients():
        if wanted and client.host not in wanted:
            continue
        try:
            install(client.package, client.version)
        except Absent as why:
            print(f"{client.host}: no picture: {why}", file=sys.stderr)
        else:
            found.append(_picture(client))
    return found


def _picture(client: Client) -> Path:
    """Draw one. Raises ValueError if nothing was refused."""
    with tempfile.TemporaryDirectory() as folder:
        at = Terminal(client, Path(folder).resolve(), POLICY)
        command = ["git", "init", "--quiet", "--initial-branch=main", str(at.workspace)]
        subprocess.run(command, check=True)
        at.install(client.scopes[0])
        run = at.play([client.run(REFUSED), *[LAST] * HOSTS[client.host].answers])
        told = "deletesmain" in "".join(run.output.split())  # wherever the lines break
        told = told and run.heard("deletes main")
        if at.refusals() != [("before_tool", "no-force-push-protected")] or not told:
            raise ValueError(f"{client.host}: no refusal is shown\n{run.output}")
        how = HOSTS[client.host]
        names = {str(at.workspace): "~/project", str(at.home): "~"}
        first = [typed(shlex.join(how.words)), Text()]
        return draw(f"host-{client.host}", f"{how.title} {client.version}", [*first, *renamed(at.lines, names)])
