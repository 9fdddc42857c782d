"""A stop that the host will not heed is kept, and said again at every gate until a person speaks."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from policy_engine.adapters.base import Capability
from policy_engine.hook_process import stopped
from policy_engine.hook_process.stopped import held, unknown
from policy_engine.loading.loader import load_text
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.event import Event
from tests.unit.runtime.handmade import raw

GATE, REPORT, HEEDS = Capability("x", True, "deny"), Capability("x", False, ""), Capability("x", True, "deny stop")
NOW = "Nothing more is done until a person says how to go on."
DISK_FULL = OSError(28, "No space left on device")


def event(hook: str = "before_tool", session: str = "s", **fields: Any) -> Event:
    return Event.from_dict(raw(hook, session=session, prompt="x", **fields))


def decision(*stops: str, verdict: str = "stop", reason: str | None = "own") -> Decision:
    """A decision in which these rules stop the run, and another warns."""
    spoken = [RuleResult(name, "violated", "stop", f"Why {name}.") for name in stops]
    return Decision(
        "e", "before_tool", "s", verdict, "d", (*spoken, RuleResult("w", "violated", "warn", "W")), (), reason
    )


ALLOWED = decision(verdict="allow", reason=None)


def said(result: RuleResult | None) -> tuple[str, str, str, str] | None:
    return None if result is None else (result.outcome, result.verdict, result.message, result.reason)


AGAIN = ("violated", "stop", f"The run was stopped: Why a. [a] Why b. [b] {NOW}", "own")


@pytest.mark.parametrize(
    ("hook", "capability", "again"),
    [
        ("before_tool", GATE, True),
        ("before_tool", HEEDS, True),
        ("before_completion", GATE, True),
        ("after_tool", REPORT, False),
        ("session_end", GATE, False),
    ],
)
def test_what_stopped_the_run_is_said_again_at_every_gate(
    home: Path, hook: str, capability: Capability, again: bool
) -> None:
    assert held(event(), ALLOWED, GATE) is None
    assert held(event(), decision("a", "b"), GATE) is None  # the decision itself says it
    assert said(held(event(hook), ALLOWED, capability)) == (AGAIN if again else None)
    assert held(event(session="other"), ALLOWED, GATE) is None
    assert held(event(), decision("a"), HEEDS) is None


@pytest.mark.parametrize(
    ("hook", "fields", "forgets"),
    [
        ("prompt", {}, True),
        ("session_end", {}, True),
        ("session_start", {}, True),
        ("session_start", {"source": "resume"}, True),
        ("session_start", {"source": "compact"}, False),
        ("after_tool", {}, False),
        ("before_tool", {"source": "startup"}, False),
    ],
)
@pytest.mark.parametrize("capability", [GATE, REPORT])
def test_a_person_who_speaks_or_a_session_that_begins_goes_on(
    home: Path, hook: str, fields: dict[str, Any], forgets: bool, capability: Capability
) -> None:
    held(event(), decision("a", "b"), GATE)
    held(event(hook, **fields), ALLOWED, capability)
    assert said(held(event(), ALLOWED, GATE)) == (None if forgets else AGAIN)


def test_a_prompt_that_stops_the_run_again_is_kept_and_does_not_refuse_itself(home: Path) -> None:
    held(event(), decision("a"), GATE)
    assert held(event("prompt"), decision("b"), GATE) is None
    assert said(held(event(), ALLOWED, GATE)) == ("violated", "stop", f"The run was stopped: Why b. [b] {NOW}", "own")


def test_a_stop_that_the_host_heeds_needs_not_be_kept(home: Path) -> None:
    assert held(event(), decision("a"), HEEDS) is None
    assert held(event(), ALLOWED, GATE) is None


def test_a_long_reason_is_cut_and_a_lacking_one_is_empty(home: Path) -> None:
    held(event(), decision("x" * 3000, reason=None), GATE)
    found = held(event(), ALLOWED, GATE)
    assert found is not None and found.reason == ""
    assert found.message == f"The run was stopped: {('Why ' + 'x' * 3000)[:2000]} {NOW}"


@pytest.mark.parametrize("data", ["", "{", "[]", "[1, 2, 3]", '{"a": 1}', "\udcff"])
def test_a_stop_whose_words_are_lost_is_a_stop(home: Path, data: str) -> None:
    held(event(), decision("a"), GATE)
    (file,) = (home / ".local/state/policy-engine/stopped").iterdir()
    file.write_bytes(data.encode("utf-8", "surrogateescape"))
    assert said(held(event(), ALLOWED, GATE)) == ("violated", "stop", f"The run was stopped. {NOW}", "")
    file.write_text('[7, "Why."]')
    assert said(held(event(), ALLOWED, GATE)) == ("violated", "stop", f"The run was stopped: Why. {NOW}", "")


def test_without_room_for_the_words_the_stop_itself_is_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[bytes] = []

    def replace(path: str, data: bytes) -> None:
        kept.append(data)
        if data:
            raise DISK_FULL

    monkeypatch.setattr(stopped, "replace", replace)
    assert held(event(), decision("a"), GATE) is None
    assert kept == [b'["own","Why a. [a]"]', b""]


RULE = 'rule r { on before_tool when tool.name == "x" VERDICT }'
LIMIT = "limit l { on before_tool counts true at 3 warn at 9 VERDICT }"
UNHEEDED = ("undecided", "warn", "The run is stopped, and the host will not be held to it: no room.", "")
NOBODY_KNOWS = ("undecided", "deny", "Whether the run was stopped before cannot be known: no room.", "")


@pytest.mark.parametrize(
    ("policy", "hook", "verdict", "capability", "expected"),
    [
        (RULE.replace("VERDICT", "stop own"), "before_tool", "allow", GATE, NOBODY_KNOWS),
        (LIMIT.replace("VERDICT", "stop own"), "before_tool", "allow", GATE, NOBODY_KNOWS),
        (RULE.replace("VERDICT", "deny"), "before_tool", "allow", GATE, None),
        (LIMIT.replace("VERDICT", "deny"), "before_tool", "allow", GATE, None),
        (RULE.replace("VERDICT", "stop own"), "prompt", "allow", GATE, None),
        (RULE.replace("VERDICT", "stop own"), "after_tool", "allow", REPORT, None),
        (RULE.replace("VERDICT", "stop own"), "before_tool", "allow", HEEDS, None),
        (RULE.replace("VERDICT", "deny"), "before_tool", "stop", GATE, UNHEEDED),
        (RULE.replace("VERDICT", "deny"), "after_tool", "stop", REPORT, UNHEEDED),
        (RULE.replace("VERDICT", "deny"), "prompt", "stop", GATE, UNHEEDED),
        (RULE.replace("VERDICT", "deny"), "before_tool", "stop", HEEDS, None),
        (RULE.replace("VERDICT", "stop own"), "before_tool", "stop", HEEDS, None),
    ],
)
def test_where_a_stop_cannot_be_kept_or_known_that_is_told(
    policy: str, hook: str, verdict: str, capability: Capability, expected: tuple[str, ...] | None
) -> None:
    program = load_text(f"language 1\n{policy}").require_program()
    found = unknown(event(hook), decision(verdict=verdict), capability, program, "no room")
    assert said(found) == expected
    assert found is None or found.undecided == (found.message,)


def test_a_policy_that_knows_no_stop_may_have_stopped_nothing() -> None:
    program: Any = SimpleNamespace(rules=0, rule=lambda number: pytest.fail("there is none"))
    assert unknown(event(), ALLOWED, GATE, program, "no room") is None
