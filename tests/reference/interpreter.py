"""Checked policy and the whole list of past events → verdict, stop reason, and who spoke; naive, by definition.

No index, no generated code, no monitors. Shared with the engine is only what is tested elsewhere: worlds and globs, the
shell's parser and patterns, the facts and paths of one event, predicates, digests.
"""

from __future__ import annotations

from itertools import chain
from types import SimpleNamespace
from typing import Any, NamedTuple

from policy_engine.checker import tree
from policy_engine.effects.granted import is_granted, is_named_tool, searches_only
from policy_engine.filesystem.file_system import FileSystem
from policy_engine.history.facts import facts_of, refusals
from policy_engine.history.tool_calls import call_paths
from policy_engine.model.event import Event, parse_time
from policy_engine.model.ladder import RANK, stop_order
from policy_engine.model.limits import COMPLETION_BUDGET
from policy_engine.model.undecided import ABSENT, Undecided
from tests.reference.conditions import Conditions, Truth, conjunction, negation
from tests.reference.fields import DAY, WORDS, needed, plain

COMPLETIONS = ("before_completion", "subagent_completion")
WAIVING = {"builtin/": ("organisation/", "user/")}  # whose rules who else may waive
Said = tuple[str, str, str, str]  # id, outcome, verdict, stop reason


class Answer(NamedTuple):
    """`rules`, `waived`, `shadow` and `approved` are sets of (id, outcome, verdict)."""

    verdict: str
    stop_reason: str | None
    rules: frozenset[Any]
    waived: frozenset[Any]
    shadow: frozenset[Any]
    approved: frozenset[Any] = frozenset()


def cycles(keys: list[Any], period: int) -> int:
    """How often the last block of at most `period` keys stands at the end in a row."""
    best = 0
    for size in range(1, min(period, len(keys)) + 1):
        count = 1
        while keys[-size * (count + 1) :][:size] == keys[-size:] and size * (count + 1) <= len(keys):
            count += 1
        best = max(best, count)
    return best


def united(node: tree.Expr | None) -> tuple[tree.Atom, ...]:
    """The atoms of `A` and `A or B`, where a limit asks what happens now."""
    if isinstance(node, tree.Happened):
        return node.atoms
    parts = [united(part) for part in node.operands] if isinstance(node, tree.Or) else []
    return tuple(chain(*parts)) if all(parts) else ()


def decide_layers(layers: list[tuple[str, Reference]], event: Event) -> Answer:
    """What several sets of policies say together: (what the ids begin with, the set), the strongest first.

    Each judges for itself; hooks and the budget of completions also look at what stronger ones said.
    """
    reference = layers[-1][1]
    sorts: dict[str, list[Said]] = {"spoken": [], "waived": [], "shadow": [], "approved": []}
    own: dict[str, list[Said]] = {start: [] for start, _ in layers}

    def file(start: str, layer: Reference, rule: Any, said: Said) -> None:
        others = [other for name, other in layers if name in WAIVING.get(start, ())]
        may = [layer, *(other for other in others if not other.declares(rule.id))]
        sort = (
            "waived"
            if any(other.waived(rule.id) for other in may)
            else "shadow"
            if getattr(rule, "shadow", False)
            else "approved"
            if getattr(rule, "approves", False)
            else "spoken"
        )
        sorts[sort].append((start + said[0], *said[1:]))
        if sort == "spoken":
            own[start].append(said)

    for _, layer in layers:
        layer.take_in(event)
    counted = [layer.limits() for _, layer in layers]
    for (start, layer), limits in zip(layers, counted, strict=True):
        for rule, said in chain(limits, layer.rules()):
            file(start, layer, rule, said)
    above: list[list[Said]] = []
    for start, layer in layers:
        above.append(own[start])
        for rule, said in layer.hooks(above):
            file(start, layer, rule, said)
    found = []
    for place, (_, layer) in enumerate(layers):
        down = [(name + said[0], *said[1:]) for name, _ in layers[: place + 1] for said in own[name]]
        found.append(layer.budget(down))
    for (start, layer), said in zip(layers, found, strict=True):
        own[start] += said
        sorts["spoken"] += [(start + one[0], *one[1:]) for one in said]
        layer.leave(own[start])
    spoken = sorts["spoken"]
    verdict = max((said[2] for said in spoken), key=RANK.__getitem__, default="allow")
    stops = sorted((stop_order(reason), rule, reason) for rule, _, word, reason in spoken if word == "stop")
    if sorts["waived"] or sorts["shadow"] or any(RANK[s[2]] >= RANK["ask"] or s[1] == "undecided" for s in spoken):
        sorts["approved"] = []
    if verdict == "ask" and reference.event.host_interactive is False:
        verdict = "deny"
    return Answer(
        verdict, stops[0][2] if stops else None, *(frozenset(said[:3] for said in some) for some in sorts.values())
    )


