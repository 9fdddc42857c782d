"""Find lines that switch tests off which were there before: always, or where something holds.

Read from a difference of git and the files as they are: a line in or at a test that came with it, one that moved with
its test, and one that takes the place of such a line are none of them. Not on the hook path: it is imported when a run
of tests passed.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from policy_engine.test_runs.constraints import CONSTRAINT, leaves_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Any

_TESTS = r"(?:it|test|specify|describe|context|suite)"
_ALWAYS = re.compile(
    r"^\s*del\s+(?:test|Test)|\b__test__\s*=\s*False|\bmark\.skip\b"
    r"|\bmark\.xfail\b(?!\(\s*(?!reason\b|strict\b|raises\b|run\b|True\b|\))\S)"
    r"|\bmark\.skipif\(\s*(?:True|1)\b|\b[sS]kipIf\(\s*(?:[Tt]rue|1)\b|\b[sS]kipUnless\(\s*(?:False|0)\b"
    r"|@(?:unittest\.)?(?:skip|expectedFailure)\b|\bpytest\.(?:skip|xfail)\(|\.skipTest\(|\braise\s+(?:\w+\.)*SkipTest\b"
    r"|parametrize\(\s*(?:''|\[[^\]]*\]|\([^)]*\))\s*,\s*(?:argvalues\s*=\s*)?(?:\[\s*\]|\(\s*\)|set\(\))\s*[,)]"
    rf"|\b{_TESTS}(?:\.\w+)*\.(?:skip|todo|only|fails|failing|fixme)(?:\.\w+)*(?:\(\s*(?:''|\)|\[)|\(\s*$)"
    rf"|\b{_TESTS}\(.*\b(?:skip|todo)\s*:\s*(?:true\b|'')|(?<![.\w])[xf](?:it|describe|test)\(\s*''"
    r"|\b[tb]\.Skip(?:f|Now)?\(|\b(?:t|ctx|this)\.(?:skip|todo)\(\s*(?:''|\))|\bmarkTest(?:Skipped|Incomplete)\("
    r"|#\[ignore|@(?:Disabled|Ignore)\b|\[(?:Ignore\b|(?:Fact|Theory)\(.*\bSkip\s*=)"
)
"""Lines, with empty texts in them, that switch tests off wherever they are reached."""
_SOMETIMES = re.compile(
    rf"\bimportorskip\(|\bmark\.(?:skipif|xfail)\b|[sS]kip(?:If|Unless)\b|\b{_TESTS}(?:\.\w+)*\.(?:skip|only|runIf)\b"
    r"|@(?:Disabled|Enabled)\w+|\bcfg_attr\(.*\bignore\b|\b(?:skip|todo)\s*:\s*(?!false)\S|\bassume(?:True|False|That)\("
)
"""Lines that switch tests off where something holds."""
_PARTLY = re.compile(r"\bmarks\s*=|\?.*:|&&|\|\|")
_TEXT = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`(?:\\.|[^`\\])*`")
_COMMENT = re.compile(r"\s*(?:#(?!\[)|//|/?\*)")
_CONDITION = re.compile(r"\s*(?:\}\s*)?(?:if|elif|else|unless|for|while|try|except|catch|case|when|match|switch)\b")
_DECORATOR = re.compile(r"\s*(?:@|#\[|\[\w)")
_CLASS = re.compile(r"\s*(?:\w+\s+)*(?:class|module|mod|describe)\b|\s*(?:x|f)?(?:describe|context|suite)\b")
_FUNCTION = re.compile(
    r"^\s*(?:\w+\s+)*?(?:def|fn|func|fun|function)\b(?:\s*\([^)]*\))?\s+(\w+)"
    r"|^\s*(?:public|private|protected|internal|static|final|async|void)\b[\w<>\[\], ]*\s(\w+)\s*\("
    r"|^\s*t\.Run\(\s*\"([^\"]+)"
)
_NAMED = re.compile(r"(?:[xf]?(?:it|test|specify)|testWidgets)\b(?:\.\w+)*\s*\(?\s*(['\"`])(.+?)\1")
_DECLARES = re.compile(
    r"^\s*(?:async\s+|static\s+|public\s+|private\s+)*(?:def\s+(test\w*)|func\s+((?:Test|Fuzz)\w*)|function\s+(test\w+))"
)
_HUNK = re.compile(r"@@ -\S+ \+(\d+)")
_QUOTES = re.compile(r"\"\"\"|'''")
_ONLY = re.compile(r"\.only\b|(?<![.\w])f(?:it|describe)\(")
_BY_NAME = re.compile(r"^\s*del\s+(\w+)|(?<![\w.])(\w+)\.__test__\s*=")
_JOINED = 6  # lines of one call


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
        return found[1] or found[2] or found[3]
    named = _NAMED.match(line.lstrip())
    return named[2] if named else ""


def switched_off(changes: Sequence[Change], text_of: Callable[[str], str]) -> tuple[list[Switch], int]:
    """Return the lines that switch off tests of before, and how many switch off tests that came with them."""
    gone = Counter[tuple[bool, str]]()
    names = set[str]()
    for change in changes:
        for lines in change.removed.values():
            names.update(filter(None, (_name(lines, at) for at in range(len(lines)))))
            gone.update(
                (kind, _brief(line)) for line, kind in zip(lines, _kinds(lines), strict=True) if kind is not None
            )
    result, new = [], 0
    for change in changes:
        if not any(_may(line) for _, line in change.added.values()):
            continue
        lines = text_of(change.path).split("\n")
        inside = _inside_texts(lines, change.path)
        replaced = {part: Counter(_kinds(lines)) for part, lines in change.removed.items()}
        for number, (part, line) in change.added.items():
            at = number - 1
            always = _kind(lines, at) if at < len(lines) and at not in inside else None
            if always is None:
                continue
            about, old, reached = _about(lines, at, change.added, names)
            always = always and reached
            there = replaced.get(part, Counter())
            if not old:
                new += 1
            elif not (
                _take(gone, (always, _brief(line))) or _take(there, True) or (not always and _take(there, False))
            ):
                result.append(Switch(change.path, about, _brief(line), always))
    return result, new


def _take(counter: Counter[Any], key: Any) -> bool:
    """Take one of these away; return whether there was one."""
    counter[key] -= 1
    return counter[key] >= 0


def _brief(line: str) -> str:
    return " ".join(line.split())


def _may(line: str) -> bool:
    return (
        "parametrize(" in line
        or CONSTRAINT.match(line) is not None
        or bool(_ALWAYS.search(_TEXT.sub("''", line)) or _SOMETIMES.search(line))
    )


def _kind(lines: Sequence[str], at: int) -> bool | None:
    """Return whether a line switches tests off always (True) or where something holds (False); None if it does not."""
    if CONSTRAINT.match(lines[at]):
        return leaves_out(lines, at)
    if _COMMENT.match(lines[at]):
        return None
    line = _TEXT.sub("''", lines[at])
    joined = line
    for more in lines[at + 1 : at + _JOINED]:
        if joined.count("(") <= joined.count(")"):
            break
        joined += " " + _TEXT.sub("''", more).strip()
    found = _ALWAYS.search(joined)
    if found and found.start() < len(line):
        return not _PARTLY.search(line[: found.start()]) and not _CONDITION.match(line)
    return False if _SOMETIMES.search(line) else None


def _kinds(lines: Sequence[str]) -> list[bool | None]:
    """Return the same of each of some lines that stand together."""
    kinds = [_kind(lines, at) for at in range(len(lines))]
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


def _name(lines: Sequence[str], at: int) -> str:
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
    return bool(_name(lines, at)) or _CLASS.match(lines[at]) is not None


def _about(lines: Sequence[str], at: int, added: Collection[int], names: set[str]) -> tuple[str, bool, bool]:
    """Return what a line switches off, whether that was there before, and whether it is reached without a condition."""

    def is_old(number: int) -> bool:
        """Return whether what a line declares was there before: the line, that of its name, or another of its name."""
        name = _name(lines, number)
        came = number + 1 in added and (declared(lines[number]) == name or number + 2 in added)
        return bool(name) and (not came or name in names)

    line, reached, owner = lines[at], True, -1
    if found := _BY_NAME.match(line):
        owner = next((number for number in range(len(lines)) if _name(lines, number) == (found[1] or found[2])), at)
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
            return _brief(lines[owner]), any(map(is_old, _within(lines, owner))), reached
        if owner == at or _is_test(lines, owner) or _DECORATOR.match(line):
            return _name(lines, owner), is_old(owner), reached
        reached = False
    return "", any(is_old(number) for number in range(len(lines)) if _is_test(lines, number)), reached


def _is_test(lines: Sequence[str], at: int) -> bool:
    name = _name(lines, at)
    line = lines[at].strip()
    return bool(name) and (bool(declared(line)) or line.endswith("(") or line.startswith("t.Run"))
