"""Two checked policies: what of the one is certainly said by the other as well, and what may not be.

A declaration that the other policy has as well decides the same there and is left out of the question, whatever its
name; so is a rule each of whose ways to speak is one in which a rule of the other policy speaks at least as strictly.
What remains is a `Suspect`. With no suspect on either side the two decide every session alike: the first event at which
they differed would have to be one at which a rule of the one speaks and none of the other does. What is only said
(titles, messages, incidents, controls) is not compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass

from policy_engine.analysis.conditions import atoms, below, conditions, rule_form
from policy_engine.analysis.covering import Covering
from policy_engine.analysis.formula import Form, TooLarge
from policy_engine.analysis.literals import Clause
from policy_engine.analysis.order import clause_implies
from policy_engine.analysis.solver import Entails
from policy_engine.analysis.speaking import is_stronger
from policy_engine.analysis.terms import key
from policy_engine.checker import tree
from policy_engine.model.points import FAILURE_VERDICT

Speaker = tree.CheckedRule | tree.CheckedLimit | tree.CheckedHook | tree.CheckedVerify | tree.CheckedDefine
Declared = Speaker | tree.CheckedMode | tree.CheckedWaiver
_CHANGED = 64  # changed rules of the other policy that are tried whatever the index says
_FEW = 200  # rules of the other policy that are all tried
_NEAR = 8  # changed declarations of the other policy that are looked at for one suspect
_UNCOMPARED = frozenset(
    ("place", "tests", "title", "message", "severity", "incident", "controls", "fail_declared", "why", "owner", "uses")
)


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


def suspects(policy: tree.CheckedPolicy, other: tree.CheckedPolicy, entails: Entails | None = None) -> list[Suspect]:
    """Return what `policy` says and `other` was not proved to say, in the order of the text; a solver (`entails`) is
    asked what the own proof leaves open.
    """
    keys, others = contents(policy), contents(other)
    moved = _moved(policy, other, keys, others)
    known = frozenset(others.values())
    rest = [one for one in _speakers(policy) if keys[id(one)] not in known or _reads(one) & moved]
    rules = [one for one in rest if isinstance(one, tree.CheckedRule)]
    mine = frozenset(keys.values())
    foreign = [one for one in _declared(other) if others[id(one)] not in mine]
    uncovered = _uncovered(rules, other, foreign, moved, entails)
    suspects = []
    for one in rest:
        if isinstance(one, tree.CheckedRule) and (one.shadow or (one.effect is None and uncovered.get(id(one)) == ())):
            continue
        suspects.append(Suspect(one, uncovered.get(id(one)), spots(one), _near(one, policy, other, foreign)))
    return suspects


def _near(
    item: Speaker, policy: tree.CheckedPolicy, other: tree.CheckedPolicy, foreign: list[Declared]
) -> tuple[Declared, ...]:
    """Return what may make the difference: what the item reads, its namesake, what else the other policy changed."""
    read = _reads(item)
    points = {point for point, _ in spots(item)}
    nearby = [one for declared in (policy, other) for one in _declared(declared) if read.intersection(_names(one))]
    nearby += [one for one in _speakers(other) if getattr(one, "id", "") == getattr(item, "id", None)]
    changed = [one for one in foreign if not isinstance(one, Speaker) or points & {point for point, _ in spots(one)}]
    return tuple({id(one): one for one in (*nearby, *changed[:_NEAR]) if one is not item}.values())


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
        content = _content(one)
        if isinstance(one, tree.CheckedRule) and one.id not in named:
            content = _content(one, ("id",))
        own = waived.get(one.id, []) if isinstance(one, tree.CheckedRule | tree.CheckedLimit) else []
        by_length[id(one)] = (type(one).__name__, content, repr(own))
    return by_length


def _named(policy: tree.CheckedPolicy) -> set[str]:
    """Return the rules whose refusals are asked for by name."""
    names = {str(atom.pattern) for limit in policy.limits for atom in limit.atoms if atom.kind == "refused"}
    for condition in conditions(policy):
        for node in below(condition.expr):
            names.update(str(atom.pattern) for atom in atoms(node) if atom.kind == "refused")
    return names


def _content(node: object, without: tuple[str, ...] = ()) -> object:
    """Return a value that is equal for declarations that say the same."""
    if isinstance(node, tree.Expr):
        return key(node, {})
    if isinstance(node, tuple):
        return tuple(_content(part) for part in node)
    if is_dataclass(node) and not isinstance(node, type):
        names = [one.name for one in fields(node) if one.name not in _UNCOMPARED and one.name not in without]
        return tuple((name, _content(getattr(node, name))) for name in names)
    return repr(node)


def _moved(
    policy: tree.CheckedPolicy,
    other: tree.CheckedPolicy,
    keys: dict[int, tuple[object, ...]],
    others: dict[int, tuple[object, ...]],
) -> frozenset[str]:
    """Return what declarations read of each other (`mode.x`, `refused x`) and is not the same in both policies."""
    mine, theirs = frozenset(keys.values()), frozenset(others.values())
    changed: set[str] = set()
    for declared, known, same in ((policy, keys, theirs), (other, others, mine)):
        changed.update(name for one in _declared(declared) if known[id(one)] not in same for name in _names(one))
    while True:
        more = {
            name
            for declared in (policy, other)
            for one in _declared(declared)
            if _reads(one) & changed
            for name in _names(one)
        }
        if more <= changed:
            return frozenset(changed)
        changed |= more


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
    return {name for one in fields(item) if one.name not in _UNCOMPARED for name in _read_by(getattr(item, one.name))}


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


# ---- what the other policy covers ----------------------------------------------------------------------------------


def _uncovered(
    rules: list[tree.CheckedRule],
    other: tree.CheckedPolicy,
    foreign: list[Declared],
    moved: frozenset[str],
    entails: Entails | None,
) -> dict[int, tuple[Clause, ...]]:
    """Return the ways of each rule in which no rule of the other policy certainly speaks; too large ones left out."""
    waived = {waiver.rule for waiver in other.waivers}
    able = [one for one in other.rules if one.verdict and not one.shadow and one.id not in waived]
    able = [one for one in able if one.effect is None and not _reads(one) & moved]
    numbered = dict(enumerate((*rules, *able)))
    forms: dict[int, Form] = {}
    for number, rule in numbered.items():
        try:
            forms[number] = rule_form(rule)
        except TooLarge:
            continue
    index = Covering(forms)
    changed = {id(one) for one in foreign}
    few = len(able) <= _FEW
    always = [number for number, one in numbered.items() if number in forms and (few or id(one) in changed)]
    always = always if few else always[:_CHANGED]
    clauses = {}
    for number, rule in enumerate(rules):
        if number not in forms:
            continue
        if _reads(rule) & moved or not rule.verdict:  # no verdict makes up for an effect
            clauses[id(rule)] = tuple(forms[number])
            continue
        left = []
        for clause in forms[number]:
            near = dict.fromkeys(one for one in (*index.implied_by(clause), *always) if one >= len(rules))
            wider = [wide for one in near if is_stronger(numbered[one], rule) for wide in forms[one]]
            if any(clause_implies(clause, wide) for wide in wider) or (entails and entails([clause], wider)):
                continue
            left.append(clause)
        clauses[id(rule)] = tuple(left)
    return clauses


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


def _of(listen: tree.Listen) -> Iterable[tuple[str, str]]:
    if listen.names or not listen.kinds:
        return ((listen.point, ""),)
    return ((listen.point, kind) for kind in listen.kinds)
