"""Sum up decisions on recorded events: per rule, repository, person and session, and beside another policy.

A sum can be sent to another process and added to another; what it keeps is bounded, whatever was recorded.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

from policy_engine.model.action import action_of
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.ladder import RANK, STRICTNESS
from policy_engine.model.points import COMPLETIONS, ENGINE
from policy_engine.model.strict_json import write_json

SHOWN = 50  # differences, refusals and damaged lines that are given; the others are only counted
KEPT = 20_000  # refused actions, sessions, repositories and causes that are told apart
HITS = 1_000  # hits that a report holds; --format csv has all
SAME, SAME_VERDICT, DIFFERENT, NOT_WHOLE = "same", "same_verdict", "different", "not_whole"
CHANGED, UNKNOWN = "changed", "unknown"
"""Further results of a comparison with another policy, beside `SAME`."""
_HOMES = re.compile(r"/(?:Users|home)/([^/]+)(?=/|$)|/(root)(?=/|$)")
_QUOTED = re.compile(r"`[^`]*`|\d+")


@dataclass(slots=True)
class RuleCount:
    """The count of a rule's violated and undecided outcomes, with its verdicts; `calls` are those refused.

    `action` is the first of which it did, at `place`.
    """

    spoke: int = 0
    undecided: int = 0
    calls: int = 0
    action: str = ""
    place: str = ""
    verdicts: Counter[str] = field(default_factory=Counter)

    def add(self, other: RuleCount) -> None:
        """Add another count."""
        if not self.spoke:
            self.action, self.place = other.action, other.place
        self.spoke += other.spoke
        self.undecided += other.undecided
        self.calls += other.calls
        self.verdicts.update(other.verdicts)


@dataclass(slots=True)
class Group:
    """The decisions of a session, of a repository or of a person."""

    events: int = 0
    calls: int = 0
    refused: int = 0
    changed: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)

    def add(self, other: Group) -> None:
        """Add another count."""
        self.events += other.events
        self.calls += other.calls
        self.refused += other.refused
        self.changed += other.changed
        self.verdicts.update(other.verdicts)


@dataclass(frozen=True, slots=True)
class Difference:
    """An event that was decided otherwise: `place` is `file:line`; `policy` says whether that was the same then."""

    place: str
    event: str
    session: str
    then: str
    now: str
    policy: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """An event that a rule refuses, or that another policy decides otherwise (`old`, "" without one).

    `state` is CHANGED, UNKNOWN or "". `rule` is the strictest that spoke, `cause` why it was undecided.
    """

    place: str
    session: str
    repository: str
    person: str
    state: str
    old: str
    verdict: str
    rule: str
    action: str
    path: str
    message: str
    cause: str


@dataclass(slots=True)
class Refusal:
    """An action that a rule refused, `times` over: what it says, and where it was refused first.

    `sure` says that the rule was decided, and did not refuse because it could not be.
    """

    rule: str
    verdict: str
    action: str
    message: str
    place: str
    session: str
    times: int = 0
    sure: bool = True


@dataclass(slots=True)
class SecretSeen:
    """A secret in the record, known by its mark alone: where it stands first, and how often."""

    where: str
    place: str
    session: str
    times: int = 0


@dataclass(slots=True)
class Replayed:
    """The sum of a replay; `compared` counts what the records held beside their events, by outcome.

    `refusals` are by rule, verdict and action, at most KEPT of them; `missed` counts refusals of others. `states` are
    (state, old verdict, new verdict) of the events that two policies decided, `causes` why rules were undecided.
    `unseen` counts commands after which only the disk would show what was written.
    """

    policy: str
    against: str | None = None
    recordings: int = 0
    other_files: int = 0
    events: int = 0
    calls: int = 0
    failed: int = 0
    unseen: int = 0
    damaged: int = 0
    damage: list[str] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    rules: dict[str, RuleCount] = field(default_factory=dict)
    sessions: dict[str, Group] = field(default_factory=dict)
    repositories: dict[str, Group] = field(default_factory=dict)
    people: dict[str, Group] = field(default_factory=dict)
    more_sessions: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    states: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    changed_rules: Counter[tuple[str, str]] = field(default_factory=Counter)
    compared: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    refusals: dict[tuple[str, str, str], Refusal] = field(default_factory=dict)
    hits: list[Hit] = field(default_factory=list)
    secrets: dict[str, SecretSeen] = field(default_factory=dict)
    completions: int = 0
    missed: int = 0

    @property
    def top(self) -> list[Refusal]:
        """The refused actions, most frequent first."""
        return sorted(self.refusals.values(), key=lambda each: (-each.times, each.rule, each.action))

    def add(
        self, decision: Decision, event: dict[str, Any], place: str, old: Decision | None = None, whole: bool = True
    ) -> Hit | None:
        """Count a decision, and the one of another policy beside it; return what there is to tell of it.

        `whole` says that the event is as it was then, and not redacted.
        """
        first = _speaker(decision)
        refuses, beside = RANK[decision.verdict] >= RANK["ask"], _speaker(old) if old is not None else None
        call = event.get("hook") == "before_tool"
        self.events += 1
        self.calls += call
        self.completions += event.get("hook") in COMPLETIONS
        self.verdicts[decision.verdict] += 1
        for result in decision.rules:
            self._rule(result, call, event, place)
        state = ""
        if old is not None:
            state = state_of(decision, old, whole)
            self.states[state, old.word, decision.word] += 1
            if state != SAME:
                self.changed_rules[state, (first or beside or _NOBODY).rule] += 1
        repository, person = repository_of(event), person_of(event)
        for groups, name in ((self.sessions, decision.session), (self.repositories, repository), (self.people, person)):
            group = groups.get(name)
            if group is None:
                if len(groups) >= KEPT:
                    self.more_sessions += groups is self.sessions
                    continue
                group = groups[name] = Group()
            group.events += 1
            group.calls += call
            group.refused += call and refuses
            group.changed += state in (CHANGED, UNKNOWN)
            group.verdicts[decision.verdict] += 1
        if refuses:
            self._refuse(decision, event, place)
        if not refuses and state in ("", SAME):
            return None
        spoken = first or beside
        rule, message = (spoken.rule, spoken.message) if spoken is not None else (ENGINE, "; ".join(decision.errors))
        cause = next((text for each in decision.rules for text in each.undecided), "")
        change = state if state != SAME else ""
        hit = Hit(
            place, decision.session, repository, person, change, "" if old is None else old.word,
            decision.verdict if old is None else decision.word, rule, action_of(event), path_of(event),
            " ".join(message.split()), cause,
        )  # fmt: skip
        if len(self.hits) < HITS and (old is None or change):
            self.hits.append(hit)
        return hit if old is None or change else None

    def _rule(self, result: RuleResult, call: bool, event: dict[str, Any], place: str) -> None:
        rule = self.rules.get(result.rule)
        if rule is None:
            rule = self.rules[result.rule] = RuleCount(action=action_of(event), place=place)
        rule.spoke += 1
        rule.undecided += result.outcome == "undecided"
        rule.calls += call and RANK[result.verdict] >= RANK["ask"]
        rule.verdicts[result.verdict] += 1
        for text in result.undecided:
            cause = _cause_of(text)
            if cause in self.causes or len(self.causes) < KEPT:
                self.causes[cause] += 1

    def _refuse(self, decision: Decision, event: dict[str, Any], place: str) -> None:
        """Count what a decision refuses, by the strictest rule."""
        first = _speaker(decision)
        rule = first.rule if first is not None else ENGINE
        message = first.message if first is not None else "; ".join(decision.errors)
        key = (rule, decision.verdict, action_of(event))
        refusal = self.refusals.get(key)
        if refusal is None:
            if len(self.refusals) >= KEPT:
                self.missed += 1
                return
            refusal = self.refusals[key] = Refusal(*key, message, place, decision.session, sure=_is_sure(decision))
        refusal.times += 1

    def secret(self, mark: str, where: str, place: str, session: str) -> None:
        """Count a secret by its mark."""
        if mark in self.secrets or len(self.secrets) < KEPT:
            self.secrets.setdefault(mark, SecretSeen(where, place, session)).times += 1

    def damage_at(self, place: str, what: str) -> None:
        """Count a line that cannot be read."""
        self.damaged += 1
        if len(self.damage) < SHOWN:
            self.damage.append(f"{place}: {what}")

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
                recorded = str(then.get("verdict"))
                difference = Difference(place, decision.event, decision.session, recorded, decision.verdict, same)
                self.differences.append(difference)

    def merge(self, other: Replayed) -> None:
        """Add the sum of other recordings."""
        for name in _NUMBERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for counter in ("unknown", "verdicts", "causes", "states", "changed_rules", "compared"):
            getattr(self, counter).update(getattr(other, counter))
        for name, count in other.rules.items():
            self.rules.setdefault(name, RuleCount()).add(count)
        for groups in ("sessions", "repositories", "people"):
            mine = getattr(self, groups)
            for name, group in getattr(other, groups).items():
                if name in mine or len(mine) < KEPT:
                    mine.setdefault(name, Group()).add(group)
                elif groups == "sessions":
                    self.more_sessions += 1
        for key, refusal in other.refusals.items():
            known = self.refusals.get(key)
            if known is not None:
                known.times += refusal.times
            elif len(self.refusals) < KEPT:
                self.refusals[key] = refusal
            else:
                self.missed += refusal.times
        for mark, seen in other.secrets.items():
            if mark in self.secrets:
                self.secrets[mark].times += seen.times
            elif len(self.secrets) < KEPT:
                self.secrets[mark] = seen
        for mine, more, most in (
            (self.damage, other.damage, SHOWN), (self.differences, other.differences, SHOWN),
            (self.hits, other.hits, HITS),
        ):  # fmt: skip
            mine.extend(more[: max(0, most - len(mine))])  # type: ignore[arg-type]

    @property
    def refusing(self) -> bool:
        """Return whether there is a finding: a difference from another policy or from then, without one any refusal."""
        if self.against is not None:
            return any(state == CHANGED for state, _, _ in self.states)
        return any(RANK[verdict] >= RANK["ask"] for verdict in self.verdicts) or bool(self.compared[DIFFERENT])

    @property
    def undecided(self) -> bool:
        """Return whether anything could not be decided, or not read."""
        if self.damaged or self.unknown:
            return True
        if self.against is not None:
            return any(state == UNKNOWN for state, _, _ in self.states)
        return any(rule.undecided for rule in self.rules.values())

    def rate(self, count: int) -> float:
        """Return how many of 100 calls that is."""
        return round(100 * count / self.calls, 2) if self.calls else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, sorted by name."""
        plain = {
            "policy": self.policy,
            "recordings": self.recordings,
            "events": self.events,
            "calls": self.calls,
            "failed": self.failed,
            "damaged": self.damaged,
            "damage": self.damage,
            "unknown_lines": dict(sorted(self.unknown.items())),
            "writes_unseen": self.unseen,
            "verdicts": ordered(self.verdicts),
            "rules": [
                {
                    "rule": name,
                    "spoke": rule.spoke,
                    "undecided": rule.undecided,
                    "per_100_calls": self.rate(rule.calls),
                    "verdicts": ordered(rule.verdicts),
                }
                for name, rule in sorted(self.rules.items())
            ],
            "sessions": [
                {"session": name, "events": session.events, "verdicts": ordered(session.verdicts)}
                for name, session in self.sessions.items()
            ],
            "more_sessions": self.more_sessions,
            "repositories": _groups(self.repositories, "repository"),
            "people": _groups(self.people, "person"),
            "causes": [{"cause": cause, "times": times} for cause, times in ranked(self.causes)[:SHOWN]],
            "completions": self.completions,
            "secrets": [asdict(each) for each in list(self.secrets.values())[:SHOWN]],
            "refusals": [asdict(each) for each in self.top[:SHOWN]],
            "hits": [asdict(each) for each in self.hits],
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
        if self.against is not None:
            plain["against"] = {
                "policy": self.against,
                "decisions": [
                    {"state": state, "old": old, "new": new, "times": times}
                    for (state, old, new), times in ranked(self.states)
                ],
                "rules": [
                    {"state": state, "rule": rule, "times": times}
                    for (state, rule), times in ranked(self.changed_rules)
                ],
            }
        return plain


_NUMBERS = (
    "recordings", "other_files", "events", "calls", "completions", "failed", "unseen", "damaged", "missed",
    "more_sessions",
)  # fmt: skip
_NOBODY = RuleResult("", "violated", "allow")


def state_of(new: Decision, old: Decision, whole: bool) -> str:
    """Return what a change of policies means for an event.

    It cannot be known where the event was redacted, or where the stricter verdict is only that of rules that could not
    be decided: a hook, which sees the disk, may have decided them.
    """
    if not whole:
        return UNKNOWN
    if new.word == old.word:
        return SAME if _is_sure(new) == _is_sure(old) else UNKNOWN
    stricter = new if STRICTNESS[new.word] > STRICTNESS[old.word] else old
    return CHANGED if _is_sure(stricter) else UNKNOWN


def _speaker(decision: Decision) -> RuleResult | None:
    """Return the rule that gives the verdict, one that was decided if there is any."""
    given = [rule for rule in decision.rules if rule.verdict == decision.verdict] or list(decision.rules)
    return next((rule for rule in given if rule.outcome != "undecided"), given[0] if given else None)


def _is_sure(decision: Decision) -> bool:
    """Return whether a rule that was decided gives the verdict."""
    outcomes = [rule.outcome for rule in decision.rules if rule.verdict == decision.verdict]
    return not outcomes or any(outcome != "undecided" for outcome in outcomes)


def _groups(groups: dict[str, Group], key: str) -> list[dict[str, Any]]:
    return [
        {
            key: name,
            "events": group.events,
            "calls": group.calls,
            "refused": group.refused,
            "changed": group.changed,
            "per_100_calls": round(100 * group.refused / group.calls, 2) if group.calls else 0.0,
        }
        for name, group in sorted(groups.items())
    ]


def ranked(counts: Counter[Any]) -> list[tuple[Any, int]]:
    """Return the counts, most frequent first, then by name."""
    return sorted(counts.items(), key=lambda each: (-each[1], str(each[0])))


def ordered(verdicts: Counter[str]) -> dict[str, int]:
    """The counts, strictest verdict first."""
    return {verdict: verdicts[verdict] for verdict in sorted(verdicts, key=lambda each: -RANK[each])}


@lru_cache(maxsize=1024)
def _cause_of(text: str) -> str:
    """Return a reason without what it names, so that the same ones are counted together."""
    return _QUOTED.sub("…", text)[:160]


def repository_of(event: dict[str, Any]) -> str:
    """Return the folder in which an event was decided, without the home folder; "" if the record does not say."""
    folder = event.get("workspace")
    return _without_home(folder) if isinstance(folder, str) else ""


@lru_cache(maxsize=1024)
def _without_home(folder: str) -> str:
    return _HOMES.sub("~", folder, count=1)


def person_of(event: dict[str, Any]) -> str:
    """Return whose home folder the workspace is in, "" if it is in none."""
    folder = event.get("workspace")
    match = _HOMES.match(folder) if isinstance(folder, str) else None
    return (match[1] or match[2]) if match is not None else ""


def home_of(workspace: str) -> str:
    """Return the home folder that a workspace is in, "" if it is in none."""
    match = _HOMES.match(workspace)
    return match[0] if match is not None else ""


def path_of(event: dict[str, Any]) -> str:
    """Return the file that a call names, "" if it names none."""
    tool = event.get("tool")
    args = tool.get("args") if isinstance(tool, dict) else None
    given = args if isinstance(args, dict) else {}
    names = ("file_path", "notebook_path", "path")
    return next((given[name] for name in names if isinstance(given.get(name), str)), "")
