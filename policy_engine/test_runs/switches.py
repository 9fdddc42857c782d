"""Find lines that switch tests off which were there before: always, or where something holds.

Read from a difference of git and the files as they are: a line in or at a test that came with it, one that moved with
its test, and one that takes the place of such a line are none of them. Not on the hook path: it is imported when a run
of tests passed.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import NamedTuple

from policy_engine.test_runs.constraints import CONSTRAINT, leaves_out
from policy_engine.test_runs.switch_words import ATTRIBUTE, EXITS, OPTION, Words, language_of, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Any

_PARTLY = re.compile(r"\bmarks\s*=|\?.*:|&&|\|\|")
TEXT = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`(?:\\.|[^`\\])*`")
COMMENT = re.compile(r"\s*(?:#(?!\[)|//|/?\*)")
_CONDITION = re.compile(r"\s*(?:\}\s*)?(?:if|elif|else|unless|for|while|try|except|catch|case|when|match|switch)\b")
_DECORATOR = re.compile(r"\s*(?:@|#\[|\[\w)")
_CLASS = re.compile(r"\s*(?:\w+\s+)*(?:class|module|mod|describe)\b|\s*(?:x|f)?(?:describe|context|suite)\b")
_FUNCTION = re.compile(
    r"^\s*(?:[@#\[]\S+\s+)*(?:\w+\s+)*?(?:def|fn|func|fun|function)\b(?:\s*\([^)]*\))?\s+(\w+|`[^`]+`)"
    r"|^\s*(?:[@#\[]\S+\s+)*(?:public|private|protected|internal|static|final|async|void)\b[\w<>\[\], ]*\s(\w+)\s*\("
    r"|^\s*t\.Run\(\s*\"([^\"]+)"
)
_NAMED = re.compile(r"(?:[xf]?(?:it|test|specify)|testWidgets)\b(?:\.\w+)*(?:\([^()]*\))?\s*\(?\s*(['\"`])(.+?)\1")
_DECLARES = re.compile(
    r"^\s*(?:async\s+|static\s+|public\s+|private\s+)*(?:def\s+(test\w*)|func\s+((?:Test|Fuzz)(?![a-z])\w*)|function\s+(test\w+))"
    r"|^\s*(?:TYPED_)?TEST(?:_F|_P|_CASE)?\(\s*([^()]+)\)"
)
_HUNK = re.compile(r"@@ -\S+ \+(\d+)")
_QUOTES = re.compile(r"\"\"\"|'''")
_ONLY = re.compile(r"\.only\b|(?<![.\w])f(?:it|describe)\(")
_COMMENTED = re.compile(r"\s*/\*|\s*\{-|=begin\b|\s*#\s*if\b")
_ENDS = ((re.compile(r"\s*#\s*if\b"), re.compile(r"\s*#\s*(?:endif|else|elif)\b")),
         (re.compile(r"\s*/\*"), re.compile(r".*\*/")), (re.compile(r"\s*\{-"), re.compile(r".*-\}")),
         (re.compile(r"=begin\b"), re.compile(r"=end\b")))  # fmt: skip
"""How what is left out begins that no indentation and no bracket shows, and how it ends."""
_BY_NAME = re.compile(r"^\s*del\s+(\w+)|(?<![\w.])(\w+)\.__test__\s*=")
_JOINED = 6  # lines of one call
_FAILS = re.compile(r"(?i)fatal|error|fail|raise|throw|assert|expect|panic|require|die\b|flunk")
_LONGEST = 1_000  # characters of a line that are read; a longer one with such words may switch tests off
_LONG = re.compile(r"(?i)skip|todo|\bonly\b|xfail|ignore|disabled|pending|false")
_ABOVE = 12  # lines of attributes


class Change(NamedTuple):
    """Tell what a difference says of one file: the lines that came, by number, each with its part of the difference,
    and the lines that went, by part."""

    path: str
    added: dict[int, tuple[int, str]]
    removed: dict[int, list[str]]


class Switch(NamedTuple):
    """A line that switches off a test that was there before: `always`, or where something holds."""

    path: str
    about: str
    line: str
    always: bool


def changes_of(difference: str, root: str) -> list[Change]:
    """Return what a difference of git without context says of each file, by its path below the root."""
    result: list[Change] = []
    part, number, header, before = 0, 0, False, ""
    for line in difference.split("\n"):
        if line.startswith("diff --git "):
            header = True
        elif header and line.startswith("--- "):
            before = line[4:].partition("/")[2].rstrip("\t")
        elif header and line.startswith("+++ "):
            path = before if line == "+++ /dev/null" else line[4:].partition("/")[2].rstrip("\t")
            result.append(Change(f"{root}/{path}", {}, {}))
        elif hunk := _HUNK.match(line):
            part, number, header = part + 1, int(hunk[1]), False
        elif result and not header and line.startswith("+"):
            result[-1].added[number] = (part, line[1:])
            number += 1
        elif result and not header and line.startswith("-"):
            result[-1].removed.setdefault(part, []).append(line[1:])
    return result


def declared(line: str) -> str:
    """Return the name of the test that a line declares, "" for another line."""
    found = _DECLARES.match(line)
    if found:
        return found[1] or found[2] or found[3] or found[4].replace("DISABLED_", "")
    named = _NAMED.match(line.lstrip())
    return named[2] if named else ""


def switched_off(changes: Sequence[Change], text_of: Callable[[str], str]) -> tuple[list[Switch], list[Switch]]:
    """Return the lines that switch off tests of before, and those that switch off what came with them."""
    gone = Counter[tuple[bool, str]]()
    names = set[str]()
    for change in changes:
        for part, whole in change.removed.items():
            change.removed[part] = lines = [line[:_LONGEST] for line in whole]
            names.update(filter(None, (name_of(lines, at) for at in range(len(lines)))))
            gone.update(
                (kind, _brief(line))
                for line, kind in zip(lines, _kinds(lines, change.path), strict=True)
                if kind is not None
            )
    result: list[Switch] = []
    new: list[Switch] = []
    for change in changes:
        words = words_of(change.path)
        if not any(_may(line, words) for _, line in change.added.values()):
            continue
        lines = cut(text_of(change.path))
        inside = _inside_texts(lines, change.path)
        replaced = {part: Counter(_kinds(lines, change.path)) for part, lines in change.removed.items()}
        for number, (part, line) in change.added.items():
            at = number - 1
            if len(line) > _LONGEST and _LONG.search(line):
                result.append(Switch(change.path, "", _brief(line[:_LONGEST]), False))
                continue
            always = _kind(lines, at, change.path) if at < len(lines) and at not in inside else None
            if always is None:
                continue
            about, old, reached = _about(_File(lines, change.path, change.added, names), at)
            always = always and reached
            there = replaced.get(part, Counter())
            one = Switch(change.path, about, _brief(line), always)
            if not old:
                new.append(one)
            elif not (
                _take(gone, (always, _brief(line))) or _take(there, True) or (not always and _take(there, False))
            ):
                result.append(one)
    return result, new


def _take(counter: Counter[Any], key: Any) -> bool:
    """Take one of these away; return whether there was one."""
    counter[key] -= 1
    return counter[key] >= 0


def _brief(line: str) -> str:
    return " ".join(line.split())


def may_switch(line: str, path: str) -> bool:
    """Return whether a line of a file may switch tests off, whatever stands around it."""
    return (
        EXITS.match(plain := TEXT.sub("''", line[:_LONGEST])) is not None
        or words_of(path).never.search(plain) is not None
    )


def cut(text: str) -> list[str]:
    """Return the lines of a text, none longer than is read."""
    return [line[:_LONGEST] for line in text.split("\n")]


def _may(line: str, words: Words) -> bool:
    line = line[:_LONGEST]
    plain = TEXT.sub("''", line)
    return (
        "parametrize(" in line
        or len(line) == _LONGEST
        or line.rstrip()[-1:] == "("
        or CONSTRAINT.match(line) is not None
        or EXITS.match(plain) is not None
        or OPTION.match(plain) is not None
        or any(pattern.search(plain) for pattern in words)
    )


def _kind(lines: Sequence[str], at: int, path: str, alone: bool = False) -> bool | None:
    """Return whether a line switches tests off always (True) or where something holds (False); None if it does not.

    `alone` is whether the lines are a part of a file, so that what stands around one is not known.
    """
    line, words = TEXT.sub("''", lines[at]), words_of(path)
    if words.never.search(line) or words.wraps.match(line):
        return True if alone or _COMMENTED.match(line) or not COMMENT.match(line) else None
    if CONSTRAINT.match(lines[at]):
        return leaves_out(lines, at)
    if COMMENT.match(lines[at]):
        return None
    if found := EXITS.match(line):
        return found["condition"] is None if alone else _exits(lines, at, path, found["condition"] is not None)
    if found := OPTION.match(line):
        of_test = alone or any(_is_test(lines, block) for block in itertools.islice(_blocks(lines, at), 1))
        return found["always"] is not None if of_test else None
    joined = line
    for more in lines[at + 1 : at + _JOINED]:
        if joined.count("(") <= joined.count(")"):
            break
        joined += " " + TEXT.sub("''", more).strip()
    found = words.always.search(joined)
    if found and found.start() < len(line):
        return not _PARTLY.search(line[: found.start()]) and not _CONDITION.match(line)
    found = words.sometimes.search(joined)
    return False if found and found.start() < len(line) else None


def _exits(lines: Sequence[str], at: int, path: str, conditional: bool) -> bool | None:
    """Return whether a line ends a test before the rest of it: always, or, as its first statement, where something
    holds."""
    blocks = list(_blocks(lines, at))[:3]
    first, outer = at, 0
    if blocks and _CONDITION.match(lines[blocks[0]]):
        first, outer, conditional = blocks[0], 1, True
    if len(blocks) <= outer or not (_is_test(lines, blocks[outer]) or is_marked(lines, blocks[outer], path)):
        return None
    if conditional:
        between = lines[blocks[outer] + 1 : first]
        begins = not any(line.strip() and not COMMENT.match(line) and _QUOTES.match(line.strip()) is None
                         and _indent(line) == _indent(lines[first]) for line in between)  # fmt: skip
        return False if begins and not any(map(_FAILS.search, lines[first:at])) else None
    rest = (lines[number] for number in _within(lines, blocks[0]) if number > at)
    return True if any(_indent(line) == _indent(lines[at]) and not COMMENT.match(line) for line in rest) else None


def _kinds(lines: Sequence[str], path: str) -> list[bool | None]:
    """Return the same of each of some lines that stand together."""
    kinds = [_kind(lines, at, path, True) for at in range(len(lines))]
    return [
        False if kind and any(_CONDITION.match(lines[number]) for number in _blocks(lines, at)) else kind
        for at, kind in enumerate(kinds)
    ]


def _inside_texts(lines: Sequence[str], path: str) -> set[int]:
    """Return the lines that begin within a text of Python of several lines."""
    result, quote = set[int](), ""
    for at, line in enumerate(lines if path.endswith(".py") else ()):
        if quote:
            result.add(at)
        for found in _QUOTES.findall(line):
            quote = "" if quote == found else quote or found
    return result


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _blocks(lines: Sequence[str], at: int) -> Iterator[int]:
    """Yield the lines in whose blocks a line stands, the nearest first."""
    indent = _indent(lines[at])
    for number in range(at - 1, -1, -1):
        if not indent:
            return
        if lines[number].strip() and _indent(lines[number]) < indent:
            indent = _indent(lines[number])
            yield number


def _within(lines: Sequence[str], at: int) -> Iterator[int]:
    """Yield the lines of the block that begins at a line."""
    indent = _indent(lines[at])
    for number in range(at + 1, len(lines)):
        if lines[number].strip() and _indent(lines[number]) <= indent:
            return
        yield number


def _span(lines: Sequence[str], at: int) -> Iterator[int]:
    """Yield the lines of what begins at a line, by its words, its brackets or its indentation."""
    end = next((end for begin, end in _ENDS if begin.match(lines[at])), None)
    depth = _depth(lines[at])
    if end is None and depth <= 0:
        yield from _within(lines, at)
        return
    for number in range(at + 1, len(lines)):
        depth += _depth(lines[number])
        if end.match(lines[number]) if end else depth <= 0:
            return
        yield number


def _depth(line: str) -> int:
    plain = TEXT.sub("", line)
    return plain.count("{") - plain.count("}")


def name_of(lines: Sequence[str], at: int) -> str:
    """Return the name of the test or the function that a line declares; it may stand on the next line."""
    line = lines[at]
    if line.rstrip()[-1:] == "(" and at + 1 < len(lines):
        line = line.rstrip() + lines[at + 1].lstrip()
    found = None if (name := declared(line)) else _FUNCTION.match(line)
    return (found[1] or found[2] or found[3]) if found else name


def _decorated(lines: Sequence[str], at: int) -> int:
    """Return the line of the function or the class that a decorator stands before; its own if there is none."""
    indent = _indent(lines[at])
    for number in range(at, len(lines)):
        if _indent(lines[number]) == indent and _is_declaration(lines, number):
            return number
    return at


def _is_declaration(lines: Sequence[str], at: int) -> bool:
    return bool(name_of(lines, at)) or _CLASS.match(lines[at]) is not None


class _File(NamedTuple):
    """A file as it is now, the numbers of the lines that came, and the names of the tests that stood in those that
    went."""

    lines: Sequence[str]
    path: str
    added: Collection[int]
    names: set[str]

    def is_old(self, number: int) -> bool:
        """Return whether what a line declares was there before: the line, that of its name, or another of its name."""
        name = name_of(self.lines, number)
        came = number + 1 in self.added and (declared(self.lines[number]) == name or number + 2 in self.added)
        return bool(name) and (not came or name in self.names)

    def is_test(self, number: int) -> bool:
        """Return whether a line declares a test, by itself or by what marks it."""
        return _is_test(self.lines, number) or is_marked(self.lines, number, self.path)


def _about(file: _File, at: int) -> tuple[str, bool, bool]:
    """Return what a line switches off, whether that was there before, and whether it is reached without a condition."""
    lines, line, reached, owner = file.lines, file.lines[at], True, -1
    plain, words = TEXT.sub("''", line), words_of(file.path)
    wraps = None if words.always.search(plain) else words.wraps.match(plain)
    if wraps or words.never.search(plain):
        return _left_out(file, at, next(filter(None, wraps.groups()), "") if wraps else "")
    if found := _BY_NAME.match(line):
        owner = next((number for number in range(len(lines)) if name_of(lines, number) == (found[1] or found[2])), at)
    elif _is_declaration(lines, at):
        owner = at
    elif _DECORATOR.match(line):
        owner = _decorated(lines, at)
    else:
        for number in _blocks(lines, at):
            if _is_declaration(lines, number):
                owner = number
                break
            reached = reached and not _CONDITION.match(lines[number])
    if owner >= 0 and not _ONLY.search(line):
        if _CLASS.match(lines[owner]):
            return _brief(lines[owner]), any(map(file.is_old, _within(lines, owner))), reached
        if owner == at or file.is_test(owner) or _DECORATOR.match(line):
            return name_of(lines, owner), file.is_old(owner), reached
        reached = False
    return "", any(file.is_old(number) for number in range(len(lines)) if file.is_test(number)), reached


def _left_out(file: _File, at: int, name: str) -> tuple[str, bool, bool]:
    """Return the same of a line that begins what never runs, or what runs only where a name stands."""
    lines = file.lines
    if name and sum(len(re.findall(rf"(?<![\w$]){re.escape(name)}(?![\w$])", line)) for line in lines) > 1:
        return "", False, False
    within = [number for number in _span(lines, at) if file.is_test(number)]
    outer = [] if name or _COMMENTED.match(lines[at]) else [one for one in _blocks(lines, at) if file.is_test(one)][:1]
    tests = within or outer
    return name_of(lines, tests[0]) if tests else "", any(map(file.is_old, tests)), bool(tests)


def is_marked(lines: Sequence[str], at: int, path: str) -> bool:
    """Return whether a line declares a function that an attribute makes a test, on the line or above it."""
    attribute, name = ATTRIBUTE.get(language_of(path)), name_of(lines, at)
    if attribute is None or not name:
        return False
    if name.startswith("test") and path.endswith(".swift"):
        return True
    for number in range(at, max(-1, at - _ABOVE), -1):
        line = lines[number].strip()
        if attribute.search(line):
            return True
        if number < at and line[:1] not in ("@", "#", "[", "*", "/", ")"):
            return False
    return False


def _is_test(lines: Sequence[str], at: int) -> bool:
    name = name_of(lines, at)
    line = lines[at].strip()
    return bool(name) and (bool(declared(line)) or line.endswith("(") or line.startswith("t.Run"))


def test_around(lines: Sequence[str], at: int, path: str) -> str:
    """Return the name of the test in which a line stands, "" outside of any."""
    file = _File(lines, path, (), set())
    return next((name_of(lines, number) for number in _blocks(lines, at) if file.is_test(number)), "")


def names_of_tests(text: str, path: str) -> Iterator[str]:
    """Yield the names of the tests that a text declares."""
    lines = cut(text)
    inside = _inside_texts(lines, path)
    file = _File(lines, path, (), set())
    yield from (name_of(lines, at) for at in range(len(lines)) if at not in inside and file.is_test(at))


def tests_by_line(text: str, path: str) -> list[str]:
    """Return the name of the test in which each line of a text stands, "" outside of any."""
    lines = cut(text)
    file = _File(lines, path, (), set())
    around: list[tuple[int, str]] = []
    result = []
    for at, line in enumerate(lines):
        if line.strip():
            while around and around[-1][0] >= _indent(line):
                around.pop()
        result.append(around[-1][1] if around else "")
        if line.strip():
            around.append((_indent(line), name_of(lines, at) if file.is_test(at) else result[-1]))
    return result
