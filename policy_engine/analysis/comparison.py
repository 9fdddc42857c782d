"""Two checked policies: what of the one is certainly said by the other as well, and what may not be.

A declaration that the other policy has as well decides the same there and is left out of the question, whatever its
name; so is a rule each of whose ways to speak is one in which a rule of the other policy speaks at least as strictly,
and a limit that counts the same there and speaks as strictly at every count.
What remains is a `Suspect`. With no suspect on either side the two decide every session alike: the first event at which
they differed would have to be one at which a rule of the one speaks and none of the other does. What is only said
(titles, messages, incidents, controls) is not compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace

from policy_engine.analysis.conditions import atoms, below, conditions, rule_form
from policy_engine.analysis.cover import Cover
from policy_engine.analysis.formula import CLAUSES, LITERALS, Form, TooLarge
from policy_engine.analysis.limit_steps import reachable, speaks_as_strictly
from policy_engine.analysis.literals import Clause
from policy_engine.analysis.solver import Entails
from policy_engine.analysis.speaking import unknown_verdicts
from policy_engine.analysis.terms import key
from policy_engine.checker import tree
from policy_engine.model.points import FAILURE_VERDICT
from policy_engine.runtime.completion import NAME as COMPLETION_BUDGET

Speaker = tree.CheckedRule | tree.CheckedLimit | tree.CheckedHook | tree.CheckedVerify | tree.CheckedDefine
Declared = Speaker | tree.CheckedMode | tree.CheckedWaiver
TOO_LARGE = f"a condition with more than CLAUSES ({CLAUSES}) ways to be true, or LITERALS ({LITERALS}) parts"
_CHANGED = 64  # changed rules of the other policy that are tried whatever the index says
_FEW = 200  # rules of the other policy that are all tried
_NEAR = 8  # changed declarations of the other policy that are looked at for one suspect
_UNCOMPARED = frozenset(
    ("place", "tests", "title", "message", "severity", "incident", "controls", "fail_declared", "why", "owner", "uses")
)
_FIELDS: dict[type, tuple[str, ...] | None] = {}


@dataclass(frozen=True, slots=True)
class Suspect:
    """A declaration that the other policy was not proved to make up for.

    `clauses` are the ways of a rule that no rule of the other policy covers; None if they are too many, or if it is no
    rule. `spots` are the (point, tool kind) where it may matter, the kind empty where every tool does. `near` are
    declarations of both policies that may make the difference.
    """

    item: Speaker
    clauses: tuple[Clause, ...] | None
    spots: tuple[tuple[str, str], ...]
    near: tuple[Declared, ...]

    @property
    def left(self) -> str:
        """Return what of a rule is left, in the words of its shortest way, or that they are too many."""
        if self.clauses is None:
            return TOO_LARGE if isinstance(self.item, tree.CheckedRule) else ""
        words = " and ".join(sorted(literal.text for literal in min(self.clauses, key=len, default=())))
        return f"`{words}`" if words else "everything at this point"


class Pair:
    """Two policies, with what each of them says that the other does not."""

    def __init__(
        self, one: tree.CheckedPolicy, other: tree.CheckedPolicy, beside: tuple[tree.CheckedRule, ...] = ()
    ) -> None:
        """Take both; the rules `beside` them decide with either, and nothing waives them."""
        self._beside = [rule for rule in beside if not _reads(rule)]  # their modes and limits have names of their own
        numbers: dict[tuple[object, ...], int] = {}
        said, known = (
            {declared: numbers.setdefault(content, len(numbers)) for declared, content in contents(policy).items()}
            for policy in (one, other)
        )
        both = {*said.values()} & {*known.values()}
        self._shared = {declared for declared, content in (*said.items(), *known.items()) if content in both}
        self._others = {id(one): other, id(other): one}
        self._named: dict[str, list[Declared]] = {}
        for each in (*_declared(one), *_declared(other)):
            for name in _names(each):
                self._named.setdefault(name, []).append(each)
        self._reads = {id(each): _reads(each) for policy in (one, other) for each in _declared(policy)}
        self._moved = self._read_of_changed()

    def _changed(self, policy: tree.CheckedPolicy) -> list[Declared]:
        """Return what the other policy does not have."""
        return [one for one in _declared(policy) if id(one) not in self._shared]

    def _read_of_changed(self) -> frozenset[str]:
        """Return what declarations read of each other (`mode.x`, `refused x`) and is not the same in both policies."""
        changed = {name for policy in self._others.values() for one in self._changed(policy) for name in _names(one)}
        reading = [one for policy in self._others.values() for one in _declared(policy) if self._reads[id(one)]]
        while True:
            more = {name for one in reading if self._reads[id(one)] & changed for name in _names(one)}
            if more <= changed:
                return frozenset(changed)
            changed |= more

    def suspects(self, policy: tree.CheckedPolicy, entails: Entails | None = None) -> list[Suspect]:
        """Return what the policy says and the other was not proved to say, in the order of the text; a solver
        (`entails`) is asked what the own proof leaves open.
        """
        other, rest = self._others[id(policy)], self._own(policy)
        rules = [one for one in rest if isinstance(one, tree.CheckedRule)]
        foreign = self._changed(other)
        uncovered = self._uncovered(rules, other, foreign, entails)
        suspects = []
        for one in rest:
            proved = isinstance(one, tree.CheckedRule) and one.effect is None and uncovered.get(id(one)) == ()
            proved = proved or (isinstance(one, tree.CheckedLimit) and self._is_covered(one, other))
            if not proved and not (isinstance(one, tree.CheckedRule | tree.CheckedLimit) and one.shadow):
                suspects.append(Suspect(one, uncovered.get(id(one)), spots(one), self._near(one, foreign)))
        return suspects

    def _is_covered(self, limit: tree.CheckedLimit, other: tree.CheckedPolicy) -> bool:
        """Detect whether the same limit of the other policy, which differs in its steps, speaks as strictly."""
        waived = {waiver.rule for waiver in other.waivers}
        if self._reads[id(limit)] & self._moved or limit.id in (*waived, COMPLETION_BUDGET):
            return False
        return any(
            _content(replace(one, steps=())) == _content(replace(limit, steps=())) and speaks_as_strictly(one, limit)
            for one in other.limits
            if one.id == limit.id
        )

    def _near(self, item: Speaker, foreign: list[Declared]) -> tuple[Declared, ...]:
        """Return what may make the difference: what the item reads, its namesakes, what the other policy changed."""
        points = {point for point, _ in spots(item)}
        named = (*self._reads[id(item)], *_names(item))
        nearby = [one for name in named for one in self._named.get(name, ())]
        changed = [one for one in foreign if not isinstance(one, Speaker) or points & {spot[0] for spot in spots(one)}]
        return tuple({id(one): one for one in (*nearby, *changed[:_NEAR]) if one is not item}.values())

    def _uncovered(
        self, rules: list[tree.CheckedRule], other: tree.CheckedPolicy, foreign: list[Declared], entails: Entails | None
    ) -> dict[int, tuple[Clause, ...]]:
        """Return the ways of each rule in which no rule of the other policy certainly speaks; not of too large ones."""
        waived = {waiver.rule for waiver in other.waivers}
        able = [one for one in other.rules if one.id not in waived and not self._reads[id(one)] & self._moved]
        able = [one for one in (*able, *self._beside) if one.verdict and not one.shadow and one.effect is None]
        speaking = _forms(able)
        changed = {id(one) for one in foreign}
        always = [id(one) for one, _ in speaking if len(speaking) <= _FEW or id(one) in changed]
        cover = Cover(speaking, always if len(speaking) <= _FEW else always[:_CHANGED], entails)
        clauses = {}
        for rule, form in _forms(rules):
            if self._reads[id(rule)] & self._moved or not rule.verdict:  # no verdict makes up for an effect
                clauses[id(rule)] = tuple(form)
            else:
                clauses[id(rule)] = tuple(clause for clause in form if not cover.of_way(clause, rule))
        return clauses

    def _own(self, policy: tree.CheckedPolicy) -> list[Speaker]:
        """Return what may change a decision and is not certainly said by a declaration of the other policy."""
        speakers = _speakers(policy)
        return [one for one in speakers if id(one) not in self._shared or self._reads[id(one)] & self._moved]

    def part(self, policy: tree.CheckedPolicy) -> tree.CheckedPolicy:
        """Return what of a policy may make a difference, with what that reads of the rest."""
        kept: dict[int, Declared] = {id(one): one for one in (*self._changed(policy), *self._own(policy))}
        while True:
            read = {name for known in kept for name in self._reads[known]}
            more = [one for one in _declared(policy) if id(one) not in kept and read.intersection(_names(one))]
            if not more:
                break
            kept.update((id(one), one) for one in more)
        rules = {one.id for one in kept.values() if isinstance(one, tree.CheckedRule | tree.CheckedLimit)}
        return replace(
            policy,
            rules=tuple(one for one in policy.rules if id(one) in kept),
            limits=tuple(one for one in policy.limits if id(one) in kept),
            hooks=tuple(one for one in policy.hooks if id(one) in kept),
            verifies=tuple(one for one in policy.verifies if id(one) in kept),
            modes=tuple(one for one in policy.modes if id(one) in kept),
            waivers=tuple(one for one in policy.waivers if one.rule in rules),
        )


def _speakers(policy: tree.CheckedPolicy) -> Iterator[Speaker]:
    """Yield what may change a decision by itself; a mode and a waiver do so by the rules that they are about."""
    yield from policy.rules
    yield from policy.limits
    yield from policy.hooks
    yield from policy.verifies
    yield from (one for one in policy.defines if one.name == tree.NOISE)


def _declared(policy: tree.CheckedPolicy) -> Iterator[Declared]:
    yield from _speakers(policy)
    yield from policy.modes
    yield from policy.waivers


def contents(policy: tree.CheckedPolicy) -> dict[int, tuple[object, ...]]:
    """Return what each declaration says, by its identity; a rule's waivers belong to it."""
    waived: dict[str, list[object]] = {}
    for waiver in policy.waivers:
        waived.setdefault(waiver.rule, []).append(_content(waiver))
    named = _named(policy)
    by_length: dict[int, tuple[object, ...]] = {}
    for one in _declared(policy):
        content = _meaning(one, "id" if isinstance(one, tree.CheckedRule) and one.id not in named else "")
        own = waived.get(one.id, []) if isinstance(one, tree.CheckedRule | tree.CheckedLimit) else []
        by_length[id(one)] = (type(one).__name__, content, repr(own))
    return by_length


