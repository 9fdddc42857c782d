"""Compile one glob without braces to a test of a path's components; the machinery below `globs`.

Time is bounded by components of the glob times components of the path: of the stars met so far only the last is ever
retried, within a name and across names. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import LOOSE_NUMBER, LOOSE_VISIBLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    # One character position: a set (negated, characters, ranges), "?" for any one, "*" for any run, else a literal.
    CharacterSet = tuple[bool, str, tuple[tuple[str, str], ...]]
    Token = str | CharacterSet
    Component = str | tuple[Token, ...] | None  # literal, wild, or None for `**`

_MOST_PARTS = 6  # of a component, that are not known
_ANY_RUN = ("*",)  # the wild component that every name matches


def parse_components(text: str) -> tuple[Component, ...]:
    """Parse a glob without braces and leading slash to its components; a final `**` becomes `*`, `**` (one or more)."""
    parts: list[Component] = []
    for name in text.split("/"):
        if name == "**":
            if not parts or parts[-1] is not None:
                parts.append(None)
        elif "*" in name or "?" in name or "[" in name:
            parts.append(name_tokens(name))
        else:
            parts.append(name)
    if parts[-1] is None:
        parts[-1:] = [_ANY_RUN, None]
    return tuple(parts)


def name_tokens(name: str, escapes: bool = False) -> tuple[Token, ...]:
    """Parse a pattern of names to tokens; with `escapes`, a backslash takes the next character's meaning away.

    Raises ValueError for a `[` that is not closed or holds what is not known here.
    """
    tokens: list[Token] = []
    place = 0
    while place < len(name):
        char = name[place]
        if char == "[":
            token, place = character_set(name, place)
            tokens.append(token)
            continue
        if escapes and char == "\\" and place + 1 < len(name):
            place += 1
            char = "\\" + name[place]
        elif char not in "*?":
            char = "\\" + char  # marks a literal, so that a set of one never looks like a wildcard
        if char != "*" or tokens[-1:] != ["*"]:
            tokens.append(char)
        place += 1
    return tuple(tokens)


def character_set(name: str, start: int) -> tuple[CharacterSet, int]:
    """Parse `[...]` at `start` to the set and the place after it. Raises ValueError if it is not closed or reversed."""
    place = start + 1
    negated = name[place : place + 1] in ("!", "^")
    place += negated
    first = place
    single: list[str] = []
    ranges: list[tuple[str, str]] = []
    while True:
        if place >= len(name):
            raise ValueError("`[` is not closed")
        char = name[place]
        if char == "]" and place > first:
            return (bool(negated), "".join(single), tuple(ranges)), place + 1
        if char == "[" and name[place + 1 : place + 2] in (":", ".", "="):
            raise ValueError("named character classes are not known; write a range such as `[a-z]`")
        if name[place + 1 : place + 2] == "-" and name[place + 2 : place + 3] not in ("", "]"):
            last = name[place + 2]
            if last < char:
                raise ValueError(f"the range `{char}-{last}` is reversed")
            ranges.append((char, last))
            place += 3
        else:
            single.append(char)
            place += 1


def _token_matches(token: Token, char: str) -> bool:
    if isinstance(token, str):
        return token == "?" or token[1:] == char
    negated, single, ranges = token
    inside = char in single
    for low, high in ranges:
        inside = inside or low <= char <= high
    return inside is not negated


def name_matches(tokens: tuple[Token, ...], name: str) -> bool:
    """Return whether a text matches."""
    return _run_matches(tokens, name, "*", _token_matches)


def _run_matches(pattern: Sequence[Any], text: Sequence[str], star: object, fits: Callable[[Any, str], bool]) -> bool:
    """Return whether a pattern matches a whole text, or list of names; on a mismatch the last star takes one more."""
    at = place = 0
    last = resume = -1
    while place < len(text):
        if at < len(pattern) and pattern[at] == star:
            last, resume = at, place
            at += 1
        elif at < len(pattern) and fits(pattern[at], text[place]):
            at += 1
            place += 1
        elif last < 0:
            return False
        else:
            resume += 1
            at, place = last + 1, resume
    while at < len(pattern) and pattern[at] == star:
        at += 1
    return at == len(pattern)


def component_may_be(name: str, loose: str) -> bool:
    """Return whether a component of which parts are not known may be this name."""
    head, *rest = loose.split("\0")
    return len(rest) > _MOST_PARTS or (name.startswith(head) and _rest_may_be(name[len(head) :], rest))


def _rest_may_be(text: str, rest: list[str]) -> bool:
    if not rest:
        return not text
    kind, literal = rest[0][0], rest[0][1:]
    number = kind == LOOSE_NUMBER[1]
    if kind == LOOSE_VISIBLE[1] and text[:1] in ("", "."):
        return False
    for end in range(len(text) + 1):
        if number and text[:end].strip("0123456789"):
            return False
        if text.startswith(literal, end) and _rest_may_be(text[end + len(literal) :], rest[1:]):
            return True
    return False


def _may_match(part: Component, loose: str) -> bool:
    """Return whether a component with unknown parts may match; of a wild one only the fixed ends are compared."""
    if part is None or part is _ANY_RUN:
        return True
    if isinstance(part, str):
        return component_may_be(part, loose)
    head, *rest = loose.split("\0")
    tail = rest[-1][1:]
    ahead = _next_chars(rest[0][0], rest[0][1:2])
    behind = _next_chars(rest[-1][0], (rest[-2][1:] if len(rest) > 1 else head)[-1:]).removeprefix(".")
    return _fits(part, head, ahead) and _fits(part[::-1], tail[::-1], behind)


def _next_chars(kind: str, literal: str) -> str:
    """Return a digit and what follows the number, a dot for a name that begins with none; else ""."""
    if kind == LOOSE_VISIBLE[1]:
        return "."
    return f"0{literal}" if kind == LOOSE_NUMBER[1] else ""


def _fits(tokens: tuple[Token, ...], text: str, following: str) -> bool:
    """Return whether tokens fit a text up to the first star or the text's end, and what may follow there."""
    for place, token in enumerate(tokens):
        if token == "*":
            return True
        if place < len(text):
            if not _token_matches(token, text[place]):
                return False
        elif not following:
            return True
        elif following == ".":
            return token != "\\."
        elif not any(_token_matches(token, char) for char in "0123456789"):
            return _token_matches(token, following[-1])
    return True


