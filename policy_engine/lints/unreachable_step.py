"""unreachable-step: a step of a limit that its count never reaches

A limit counts at the points that it listens to: what only the result of a call makes true (`called`, `ran`, …) never
happens at `before_tool`. The count of a window holds a bounded number of events; a limit that is reset by what it
counts never gets past one; and after a `stop` the run is over, so that a higher step of the same limit only speaks in a
later run, if at all.

Avoid:

```policy
language 1
limit tool-budget "Tool budget" {
  on after_tool
  counts called("Bash")
  at 100 stop budget_exceeded "A hundred commands are enough. A person takes over."
  at 200 remind "Two hundred commands: come to an end."
}
```

Prefer:

```policy
language 1
limit tool-budget "Tool budget" {
  on after_tool
  counts called("Bash")
  at 50 remind "Fifty commands: come to an end."
  at 100 stop budget_exceeded "A hundred commands are enough. A person takes over."
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.analysis.limit_steps import why_never
from policy_engine.checker.tree import LimitStep
from policy_engine.lints.base import Context, Finding, Lint


def _run(context: Context) -> Iterator[Finding]:
    for limit in context.policy.limits:
        stop: LimitStep | None = None
        for step in sorted(limit.steps, key=lambda item: item.count):
            problem = why_never(limit, step)
            if problem:
                yield Finding(step.place, f"`{limit.id}` never reaches {step.count}", problem)
            elif stop is not None and not step.every and step.count > stop.count:
                message = f"`{limit.id}` stops the run at {stop.count}, before it reaches {step.count}"
                advice = "put the `stop` at the highest count"
                yield Finding(step.place, message, advice, related=(("the run stops here", stop.place),))
            if step.verdict == "stop" and stop is None:
                stop = step


LINT = Lint("unreachable-step", "a step of a limit that its count never reaches", "warning", _run)
