"""A client and a script → one run of the real program in a home and a workspace of its own, and what came of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.clients.hosts.base import Client, Start
from tests.clients.models.base import Model, Turn
from tests.clients.packages import installed, node
from tests.end_to_end.host import seed

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 240  # no run takes as long; a client that hangs fails its test instead of all of them
MARKER = "POLICY_TEST_RUN"
PARTS = ("policy_engine", "grammar", "rules")  # what an installation consists of

POLICY = """\
language 1

define source = glob("src/**")
define closed = glob("closed/**")
define notes = glob("notes.md")

rule no-touch "Files are written, not touched" {
  severity high
  on before_tool(shell)
  when any c in commands { c.program == "touch" }
  deny "NO-TOUCH: use the tool for writing."
}

rule closed-files "What is closed is not written" {
  severity high
  on before_tool(write, edit)
  when any p in paths { p matches closed }
  deny "CLOSED: {p} stays as it is."
}

rule closed-reading "What is closed is not read" {
  severity high
  on before_tool(read)
  when any p in paths { p matches closed }
  deny "CLOSED: {p} is not read."
}

rule closed-listing "What is closed is not read by a shell" {
  severity high
  on before_tool(shell)
  when any c in commands { any p in c.touches where p.access == "read" { p matches closed } }
  deny "CLOSED: {p} is not read."
}

rule noted "A change is noted" {
  severity high
  on before_completion
  when wrote(source)
  require wrote(notes)
  deny "NOT-NOTED: write notes.md."
}
"""
CHECKED = """\
language 1

define source = glob("src/**")

rule checked "Only what was checked is copied" {
  severity high
  on before_tool(shell)
  when any c in commands { c.program == "cp" }
  require command_success("test -f src/a.py") since wrote(source)
  deny "NOT-CHECKED: run the check."
}
"""
STOPPING = """\
language 1

rule no-touch "A run that touches files has gone astray" {
  severity high
  on before_tool(shell)
  when any c in commands { c.program == "touch" }
  stop astray "NO-TOUCH: a person takes over."
}
"""
NO_PROMPT = """\
language 1

rule no-please "Nobody asks politely" {
  severity high
  on prompt
  when prompt matches /please/
  deny "NO-PLEASE: ask otherwise."
}
"""


@dataclass(frozen=True)
class Run:
    """What came of a run; `status` is None where it had to be ended, `endless` says that it went round in circles."""

    status: int | None
    output: str
    told: list[str]
    endless: bool

    def heard(self, words: str) -> bool:
        """Whether the model read these words."""
        return any(words in text for text in self.told)


class FileSystem:
    """A home, a workspace with its policy, and an installation of the engine."""

    WORKSPACE = "work"
    PROMPT = "please begin"

    def __init__(self, client: Client, folder: Path, policy: str = POLICY) -> None:
        self.client = client
        self.modules = installed(client.package, client.version)
        self.engine = ROOT
        self.home, self.workspace, self.temporary = folder / "home", folder / self.WORKSPACE, folder / "tmp"
        for place in (self.home, self.workspace, self.temporary):
            place.mkdir(mode=0o700)
        self.write(".policy/main.policy", policy)
        cache = self.home / ".cache" / "policy-engine"
        cache.mkdir(parents=True, mode=0o700)
        for name in ("grammar", "bundle"):
            shutil.copy(seed() / name, cache / name)
        (self.workspace / "src").mkdir()  # some tools make no folders
        client.prepare(self.home, self.workspace)

    def write(self, name: str, text: str) -> Path:
        """A file of the workspace."""
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def copy_engine(self, folder: Path) -> Path:
        """Use an installation that can be damaged; its hook script."""
        for part in PARTS:
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        self.engine = folder
        return folder / "policy_engine" / "hook.py"

    def policy(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command of ours, as the user of this home types it."""
        environment = {**self.environment(), "PYTHONPATH": str(self.engine)}
        return subprocess.run(
            [sys.executable, "-m", "policy_engine", *arguments],
            cwd=self.workspace,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    def install(self, scope: str = "user") -> Path:
        """Register the hook by the real command; the settings that it wrote."""
        done = self.policy("install", self.client.host, "--scope", scope, "--format", "json")
        assert done.returncode == 0, done.stderr
        return Path(json.loads(done.stdout)["settings"])

    def environment(self) -> dict[str, str]:
        """Nothing of the caller's but the path, on which the client is."""
        xdg = (("CONFIG", ".config"), ("DATA", ".local/share"), ("STATE", ".local/state"), ("CACHE", ".cache"))
        own = str(Path(sys.executable).parent)  # where settings that a team shares find `policy`
        found = os.pathsep.join((str(self.modules / ".bin"), str(node()), own, os.environ.get("PATH", os.defpath)))
        return {
            "HOME": str(self.home), "PATH": found,
            "TMPDIR": str(self.temporary), "LANG": "C.UTF-8", "TERM": "dumb", "NO_COLOR": "1",
            **{f"XDG_{name}_HOME": str(self.home / place) for name, place in xdg},
        }  # fmt: skip

    def play(self, script: list[Turn], sub: list[Turn] | None = None) -> Run:
        """One run of the client, from a prompt to its end."""
        mark = uuid.uuid4().hex
        with Model(self.client.wire, script, sub or []) as model:
            start = Start(self.modules, model.url, self.home, self.PROMPT, self.client.variant if sub else "")
            closed = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), model.url)
            outside = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
            environment = {**self.environment(), **closed, **outside, MARKER: mark, **self.client.environment(start)}
            try:
                return self._run(self.client.command(start), environment, model)
            finally:
                _end(mark)

    def _run(self, command: list[str], environment: dict[str, str], model: Model) -> Run:
        # into a file, so that a process that holds it open blocks nothing
        with (self.temporary / "output").open("w+b") as output:
            child = subprocess.Popen(
                command,
                cwd=self.workspace,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            try:
                status: int | None = child.wait(SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                status = child.wait() and None
            output.seek(0)
            return Run(status, output.read().decode("utf-8", "replace"), model.told, model.endless)

    def log(self) -> list[dict[str, Any]]:
        """The decisions, by the command that shows them; the log is as it was written."""
        assert self.policy("log", "verify").returncode == 0
        done = self.policy("log", "--format", "json")
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def refusals(self) -> list[tuple[str, str]]:
        """Point and rule of each refusal in the log."""
        refused = [record for record in self.log() if record["verdict"] in ("deny", "stop")]
        assert all(record["host"] == self.client.host for record in refused)
        return [(record["hook"], rule["rule"]) for record in refused for rule in record["rules"]]


def _end(mark: str) -> None:
    """End what a client left running; it carries the run's mark in its environment, where Linux shows it."""
    needle = f"{MARKER}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if needle in (folder / "environ").read_bytes():
                os.kill(int(folder.name), signal.SIGKILL)
        except OSError:
            continue
