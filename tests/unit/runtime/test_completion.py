"""The budget of completions: refusals that do not help end the run; a prompt or an accepted completion forgets them."""

from __future__ import annotations

import pytest

from policy_engine.bootstrap import Engine

STATELESS = 'language 1\nrule r "R" { on before_completion when answer == "no" VERDICT }\n'


def verdicts(policy: str, *steps: str) -> list[str]:
    """What the engine says of completions with these answers; `prompt` is a prompt, `other: X` a sub-agent's."""
    engine = Engine.from_text(policy, home="/home/user", clock=lambda: 0)
    found = []
    for step in steps:
        event: dict[str, object] = {"hook": "before_completion", "session": "s", "answer": step}
        if step == "prompt":
            event = {"hook": "prompt", "session": "s", "prompt": "go on"}
        elif step.startswith("other: "):
            event.update(hook="subagent_completion", agent={"kind": "explore", "name": "a"}, answer=step[7:])
        found.append(engine.decide(event).verdict)
    return found


@pytest.mark.parametrize("verdict", ["deny", "ask"])
def test_the_fourth_refusal_for_the_same_reasons_ends_the_run(verdict: str) -> None:
    found = verdicts(STATELESS.replace("VERDICT", verdict), "no", "no", "no", "no")
    assert found == [verdict, verdict, verdict, "stop"]


@pytest.mark.parametrize("between", ["prompt", "yes"])
def test_a_prompt_or_an_accepted_completion_begins_anew_even_without_rules_about_the_past(between: str) -> None:
    found = verdicts(STATELESS.replace("VERDICT", "deny"), "no", "no", "no", between, "no")
    assert found == ["deny", "deny", "deny", "allow", "deny"]


def test_each_agent_has_its_own_budget() -> None:
    policy = STATELESS.replace("on before_completion", "on before_completion on subagent_completion")
    found = verdicts(policy.replace("VERDICT", "deny"), "no", "no", "other: no", "no", "other: no", "no")
    assert found == ["deny", "deny", "deny", "deny", "deny", "stop"]


def test_a_completion_that_no_rule_listens_to_is_accepted_too() -> None:
    policy = STATELESS.replace("on before_completion", "on subagent_completion").replace("VERDICT", "deny")
    engine = Engine.from_text(policy, home="/home/user", clock=lambda: 0)
    events = [{"hook": f"{kind}_completion", "session": "s", "answer": "no"} for kind in ("subagent", "before")]
    found = [engine.decide(events[place]).verdict for place in (0, 0, 0, 1, 0)]
    assert found == ["deny", "deny", "deny", "allow", "deny"]


def test_fewer_unmet_rules_than_ever_before_are_progress() -> None:
    rules = [f'rule r{number} "R" {{ on before_completion when answer contains "{number}" deny }}' for number in (1, 2)]
    policy = "language 1\n" + "\n".join(rules)
    assert verdicts(policy, "12", "12", "12", "1", "1", "1", "1") == ["deny"] * 6 + ["stop"]
    assert verdicts(policy, "1", "12", "1", "12") == ["deny", "deny", "deny", "stop"]


def test_a_policy_may_restate_the_budget() -> None:
    own = 'limit completion-budget "B" { on before_completion counts true at 2 stop enough "Enough." }'
    engine = Engine.from_text(STATELESS.replace("VERDICT", "deny") + own, home="/home/user", clock=lambda: 0)
    event = {"hook": "before_completion", "session": "s", "answer": "no"}
    assert [engine.decide(event).verdict for _ in range(2)] == ["deny", "stop"]
    assert engine.decide(event).stop_reason == "enough"


def test_the_end_of_a_run_names_what_is_unmet_and_keeps_what_was_said() -> None:
    rules = "".join(f"rule r{number} {{ on before_completion deny }} " for number in (2, 1))
    rules += "rule s { on before_completion deny shadow } rule w { on before_completion deny } "
    waiver = 'waive w "known" { until 9999-12-31 owner "someone" }'
    engine = Engine.from_text(f"language 1\n{rules}{waiver}", home="/home/user", clock=lambda: 0)
    event = {"hook": "before_completion", "session": "s", "answer": "no", "id": "e"}
    decision = [engine.decide(event) for _ in range(4)][-1]
    assert [(one.rule, one.verdict) for one in decision.rules] == [
        ("completion-budget", "stop"), ("r1", "deny"), ("r2", "deny"),
    ]  # fmt: skip
    said = decision.rules[0]
    assert said.message == "Completion was refused 3 times for the same reasons (r1, r2). A person takes over."
    assert said.because == (("refusals > 3", {"refusals": 4, "unmet": ["r1", "r2"]}),)
    assert (said.evidence, said.reason, said.at) == (("e",), "accept_continue_exhausted", "")
    assert decision.stop_reason == "accept_continue_exhausted"
    assert ([one.rule for one in decision.waived], [one.rule for one in decision.shadow]) == (["w"], ["s"])
