"""weakening-step: a limit that grows milder as its count grows

Only the highest step that is reached gives its verdict. A higher step with a lower verdict therefore takes back what
the lower step refused: one more repetition, and the call passes.

Avoid:

```policy
language 1
limit same-call "Same call again" {
  on before_tool
  repeats (tool.name, tool.args)
  at 3 deny "Three times the same. Do something else."
  at 5 warn "Five times the same call."
}
```

Prefer:

```policy
language 1
limit same-call "Same call again" {
  on before_tool
  repeats (tool.name, tool.args)
  at 3 warn "Three times the same call."
  at 5 deny "Five times the same. Do something else."
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.checker.tree import LimitStep
from policy_engine.lints.base import Context, Finding, Lint
from policy_engine.model.ladder import RANK


def _run(context: Context) -> Iterator[Finding]:
    for limit in context.policy.limits:
        strictest: LimitStep | None = None
        for step in (one for one in limit.steps if not one.every):
            if strictest is not None and strictest.verdict != "stop" and RANK[step.verdict] < RANK[strictest.verdict]:
                message = f"from {step.count} on `{limit.id}` only gives `{step.verdict}`, after `{strictest.verdict}`"
                related = ((f"`{strictest.verdict}` from {strictest.count} on", strictest.place),)
                yield Finding(
                    step.place, message, "the highest step reached speaks: let verdicts rise", related=related
                )
            if strictest is None or RANK[step.verdict] >= RANK[strictest.verdict]:
                strictest = step


LINT = Lint("weakening-step", "a limit that grows milder as its count grows", "warning", _run)
