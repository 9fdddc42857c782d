"""What a disguise is: a function that writes a shell line in another way that does the same, or says that it cannot.

A member of the family is a file with `DISGUISES`, functions by name, and perhaps `NEEDS`: the programs that a shell
must find to show that the disguise of this name keeps the meaning.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from random import Random
from typing import NamedTuple


class Place(NamedTuple):
    """Where a line runs: the folder of its programs, the folder it starts in, and the home folder."""

    programs: str = "/bin"
    cwd: str = "/workspace"
    home: str = "/home/user"


class Line(NamedTuple):
    """A script; `argv` if it is one simple command of literal words."""

    text: str
    argv: tuple[str, ...] | None = None


Disguise = Callable[[Line, Random, Place], Line | None]

BUILTINS = frozenset(
    (
        "eval exec source . command builtin trap cd pushd popd export declare typeset local readonly "
        "unset read mapfile readarray getopts let shift set shopt hash enable bind umask "
        "ulimit alias unalias exit return logout "
        "break continue time coproc wait jobs fg bg disown type [ [[ ! { ( function if for while until case select"
    ).split()
)
_SPACE = r"[ \t]+"
_PART = r"""[A-Za-z0-9_\-./:=,@+%~]|'[^']*'|"[^"$`\\!]*"|\\[^\nA-Za-z0-9]|\{\}"""
_SIMPLE = re.compile(rf"(?:{_PART})+(?:{_SPACE}(?:{_PART})+)*")
_PLAIN = re.compile(r"[A-Za-z0-9_\-./:,@+%]+")


HERE = Place()


def line_of(text: str, place: Place = HERE) -> Line:
    """The line as it is written, with its words if it is one simple command of literal words."""
    text = text.strip()
    if not _SIMPLE.fullmatch(text) or "~" in text.replace(" ~/", "").replace(" ~ ", ""):
        return Line(text)
    raw = text.replace(" ~/", f" {place.home}/").replace(" ~ ", f" {place.home} ")
    words = tuple(shlex.split(raw))
    if "=" in words[0] or words[0] in BUILTINS or words[0][:1] in ("-", "~"):
        return Line(text)
    return simple(words)


def simple(words: tuple[str, ...]) -> Line:
    """The simple command of these words."""
    return Line(shlex.join(words), words)


def is_plain(word: str) -> bool:
    """Whether no character of the word means anything to the shell."""
    return _PLAIN.fullmatch(word) is not None


def starts_program(line: Line) -> bool:
    """Whether a program can start what the line is."""
    return line.argv is not None and line.argv[0] not in BUILTINS


def one_line(text: str) -> bool:
    """Whether something may follow on the same line."""
    return "\n" not in text and "#" not in text and text.rstrip()[-1:] not in ("&", ";", "\\")


def closed(text: str) -> str:
    """The text and what ends it, so that a closing word may follow."""
    return f"{text}; " if one_line(text) else f"{text}\n"


def grouped(text: str) -> str:
    """One statement that does what the text does."""
    return f"{{ {closed(text)}}}"


def text_quoted(text: str, rng: Random) -> str:
    """One word that stands for the text."""
    forms = [shlex.quote(text)]
    if not set(text) & set('"$`\\!'):
        forms.append(f'"{text}"')
    if text.isascii() and not set(text) & set("\\'"):
        forms.append("$'" + text.replace("\n", "\\n") + "'")
    return rng.choice(forms)


def double_quoted(text: str) -> str:
    """The text in double quotes, with what means something in them escaped."""
    return '"' + "".join(f"\\{char}" if char in '"$`\\' else char for char in text) + '"'


def heredoc(text: str, rng: Random) -> str:
    """A here-document that is exactly the text and a line break: `<<'E'` up to its end, without a last line break."""
    mark = rng.choice(("E", "EOF", "_x_"))
    while mark in text.split("\n"):
        mark += "Z"
    start = rng.choice((f"'{mark}'", f'"{mark}"', f"\\{mark}"))
    return f"<<{start}\n{text}\n{mark}"
