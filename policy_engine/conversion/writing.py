"""Write the text of a policy from checked declarations, with a list of what could not be declared.

Whatever comes from a source is untrusted: it stands in a policy as a string literal or a comment, and never as code.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from policy_engine.checker.checker import check
from policy_engine.checker.vocabulary import Vocabulary, vocabulary
from policy_engine.model.source import Source
from policy_engine.syntax.parser import parse
from policy_engine.syntax.print_expressions import string_text
from policy_engine.syntax.printer import format_file
from policy_engine.syntax.reading import odd_characters
from policy_engine.syntax.tokens import RESERVED

WIDTH = 110
_ID = re.compile(r"[^a-z0-9]+")
_LONGEST_ID = 60
_LONGEST_MESSAGE = 2000


class Inexpressible(Exception):
    """Something that the language cannot say; the text says why, `rewrite` what to write instead, line by line."""

    def __init__(self, why: str, rewrite: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.rewrite = rewrite


@dataclass(frozen=True, slots=True)
class Problem:
    """A part that the policy does not say: its place (`file:line`), its words, why, and what to write instead."""

    where: str
    what: str
    why: str
    rewrite: str = ""

    @property
    def summary(self) -> str:
        """All but the rewrite, in one line."""
        return f"{self.where}: {self.what}: {self.why}"


@dataclass(frozen=True, slots=True)
class Played:
    """A session as far as it was played, for the source's own system to look at.

    `events` are canonical, the last one is to be decided; `changed` has for each of them the files of the workspace
    that its step changed, `files` are those that are there.
    """

    events: tuple[Mapping[str, Any], ...]
    changed: tuple[frozenset[str], ...]
    files: frozenset[str]


@dataclass(frozen=True, slots=True)
class Original:
    """A rule of the source: the id of the rule made of it, its own words, and whether its own system lets it speak.

    `lines` are shell lines about which it may speak; `meant` says why the rule made of it is weaker on purpose,
    if `only` is not empty where this condition is true. Of a source that lets pass what it knows, other spellings of a
    line (`respelled`) are not tried: it knows none of them, and they start the same.
    """

    rule: str
    words: str
    speaks: Callable[[Played], bool]
    lines: tuple[str, ...] = ()
    meant: str = ""
    only: str = ""
    respelled: bool = True


@dataclass(frozen=True, slots=True)
class Migrated:
    """The text of a policy (of a format that has no rules: the new text of the file), what it does not say, and the
    rules of the source that it can be compared with.
    """

    policy_text: str
    problems: tuple[Problem, ...] = ()
    originals: tuple[Original, ...] = ()


def literal(value: str, braces: bool = False) -> str:
    """Return a string literal; `braces` are a glob's. Raises Inexpressible for characters that no policy may hold."""
    problems = odd_characters(Source("", value))
    if problems:
        raise Inexpressible(f"a policy may not hold its characters: {problems[0].message}")
    return string_text(value) if braces else string_text(value, _escaped(value))


def message(value: str) -> str:
    """Return the string literal of a message that says just this, with everything that hides made visible."""
    text = visible(value)
    text = text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 1] + "…"
    return string_text(text, _escaped(text))


def _escaped(text: str) -> list[int]:
    """Return the characters of a text that are escaped by a backslash and themselves."""
    return [at for at, char in enumerate(text) if char in '{}"\\']


def exactly(value: str) -> str:
    """Return the part of a regex literal that matches just this text."""
    return "".join(char if char.isalnum() or char in "_- " else _regex_character(char) for char in value)


def _regex_character(char: str) -> str:
    return f"\\{char}" if char.isascii() and char.isprintable() else f"\\x{{{ord(char):x}}}"


def layout(text: str) -> str:
    """Return a declaration as `policy fmt` would write it."""
    tree, _ = parse(Source("policy", f"language 1\n{text}\n"))
    return format_file(tree).partition("\n")[2].strip()


def visible(value: str) -> str:
    """Return the text in one line that may stand in any file: nothing in it hides, turns or breaks the line."""
    flat = " ".join(unicodedata.normalize("NFC", value).split())
    shown = "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in flat)
    return unicodedata.normalize("NFC", shown)


