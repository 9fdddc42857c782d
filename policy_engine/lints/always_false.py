"""always-false: a condition that can never be true

Parts of the condition exclude each other, so it never holds: a rule with such a `when` never speaks, a requirement of
this sort can never be met. Only what is certain is reported. `true` and `false` in a define are settings: nothing is
assumed of them.

Avoid:

```policy
language 1
rule large "Large changes" { on before_completion when diff.lines > 500 and diff.lines < 100 warn "Split the change." }
```

Prefer:

```policy
language 1
rule large "Large changes" { on before_completion when diff.lines > 100 and diff.lines < 500 warn "Split the change." }
```

A rule whose clauses exclude each other is reported as well: `unless` that always holds where `when` does.
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.analysis.conditions import called, violations
from policy_engine.analysis.constants import constant_parts, proof_text
from policy_engine.analysis.formula import Form, TooLarge, both
from policy_engine.analysis.theory import Conflict, impossible
from policy_engine.checker.tree import CheckedRule
from policy_engine.lints.base import Context, Finding, Lint, shorten


def _run(context: Context) -> Iterator[Finding]:
    parts = context.once(constant_parts)
    for part in parts:
        if not part.value:
            text = shorten(part.expr.place.text)
            yield Finding(part.expr.place, f"`{text}` can never be true", witness=proof_text(part.proof))
    constant = {id(part.condition.item) for part in parts}
    forms = context.once(violations)
    for rule in context.policy.rules:
        proof = _silent(rule, forms) if id(rule) not in constant else None
        if proof is not None:
            advice = f"of `{_clauses(rule)}` one is always the opposite of what the rule needs"
            yield Finding(rule.place, f"`{rule.id}` can never be violated", advice, proof_text(proof))


def _silent(rule: CheckedRule, forms: dict[str, Form]) -> Conflict | None:
    """Return why the rule's clauses never come together; None if they may."""
    if sum(clause is not None for clause in (rule.when, rule.unless, rule.require)) < 2 or rule.id not in forms:
        return None
    some = rule.when or rule.unless or rule.require
    assert some is not None
    try:
        return impossible(both([called(rule.listens, some), forms[rule.id]]))
    except TooLarge:
        return None


def _clauses(rule: CheckedRule) -> str:
    clauses = {"when": rule.when, "unless": rule.unless, "require": rule.require}
    return "`, `".join(word for word, clause in clauses.items() if clause is not None)


LINT = Lint("always-false", "a condition that can never be true", "warning", _run)
