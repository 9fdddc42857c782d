"""A scripted model in the reference loop, under a policy → every event, every decision, and why the run ended.

    python examples/loop.py

The model is a script and the tools are real: it writes a file, claims to be done without having run the tests, is sent
back, tries to delete the tests, is refused, repairs the code, and is accepted. Everything happens in a temporary
folder; to try a model of your own, write a function from messages to a Turn.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from policy_engine import Engine
from policy_engine.reports.base import VERDICT_STYLES
from policy_engine.runtime.loop import Loop
from policy_engine.runtime.turns import Call, Message, Turn

POLICY = """language 1

define source = glob("src/**")
define tests = command("python* -m unittest discover ...")

rule tests-after-change "The tests pass after the last change" {
  on before_completion
  when wrote(source)
  require command_success(tests) since wrote(source)
  deny "{last(wrote(source)).path} changed since the tests last passed. Run `python3 -m unittest discover`."
}

rule tests-stay "Tests are not deleted" {
  on before_tool(shell)
  when any c in commands { any p in c.paths { p.access == "delete" and p matches glob("tests/**") } }
  deny "`{commands}` deletes tests. Repair the code instead."
}

limit no-circles "The same call over and over" {
  on after_tool
  repeats (tool.name, tool.args, result.digest)
  at 3 remind "The same call gave the same result three times. Try something else."
  at 5 stop repeat_cycle "The agent turns in circles. A person takes over."
}
"""
WRONG, RIGHT = "def double(x):\n    return x + x + 1\n", "def double(x):\n    return x + x\n"
TEST = """import unittest
from src.double import double

class Doubled(unittest.TestCase):
    def test_two(self):
        self.assertEqual(double(2), 4)
"""
RUN_TESTS = "python3 -m unittest discover -s tests -t ."
SCRIPT = (
    ("write", {"file_path": "src/double.py", "content": WRONG}),
    "I wrote `double`. Done!",
    ("shell", {"command": RUN_TESTS}),
    ("shell", {"command": "rm -r tests"}),
    ("write", {"file_path": "src/double.py", "content": RIGHT}),
    ("shell", {"command": RUN_TESTS}),
    "`double` works, and its test passes.",
)


class Scripted:
    """A model that says the next line of SCRIPT, whatever it reads."""

    def __init__(self) -> None:
        self.said = 0

    def __call__(self, messages: list[Message]) -> Turn:
        line = SCRIPT[self.said]
        self.said += 1
        if isinstance(line, str):
            return Turn(line)
        kind, args = line
        name = {"write": "Write", "shell": "Bash"}[kind]
        return Turn("", (Call(f"call-{self.said}", name, kind, dict(args)),))


def tools(folder: Path) -> dict[str, Any]:
    """Two real tools that work in the folder."""

    def write(call: Call, _seconds: float | None) -> dict[str, Any]:
        path = folder / call.args["file_path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(call.args["content"])
        return {"result": {"ok": True, "text": f"wrote {path.name}"}}

    def shell(call: Call, seconds: float | None) -> dict[str, Any]:
        done = subprocess.run(
            ["bash", "-c", call.args["command"]],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        text = (done.stdout + done.stderr).strip()
        return {"result": {"ok": done.returncode == 0, "exit_code": done.returncode, "text": text[-2000:]}}

    return {"Write": write, "Bash": shell}


def main() -> int:
    """Exit code 0 if the run was accepted."""
    console = Console(width=None if sys.stdout.isatty() else 140)

    def tell(name: str, payload: dict[str, Any]) -> None:
        decision, event = payload.get("decision"), payload.get("event", {})
        if decision is None:
            return
        call = event.get("tool", {}).get("args", {})
        what = call.get("command") or call.get("file_path") or event.get("answer") or event.get("prompt") or ""
        line = Text(f"{name:<18}", "dim")
        line.append(f"{decision.verdict:<7}", VERDICT_STYLES.get(decision.verdict, ""))
        line.append(f" {what}")
        console.print(line, no_wrap=True, overflow="ellipsis")
        for result in decision.rules:
            console.print(Text(f"{'':<26}{result.rule}: {result.message}", "italic"))

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        (folder / "tests").mkdir()
        (folder / "tests/__init__.py").touch()
        (folder / "tests/test_double.py").write_text(TEST)
        loop = Loop(Engine.from_text(POLICY), Scripted(), tools(folder), "example", str(folder), tell=tell)
        run = loop.run("Write a function that doubles a number.")
    console.print(f"\nThe run ended: {run.reason}. The last word: {run.text}", markup=False)
    return 0 if run.reason == "accepted" else 1


if __name__ == "__main__":
    raise SystemExit(main())
