"""Tell whether a requirement is always met by what another rule certainly refuses.

Everything is about certainty: a demand is a set of deeds of which one must happen; a denial refuses a deed if every
call that does it makes the rule speak, whatever else is true.
"""

from __future__ import annotations

from dataclasses import dataclass

from policy_engine.analysis import command_language, glob_language
from policy_engine.analysis.formula import Form
from policy_engine.analysis.literals import Among, Exists, Literal, Text, Truth, Words
from policy_engine.checker import tree

_FILE_KINDS = {"wrote": ("write", "edit"), "read": ("read",), "deleted": ("shell",)}
_ACCESS = {"wrote": "write", "read": "read", "deleted": "delete"}
_COMMANDS = ("ran", "command_success", "command_failure")
_NOUNS = {
    "command": "the command",
    "write": "a write of",
    "read": "a read of",
    "delete": "the deletion of",
}
_PLACES = ("under(#0, workspace)", "inside(#0, workspace)")


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that would meet a demand: a command, the touch of a path, the call of a tool.

    `kinds` are the tool kinds that a rule must listen to for every such call to reach it.
    """

    kind: str
    kinds: tuple[str, ...]
    tokens: tuple[str, ...] = ()
    left_out: tuple[tuple[str, ...], ...] = ()
    cwd: tree.GlobPattern | None = None
    glob: tree.GlobPattern | None = None
    tool: str = ""

    @property
    def what(self) -> str:
        """Return what sort of deed it is, as a message names it."""
        return _NOUNS.get(self.kind, "the tool")

    @property
    def text(self) -> str:
        """The deed as an example for people, or an empty text."""
        if self.tokens:
            return command_language.example(self.tokens, self.left_out)
        if self.glob is not None:
            return self.glob.include[0]
        return self.tool


def demands(node: tree.Expr) -> list[list[Deed]]:
    """Sets of deeds: for the condition to hold, of each set one deed must have happened."""
    match node:
        case tree.And():
            return [demand for part in node.operands for demand in demands(part)]
        case tree.Or():
            each = [demands(part) for part in node.operands]
            return [[deed for part in each for deed in part[0]]] if all(each) else []
        case tree.Happened():
            return _any_of(node.atoms)
        case tree.Since():
            return _any_of(node.left)
        case _:
            return []


def _any_of(atoms: tuple[tree.Atom, ...]) -> list[list[Deed]]:
    actions = []
    for atom in atoms:
        deeds = _deeds(atom)
        if not deeds:
            return []
        actions += deeds
    return [actions]


def _deeds(atom: tree.Atom) -> list[Deed]:
    """Return the ways to make an atom true; empty if they are not all known."""
    match atom.pattern:
        case tree.CommandPattern(include=include, exclude=exclude, cwd=cwd) if atom.kind in _COMMANDS:
            return [Deed("command", ("shell",), tokens, exclude, cwd) for tokens in include]
        case tree.GlobPattern(include=include, exclude=exclude) if atom.kind in _FILE_KINDS:
            if any(text[:1] in "/~" for text in include):
                return []
            kinds = _FILE_KINDS[atom.kind]
            return [Deed(_ACCESS[atom.kind], kinds, glob=tree.GlobPattern((text,), exclude)) for text in include]
        case str() as name if atom.kind == "called":
            return [Deed("tool kind" if atom.value == "kind" else "tool name", (), tool=name)]
    return []


def refuses(listens: tuple[tree.Listen, ...], form: Form, deed: Deed) -> bool:
    """Return whether a rule with these points and this form certainly speaks at every call that does the deed."""
    return _hears(listens, deed) and any(all(_certain(one, deed) for one in clause) for clause in form)


def _hears(listens: tuple[tree.Listen, ...], deed: Deed) -> bool:
    tools = [listen for listen in listens if listen.point == "before_tool"]
    if any(not listen.kinds and not listen.names for listen in tools):
        return True
    if deed.kind == "tool name":
        return any(deed.tool in listen.names for listen in tools)
    wanted = {deed.tool} if deed.kind == "tool kind" else set(deed.kinds)
    return wanted <= {kind for listen in tools for kind in listen.kinds}


def _certain(literal: Literal, deed: Deed) -> bool:
    """Return whether a literal is true at every call that does the deed."""
    test = literal.test
    if literal.term.key == "tool.name" and isinstance(test, Among):
        return deed.kind == "tool name" and (deed.tool in test.values) is literal.positive
    if literal.term.key == "tool.kind" and isinstance(test, Among):
        kinds = {deed.tool} if deed.kind == "tool kind" else set(deed.kinds)
        return bool(kinds) and (kinds <= test.values if literal.positive else not kinds & test.values)
    if not isinstance(test, Exists) or not literal.positive:
        return False
    if literal.term.key == "in commands" and deed.kind == "command":
        return all(_of_command(one, deed) for one in test.clause)
    if literal.term.key == "in paths" and deed.glob is not None:
        return all(_of_path(one, deed, deed.glob) for one in test.clause)
    return False


def _of_command(literal: Literal, deed: Deed) -> bool:
    if not literal.positive:
        return False
    match literal.test:
        case Words(pattern=pattern):
            folder = pattern.cwd is None or pattern.cwd == deed.cwd
            return folder and command_language.covers_tokens(pattern, deed.tokens, deed.left_out)
        case Among(values=values) if literal.term.key == "#0.program":
            program = deed.tokens[0]
            return "*" not in program and program not in ("...", "-*") and program.rpartition("/")[2] in values
    return False


def _of_path(literal: Literal, deed: Deed, glob: tree.GlobPattern) -> bool:
    match literal.test:
        case Truth():
            return literal.positive and literal.term.key in _PLACES
        case Among(values=values) if literal.term.key == "#0.access":
            return (deed.kind in values) is literal.positive
        case Text(value=tree.GlobPattern() as pattern) if literal.term.key == "#0":
            return literal.positive and glob_language.covers(pattern, glob)
    return False
