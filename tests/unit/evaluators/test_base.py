"""A Program is plain data that becomes functions when an event first concerns a rule."""

from __future__ import annotations

import marshal
from typing import Any

import pytest

from policy_engine.evaluators.base import Bucket, RuleSpec, function_of
from policy_engine.loading.loader import load_text
from policy_engine.model.undecided import Undecided
from policy_engine.runtime.names import LazyNames, names

POLICY = """language 1
rule a "A" { on before_tool(shell) when any c in commands { c matches "rm ..." } deny "no" }
rule b "B" { on before_tool("Odd") on prompt warn }
limit c "C" { on after_tool repeats (tool.name) at 3 stop repeat_cycle }
"""


def spec(code: dict[str, Any]) -> tuple[Any, ...]:
    return ("r", "rule", "deny", "", "p:1:1", "closed", False, "R", "medium", (), None, (), None, code)


def test_a_part_is_compiled_when_it_is_first_asked_for_and_then_kept() -> None:
    rule = RuleSpec(spec({"test": "lambda e: e > 2"}), names())
    assert rule.has("test") and not rule.has("message")
    assert rule.function("test") is rule.function("test")
    assert (rule.function("test")(3), rule.function("test")(2)) == (True, False)


def test_source_and_code_give_the_same_function() -> None:
    code = compile("lambda: same(1, True)", "<test>", "eval")
    for known in (names(), LazyNames()):
        assert function_of("lambda: same(1, True)", known, "r")() is False
        assert function_of(code, known, "r")() is False


def test_a_bucket_makes_its_dispatch_once_with_its_own_tables() -> None:
    source = "def dispatch(e):\n    return list(T0.get(e, ()))\n"
    first = Bucket(source, {"T0": {"x": (1, 2)}}, (), (), False, names())
    second = Bucket(source, {"T0": {"x": (3,)}}, (), (), False, names())
    assert (first.dispatch("x"), second.dispatch("x"), first.dispatch("y")) == ([1, 2], [3], [])
    assert first.dispatch is first.dispatch


def test_everything_in_a_program_can_be_kept_as_plain_values() -> None:
    program = load_text(POLICY).require_program()
    specs = [program.spec(number) for number in range(program.rules)]
    assert marshal.loads(marshal.dumps(specs)) == specs
    for bucket in program.buckets().values():
        assert marshal.loads(marshal.dumps(bucket.tables)) == bucket.tables
    assert marshal.loads(marshal.dumps(program.monitors)) == program.monitors


@pytest.mark.parametrize(
    ("point", "kind", "rules", "limits"),
    [("before_tool", "shell", {0, 1}, ()), ("before_tool", "write", {1}, ()), ("prompt", None, {1}, ()),
     ("after_tool", "read", set(), (2,))],
)  # fmt: skip
def test_rules_stand_in_the_buckets_of_their_points_and_kinds(
    point: str, kind: str | None, rules: set[int], limits: tuple[int, ...]
) -> None:
    bucket = load_text(POLICY).require_program().bucket(point, kind)
    assert bucket is not None
    assert bucket.limits == limits

    class Unknown:
        """A moment of which nothing is known: every indexed rule is a candidate."""

        def __getattr__(self, name: str) -> Any:
            raise Undecided(name)

    assert set(bucket.dispatch(Unknown())) == rules


def test_a_point_without_rules_has_no_bucket() -> None:
    assert load_text(POLICY).require_program().bucket("after_round", None) is None