def quoted(value: str) -> str:
    """Return the text between backticks, cut to what a line of a comment has room for."""
    text = visible(value).replace("`", "'")
    return f"`{text if len(text) <= 200 else text[:199] + '…'}`"


@cache
def _words() -> Vocabulary:
    return vocabulary()


@dataclass(slots=True)
class Page:
    """A policy that is being written; `origin` is what it is made from, in words."""

    origin: Sequence[str]
    problems: list[Problem] = field(default_factory=list)
    originals: list[Original] = field(default_factory=list)
    _parts: list[str] = field(default_factory=list)
    _ids: set[str] = field(default_factory=set)

    def name(self, *wanted: str) -> str:
        """Return an id that is free: made of the first text that gives one."""
        made = (_ID.sub("-", unicodedata.normalize("NFKD", text).lower()).strip("-") for text in wanted)
        base = next((text for text in made if text), "rule")
        base = (base if base[0].isalpha() else f"rule-{base}")[:_LONGEST_ID].strip("-")
        base = f"{base}-rule" if base in RESERVED else base
        candidate, number = base, 1
        while candidate in self._ids:
            number += 1
            candidate = f"{base}-{number}"
        self._ids.add(candidate)
        return candidate

    def remark(self, *lines: str) -> None:
        """Write a comment of its own."""
        self._parts.append(comment(*lines))

    def declare(self, text: str, *remarks: str) -> None:
        """Write a declaration after its comment. Raises Inexpressible with the checker's words if it would not load."""
        problem = _problem(text)
        if problem:
            raise Inexpressible(problem)
        self._parts.append("\n".join(filter(None, (comment(*remarks), text))))

    def lack(self, where: str, what: str, why: str, rewrite: str = "") -> None:
        """Note that something of the source is not in the policy."""
        self.problems.append(Problem(where, visible(what), visible(why), rewrite))

    @contextmanager
    def item(self, where: str, what: str) -> Iterator[None]:
        """Yield the body writes one thing of the source; if that cannot be said, it is noted."""
        try:
            yield
        except Inexpressible as found:
            self.lack(where, what, found.why, found.rewrite)

    def finish(self) -> Migrated:
        """Return the whole policy."""
        text = "\n\n".join(["language 1", comment(*self.origin), *self._parts, *self._lacking()]) + "\n"
        tree, _ = parse(Source("policy", text))
        return Migrated(format_file(tree), tuple(self.problems), tuple(self.originals))

    def _lacking(self) -> Iterator[str]:
        if self.problems:
            count = len(self.problems)
            yield comment(f"NOT EXPRESSED: {count} {'thing' if count == 1 else 'things'} of the source.")
        for problem in self.problems:
            lines = [comment(problem.summary)]
            if problem.rewrite:
                lines.append(comment("Write instead:"))
                lines += [f"#   {visible_line(line)}".rstrip() for line in problem.rewrite.splitlines()]
            yield "\n".join(lines)


def visible_line(line: str) -> str:
    """Return a line for a comment, its indentation kept."""
    return line[: len(line) - len(line.lstrip(" "))] + visible(line)


def comment(*lines: str) -> str:
    """Comment lines, wrapped."""
    comment_lines: list[str] = []
    for line in lines:
        wrapped = textwrap.wrap(visible(line), WIDTH - 2, break_long_words=False, break_on_hyphens=False)
        comment_lines += [f"# {part}" for part in wrapped]
    return "\n".join(comment_lines)


def _problem(text: str) -> str:
    """Return what is wrong with a declaration that stands alone; empty if nothing is."""
    source = Source("policy", f"language 1\n{text}\n")
    tree, diagnostics = parse(source)
    errors = [item for item in diagnostics if item.severity == "error"]
    if not errors:
        errors = [item for item in check([tree], _words())[1] if item.severity == "error"]
    return errors[0].message if errors else ""


def block(kind: str, name: str, title: str, clauses: Iterable[str], *tests: Sequence[str]) -> str:
    """Return the text of a declaration with its clauses and tests, of which the steps are given."""
    lines = [f"{kind} {name} {message(title)} {{", *clauses]
    for steps in tests:
        if steps:
            lines += ["test {", *steps, "}"]
    return "\n".join([*lines, "}"])
