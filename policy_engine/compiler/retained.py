"""Compute what a session must retain of its first layers beside the current ones, so that nothing is weaker.

A declaration is retained if the present set has none of its name, or one that may say less. Two declarations are
compared by what they compile to: place, title and message may differ; a higher verdict, fewer waivers and more events
are no less. What a declaration refers to (modes, limits, refusals, stages) counts as part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from policy_engine.checker import tree
from policy_engine.compiler.emit import Emitter
from policy_engine.compiler.history_forms import Monitors, Scope
from policy_engine.compiler.rules import (
    Spec,
    Waivers,
    code_of,
    hook_spec,
    limit_spec,
    mode_spec,
    rule_spec,
    verify_spec,
)
from policy_engine.model.ladder import RANK
from policy_engine.model.layers import RETAINED, WAIVABLE_FROM, prefix

Declaration = tree.CheckedRule | tree.CheckedLimit | tree.CheckedHook | tree.CheckedMode | tree.CheckedVerify
Layers = Sequence[tuple[str, tree.CheckedPolicy]]
Key = tuple[str, str]  # sort and name
Scopes = Callable[[str], Scope]
FAILS = {"open": 0, "ask": 1, "closed": 2}


@dataclass(frozen=True, slots=True)
class Retained:
    """`layers` are those of the first set, the strongest first; `kept` says by layer what of them is retained.

    `gone` and `changed` are the ids of what speaks by itself and is not in the present set, or in another form.
    """

    layers: Layers
    kept: Mapping[str, frozenset[Key]]
    gone: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    def owners(self) -> tuple[tuple[str, str], ...]:
        """(sort, id) of everything whose state is kept by name (runtime/retained.py)."""
        owners = {(sort, prefix(layer) + name) for layer in self.kept for sort, name in self.renamed(layer)}
        return tuple(sorted(owners))

    def renamed(self, layer: str) -> frozenset[tuple[str, str]]:
        """Return the names that mean what is retained, for whoever refers to them from the first set."""
        policy = dict(self.layers)[layer]
        return _renamed(policy, self.kept.get(layer, frozenset()))

    def scope(self, layer: str, declares: str = "") -> Scope:
        return Scope(prefix(layer), self.renamed(layer), prefix(layer) + declares)

    def parts(self) -> list[tuple[str, tree.CheckedPolicy, Scope, dict[str, Waivers]]]:
        """Return what of each layer is retained, with its scope and waivers."""
        waivers = {layer: waivers_of(layer, self.layers, self.scope) for layer in self.kept}
        return [
            (layer, _only(policy, self.kept[layer]), self.scope(layer, RETAINED), waivers[layer])
            for layer, policy in self.layers
            if self.kept.get(layer)
        ]


def retained(present: Layers, before: Layers) -> Retained | None:
    """Return what of `before` is gone from `present` or may say less there; None if nothing is."""
    return _retained(present, before, _Meanings())


def compared(present: Layers, before: Layers) -> tuple[Retained | None, Retained | None]:
    """Return what of `before` is gone from `present`, and what of `present` was not in `before`."""
    meanings = _Meanings()
    return _retained(present, before, meanings), _retained(before, present, meanings)


def _retained(present: Layers, before: Layers, meanings: _Meanings) -> Retained | None:
    now = meanings.of(Retained(present, {}))
    result = Retained(before, {})
    while True:
        was = meanings.of(result)
        gone = {key for key, meaning in was.items() if key not in now or not _no_less(now[key], meaning)}
        kept: dict[str, frozenset[Key]] = {}
        for layer, _ in before:
            names = frozenset((sort, name) for at, sort, name in gone | _with_effects(gone, was) if at == layer)
            kept[layer] = names | result.kept.get(layer, frozenset())
        if kept == result.kept:
            break
        spoken = sorted((prefix(key[0]) + key[2], key in now) for key in gone if key[1] != "mode")
        changed, removed = (tuple(name for name, there in spoken if there is wanted) for wanted in (True, False))
        result = Retained(before, kept, removed, changed)  # what refers to it means something else by now
    return result if any(result.kept.values()) else None


@dataclass(frozen=True, slots=True)
class _Meaning:
    """The effect of a declaration. `same` must be equal, the others may only grow, `waivers` may only shrink."""

    same: tuple[object, ...]
    verdict: int
    fails: int
    enforced: bool
    places: frozenset[object]
    waivers: frozenset[object]
    effect: bool


def _no_less(now: _Meaning, was: _Meaning) -> bool:
    return (
        now.same == was.same
        and now.verdict >= was.verdict
        and now.fails >= was.fails
        and now.enforced >= was.enforced
        and now.places >= was.places
        and now.waivers <= was.waivers
    )


def _with_effects(
    gone: set[tuple[str, str, str]], was: dict[tuple[str, str, str], _Meaning]
) -> set[tuple[str, str, str]]:
    """Return every time budget of the layers in which one is retained: a layer gives the longest of them."""
    layers = {key[0] for key in gone if was[key].effect}
    return {key for key, meaning in was.items() if key[0] in layers and meaning.effect}


class _Meanings:
    """Works out what declarations mean, each once in a scope: sets that are compared share most of them."""

    def __init__(self) -> None:
        self._emitter = Emitter(Monitors())
        self._scopes: dict[Scope, int] = {}
        self._known: dict[tuple[object, ...], _Meaning] = {}

    def of(self, retained: Retained) -> dict[tuple[str, str, str], _Meaning]:
        """Return the meaning of every declaration by layer, sort and name, with what is retained named so."""
        meanings = {}
        for layer, policy in retained.layers:
            scope = retained.scope(layer)
            number = self._scopes.setdefault(scope, len(self._scopes))
            waivers = waivers_of(layer, retained.layers, retained.scope)
            for one in _declarations(policy):
                if isinstance(one, tree.CheckedRule) and one.approves:
                    continue  # nothing is weaker without it; what is new of it has no effect in a session (floor.py)
                own = waivers.get(one.id, ())
                key = (id(one), number, *((self._scopes.setdefault(at, len(self._scopes)), id(by)) for at, by in own))
                if key not in self._known:
                    self._emitter.monitors.scope = scope
                    self._known[key] = _meaning(one, own, self._emitter)
                meanings[layer, sort_of(one), one.id] = self._known[key]
        return meanings


def _meaning(one: Declaration, waivers: Waivers, emitter: Emitter) -> _Meaning:
    spec = spec_of(one, waivers, emitter)
    code, extra = code_of(spec), spec[12]
    assert isinstance(spec[11], tuple)
    if isinstance(one, tree.CheckedLimit):
        assert isinstance(extra, tuple)
        extra = (*extra[:-1], tuple(step[:-1] for step in extra[-1]))  # without their places
    elif isinstance(one, tree.CheckedHook):
        assert isinstance(extra, tuple)
        extra = extra[:-1]  # without its place among the others
    parts = tuple(sorted((name, text) for name, text in code.items() if name in _ENFORCED))
    listens = () if isinstance(one, tree.CheckedMode | tree.CheckedVerify) else one.listens
    places = {(listen.point, kind, name) for listen in listens for kind, name in _tools(listen)}
    exempt = {(until, code.get(part, "")) for until, part in spec[11]}
    verdict = RANK.get(str(spec[2]), -1)
    same = (spec[3] if spec[2] == "stop" else "", spec[10], repr(extra), parts)
    return _Meaning(
        same, verdict, FAILS[str(spec[5])], not spec[6], frozenset(places), frozenset(exempt), spec[10] is not None
    )


_ENFORCED = ("test", "key", "condition", "reset", "enter", "exit")


def _tools(listen: tree.Listen) -> Iterable[tuple[str, str]]:
    return [*((kind, "") for kind in listen.kinds), *(("", name) for name in listen.names)] or [("", "")]


def _declarations(policy: tree.CheckedPolicy) -> tuple[Declaration, ...]:
    return (*policy.rules, *policy.limits, *policy.hooks, *policy.modes, *policy.verifies)


def sort_of(one: Declaration) -> str:
    """Return the word of the language for what this declares."""
    match one:
        case tree.CheckedRule():
            return "rule"
        case tree.CheckedLimit():
            return "limit"
        case tree.CheckedHook():
            return "hook"
        case tree.CheckedMode():
            return "mode"
        case tree.CheckedVerify():
            return "verify"


def spec_of(one: Declaration, waivers: Waivers, emitter: Emitter) -> Spec:
    """Return what a declaration compiles to, in the scope of the emitter."""
    listens = () if isinstance(one, tree.CheckedMode | tree.CheckedVerify) else one.listens
    emitter.of_shell = not listens or any(map(_of_shell, listens))
    match one:
        case tree.CheckedRule():
            return rule_spec(one, waivers, emitter)
        case tree.CheckedLimit():
            return limit_spec(one, waivers, emitter)
        case tree.CheckedHook():
            return hook_spec(one, emitter)
        case tree.CheckedMode():
            return mode_spec(one, emitter)
        case tree.CheckedVerify():
            return verify_spec(one, emitter)


def _of_shell(listen: tree.Listen) -> bool:
    """Return whether shells are meant by an `on` clause; a tool that is named is meant as what it is by itself."""
    return "shell" in listen.kinds or not (listen.kinds or listen.names)


def _renamed(policy: tree.CheckedPolicy, keys: frozenset[Key]) -> frozenset[tuple[str, str]]:
    names = set()
    for one in _declarations(policy):
        sort = sort_of(one)
        if (sort, one.id) not in keys:
            continue
        if sort in ("limit", "mode"):
            names.add((sort, one.id))
        if sort != "mode":
            names.add(("refused", one.id))
        if isinstance(one, tree.CheckedVerify):
            names |= {("verified", name) for name in (one.id, *(stage.name for stage in one.stages))}
    return frozenset(names)


def _only(policy: tree.CheckedPolicy, keys: frozenset[Key]) -> tree.CheckedPolicy:
    return replace(
        policy,
        rules=tuple(one for one in policy.rules if ("rule", one.id) in keys),
        limits=tuple(one for one in policy.limits if ("limit", one.id) in keys),
        hooks=tuple(one for one in policy.hooks if ("hook", one.id) in keys),
        modes=tuple(one for one in policy.modes if ("mode", one.id) in keys),
        verifies=tuple(one for one in policy.verifies if ("verify", one.id) in keys),
    )


def waivers_of(layer: str, layers: Layers, scope: Scopes) -> dict[str, Waivers]:
    """Return, by rule, what waives it: the layer itself, and any other that may and does not mean a rule of its own."""
    waivers: dict[str, Waivers] = {}
    for other, policy in layers:
        if other == layer or other in WAIVABLE_FROM.get(layer, ()):
            own = {one.id for one in policy.rules} | {one.id for one in policy.limits}
            for waiver in policy.waivers:
                if other == layer or waiver.rule not in own:
                    waivers[waiver.rule] = (*waivers.get(waiver.rule, ()), (scope(other), waiver))
    return waivers