def _component_matches(part: Component, name: str) -> bool:
    if "\0" in name:
        return _may_match(part, name)
    if isinstance(part, str):
        return part == name
    return part is _ANY_RUN or (part is not None and name_matches(part, name))


def _names_match(parts: tuple[Component, ...], names: list[str]) -> bool:
    """As `name_matches`, one level up: `**` is the star, a component is the character."""
    return _run_matches(parts, names, None, _component_matches)


def may_match(parts: tuple[Component, ...], path: str) -> bool:
    """Return whether a path of which parts of names are not known may match."""
    return path != "" and _names_match(parts, path.split("/"))


def matcher(parts: tuple[Component, ...]) -> Callable[[str], bool]:
    """The quickest test for the common shapes, the general one for the rest."""
    literal = 0
    while literal < len(parts) and type(parts[literal]) is str:
        literal += 1
    prefix = "/".join(str(part) for part in parts[:literal])
    rest = parts[literal:]
    if not rest:
        return prefix.__eq__
    start = prefix + "/" if literal else ""
    if rest == (_ANY_RUN, None):
        return lambda path: len(path) > len(start) and path.startswith(start)
    if len(rest) == 2 and rest[0] is None and type(rest[1]) is tuple:
        end = _end_of(rest[1])
        if end is not None:
            # The end holds no slash, so it cannot reach into the start.
            return lambda path: path.startswith(start) and path.endswith(end) and len(path) > len(start)
    if rest[0] is None and all(type(part) is str for part in rest[1:]):
        tail = "/".join(map(str, rest[1:]))
        whole, below = start + tail, "/" + tail
        least = len(start) + len(below)
        return lambda path: path == whole or (len(path) > least and path.startswith(start) and path.endswith(below))
    if len(rest) == 2 and rest[0] is None:
        last = rest[1]
        return lambda path: (
            len(path) > len(start) and path.startswith(start) and _component_matches(last, path[path.rfind("/") + 1 :])
        )
    if len(rest) == 4 and rest[0] is None and type(rest[1]) is str and rest[2:] == (_ANY_RUN, None):
        folder = f"/{rest[1]}/"
        return lambda path: path.startswith(start) and folder in "/" + path[len(start) :]
    return lambda path: path != "" and path.startswith(start) and _names_match(parts, path.split("/"))


def merged(texts: list[str]) -> Callable[[str], bool]:
    """Return one test for all these globs: those of the common shapes are asked together."""
    if len(texts) == 1:
        return matcher(parse_components(texts[0]))
    paths, names, folders = set[str](), set[str](), set[str]()  # `a/b`, `**/a`, `**/a/**`
    starts, ends, others = list[str](), list[str](), []  # `a/b/**`, `**/*.a`
    for text in texts:
        match parse_components(text):
            case None, str(name):
                names.add(name)
            case None, tuple(last) if (end := _end_of(last)) is not None:
                ends.append(end)
            case None, str(name), last, None if last is _ANY_RUN:
                folders.add(name)
            case *literal, last, None if last is _ANY_RUN and literal and _is_literal(literal):
                starts.append("/".join(map(str, literal)) + "/")
            case parts if _is_literal(parts):
                paths.add("/".join(map(str, parts)))
            case parts:
                others.append(matcher(parts))
    beginnings, endings = tuple(starts), tuple(ends)

    def test(path: str) -> bool:
        if path in paths:
            return True
        if path and (
            path[path.rfind("/") + 1 :] in names
            or path.endswith(endings)
            or path.startswith(beginnings)
            or (folders and not folders.isdisjoint(path.split("/")[:-1]))
        ):
            return True
        return any(other(path) for other in others)

    return test


def _is_literal(parts: Sequence[Component]) -> bool:
    return all(type(part) is str for part in parts)


def _end_of(name: tuple[Token, ...]) -> str | None:
    """The text behind the star of `*.py`, None of a component of another shape."""
    if name[0] == "*" and all(type(token) is str and token[0] == "\\" for token in name[1:]):
        return "".join(str(token)[1:] for token in name[1:])
    return None


def reaches(text: str, subject: str) -> bool:
    """Return whether something strictly below `subject` could match; every wild component may be satisfied."""
    parts = parse_components(text)
    states = _closure({0}, parts)
    for name in subject.split("/") if subject else ():
        following: set[int] = set()
        for state in states:
            if state < len(parts):
                if parts[state] is None:
                    following.add(state)
                elif _component_matches(parts[state], name):
                    following.add(state + 1)
        states = _closure(following, parts)
        if not states:
            return False
    return any(state < len(parts) for state in states)


def _closure(states: set[int], parts: tuple[Component, ...]) -> set[int]:
    """`**` may also stand for nothing."""
    for state in sorted(states):
        while state < len(parts) and parts[state] is None:
            state += 1
            states.add(state)
    return states
