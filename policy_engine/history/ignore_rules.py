"""Parse the text of a `.gitignore` into rules, each a test of paths below the file's folder.

The rules are git's own (`gitignore(5)`), in the components of our globs; the tests ask git the same questions. A line
that git could never match is left out. Imported by the hook path when a folder or file is met for the first time.
"""

from __future__ import annotations

from policy_engine.filesystem.glob_components import matcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.filesystem.glob_components import CharacterSet, Component, Token

    Rule = tuple[bool, bool, Callable[[str], bool]]  # whether it ignores, whether only folders, the test

_CLASSES = {
    "alnum": (("0", "9"), ("A", "Z"), ("a", "z")),
    "alpha": (("A", "Z"), ("a", "z")),
    "blank": (("\t", "\t"), (" ", " ")),
    "cntrl": (("\0", "\x1f"), ("\x7f", "\x7f")),
    "digit": (("0", "9"),),
    "graph": (("!", "~"),),
    "lower": (("a", "z"),),
    "print": ((" ", "~"),),
    "punct": (("!", "/"), (":", "@"), ("[", "`"), ("{", "~")),
    "space": (("\t", "\r"), (" ", " ")),
    "upper": (("A", "Z"),),
    "xdigit": (("0", "9"), ("A", "F"), ("a", "f")),
}


class _Never(Exception):
    """The pattern matches nothing."""


def rules(text: str) -> list[Rule]:
    """Return the rules of a file in their order; the last one that matches decides."""
    parsed = []
    for line in text.removeprefix("\ufeff").split("\n"):
        rule = _rule(_trimmed(line.removesuffix("\r")))
        if rule is not None:
            parsed.append(rule)
    return parsed


def decide(rules: list[Rule], path: str, folder: bool) -> bool | None:
    """Return whether the rules ignore a path below their folder; None if none of them speaks of it."""
    for ignores, folders_only, test in reversed(rules):
        if (folder or not folders_only) and test(path):
            return ignores
    return None


def _trimmed(line: str) -> str:
    """Without blanks at the end, unless a backslash keeps one."""
    bare = line.rstrip(" ")
    kept = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if kept % 2 and len(bare) < len(line) else bare


def _rule(line: str) -> Rule | None:
    if not line or line[0] == "#":
        return None
    ignores = line[0] != "!"
    pattern = line if ignores else line[1:]
    folders_only = pattern.endswith("/")
    pattern = pattern[:-1] if folders_only else pattern
    anchored = "/" in pattern
    parts: list[Component] = [] if anchored else [None]
    try:
        for name in _names(pattern[1:] if pattern[:1] == "/" else pattern):
            if name == "**" and anchored:
                if not parts or parts[-1] is not None:
                    parts.append(None)
            else:
                parts.append(_component(name))
    except _Never:
        return None
    if parts[-1] is None:  # `a/**` is all that lies below `a`
        parts[-1:] = [("*",), None]
    return ignores, folders_only, matcher(tuple(parts))


def _names(pattern: str) -> list[str]:
    """Return the pattern between its slashes; one within `[...]` stands for itself."""
    names, start, place = [], 0, 0
    while place < len(pattern):
        char = pattern[place]
        place += 1
        if char == "[":
            place = _set(pattern, place)[1]
        elif char == "/" or pattern[place - 1 : place + 1] == "\\/":
            names.append(pattern[start : place - 1])
            start = place = place + (char != "/")
        elif char == "\\":
            place += 1
    return [*names, pattern[start:]]


def _component(name: str) -> Component:
    if not name:
        raise _Never
    tokens: list[Token] = []
    place = 0
    while place < len(name):
        char = name[place]
        place += 1
        if char == "[":
            token, place = _set(name, place)
            tokens.append(token)
        elif char == "*":
            if tokens[-1:] != ["*"]:
                tokens.append("*")
        elif char == "?":
            tokens.append("?")
        else:
            if char == "\\":
                char, place = _char(name, place)
            tokens.append("\\" + char)
    if all(type(token) is str and token[0] == "\\" for token in tokens):
        return "".join(str(token)[1:] for token in tokens)
    return tuple(tokens)


def _char(name: str, place: int) -> tuple[str, int]:
    """Return the character that a backslash keeps, and the place after it."""
    if place >= len(name):
        raise _Never
    return name[place], place + 1


def _set(name: str, place: int) -> tuple[CharacterSet, int]:
    """`[...]` from the place after its bracket, and the place after its end."""
    negated = name[place : place + 1] in ("!", "^")
    place += negated
    first = place
    ranges: list[tuple[str, str]] = []
    while True:
        char, place = _char(name, place)
        if char == "]" and place - 1 > first:
            return (bool(negated), "", tuple(ranges)), place
        if char == "[" and name[place : place + 1] == ":":
            word, closed, _ = name[place + 1 :].partition(":]")
            if closed and "]" not in word:
                if word not in _CLASSES:
                    raise _Never
                ranges += _CLASSES[word]
                place += len(word) + 3
                continue
        if char == "\\":
            char, place = _char(name, place)
        ranges.append((char, char))
        if name[place : place + 1] == "-" and name[place + 1 : place + 2] not in ("", "]"):
            last, place = _char(name, place + 1)
            if last == "\\":
                last, place = _char(name, place)
            ranges.append((char, last))
