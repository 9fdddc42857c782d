"""Checked policy → Program: specs of its rules, and one indexed bucket per (point, tool kind)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from hashlib import sha256

from policy_engine.checker import tree
from policy_engine.compiler.emit import Emitter
from policy_engine.compiler.history_forms import Monitors, MonitorSpec
from policy_engine.compiler.index import Index, build_index
from policy_engine.compiler.keys import Keys, rule_keys
from policy_engine.compiler.rules import Spec, hook_spec, limit_spec, mode_spec, rule_spec
from policy_engine.evaluators.base import FORMAT, Bucket, Program
from policy_engine.history.monitors import monitor_index
from policy_engine.model.event import TOOL_KINDS, TOOL_POINTS
from policy_engine.runtime.completion import NAME as COMPLETION_BUDGET
from policy_engine.runtime.names import names

Declaration = tree.CheckedRule | tree.CheckedLimit | tree.CheckedHook


def source_digest(sources: Iterable[tuple[str, bytes]]) -> str:
    """`sha256:…` over the names and bytes of every file of a set, in name order."""
    total = sha256(str(FORMAT).encode())
    for name, data in sorted(sources):
        for part in (name.encode("utf-8", "surrogateescape"), data):
            total.update(len(part).to_bytes(8, "big"))
            total.update(part)
    return "sha256:" + total.hexdigest()


def compile_policy(policy: tree.CheckedPolicy, digest: str) -> Program:
    """Compile; the checked policy must be free of errors."""
    return _Compilation(policy).program(digest)


class _Compilation:
    """The numbering of rules and monitors during one compilation."""

    def __init__(self, policy: tree.CheckedPolicy) -> None:
        self.policy = policy
        self.emitter = Emitter(Monitors())
        self.specs: list[Spec] = []
        self.keys: list[Keys] = []
        self.budget = -1
        self.where: dict[tuple[str, str], list[int]] = defaultdict(list)

    def program(self, digest: str) -> Program:
        policy, emitter = self.policy, self.emitter
        for rule in sorted(policy.rules, key=lambda rule: rule.id):
            self._add(rule, rule_spec(rule, policy.waivers, emitter))
        for limit in sorted(policy.limits, key=lambda limit: limit.id):
            self._add(limit, limit_spec(limit, policy.waivers, emitter))
        for hook in sorted(policy.hooks, key=lambda hook: hook.order):
            self._add(hook, hook_spec(hook, policy.waivers, emitter))
        modes = tuple(mode_spec(mode, emitter) for mode in policy.modes)
        specs, common = self.specs, names()
        buckets = self._buckets(common)
        stateful = bool(modes or policy.limits or any(bucket.uses_session for bucket in buckets.values()))
        monitors = emitter.monitors.specs()
        return Program(
            digest,
            len(specs),
            specs.__getitem__,
            buckets,
            monitors,
            _monitor_digest(monitors),
            monitor_index(monitors),
            modes,
            emitter.monitors.facts(),
            stateful,
            tuple(number for number, spec in enumerate(specs) if _backs_off(spec)),
            self.budget,
            common,
        )

    def _add(self, declaration: Declaration, spec: Spec) -> None:
        number = len(self.specs)
        if declaration.id == COMPLETION_BUDGET and isinstance(declaration, tree.CheckedLimit):
            self.budget = number
        self.specs.append(spec)
        self.keys.append(rule_keys(declaration, self.emitter) if isinstance(declaration, tree.CheckedRule) else {})
        if self.budget != number:
            for place in {place for listen in declaration.listens for place in _places(listen)}:
                self.where[place].append(number)

    def _buckets(self, common: dict[str, object]) -> dict[tuple[str, str], Bucket]:
        made: dict[tuple[int, ...], Bucket] = {}
        buckets = {}
        for place, numbers in self.where.items():
            same = tuple(numbers)
            if same not in made:
                made[same] = self._bucket(same, common)
            buckets[place] = made[same]
        return buckets

    def _bucket(self, numbers: tuple[int, ...], common: dict[str, object]) -> Bucket:
        kinds = {number: self.specs[number][1] for number in numbers}
        index: Index = build_index([(number, self.keys[number]) for number in numbers if kinds[number] == "rule"])
        limits = tuple(number for number in numbers if kinds[number] == "limit")
        hooks = tuple(number for number in numbers if kinds[number] == "hook")
        uses = bool(limits) or any(_uses_session(self.specs[number]) for number in numbers)
        return Bucket(index.source, index.tables, limits, hooks, uses, common)


def _monitor_digest(monitors: tuple[MonitorSpec, ...]) -> str:
    return sha256("".join(sorted(spec[0] for spec in monitors)).encode()).hexdigest()[:24]


_SESSION_FIELDS = ("e.history", "e.session", "e.todos", "e.open_todos", "e.goal_", "e.plan_")


def _uses_session(spec: Spec) -> bool:
    """Whether a rule reads what earlier events left behind."""
    code = spec[-1]
    assert isinstance(code, dict)
    return spec[10] is not None or any(word in str(part) for part in code.values() for word in _SESSION_FIELDS)


def _backs_off(spec: Spec) -> bool:
    effect = spec[10]
    return isinstance(effect, tuple) and bool(effect[2])


def _places(listen: tree.Listen) -> list[tuple[str, str]]:
    """The buckets of one `on` clause; a quoted tool name may be of any kind."""
    if listen.point not in TOOL_POINTS:
        return [(listen.point, "")]
    kinds = listen.kinds if listen.kinds and not listen.names else tuple(TOOL_KINDS)
    return [(listen.point, kind) for kind in kinds]
