"""Refusals of completion are counted as the host counts them, and end in a person's hands before it gives way."""

from __future__ import annotations

import posix
from pathlib import Path
from typing import Any

import pytest

from policy_engine.adapters.base import Adapter
from policy_engine.hook_process import continuing
from policy_engine.hook_process.continuing import begun, ended, failed, most
from policy_engine.model.event import Event
from policy_engine.model.limits import COMPLETION_MOST
from tests.unit.hook_process.plain import plain
from tests.unit.runtime.handmade import raw

LOST = ("undecided", "fatal_error", "How often the completion was refused before cannot be known. A person takes over.")
BLIND = (
    "undecided", "fatal_error",
    "The engine cannot judge the completion, and refusing it again would not help. A person takes over.",
)  # fmt: skip


def over(times: int) -> tuple[str, str, str]:
    return (
        "violated", "accept_continue_exhausted", f"Completion was refused {times} times in a row. A person takes over.",
    )  # fmt: skip


def host(cap: int = 3, **more: Any) -> Adapter:
    """A host that lets a completion through which was refused `cap` times in a row."""
    return plain(continuation_cap=cap, **more)


def say(
    verdict: str = "deny", judged: bool = True, adapter: Adapter | None = None, payload: Any = None, **event: Any
) -> tuple[str, str, str] | None:
    """What is said of one completion: outcome, reason and words."""
    known = raw("before_completion", **event) if event.pop("known", True) else None
    found = ended(adapter or host(), {} if payload is None else payload, known, verdict, judged)
    assert found is None or (found.verdict, found.rule) == ("stop", "policy-engine")
    return None if found is None else (found.outcome, found.reason, found.message)


@pytest.mark.parametrize(
    ("cap", "value", "expected"),
    [
        (0, None, COMPLETION_MOST),
        (1, None, 1),
        (2, None, 1),
        (3, None, 2),
        (8, None, 7),
        (COMPLETION_MOST + 1, None, COMPLETION_MOST),
        (COMPLETION_MOST + 9, None, COMPLETION_MOST),
        (8, b"3", 2),
        (8, b"1", 1),
        (8, b"0", 7),
        (8, b"", 7),
        (8, b"-3", 7),
        (8, b"3 ", 7),
        (8, b"100000000", COMPLETION_MOST),
        (8, b"0000000003", 7),  # longer than any number that is meant
        (0, b"3", 2),
    ],
)
def test_the_last_refusal_comes_before_the_host_gives_way(
    home: Path, monkeypatch: pytest.MonkeyPatch, cap: int, value: bytes | None, expected: int
) -> None:
    if value is not None:
        monkeypatch.setitem(posix.environ, b"PLAIN_CAP", value)
    assert most(host(cap, cap_variable="PLAIN_CAP")) == expected
    assert most(host(cap)) == most(host(cap, cap_variable="NOT_SET"))


def test_a_run_ends_instead_of_its_last_refusal(home: Path) -> None:
    assert [say() for _ in range(4)] == [None, None, over(2), over(3)]
    assert [say(verdict="ask", session="t", adapter=host(5)) for _ in range(5)] == [*[None] * 4, over(4)]


@pytest.mark.parametrize(
    ("verdict", "anew"), [("allow", True), ("warn", True), ("remind", True), ("stop", True), ("ask", False)]
)
def test_only_refusals_in_a_row_count(home: Path, verdict: str, anew: bool) -> None:
    found = [say(), say(verdict), say(), say()]
    assert found == ([None, None, None, None] if anew else [None, None, over(2), over(3)])


def test_what_cannot_be_judged_is_refused_once(home: Path) -> None:
    assert [say(judged=False), say(judged=False)] == [None, BLIND]
    assert [say(session="t"), say(judged=False, session="t")] == [None, BLIND]
    assert say("allow", judged=False) is None


def test_sessions_and_agents_are_counted_apart(home: Path) -> None:
    agents: list[dict[str, Any]] = [
        {}, {"agent": {"kind": "explore", "name": "a"}}, {"agent": {"kind": "explore", "name": "b"}},
        {"agent": {"id": "7"}}, {"session": "t"},
    ]  # fmt: skip
    for _ in range(2):
        assert [say(**each) for each in agents] == [None] * len(agents)
    assert [say(**each) for each in agents] == [over(2)] * len(agents)
    assert say(agent={"kind": "main", "name": "other"}) == over(3)  # the main agent is one, whatever it is called
    assert say(agent={"name": "another"}) == over(4)
    assert say(agent={"id": "7", "kind": "x", "name": "y"}) == over(3)


