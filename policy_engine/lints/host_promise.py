"""host-promise: a rule that the coding agent cannot keep

Coding agents differ in what they report and heed. `policy check --host HOST` says where a rule would never be asked,
where its verdict takes no effect, and where it reads what the host never sends, so that it is undecided for ever.
Without `--host` nothing is said, for a policy may be meant for other hosts. The table of hosts tells what each can do.

Avoid:

```policy
language 1
rule agreed "Somebody agrees" { on before_tool(shell) when any c in commands { c.program == "rm" } ask "Remove it?" }
```

Prefer:

```policy
language 1
rule agreed "It stays" { on before_tool(shell) when any c in commands { c.program == "rm" } deny "It stays." }
```

`policy check --host droid` finds the first, for that host cannot ask. `ask` where a host knows none is a refusal,
`stop` one that lets the run go on: nothing is let through by it.
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.adapters.base import Adapter
from policy_engine.analysis.unsent import unsent
from policy_engine.checker import tree
from policy_engine.lints.base import Context, Finding, Lint

_OWN = {"before_verification": "before_tool", "after_verification": "after_tool", "before_stop": "before_completion"}


def _run(context: Context) -> Iterator[Finding]:
    host = context.host
    if host is None:
        return
    for rule in context.policy.rules:
        yield from _speaks(host, rule.id, rule.place, rule.listens, {rule.verdict} - {""})
        points = {each.point for each in host.capabilities.values() if "approves" in each.form}
        if rule.approves and points.isdisjoint(listen.point for listen in rule.listens):
            advice = f"it has one at `{min(points)}`" if points else _OTHER
            yield Finding(rule.place, f"`approve` has no effect on {host.name}: it asks as it would without", advice)
    for limit in context.policy.limits:
        yield from _speaks(host, limit.id, limit.place, limit.listens, {step.verdict for step in limit.steps})
    for hook in context.policy.hooks:
        yield from _speaks(host, hook.id, hook.place, hook.listens, set())
    for read in unsent(context.policy, (host,)):
        message = f"`{read.field}` may never come from {host.name}: {host.never_sends(read.field)}"
        empty = read.field in ("todos", "open_todos")
        yield Finding(read.place, message, "it counts as empty there" if empty else _UNKNOWN)


def _speaks(
    host: Adapter, name: str, place: tree.Place, listens: tuple[tree.Listen, ...], verdicts: set[str]
) -> Iterator[Finding]:
    registered = {event for event, _ in host.registration.events}
    for point in dict.fromkeys(listen.point for listen in listens):
        known = [
            each
            for native, each in host.capabilities.items()
            if native in registered and each.point == _OWN.get(point, point)
        ]
        if not known:
            yield Finding(place, f"{host.name} does not report `{point}`: `{name}` is never asked there", _OTHER)
        if not known or point in _OWN:
            continue
        for verdict in sorted(verdicts - {"allow", "warn"}):
            if not any(verdict in each.enforces for each in known):
                effect = "is only shown"
                if any(each.gate for each in known) and verdict in ("ask", "stop"):
                    effect = "refuses"
                yield Finding(place, f"`{verdict}` at `{point}` {effect} on {host.name}", _OTHER)


_UNKNOWN = "what is not known is undecided; ask about something that it sends"
_OTHER = "see the table of hosts for the points and verdicts that it knows"
LINT = Lint("host-promise", "a rule that the coding agent cannot keep", "warning", _run)
