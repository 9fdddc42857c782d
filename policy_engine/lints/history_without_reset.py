"""history-without-reset: evidence that never grows stale

A history atom alone means *at least once in this session* (for `command_success` the latest run). A requirement of this
sort is met for good by one run at the beginning, whatever changes afterwards. `since` says what makes the evidence
stale.

Avoid:

```policy
language 1
rule tests-pass "Tests pass" {
  on before_completion
  require command_success("pytest -*")
  deny "The tests have not passed. Run them."
}
```

Prefer:

```policy
language 1
rule tests-pass "Tests pass" {
  on before_completion
  require command_success("pytest -*") since wrote("src/**")
  deny "The tests have not passed since the last change. Run them."
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.analysis.conditions import below
from policy_engine.checker.tree import CheckedRule, Happened, Not
from policy_engine.lints.base import REFUSING, Context, Finding, Lint

_EVIDENCE = ("command_success", "ran", "read", "called")
_ENDS = ("before_completion", "subagent_completion")


def _run(context: Context) -> Iterator[Finding]:
    for rule in context.policy.rules:
        if rule.require is None or rule.verdict not in REFUSING or not _ends(rule):
            continue
        refuted = {id(node.operand) for node in below(rule.require) if isinstance(node, Not)}
        for node in below(rule.require):
            if isinstance(node, Happened) and node.atoms[0].kind in _EVIDENCE and id(node) not in refuted:
                text = " ".join(node.place.text.split())
                advice = f"say what makes it stale: `{text} since wrote(…)` or `… since prompted()`"
                yield Finding(node.place, f"`{text}` stays true to the end of the session", advice)


def _ends(rule: CheckedRule) -> bool:
    return any(listen.point in _ENDS for listen in rule.listens)


LINT = Lint("history-without-reset", "evidence that never grows stale", "note", _run)
