"""Two loaded policies: the sessions that tell them apart, each confirmed by the engine, and what was not decided.

What `analysis.comparison` proves is equal; of the rest `analysis.candidates` makes sessions, which are played on both
policies. Only a session that both engines decided differently is a difference. A suspect without one is *not decided*:
nothing is called equal because nothing was found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import chain, islice
from typing import Any, NamedTuple, cast

from policy_engine.analysis.candidates import Missed, Session, Step, repetitions, sessions, ways_past
from policy_engine.analysis.comparison import Pair, Speaker, Suspect, spoken_spots
from policy_engine.analysis.literals import Clause
from policy_engine.analysis.solver import Entails
from policy_engine.checker.tree import CheckedPolicy, CheckedRule, CheckedStep, Not, Place
from policy_engine.checker.vocabulary import vocabulary
from policy_engine.compiler.compiler import compile_policy
from policy_engine.evaluators.base import Program
from policy_engine.loading.layered import program_of
from policy_engine.loading.loader import Loaded
from policy_engine.model.decision import RuleResult
from policy_engine.model.event import CARRYING
from policy_engine.model.instant import time_text
from policy_engine.model.ladder import APPROVE, STRICTNESS
from policy_engine.model.layers import REPOSITORY, prefix
from policy_engine.model.source import Source, Span
from policy_engine.model.types import BOOL, TIME
from policy_engine.model.undecided import Undecided
from policy_engine.syntax.print_expressions import duration_text, string_text
from policy_engine.testing.probe import StepResult
from policy_engine.testing.scenario import EVENTLESS, play
from policy_engine.testing.stage import Stage
from policy_engine.testing.trials import Trial
from policy_engine.testing.where import Where
from policy_engine.testing.wording import strictest

OLD, NEW = "old", "new"
ALLOWED, WEAKER, REFUSED, STRICTER = "newly allowed", "weaker", "newly refused", "stricter"
UNASKED, ASKED = "newly allowed without a question", "newly left to the host to ask"
FEW = 40  # sessions that are tried in the order of their size
MORE = 10  # sessions that are tried for one that tells more than the one that was found
TRIES = 6  # searches for one session, each past what refused in those before
TIMES = frozenset(name for name, known in vocabulary().fields.items() if known.type == TIME)
REFUSING = 8  # rules that are looked at after each
Layers = Sequence[tuple[str, CheckedPolicy]]


class Costs(NamedTuple):
    """Costs of a literal of a way: what it adds to the place of a session among those that are tried."""

    true: int
    unknown: int
    false: int


CERTAIN, UNKNOWN = Costs(0, 1, 2), Costs(0, 0, 4)
HEARD = 2  # the cost of a rule that is to be silent and is not


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict of a step, and the rules that gave it."""

    verdict: str
    rules: tuple[RuleResult, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A session whose last step the two policies decide differently; `side` is the policy that has `item`."""

    point: str
    kind: str
    side: str
    item: Speaker
    steps: Session
    before: Answer
    after: Answer

    @property
    def direction(self) -> str:
        """Return what becomes of the step."""
        return direction(self.before.verdict, self.after.verdict)


def direction(before: str, after: str) -> str:
    """Return what becomes of a step by its two verdicts."""
    old, new = STRICTNESS[before], STRICTNESS[after]
    refuses = STRICTNESS["ask"]
    if APPROVE in (before, after) and max(old, new) < refuses:
        return UNASKED if new < old else ASKED
    if new < old:
        return ALLOWED if new < refuses <= old else WEAKER
    return REFUSED if old < refuses <= new else STRICTER


@dataclass(frozen=True, slots=True)
class Comparison:
    """`differences` are confirmed; `open` are the suspects, by side, point and kind, that were not decided; `equal` are
    the points and kinds at which something speaks and both were proved to decide every session alike. All of it is
    about the sessions for which `where` is true, if it is not empty.
    """

    differences: tuple[Difference, ...]
    open: tuple[tuple[str, Suspect, str, str], ...]
    equal: tuple[tuple[str, str], ...] = ()
    where: str = ""

    @property
    def is_equal(self) -> bool:
        """Return whether the policies were proved to decide every session alike."""
        return not self.differences and not self.open


def compare(
    old: Loaded,
    new: Loaded,
    every: bool = False,
    where: Where | None = None,
    entails: Entails | None = None,
    above: Layers = (),
) -> Comparison:
    """Compare two loaded policies.

    Args:
        every: Look for one session for each way of each suspect, not only for the first that tells them apart.
        where: A condition; only sessions are asked about whose last event meets it.
        entails: The solver that is asked what the own proof leaves open.
        above: Layers that decide beside both, by name, the strongest first.

    Raises:
        PolicyLoadError: One of them does not load.
    """
    programs = deciding(old, above), deciding(new, above)
    assert old.policy is not None and new.policy is not None
    waived = {waiver.rule for _, policy in above for waiver in policy.waivers}
    beside = tuple(rule for name, policy in above for rule in rules_of(name, policy, waived))
    return compare_checked(old.policy, new.policy, programs, every, where, entails=entails, beside=beside)


def deciding(loaded: Loaded, above: Layers = ()) -> Program:
    """Return the program of a loaded policy, below other layers if there are any. Raises PolicyLoadError."""
    program = loaded.require_program()
    if not above:
        return program
    assert loaded.policy is not None
    return program_of([*above, (REPOSITORY, loaded.policy)], "diff")


def rules_of(layer: str, policy: CheckedPolicy, without: Collection[str] = ()) -> Iterator[CheckedRule]:
    """Yield the rules of a layer, whose ids carry its name, without some."""
    return (replace(rule, id=f"{prefix(layer)}{rule.id}") for rule in policy.rules if rule.id not in without)


def compare_checked(
    old: CheckedPolicy,
    new: CheckedPolicy,
    programs: tuple[Program, Program] | None = None,
    every: bool = False,
    where: Where | None = None,
    sure: bool = False,
    entails: Entails | None = None,
    beside: tuple[CheckedRule, ...] = (),
) -> Comparison:
    """Compare two checked policies, as `compare`; they are compiled if that was not done.

    Args:
        sure: Show only sessions at which the changed declaration is decided, not those at which it is undecided.
        beside: Rules of both programs that are in neither of the two policies.
    """
    pair = Pair(old, new, beside)
    programs = programs or (compile_policy(old, OLD), compile_policy(new, NEW))
    stages = _Stages((old, new), programs, (pair.part(old), pair.part(new)), sure, beside)
    differences: list[Difference] = []
    undecided = []
    asked: set[tuple[str, str]] = set()
    for side, policy in ((OLD, old), (NEW, new)):
        for suspect in pair.suspects(policy, entails):
            for point, kind in suspect.spots:
                ways = _asked(suspect, point, kind, where)
                if not ways:
                    continue
                asked.add((point, kind))
                collected = list(_differences(side, suspect, ways, point, kind, stages, where, every))
                differences += collected
                if not collected:
                    undecided.append((side, suspect, point, kind))
    kept = _distinct(differences)
    reported = {(one.point, one.kind, one.item.place) for one in kept}
    return Comparison(
        tuple(kept),
        tuple(one for one in undecided if (one[2], one[3], one[1].item.place) not in reported),
        tuple(spot for spot in spoken_spots(old, new) if not any(_meet(spot, other) for other in asked)),
        where.text if where is not None else "",
    )


def _asked(suspect: Suspect, point: str, kind: str, where: Where | None) -> list[Clause]:
    """Return the ways of a suspect that are asked about at a point."""
    ways = suspect.clauses or (frozenset(),)
    return [way for way in ways if where is None or not where.leaves_out(point, kind, way)]


def _meet(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Detect whether one call may be at both: the kind is empty for every kind, and other tools may carry a command."""
    if one[0] != other[0]:
        return False
    kinds = {one[1], other[1]}
    return len(kinds) == 1 or "" in kinds or ("shell" in kinds and not kinds.isdisjoint(CARRYING))


def _distinct(differences: list[Difference]) -> list[Difference]:
    """Return each session once for each declaration that makes the difference."""
    seen: dict[tuple[Session, str, int], Difference] = {}
    for one in differences:
        seen.setdefault((one.steps, one.direction, id(one.item)), one)
    return list(seen.values())


def _differences(
    side: str,
    suspect: Suspect,
    ways: list[Clause],
    point: str,
    kind: str,
    stages: _Stages,
    where: Where | None,
    every: bool,
) -> Iterator[Difference]:
    """Yield a confirmed session for the first way that has one, or for every way."""
    watched = where.program(point, kind) if where is not None else None
    for way in ways:
        wanted = where.together_with(way, point, kind) if where is not None else [way]
        tried = (_difference(side, suspect, clause, point, kind, stages, watched) for clause in wanted)
        difference = next(filter(None, tried), None)
        if difference is not None:
            yield difference
            if not every:
                return


def _difference(
    side: str, suspect: Suspect, clause: Clause, point: str, kind: str, stages: _Stages, watched: Program | None
) -> Difference | None:
    """Search again where other rules refused: their words help to make a session that they let pass. One at which the
    suspect is undecided, or the other policy refuses as well, is shown if no other one of the same search is found.
    """
    stages.refusing.clear()
    played = set[Session]()
    wanted, past = [clause], list[Speaker]()
    for attempt in range(TRIES):
        likely = _likely(suspect, clause, wanted, past, point, kind, attempt == 0, stages)
        best: tuple[int, tuple[Session, Answer, Answer]] | None = None
        left = MORE
        for session in chain(likely, repetitions(suspect, clause, point, kind) if attempt == 1 else ()):
            if session in played:
                continue
            played.add(session)
            difference = stages.first_difference(session, watched)
            lacking = stages.lacking(side, suspect.item, difference) if difference is not None else None
            if difference is not None and lacking is not None and (best is None or lacking < best[0]):
                best = lacking, difference
            left -= best is not None
            if best is not None and (best[0] == 0 or left < 0):
                break
        if best is not None:
            return stages.shown(side, suspect.item, point, kind, best[1], watched)
        refusing = [one for one in stages.declared(stages.often_refusing()) if one not in (suspect.item, *past)]
        if not refusing and attempt:
            return None
        past += refusing
        suspect = replace(suspect, near=tuple({id(one): one for one in (*suspect.near, *refusing)}.values()))
        wanted = ways_past(clause, (one for one in past if isinstance(one, CheckedRule)))
    return None


def _likely(
    suspect: Suspect,
    clause: Clause,
    wanted: list[Clause],
    past: list[Speaker],
    point: str,
    kind: str,
    first: bool,
    stages: _Stages,
) -> Iterator[Session]:
    """Yield sessions for each of the ways: a few at first, then many in the order of what they miss, and where the rule
    may be undecided, in the order of how many of the rules that are to be silent are not.
    """
    for way in wanted:
        if first:
            yield from islice(sessions(suspect, way, point, kind), FEW)
            continue
        yield from sessions(suspect, way, point, kind, stages.missed(suspect.item, way, CERTAIN, ()))
        if not stages.sure:
            yield from sessions(suspect, way, point, kind, stages.missed(suspect.item, clause, UNKNOWN, past))


class _Stages:
    """Plays sessions on both policies; `refusing` counts how often each rule decided a step of both.

    A session is played on the changed parts first: what the two policies share says the same of it in both.
    """

    def __init__(
        self,
        policies: tuple[CheckedPolicy, CheckedPolicy],
        programs: tuple[Program, Program],
        parts: tuple[CheckedPolicy, CheckedPolicy],
        sure: bool,
        beside: tuple[CheckedRule, ...],
    ) -> None:
        self._policies = policies
        self._beside = beside
        self._trials = Trial(programs[0], {}, {}), Trial(programs[1], {}, {})
        self._changed = parts
        self._parts = Trial(compile_policy(parts[0], OLD), {}, {}), Trial(compile_policy(parts[1], NEW), {}, {})
        self.sure = sure
        self.refusing: Counter[str] = Counter()

    def often_refusing(self) -> list[str]:
        """Return the ids of the rules that decided most."""
        return [name for name, _ in self.refusing.most_common(REFUSING)]

    def lacking(self, side: str, item: Speaker, difference: tuple[Session, Answer, Answer]) -> int | None:
        """Return how much a difference lacks to tell all of what the declaration makes: 0 where it is decided and the
        other policy lets pass what it refuses; None where it does not speak, or the other policy is stricter.
        """
        _, before, after = difference
        own, other = (before, after) if side == OLD else (after, before)
        said = next((result for result in own.rules if result.rule == getattr(item, "id", "")), None)
        if said is None or (own.verdict != APPROVE and STRICTNESS[own.verdict] < STRICTNESS[other.verdict]):
            return None
        undecided = said.outcome == "undecided"
        if undecided and self.sure:
            return None
        return 2 * undecided + (direction(before.verdict, after.verdict) in (WEAKER, STRICTER))

    def shown(
        self,
        side: str,
        item: Speaker,
        point: str,
        kind: str,
        difference: tuple[Session, Answer, Answer],
        watched: Program | None,
    ) -> Difference:
        """Return a difference that a declaration makes, without the steps that it does not need."""
        session, before, after = difference
        lacking = self.lacking(side, item, difference)
        at = 0
        while at < len(session) - 1:
            less = (*session[:at], *session[at + 1 :])
            found = self.first_difference(less, watched)
            alike = found and (found[0], found[1].verdict, found[2].verdict) == (less, before.verdict, after.verdict)
            if found and alike and self.lacking(side, item, found) == lacking:
                session, before, after = found
            else:
                at += 1
        return Difference(point, kind, side, item, session, before, after)

    def declared(self, names: list[str]) -> list[Speaker]:
        """Return the declarations of both policies, and those beside them, that have one of these ids."""
        groups = [group for policy in self._policies for group in (policy.rules, policy.limits, policy.hooks)]
        return [
            one
            for group in (*groups, self._beside)
            for one in cast("tuple[Speaker, ...]", group)
            if getattr(one, "id", "") in names
        ]

    def missed(self, item: Speaker, way: Clause, costs: Costs, silent: Sequence[Speaker]) -> Missed | None:
        """Return what gives the costs of the literals of a way where a session ends, and of the rules that are to be
        silent there.
        """
        asked = [one for one in way if one.expr.type is BOOL]
        if not isinstance(item, CheckedRule) or len(asked) + len(silent) < 2:
            return None
        whens = [Not(one.expr.place, BOOL, one.expr) if one.negated else one.expr for one in asked]
        plain = replace(item, unless=None, require=None, verdict="warn", effect=None, shadow=False, tests=())
        literals = [replace(plain, id=f"literal {number}", when=when) for number, when in enumerate(whens)]
        rules = [one for n, one in enumerate(silent) if isinstance(one, CheckedRule) and one not in silent[:n]]
        others = [replace(one, id=f"silent {number}", tests=()) for number, one in enumerate(rules)]
        least = STRICTNESS[item.verdict or "warn"]
        beside = self._changed[0 if item in self._changed[0].rules else 1]
        asking = replace(beside, rules=(*literals, *others), hooks=(), verifies=(), waivers=())
        trial = Trial(compile_policy(asking, "literals"), {}, {})

        def count(session: Session) -> list[int]:
            stage, heard = Stage(trial), list[StepResult]()
            try:
                for step in session:
                    heard = [*play(checked_step(step), stage)]
            except Undecided:
                heard = []
            said = {one.rule: one for answer in heard for one in answer.decision.rules}
            return [
                *(_cost(said.get(one.id), costs) for one in literals),
                *(HEARD * (one.id in said and STRICTNESS[said[one.id].verdict] >= least) for one in others),
            ]

        return count

    def first_difference(self, session: Session, watched: Program | None) -> tuple[Session, Answer, Answer] | None:
        """Return the session up to the first step that is decided differently, with both answers."""
        if self._played(session, self._parts, None) is None:
            return None
        return self._played(session, self._trials, watched)

    def _played(
        self, session: Session, trials: tuple[Trial, Trial], watched: Program | None
    ) -> tuple[Session, Answer, Answer] | None:
        one, other = (Stage(trial) for trial in trials)
        look = Stage(Trial(watched, {}, {})) if watched is not None else None
        try:
            for number, step in enumerate(session):
                checked = checked_step(step)
                before, after = _answer(play(checked, one)), _answer(play(checked, other))
                spoken = look is None or _is_decided(play(checked, look))
                if before.verdict == after.verdict:
                    self.refusing.update(result.rule for result in (*before.rules, *after.rules))
                if before.verdict != after.verdict and spoken and step.kind not in EVENTLESS:
                    return session[: number + 1], before, after
        except Undecided:
            return None
        return None


def _answer(answers: tuple[StepResult, ...]) -> Answer:
    verdict = strictest(answers)
    said = (result for one in answers for result in (*one.decision.rules, *one.decision.approved))
    rules = tuple(result for result in said if result.verdict == verdict or verdict == APPROVE)
    return Answer(verdict, rules)


def _is_decided(answers: tuple[StepResult, ...]) -> bool:
    """Detect whether a rule spoke because its condition is true."""
    return any(rule.outcome != "undecided" for one in answers for rule in one.decision.rules)


def is_met(session: Session, program: Program) -> bool:
    """Detect whether the condition of a program (testing/where.py) is true where a session ends."""
    stage, met = Stage(Trial(program, {}, {})), False
    for step in session:
        met = _is_decided(play(checked_step(step), stage))
    return met


def _cost(said: RuleResult | None, costs: Costs) -> int:
    """Return what a literal costs by what its rule said."""
    if said is None:
        return costs.false
    return costs.unknown if said.outcome == "undecided" else costs.true


def events_of(session: Session, program: Program) -> list[dict[str, Any]]:
    """Return the canonical events of a session, as the engine that decides by a program hears them."""
    stage = Stage(Trial(program, {}, {}))
    return [answer.event for step in session for answer in play(checked_step(step), stage)]


# ---- steps as text -------------------------------------------------------------------------------------------------


def checked_step(step: Step) -> CheckedStep:
    """Return a step as the checker would hand it over."""
    text = step_text(step)
    arguments = tuple(
        ("tool" if label == "name" else label, list(value) if isinstance(value, tuple) else value)
        for label, value in step.arguments
    )
    return CheckedStep(Place(Source("witness", text), Span(0, len(text))), step.kind, arguments, "", "")


def step_text(step: Step) -> str:
    """Return a step as it stands in a test."""
    given = dict(step.arguments)
    match step.kind:
        case "call":
            more = (one for one in step.arguments if one[0] not in ("name", "tool"))
            inner = ", ".join(f"{key if key.isidentifier() else _literal(key)}: {_literal(v)}" for key, v in more)
            name = _literal(given["name"]) if "name" in given else str(given["tool"])
            return f"call {name} {{ {inner} }}".replace("{  }", "{ }")
        case "called":
            name = _literal(given["name"]) if "name" in given else str(given["tool"])
            return f"call {name} ok"
        case "given" if str(given[""]) in TIMES and type(given["value"]) is int:
            return f"given {given['']} = {_literal(time_text(given['value']))}"
        case "given":
            return f"given {given['']} = {_literal(given['value'])}"
        case "fact":
            return f"fact {given['']} = {_literal(given['value'])}"
        case "undecided":
            return f"undecided {given['']}"
        case "wait":
            return f"wait {duration_text(int(str(given[''])))}"
        case "finish":
            return "finish"
        case "todo":
            return f"todo {given['']} {given['status']}{' required' if given.get('required') else ''}"
        case "run":
            output = f" output {_literal(given['output'])}" if "output" in given else ""
            return f"run {_literal(given[''])} exit {given['exit']}{output}"
        case _:
            content = f" content {_literal(given['content'])}" if "content" in given else ""
            return f"{step.kind} {_literal(given[''])}{content}"


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, timedelta):
        return duration_text(int(value.total_seconds() * 1000))
    if isinstance(value, tuple | list):
        return f"[{', '.join(_literal(one) for one in value)}]"
    return string_text(str(value))


def session_test(difference: Difference, title: str, verdict: str) -> str:
    """Return the session as a `test` block that expects a verdict of its last step."""
    lines = [step_text(step) for step in difference.steps]
    lines[-1] += f"  => {verdict}"
    body = "\n".join(f"  {line}" for line in lines)
    return f"test {string_text(title) + ' ' if title else ''}{{\n{body}\n}}\n"
