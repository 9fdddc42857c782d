"""Extract a rule's discriminating literals: what an event must show for the rule to give a verdict.

A key is (group, values): if the group's reading of the event hits none of the values, the condition is decidedly false,
whatever else is unknown. One group may offer several sets of values; each alone is a sound key. Groups are taken from
top-level conjuncts only (the soundness argument of index slicing); `or` keeps a group that all branches share. Groups
are plain tuples: (kind, Python source of the reading).
"""

from __future__ import annotations

import re._constants as code  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]

from policy_engine.checker import tree
from policy_engine.checker.tree import RegexPattern
from policy_engine.compiler.command_keys import command_keys, constants, is_sign, smallest, widest
from policy_engine.compiler.emit import Emitter
from policy_engine.filesystem.globs import literal_prefix
from policy_engine.model.types import ListType

Group = tuple[str, str]
Values = frozenset[object]
Keys = dict[Group, tuple[Values, ...]]

_GROUPS = {"==": "equal", "in": "equal", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "starts_with": "prefix",
           "contains": "literal"}  # fmt: skip
_FLIPPED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_SWAPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
ANY_PATH = EVERYWHERE = ""  # a folder that may hold any path, a text that every text holds


def rule_keys(rule: tree.CheckedRule, emitter: Emitter) -> Keys:
    """Return every key of `when and not unless and not require`; any one of them is a sound index."""
    keys: Keys = {}
    _merge(keys, _keys(rule.when, True, emitter))
    _merge(keys, _keys(rule.unless, False, emitter))
    _merge(keys, _keys(rule.require, False, emitter))
    return keys


def _merge(keys: Keys, more: Keys) -> None:
    """Both hold: either's keys will do."""
    for group, choices in more.items():
        keys[group] = keys.get(group, ()) + choices


def _keys(node: tree.Expr | None, wanted: bool, emitter: Emitter) -> Keys:
    """Keys that must hit for the node to be `wanted` or undecided."""
    match node:
        case tree.Not():
            return _keys(node.operand, not wanted, emitter)
        case tree.And() | tree.Or():
            parts = [_keys(part, wanted, emitter) for part in node.operands]
            return _both(parts) if isinstance(node, tree.And) is wanted else _either(parts)
        case tree.Comparison():
            return _comparison(node, wanted, emitter)
        case tree.Matches() if wanted:
            return _matches(node, emitter)
        case tree.Quantified(kind="any") if wanted:
            return _members(node, True, emitter)
        case tree.Quantified(kind="every") if not wanted:
            return _members(node, False, emitter)
        case _:
            return {}


def _both(parts: list[Keys]) -> Keys:
    keys: Keys = {}
    for part in parts:
        _merge(keys, part)
    return keys


def _either(parts: list[Keys]) -> Keys:
    """One of them holds: a group that all share, with the rarest choice of each."""
    shared = set(parts[0]).intersection(*parts[1:])
    return {group: (frozenset().union(*(max(part[group], key=_rare) for part in parts)),) for group in shared}


def _rare(values: Values) -> tuple[int, float]:
    return -len(values), sum(rarity(value) for value in values if isinstance(value, str))


def _reading(node: tree.Expr, emitter: Emitter) -> str:
    """Return the source of a field's raw value (ABSENT if absent: a guard elsewhere silences the rule), or ""."""
    match node:
        case tree.FieldRef() if not node.name.startswith(("mode.", "limit.")):
            return emitter.field(node.name)
        case tree.ArgumentRef():
            return f"e.tool_args.get({node.key!r}, ABSENT)"
        case tree.Else(value=tree.FieldRef() | tree.ArgumentRef(), default=tree.Constant()):
            return emitter.plain(node)
        case _:
            return ""


def _comparison(node: tree.Comparison, wanted: bool, emitter: Emitter) -> Keys:
    left, right, op = node.left, node.right, node.op
    if isinstance(left, tree.Constant) and op in _SWAPPED:
        left, right, op = right, left, _SWAPPED[op]
    if not wanted:
        if op not in _FLIPPED and op != "not_in":
            return {}
        op = "in" if op == "not_in" else _FLIPPED[op]
    reading = _reading(left, emitter)
    if not reading or left.type.name == "Path" or isinstance(left.type, ListType):
        return {}
    group, values = _GROUPS.get(op), constants(right)
    if group is None or values is None or (EVERYWHERE in values and group != "equal"):
        return {}
    return {(group, reading): (values,)}


