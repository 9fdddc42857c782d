"""Hooks run in order after the rules, while nothing refuses; what they do not say clearly is undecided."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.decision import Decision
from policy_engine.runtime.external import Hooks
from tests.unit.compiler.asking import event


def decided(policy: str, raw: dict[str, Any] | None = None, **callables: Any) -> Decision:
    made = Engine.from_text(
        f"language 1\n{policy}", home="/home/user", filesystem=lambda workspace: Virtual(), hooks=Hooks(callables)
    )
    return made.decide(raw or event())


def spoken(decision: Decision) -> list[tuple[str, str, str]]:
    return [(one.rule, one.outcome, one.verdict) for one in decision.rules]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (None, []),
        (True, []),
        (False, [("h", "violated", "deny")]),
        (("ask", "really?"), [("h", "violated", "ask")]),
        ("yes", [("h", "undecided", "deny")]),
        (("maybe", "x"), [("h", "undecided", "deny")]),
        (3, [("h", "undecided", "deny")]),
    ],
)
def test_a_callable_answers_or_is_undecided(answer: Any, expected: list[tuple[str, str, str]]) -> None:
    assert spoken(decided("hook h { on before_tool call it }", it=lambda raw: answer)) == expected


def test_a_callable_sees_the_event_with_the_content_and_paths_that_rules_read() -> None:
    seen: list[Any] = []
    decided("hook h { on before_tool call it }", it=seen.append)
    assert [{**one, "content": None, "paths": None} for one in seen] == [{**event(), "content": None, "paths": None}]


@pytest.mark.parametrize(
    ("kind", "args", "content", "paths"),
    [
        ("write", {"file_path": "a", "content": "x"}, "x", ["/w/a"]),
        ("edit", {"file_path": "a", "old_string": "k", "new_string": "x"}, "x", ["/w/a"]),
        ("shell", {"command": "echo x > a"}, None, ["/w/a"]),
        ("shell", {"command": "./program > $OUT"}, None, None),
        ("read", {"file_path": "a"}, None, ["/w/a"]),
    ],
)
def test_content_and_paths_are_the_same_whatever_the_host_calls_its_arguments(
    kind: str, args: dict[str, Any], content: str | None, paths: list[str] | None
) -> None:
    seen: list[Any] = []
    raw = {**event(), "cwd": "/w", "workspace": "/w", "tool": {"name": "T", "kind": kind, "args": args}}
    decided("hook h { on before_tool call it }", raw, it=seen.append)
    assert (seen[0]["content"] or "").strip() == (content or "")
    assert (seen[0]["paths"] and [path["real"] for path in seen[0]["paths"]]) == paths


@pytest.mark.parametrize(("interactive", "expected"), [(True, ["deny", "ask"]), (False, ["ask"])])
def test_a_question_that_nobody_can_answer_refuses_before_any_hook(interactive: bool, expected: list[str]) -> None:
    policy = "rule a { on before_tool ask } hook h { on before_tool call it }"
    decision = decided(policy, {**event(), "host": {"interactive": interactive}}, it=lambda raw: False)
    assert decision.verdict == "deny"
    assert [one.verdict for one in decision.rules] == expected


def test_a_callable_that_raises_is_undecided() -> None:
    def it(raw: Any) -> Any:
        raise ValueError("boom")

    assert spoken(decided("hook h { on before_tool call it }", it=it)) == [("h", "undecided", "deny")]
    (told,) = decided("hook h { on before_tool call it fail open }", it=it).rules
    assert (told.verdict, told.undecided) == ("warn", ("`it` raised ValueError: boom",))


def test_what_a_callable_does_to_its_event_stays_with_it() -> None:
    seen = []
    policy = "hook a { on before_tool call spoil } hook b { on before_tool call look }"
    decided(policy, spoil=lambda raw: raw["tool"].clear(), look=seen.append)
    assert [one["tool"] for one in seen] == [event()["tool"]]


@pytest.mark.parametrize("answer", [False, ("ask", "no"), "nonsense"])
def test_a_refusal_is_reported_where_the_point_cannot_refuse(answer: Any) -> None:
    policy = "language 1\nhook a { on after_tool call a } hook b { on after_tool call b }"
    asked = []
    made = Engine.from_text(policy, hooks=Hooks({"a": lambda raw: answer, "b": asked.append}))
    told = made.decide(event("after_tool", result={"ok": True}))
    assert (told.verdict, [one.verdict for one in told.rules], len(asked)) == ("warn", ["warn"], 1)


def test_hooks_stop_at_the_first_refusal() -> None:
    asked = []

    def it(name: str, answer: bool) -> Any:
        return lambda raw: asked.append(name) or answer

    policy = "\n".join(
        f"hook {name} {{ on before_tool call {name} priority {rank} }}" for rank, name in enumerate("cba")
    )
    decision = decided(policy, a=it("a", True), b=it("b", False), c=it("c", True))
    assert asked == ["a", "b"]
    assert spoken(decision) == [("b", "violated", "deny")]


def test_no_hook_runs_once_a_rule_has_refused() -> None:
    asked: list[Any] = []
    policy = "rule r { on before_tool deny } hook h { on before_tool call it }"
    assert spoken(decided(policy, it=asked.append)) == [("r", "violated", "deny")]
    assert asked == []


def test_an_observer_is_heard_and_never_refuses() -> None:
    assert spoken(decided("hook h { on before_tool call it observe }", it=lambda raw: False)) == [
        ("h", "violated", "warn")
    ]


@pytest.mark.parametrize(("fail", "verdict"), [("", "deny"), ("fail closed", "deny"), ("fail open", "warn")])
def test_what_may_not_run_here_fails_in_the_declared_direction(fail: str, verdict: str) -> None:
    for how in ('run ["true"]', "call nobody"):
        assert spoken(decided(f"hook h {{ on before_tool {how} {fail} }}")) == [("h", "undecided", verdict)]


def test_a_hook_has_a_scope_like_a_rule() -> None:
    policy = 'hook h {{ on before_tool when tool.name {} "Write" call it }}'
    assert spoken(decided(policy.format("!="), it=lambda raw: False)) == []
    assert spoken(decided(policy.format("=="), it=lambda raw: False)) == [("h", "violated", "deny")]
    assert spoken(decided("hook h { on before_tool when git.clean call it }", it=lambda raw: True)) == [
        ("h", "undecided", "deny")
    ]
