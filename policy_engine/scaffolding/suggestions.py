"""Suggest rules, waivers and tests from what agents did: by program and verb, never by the text of a line.

Only what nobody asked about and what reaches others is suggested to be asked about; only what was asked about and
reaches nobody to be waived. What destroys, deploys, publishes, sends, elevates or discloses is never suggested to be
allowed, and neither is what cannot be known.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta

from policy_engine.conversion.writing import literal
from policy_engine.effects.command import effects_of
from policy_engine.model.effects import EFFECTS, HARMLESS
from policy_engine.model.source import Source
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import find_program
from policy_engine.programs.invocation import verb_place
from policy_engine.shell.command import SimpleCommand
from policy_engine.syntax.reading import odd_characters

EXAMPLES = 3  # observed lines that become tests
LINE_CHARS = 200  # of a line that becomes a test
WORDS = 4  # of a group's narrowest pattern
WAIVED_DAYS = 90
_PLAIN = re.compile(r"[a-z][a-z0-9_:-]{0,30}")


class Kind(enum.Enum):
    """Name what came of the calls of a group."""

    UNGUARDED = "unguarded"
    """They reach others, and no rule spoke."""
    INTERRUPTED = "interrupted"
    """A rule of the repository refused or asked, and they reach nobody."""
    HONEST = "honest"
    """No rule spoke, and they reach nobody."""


class Answer(enum.Enum):
    """Name what a person wants of a group."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"
    SKIP = "skip"


ANSWERS = {
    Kind.UNGUARDED: (Answer.ASK, Answer.DENY, Answer.SKIP),
    Kind.INTERRUPTED: (Answer.SKIP, Answer.ALLOW),
    Kind.HONEST: (Answer.ALLOW, Answer.ASK, Answer.DENY, Answer.SKIP),
}
"""The answers to each kind, the one that is taken where nobody is asked first."""


@dataclass(slots=True)
class Group:
    """Hold calls of one kind that run the same program with the same verb.

    `words` are the longest beginning that all share, `width` how many of them the pattern has. `rules` are those that
    spoke, `effects` those of any call.
    """

    kind: Kind
    words: tuple[str, ...]
    width: int = 0
    calls: int = 0
    sessions: set[str] = field(default_factory=set)
    rules: dict[str, None] = field(default_factory=dict)
    effects: dict[str, None] = field(default_factory=dict)
    examples: dict[str, None] = field(default_factory=dict)

    @property
    def pattern(self) -> str:
        """Return the words that a suggestion is about."""
        return " ".join(self.words[: self.width or len(self.words)])

    def widen(self) -> bool:
        """Leave the last word of the pattern out; return whether there was one to leave out."""
        width = (self.width or len(self.words)) - 1
        self.width = max(width, 1)
        return width > 0


class Groups:
    """Collect the groups of the shell calls that were seen."""

    def __init__(self) -> None:
        self._groups: dict[tuple[Kind, tuple[str, ...]], Group] = {}
        self.unknown = 0

    def add(
        self, commands: tuple[SimpleCommand, ...], line: str, session: str, refusing: Iterable[str], waivable: bool
    ) -> None:
        """Add a proposed shell line.

        Args:
            commands: those of the line.
            line: its text, without secrets; "" if it must not become a test.
            session: the id of its session.
            refusing: ids of the rules that refused it or asked.
            waivable: the repository may waive all of these rules.
        """
        rules = tuple(refusing)
        active = [command for command in commands if not _only_reads(command)]
        known = [(words, effects) for words, effects in map(_signature, active) if words and effects is not None]
        self.unknown += len(active) - len(known)
        quiet = len(known) == len(active) and all(effects <= HARMLESS for _, effects in known)
        for words, effects in known:
            if not effects <= HARMLESS:
                kind = None if rules else Kind.UNGUARDED
            elif rules:
                kind = Kind.INTERRUPTED if waivable and len(active) == 1 else None
            else:
                kind = Kind.HONEST
            if kind is not None:
                self._join(kind, words, effects, line if quiet or kind is Kind.UNGUARDED else "", session, rules)

    def _join(
        self, kind: Kind, words: tuple[str, ...], effects: frozenset[str], line: str, session: str, rules: Iterable[str]
    ) -> None:
        group = self._groups.setdefault((kind, words[: 1 + _verb_words(words)]), Group(kind, words))
        same = 0
        while same < min(len(words), len(group.words)) and words[same] == group.words[same]:
            same += 1
        group.words = group.words[:same]
        group.calls += 1
        group.sessions.add(session)
        group.rules.update(dict.fromkeys(rules))
        group.effects.update(dict.fromkeys(sorted(effects - HARMLESS)))
        if 0 < len(line) <= LINE_CHARS and len(group.examples) < EXAMPLES and not odd_characters(Source("", line)):
            group.examples[line] = None

    def suggested(self, least: int) -> list[Group]:
        """Return the groups with at least so many calls: what reaches others first, then by the number of calls."""
        order = list(Kind)
        groups = [group for group in self._groups.values() if group.calls >= least]
        return sorted(groups, key=lambda group: (order.index(group.kind), -group.calls, group.words))


