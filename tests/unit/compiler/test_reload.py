"""From one compilation to the next: what stayed keeps its number, what is gone is silent, what is new speaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from policy_engine.checker.tree import CheckedPolicy
from policy_engine.compiler import compiler
from policy_engine.compiler.compiler import FEW, Compilation
from policy_engine.compiler.dump import dump
from policy_engine.evaluators.base import LayeredBucket, Program
from policy_engine.evaluators.context import EvaluationContext
from policy_engine.filesystem.file_system import Virtual
from policy_engine.loading.loader import load_text
from policy_engine.model.event import Event
from tests.unit.compiler.asking import event

RULE = 'rule r{0} {{ on before_tool(write) when tool.name == "Write" warn }}'
KEPT = 'rule kept { on prompt when prompt == "x" warn }'


def policy(*items: str) -> CheckedPolicy:
    loaded = load_text("language 1\n" + "\n".join(items))
    assert loaded.policy is not None and loaded.errors == ()
    return loaded.policy


def compiled(made: Compilation, *parts: CheckedPolicy) -> Program:
    """The Program of the parts as one policy of the repository."""
    names = ("rules", "limits", "hooks", "modes", "verifies", "waivers")
    whole: dict[str, Any] = {name: tuple(one for part in parts for one in getattr(part, name)) for name in names}
    return made.program((("repository", replace(parts[0], **whole)),), "d")


def speaking(program: Program, raw: dict[str, Any] | None = None) -> list[str]:
    """The rules that the index brings for an event."""
    here = Event.from_dict(raw or event())
    bucket = program.bucket(here.hook, here.tool_kind)
    assert bucket is not None
    return [program.rule(number).id for number in bucket.dispatch(EvaluationContext(here, lambda _: Virtual(), None))]


def rules(*numbers: int) -> CheckedPolicy:
    return policy(*map(RULE.format, numbers))


def without(whole: CheckedPolicy, gone: int) -> CheckedPolicy:
    """Without the first so many rules."""
    return replace(whole, rules=whole.rules[gone:])


def test_what_stayed_keeps_its_number_and_what_is_gone_is_silent() -> None:
    made, kept, old, new = Compilation(), policy(KEPT), rules(1, 2, 3), rules(4)
    first = compiled(made, kept, old)
    assert (speaking(first), first.rules) == (["r1", "r2", "r3"], 4)
    second = compiled(made, kept, without(old, 1), new)
    assert (speaking(second), second.rules, second.rule(2).id) == (["r2", "r3", "r4"], 5, "r2")
    assert second.bucket("prompt", None) is first.bucket("prompt", None)
    assert isinstance(second.bucket("before_tool", "write"), LayeredBucket)
    third = compiled(made, kept, without(old, 2))
    assert (speaking(third), third.rules) == (["r3"], 5)
    again = compiled(made, kept, old)
    assert (speaking(again), again.rules) == (["r3", "r1", "r2"], 7)


def test_the_dump_shows_a_reloaded_bucket_as_one() -> None:
    made, old = Compilation(), rules(1)
    assert "T0 = {'Write': (0,)}" in dump(compiled(made, old))
    found = dump(compiled(made, old, rules(2)))
    assert (
        "bucket before_tool(write): limits (), hooks ()\n  (reloaded: an index, and what changed beside it)\n" in found
    )
    assert "rule 1 r2: warn" in found and "T0" not in found


def test_a_new_place_and_an_empty_one_are_places_like_any() -> None:
    made, kept, old = Compilation(), policy(KEPT), rules(1)
    compiled(made, kept, old)
    found = compiled(made, kept, policy('rule s { on before_tool(shell) when tool.name == "Bash" warn }'))
    assert speaking(found) == [] and found.stateful is False
    assert [(one.limits, one.hooks, one.uses_session) for one in found.buckets().values()] == [((), (), False)] * 5
    bash = event(tool={"name": "Bash", "kind": "shell", "args": {"command": "ls"}})
    assert speaking(found, bash) == ["s"]
    assert speaking(found, {"hook": "prompt", "session": "s", "prompt": "x"}) == ["kept"]


@pytest.mark.parametrize(("gone", "numbered"), [(FEW - 1, 110), (FEW, 110), (FEW + 1, 110 - FEW - 1)])
def test_a_few_changes_are_layered_and_more_number_everything_anew(gone: int, numbered: int) -> None:
    made, old = Compilation(), rules(*range(110))
    compiled(made, old)
    found = compiled(made, without(old, gone))
    assert found.rules == numbered
    assert isinstance(found.bucket("before_tool", "write"), LayeredBucket) is (numbered == 110)
    assert speaking(found) == [f"r{number}" for number in range(gone, 110)]


@pytest.mark.parametrize(("changed", "layered"), [(3, True), (4, False)])
def test_of_many_declarations_a_part_may_change(monkeypatch: pytest.MonkeyPatch, changed: int, layered: bool) -> None:
    monkeypatch.setattr(compiler, "FEW", 1)
    monkeypatch.setattr(compiler, "PART", 4)
    made, old = Compilation(), rules(*range(15 - changed))
    compiled(made, old)
    found = compiled(made, old, rules(*range(90, 90 + changed)))
    assert isinstance(found.bucket("before_tool", "write"), LayeredBucket) is layered
    assert sorted(speaking(found)) == sorted([f"r{n}" for n in [*range(15 - changed), *range(90, 90 + changed)]])
    again = compiled(made, old, rules(99))
    assert sorted(speaking(again)) == sorted([*(f"r{n}" for n in range(15 - changed)), "r99"])


def test_a_new_waiver_makes_the_rule_a_new_one() -> None:
    made, old, waiver = Compilation(), rules(1, 2), 'waive r1 "known" { until 9999-12-30 owner "someone" }'
    compiled(made, old)
    waived = policy(RULE.format(1), waiver)
    found = compiled(made, old, replace(waived, rules=()))
    assert (found.rules, speaking(found)) == (3, ["r2", "r1"])
    assert len(found.rule(2).waivers) == 1
    assert compiled(made, old, replace(waived, rules=())).rules == 3


LIMIT = "limit {0} {{ on before_tool(write) repeats (tool.name) at 9 warn }}"
HOOK = 'hook {0} {{ on before_tool(write) run ["x"] }}'


def test_limits_and_hooks_come_and_go_like_rules() -> None:
    made, kept = Compilation(), policy(KEPT)
    old, new = policy(LIMIT.format("l1"), HOOK.format("h1")), policy(LIMIT.format("l2"), HOOK.format("h2"))
    both = policy(RULE.format(1))

    def held(program: Program) -> tuple[list[str], list[str], bool, bool]:
        bucket = program.bucket("before_tool", "write")
        assert bucket is not None
        limits, hooks = ([program.rule(number).id for number in numbers] for numbers in (bucket.limits, bucket.hooks))
        return limits, hooks, bucket.uses_session, program.stateful

    assert held(compiled(made, kept, both)) == ([], [], False, False)
    assert held(compiled(made, kept, both, old)) == (["l1"], ["h1"], True, True)
    assert held(compiled(made, kept, both, new)) == (["l2"], ["h2"], True, True)
    assert held(compiled(made, kept, both, old, new)) == (["l2", "l1"], ["h2", "h1"], True, True)
    assert held(compiled(made, kept, both)) == ([], [], False, False)


def test_the_effects_of_a_program_are_those_of_its_current_rules() -> None:
    made, kept = Compilation(), policy(KEPT)
    backs = "rule b{0} {{ on before_tool timeout 3s backoff to 9s by (tool.name) }}"
    one, two = policy(backs.format(1)), policy(backs.format(2), "rule c { on before_tool timeout 3s }")
    assert compiled(made, kept, one).effects == (1,)
    assert compiled(made, kept, one, two).effects == (1, 2)
    assert compiled(made, kept, two).effects == (2,)
    assert compiled(made, kept, two).stateful is True
    assert compiled(made, kept).effects == ()


def layered(**texts: str) -> Program:
    """The Program of several layers."""
    return Compilation().program(tuple((layer, policy(text)) for layer, text in texts.items()), "d")


BUDGET = "limit completion-budget { on before_completion counts true at 5 stop enough }"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({"repository": ""}, (("repository", -1),)),
        ({"organisation": "", "repository": KEPT}, (("repository", -1),)),
        ({"organisation": KEPT, "repository": ""}, (("organisation", -1), ("repository", -1))),
        ({"organisation": LIMIT.format("l"), "user": HOOK.format("h"), "repository": BUDGET},
         (("organisation", -1), ("user", -1), ("repository", 2))),
        ({"builtin": 'verify v { stage s run ["x"] }', "user": BUDGET},
         (("builtin", -1), ("user", 0), ("repository", -1))),
        ({"user": "mode m { enter when git.clean }", "repository": ""}, (("repository", -1),)),
    ],
)  # fmt: skip
def test_every_layer_with_rules_has_a_budget_and_the_repository_always(
    texts: dict[str, str], expected: tuple[tuple[str, int], ...]
) -> None:
    found = layered(**texts)
    assert found.budgets == expected
    assert all(bucket.limits == () for place, bucket in found.buckets().items() if place[0] == "before_completion")


NOISE = 'define noise = glob("{0}/**") except glob("{0}/keep")'
ASKS = 'rule asks { on before_completion when wrote("src/**") warn }'
READS = 'rule asks { on before_completion when read("src/**") warn }'


@pytest.mark.parametrize(
    ("strong", "weak", "expected"),
    [
        (NOISE.format("a") + ASKS, NOISE.format("b") + ASKS, "a"),
        (NOISE.format("a"), NOISE.format("b") + ASKS, "a"),
        (ASKS.replace("wrote", "deleted"), NOISE.format("b") + ASKS, None),
        (ASKS.replace("wrote", "changed").replace(" warn", " != [] warn"), NOISE.format("b") + ASKS, None),
        (ASKS, NOISE.format("b") + ASKS, None),
        (READS, NOISE.format("b") + ASKS, "b"),
        ("", NOISE.format("b") + ASKS, "b"),
        ('define noise = command("x")', NOISE.format("b") + ASKS, "b"),
        ("", 'define quiet = glob("b/**")\n' + ASKS, None),
    ],
)
def test_the_strongest_layer_that_asks_what_was_written_says_what_is_noise(
    strong: str, weak: str, expected: str | None
) -> None:
    watch = layered(organisation=strong, repository=weak).watch
    assert watch[3] == (((f"{expected}/**",), (f"{expected}/keep",)) if expected else None)


def test_ids_carry_the_layer_and_mean_their_own_layer() -> None:
    text = """mode m { enter when git.clean }
    limit l { on before_tool repeats (tool.name) at 2 warn }
    rule r { on before_tool when mode.m and limit.l.count > 1 warn }
    hook h { on before_tool run ["x"] }
    verify v { stage s run ["x"] }
    rule s { on before_tool when refused(r) or verified(s) warn }
    """
    found = layered(organisation=text, repository=text)
    ids = [found.rule(number).id for number in range(found.rules)]
    own = ["r", "s", "l", "h"]
    assert ids == [*(f"organisation/{name}" for name in own), *own]
    assert [spec[0] for spec in (*found.modes, *found.verifies)] == ["organisation/m", "m", "organisation/v", "v"]
    tests = [found.spec(number)[-1]["test"] for number in (0, 4)]
    assert tests[0].replace("organisation/", "") == tests[1] != tests[0]
    named = sorted(atom[1] for spec in found.monitors for atom in spec[2] if atom[0] in ("refused", "verified"))
    assert named == ["organisation/r", "organisation/s", "organisation/v", "r", "s", "v"]
    assert found.facts == {"refused", "verified", "wrote", "deleted"}
