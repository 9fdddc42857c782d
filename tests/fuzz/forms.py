"""Policies → which forms of the language they use, and which ones no policy used yet.

A form is a node of the checked tree with the word that tells it from its like: an operator, a field, an atom, a point.
A rule's shape is its tree without names, texts and numbers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from policy_engine.checker import tree
from policy_engine.checker.vocabulary import ATOMS, vocabulary
from policy_engine.model.records import COMMAND, EDIT, FACT_ATTRIBUTES, REDIRECT, TODO
from policy_engine.model.types import PATH
from tests.generated.policies import Item

WORDS = vocabulary()
OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "in", "not_in", "contains", "starts_with", "ends_with", "under",
             "inside", "outside")  # fmt: skip
SHORT = {
    "param": r"^param ", "define with arguments": r"^define \w+ \(", "define +=": r"^define \w+ \+=",
    "on command": r"  on command ", "at NAME": r"  at [a-z_]+ ",
}  # fmt: skip
_LEFT_OUT = ("place", "type", "tests", "title", "message")  # of these nothing depends on the past or the event


class Forms:
    """What the policies that were seen consist of."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.shapes: set[bytes] = set()
        self.items: set[bytes] = set()

    def see(self, policy: tree.CheckedPolicy, items: Iterable[Item]) -> None:
        """A policy, and its items as text; the checker writes the short forms out, so that only the text has them."""
        for generated in items:
            self.items.add(_digest(generated.body))
            self.seen.update(name for name, sign in SHORT.items() if re.search(sign, generated.text))
        for item in (*policy.rules, *policy.limits, *policy.modes, *policy.hooks, *policy.verifies, *policy.waivers):
            found = list(forms_of(item))
            self.seen.update(found)
            self.shapes.add(_digest("\n".join(found)))

    def missing(self) -> list[str]:
        return sorted(known_forms() - self.seen)


def forms_of(node: Any) -> Iterator[str]:
    """The forms of a checked node and of all below it, in their order."""
    if isinstance(node, tuple) and not hasattr(node, "_fields"):
        for part in node:
            yield from forms_of(part)
    elif is_dataclass(node):
        yield from _words(node)
        for field in fields(node):
            if field.name not in _LEFT_OUT:
                yield from forms_of(getattr(node, field.name))


def _words(node: Any) -> list[str]:
    """How the form of one node is called; several, if it says several things at once."""
    match node:
        case tree.FieldRef(name=name):
            if node.key:
                return ["count of a key"]
            return [f"field {'mode' if name[:5] == 'mode.' else 'limit' if name[:6] == 'limit.' else name}"]
        case tree.AttributeRef() | tree.MethodCall():
            return [f"attribute {node.base.type.name}.{node.name}"]
        case tree.Comparison():
            return [f"operator {node.op}", f"compares {node.left.type.name} {node.op} {node.right.type.name}"]
        case tree.Matches():
            return [f"matches {type(node.pattern).__name__}"]
        case tree.Quantified():
            return [f"{node.kind}{'' if node.where is None else ' where'}", f"over {node.source.type.name}"]
        case tree.PredicateCall():
            return [f"predicate {node.function}"]
        case tree.Atom():
            return [f"atom {node.kind}{'' if node.variable is None else ' of a variable'}"]
        case tree.CountOf():
            window = "within" if node.within else "rounds" if node.rounds else "all"
            return [f"count of {window}{' since' if node.since else ''}"]
        case tree.Listen():
            return [f"on {node.point}", *(f"kind {kind}" for kind in node.kinds), *(["named"] if node.names else [])]
        case tree.Effect():
            return [f"timeout {'backoff' if node.backoff_to else 'between' if node.at_most else 'plain'}"]
        case tree.LimitStep():
            return ["at every" if node.every else "at"]
        case tree.CheckedLimit():
            window = " within" if node.within else " rounds" if node.rounds else ""
            return [f"limit {node.measure}{window}", f"fail {node.fail}"]
        case tree.CheckedRule():
            word = "approve" if node.approves else node.verdict or "none"
            return [f"verdict {word}", f"fail {node.fail}", *(["shadow"] if node.shadow else [])]
    return [type(node).__name__]


def known_forms() -> set[str]:
    """Every form that the vocabulary has a word for."""
    called = {"field": set(WORDS.fields) | {"mode", "limit"}, "operator": set(OPERATORS), "on": set(WORDS.points),
              "kind": set(WORDS.kinds), "predicate": set(WORDS.predicates) - {"workspace_changed"},
              "atom": set(ATOMS) | {f"{kind} of a variable" for kind in ("wrote", "read", "deleted", "ran",
                                    "command_success", "command_failure")},
              "fail": {"open", "ask", "closed"},
              "verdict": {"warn", "remind", "ask", "deny", "stop", "approve", "none"},
              "matches": {"GlobPattern", "RegexPattern", "CommandPattern"},
              "timeout": {"plain", "between", "backoff"}}  # fmt: skip
    found = {f"{sort} {word}" for sort, words in called.items() for word in words}
    for record in (COMMAND, TODO, PATH, REDIRECT, EDIT):
        found |= {f"attribute {record.name}.{attribute.name}" for attribute in record.attributes}
    found |= {f"attribute {sort}.{part}" for sort in ("Argument", "Opaque") for part in ("keys", "values")}
    found |= SHORT.keys()
    found |= {f"attribute Fact.{name}" for names in FACT_ATTRIBUTES.values() for name in names}
    found |= {f"{kind}{where}" for kind in ("any", "every", "count") for where in ("", " where")}
    found |= {f"count of {window}{since}" for window in ("all", "within", "rounds") for since in ("", " since")}
    found |= {f"limit {measure}" for measure in ("repeats", "counts", "counts within", "counts rounds")}
    return found | {"at", "at every", "named", "shadow", "And", "Or", "Not", "Else", "Has", "ListOf", "ArgumentRef",
                    "ItemRef", "Measure", "count of a key",
                    "Happened", "Since", "LastOf", "Changed", "CheckedMode", "CheckedHook", "CheckedVerify",
                    "CheckedWaiver", "CheckedStage"}  # fmt: skip


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=8).digest()