def _only_reads(command: SimpleCommand) -> bool:
    try:
        return effects_of(command).read_only
    except Undecided:
        return False


def _signature(command: SimpleCommand) -> tuple[tuple[str, ...], frozenset[str] | None]:
    """Return the program, its verb and the plain words behind it, and the effects; `()` and None if not known."""
    try:
        effects = effects_of(command)
        known = None if effects.opaque else frozenset(effects.effects)
        program, place = command.program, verb_place(command.argv)
    except Undecided:
        return (), None
    if not _PLAIN.fullmatch(program):
        return (), None
    words = [program]
    for word in () if place is None else command.argv[place:]:
        if len(words) == WORDS or not _PLAIN.fullmatch(word):
            break
        words.append(word)
    return tuple(words), known


def _verb_words(words: tuple[str, ...]) -> int:
    """Return of how many words the verb consists: `gh pr merge` is one of two, as the program's row lists it."""
    program = find_program(words[0])
    if program is None:
        return 1
    phrases = [phrase.split() for row in program.actions or () for phrase in row.get("verbs", "").split(",")]
    return max((len(one) for one in (*phrases, *program.asks) if tuple(one[:1]) == words[1:2]), default=1)


def suggestion_text(group: Group, answer: Answer, owner: str, today: date) -> str:
    """Return the declaration that an answer asks for, "" for none.

    Args:
        group: what it is about.
        answer: one of `ANSWERS` for its kind.
        owner: who is answerable for a waiver.
        today: from which a waiver is counted.
    """
    match answer:
        case Answer.SKIP:
            return ""
        case Answer.ALLOW:
            return _waivers(group, owner, today) if group.kind is Kind.INTERRUPTED else _kept(group)
        case Answer.ASK | Answer.DENY:
            return _rule(group, answer.value)


def _rule(group: Group, verdict: str) -> str:
    meant = "; ".join(EFFECTS[effect] for effect in group.effects) or "it was seen in recorded sessions"
    advice = "Say why it is needed now." if verdict == "ask" else "Ask a person to run it."
    lines = group.examples or (group.pattern,)
    steps = "".join(f"    shell {literal(line)} => {verdict}\n" for line in lines)
    return (
        f"rule {verdict}-{_slug(group.pattern)} {literal(f'Agents ran `{group.pattern}` {_seen(group)}')} {{\n"
        f"  severity medium\n  on command {group.pattern}\n"
        f"  {verdict} {literal(f'`{group.pattern}`: {meant}. {advice}')}\n\n"
        f'  test {{\n{steps}    shell "ls" => allow\n  }}\n}}\n'
    )


def _waivers(group: Group, owner: str, today: date) -> str:
    until = today + timedelta(days=WAIVED_DAYS)
    why = f"`{group.pattern}` was refused or asked about {_seen(group)}, and a person found it harmless"
    return "\n".join(
        f"waive {rule} {literal(why)} {{\n  until {until.isoformat()}\n  owner {literal(owner)}\n"
        f'  when every c in commands {{ c matches "{group.pattern} ..." or c.read_only }}\n}}\n'
        for rule in group.rules
    )


def _kept(group: Group) -> str:
    """Return a test that keeps what agents do honestly from being refused one day."""
    steps = "".join(f"  shell {literal(line)} => allow\n" for line in group.examples)
    return (
        f"test {literal(f'`{group.pattern}` was run {_seen(group)}, and stays allowed')} {{\n{steps}}}\n"
        if steps
        else ""
    )


def _seen(group: Group) -> str:
    times = "once" if group.calls == 1 else f"{group.calls} times"
    return f"{times} in {len(group.sessions)} session{'s' if len(group.sessions) != 1 else ''}"


def _slug(pattern: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", pattern).strip("-")
