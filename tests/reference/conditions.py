"""A condition of the checked tree → True, False or None (undecided), by the definition of each node."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from itertools import product, zip_longest
from typing import Any

from policy_engine.checker import tree
from policy_engine.filesystem.paths import PathValue, below, under
from policy_engine.history.edited_files import changes_by
from policy_engine.history.goal import is_resumption
from policy_engine.model.regexes import search
from policy_engine.model.types import ARGUMENT
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.shell.patterns import command_matches
from tests.reference.fields import FIELDS, WORDS, attribute, needed, plain
from tests.reference.past import Env, Past, later

Truth = bool | None
UNKNOWN = object()
PERHAPS = object()
"""What counts, if it is touched at all."""


def conjunction(parts: list[Truth]) -> Truth:
    return False if False in parts else None if None in parts else True


def disjunction(parts: list[Truth]) -> Truth:
    return True if True in parts else None if None in parts else False


def negation(part: Truth) -> Truth:
    return None if part is None else not part


def known(members: Any) -> Any:
    """The members of a list; UNKNOWN in the place of those that nobody knows, if it is open."""
    try:
        yield from members
    except Undecided:
        yield UNKNOWN


class Conditions(Past):
    """What conditions come to at the event at hand; `doubting`, with what commands perhaps touch touched or not."""

    doubting = False

    def speaking(self, truth: Callable[[], Truth]) -> Truth:
        """What makes a rule speak: true if it is with all that is perhaps touched, else what it is either way."""
        return truth() or self.surely(truth)

    def surely(self, truth: Callable[[], Truth]) -> Truth:
        """Whether it is so, touched or not."""
        self.doubting = True
        try:
            return truth()
        finally:
            self.doubting = False

    def listed(self, found: Any) -> Any:
        """A list of paths as it is to be read."""
        paths = found if self.doubting and type(found) in (list, tuple) else ()  # no open list of texts
        if any(getattr(one, "perhaps", "") for one in paths):
            return tuple(one.doubted for one in found)
        return found

    def truth(self, node: tree.Expr, env: Env) -> Truth:
        try:
            match node:
                case tree.And():
                    return conjunction([self.truth(part, env) for part in node.operands])
                case tree.Or():
                    return disjunction([self.truth(part, env) for part in node.operands])
                case tree.Not():
                    return negation(self.truth(node.operand, env))
                case tree.Quantified(kind="any"):
                    return disjunction(self.members(node, env))
                case tree.Quantified(kind="every"):
                    return conjunction(self.members(node, env))
            value = self.value(node, env)
        except Undecided:
            return None
        assert value is True or value is False, node
        return bool(value)

    def members(self, node: tree.Quantified, env: Env) -> list[Any]:
        parts: list[Any] = []
        source = self.value(node.source, env)
        if node.source.type == ARGUMENT:
            needed(source, list | tuple)
        for member in known(source):
            if member is UNKNOWN:
                parts.append(None)
                continue
            part = self.truth(node.body, {**env, node.binding: member})
            every = node.kind == "every"
            if node.where is not None:
                where = self.truth(node.where, {**env, node.binding: member})
                part = disjunction([negation(where), part]) if every else conjunction([where, part])
            number = getattr(member, "number", "")  # a member that stands for none or several settles nothing
            if number == "maybe" and node.kind == "count":
                part = PERHAPS if part else part
            elif (number in ("any", "maybe") or (number and node.kind == "count")) and part is not every:
                part = None
            parts.append(part)
        return parts

    def value(self, node: Any, env: Env) -> Any:
        """The value of an expression. Raises Undecided, for an absent one too."""
        found = self.raw(node, env)
        return needed(None) if found is ABSENT else found

    def raw(self, node: Any, env: Env) -> Any:
        """As value, but ABSENT where it is absent."""
        match node:
            case tree.And() | tree.Or() | tree.Not() | tree.Quantified(kind="any" | "every"):
                return needed(self.truth(node, env))
            case tree.Quantified():
                return needed(None if len(found := self.numbers(node, env)) > 1 else found[0])
            case tree.Constant():
                return node.value
            case tree.ListOf():
                return [self.value(item, env) for item in node.items]
            case tree.FieldRef():
                return self.count_of_key(node, env) if node.key else self.listed(self.field(node.name))
            case tree.ArgumentRef():
                args = self.field("tool.args")
                return args if args is ABSENT else args.get(node.key, ABSENT)
            case tree.ItemRef():
                found = self.raw(node.base, env)
                for key in node.keys:
                    if found is ABSENT or found is None:
                        return ABSENT
                    found = needed(found, dict).get(key, ABSENT)
                return found
            case tree.Measure():
                return needed(None if len(found := self.numbers(node, env)) > 1 else found[0])
            case tree.Variable():
                return env[node.binding]
            case tree.AttributeRef():
                base = self.raw(node.base, env)
                if node.name in ("keys", "values") and node.base.type.name in ("Argument", "Opaque"):
                    return ABSENT if base is ABSENT or base is None else list(getattr(needed(base, dict), node.name)())
                return base if base is ABSENT else self.listed(attribute(base, node.name))
            case tree.MethodCall():
                return getattr(self.value(node.base, env), node.name)(*node.arguments)
            case tree.Else():
                found = self.raw(node.value, env)
                return self.value(node.default, env) if found is ABSENT else found
            case tree.Has():
                return self.raw(node.value, env) is not ABSENT
            case tree.Comparison():
                sides = product(self.numbers(node.left, env), self.numbers(node.right, env))
                answers = {self.compare(node.op, left, right) for left, right in sides}
                return needed(None if len(answers) > 1 else answers.pop())
            case tree.Matches():
                return self.matches(self.value(node.subject, env), node.pattern)
            case tree.PredicateCall():
                first = self.needed_by(node)
                arguments = [self.value(argument, env) for argument in node.arguments]
                return getattr(importlib.import_module(node.module), node.function)(first, *arguments)
            case tree.Happened():
                return later(self.mark(node.atoms, env, True), (0, 0))
            case tree.Since():
                return later(self.mark(node.left, env, True), self.mark(node.right, env, False))
            case tree.CountOf():
                return self.count_of(node, env)
            case tree.LastOf():
                sure, possible = self.mark(node.atoms, env, False)
                found = [(at, fact) for atom in node.atoms for at, _, fact in self.meanings(atom, env) if at == sure]
                return needed(None) if possible > sure else found[-1][1] if sure else ABSENT
            case tree.Changed():
                return self.changed(node.glob)
        raise AssertionError(node)

    def numbers(self, node: tree.Expr, env: Env) -> list[Any]:
        """What it may come to: more than one value only where members are counted that are perhaps none."""
        if isinstance(node, tree.Quantified) and node.kind == "count":
            parts = self.members(node, env)
            sure, most = parts.count(True), parts.count(True) + parts.count(PERHAPS)
            return list(needed(None) if None in parts else range(sure, most + 1))
        if not isinstance(node, tree.Measure):
            return [self.value(node, env)]
        value = self.value(node.base, env)
        if node.name == "lines":
            return [len(needed(value, str).removesuffix("\n").split("\n")) if value != "" else 0]
        members = list(value) if isinstance(value, tuple) else needed(value, (str, list, dict))
        stand_for = [getattr(one, "number", "") for one in members]
        if set(stand_for) - {"", "maybe"}:
            return list(needed(None))
        return list(range(len(members) - stand_for.count("maybe"), len(members) + 1))

    def compare(self, op: str, left: Any, right: Any) -> bool:
        match op:
            case "==" | "!=":
                return self.equal(left, right) is (op == "==")
            case "in" | "not_in":
                return self.among(left, right) is (op == "in")
            case "contains" if isinstance(left, list | tuple):
                doubts = getattr(left, "doubts", {})
                return self.among(right, left) or needed(None if right in doubts else False)
            case "contains":
                return needed(right, str) in needed(left, str)
            case "starts_with":
                return bool(needed(left, str).startswith(needed(right, str)))
            case "ends_with":
                return bool(needed(left, str).endswith(needed(right, str)))
            case "under" | "outside":
                return under(self.path(left).place, self.place(right)) is (op == "under")
            case "inside":
                return below(self.path(left).place, self.place(right))
        for side in (left, right):
            needed(side, float if isinstance(side, float) else int)
        return bool({"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[op])

    def equal(self, left: Any, right: Any) -> bool:
        if isinstance(left, PathValue) or isinstance(right, PathValue):
            return self.place(left) == self.place(right)
        if isinstance(left, list | tuple) and isinstance(right, list | tuple):
            return self.equal_lists(left, right)
        return bool(left == right) and isinstance(left, bool) is isinstance(right, bool)

    def equal_lists(self, left: Any, right: Any) -> bool:
        """Pair by pair; an open list may end in doubt, and a member may stand for none or several."""
        doubt = False
        for pair in zip_longest(left, right, fillvalue=UNKNOWN):
            numbers = [getattr(one, "number", "") for one in pair]
            if UNKNOWN in pair:
                if {"any", "maybe"}.isdisjoint(numbers):
                    return False
                doubt = True
            elif any(numbers):
                return needed(None)
            elif not self.equal(*pair):
                return False
        return needed(None) if doubt else True

    def among(self, value: Any, choices: Any) -> bool:
        """Whether one of them is the value; undecided if only an unknown one may be."""
        parts: list[Truth] = []
        for choice in known(choices):
            try:
                same = choice is not UNKNOWN and self.equal(value, choice)
                maybe = getattr(choice, "number", "") in ("any", "maybe")
                parts.append(None if choice is UNKNOWN or (same and maybe) else same)
            except Undecided:
                parts.append(None)
        return needed(disjunction(parts))

    def path(self, value: Any) -> PathValue:
        return (
            value
            if isinstance(value, PathValue)
            else self.filesystem.resolve(needed(value, str), self.filesystem.workspace)
        )

    def place(self, value: Any) -> str:
        return self.path(value).real

    def matches(self, subject: Any, pattern: Any) -> bool:
        match pattern:
            case tree.GlobPattern():
                return subject != "" and self.filesystem.matches(
                    tuple(pattern), self.path(subject)
                )  # no text is no path
            case tree.RegexPattern():
                if isinstance(subject, PathValue) and subject.loose:
                    return search(tuple(pattern), subject.text.replace("…", "0"))
                if isinstance(subject, PathValue) and not subject.known and "…" in subject.text:
                    known = subject.text.split("…")[0]
                    ends = any(mark in pattern.pattern for mark in ("$", "\\b", "\\B", "\\z"))
                    if ends or not search(tuple(pattern), known):
                        needed(subject.real, str)  # raises: what is not known may decide
                return search(tuple(pattern), needed(str(subject) if isinstance(subject, PathValue) else subject, str))
            case _:
                return command_matches(tuple(pattern), subject, self.filesystem)

    def needed_by(self, call: tree.PredicateCall) -> Any:
        """What a predicate's module is given first."""
        match call.needs:
            case "filesystem":
                return self.filesystem
            case "file_changes":
                return ABSENT if self.field("content") is ABSENT else changes_by(self.event, self.filesystem)
            case field:
                return self.field(field)

    def field(self, name: str) -> Any:
        """A field; ABSENT where this point or tool kind has none."""
        if name.startswith("mode."):
            return self.mode(name[5:])
        if name.startswith("limit."):
            own = [entry for entry in self.counted.get(name[6:-6], []) if entry.agent == self.agent]
            seen = [entry for entry in own if not self.counting or entry.at < self.now.number]
            limit = next((one for one in self.policy.limits if one.id == name[6:-6]), None)
            if not seen or limit is None or not (limit.within or limit.rounds):
                return seen[-1].count if seen else 0
            return self.inside(limit, [entry for entry in seen if entry.key == seen[-1].key and entry.happens])
        kinds = WORDS.fields[name].kinds
        lacks = kinds is not None and not set(self.event.tool_kinds) & set(kinds)
        if self.event.hook not in WORDS.having[name] or lacks:
            return ABSENT
        return FIELDS[name](self)

    def count_of_key(self, node: tree.FieldRef, env: Env) -> int:
        """How often a limit counted the key that is asked for; a window ends now."""
        name, key = node.name[6:-6], [plain(self.raw(part, env)) for part in node.key]
        limit = next(one for one in self.policy.limits if one.id == name)
        same = [entry for entry in self.counted[name] if entry.agent == self.agent and entry.key == key]
        return self.inside(limit, [entry for entry in same if entry.happens])

    def inside(self, limit: tree.CheckedLimit, entries: list[Any]) -> int:
        """How many of them lie in the limit's window that ends now."""
        if limit.within or limit.rounds:
            time, rounds = needed(self.event.time), self.rounds(self.agent, self.now.number)
            entries = [entry for entry in entries if not limit.rounds or entry.rounds > rounds - limit.rounds]
            entries = [entry for entry in entries if not limit.within or time - entry.time <= limit.within]
        return len(entries)

    def sent(self, name: str) -> Any:
        """What the host said last."""
        said = [getattr(past.event, name) for past in self.past]
        return next((value for value in reversed(said) if value is not None), None)

    def sent_by_part(self, name: str) -> dict[str, Any]:
        """What the host said of each part of a record, last."""
        parts = [getattr(past.event, name) or {} for past in self.past]
        return {key: value for part in parts for key, value in part.items()}

    def goal(self) -> dict[str, Any]:
        """What the host calls the goal; if it never did, the latest prompt that asks for something."""
        texts = [past.event.prompt or "" for past in self.past if past.event.hook == "prompt"]
        prompts = [{"text": text} for number, text in enumerate(texts) if not (number and is_resumption(text))]
        found = self.sent("goal")
        return found if found is not None else [{}, *prompts][-1]

    def result(self, name: str, kind: Any) -> Any:
        return needed(needed(self.event.result).get(name), kind)
