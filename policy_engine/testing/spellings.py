"""Other spellings of a shell line: each starts the same commands, so that a policy has to decide it alike.

Spellings of the whole line wrap it; spellings of one command change the words of a command whose text stands once, and
not within quotes, in the line. Two sorts hide a word instead of respelling it: what the word stands for is unknown.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from policy_engine.filesystem.file_system import FileSystem
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import find_program
from policy_engine.programs.invocation import options_before_verb, verb_place
from policy_engine.shell.command import SimpleCommand
from policy_engine.shell.parse import parse

UNKNOWN_WORD = "$UNKNOWN"
_WORD = re.compile(r"""(?:[^\s'"\\|&;<>()`]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][\w.+-]*")
_OF_THE_SHELL = frozenset(
    "! . : [ [[ alias bg builtin case cd command coproc declare dirs disown do done echo enable esac eval exec exit"
    " export false fg fi for function getopts hash help history if in jobs kill let local logout mapfile popd printf"
    " pushd pwd read readarray readonly return select set shift shopt source suspend test then time times trap true"
    " type typeset ulimit umask unalias unset until wait while { }".split()
)
"""What a shell does itself: it has no path, and a wrapper starts another program of the name, or none."""
_FUNCTION = re.compile(r"\(\s*\)|\bfunction\b|\balias\b")
_GIT = ("--no-pager", "-C .", "-c a.b=c")
_HARMLESS = ("-C", "-n", "--config", "--color", "--cwd", "--prefix", "-o", "--context")
"""Options before a verb that take a value and, where a program has them, leave what it does to what."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """Another spelling of a line; `hides` if a word of it is not known any more."""

    name: str
    line: str
    hides: bool = False


_WRAPPINGS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("bash -c", lambda line: f"bash -c {shlex.quote(line)}"),
    ("sh -c", lambda line: f"sh -c {shlex.quote(line)}"),
    ("eval", lambda line: f"eval {shlex.quote(line)}"),
    ("subshell", lambda line: f"( {line}\n)"),
    ("group", lambda line: f"{{ {line}\n}}"),
    ("if", lambda line: f"if true; then {line}\nfi"),
    ("cd", lambda line: f"cd . && {line}"),
    ("after another", lambda line: f"true\n{line}"),
)
"""Spellings of the whole line."""
_PREFIXES = (
    "command", "env A=1", "sudo", "timeout 60", "time", "nice", "nohup", "exec", "stdbuf -o0",
)  # fmt: skip
"""What may stand before a program's name."""


def spellings(line: str, filesystem: FileSystem) -> Iterator[Spelling]:
    """Yield other spellings of a line, each text once."""
    emitted = {line}
    for spelling in _all(line, filesystem):
        if spelling.line not in emitted:
            emitted.add(spelling.line)
            yield spelling


def _all(line: str, filesystem: FileSystem) -> Iterator[Spelling]:
    for name, wrapped in _WRAPPINGS:
        yield Spelling(name, wrapped(line))
    try:
        commands = parse(line, filesystem.workspace, filesystem)
    except Undecided:
        return
    if _FUNCTION.search(line):
        return  # a name may be one of the line's own
    for command in commands:
        if not command.via and not command.in_function and line.count(command.text) == 1:
            before, _, after = line.partition(command.text)
            if not _is_quoted(before):
                yield from _of_command(command, before, after)


def _is_quoted(before: str) -> bool:
    """Return whether a quote, a comment or a document is open behind this beginning of a line."""
    try:
        shlex.split(before)
    except ValueError:
        return True
    return "<<" in before or "#" in before


def _of_command(command: SimpleCommand, before: str, after: str) -> Iterator[Spelling]:
    """Yield the spellings of one command between what stands before and after it."""
    words = [(match.start(), match.end()) for match in _WORD.finditer(command.text)]
    first = next((at for at, (start, _) in enumerate(words) if not _ASSIGNMENT.match(command.text[start:])), None)
    if first is None or not is_known(command.argv[0]):
        return
    start, end = words[first]
    program = command.text[start:end]
    if not _PLAIN_NAME.fullmatch(program) or program != command.argv[0]:
        return
    head, tail = before + command.text[:start], command.text[end:] + after

    def spelled(name: str, word: str, hides: bool = False) -> Spelling:
        return Spelling(name, f"{head}{word}{tail}", hides)

    yield spelled("quotes", f"{program[0]}''{program[1:]}")
    yield spelled("backslash", f"\\{program}")
    yield Spelling("variable", f"X={program}; {head}$X{tail}")
    yield spelled("unknown command", UNKNOWN_WORD, True)
    if program not in _OF_THE_SHELL:
        yield spelled("absolute path", f"/usr/bin/{program}")
        for prefix in _PREFIXES:
            yield spelled(prefix, f"{prefix} {program}")
        for options in _options(command):
            yield spelled(options, f"{program} {options}")
    yield from _with_a_word_hidden(command, words[first + 1 :], before, after)


def _options(command: SimpleCommand) -> tuple[str, ...]:
    """Return options that may stand before the command's verb and change nothing else."""
    known = options_before_verb(command.name)
    try:
        place = verb_place(command.argv)
    except Undecided:
        return ()
    if known is None or place is None or place >= len(command.argv):
        return ()
    if command.name == "git":
        return _GIT
    flags = [name for name, takes in known.items() if not takes][:1]
    valued = sorted((name for name, takes in known.items() if takes), key=lambda name: name not in _HARMLESS)[:1]
    return (*flags, *(f"{name} ." for name in valued))


def _with_a_word_hidden(
    command: SimpleCommand, words: list[tuple[int, int]], before: str, after: str
) -> Iterator[Spelling]:
    """Yield the line with a variable that nothing sets in place of each argument.

    Of a program without a model only what its words name is known: where they name nothing, there is nothing to judge.
    """
    if find_program(command.name) is None:
        return
    for start, end in words:
        word = command.text[start:end]
        if command.text[:start].rstrip()[-1:] in ("<", ">", "&", "|") or "$" in word:
            continue  # the target of a redirection, or a word that may be unknown as it is
        text = f'{before}{command.text[:start]}"{UNKNOWN_WORD}"{command.text[end:]}{after}'
        yield Spelling(f"unknown in place of `{word}`", text, True)
