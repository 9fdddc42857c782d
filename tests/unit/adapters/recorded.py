"""What the tests of all adapters share: recorded payloads, and every verdict at every event.

`tests/adapters/HOST/EVENT[.VARIANT].in.json` are recordings, `*.out.json` beside them the canonical event (null: no
lifecycle point), `answers.json` the answer to every verdict at every event. After a wanted change:
`python -m tests.unit.adapters.recorded` rewrites the expected halves; read the difference.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from policy_engine.adapters.base import Adapter, Answer
from policy_engine.model import family
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.event import Event
from policy_engine.model.ladder import VERDICTS

FOLDER = Path(__file__).parents[2] / "adapters"
PROJECTS = ("CLAUDE", "GEMINI", "QWEN", "FACTORY", "COPILOT")
ENVIRONMENT = {f"{name}_PROJECT_DIR".encode(): b"/home/dev/proj" for name in PROJECTS}
# Claude Code has recordings of more kinds, and its own test.
ADAPTERS = [one for one in family.members("policy_engine.adapters", Adapter) if one.name != "claude-code"]
INPUTS = [(one, path) for one in ADAPTERS for path in sorted((FOLDER / one.name).glob("*.in.json"))]
TOOL_POINTS = ("before_tool", "before_permission", "after_tool")


def event_of(adapter: Adapter, path: Path) -> str:
    """The native event in a recording's name: its longest beginning that is one."""
    parts = path.name.removesuffix(".in.json").split(".")
    names = [".".join(parts[:number]) for number in range(len(parts), 0, -1)]
    dialect = getattr(sys.modules[adapter.decode.__module__], "DIALECT", None)
    known = {*adapter.capabilities, *(dialect.ignored if dialect is not None else ())}
    return next((name for name in names if name in known), names[0])


def decision(verdict: str, hook: str) -> Decision:
    """A decision of this verdict, with a reminder and a warning beside a refusal."""
    rules = (
        RuleResult(f"{verdict}-rule", "violated", verdict, f"Why {verdict}.", "p.policy:3:1", reason="repeat_cycle"),
        RuleResult("hint", "violated", "remind", "Remember this.", "p.policy:9:1"),
        RuleResult("note", "violated", "warn", "Look at this.", "p.policy:12:1"),
    )
    spoken = () if verdict == "allow" else rules[: 1 if verdict in ("warn", "remind") else 3]
    return Decision("e", hook, "s", verdict, "sha256:0", spoken)


def event(adapter: Adapter, native: str, interactive: bool | None) -> Event:
    """An event at this point; a call of a shell where there is one."""
    host: dict[str, Any] = {"name": adapter.name}
    if interactive is not None:
        host["interactive"] = interactive
    raw: dict[str, Any] = {"hook": adapter.capabilities[native].point, "session": "s", "host": host}
    if raw["hook"] in TOOL_POINTS:
        raw["tool"] = {"name": "sh", "kind": "shell", "args": {"command": "ls", "commands": ["ls"]}}
    return Event.from_dict(raw)


def shown(answer: Answer) -> dict[str, Any]:
    """An answer as it stands in the file."""
    try:
        said = json.loads(answer.stdout) if answer.stdout else None
    except ValueError:
        said = answer.stdout.decode()
    return {"stdout": said, "stderr": answer.stderr.decode(), "exit": answer.exit_code}


def answers(adapter: Adapter) -> dict[str, Any]:
    """The answer to every verdict at every event, and to a failure of the engine."""
    table: dict[str, Any] = {}
    for native, capability in adapter.capabilities.items():
        for verdict in VERDICTS:
            said = adapter.encode(decision(verdict, capability.point), native, event(adapter, native, True))
            table[f"{native} {verdict}"] = shown(said)
        nobody = adapter.encode(decision("ask", capability.point), native, event(adapter, native, False))
        table[f"{native} ask, nobody there"] = shown(nobody)
        table[f"{native} failure"] = shown(adapter.failure(native, "E-JSON", "the input is not JSON"))
    return table


def _rewrite() -> None:
    for adapter, path in INPUTS:
        found = adapter.decode(json.loads(path.read_text()), event_of(adapter, path), ENVIRONMENT)
        target = path.with_name(path.name.removesuffix(".in.json") + ".out.json")
        target.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    for adapter in ADAPTERS:
        (FOLDER / adapter.name).mkdir(exist_ok=True)
        target = FOLDER / adapter.name / "answers.json"
        target.write_text(json.dumps(answers(adapter), indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    _rewrite()
