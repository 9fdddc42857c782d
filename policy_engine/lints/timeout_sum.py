"""timeout-sum: hooks that together may take longer than the host waits

The hooks of one event run one after the other, and the coding agent waits for all of them together; when it stops
waiting, most agents go on as if nothing had been said. The sum of their timeouts is to stay below the host's limit,
which is 60 s unless a setting says otherwise; at a completion it is what `policy install` registers, an hour with most.
`observe` hooks are not waited for.

Avoid:

```policy
language 1
hook secret-scan "No secret leaves the editor" { on before_tool(write, edit) run ["gitleaks", "stdin"] timeout 40s }
hook format-check "Files are formatted" { on before_tool(write) run ["ruff", "format", "--check", "-"] timeout 30s }
```

Prefer:

```policy
language 1
hook secret-scan "No secret leaves the editor" { on before_tool(write, edit) run ["gitleaks", "stdin"] timeout 5s }
hook format-check "Files are formatted" { on before_tool(write) run ["ruff", "format", "--check", "-"] timeout 2s }
```

A hook that runs a program and names no timeout has the engine's, 10 s; one that calls Python and names none counts as
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.adapters.base import Adapter
from policy_engine.checker.tree import CheckedHook
from policy_engine.lints.base import Context, Finding, Lint
from policy_engine.model.family import members
from policy_engine.runtime.external import DEFAULT_TIMEOUT_MS

_ANY = ""  # a tool of no kind that a hook names


def _run(context: Context) -> Iterator[Finding]:
    blocking = [hook for hook in context.policy.hooks if not hook.observe]
    reported = set[frozenset[str]]()
    for point in sorted({listen.point for hook in blocking for listen in hook.listens}):
        for tool in _tools(blocking, point):
            together = [hook for hook in blocking if _hears(hook, point, tool)]
            total = sum(map(_longest, together))
            names = frozenset(hook.id for hook in together)
            if total <= context.host_timeout_ms or names in reported or total <= (limit := _limit(context, point)):
                continue
            reported.add(names)
            yield _finding(together, total, f"{point}({tool})" if tool else point, limit)


def _limit(context: Context, point: str) -> int:
    """Return how long the host waits at a point, in ms: longer where `policy install` registers it so, as a completion.

    Of several hosts, and none named, the shortest of such times.
    """
    hosts = [context.host] if context.host is not None else members("policy_engine.adapters", Adapter)
    longer = [
        host.registration.longer[native]
        for host in hosts
        for native, each in host.capabilities.items()
        if each.point == point and native in host.registration.longer
    ]
    return max(context.host_timeout_ms, 1000 * min(longer, default=0))


def _tools(hooks: list[CheckedHook], point: str) -> list[str]:
    """Return every tool kind and name that a hook of the point names, and one that none does."""
    listens = [listen for hook in hooks for listen in hook.listens if listen.point == point]
    return [_ANY, *sorted({tool for listen in listens for tool in (*listen.kinds, *listen.names)})]


def _hears(hook: CheckedHook, point: str, tool: str) -> bool:
    for listen in hook.listens:
        everything = not listen.kinds and not listen.names
        if listen.point == point and (everything or tool in listen.kinds or tool in listen.names):
            return True
    return False


def _longest(hook: CheckedHook) -> int:
    """Return how long the hook may take, in ms."""
    return hook.timeout or (DEFAULT_TIMEOUT_MS if hook.argv else 0)


def _finding(hooks: list[CheckedHook], total: int, where: str, limit: int) -> Finding:
    message = f"the hooks of `{where}` may take {_seconds(total)} together, and the host waits {_seconds(limit)}"
    longest = max(hooks, key=_longest)
    shown = " + ".join(f"{hook.id} {_seconds(_longest(hook))}" for hook in hooks)
    related = tuple(
        (f"`{hook.id}` may take {_seconds(_longest(hook))}", hook.place) for hook in hooks if hook is not longest
    )
    return Finding(longest.place, message, f"shorten `{longest.id}`, or let it `observe`", shown, related)


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds // 1000} s" if milliseconds % 1000 == 0 else f"{milliseconds} ms"


LINT = Lint("timeout-sum", "hooks that together may take longer than the host waits", "warning", _run)
