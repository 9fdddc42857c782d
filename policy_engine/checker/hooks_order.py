"""Order hooks by `before`, `after` and `priority`, or report a cycle.

`before` and `after` bind; among hooks that may come next the higher priority comes first, then the id, so that the
order is total and does not depend on files.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import heapify, heappop, heappush

from policy_engine.checker import messages
from policy_engine.checker.tree import CheckedHook
from policy_engine.model.diagnostic import Diagnostic


def ordered(hooks: list[CheckedHook]) -> tuple[tuple[CheckedHook, ...], list[Diagnostic]]:
    """Return the hooks with `order` filled in, first to last; hooks of a cycle come at the end, in id order."""
    by_id = {hook.id: hook for hook in hooks}
    later: dict[str, set[str]] = {name: set() for name in by_id}
    for hook in by_id.values():
        for name in hook.before:
            if name in by_id:
                later[hook.id].add(name)
        for name in hook.after:
            if name in by_id:
                later[name].add(hook.id)
    waiting = dict.fromkeys(by_id, 0)
    for names in later.values():
        for name in names:
            waiting[name] += 1
    ready = [(-by_id[name].priority, name) for name, count in waiting.items() if count == 0]
    heapify(ready)
    order: list[str] = []
    while ready:
        _, name = heappop(ready)
        order.append(name)
        for following in later[name]:
            waiting[following] -= 1
            if waiting[following] == 0:
                heappush(ready, (-by_id[following].priority, following))
    stuck = sorted(set(by_id) - set(order))
    diagnostics = [] if not stuck else [_cycle(stuck, later, by_id)]
    numbered = [replace(by_id[name], order=number) for number, name in enumerate((*order, *stuck))]
    return tuple(numbered), diagnostics


def _cycle(stuck: list[str], later: dict[str, set[str]], by_id: dict[str, CheckedHook]) -> Diagnostic:
    """One cycle among hooks that all wait: each of them has a stuck one before it, so walking back must repeat."""
    earlier: dict[str, list[str]] = {name: [] for name in stuck}
    for other in stuck:
        for name in later[other] & earlier.keys():
            earlier[name].append(other)
    path = [stuck[0]]
    seen: set[str] = set()
    while path[-1] not in seen:
        seen.add(path[-1])
        path.append(earlier[path[-1]][0])
    cycle = tuple(reversed(path[path.index(path[-1]) :]))
    return messages.hook_cycle(by_id[cycle[0]].place, cycle)
