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

from policy_engine.analysis.conditions import atoms, below, conditions, violations
from policy_engine.analysis.covering import Covering
from policy_engine.analysis.examples import example
from policy_engine.analysis.formula import Form
from policy_engine.analysis.order import form_implies
from policy_engine.analysis.speaking import is_stronger
from policy_engine.checker.tree import CheckedPolicy, CheckedRule
from policy_engine.lints.base import REFUSING, Context, Finding, Lint


def _run(context: Context) -> Iterator[Finding]:
    known = context.once(violations)
    aside = _set_aside(context.policy)
    rules = [rule for rule in context.policy.rules if _enforced(rule) and rule.id not in aside]
    forms = {number: form for number, rule in enumerate(rules) if (form := known.get(rule.id))}
    index = Covering(forms)
    for number, form in forms.items():
        rule = rules[number]
        for other in index.candidates(number):
            stronger = rules[other]
            if not _outspeaks(stronger, rule) or not form_implies(form, forms[other]):
                continue
            if other > number and _outspeaks(rule, stronger) and form_implies(forms[other], form):
                continue  # two rules that say the same: the later one is named
            yield _finding(rule, stronger, form)
            break


def _finding(rule: CheckedRule, stronger: CheckedRule, form: Form) -> Finding:
    message = f"`{rule.id}` never changes a decision: wherever it speaks, `{stronger.id}` says `{stronger.verdict}` too"
    advice = f"delete it, or narrow `{stronger.id}`"
    shown = example(form[0])
    witness = f"both speak for: {shown}" if shown else ""
    return Finding(rule.place, message, advice, witness, (("the rule that speaks too", stronger.place),))


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


def _outspeaks(stronger: CheckedRule, rule: CheckedRule) -> bool:
    """Detect whether the verdict counts as much at every point of the rule, and no advice is lost."""
    advice = rule.verdict not in REFUSING and stronger.verdict not in REFUSING
    return is_stronger(stronger, rule) and (not advice or (rule.message is None and rule.title == stronger.title))


LINT = Lint("shadowed-rule", "a rule that never changes a decision", "warning", _run)