def _meaning(item: Declared, without: str) -> object:
    """Return what a declaration says: of `fail` what is said where nothing is known, of a limit the steps in reach."""
    if isinstance(item, tree.CheckedRule):
        return _content(replace(item, fail=""), without), unknown_verdicts(item, item.listens)
    if isinstance(item, tree.CheckedLimit):
        return _content(replace(item, fail="", steps=reachable(item))), unknown_verdicts(item, item.listens)
    return _content(item)


def _named(policy: tree.CheckedPolicy) -> set[str]:
    """Return the rules whose refusals are asked for by name."""
    names = {str(atom.pattern) for limit in policy.limits for atom in limit.atoms if atom.kind == "refused"}
    for condition in conditions(policy):
        for node in below(condition.expr):
            names.update(str(atom.pattern) for atom in atoms(node) if atom.kind == "refused")
    return names


def _content(node: object, without: str = "") -> object:
    """Return a value that is equal for declarations that say the same, if need be `without` one of their fields."""
    if isinstance(node, tree.Expr):
        return key(node, {})
    if isinstance(node, tuple):
        return tuple([_content(part) for part in node])
    names = _compared(node)
    if names is None:
        return repr(node)
    return type(node).__name__, tuple([_content(getattr(node, name)) for name in names if name != without])


