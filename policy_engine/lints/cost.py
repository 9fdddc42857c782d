"""cost: a condition that does much work for one event

Quantifiers within quantifiers try every pair of elements, three deep every triple. A predicate of the filesystem
within a quantifier looks at the disk once for each element: once at the end of the run that is right, at every call of
a tool over everything that has changed, or for every pair, it is slow exactly when the work is large.

Avoid:

```policy
language 1
rule no-leftovers "No leftover breakpoints" {
  on after_tool
  when any f in changed("src/**") { content_contains(f, "breakpoint()") }
  warn "A breakpoint is left in {f}."
}
```

Prefer:

```policy
language 1
rule no-leftovers "No leftover breakpoints" {
  on before_completion
  when any f in changed("src/**") { content_contains(f, "breakpoint()") }
  warn "A breakpoint is left in {f}."
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.analysis.conditions import conditions, parts
from policy_engine.checker.tree import Changed, Expr, Place, PredicateCall, Quantified, Variable
from policy_engine.lints.base import Context, Finding, Lint

_DEEP = 3
_EACH_CALL = ("before_tool", "after_tool", "before_permission", "after_round")


def _run(context: Context) -> Iterator[Finding]:
    seen = set[Place]()
    for condition in conditions(context.policy):
        each_call = any(listen.point in _EACH_CALL for listen in condition.listens)
        for finding in _costly(condition.expr, (), each_call):
            if finding.place not in seen:
                seen.add(finding.place)
                yield finding


def _costly(node: Expr, around: tuple[Quantified, ...], each_call: bool) -> Iterator[Finding]:
    if isinstance(node, PredicateCall):
        often = [one for one in around if _names(node, one.binding)]
        long = each_call and any(isinstance(one.source, Changed) for one in often)
        if long or len(often) > 1:
            names = " and ".join(f"`{one.variable}`" for one in often)
            message = f"`{node.function}` looks at the disk once for each {names}{' at every call' if long else ''}"
            yield Finding(node.place, message, "ask at `before_completion`, or narrow the list with `where`")
        return
    if isinstance(node, Quantified):
        around = (*around, node)
        if len(around) == _DEEP:
            names = ", ".join(f"`{one.variable}`" for one in around)
            message = f"every combination of {names} is tried"
            yield Finding(around[0].place, message, "split the rule, or narrow the outer lists with `where`")
    for part in parts(node):
        yield from _costly(part, around, each_call)


def _names(node: Expr, binding: int) -> bool:
    if isinstance(node, Variable):
        return node.binding == binding
    return any(_names(part, binding) for part in parts(node))


LINT = Lint("cost", "a condition that does much work for one event", "note", _run)
