"""Compile a checked policy to a Program: specs of its rules, and one indexed bucket per (point, tool kind).

A reload compiles only what changed: declarations that are the same objects keep their number, spec and place in the
index; the few that are new are indexed beside it, and those that are gone are left out of its answers. When that
becomes a noticeable part, everything is numbered and indexed anew.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from policy_engine.checker import tree
from policy_engine.compiler.emit import Emitter
from policy_engine.compiler.history_forms import Monitors, Scope
from policy_engine.compiler.index import build_index
from policy_engine.compiler.keys import Keys, rule_keys
from policy_engine.compiler.retained import Retained, spec_of, waivers_of
from policy_engine.compiler.rules import Spec, Waivers, code_of, mode_spec, verify_spec
from policy_engine.evaluators.base import Bucket, LayeredBucket, Program, joined
from policy_engine.history.watch import watched
from policy_engine.model.event import CARRYING, TOOL_KINDS, TOOL_POINTS
from policy_engine.model.layers import REPOSITORY, prefix
from policy_engine.runtime.completion import NAME as COMPLETION_BUDGET
from policy_engine.runtime.names import names
from policy_engine.runtime.observing import FACT
from policy_engine.state.sealed import FORMAT

Declaration = tree.CheckedRule | tree.CheckedLimit | tree.CheckedHook
Layers = Sequence[tuple[str, tree.CheckedPolicy]]
Place = tuple[str, str]
Part = tuple[str, tree.CheckedPolicy, Scope, dict[str, Waivers]]
FEW = 100  # changed declarations that are indexed beside the rest
PART = 20  # or one in so many, if that is more
_OF_SESSION = re.compile(r"e\.(?:history|session|todos|open_todos|goal_|plan_|usage_|round_|diff_|result_unproven)")


def source_digest(sources: Iterable[tuple[str, bytes]]) -> str:
    """`sha256:…` over the names and digests of every file of a set, in name order."""
    lines = [digest.hex().encode() + b" " + name.encode("utf-8", "surrogateescape") for name, digest in sorted(sources)]
    return "sha256:" + sha256(b"%d\n%s" % (FORMAT, b"\0".join(lines))).hexdigest()


def compile_policy(policy: tree.CheckedPolicy, digest: str, compiled: Compilation | None = None) -> Program:
    """Compile; the checked policy must be free of errors. `compiled` carries what an earlier call worked out."""
    return (compiled or Compilation()).program(((REPOSITORY, policy),), digest)


class Compilation:
    """Numbers, specs and index of the declarations of one policy set, from one compilation to the next."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self.emitter = Emitter(Monitors())
        self.names = names()
        self.specs: list[Spec] = []
        self.keys: dict[int, Keys] = {}  # of the rules among them
        self.places: list[tuple[Place, ...]] = []
        self.numbers: dict[int, tuple[Declaration, Waivers, int]] = {}
        self.indexed: frozenset[int] = frozenset()
        self.buckets: dict[Place, Bucket] = {}

    def program(self, layers: Layers, digest: str, retained: Retained | None = None) -> Program:
        """Return the Program of all layers, the strongest first, from as much of the last one as is still true.

        `retained` is what a session keeps in force of the layers with which it began.
        """
        parts = _parts(layers, retained)
        current = self._number(parts)
        gone, new = self.indexed - current, current - self.indexed
        if not self.indexed or len(gone) + len(new) > max(FEW, len(current) // PART):
            if gone:
                self._start()
                current = self._number(parts)
            self.indexed, self.buckets = current, self._index(sorted(current))
            buckets = self.buckets
        else:
            buckets = self._layered(gone, sorted(new))
        modes, verifies = self._modes_and_verifies(parts)
        monitors = self.emitter.monitors
        limits = any(policy.limits for _, policy, _, _ in parts)
        return Program(
            digest,
            len(self.specs),
            self.specs.__getitem__,
            buckets,
            monitors.specs(),
            monitors.digest(),
            monitors.index(),
            modes,
            monitors.facts() | self._fields(current),
            bool(modes or verifies or limits or any(bucket.uses_session for bucket in buckets.values())),
            tuple(number for number in sorted(current) if _backs_off(self.specs[number])),
            self._budgets(layers, retained),
            watched(monitors.specs(), _noise(retained.layers if retained is not None else layers, monitors)),
            verifies,
            self.names,
            retained.owners() if retained is not None else (),
        )

    def _fields(self, numbers: Iterable[int]) -> frozenset[str]:
        """Return the kinds of facts behind the fields that the rules read, and whether hooks answer later."""
        specs = [self.specs[number] for number in numbers]
        unproven = any("e.result_unproven" in text for spec in specs for text in code_of(spec).values())
        found = {"tests": unproven, FACT: any(map(_observes, specs))}
        return frozenset(name for name, asked in found.items() if asked)

    def _modes_and_verifies(self, parts: Sequence[Part]) -> tuple[tuple[Spec, ...], tuple[Spec, ...]]:
        self.emitter.of_shell = True
        modes: list[Spec] = []
        verifies: list[Spec] = []
        for _, policy, scope, _ in parts:
            self.emitter.monitors.scope = scope
            modes += [mode_spec(mode, self.emitter) for mode in policy.modes]
            verifies += [verify_spec(one, self.emitter) for one in policy.verifies]
        return tuple(modes), tuple(verifies)

    def _number(self, parts: Sequence[Part]) -> frozenset[int]:
        """Give every declaration a number; those that are new get a spec as well."""
        known, self.numbers = self.numbers, {}
        for _, policy, scope, waivers in parts:
            hooks = sorted(policy.hooks, key=lambda hook: hook.order)
            declarations: tuple[Declaration, ...] = (*policy.rules, *policy.limits, *hooks)
            for declaration in declarations:
                own = waivers.get(declaration.id, ())
                before = known.get(id(declaration))
                if before is None or before[0] is not declaration or before[1] != own:
                    self.emitter.monitors.scope = scope
                    before = (declaration, own, self._add(declaration, own))
                self.numbers[id(declaration)] = before
        return frozenset(number for _, _, number in self.numbers.values())

    def _add(self, declaration: Declaration, waivers: Waivers) -> int:
        emitter, number = self.emitter, len(self.specs)
        spec = spec_of(declaration, waivers, emitter)
        if isinstance(declaration, tree.CheckedRule):
            self.keys[number] = rule_keys(declaration, emitter)
        places = dict.fromkeys(place for listen in declaration.listens for place in _places(listen))
        restated = isinstance(declaration, tree.CheckedLimit) and declaration.id == COMPLETION_BUDGET
        self.specs.append(spec)
        self.places.append(() if restated else tuple(places))
        return number

    def _budgets(self, layers: Layers, retained: Retained | None) -> tuple[tuple[str, int], ...]:
        """(layer, number of the limit by which it restates `completion-budget`, or -1), for every layer with rules.

        The weakest layer is always there: it counts what the engine itself refuses, too. A layer whose budget is
        retained has two.
        """
        budgets: dict[tuple[str, int], None] = {}
        for layer, policy in (*layers, *(retained.layers if retained is not None else ())):
            restated = next((limit for limit in policy.limits if limit.id == COMPLETION_BUDGET), None)
            if policy.rules or policy.limits or policy.hooks or policy.verifies:
                number = self.numbers.get(id(restated))  # none: it is the same in the present layer
                if restated is None or number is not None:
                    budgets[layer, number[2] if number is not None else -1] = None
        if all(layer != REPOSITORY for layer, _ in budgets):
            budgets[REPOSITORY, -1] = None
        return tuple(budgets)

    def _index(self, numbers: list[int]) -> dict[Place, Bucket]:
        """One bucket per place; places with the same rules share it."""
        where: dict[Place, list[int]] = defaultdict(list)
        for number in numbers:
            for place in self.places[number]:
                where[place].append(number)
        made: dict[tuple[int, ...], Bucket] = {}
        for filed in where.values():
            same = tuple(filed)
            if same not in made:
                made[same] = self._bucket(same)
        return {place: made[tuple(filed)] for place, filed in where.items()}

    def _bucket(self, numbers: tuple[int, ...]) -> Bucket:
        kinds = {number: self.specs[number][1] for number in numbers}
        index = build_index([(number, self.keys[number]) for number in numbers if number in self.keys])
        limits = tuple(number for number in numbers if kinds[number] == "limit")
        hooks = tuple(number for number in numbers if kinds[number] == "hook")
        uses = bool(limits) or any(_uses_session(self.specs[number]) for number in numbers)
        return Bucket(index.source, index.tables, limits, hooks, uses, self.names)

    def _layered(self, gone: frozenset[int], new: list[int]) -> dict[Place, Bucket]:
        """Return the indexed buckets without what is gone, with what is new beside them."""
        buckets = dict(self.buckets)
        beside = self._index(new)
        empty = Bucket("def dispatch(e):\n    return []\n", {}, (), (), False, self.names)
        for place in {place for number in gone for place in self.places[number]} | beside.keys():
            buckets[place] = LayeredBucket(self.buckets.get(place, empty), beside.get(place, empty), gone)
        return buckets


def _parts(layers: Layers, retained: Retained | None) -> list[Part]:
    """Return the layers with the scope and the waivers of each, and after them what is retained."""
    here = {layer: Scope(prefix(layer), declares=prefix(layer)) for layer, _ in layers}
    parts = [(layer, policy, here[layer], waivers_of(layer, layers, here.__getitem__)) for layer, policy in layers]
    return [*parts, *(retained.parts() if retained is not None else ())]


def _noise(layers: Layers, monitors: Monitors) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the glob that is defined as `noise`: folders that no snapshot looks at.

    The strongest layer that asks what was written has its way: a weaker one must not hide writes from it.
    """
    for layer, policy in layers:
        values = [define.value for define in policy.defines if define.name == tree.NOISE]
        for value in values:
            if isinstance(value, tree.Constant) and isinstance(value.value, tree.GlobPattern):
                return value.value.include, value.value.exclude
        if monitors.writes_asked(prefix(layer)):
            break
    return None


def _uses_session(spec: Spec) -> bool:
    """Return whether a rule reads what earlier events left behind."""
    return spec[10] is not None or any(map(_OF_SESSION.search, code_of(spec).values()))


def _observes(spec: Spec) -> bool:
    """Return whether it is a hook whose command only observes."""
    extra: Any = spec[-2]
    return spec[1] == "hook" and bool(extra[0] and extra[3])


def _backs_off(spec: Spec) -> bool:
    effect = spec[10]
    return isinstance(effect, tuple) and bool(effect[2])


def _places(listen: tree.Listen) -> list[Place]:
    """Return the buckets of one `on` clause; a quoted tool name may be of any kind.

    Calls of some kinds may carry a command: then the rules for shells listen too, and both share a bucket.
    """
    if listen.point not in TOOL_POINTS:
        return [(listen.point, "")]
    kinds = listen.kinds if listen.kinds and not listen.names else tuple(sorted(TOOL_KINDS))
    both = [(kind, "shell") for kind in CARRYING if kind in kinds or "shell" in kinds]
    return [(listen.point, joined(some)) for some in (*((kind,) for kind in kinds), *both)]