class Reference(Conditions):
    """One session under one policy. `past` holds an event with its agent and its facts, each with its time."""

    def __init__(self, policy: tree.CheckedPolicy, filesystem: FileSystem) -> None:
        self.policy, self.filesystem = policy, filesystem
        self.past: list[SimpleNamespace] = []
        self.counted: dict[str, list[SimpleNamespace]] = {limit.id: [] for limit in policy.limits}
        self.steered: dict[str, list[tuple[str, Truth, Truth, int]]] = {mode.id: [] for mode in policy.modes}
        self.refused: dict[str, list[set[str]]] = {}
        self.counting = False
        self.of_shell = True

    def decide(self, event: Event) -> Answer:
        return decide_layers([("", self)], event)

    def take_in(self, event: Event) -> None:
        """Facts and modes come before anything is said."""
        self.event = event
        self.of_shell = True
        self.agent = "main" if event.agent_kind == "main" else f"{event.agent_kind}/{event.agent_name}"
        call = (event.tool_id, event.id, (event.result or {}).get("status")) if event.hook == "after_tool" else None
        self.replayed = call is not None and all(call[:2]) and any(call == past.call for past in self.past)
        self.now = SimpleNamespace(
            event=event, agent=self.agent, call=call, number=len(self.past), filesystem=self.filesystem, facts=[]
        )
        self.past.append(self.now)
        if not self.replayed:
            self.enter(facts_of(event, self.filesystem, self.line()), 0)
        self.steer()

    def leave(self, spoken: list[Said]) -> None:
        """What the layer itself refused is a fact of the event."""
        if not self.replayed:
            self.enter(refusals(self.event, {said[0] for said in spoken if RANK[said[2]] >= RANK["ask"]}), 2)

    # ---- who speaks ------------------------------------------------------------------------------------------------

    def listens(self, rule: Any) -> bool:
        kinds, name = set(self.event.tool_kinds), self.event.tool_name
        here = [listen for listen in rule.listens if listen.point == self.event.hook]
        self.of_shell = any("shell" in one.kinds or not (one.kinds or one.names) for one in rule.listens)
        return any(not (one.kinds or one.names) or kinds & set(one.kinds) or name in one.names for one in here)

    def scope(self, rule: Any) -> Truth:
        when = True if rule.when is None else self.truth(rule.when, {})
        unless = False if rule.unless is None else self.truth(rule.unless, {})
        return conjunction([when, negation(unless)])

    def speaks(self, rule: Any) -> Truth:
        return self.speaking(lambda: self.scope(rule))

    def counts(self, condition: tree.Expr) -> bool:
        return bool(needed(self.speaking(lambda: self.truth(condition, {}))))

    def resets(self, condition: tree.Expr) -> bool:
        return bool(needed(self.surely(lambda: self.truth(condition, {}))))

    def violation(self, rule: Any) -> Truth:
        require = False if rule.require is None else self.truth(rule.require, {})
        return conjunction([self.scope(rule), negation(require)])

    def unknown(self, rule: Any, verdict: str) -> tuple[Any, Said]:
        if rule.fail == "open" or (rule.fail == "ask" and RANK[verdict or "warn"] < RANK["ask"]):
            verdict = "warn"
        elif rule.fail == "ask":
            verdict = "ask"
        elif verdict == "stop":
            verdict = "deny" if "deny" in WORDS.points[self.event.hook].verdicts else "warn"
        return rule, (rule.id, "undecided", verdict or "warn", "")

    def rules(self) -> Any:
        for rule in filter(self.listens, self.policy.rules):
            if rule.approves:
                truth = self.surely(lambda rule=rule: self.scope(rule))
                if truth and not rule.shadow and self.event.carried is None and self.is_granted(rule):
                    yield rule, (rule.id, "violated", "allow", "")
                continue
            truth = self.speaking(lambda rule=rule: self.violation(rule))
            if truth is None:
                yield self.unknown(rule, rule.verdict)
            elif truth and rule.verdict:
                yield rule, (rule.id, "violated", rule.verdict, rule.reason)

    def is_granted(self, rule: Any) -> bool:
        event, kind = self.event, self.event.tool_kind
        proved = any(kind in listen.kinds for listen in rule.listens)
        if event.tool_args is None or (proved and kind == "read"):
            return proved
        if proved and kind == "shell":
            return is_granted(event.tool_args, self.field("commands"))
        try:
            return (searches_only if proved else is_named_tool)(
                event, call_paths(event, self.filesystem), self.filesystem
            )
        except Undecided:
            return False

    def hooks(self, spoken: list[list[Said]]) -> Any:
        """Nothing that a hook names may run in these tests: it is undecided, unless something refused already, in this
        layer or a stronger one."""
        for hook in filter(self.listens, sorted(self.policy.hooks, key=lambda hook: hook.order)):
            refusing = RANK["ask" if self.event.host_interactive is False else "deny"]  # where nobody can answer
            if all(RANK[said[2]] < refusing for some in spoken for said in some) and self.speaks(hook) is not False:
                _, (name, outcome, verdict, reason) = self.unknown(hook, "deny")
                reported = hook.observe or "deny" not in WORDS.points[self.event.hook].verdicts
                yield hook, (name, outcome, "warn" if reported else verdict, reason)

    def declares(self, name: str) -> bool:
        return any(one.id == name for one in (*self.policy.rules, *self.policy.limits))

    def waived(self, rule: str) -> bool:
        today = [
            waiver for waiver in self.policy.waivers
            if waiver.rule == rule and needed(self.event.time) < parse_time(f"{waiver.until}T00:00:00Z") + DAY
        ]  # fmt: skip
        return any(
            waiver.when is None or self.surely(lambda when=waiver.when: self.truth(when, {})) for waiver in today
        )

    # ---- limits, modes, the budget of completions ------------------------------------------------------------------

    def limits(self) -> Any:
        """All count this event before any count is known: they see each other's counts as they were before it."""
        found: list[tuple[Any, Said]] = []
        self.counting = True
        for limit in filter(self.listens, self.policy.limits):
            scope = self.speaks(limit)
            if limit.id == "completion-budget" or scope is False:
                continue
            try:
                step = self.step(limit, self.count(limit) if scope else needed(None))
                if step is not None:
                    found.append((limit, (limit.id, "violated", step.verdict, step.reason)))
            except Undecided:
                strictest = max((step.verdict for step in limit.steps), key=RANK.__getitem__)
                found.append(self.unknown(limit, strictest))
        self.counting = False
        return found

    def step(self, limit: tree.CheckedLimit, count: int) -> tree.LimitStep | None:
        """The highest step that is reached; `at every` wins at one count."""
        reached = [step for step in limit.steps if count >= step.count and not (step.every and count % step.count)]
        return max(reached, key=lambda step: (step.count, step.every), default=None)

    def count(self, limit: tree.CheckedLimit) -> int:
        key = [plain(self.raw(part, {})) for part in limit.key]
        happens = self.happens(limit.atoms) if limit.atoms else limit.condition and self.counts(limit.condition)
        resets = united(limit.reset)
        reset = self.happens(resets) if resets else limit.reset is not None and self.resets(limit.reset)
        time, rounds = needed(self.event.time), self.rounds(self.agent, self.now.number)
        own = [entry for entry in self.counted[limit.id] if entry.agent == self.agent]
        now = SimpleNamespace(agent=self.agent, key=key, happens=happens, time=time, rounds=rounds, at=self.now.number)
        self.counted[limit.id].append(now)
        if limit.measure == "repeats":
            now.reset = reset
            since = max((place for place, entry in enumerate([*own, now], 1) if entry.reset), default=0)
            now.count = cycles([entry.key for entry in [*own, now][since:]], limit.period)
            return int(now.count)
        same = [entry for entry in [*own, now] if entry.key == key]
        without_key = all(value in ([], (type(ABSENT), ABSENT), (type(None), None)) for value in key)
        for entry in ([*own, now] if without_key else same) if reset else ():
            entry.happens = False
        now.count = self.inside(limit, [entry for entry in same if entry.happens])
        return int(now.count)

    def happens(self, atoms: tuple[tree.Atom, ...]) -> bool:
        """Whether the event at hand proves one of the atoms."""
        seen = [word for atom in atoms for at, word, _ in self.meanings(atom, {}) if at // 4 == self.now.number]
        return True if "yes" in seen else needed(None) if "maybe" in seen else False

    def steer(self) -> None:
        """Every mode sees every event, and the other modes as they were before it."""
        answers = []
        for mode in self.policy.modes:
            enter = self.truth(mode.enter, {})
            answers.append((enter, negation(enter) if mode.exit is None else self.truth(mode.exit, {})))
        for mode, (enter, leave) in zip(self.policy.modes, answers, strict=True):
            self.steered[mode.id].append((self.agent, enter, leave, self.rounds(self.agent, self.now.number)))

    def mode(self, name: str) -> bool:
        mode = next(mode for mode in self.policy.modes if mode.id == name)
        on, entered, leaving = False, 0, -1
        for _, enter, leave, rounds in [step for step in self.steered[name] if step[0] == self.agent]:
            if not on:
                on, entered, leaving = enter is True, rounds, -1
            elif leave is not None:
                leaving = -1 if not leave else rounds if leaving < 0 else leaving
                on = not (leave and rounds - leaving >= mode.dwell and rounds - entered >= mode.lock)
        return on

    def budget(self, spoken: list[Said]) -> list[Said]:
        """`completion-budget`: refusals in a row since the unmet set was last smaller than ever before. `spoken` is of
        this layer and the stronger ones."""
        unmet = {said[0] for said in spoken if RANK[said[2]] >= RANK["ask"]}
        sets = self.refused.setdefault(self.agent, [])
        if self.event.hook == "prompt" or (self.event.hook in COMPLETIONS and not unmet):
            sets.clear()
        if self.event.hook not in COMPLETIONS or not unmet or any(said[2] == "stop" for said in spoken):
            return []
        sets.append(unmet)
        smallest, count = sets[0], 0
        for one in sets:
            smallest, count = (one, 1) if one < smallest else (smallest, count + 1)
        own = next((limit for limit in self.policy.limits if limit.id == "completion-budget"), None)
        if own is None:
            stop = ("completion-budget", "violated", "stop", "accept_continue_exhausted")
            return [stop] if count > COMPLETION_BUDGET else []
        step = self.step(own, count)
        return [(own.id, "violated", step.verdict, step.reason)] if step else []
