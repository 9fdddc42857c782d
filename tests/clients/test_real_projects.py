"""A stranger's first day in ten real projects: `init`, `install`, an edit, the project's own tests, an accepted finish.

The projects come from PyPI and npm as their owners published them, pinned; the hook is the line that `policy install`
registers, started by a shell with Claude Code's payloads, and the tests really run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.clients.packages import Absent, node, offline

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 240
PYPI, NPM = "pypi", "npm"


@dataclass(frozen=True)
class Project:
    """A published project: where from, its name and version, a source file, and how an agent runs its tests."""

    source: str
    name: str
    version: str
    file: str
    run: str


PROJECTS = (
    Project(PYPI, "cachetools", "8.0.1", "src/cachetools/__init__.py",
        "PYTHONPATH=src python -m pytest -q 2>&1 | tail -5"),
    Project(PYPI, "inflection", "0.5.1", "inflection/__init__.py", "python -m pytest"),
    Project(PYPI, "idna", "3.10", "idna/core.py", "export PYTHONPATH=. && python3 -m pytest tests -q --tb=short"),
    Project(PYPI, "pathspec", "1.1.1", "pathspec/util.py", "time python -m pytest tests -x -q 2>&1 | tail -n 4"),
    Project(PYPI, "six", "1.17.0", "six.py", "set -o pipefail; python -m pytest -q | tail -3"),
    Project(PYPI, "tabulate", "0.10.0", "tabulate/__init__.py",
        'cd "$(git rev-parse --show-toplevel)" && python -m pytest -q test'),
    Project(PYPI, "toolz", "1.2.0", "toolz/itertoolz.py",
        "python -m pytest -v --tb=short 2>&1 | grep -E 'passed|failed'"),
    Project(PYPI, "sortedcontainers", "2.4.0", "sortedcontainers/sortedlist.py", "python -c 'import sortedcontainers'"),
    Project(NPM, "@fastify/error", "4.2.1", "index.js", "node --test 2>&1 | tail -12"),
    Project(NPM, "process-warning", "5.1.1", "index.js", "node --test"),
)  # fmt: skip


def fetched(project: Project, folder: Path) -> Path:
    """The project's files as published, in a repository. Raises Absent."""
    wanted = f"{project.name}@{project.version}"
    if project.source == PYPI:
        wanted = f"{project.name}=={project.version}"
        tool = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", project.name]
    else:
        tool = [str(node() / "node"), str(node().parent / "lib/node_modules/npm/bin/npm-cli.js"), "pack", "--silent"]
    try:
        done = subprocess.run(
            [*tool, wanted], cwd=folder, env={"NODE_USE_SYSTEM_CA": "1", **os.environ}, capture_output=True, text=True,
            timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Absent(f"{wanted} was not fetched in {SECONDS} s") from None
    archives = [*folder.glob("*.tar.gz"), *folder.glob("*.tgz")]
    if done.returncode or len(archives) != 1:
        raise Absent(f"{wanted} could not be fetched: {done.stderr[-300:]}")
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder, filter="data")
    archives[0].unlink()
    (root,) = [path for path in folder.iterdir() if path.is_dir()]
    for words in (("init", "-q"), ("add", "-A"), ("-c", "user.name=d", "-c", "user.email=d@x", "commit", "-qm", "x")):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    return root


class Stranger:
    """An agent in a project whose calls go through the registered line."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        path = os.pathsep.join((str(Path(sys.executable).parent), str(node()), os.environ.get("PATH", os.defpath)))
        self.environment = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
        # plugins of this environment warn, which a project may take for an error
        self.environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        self._calls = 0
        for words in (("init",), ("test",), ("install", "claude-code", "--scope", "local")):
            self._run([sys.executable, "-m", "policy_engine", *words], {"PYTHONPATH": str(ROOT)})
        settings = json.loads((root / ".claude/settings.local.json").read_text())
        self.lines = {event: found[0]["hooks"][0]["command"] for event, found in settings["hooks"].items()}

    def _run(self, command: list[str], more: dict[str, str]) -> None:
        done = subprocess.run(
            command, cwd=self.root, env=self.environment | more, capture_output=True, text=True, timeout=SECONDS,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr

    def say(self, event: str, **fields: Any) -> str:
        """Tell the hook of an event; what it refused, or asked, "" if nothing."""
        payload = {"session_id": "s", "hook_event_name": event, "cwd": str(self.root), **fields}
        done = subprocess.run(
            ["sh", "-c", self.lines[event]], cwd=self.root, env=self.environment, input=json.dumps(payload),
            capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
        refused = done.returncode or re.search(r'"(?:permissionDecision|decision)": ?"(?!allow)', done.stdout)
        return f"{event}: {done.stdout}{done.stderr}" if refused else ""

    def call(self, tool: str, given: dict[str, Any], act: Any) -> list[str]:
        """A call of a tool, proposed, made and reported; what was refused of it."""
        self._calls += 1
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": f"c{self._calls}"}
        refused = self.say("PreToolUse", **call)
        return [refused, self.say("PostToolUse", **call, tool_response=act())]

    def edit(self, name: str) -> list[str]:
        """Add a comment at the end of a file."""
        path = self.root / name
        last = path.read_text().rstrip().rpartition("\n")[2]
        changed = f"{last}\n{'//' if name.endswith('js') else '#'} changed"

        def act() -> dict[str, Any]:
            text = path.read_text()
            path.write_text(changed.join(text.rsplit(last, 1)))
            return {"filePath": str(path), "oldString": last, "newString": changed}

        return self.call("Edit", {"file_path": str(path), "old_string": last, "new_string": changed}, act)

    def shell(self, line: str) -> list[str]:
        """A line of the shell, really run; it has to succeed."""

        def act() -> dict[str, Any]:
            done = subprocess.run(
                ["bash", "-c", line], cwd=self.root, env=self.environment, capture_output=True, text=True,
                timeout=SECONDS, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stdout + done.stderr
            return {"stdout": done.stdout, "stderr": done.stderr, "interrupted": False}

        return self.call("Bash", {"command": line, "description": "run"}, act)

    def finish(self) -> str:
        """Say that it is done; why that was refused."""
        return self.say("Stop", stop_hook_active=False, last_assistant_message="It is changed and works.")


@pytest.fixture(params=PROJECTS, ids=lambda project: project.name)
def stranger(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Project, Stranger]:
    """A project with the policies that `policy init` writes for it and the hook of `policy install`."""
    for name in ("project", "home"):
        (tmp_path / name).mkdir()
    try:
        root = fetched(request.param, tmp_path / "project")
    except Absent as why:
        (pytest.skip if offline() else pytest.fail)(f"{request.param.name}: {why}")
    if request.param.source == NPM:
        shutil.rmtree(root / "benchmarks", ignore_errors=True)
    return request.param, Stranger(root, tmp_path / "home")


def test_honest_work_in_a_real_project_is_never_refused(stranger: tuple[Project, Stranger]) -> None:
    project, agent = stranger
    tested = "-tests-pass" in (agent.root / ".policy/main.policy").read_text()
    assert tested == (project.name != "sortedcontainers")  # whose published files hold no tests
    refused = [agent.say("SessionStart", source="startup"), agent.say("UserPromptSubmit", prompt="change it")]
    refused += agent.shell("git status --short && git log --oneline -3 && ls")
    refused += agent.edit(project.file)
    if tested:
        assert "changed after the last green run of the tests" in agent.finish()
    refused += agent.shell(project.run)
    refused += agent.shell("git add -A && git diff --cached --stat")
    refused.append(agent.finish())
    assert [one for one in refused if one] == []
