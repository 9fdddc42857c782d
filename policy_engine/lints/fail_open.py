"""fail-open: a refusing rule that lets pass what it cannot decide

`fail open` makes a rule that asks, denies or stops give way to `warn` whenever something it needs cannot be known: a
line that does not parse, a file that cannot be read, a field the host did not send. Whoever can cause that is past the
rule. The default of such a rule is `fail closed`.

Avoid:

```policy
language 1
rule no-curl "No download" {
  on before_tool(shell)
  when any c in commands { c.program == "curl" }
  deny "Do not download. Ask a person for the file."
  fail open
}
```

Prefer:

```policy
language 1
rule no-curl "No download" {
  on before_tool(shell)
  when any c in commands { c.program == "curl" }
  deny "Do not download. Ask a person for the file."
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.checker.tree import Place
from policy_engine.lints.base import REFUSING, Context, Finding, Lint


def _run(context: Context) -> Iterator[Finding]:
    for rule in context.policy.rules:
        if rule.verdict in REFUSING and rule.fail == "open":
            yield _finding(rule.id, rule.verdict, rule.place)
    for limit in context.policy.limits:
        strictest = next((step.verdict for step in limit.steps if step.verdict in REFUSING), "")
        if strictest and limit.fail == "open":
            yield _finding(limit.id, strictest, limit.place)


def _finding(name: str, verdict: str, place: Place) -> Finding:
    message = f"`{name}` gives `{verdict}`, and only warns about what it cannot decide"
    help = "leave out `fail open`: an event that it cannot decide is refused; `fail ask` lets a person decide"
    return Finding(place, message, help)


LINT = Lint("fail-open", "a refusing rule that lets pass what it cannot decide", "warning", _run)
