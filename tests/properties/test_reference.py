"""What is compiled decides as the reference does, event by event: verdict, stop reason, and who spoke how."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from tests.generated.events import sequences
from tests.generated.play import answer, decided, loaded, referred
from tests.generated.policies import Generated, policies
from tests.properties.effort import effort


@effort(200)
@given(policies(), sequences())
def test_the_engine_decides_as_the_reference(policy: Generated, events: list[dict[str, Any]]) -> None:
    found = loaded(policy.text)
    assert found.policy is not None
    engine = [answer(decision) for decision in decided(found, events)]
    assert engine == referred(found.policy, events), policy.text


@effort(40)
@given(policies(most=2, sorts=("limit", "mode")), sequences(most=20))
def test_long_sessions_too(policy: Generated, events: list[dict[str, Any]]) -> None:
    found = loaded(policy.text)
    assert found.policy is not None
    engine = [answer(decision) for decision in decided(found, events)]
    assert engine == referred(found.policy, events), policy.text