@pytest.mark.parametrize(("hook", "file"), [("prompt", True), ("session_end", False)])
def test_a_person_or_the_end_of_the_session_begins_anew(home: Path, hook: str, file: bool) -> None:
    begun(Event.from_dict(raw(hook, prompt="x")))  # nothing was kept yet
    folder = home / ".local/state/policy-engine/completions"
    assert not folder.exists()
    assert [say(), say(), say(session="t")] == [None] * 3
    begun(Event.from_dict(raw(hook, prompt="x")))
    assert sorted(each.stat().st_size for each in folder.iterdir()) == ([0, 9] if file else [9])
    assert [say(), say(), say()] == [None, None, over(2)]
    assert say(session="t") is None


def test_a_count_that_cannot_be_begun_anew_goes_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(path: str) -> None:
        raise OSError(30, "Read-only file system")

    for name, hook in (("empty", "prompt"), ("forget", "session_end")):
        monkeypatch.setattr(continuing, name, broken)
        begun(Event.from_dict(raw(hook, prompt="x")))


@pytest.mark.parametrize(
    ("payload", "forgets", "expected"),
    [
        ({"stop_hook_active": True}, False, LOST),
        ({"stop_hook_active": 2}, False, LOST),
        ({"stop_hook_active": False}, False, None),
        ({"stop_hook_active": "yes"}, False, None),
        ({}, False, None),
        ({"stop_hook_active": True}, True, LOST),
        ({"stop_hook_active": False}, True, None),
        ([], False, None),
    ],
)
def test_without_a_file_the_payload_tells_whether_it_was_lost(
    home: Path, payload: Any, forgets: bool, expected: tuple[str, ...] | None
) -> None:
    assert say(adapter=host(forgets=forgets), payload=payload) == expected


@pytest.mark.parametrize(
    ("payload", "forgets", "expected"),
    [
        ({"stop_hook_active": True}, False, LOST),
        ({"stop_hook_active": False}, False, None),
        ({"stop_hook_active": False}, True, LOST),  # false again too early
        ({}, False, LOST),
    ],
)
@pytest.mark.parametrize("broken", ["folder", "home"])
def test_where_nothing_can_be_kept_only_the_payload_can_say_that_it_is_the_first(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
    payload: Any,
    forgets: bool,
    expected: tuple[str, ...] | None,
) -> None:
    if broken == "folder":
        (home / ".local").touch()
    else:
        monkeypatch.setitem(posix.environ, b"HOME", b"relative")
    assert say(adapter=host(forgets=forgets), payload=payload) == expected
    assert say("allow", adapter=host(forgets=forgets), payload=payload) is None


def test_a_count_does_not_begin_anew_by_its_size(home: Path) -> None:
    assert [say(adapter=host(0)) is None for _ in range(260)] == [number < COMPLETION_MOST for number in range(260)]
    assert say(adapter=host(0)) == over(255)


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ({"session_id": "s"}, over(2)),
        ({"session_id": "s", "agent_id": ""}, over(2)),
        ({"session_id": "s", "agent_id": 7}, over(2)),
        ({"session_id": "s", "agent_id": "7"}, None),
        ({"session_id": "s", "agent_id": "\ud800"}, None),
        ({"session_id": "t"}, None),
        ({"session_id": 3}, LOST),  # of a session that nobody names, nobody knows what was refused
        ({"session_id": ""}, LOST),
        ({"session_id": 3, "stop_hook_active": False}, None),
        ({}, LOST),
        ([], LOST),
    ],
)
def test_without_an_event_the_payload_names_session_and_agent(
    home: Path, payload: Any, expected: tuple[str, ...] | None
) -> None:
    assert [say(), say()] == [None, None]
    assert say(known=False, payload=payload) == expected


def test_what_cannot_be_looked_at_is_ended_with_its_reason(home: Path) -> None:
    assert failed(host(), {}, raw("before_completion"), "Stop", "E-JSON", "it is no JSON") is None
    found = failed(host(), {}, raw("before_completion"), "SubStop", "E-JSON", "it is no JSON")
    assert found is not None
    assert (found.verdict, found.hook, found.stop_reason) == ("stop", "subagent_completion", "fatal_error")
    assert (found.event, found.session, found.policy, found.errors) == ("", "", "", ())
    assert [one.message for one in found.rules] == [f"E-JSON: it is no JSON. {BLIND[2]}"]
