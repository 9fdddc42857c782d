"""contradicting-rules: rules that no agent can satisfy together

Two findings. A rule demands an action, and other rules certainly refuse every way to do it; or rules refuse
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
from dataclasses import replace

from policy_engine.analysis.conditions import silences, switches, violations
from policy_engine.analysis.cover import Cover, Speaking
from policy_engine.analysis.demands import Deed, demands
from policy_engine.analysis.formula import Form, Switches, TooLarge
from policy_engine.analysis.theory import impossible
from policy_engine.checker.tree import CheckedRule, Listen
from policy_engine.lints.base import Context, Finding, Lint

_ENDS = ("before_completion", "subagent_completion")
_FEW = 64  # completion rules of which each is compared with each
_REFUSING = ("deny", "stop")


def _run(context: Context) -> Iterator[Finding]:
    waived = {waiver.rule for waiver in context.policy.waivers}
    forms = context.once(violations)
    speaking = [
        (rule, forms[rule.id])
        for rule in context.policy.rules
        if rule.verdict in _REFUSING and not rule.shadow and rule.id not in waived and rule.id in forms
    ]
    yield from _refused_demands(speaking)
    for point in _ENDS:
        at_point = [one for one in speaking if any(listen.point == point for listen in one[0].listens)]
        yield from _opposites(at_point, point, context)


# ---- what is demanded is refused -----------------------------------------------------------------------------------


def _refused_demands(speaking: Speaking) -> Iterator[Finding]:
    cover = Cover([one for one in speaking if any(listen.point == "before_tool" for listen in one[0].listens)])
    for rule, _ in speaking:
        for deeds in demands(rule.require) if rule.require is not None else ():
            refusing = [cover.of_way(deed.clause, _always(rule, deed.listen)) for deed in deeds]
            if deeds and all(refusing):
                yield _refused(rule, deeds, [other for others in refusing for other in others])


def _always(rule: CheckedRule, listen: Listen) -> CheckedRule:
    """Return the rule that refuses whatever it is asked about at these points."""
    return replace(rule, listens=(listen,), verdict="deny", fail="open")


def _refused(rule: CheckedRule, deeds: list[Deed], refusing: list[CheckedRule]) -> Finding:
    assert rule.require is not None
    others = {other.id: other for other in refusing}
    shown = f"`{deeds[0].text or rule.require.place.text}`"
    names = _names(others)
    message = (
        f"`{rule.id}` demands {deeds[0].what} {shown}, which {names} always refuse{'s' if len(others) == 1 else ''}"
    )
    by_shell = deeds[0].is_of_path and any(
        listen.kinds and "shell" not in listen.kinds for other in refusing for listen in other.listens
    )
    related = tuple((f"`{name}` refuses it", other.place) for name, other in others.items())
    advice = f"let {names} allow what `{rule.id}` asks for, or drop the demand"
    if by_shell:
        advice = f"only another tool, such as the shell, is left: {advice}"
    return Finding(rule.require.place, message, advice, deeds[0].text, related, "note" if by_shell else "")


def _names(rules: dict[str, CheckedRule]) -> str:
    return ", ".join(f"`{name}`" for name in rules)


# ---- one of them always refuses ------------------------------------------------------------------------------------


def _opposites(speaking: Speaking, point: str, context: Context) -> Iterator[Finding]:
    known = context.once(switches)
    cover = Cover(speaking, [id(rule) for rule, _ in speaking] if len(speaking) <= _FEW else ())
    reported = set[frozenset[str]]()
    for rule, _ in speaking:
        form = _satisfied(rule, known)
        others = {other.id: other for other in cover.of_form(form, _always(rule, Listen(point, (), ())))}
        together = frozenset((rule.id, *others))
        if others and together not in reported:
            reported.add(together)
            yield _opposite(rule, others, point)


def _satisfied(rule: CheckedRule, known: Switches) -> Form:
    """Return the ways for the rule not to speak; none if it always does, or if they are too many to say anything."""
    try:
        silent = silences(rule, known)
    except TooLarge:
        return []
    return [] if impossible(silent) is not None else silent


def _opposite(rule: CheckedRule, others: dict[str, CheckedRule], point: str) -> Finding:
    *_, last = others.values()
    message = (
        f"{_names(others)} refuse{'s' if len(others) == 1 else ''} whatever `{rule.id}` lets through: "
        f"no event of `{point}` satisfies {'both' if len(others) == 1 else 'all'}"
    )
    advice = "say in each when it applies, so that one state of the work meets them together"
    return Finding(last.place, message, advice, related=((f"`{rule.id}` refuses all else", rule.place),))


LINT = Lint("contradicting-rules", "rules that no agent can satisfy together", "warning", _run)
