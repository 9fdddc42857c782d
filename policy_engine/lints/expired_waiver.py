"""expired-waiver: a waiver whose last day is over

A waiver is dated so that somebody looks again. After its last day, which still counts, in UTC, it waives nothing: the
rule speaks as before, and the waiver is dead text that looks like an exception.

Avoid:

```policy
language 1
rule no-push "No push" {
  on before_tool(shell)
  when any c in commands { c matches "git push ..." }
  deny "Do not push. Ask a person to do it."
}
waive no-push "release week" { until 2020-01-31 owner "dana" }
```

Prefer:

```policy
language 1
rule no-push "No push" {
  on before_tool(shell)
  when any c in commands { c matches "git push ..." }
  deny "Do not push. Ask a person to do it."
}
waive no-push "release week" { until 9999-01-31 owner "dana" }
```
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from policy_engine.checker.tree import CheckedWaiver
from policy_engine.lints.base import Context, Finding, Lint


def _run(context: Context) -> Iterator[Finding]:
    waivers: dict[object, list[CheckedWaiver]] = {}
    for waiver in context.policy.waivers:
        waivers.setdefault(waiver.place, []).append(waiver)
    for waiver, *others in waivers.values():
        until = date.fromisoformat(waiver.until)
        if until < context.today:
            days = (context.today - until).days
            ended = f"{waiver.until}, {days} day{'s' if days > 1 else ''} ago"
            waived = "every rule" if others else f"`{waiver.rule}`"
            message = f"the waiver of {waived} ended on {ended}"
            advice = f"delete it, or agree on a new day with {waiver.owner}"
            yield Finding(waiver.place, message, advice, fix="")  # it sets nothing aside any more


LINT = Lint("expired-waiver", "a waiver whose last day is over", "warning", _run)
