"""No sequence of refusals reaches the number at which a host lets a completion through, and none goes on for ever."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_engine.adapters.base import Answer
from policy_engine.hook_process.continuing import most
from policy_engine.model.limits import COMPLETION_BUDGET, COMPLETION_MOST
from policy_engine.state.side_files import MOST
from tests.end_to_end.native import Native
from tests.properties.effort import effort

HOSTS = ("claude-code", "codex", "gemini", "copilot", "cursor", "droid", "qwen")
SHRINKING = "language 1\n" + "".join(
    f'rule r{number} "R" {{ on before_completion when file_exists("{number}") deny }}\n' for number in range(6)
)
STATEFUL = """language 1
rule tests-pass "Tests pass" {
  on before_completion
  require command_success("pytest -*") since wrote("src/**")
  deny "Run the tests."
}
"""
SESSIONS = itertools.count()
OVER = b"A person takes over"


@pytest.fixture
def native(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Native]:
    with pytest.MonkeyPatch.context() as patch:
        yield Native(request.param, tmp_path, patch)


def chain(native: Native, unmet: list[set[int]], believed: bool = True, **more: str) -> list[str]:
    """What becomes of one completion after the other, while it is refused: refused, ended or accepted."""
    found: list[str] = []
    for present in unmet:
        for number in range(6):
            path = native.workspace / str(number)
            path.touch() if number in present else path.unlink(missing_ok=True)
        answer = native.complete(**flag(native, len(found) if believed else 0), **more)
        found.append(outcome(native, answer))
        if found[-1] != "refused":
            break
    return found


def flag(native: Native, before: int) -> dict[str, object]:
    return {"loop_count": before} if native.adapter.name == "cursor" else {"stop_hook_active": before > 0}


def outcome(native: Native, answer: Answer) -> str:
    if native.refuses_completion(answer):
        return "refused"
    return "ended" if OVER in answer.stdout + answer.stderr else "accepted"


@pytest.mark.parametrize("believed", [True, False])
@pytest.mark.parametrize("native", HOSTS, indirect=True)
def test_progress_does_not_lead_past_the_hosts_bound(native: Native, believed: bool) -> None:
    native.write_policy(SHRINKING)
    slow = [set(range(left)) for left in range(6, 0, -1) for _ in range(COMPLETION_BUDGET)]
    found = chain(native, [*slow, {0}], believed)
    assert found == ["refused"] * min(most(native.adapter), len(slow)) + ["ended"]
    assert not native.adapter.continuation_cap or len(found) <= native.adapter.continuation_cap


@pytest.mark.parametrize("native", ["claude-code", "cursor"], indirect=True)
@effort(12)
@given(unmet=st.lists(st.sets(st.integers(0, 5), min_size=1), min_size=9, max_size=12))
def test_no_sequence_of_unmet_sets_reaches_the_bound(native: Native, unmet: list[set[int]]) -> None:
    native.write_policy(SHRINKING)
    found = chain(native, unmet, session_id=f"s-{next(SESSIONS)}")
    assert found[-1] == "ended"
    assert COMPLETION_BUDGET <= found.count("refused") < native.adapter.continuation_cap


@pytest.mark.parametrize("native", ["claude-code"], indirect=True)
def test_a_prompt_and_an_accepted_completion_count_anew(native: Native) -> None:
    native.write_policy(SHRINKING)
    slow = [set(range(left)) for left in (6, 5) for _ in range(COMPLETION_BUDGET)]
    for between in (lambda: native.prompt(), lambda: chain(native, [set()])):
        assert chain(native, slow) == ["refused"] * 6
        between()
    assert chain(native, slow) == ["refused"] * 6


@pytest.mark.parametrize(("said", "refused"), [("3", 2), ("1", 1), ("12", 11), ("0", 7), ("x", 7), ("9" * 30, 7)])
@pytest.mark.parametrize("native", ["claude-code"], indirect=True)
def test_the_bound_that_a_variable_sets_is_heeded(
    native: Native, said: str, refused: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", said)
    assert most(native.adapter) == refused


@pytest.mark.parametrize("broken", ["before", "after"])
@pytest.mark.parametrize("native", ["codex", "droid", "claude-code", "copilot", "cursor", "qwen"], indirect=True)
def test_without_a_place_for_the_count_the_second_refusal_ends_the_run(native: Native, broken: str) -> None:
    native.write_policy(STATEFUL)
    if broken == "after":
        assert outcome(native, native.complete(**flag(native, 0))) == "refused"
        shutil.rmtree(native.state)
    native.state.parent.mkdir(parents=True, exist_ok=True)
    native.state.write_text("")
    found = [outcome(native, native.complete(**flag(native, before))) for before in range(3)]
    assert found == ["refused", "ended", "ended"]


@pytest.mark.parametrize("native", ["gemini"], indirect=True)
def test_a_host_that_forgets_that_it_goes_on_is_not_refused_at_all_then(native: Native) -> None:
    native.write_policy(STATEFUL)
    native.state.parent.mkdir(parents=True, exist_ok=True)
    native.state.write_text("")
    assert outcome(native, native.complete(**flag(native, 0))) == "ended"


@pytest.mark.parametrize("native", ["codex", "copilot"], indirect=True)
def test_sessions_that_nobody_names_do_not_count_for_one_another(native: Native) -> None:
    native.write_policy(STATEFUL)
    found = [outcome(native, native.complete(session_id=7, **flag(native, before))) for before in (0, 0, 1)]
    assert found == ["refused", "refused", "ended"]


@pytest.mark.parametrize("native", ["codex", "gemini"], indirect=True)
def test_a_state_that_is_new_at_every_event_ends_the_run(native: Native) -> None:
    native.write_policy(STATEFUL)
    found = []
    for before in range(3):
        found.append(outcome(native, native.complete(**flag(native, before))))
        shutil.rmtree(native.state)
    assert found == ["refused", "ended", "ended"]


@pytest.mark.parametrize("native", ["codex", "gemini"], indirect=True)
def test_a_store_that_cannot_be_had_ends_the_run_even_if_the_host_forgets(native: Native) -> None:
    native.write_policy(STATEFUL)
    (native.state / "sessions.sqlite3").mkdir(parents=True)
    found = [outcome(native, native.complete(**flag(native, 0))) for _ in range(2)]
    assert found == ["refused", "ended"]


@pytest.mark.parametrize("native", ["codex"], indirect=True)
def test_a_refusal_by_another_hook_is_not_taken_for_a_count_that_was_lost(native: Native) -> None:
    native.write_policy(SHRINKING)
    assert chain(native, [set()]) == ["accepted"]
    native.prompt()
    found = [outcome(native, native.complete(stop_hook_active=True)) for _ in range(2)]
    (native.workspace / "1").touch()
    found.append(outcome(native, native.complete(stop_hook_active=True)))
    assert found == ["accepted", "accepted", "refused"]


@pytest.mark.parametrize("native", ["codex"], indirect=True)
def test_even_a_budget_without_end_ends(native: Native) -> None:
    endless = 'limit completion-budget "B" { on before_completion counts true at 1000 stop never }\n'
    native.write_policy(SHRINKING + endless)
    assert chain(native, [{1}] * 60) == ["refused"] * COMPLETION_MOST + ["ended"]


@pytest.mark.parametrize("native", ["codex"], indirect=True)
def test_what_is_kept_of_completions_does_not_grow(native: Native) -> None:
    native.write_policy("language 1\n")
    (native.state / "completions").mkdir(parents=True)
    native.complete()
    (file,) = (native.state / "completions").iterdir()
    file.write_bytes(bytes(9) * (MOST // 9))
    native.complete()
    assert file.stat().st_size <= MOST
    native.say("SessionEnd", reason="other")
    assert not file.exists()
