"""Define a `Reader`, which knows a tool's command and its output.

A member is the file named after the tool with `READER = Reader(...)`. `claims` says whether a command (bare program
name, then its words) is the tool's; `marks` are patterns that only its output has, asked when no command decides;
`find` gives the failures of an `Output` in order of appearance. It may give too many and in any length: `read` bounds
them. Patterns are matched against single cut lines or begin at a line's start, and never backtrack over one another,
so that any output is read in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from policy_engine.model.limits import VERIFY_EXCERPT_CHARS, VERIFY_FAILURES, VERIFY_SUMMARY_CHARS
from policy_engine.verification.failure import Failure
from policy_engine.verification.output import Output, cut, plain

Command = tuple[str, ...]
_LOOKED_AT = 20 * VERIFY_FAILURES  # failures that may be repetitions of one another


@dataclass(frozen=True, slots=True)
class Reader:
    """A tool's reader; a `fallback` is asked when every other one found nothing."""

    name: str
    claims: Callable[[Command], bool]
    marks: tuple[re.Pattern[str], ...]
    find: Callable[[Output], Iterable[Failure]]
    fallback: bool = False

    def read(self, text: str | Output) -> list[Failure]:
        """At most VERIFY_FAILURES failures, without repetitions, each with a bounded summary and excerpt."""
        output = text if isinstance(text, Output) else Output(plain(text))
        return list(islice(_distinct(islice(self.find(output), _LOOKED_AT)), VERIFY_FAILURES))

    def strength(self, text: str) -> int:
        """Return how many of the marks the text bears."""
        return sum(mark.search(text) is not None for mark in self.marks)


def named(*programs: str) -> Callable[[Command], bool]:
    """Claims the commands of these programs."""
    return lambda command: command[0] in programs


def marks(*patterns: str) -> tuple[re.Pattern[str], ...]:
    """Patterns in which `^` and `$` are those of a line."""
    return tuple(re.compile(pattern, re.MULTILINE) for pattern in patterns)


def failure(
    error_class: str,
    summary: str,
    excerpt: Sequence[str] = (),
    file: str | None = None,
    line: str | int | None = None,
    column: str | int | None = None,
) -> Failure:
    """Return a Failure from what a pattern matched; the excerpt is the summary if there is nothing else."""
    number, place = (None if value is None else int(value) for value in (line, column))
    return Failure(error_class, file or None, number, place, " ".join(summary.split()), _joined(excerpt) or summary)


def _joined(lines: Sequence[str]) -> str:
    kept: list[str] = []
    room = VERIFY_EXCERPT_CHARS
    for line in lines:
        room -= len(line) + 1
        kept.append(line)
        if room < 0:
            break
    return "\n".join(kept).strip("\n")


def _distinct(failures: Iterable[Failure]) -> Iterator[Failure]:
    seen: set[tuple[object, ...]] = set()
    for one in failures:
        key = (one.error_class, one.file, one.line, one.column, one.summary)
        if key not in seen:
            seen.add(key)
            excerpt = cut(one.excerpt, VERIFY_EXCERPT_CHARS)
            yield replace(one, summary=cut(one.summary, VERIFY_SUMMARY_CHARS), excerpt=excerpt)


def until(lines: Sequence[str], start: int, stop: Callable[[str], bool], most: int = 60) -> list[str]:
    """Return the line at `start` and those after it, up to the first that stops."""
    end = start + 1
    while end < len(lines) and end - start < most and not stop(lines[end]):
        end += 1
    return list(lines[start:end])


def first_text(lines: Iterable[str]) -> str:
    """Return the first line with something in it, stripped."""
    return next((line.strip() for line in lines if line.strip()), "")
