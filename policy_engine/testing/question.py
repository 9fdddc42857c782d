"""Ask an expression of the language about an event: a rule more in the text of a policy, whose defines it may use.

The rule is read, checked and compiled as any other, so that an answer is what a rule would see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from policy_engine import bootstrap
from policy_engine.checker.tree import CheckedRule, Expr, Has
from policy_engine.deciding import TryingEngine
from policy_engine.loading.loader import Loaded, load
from policy_engine.loading.reloader import Reloader
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.event import TOOL_POINTS, Event
from policy_engine.model.types import BOOL
from policy_engine.runtime.explanation import Explained
from policy_engine.runtime.external import Hooks, nobody
from policy_engine.runtime.session import MemorySessions
from policy_engine.testing.trials import trial_of

ASKED = "asked-here"
_RULE = (
    '\n\ndefine {name} = {expression}\n\nrule {name} "asked" {{\n  on {spot}\n  fail open\n  remind "{{{name}}}"\n}}\n'
)


def ask(program: str, file: str, text: str, expression: str, event: Event) -> tuple[Loaded, CheckedRule]:
    """Return a policy set with a rule whose `when` is the expression, or asks whether its value is there.

    Args:
        program: the policy file, or the folder of them.
        file: the path of the one in which the expression is taken to stand.
        text: of that file.
        expression: as a person types it.
        event: where the rule listens.

    Raises:
        ConfigurationError: it is no expression, or not one that can be asked there.
    """
    kinds = ", ".join(event.tool_kinds)
    spot = f"{event.hook}({kinds})" if kinds and event.hook in TOOL_POINTS else event.hook
    asking = _RULE.format(name=ASKED, expression=" ".join(expression.split()), spot=spot)
    loaded = load([program], unsaved={file: (text + asking).encode()})
    for error in loaded.errors:
        raise ConfigurationError("; ".join(filter(None, (error.message, error.help))))
    policy = loaded.policy
    assert policy is not None
    [rule] = [one for one in policy.rules if one.id == ASKED]
    parts = rule.message.parts if rule.message is not None else ()
    if len(parts) != 1 or not isinstance(parts[0], Expr):
        raise ConfigurationError("an expression is asked, such as `tool.name` or `any c in commands { … }`")
    asked = parts[0]
    when = asked if asked.type is BOOL else Has(asked.place, BOOL, asked)
    rule = replace(rule, when=when, message=None)
    others = tuple(one for one in policy.rules if one.id != ASKED)
    return replace(loaded, policy=replace(policy, rules=(*others, rule))), rule


def is_value(when: Expr | None) -> bool:
    """Return whether a condition only asks whether there is a value, which is what was asked for."""
    return isinstance(when, Has) and not when.place.text.startswith("has ")


def explained(loaded: Loaded, rule: str, events: Sequence[Any]) -> Explained | None:
    """Decide the events of a session by a checked set, and return what a rule came to at the last; None if it does not
    listen there. No hook runs.
    """
    assert loaded.policy is not None
    trial = trial_of(loaded.policy, loaded.digest)
    reloader = Reloader.fixed(bootstrap.adapt(replace(loaded, program=trial.program)))
    engine = TryingEngine(reloader, MemorySessions(), hooks=Hooks({}, nobody, bootstrap.stage_runner()))
    *earlier, last = events
    for event in earlier:
        engine.decide(event)
    return next(
        iter(engine.explain(last, lambda event: frozenset((rule,)).intersection(trial.listening(event)))[1]), None
    )
