"""What holds for every host: recordings are read, refusals arrive, and nothing hostile is taken for consent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from policy_engine.adapters.base import RECORDS, Adapter, Answer
from policy_engine.model import family
from policy_engine.model.decision import RuleResult
from policy_engine.model.errors import EventError
from policy_engine.model.event import Event
from policy_engine.model.ladder import RANK, VERDICTS
from policy_engine.model.limits import COMPLETION_BUDGET
from policy_engine.state.places import HOST_VARIABLES
from tests.unit.adapters.recorded import (
    ADAPTERS,
    ENVIRONMENT,
    FOLDER,
    INPUTS,
    answers,
    decision,
    event,
    event_of,
)

GATES = [(one, native) for one in ADAPTERS for native, known in one.capabilities.items() if known.gate]
GATE_INPUTS = [
    (one, path)
    for one, path in INPUTS
    if (known := one.capabilities.get(event_of(one, path))) is not None and known.gate
]
COMPLETIONS = ("before_completion", "subagent_completion")


def named(value: object) -> str | None:
    return value.name if isinstance(value, Adapter | Path) else None


@pytest.mark.parametrize(("adapter", "path"), INPUTS, ids=named)
def test_a_recorded_payload_becomes_its_canonical_event(adapter: Adapter, path: Path) -> None:
    native = event_of(adapter, path)
    found = adapter.decode(json.loads(path.read_text()), native, ENVIRONMENT)
    assert found == json.loads(path.with_name(path.name.removesuffix(".in.json") + ".out.json").read_text())
    if found is not None:
        assert Event.from_dict(found).hook == adapter.capabilities[native].point


@pytest.mark.requirement("R2", "R5", "R19")
@pytest.mark.parametrize("adapter", ADAPTERS, ids=named)
def test_every_verdict_at_every_event_has_its_recorded_answer(adapter: Adapter) -> None:
    assert answers(adapter) == json.loads((FOLDER / adapter.name / "answers.json").read_text())


@pytest.mark.requirement("R2")
@pytest.mark.parametrize(("adapter", "native"), GATES, ids=named)
def test_a_refusal_and_a_failure_at_a_gate_are_one_to_the_host(adapter: Adapter, native: str) -> None:
    point = adapter.capabilities[native].point
    verdicts = ["deny", "ask", *([] if point in COMPLETIONS else ["stop"])]
    for verdict in verdicts:
        assert adapter.denies(native, adapter.encode(decision(verdict, point), native, None)), verdict
    assert adapter.denies(native, adapter.failure(native, "E-JSON", "broken"))
    for answer in (adapter.encode(decision("allow", point), native, None), Answer(), Answer(b"", b"x", 0)):
        assert not adapter.denies(native, answer)


@pytest.mark.parametrize(("adapter", "native"), GATES, ids=named)
def test_a_completion_that_stops_ends_the_run(adapter: Adapter, native: str) -> None:
    if adapter.capabilities[native].point in COMPLETIONS and adapter.name != "generic":
        answer = adapter.encode(decision("stop", adapter.capabilities[native].point), native, None)
        assert not adapter.denies(native, answer)
        assert answer.exit_code == 0
        assert b"Why stop." in answer.stdout + answer.stderr


@pytest.mark.parametrize("adapter", ADAPTERS, ids=named)
def test_what_is_only_said_never_refuses(adapter: Adapter) -> None:
    for native, known in adapter.capabilities.items():
        for verdict in ("allow", "warn", "remind"):
            answer = adapter.encode(decision(verdict, known.point), native, event(adapter, native, True))
            assert answer.exit_code == 0
            assert not (known.gate and adapter.denies(native, answer))


@pytest.mark.requirement("R9")
@pytest.mark.parametrize("adapter", ADAPTERS, ids=named)
def test_an_event_that_is_not_known_is_refused(adapter: Adapter) -> None:
    for name in ("NoSuchEvent", "pretooluse"):
        with pytest.raises(EventError) as caught:
            adapter.decode({adapter.event_key: name}, name, {})
        answer = adapter.failure(name, caught.value.code, str(caught.value))
        assert answer.exit_code == 2
        assert b"E-POINT" in answer.stderr


@pytest.mark.parametrize("adapter", ADAPTERS, ids=named)
@pytest.mark.parametrize("payload", [None, [], "x", 3, {}])
def test_what_is_no_payload_is_refused(adapter: Adapter, payload: object) -> None:
    with pytest.raises(EventError):
        adapter.decode(payload, None, {})


@pytest.mark.parametrize(("adapter", "native"), GATES, ids=named)
def test_the_canary_of_every_gate_is_an_event_of_that_point(adapter: Adapter, native: str) -> None:
    if native in dict(adapter.registration.events):
        found = adapter.decode(adapter.canary(native, "/w"), native if adapter.registration.named else None, {})
        assert found is not None
        assert Event.from_dict(found).hook == adapter.capabilities[native].point
        assert found["session"] == "policy-doctor" or found["tool"]["name"] == "__policy_engine_canary__"


@pytest.mark.parametrize("adapter", ADAPTERS, ids=named)
def test_completion_is_refused_less_often_than_the_host_allows(adapter: Adapter) -> None:
    assert adapter.continuation_cap == 0 or adapter.continuation_cap > COMPLETION_BUDGET


@pytest.mark.parametrize("adapter", ADAPTERS, ids=named)
def test_what_is_registered_is_what_is_known(adapter: Adapter) -> None:
    registered = [name for name, _ in adapter.registration.events]
    assert set(registered) <= adapter.capabilities.keys()
    assert adapter.registration.fail_closed_events <= set(registered)
    points = {adapter.capabilities[name].point for name in registered}
    assert points >= {known.point for known in adapter.capabilities.values() if known.gate}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.requirement("R9")
@pytest.mark.parametrize(("adapter", "path"), GATE_INPUTS, ids=named)
@given(data=st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_payload_that_was_tampered_with_is_an_event_or_an_error(adapter: Adapter, path: Path, data: Any) -> None:
    payload = json.loads(path.read_text())
    target = payload
    for _ in range(data.draw(st.integers(0, 2))):
        inner = [value for value in target.values() if isinstance(value, dict) and value]
        target = data.draw(st.sampled_from(inner)) if inner else target
    key = data.draw(st.sampled_from(sorted(target)))
    if data.draw(st.booleans()):
        del target[key]
    else:
        target[key] = data.draw(VALUES)
    try:
        found = adapter.decode(payload, event_of(adapter, path), ENVIRONMENT)
        if found is not None:
            Event.from_dict(found)
    except EventError:
        return


@pytest.mark.requirement("R9")
@pytest.mark.parametrize(("adapter", "path"), GATE_INPUTS, ids=named)
def test_a_call_without_its_input_or_name_is_refused(adapter: Adapter, path: Path) -> None:
    payload = json.loads(path.read_text())
    about = payload.get("tool_call") or payload.get("input") or payload
    for key in ("tool_name", "toolName", "tool_input", "toolArgs", "name", "input", "tool", "session_id", "sessionId"):
        if key not in about or (about is payload and key == "input"):
            continue
        for value in (3, [], True):
            changed = json.loads(json.dumps(payload))
            (changed.get("tool_call") or changed.get("input") or changed)[key] = value
            with pytest.raises(EventError):
                adapter.decode(changed, event_of(adapter, path), ENVIRONMENT)


@pytest.mark.parametrize("adapter", [*ADAPTERS], ids=lambda one: one.name)
def test_what_recordings_hold_is_not_called_lacking(adapter: Adapter) -> None:
    seen = set()
    for path in (FOLDER / adapter.name).glob("*.out.json"):
        event = json.loads(path.read_text()) or {}
        seen |= {name for name in RECORDS if _has(event, name)}
    assert seen <= set(adapter.reports)
    assert set(adapter.reports) <= RECORDS.keys()


def test_what_variables_name_is_guarded() -> None:
    adapters = family.members("policy_engine.adapters", Adapter)
    assert set(HOST_VARIABLES) == {adapter.registration.home_variable for adapter in adapters} - {""}


def _has(event: dict[str, Any], name: str) -> bool:
    record, _, key = name.partition(".")
    found = event.get(record)
    return found is not None and (not key or (isinstance(found, dict) and key in found))


HEEDS = {"claude-code": "PreToolUse", "qwen": "PreToolUse", "codex": "PermissionRequest"}


@pytest.mark.parametrize("adapter", ADAPTERS, ids=named)
@pytest.mark.parametrize("verdict", VERDICTS)
def test_only_a_host_that_heeds_it_hears_that_nobody_need_be_asked(adapter: Adapter, verdict: str) -> None:
    for native, capability in adapter.capabilities.items():
        plain, approved = decision(verdict, capability.point), decision(verdict, capability.point)
        approved.approved = (RuleResult("reads", "violated", "allow", "It only reads."),)
        answers = [adapter.encode(each, native, None).stdout for each in (plain, approved)]
        heeds = RANK[verdict] < RANK["ask"] and HEEDS.get(adapter.name) == native
        allow = b'"behavior":"allow"' if native == "PermissionRequest" else b'"permissionDecision":"allow"'
        assert [allow in answer for answer in answers] == [False, heeds], native
        assert (answers[0] != answers[1]) is (heeds or adapter.name == "generic"), native
