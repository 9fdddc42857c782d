"""What is asked of a command changes nothing about what is asked of it later."""

from __future__ import annotations

from random import Random
from typing import Any

from policy_engine.effects.command import effects_of
from policy_engine.model.records import COMMAND
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse
from tests.generated.context import LINES
from tests.generated.events import Worlds

NAMES = [attribute.name for attribute in COMMAND.attributes if not attribute.method]
DERIVED = {attribute.name for attribute in COMMAND.attributes if attribute.derived}


def answers(line: str, names: list[str]) -> list[dict[str, Any]]:
    """Of each command of a line, what it says of itself when it is asked in this order."""
    found = []
    try:
        commands = parse(line, "/workspace", Worlds()("/workspace"))
    except Undecided:
        return []
    for command in commands:
        command.line = commands
        found.append({name: said(command, name) for name in names})
    return found


def said(command: Any, name: str) -> Any:
    try:
        value = getattr(effects_of(command) if name in DERIVED else command, name)
        if name == "redirects":
            value = [(redirect.op, redirect.path) for redirect in value]
        return repr(list(value) if isinstance(value, list | tuple) else value)
    except Undecided as unknown:
        return unknown.reasons


def test_the_order_of_questions_changes_no_answer() -> None:
    for seed, line in enumerate(sorted({*LINES, "git rm *.md", "cp *.md src", "cat src/*"})):
        names = Random(seed).sample(NAMES, len(NAMES))
        assert answers(line, names) == answers(line, names[::-1]) == answers(line, NAMES), line
