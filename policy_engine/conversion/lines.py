"""Convert a command line of another system to a command pattern or an argv, or say why it is neither.

Only lines that every shell reads alike are taken: plain words, quotes that hide nothing, `&&`, `cd` before a command.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from policy_engine.conversion.writing import Inexpressible, literal, quoted
from policy_engine.model.undecided import Undecided
from policy_engine.shell.dialects import parse_script
from policy_engine.shell.patterns import decides
from policy_engine.shell.tree import AndOr, Assignment, Simple, Text, Word

_MARKS = "$`*?[{<>"  # what a word may expand through

# Words that only a shell knows: there is no program of that name to start.
_SHELL_ONLY = frozenset(
    (
        "cd . source : exit return export set unset eval exec trap ulimit umask alias unalias shift read wait jobs fg "
        "bg local declare typeset readonly let pushd popd dirs shopt enable builtin command hash break continue times "
        "if then else elif fi for while until do done case esac in function select time coproc { } ! [["
    ).split()
)


@dataclass(frozen=True, slots=True)
class Step:
    """One command of a line: its words, the folder below the workspace that it runs in, the assignments before it."""

    words: tuple[str, ...]
    folder: str = ""
    assignments: tuple[str, ...] = ()

    def pattern(self, rest: str = "") -> str:
        """`command(…)`; `rest` is a token for what may follow. Raises Inexpressible."""
        tokens = [*map(_token, self.words), *([rest] if rest else [])]
        inside = f", in: {literal(self.folder)}" if self.folder else ""
        return f"command({literal(' '.join(tokens))}{inside})"

    @property
    def deciding(self) -> tuple[str, ...]:
        """The assignments that patterns do not leave out, as they decide what runs."""
        return tuple(item for item in self.assignments if decides(item.partition("=")[0]))


def steps_of(line: str) -> list[Step]:
    """Return the commands of a line joined by `&&`; none if it only assigns. Raises Inexpressible."""
    steps: list[Step] = []
    folder = ""
    for assignments, rest in _parts(line):
        if rest[:1] == ("cd",):
            folder = _folder(folder, rest, line)
        elif rest:
            steps.append(Step(rest, folder, assignments))
    if folder and not steps:
        raise Inexpressible(f"{quoted(line)} runs no command")
    return steps


def line_of(steps: Sequence[Step]) -> str:
    """Return a line that runs the steps one after the other, as `steps_of` reads it."""
    parts: list[str] = []
    folder = ""
    for step in steps:
        if step.folder != folder:
            parts.append(f"cd {step.folder.removeprefix(folder).lstrip('/')}")
            folder = step.folder
        parts.append(" ".join(map(shlex.quote, step.words)))
    return " && ".join(parts)


def argv_of(line: str) -> list[str]:
    """Return the argv that a line without anything of a shell stands for. Raises Inexpressible."""
    try:
        parts = _parts(line)
        if len(parts) > 1:
            raise Inexpressible("`&&` needs a shell")
        assignments, words = parts[0]
        if assignments:
            raise Inexpressible(f"the assignment {quoted(assignments[0])} needs a shell")
        if words[0] in _SHELL_ONLY:
            raise Inexpressible(f"{quoted(words[0])} is a word of the shell, and no program")
    except Inexpressible as needed:
        raise Inexpressible(f"the command {quoted(line)} needs a shell, and a hook has none: {needed}") from None
    return list(words)


def argv_text(words: list[str]) -> str:
    """`["…", "…"]`. Raises Inexpressible."""
    return f"[{', '.join(map(literal, words))}]"


def _parts(line: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Assignments and words of each command of a line joined by `&&`. Raises Inexpressible."""
    if "~" in line:
        raise Inexpressible("`~` is expanded by a shell")
    if "\n" in line.strip() or not line.strip():
        raise Inexpressible("it has several lines" if line.strip() else "it is empty")
    try:
        items = parse_script(line).items
    except Undecided as problem:
        raise Inexpressible(str(problem)) from None
    command, background = items[0]
    if len(items) != 1 or background:
        raise _shells(line[command.end :].lstrip()[:1])
    commands = list(command.items) if isinstance(command, AndOr) else [("", command)]
    parts = []
    for operator, part in commands:
        if operator == "||" or not isinstance(part, Simple) or part.redirections:
            raise _shells(_first_mark(part.text, "|&;<>(){}!"))
        assignments = tuple(_assignment_text(one) for one in part.assignments)
        parts.append((assignments, tuple(_word_text(one) for one in part.words)))
    return parts


def _first_mark(text: str, marks: str) -> str:
    return next((char for char in text if char in marks), text)


def _shells(text: str) -> Inexpressible:
    return Inexpressible(f"{quoted(text)} means something to a shell")


def _assignment_text(assignment: Assignment) -> str:
    if assignment.appends or assignment.subscript is not None or assignment.elements is not None:
        raise _shells(_first_mark(assignment.text, "+[("))
    return f"{assignment.name}={_plain_text(assignment.value, assignment.text)}"


def _word_text(word: Word | Assignment) -> str:
    return _assignment_text(word) if isinstance(word, Assignment) else _plain_text(word.parts, word.text)


def _plain_text(parts: tuple[object, ...], written: str) -> str:
    """Return the text of a word in which nothing is expanded. Raises Inexpressible."""
    for part in parts:
        if not isinstance(part, Text) or (not part.quoted and set(_MARKS) & set(part.text)):
            raise _shells(_first_mark(written, _MARKS))
    return "".join(part.text for part in parts if isinstance(part, Text))


def _folder(before: str, words: tuple[str, ...], line: str) -> str:
    """Return the folder after a `cd`, relative to the workspace."""
    target = words[1] if len(words) == 2 else ""
    parts = [part for part in target.split("/") if part not in ("", ".")]
    if not target or target[0] in "/-" or ".." in parts or set("*?[]{}") & set(target):
        raise Inexpressible(f"the folder of {quoted(line)} is not known to lie in the workspace")
    return "/".join([*before.split("/"), *parts]).strip("/")


def _token(word: str) -> str:
    """Return a word as a token of a pattern that stands for nothing but itself."""
    if not word:
        return "''"
    if "*" in word or word == "...":
        raise Inexpressible(f"the word {quoted(word)} would mean more than itself in a command pattern")
    if not set(" '\"") & set(word):
        return word
    quote = next((mark for mark in "'\"" if mark not in word), "")
    if not quote:
        raise Inexpressible(f"the word {quoted(word)} holds both sorts of quotes")
    return f"{quote}{word}{quote}"
