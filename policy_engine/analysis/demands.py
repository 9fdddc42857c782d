"""List what a requirement demands: sets of deeds of which one must happen, with what is true of a call that does it."""

from __future__ import annotations

from dataclasses import dataclass

from policy_engine.analysis import command_language
from policy_engine.analysis.literals import Among, Clause, Exists, Literal, Test, Text, Truth, Words
from policy_engine.analysis.terms import Term
from policy_engine.checker import tree
from policy_engine.model.types import STRING

_FILE_KINDS = {"wrote": ("write", "edit"), "read": ("read",), "deleted": ("shell",)}
_ACCESS = {"wrote": "write", "read": "read", "deleted": "delete"}
_NOUNS = {"wrote": "a write of", "read": "a read of", "deleted": "the deletion of"}
_COMMANDS = ("ran", "command_success", "command_failure")


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that would meet a demand: a command, the touch of a path, the call of a tool.

    A call that does it is of a sort that `listen` names, and every literal of `clause` is true of it. `what` and `text`
    name the deed for people; `is_of_path` tells whether other tools than those of `listen` may do it too.
    """

    what: str
    text: str
    listen: tree.Listen
    clause: Clause
    is_of_path: bool = False


def demands(node: tree.Expr) -> list[list[Deed]]:
    """Sets of deeds: for the condition to hold, of each set one deed must have happened."""
    match node:
        case tree.And():
            return [demand for part in node.operands for demand in demands(part)]
        case tree.Or():
            each = [demands(part) for part in node.operands]
            return [[deed for part in each for deed in part[0]]] if all(each) else []
        case tree.Happened():
            return _any_of(node, node.atoms)
        case tree.Since():
            return _any_of(node, node.left)
        case _:
            return []


def _any_of(node: tree.Expr, atoms: tuple[tree.Atom, ...]) -> list[list[Deed]]:
    actions = []
    for atom in atoms:
        deeds = _deeds(node, atom)
        if not deeds:
            return []
        actions += deeds
    return [actions]


def _deeds(node: tree.Expr, atom: tree.Atom) -> list[Deed]:
    """Return the ways to make an atom true; empty if they are not all known."""
    match atom.pattern:
        case tree.CommandPattern() as pattern if atom.kind in _COMMANDS:
            return [_of_command(node, pattern, tokens) for tokens in pattern.include]
        case tree.GlobPattern(include=include) as glob if atom.kind in _FILE_KINDS:
            return [] if any(text[:1] in "/~" for text in include) else [_of_path(node, atom, glob, t) for t in include]
        case str() as name if atom.kind == "called":
            by_kind = atom.value == "kind"
            listen = tree.Listen("before_tool", (name,), ()) if by_kind else tree.Listen("before_tool", (), (name,))
            return [Deed("the tool", name, listen, _tools(node, listen))]
    return []


def _of_command(node: tree.Expr, pattern: tree.CommandPattern, tokens: tuple[str, ...]) -> Deed:
    listen = tree.Listen("before_tool", ("shell",), ())
    inner: dict[str, Test] = {"#0": Words(tree.CommandPattern((tokens,), pattern.exclude, pattern.cwd))}
    if "*" not in tokens[0] and tokens[0] not in ("...", "-*"):
        inner["#0.program"] = Among(frozenset((tokens[0].rpartition("/")[2],)))
    text = command_language.example(tokens, pattern.exclude)
    return Deed("the command", text, listen, _tools(node, listen) | _member(node, "in commands", inner))


def _of_path(node: tree.Expr, atom: tree.Atom, glob: tree.GlobPattern, text: str) -> Deed:
    listen = tree.Listen("before_tool", _FILE_KINDS[atom.kind], ())
    inner: dict[str, Test] = {
        "#0": Text("glob", tree.GlobPattern((text,), glob.exclude)),
        "#0.access": Among(frozenset((_ACCESS[atom.kind],))),
        "inside(#0, workspace)": Truth(),
    }
    clause = _tools(node, listen) | _member(node, "in paths", inner)
    return Deed(_NOUNS[atom.kind], text, listen, clause, is_of_path=True)


def _tools(node: tree.Expr, listen: tree.Listen) -> Clause:
    """Return that the call is of one of these tools."""
    subject, words = ("tool.kind", listen.kinds) if listen.kinds else ("tool.name", listen.names)
    return _all(node, {subject: Among(frozenset(words))})


def _member(node: tree.Expr, source: str, inner: dict[str, Test]) -> Clause:
    """Return that a list has a member of which these tests are true."""
    return _all(node, {source: Exists(_all(node, inner))})


def _all(node: tree.Expr, tests: dict[str, Test]) -> Clause:
    return frozenset(Literal(Term(name, STRING), test, True, node) for name, test in tests.items())
