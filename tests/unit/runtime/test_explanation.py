"""Explaining an event: the same decision, one explanation per rule that listens, and never a fault of its own."""

from __future__ import annotations

from policy_engine import bootstrap
from policy_engine.loading.loader import load_text
from policy_engine.loading.reloader import Reloader
from policy_engine.model.event import Event
from policy_engine.runtime.explanation import ExplainingEngine

POLICY = """\
language 1

rule shadowed "Only watched" {
  shadow
  on before_tool(shell)
  when any c in commands { c.program == "git" }
  deny "No git."
}

rule waived "Waived for now" {
  on before_tool(shell)
  when any c in commands { c.program == "git" }
  deny "No git."
}

rule broken-by-test "Breaks when it is explained" {
  on before_tool(shell)
  when any c in commands { c.program == "git" }
  warn "Git."
}

waive waived "the move to another system" {
  until 2026-12-31
  owner "dev"
}
"""
EVENT = {
    "hook": "before_tool",
    "session": "s",
    "id": "e-1",
    "time": "2026-11-20T10:00:00Z",
    "workspace": "/workspace",
    "cwd": "/workspace",
    "tool": {"name": "Bash", "kind": "shell", "args": {"command": "git push"}},
}


class _Engine(ExplainingEngine, bootstrap.Engine):
    """The user's Engine, able to explain."""


def _engine() -> _Engine:
    return _Engine(Reloader.fixed(bootstrap.adapt(load_text(POLICY))))


def _all(_event: Event) -> frozenset[str]:
    return frozenset(("shadowed", "waived", "broken-by-test"))


def test_waived_and_shadow_rules_are_explained_apart() -> None:
    decision, explained = _engine().explain(EVENT, _all)
    assert decision.verdict == "warn"
    assert [(item.rule.id, item.outcome, item.where) for item in explained] == [
        ("broken-by-test", "violated", "rules"),
        ("shadowed", "violated", "shadow"),
        ("waived", "violated", "waived"),
    ]


def test_explaining_decides_as_deciding_does() -> None:
    explained, _ = _engine().explain(EVENT, _all)
    assert explained.to_dict() == _engine().decide(EVENT).to_dict()


def test_a_fault_while_explaining_is_shown_and_changes_nothing() -> None:
    engine = _engine()
    rules = {engine.program.rule(number).id: engine.program.rule(number) for number in range(engine.program.rules)}

    def trace(_moment: object) -> object:
        raise ZeroDivisionError("x")

    rules["shadowed"]._made["trace"] = trace
    decision, explained = engine.explain(EVENT, _all)
    assert decision.verdict == "warn"
    shown = next(item for item in explained if item.rule.id == "shadowed")
    assert shown.clauses[0][1].reasons == ("internal error: ZeroDivisionError: x",)


def test_an_event_that_cannot_be_read_has_no_explanation() -> None:
    decision, explained = _engine().explain({"hook": "before_tool"}, _all)
    assert (decision.verdict, explained) == ("deny", ())
