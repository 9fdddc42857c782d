"""A command line → what it did: run in this process with its own folder and home, or as a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from policy_engine import cli

ROOT = Path(__file__).resolve().parents[3]
ALONE = "note: the built-in rules are left out; --builtin adds them\n"  # what `eval` and `explain` remark
_FOLDERS = {"HOME": "home", "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "config"}


@dataclass(frozen=True)
class Done:
    """Exit status and both outputs as text."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON document."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


class Shell:
    """Runs `policy`; `folder` is the current folder, all the engine's own folders are beside it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[bytes]) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        self.environment = {name: str(folder / below) for name, below in _FOLDERS.items()}
        self._monkeypatch = monkeypatch
        self._capture = capture
        monkeypatch.chdir(self.folder)
        for name, value in self.environment.items():
            monkeypatch.setenv(name, value)

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Done:
        """In this process."""
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        self._capture.readouterr()
        status = cli.main(list(arguments))
        out, err = self._capture.readouterr()
        return Done(status, out.decode(), err.decode())

    def process(self, *arguments: str, stdin: bytes = b"") -> Done:
        """As a process of its own, from the command to its exit status."""
        done = subprocess.run(
            [sys.executable, "-m", "policy_engine", *arguments],
            input=stdin,
            capture_output=True,
            check=False,
            cwd=self.folder,
            env={**os.environ, **self.environment, "PYTHONPATH": str(ROOT)},
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def write(self, name: str, text: str | bytes) -> Path:
        """A file below the current folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path


def event(number: int, command: str = "ls", **more: Any) -> dict[str, Any]:
    """A proposed shell call."""
    return {
        "hook": "before_tool",
        "session": "s-1",
        "id": f"e-{number}",
        "time": "2026-11-20T10:00:00Z",
        "cwd": "/workspace",
        "workspace": "/workspace",
        "tool": {"name": "Bash", "kind": "shell", "args": {"command": command}},
        **more,
    }


def lines(*events: object) -> bytes:
    """Events as JSON lines; a text stands for itself."""
    return b"".join((each if isinstance(each, str) else json.dumps(each)).encode() + b"\n" for each in events)


GOOD = """\
language 1

rule no-rm "Nothing is removed" {
  severity high
  on before_tool(shell)
  when any c in commands { c.program == "rm" }
  deny "`{c.text}` removes files. Move them to the folder `old` instead."

  test {
    shell "rm a"  => deny
    shell "ls"    => allow
  }
}
"""
WARNS = GOOD.replace("deny", "warn").replace("no-rm", "some-rm")
BROKEN = 'language 1\n\nrule a {\n  on before_tol\n  deny "x"\n}\n'
UNDECIDED = """\
language 1

rule clean "Work starts from a clean tree" {
  severity low
  on before_tool(shell)
  when not git.clean
  warn "The tree is not clean. Commit first."

  test {
    given git.clean = false
    shell "ls"               => warn
    given git.clean = true
    shell "ls"               => allow
  }
}
"""
