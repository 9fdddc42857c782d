"""Sum up decisions on recorded events: per rule, per session, and compared with what was decided then."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from policy_engine.model.action import action_of
from policy_engine.model.decision import Decision
from policy_engine.model.ladder import RANK
from policy_engine.model.points import ENGINE
from policy_engine.model.strict_json import write_json

SHOWN = 50  # differences and refusals that are given; the others are only counted
KEPT = 20_000  # refused actions that are told apart
SAME, SAME_VERDICT, DIFFERENT, NOT_WHOLE = "same", "same_verdict", "different", "not_whole"


@dataclass(slots=True)
class RuleCount:
    """The number of times that a rule was violated or undecided, with which verdicts."""

    spoke: int = 0
    undecided: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class SessionCount:
    """The decisions of a session."""

    events: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Difference:
    """An event that was decided otherwise: `place` is `file:line`; `policy` says whether that was the same then."""

    place: str
    event: str
    session: str
    then: str
    now: str
    policy: bool


@dataclass(slots=True)
class Refusal:
    """An action that a rule refused, `times` over: what it says, and where it was refused first."""

    rule: str
    verdict: str
    action: str
    message: str
    place: str
    session: str
    times: int = 0


@dataclass(slots=True)
class Replayed:
    """The sum of a replay; `compared` counts what the records held beside their events, by outcome.

    `refusals` are by rule, verdict and action, at most KEPT of them; `missed` counts refusals of others.
    """

    policy: str
    events: int = 0
    failed: int = 0
    rules: dict[str, RuleCount] = field(default_factory=dict)
    sessions: dict[str, SessionCount] = field(default_factory=dict)
    verdicts: Counter[str] = field(default_factory=Counter)
    compared: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    refusals: dict[tuple[str, str, str], Refusal] = field(default_factory=dict)
    missed: int = 0

    @property
    def top(self) -> list[Refusal]:
        """The refused actions, most frequent first."""
        return sorted(self.refusals.values(), key=lambda each: (-each.times, each.rule, each.action))

    def refuse(self, decision: Decision, event: dict[str, Any], place: str) -> None:
        """Count what a decision refuses, by the strictest rule; nothing if it refuses nothing."""
        if RANK[decision.verdict] < RANK["ask"]:
            return
        first = decision.rules[0] if decision.rules else None
        rule = first.rule if first is not None else ENGINE
        message = first.message if first is not None else "; ".join(decision.errors)
        key = (rule, decision.verdict, action_of(event))
        found = self.refusals.get(key)
        if found is None:
            if len(self.refusals) >= KEPT:
                self.missed += 1
                return
            found = self.refusals[key] = Refusal(*key, message, place, decision.session)
        found.times += 1

    def add(self, decision: Decision) -> None:
        """Count a decision."""
        self.events += 1
        self.verdicts[decision.verdict] += 1
        session = self.sessions.setdefault(decision.session, SessionCount())
        session.events += 1
        session.verdicts[decision.verdict] += 1
        for result in decision.rules:
            rule = self.rules.setdefault(result.rule, RuleCount())
            rule.spoke += 1
            rule.undecided += result.outcome == "undecided"
            rule.verdicts[result.verdict] += 1

    def compare(self, decision: Decision, then: dict[str, Any], whole: bool, place: str) -> None:
        """Hold a decision against the recorded one; `whole`: the record has the very event, and not a redacted one."""
        now = decision.to_dict()
        if not whole:
            self.compared[NOT_WHOLE] += 1
        elif write_json(now) == write_json({key: then.get(key) for key in now}):
            self.compared[SAME] += 1
        elif then.get("policy") != decision.policy and then.get("verdict") == decision.verdict:
            self.compared[SAME_VERDICT] += 1
        else:
            self.compared[DIFFERENT] += 1
            if len(self.differences) < SHOWN:
                same = then.get("policy") == decision.policy
                said = str(then.get("verdict"))
                found = Difference(place, decision.event, decision.session, said, decision.verdict, same)
                self.differences.append(found)

    @property
    def refusing(self) -> bool:
        """Return whether any verdict refuses, or a decision under the same policy came out otherwise than then."""
        return any(RANK[verdict] >= RANK["ask"] for verdict in self.verdicts) or bool(self.compared[DIFFERENT])

    @property
    def undecided(self) -> bool:
        """Return whether any rule could not be decided."""
        return any(rule.undecided for rule in self.rules.values())

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, sorted by name."""
        return {
            "policy": self.policy,
            "events": self.events,
            "failed": self.failed,
            "verdicts": ordered(self.verdicts),
            "rules": [
                {"rule": name, "spoke": rule.spoke, "undecided": rule.undecided, "verdicts": ordered(rule.verdicts)}
                for name, rule in sorted(self.rules.items())
            ],
            "sessions": [
                {"session": name, "events": session.events, "verdicts": ordered(session.verdicts)}
                for name, session in self.sessions.items()
            ],
            "refusals": [asdict(each) for each in self.top[:SHOWN]],
            "compared": {name: self.compared[name] for name in (SAME, SAME_VERDICT, DIFFERENT, NOT_WHOLE)},
            "differences": [
                {
                    "place": each.place,
                    "event": each.event,
                    "session": each.session,
                    "then": each.then,
                    "now": each.now,
                    "same_policy": each.policy,
                }
                for each in self.differences
            ],
        }


def ordered(verdicts: Counter[str]) -> dict[str, int]:
    """The counts, strictest verdict first."""
    return {verdict: verdicts[verdict] for verdict in sorted(verdicts, key=lambda each: -RANK[each])}