def _matches(node: tree.Matches, emitter: Emitter) -> Keys:
    reading = _reading(node.subject, emitter)
    if reading and isinstance(node.pattern, tree.GlobPattern):
        keys = frozenset(_folder(text) for text in node.pattern.include)
        return {} if ANY_PATH in keys else {("place", reading): (keys,)}
    if not reading or not isinstance(node.pattern, tree.RegexPattern) or node.subject.type.name == "Path":
        return {}
    literals, folded = required_literals(node.pattern)
    return (
        {("folded" if folded else "literal", reading): tuple(frozenset((text,)) for text in literals)}
        if literals
        else {}
    )


def _members(node: tree.Quantified, wanted: bool, emitter: Emitter) -> Keys:
    """Keys of a quantifier over `commands` (compiler/command_keys.py) or `paths` (the glob's literal folder)."""
    source = node.source
    if not isinstance(source, tree.FieldRef) or source.name not in ("commands", "paths"):
        return {}
    commands = source.name == "commands"
    parts = [(node.body, wanted)] if node.where is None else [(node.body, wanted), (node.where, True)]
    if commands:
        keys = command_keys(parts, node.binding)
    else:
        keys = smallest([_folder_keys(part, node.binding, sign) for part, sign in parts])
    if keys is None or ANY_PATH in keys:
        return {}
    group = "folder" if not commands else "sign" if any(map(is_sign, keys)) else "program"
    return {(group, emitter.field(source.name)): (keys,)}


def _folder_keys(node: tree.Expr, binding: int, wanted: bool) -> frozenset[object] | None:
    """Literal folders (relative or absolute) of which one must hold a path for the member to count, or None."""
    match node:
        case tree.Not():
            return _folder_keys(node.operand, binding, not wanted)
        case tree.And() | tree.Or():
            parts = [_folder_keys(part, binding, wanted) for part in node.operands]
            return smallest(parts) if isinstance(node, tree.And) is wanted else widest(parts)
        case tree.Matches(
            subject=tree.Variable(binding=number)
            | tree.AttributeRef(base=tree.Variable(binding=number), name="any_part" | "every_part"),
            pattern=tree.GlobPattern() as pattern,
        ) if wanted and number == binding:
            return frozenset(_folder(text) for text in pattern.include)
        case _:
            return None


def _folder(glob: str) -> str:
    """Return the literal folder of a glob; that of a home-relative glob is not known before the event."""
    return ANY_PATH if glob.startswith("~") else literal_prefix(glob)


# ---- literals of regular expressions ---------------------------------------------------------------------------------
# RE2 syntax is close to Python's; where Python's own parser does not understand a pattern there is no literal and the
# rule is simply not indexed. Never wrong, at worst slow.

CHOICES = 4
# Python's parser reads `[[:alpha:]]` as a set and a bracket, and warns of these other doubtful sets.
_DOUBTFUL = ("[[", "[:", "--", "&&", "||", "~~")
_COMMON = " etaoinshrdlucmfwypvbgk./_-"


def required_literals(pattern: RegexPattern) -> tuple[tuple[str, ...], bool]:
    """(literals, folded): `folded` literals are compared case-folded on both sides; the rarest ones first."""
    first_set = pattern.pattern.find("[")
    if first_set >= 0 and any(sign in pattern.pattern[first_set:] for sign in _DOUBTFUL):
        return (), False
    try:
        parsed = parser.parse(pattern.pattern)
    except Exception:  # any parser failure only costs the index
        return (), False
    folded = pattern.ignore_case or bool(parsed.state.flags & code.SRE_FLAG_IGNORECASE)
    runs = _runs(parsed)
    if folded:
        runs = [run for run in runs if run.isascii()]
    runs.sort(key=rarity, reverse=True)
    return tuple(run.casefold() if folded else run for run in runs[:CHOICES]), folded


def rarity(text: str) -> float:
    """Higher is rarer: long texts and uncommon characters."""
    return sum(1.0 + (_COMMON.find(char) if char in _COMMON else 30) / 10 for char in text.lower())


def _runs(sequence: object) -> list[str]:
    """Maximal literal runs that every match of the sequence contains."""
    runs: list[str] = []
    current = ""
    for operator, argument in sequence:  # type: ignore[attr-defined]
        if operator is code.LITERAL:
            current += chr(argument)
            continue
        inner: list[str] = []
        if operator is code.SUBPATTERN and not argument[1] and not argument[2]:
            inner = _runs(argument[3])
        elif operator in (code.MAX_REPEAT, code.MIN_REPEAT) and argument[0] >= 1:
            inner = _runs(argument[2])
        elif operator is code.AT:
            continue
        runs.extend((current, *inner))
        current = ""
    runs.append(current)
    return [run for run in runs if run]
