"""A script of turns → what came of it, for any framework: tools that really work in a folder, and what each told."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

POLICY = """\
language 1

define source = glob("src/**")
define closed = glob("closed/**")

rule no-touch "Files are made with the tool for writing" {
  severity high
  on before_tool(shell)
  when any c in commands { c.program == "touch" }
  deny "`{c.text}` makes files behind the back. Use `save`."
}

rule closed-folder "What is closed stays closed" {
  severity high
  on before_tool(write, read)
  when any p in paths { p matches closed }
  deny "{p} is closed. Leave it alone."
}

rule ask-before-mkdir "A person decides about folders" {
  severity medium
  on before_tool(shell)
  when any c in commands { c.program == "mkdir" }
  ask "May `{c.text}` make a folder?"
}

rule closed-task "Nobody is sent for what is closed" {
  severity high
  on subagent_start
  when prompt contains "closed"
  deny "Do it yourself."
}

rule closed-agent "Nobody hands over to this one" {
  severity high
  on before_tool(agent)
  when tool.name == "transfer_to_closed"
  deny "Not to this one."
}

rule read-it-again "What was written is read once more" {
  severity low
  on after_tool(write)
  remind "Read what you wrote."
}

rule checked "The work was checked" {
  severity high
  on before_completion
  when wrote(source)
  require command_success("test -f src/a.py") since wrote(source)
  deny "Run `test -f src/a.py`."
}
"""


@dataclass(frozen=True)
class Use:
    """A turn with one tool call."""

    tool: str
    args: dict[str, str]


@dataclass
class Played:
    """What the model was told, call by call and prompt by prompt, and how the run ended."""

    told: list[str] = field(default_factory=list)
    answer: str = ""
    stopped: str = ""

    def heard(self, words: str) -> bool:
        """Whether the model read these words."""
        return any(words in text for text in self.told)


Script = list[Use | str]
"""Turns in order: a tool call, or a text that would be the answer."""


def run(command: str) -> Use:
    """A shell call."""
    return Use("run", {"command": command})


def save(path: str, text: str = "x") -> Use:
    """A write."""
    return Use("save", {"path": path, "text": text})


def show(path: str) -> Use:
    """A read."""
    return Use("show", {"path": path})


def delegate(task: str = "look") -> Use:
    """A call of a sub-agent."""
    return Use("delegate", {"task": task})


KINDS = {"run": "shell", "save": "write", "show": "read", "delegate": "agent"}


class Tools:
    """The tools of the agents under test; they do what they say, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, command: str) -> dict[str, Any]:
        """Run a shell command."""
        done = subprocess.run(["sh", "-c", command], cwd=self.folder, capture_output=True, text=True, check=False)
        return {"exit_code": done.returncode, "stdout": done.stdout, "stderr": done.stderr}

    def save(self, path: str, text: str) -> str:
        """Write a file."""
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
        return f"saved {path}"

    def show(self, path: str) -> str:
        """Read a file."""
        return (self.folder / path).read_text("utf-8")
