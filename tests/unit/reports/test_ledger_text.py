"""The ledger of a session for people: aligned, escaped, and nothing where nothing is."""

from __future__ import annotations

from policy_engine.reports.base import Style
from policy_engine.reports.ledger_text import ledger_text

EMPTY = {
    "commands": [], "paths": [], "names": [], "todos": [], "goal": None, "verification": {}, "version": 0,
    "counts": {"prompts": 0, "steps": 1, "rounds": 2}, "unknown": [],
}  # fmt: skip


def test_a_session_in_which_nothing_happened_is_one_line() -> None:
    assert ledger_text(EMPTY, Style()) == "0 prompts, 1 tool call, 2 rounds\n"


def test_every_part_has_its_place_and_untrusted_text_is_escaped() -> None:
    command = {"command": "0123456789abcdef", "outcome": "failed", "success_stands": False,
               "event": "e1", "versions": {}}  # fmt: skip
    path = {"path": "/w/a\x1b[31m", "confirmed": False, "wrote": {"version": 3, "event": "e2"},
            "read": {"version": 1, "event": ""}}  # fmt: skip
    todo = {"id": "1", "title": "Write it", "status": "pending"}
    name = {"kind": "tool_fact", "name": "ci", "version": 4, "sure": True, "event": "e3"}
    filled = {**EMPTY, "commands": [command, {**command, "outcome": "succeeded", "success_stands": True}],
              "paths": [path], "todos": [todo], "names": [name], "verification": {"checks": 2},
              "unknown": ["events of this session are missing"]}  # fmt: skip
    assert ledger_text(filled, Style()).splitlines()[1:] == [
        "commands",
        "  failed                command 01234567  e1",
        "  succeeded and stands  command 01234567  e1",
        "paths",
        "    /w/a\\x1b[31m  written at 3 by e2, read at 1",
        "todos",
        "  pending  Write it",
        "others",
        "  tool fact  ci  e3",
        "verification",
        "  checks  failed 2 times in a row",
        "unknown",
        "  events of this session are missing",
    ]
