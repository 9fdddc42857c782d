"""Every field says what the event says; what is missing, or of another type, is named."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.history.digest import signature, text_digest
from policy_engine.history.limits import key_of
from policy_engine.model.field_names import FIELDS, slot
from policy_engine.model.undecided import ABSENT, Undecided
from tests.unit.compiler.asking import event
from tests.unit.evaluators.test_context import at

SAID: dict[str, Any] = {
    "time": "2026-11-20T13:45:00Z", "agent": {"kind": "explore", "name": "scout"},
    "host": {"name": "generic", "interactive": False, "mode": "plan"}, "goal": {"text": "`make` must pass"},
    "plan": {"open_steps": 2, "status": "draft", "created": "2026-11-20T10:00:00Z"},
    "usage": {"tokens": 900, "cents": 4},
    "diff": {"files": ["a", "b"], "lines": 5}, "git": {"branch": "main", "clean": True, "ahead": 3},
    "todos": [{"id": "a", "title": "A", "status": "failed"}, {"id": "b", "title": "B", "status": "completed"}],
}  # fmt: skip
EVERYWHERE = {
    "agent.kind": "subagent", "agent.name": "scout", "host.name": "generic", "host.interactive": False,
    "host.mode": "plan",
    "goal.text": "`make` must pass", "goal.commands": ("make",),
    "goal.steps": (), "goal.mentions": (), "goal.tests": False,
    "goal.digest": text_digest(f"{text_digest('`make` must pass')}\0A"),
    "plan.open_steps": 2, "plan.status": "draft", "plan.created": 1_795_168_800_000, "usage.tokens": 900,
    "usage.cents": 4,
    "diff.files": 2, "diff.lines": 5,
    "git.branch": "main", "git.clean": True, "git.ahead": 3, "time.now": 1_795_182_300_000, "time.hour": 13,
    "time.weekday": "friday", "session.id": "s", "session.turn": 0, "session.steps": 0, "session.rounds": 0,
    "session.age": 0, "session.resumed": False, "workspace": "/workspace", "cwd": "/workspace", "home": "~",
    "todos": ["A", "B"], "open_todos": ["A"],
}  # fmt: skip
SHELL = {"name": "Bash", "kind": "shell", "args": {"command": "cat a.txt", "path": "src"}}
FAILED = {"exit_code": 3, "text": "x", "timed_out": True, "error_class": "broken"}
MCP = {"name": "mcp__tickets__list", "kind": "mcp", "args": {"n": 1}, "server": "tickets"}
STAGES = [
    {"stage": "lint", "outcome": "passed"},
    {"stage": "tests", "outcome": "failed", "command": "pytest", "exit_code": 1, "error_class": "assertion",
     "file": "a.py", "line": 7, "summary": "no"},
]  # fmt: skip
CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "shell": (
        event("after_tool", tool=SHELL, result=FAILED),
        {"tool.name": "Bash", "tool.kind": "shell", "tool.args": SHELL["args"], "tool.server": ABSENT,
         "tool.args.texts": ("cat a.txt", "src"), "tool.args.size": 36,
         "tool.digest": key_of(("Bash", [(("cat", "a.txt"), (), "/workspace", ())]), b""),
         "tool.scope": "src", "commands": ["cat a.txt"],
         "paths": ["a.txt"], "result.ok": False,
         "result.exit_code": 3, "result.text": "x", "result.digest": text_digest("x"),
         "result.signature": signature("x"), "result.timed_out": True,
         "result.error_class": "broken", "result.unproven": ABSENT, "prompt": ABSENT, "answer": ABSENT},
    ),
    "mcp": (
        event("after_tool", tool=MCP, result={"ok": True, "text": '{"a": [1]}'}),
        {"result.value": {"a": [1]}, "tool.server": "tickets", "tool.scope": ABSENT, "commands": ABSENT,
         "result.ok": True, "result.exit_code": ABSENT, "result.timed_out": False, "result.error_class": ABSENT},
    ),
    "write": (event(), {"content": "x", "paths": ["src/a.py"], "tool.kind": "write"}),
    "edit": (
        event(tool={"name": "Edit", "kind": "edit", "args": {"file_path": "a", "old_string": "x", "new_string": "y"}}),
        {"content": "y", "replaced": "x", "switched_off": ABSENT, "paths": ["a"]},
    ),
    "round": (event("after_round"), {"round.digest": ABSENT}),
    "prompt": (event("prompt", prompt="hello"), {"prompt": "hello", "tool.name": ABSENT}),
    "answer": (event("before_completion", answer="done"), {"answer": "done", "result.ok": ABSENT}),
    "verified": (
        event("after_verification", verification={"name": "checks", "passed": False, "stages": STAGES}),
        {"verification.name": "checks", "verification.passed": False, "verification.stage": "tests",
         "verification.command": "pytest", "verification.outcome": "failed", "verification.exit_code": 1,
         "verification.error_class": "assertion", "verification.file": "a.py", "verification.line": 7,
         "verification.summary": "no"},
    ),
}  # fmt: skip


def plain(value: Any) -> Any:
    """Texts in the place of records."""
    if isinstance(value, tuple) and value and not isinstance(value[0], str):
        return [getattr(one, "title", None) or str(one) for one in value]
    return str(value) if hasattr(value, "real") and not isinstance(value, int) else value


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_field_is_what_the_event_says(name: str) -> None:
    raw, more = CASES[name]
    here = at({**SAID, **raw})
    here.session.note_start(here.event)
    expected = {**EVERYWHERE, **more}
    assert {field: plain(getattr(here, slot(field))) for field in expected} == expected


def test_every_field_stands_in_a_case() -> None:
    assert set(FIELDS) == {*EVERYWHERE, *(field for _, more in CASES.values() for field in more)}


MISSING = {
    "plan.open_steps": "plan.open_steps", "host.interactive": "host.interactive", "host.mode": "host.mode",
    "cwd": "cwd",
    "workspace": "workspace", "time.now": "time", "time.hour": "time", "time.weekday": "time", "goal.text": "goal.text",
    "goal.steps": "goal.text", "goal.mentions": "goal.text", "goal.tests": "goal.text",
    "goal.commands": "goal.text", "result.ok": "result", "result.text": "result.text", "result.timed_out": "result",
}  # fmt: skip


@pytest.mark.parametrize("field", sorted(MISSING))
def test_what_the_host_owes_is_named_where_it_is_missing(field: str) -> None:
    raw = event("after_tool", tool=SHELL)
    del raw["cwd"], raw["workspace"]
    with pytest.raises(Undecided, match=f"^the host did not send `{MISSING[field]}`$"):
        getattr(at(raw), slot(field))


PARTS = {
    "result.ok": "result.ok", "result.exit_code": "result.exit_code", "result.text": "result.text",
    "git.branch": "git.branch", "git.clean": "git.clean", "git.ahead": "git.ahead", "diff.files": "diff.files",
    "diff.lines": "diff.lines", "plan.open_steps": "plan.open_steps",
    "usage.tokens": "usage.tokens", "usage.cents": "usage.cents",
}  # fmt: skip


@pytest.mark.parametrize("field", sorted(PARTS))
def test_a_part_of_a_record_is_named_where_it_is_missing(field: str) -> None:
    raw = event("after_tool", tool=SHELL, result={}, git={}, diff={}, plan={}, usage={})
    with pytest.raises(Undecided, match=f"`{PARTS[field]}`"):
        getattr(at(raw), slot(field))


ODD = {
    "git": {"branch": 3, "clean": 1, "ahead": "x"}, "diff": {"files": "x", "lines": "x"},
    "plan": {"open_steps": "x", "status": 3, "created": 3}, "usage": {"tokens": "x", "cents": 0.5}, "goal": {"text": 3},
}  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["", "a", '{"a": 1', '{"a": 1, "a": 2}', "NaN", "{} {}", "\ufeff{}", "[" * 65 + "]" * 65, f"[{'0,' * 100_000}0]"],
)
def test_a_text_that_is_no_json_or_too_large_has_no_value(text: str) -> None:
    with pytest.raises(Undecided, match=r"`result\.text` is not readable as JSON"):
        at(event("after_tool", tool=MCP, result={"text": text})).result_value  # noqa: B018


@pytest.mark.parametrize("field", sorted(f"{record}.{key}" for record, keys in ODD.items() for key in keys))
def test_what_is_of_another_type_is_named(field: str) -> None:
    with pytest.raises(Undecided, match=f"`{field}`"):
        getattr(at(event("after_tool", tool=SHELL, **ODD)), slot(field))


BARE_MCP = {key: value for key, value in MCP.items() if key != "server"}
ODDLY = event("after_tool", tool={"name": "Odd", "kind": "other", "args": {"path": 3}, "server": "x"})
HERE: list[tuple[dict[str, Any], str, object]] = [
    (event(tool=BARE_MCP), "tool.server", "the host did not send `tool.server`"),
    (event(tool=MCP), "tool.server", ["tickets"]), (event(), "tool.server", ABSENT), (ODDLY, "tool.server", ["x"]),
    (ODDLY, "tool.scope", ABSENT), (ODDLY, "result.exit_code", ABSENT), (ODDLY, "result.error_class", ABSENT),
    ({**ODDLY, "result": {"exit_code": 3}}, "result.exit_code", [3]),
    (event("after_tool", tool=SHELL), "result.exit_code", "the host did not send `result.exit_code`"),
    (event("after_tool", result={"exit_code": 0}), "result.ok", [True]),
    (event("after_tool", result={"exit_code": 1}), "result.ok", [False]),
    (event("after_tool", result={"exit_code": 1, "ok": True}), "result.ok", [True]),
    (event("after_tool", result={"exit_code": 0, "ok": False}), "result.ok", [False]),
    (event("after_tool", result={}), "result.ok", "the host did not send `result.ok`"),
    (event("after_tool"), "result.digest", "the host did not send `result.text`"),
    (event("after_tool"), "result.value", "the host did not send `result.text`"),
    (event("prompt"), "result.value", ABSENT), (event("after_tool", result={"text": "null"}), "result.value", [None]),
    (event(tool={**MCP, "args": {"a": ["é", {"key": "\U0001f600"}], "n": 7}}), "tool.args.size", [33]),
    (event("prompt"), "tool.args.size", ABSENT), (event("prompt"), "prompt", "the host did not send `prompt`"),
    (event("before_completion"), "answer", "the host did not send `answer`"),
    (event("after_tool", tool={**SHELL, "args": {"command": "ls"}}, cwd="/srv"), "commands", ["ls in /srv"]),
    (event(diff={"files": []}), "diff.files", [0]), (event(diff={"files": 0}), "diff.files", [0]),
    (event(plan={"open_steps": 0}), "plan.open_steps", [0]), (event(workspace="/w"), "workspace", ["/w"]),
    (event(cwd="/w/x"), "cwd", ["/w/x"]), (event(time="1970-01-01T23:59:59Z"), "time.weekday", ["thursday"]),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "field", "expected"), HERE)
def test_a_field_is_owed_absent_or_there(raw: dict[str, Any], field: str, expected: object) -> None:
    """A text is the reason why it is not known, a list holds the value."""
    try:
        found: object = [told(getattr(at(raw), slot(field)))]
    except Undecided as unknown:
        (found,) = unknown.reasons
    assert found == (expected if expected is not ABSENT else [ABSENT])


def told(value: Any) -> Any:
    """A path by its place, commands by what runs where."""
    if isinstance(value, tuple):
        (only,) = value
        return f"{only.text} in {only.cwd.real}"
    return getattr(value, "real", value) if not isinstance(value, int) else value


WEEK = ["thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday", "thursday"]


@pytest.mark.parametrize(("day", "name"), list(enumerate(WEEK)))
def test_the_days_of_a_week_have_their_names(day: int, name: str) -> None:
    here = at(event(time=f"1970-01-{day + 1:02}T07:00:00Z"))
    assert (here.time_weekday, here.time_hour, here.time_now) == (name, 7, (24 * day + 7) * 3_600_000)


def test_a_line_runs_in_the_workspace_unless_the_host_says_where() -> None:
    raw = event(tool={"name": "Bash", "kind": "shell", "args": {"command": "ls && (cd x; cat a)"}}, workspace="/w")
    del raw["cwd"]
    commands = at(raw).commands
    assert [one.cwd.real for one in commands if one.program in ("ls", "cat")] == ["/w", "/w/x"]
    assert all(one.line is commands for one in commands)
