"""Evaluate the parts of a condition to `Seen`: truth (true, false, undecided), reasons, values and the witness.

The instrumented twin of a rule is the same generated expressions, joined by these connectives instead of Python's
`and`/`or`; they evaluate every operand, so that reasons and truth do not depend on operand order (language §1).
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue, may_be_none, number_of
from policy_engine.model.undecided import ABSENT, Between, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

VALUE_CHARS = 200


class Seen:
    """The traced result of one sub-condition.

    `truth` is True, False or None (undecided, with `reasons`). `because` holds the smallest leaves responsible for that
    truth as (text, values); `bound` maps a quantifier's binding number to its witness; `evidence` event ids;
    `parts` the operands, for the explain tree, and `sides` those of a leaf that compares two moments (`A since B`),
    given by `compared` and seen only if `see_sides` asks.
    """

    __slots__ = ("because", "bound", "compared", "evidence", "parts", "reasons", "sides", "text", "truth")

    def __init__(
        self,
        text: str,
        truth: bool | None,
        reasons: tuple[str, ...] = (),
        because: tuple[tuple[str, dict[str, Any]], ...] = (),
        bound: dict[int, Any] | None = None,
        evidence: tuple[str, ...] = (),
        parts: tuple[Seen, ...] = (),
    ) -> None:
        self.text = text
        self.truth = truth
        self.reasons = reasons
        self.because = because
        self.bound = bound if bound is not None else {}
        self.evidence = evidence
        self.parts = parts
        self.compared: tuple[tuple[str, Callable[[], Any], tuple[Callable[[], str], ...]], ...] = ()
        self.sides: tuple[Seen, ...] = ()


def _join(text: str, truth: bool | None, parts: list[Seen]) -> Seen:
    """Return a connective's result: blamed on those operands that share its truth."""
    bound: dict[int, Any] = {}
    reasons: set[str] = set()
    because: list[tuple[str, dict[str, Any]]] = []
    evidence: dict[str, None] = {}
    for part in parts:
        if part.truth is not truth:
            continue
        because += part.because
        if part.bound:
            bound = {**part.bound, **bound}  # the first guilty operand's witness stands
        if part.evidence:
            evidence.update(dict.fromkeys(part.evidence))
        if truth is None:
            reasons.update(part.reasons)
    return Seen(text, truth, tuple(sorted(reasons)), tuple(because), bound, tuple(evidence), tuple(parts))


def every_of(text: str, *thunks: Callable[[], Seen]) -> Seen:
    """`and`."""
    parts = [thunk() for thunk in thunks]
    truths = [part.truth for part in parts]
    return _join(text, False if False in truths else None if None in truths else True, parts)


def any_of(text: str, *thunks: Callable[[], Seen]) -> Seen:
    """`or`."""
    parts = [thunk() for thunk in thunks]
    truths = [part.truth for part in parts]
    return _join(text, True if True in truths else None if None in truths else False, parts)


def negated(text: str, thunk: Callable[[], Seen]) -> Seen:
    """`not`."""
    part = thunk()
    truth = None if part.truth is None else not part.truth
    return Seen(text, truth, part.reasons, part.because, part.bound, part.evidence, (part,))


def leaf(
    text: str,
    thunk: Callable[[], Any],
    operands: tuple[tuple[str, Callable[[], Any]], ...] = (),
    evidence: tuple[Callable[[], str], ...] = (),
) -> Seen:
    """Return a condition without connectives; `operands` are looked at for their values, `evidence` for event ids."""
    try:
        truth: bool | None = thunk()
        reasons: tuple[str, ...] = ()
    except Undecided as unknown:
        truth, reasons = None, unknown.reasons
    values = {}
    for name, look in operands:
        values[name] = shown(look)
    events = tuple([event for event in map(_event, evidence) if event]) if evidence else ()
    return Seen(text, truth, reasons, ((text, values),), None, events)


def with_sides(whole: Seen, *sides: tuple[str, Callable[[], Any], tuple[Callable[[], str], ...]]) -> Seen:
    """Return a leaf together with its sides, each given as a text, its truth and its events."""
    whole.compared = sides
    return whole


def see_sides(seen: Seen) -> Seen:
    """Work out what all sides come to now, which explanations alone show."""
    seen.sides = tuple(leaf(text, thunk, (), evidence) for text, thunk, evidence in seen.compared)
    for part in seen.parts:
        see_sides(part)
    return seen


def _event(source: Callable[[], str]) -> str:
    try:
        return source()
    except Undecided:
        return ""


