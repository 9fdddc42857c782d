"""unreachable-step: a step of a limit that its count never reaches

The count of a window holds a bounded number of events; a limit that is reset by what it counts never gets past one;
and after a `stop` the run is over, so that a higher step of the same limit only speaks in a later run, if at all.

Avoid:

```policy
language 1
limit tool-budget "Tool budget" {
  on before_tool
  counts called("Bash")
  at 100 stop budget_exceeded "A hundred commands are enough. A person takes over."
  at 200 remind "Two hundred commands: come to an end."
}
```

Prefer:

```policy
language 1
limit tool-budget "Tool budget" {
  on before_tool
  counts called("Bash")
  at 50 remind "Fifty commands: come to an end."
  at 100 stop budget_exceeded "A hundred commands are enough. A person takes over."
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.analysis.terms import atoms_key, key
from policy_engine.checker.tree import CheckedLimit, Happened, LimitStep
from policy_engine.lints.base import Context, Finding, Lint
from policy_engine.model.limits import WINDOW_EVENTS


def _run(context: Context) -> Iterator[Finding]:
    for limit in context.policy.limits:
        stop: LimitStep | None = None
        for step in sorted(limit.steps, key=lambda item: item.count):
            problem = _problem(limit, step)
            if problem:
                yield Finding(step.place, f"`{limit.id}` never reaches {step.count}", problem)
            elif stop is not None and not step.every and step.count > stop.count:
                message = f"`{limit.id}` stops the run at {stop.count}, before it reaches {step.count}"
                advice = "put the `stop` at the highest count"
                yield Finding(step.place, message, advice, related=(("the run stops here", stop.place),))
            if step.verdict == "stop" and stop is None:
                stop = step


def _problem(limit: CheckedLimit, step: LimitStep) -> str:
    if (limit.within or limit.rounds) and step.count > WINDOW_EVENTS:
        return f"a window remembers at most WINDOW_EVENTS ({WINDOW_EVENTS}) events"
    if step.count > 1 and _resets_itself(limit):
        return "what is counted also resets the count"
    return ""


def _resets_itself(limit: CheckedLimit) -> bool:
    if limit.reset is None:
        return False
    if limit.condition is not None:
        return key(limit.condition, {}) == key(limit.reset, {})
    happened = isinstance(limit.reset, Happened) and bool(limit.atoms)
    return happened and atoms_key(limit.atoms, {}) == key(limit.reset, {})


LINT = Lint("unreachable-step", "a step of a limit that its count never reaches", "warning", _run)