def _compared(node: object) -> tuple[str, ...] | None:
    """Return the fields by which two declarations of one class are compared; None if the class has no fields."""
    kind = type(node)
    if kind not in _FIELDS:
        names = tuple(one.name for one in fields(node) if one.name not in _UNCOMPARED) if is_dataclass(node) else None
        _FIELDS[kind] = names
    return _FIELDS[kind]


def _names(item: Declared) -> tuple[str, ...]:
    match item:
        case tree.CheckedRule():
            return (f"refused {item.id}",)
        case tree.CheckedLimit():
            return (f"refused {item.id}", f"limit.{item.id}.count")
        case tree.CheckedMode():
            return (f"mode.{item.id}",)
        case tree.CheckedVerify():
            return ("verified", f"refused {item.id}")
        case tree.CheckedHook():
            return (f"refused {item.id}",)
        case tree.CheckedWaiver() | tree.CheckedDefine():
            return ()


def _reads(item: Declared) -> set[str]:
    """Return what a declaration reads of others."""
    return {name for field in _compared(item) or () for name in _read_by(getattr(item, field))}


def _read_by(value: object) -> Iterator[str]:
    if isinstance(value, tree.Expr):
        for node in below(value):
            if isinstance(node, tree.FieldRef) and node.name.startswith(("mode.", "limit.")):
                yield node.name
            for atom in atoms(node):
                yield from _read_by(atom)
    elif isinstance(value, tree.Atom):
        if value.kind == "verified":
            yield "verified"
        elif value.kind == "refused":
            yield f"refused {value.pattern}"
    elif isinstance(value, tuple):
        for part in value:
            yield from _read_by(part)
    elif isinstance(value, tree.Effect):
        yield from _read_by(value.key)


def _forms(rules: Iterable[tree.CheckedRule]) -> list[tuple[tree.CheckedRule, Form]]:
    forms = []
    for rule in rules:
        with suppress(TooLarge):
            forms.append((rule, rule_form(rule)))
    return forms


# ---- where it matters ----------------------------------------------------------------------------------------------


def spots(item: Speaker) -> tuple[tuple[str, str], ...]:
    """Return the points and tool kinds at which a declaration may change a decision."""
    match item:
        case tree.CheckedRule() | tree.CheckedLimit() | tree.CheckedHook():
            return tuple(dict.fromkeys(spot for listen in item.listens for spot in _of(listen)))
        case tree.CheckedVerify():
            return (("before_completion", ""),)
        case tree.CheckedDefine():
            return tuple((point, "") for point in FAILURE_VERDICT)


def spoken_spots(*policies: tree.CheckedPolicy) -> list[tuple[str, str]]:
    """Return every point and tool kind at which a declaration of the policies may change a decision, sorted."""
    return sorted({spot for policy in policies for one in _speakers(policy) for spot in spots(one)})


def _of(listen: tree.Listen) -> Iterable[tuple[str, str]]:
    if listen.names or not listen.kinds:
        return ((listen.point, ""),)
    return ((listen.point, kind) for kind in listen.kinds)
