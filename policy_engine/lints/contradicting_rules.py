"""contradicting-rules: rules that no agent can satisfy together

Two findings. A rule demands an action, and other rules certainly refuse every way to do it; or two rules refuse
completion so that one of them always speaks. Either way the agent turns in circles until the completion budget is
spent. Only what is certain is reported: a refusal that depends on anything else than the action itself does not count.

Avoid:

```policy
language 1
rule tests-pass "Tests pass" {
  on before_completion
  require command_success("pytest -*") since wrote("src/**")
  deny "The tests did not run after the last change. Run them."
}
rule no-pytest "The test runner is slow" {
  on before_tool(shell)
  when any c in commands { c.program == "pytest" }
  deny "Do not run pytest. Leave it to the pipeline."
}
```

Prefer:

```policy
language 1
rule tests-pass "Tests pass" {
  on before_completion
  require command_success("pytest -*") since wrote("src/**")
  deny "The tests did not run after the last change. Run them."
}
rule no-slow-tests "Slow tests are for the pipeline" {
  on before_tool(shell)
  when any c in commands { c matches "pytest --slow ..." }
  deny "Do not run the slow tests. Leave them to the pipeline."
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from policy_engine.analysis.conditions import silences, switches, violations
from policy_engine.analysis.demands import Deed, demands
from policy_engine.analysis.denials import Denials
from policy_engine.analysis.formula import Form, Switches, TooLarge, both
from policy_engine.analysis.theory import impossible
from policy_engine.checker.tree import CheckedRule
from policy_engine.lints.base import Context, Finding, Lint

_ENDS = ("before_completion", "subagent_completion")
_PAIRS = 5000  # pairs of completion rules that are compared
_REFUSING = ("deny", "stop")


def _run(context: Context) -> Iterator[Finding]:
    known = switches(context.policy)
    waived = {waiver.rule for waiver in context.policy.waivers}
    rules = [
        rule for rule in context.policy.rules if rule.verdict in _REFUSING and not rule.shadow and rule.id not in waived
    ]
    forms = context.once(violations)
    yield from _refused_demands(rules, forms)
    yield from _opposites([rule for rule in rules if rule.id in forms], known)


# ---- what is demanded is refused -----------------------------------------------------------------------------------


def _refused_demands(rules: list[CheckedRule], forms: dict[str, Form]) -> Iterator[Finding]:
    denials = Denials([(rule.id, rule.listens, forms[rule.id]) for rule in rules if rule.id in forms])
    by_id = {rule.id: rule for rule in rules}
    for rule in rules:
        for deeds in demands(rule.require) if rule.require is not None else ():
            refusing = [denials.refusing(deed, rule.id) for deed in deeds]
            refused = [by_id[name] for name in refusing if name is not None]
            if deeds and len(refused) == len(deeds):
                yield _refused(rule, deeds, refused)


def _refused(rule: CheckedRule, deeds: list[Deed], refusing: list[CheckedRule]) -> Finding:
    assert rule.require is not None
    others = list(dict.fromkeys(other.id for other in refusing))
    shown = f"`{deeds[0].text or rule.require.place.text}`"
    names = ", ".join(f"`{name}`" for name in others)
    message = (
        f"`{rule.id}` demands {deeds[0].what} {shown}, which {names} always refuse{'s' if len(others) == 1 else ''}"
    )
    by_shell = deeds[0].glob is not None and any(
        listen.kinds and "shell" not in listen.kinds for other in refusing for listen in other.listens
    )
    related = tuple((f"`{other.id}` refuses it", other.place) for other in {r.id: r for r in refusing}.values())
    advice = f"let {names} allow what `{rule.id}` asks for, or drop the demand"
    if by_shell:
        advice = f"only another tool, such as the shell, is left: {advice}"
    return Finding(rule.require.place, message, advice, deeds[0].text, related, "note" if by_shell else "")


# ---- one of two always refuses -------------------------------------------------------------------------------------


def _opposites(rules: list[CheckedRule], known: Switches) -> Iterator[Finding]:
    for point in _ENDS:
        met: dict[str, list[tuple[CheckedRule, Form]]] = {}
        for rule in rules:
            if any(listen.point == point for listen in rule.listens):
                form = _satisfied(rule, known)
                for key in {literal.term.key for clause in form[:1] for literal in clause}:
                    met.setdefault(key, []).append((rule, form))
        seen = set[tuple[str, str]]()
        for sharing in met.values():
            for (one, first), (other, second) in combinations(sharing, 2):
                if (one.id, other.id) in seen:
                    continue
                seen.add((one.id, other.id))
                if len(seen) > _PAIRS:
                    return
                if _never_together(first, second):
                    yield _opposite(one, other, point)


def _satisfied(rule: CheckedRule, known: Switches) -> Form:
    """Return the ways for the rule not to speak; none if it always does, or if they are too many to say anything."""
    try:
        silent = silences(rule, known)
    except TooLarge:
        return []
    return [] if impossible(silent) is not None else silent


def _never_together(one: Form, other: Form) -> bool:
    try:
        return impossible(both([one, other])) is not None
    except TooLarge:
        return False


def _opposite(one: CheckedRule, other: CheckedRule, point: str) -> Finding:
    message = f"`{other.id}` refuses whatever `{one.id}` lets through: no event of `{point}` satisfies both"
    advice = "say in both when they apply, so that one state of the work meets them together"
    return Finding(other.place, message, advice, related=((f"`{one.id}` refuses all else", one.place),))


LINT = Lint("contradicting-rules", "rules that no agent can satisfy together", "warning", _run)
