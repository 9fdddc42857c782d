"""shadowed-rule: a rule that never changes a decision

Wherever the rule speaks, another one speaks too, at least as strictly: it listens to the same points and more, asks
for the same or less, and its verdict is the same or higher. As nothing can un-block, the rule adds nothing but its
message. What cannot be known is undecided for both.

Avoid:

```policy
language 1
rule no-push "No push" {
  on before_tool(shell)
  when any c in commands { c matches "git push ..." }
  deny "Do not push. Ask a person to do it."
}
rule no-mirror-push "No push to the mirror" {
  on before_tool(shell)
  when any c in commands { c matches "git push mirror ..." }
  deny "The mirror follows by itself. Ask a person to do it."
}
```

Prefer:

```policy
language 1
rule no-push "No push without a person" {
  on before_tool(shell)
  when any c in commands { c matches "git push ..." }
  ask "May this be pushed? Answer yes or no."
}
rule no-mirror-push "No push to the mirror" {
  on before_tool(shell)
  when any c in commands { c matches "git push mirror ..." }
  deny "The mirror follows by itself. Ask a person to do it."
}
```

Rules that are waived, in `shadow`, set a time budget or are named by `refused(…)` are left alone, and so is advice
(`warn`, `remind`) beside other advice, since every message of it is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from policy_engine.analysis.conditions import atoms, below, conditions, violations
from policy_engine.analysis.cover import Cover
from policy_engine.analysis.examples import example
from policy_engine.analysis.formula import Form
from policy_engine.checker.tree import CheckedPolicy, CheckedRule
from policy_engine.lints.base import REFUSING, Context, Finding, Lint


def _run(context: Context) -> Iterator[Finding]:
    forms = context.once(violations)
    aside = _set_aside(context.policy)
    rules = [rule for rule in context.policy.rules if _enforced(rule) and rule.id not in aside and forms.get(rule.id)]
    cover = Cover([(rule, forms[rule.id]) for rule in rules])
    named = set[str]()
    for rule in reversed(rules):  # of two rules that say the same the later one is named
        counts = partial(_counts, rule=rule, named=named)
        speaking = cover.of_form(forms[rule.id], rule, counts)
        if speaking:
            named.add(rule.id)
            yield _finding(rule, speaking, forms[rule.id])


def _counts(other: CheckedRule, rule: CheckedRule, named: set[str]) -> bool:
    """Detect whether what the other rule says makes up for the rule: no advice is lost."""
    if other is rule or other.id in named:
        return False
    advice = rule.verdict not in REFUSING and other.verdict not in REFUSING
    return not advice or (rule.message is None and rule.title == other.title)


def _finding(rule: CheckedRule, speaking: list[CheckedRule], form: Form) -> Finding:
    said = " or ".join(f"`{other.id}` says `{other.verdict}`" for other in speaking)
    message = f"`{rule.id}` never changes a decision: wherever it speaks, {said} too"
    advice = f"delete it, or narrow {' or '.join(f'`{other.id}`' for other in speaking)}"
    shown = example(form[0])
    witness = f"both speak for: {shown}" if shown else ""
    related = tuple(("the rule that speaks too", other.place) for other in speaking)
    return Finding(rule.place, message, advice, witness, related)


def _enforced(rule: CheckedRule) -> bool:
    return bool(rule.verdict) and not rule.shadow and rule.effect is None


def _set_aside(policy: CheckedPolicy) -> set[str]:
    """Rules that may be silent, or whose own refusal is asked for elsewhere."""
    names = {waiver.rule for waiver in policy.waivers}
    for condition in conditions(policy):
        for node in below(condition.expr):
            names.update(str(atom.pattern) for atom in atoms(node) if atom.kind == "refused")
    for limit in policy.limits:
        names.update(str(atom.pattern) for atom in limit.atoms if atom.kind == "refused")
    return names


LINT = Lint("shadowed-rule", "a rule that never changes a decision", "warning", _run)