def quantified(
    text: str,
    kind: str,
    binding: int,
    source: Callable[[], Iterable[Any]],
    where: Callable[[Any], Seen] | None,
    body: Callable[[Any], Seen],
) -> Seen:
    """`any` and `every` with a witness: the first member that settles the truth, or the first undecided one.

    An `any` that is false blames what keeps the first member from it for which a part of the condition holds.
    """
    settling = kind == "any"
    members, unknown_rest = _members(text, source)
    unknown_part: Seen | None = None
    nearest: Seen | None = None
    for member in members:
        part = _member(where, body, member, settling)
        if part.truth is settling and may_be_none(member):
            part = Seen(part.text, None, (member.reason,), part.because, part.bound, part.evidence, part.parts)
        if part.truth is settling:
            return Seen(text, settling, (), part.because, {**part.bound, binding: member}, part.evidence, (part,))
        if part.truth is None and unknown_part is None:
            unknown_part = part
            unknown_part.bound = {**part.bound, binding: member}
        if settling and nearest is None and len(part.parts) > 1 and any(one.truth for one in part.parts):
            nearest = part  # all the same false: of what is joined by `and` some holds
    if unknown_part is None:
        unknown_part = unknown_rest
    if unknown_part is not None:
        return _join(text, None, [unknown_part])
    if nearest is not None:
        return Seen(text, False, (), nearest.because, None, (), (nearest,))
    return Seen(text, not settling, (), ((text, {"members": len(members)}),))


def _members(text: str, source: Callable[[], Iterable[Any]]) -> tuple[list[Any], Seen | None]:
    """Return the members that are known, and why there may be more (a list may be open, model/effects.py)."""
    members: list[Any] = []
    try:
        for member in source():
            members.append(member)
    except Undecided as unknown:
        return members, Seen(text, None, unknown.reasons, ((text, {}),))
    return members, None


def _member(where: Callable[[Any], Seen] | None, body: Callable[[Any], Seen], member: Any, settling: bool) -> Seen:
    """`where and body` for any, `not where or body` for every."""
    if where is None:
        return body(member)
    if settling:
        return every_of("", lambda: where(member), lambda: body(member))
    return any_of("", lambda: negated("", lambda: where(member)), lambda: body(member))


def counted(
    source: Callable[[], Iterable[Any]], where: Callable[[Any], Seen] | None, body: Callable[[Any], Seen]
) -> int | Between:
    """`count`; undecided as soon as one member is, within bounds if some are perhaps none."""
    total = maybe = 0
    doubts: set[str] = set()
    reasons: set[str] = set()
    for member in source():
        part = _member(where, body, member, True)
        if part.truth is None:
            reasons.update(part.reasons)
        elif part.truth and number_of(member) == "maybe":
            doubts.add(member.reason)
            maybe += 1
        elif part.truth and number_of(member):
            reasons.add(member.reason)
        total += part.truth is True
    if reasons:
        raise Undecided(*reasons)
    return Between(total - maybe, total, *doubts) if maybe else total


def decided(plain: Callable[[], bool], trace: Callable[[], Seen]) -> bool:
    """Return the truth of a condition that stands where a value is needed: of the plain test, which answers nearly
    always, else of its traced twin, which knows that `undecided and false` is false.
    """
    try:
        return plain()
    except Undecided:
        part = trace()
    if part.truth is None:
        raise Undecided(*part.reasons)
    return part.truth


def leaning(speaks: bool, touched: Callable[[], bool], doubted: Callable[[], bool]) -> bool:
    """Return the truth of a comparison that depends on what is perhaps touched: the one that comes out if all of it is,
    where that truth lets the rule speak; else the one that comes out either way.
    """
    try:
        if touched() is speaks:
            return speaks
    except Undecided:
        pass
    return doubted()


def shown(look: Callable[[], Any]) -> Any:
    """Return a value as a decision shows it: short, JSON-able, `?` if it cannot be known."""
    try:
        return _plain(look())
    except Undecided:
        return "?"


def _plain(value: Any) -> Any:
    if value is ABSENT:
        return "?"
    if value is None or value is True or value is False or type(value) is int or type(value) is float:
        return value
    if type(value) in (list, tuple):
        return [_plain(item) for item in value[:20]]
    if type(value) is PathValue:
        value = value.text
    text = str(value)
    return text if len(text) <= VALUE_CHARS else text[: VALUE_CHARS - 1] + "…"


UNKNOWN = "\0?"
"""Stands in a message for a value that cannot be known (`without_unknown`)."""


def without_unknown(text: str, title: str) -> str:
    """Return the message without the sentences that would show a value nobody knows; the title stands for them."""
    if UNKNOWN not in text:
        return text
    kept = [sentence for sentence in text.split(". ") if UNKNOWN not in sentence]
    return ". ".join([title, *kept])


_UNITS = (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1))


def lasting(value: Any) -> Any:
    """Return a duration, in milliseconds, as a message shows it: its two largest units."""
    if type(value) is not int or value <= 0:
        return "0s" if value == 0 else value
    place = next(number for number, (_, size) in enumerate(_UNITS) if value >= size)
    parts = []
    for unit, size in _UNITS[place : place + 2]:
        count, value = divmod(value, size)
        parts += [f"{count}{unit}"] if count else []
    return " ".join(parts)


def printed(look: Callable[[], Any]) -> str:
    """Return a value as a message shows it; one that cannot be known, or is absent, is UNKNOWN."""
    try:
        read_value = look()
    except (Undecided, KeyError):
        return UNKNOWN
    if read_value is ABSENT:
        return UNKNOWN
    value = _plain(read_value)
    if type(value) is list:
        return ", ".join(map(str, value)) or "none"
    if value is True or value is False:
        return "true" if value else "false"
    return str(value)
