"""Convert globs to automata over paths: whether one glob's paths are all among another's, or none of them.

Both readings of a file system are decided, with and without regard to case, and a claim must hold in both. Globs below
the workspace, absolute ones and those below the home folder speak of different texts: between them nothing is claimed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from policy_engine.analysis.regex_language import regex_automaton
from policy_engine.analysis.regular import Automaton, Ranges, TooHard, find, inverted
from policy_engine.analysis.sequences import within
from policy_engine.checker.tree import GlobPattern, RegexPattern
from policy_engine.filesystem.glob_components import parse_components
from policy_engine.filesystem.globs import glob_matches
from policy_engine.shell.patterns import word_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.glob_components import Component, Token

_SLASH: Ranges = ((47, 47),)
_NAME: Ranges = inverted(((0, 0), (47, 47)))  # a character of a file's name
_PATH = RegexPattern(r"\A[^/\x00]+(/[^/\x00]+)*\z")
_DOTS = RegexPattern(r"(\A|/)\.\.?(/|\z)")
_SETS = re.compile(r"\[[^\]]+\]")
_MOST = 16  # globs of one question


@lru_cache(maxsize=4096)
def covers(wide: GlobPattern, narrow: GlobPattern) -> bool:
    """Return whether every path of `narrow` is certainly one of `wide`."""
    if wide == narrow or (set(narrow.include) <= set(wide.include) and set(wide.exclude) <= set(narrow.exclude)):
        return True
    if wide.exclude and not set(wide.exclude) <= set(narrow.exclude):
        return False  # a recursive access may match what is left out as well
    if any(not _matches(wide, path) for path in samples(narrow)):
        return False  # one path is enough to see it, and mostly is
    if not wide.exclude and all(any(_plainly(text, other) for other in wide.include) for text in narrow.include):
        return True
    return all(_none(narrow, wide, False, fold) for fold in (False, True))


def _plainly(narrow: str, wide: str) -> bool:
    """Return whether one glob covers another name by name, to be seen without automata."""
    if _root(narrow) != _root(wide):
        return False
    return within(_names_of(narrow), _names_of(wide), ("**",), _covers_name, lambda token, word: True)


def _names_of(glob: str) -> list[str]:
    names = glob.split("/")
    return [*names[:-1], "*", "**"] if names[-1] == "**" else names


def _covers_name(token: str, word: str) -> bool:
    """Return whether `token` covers `word`, whose signs are read as themselves: a star is covered by a star only."""
    if token == "*" or token == word:
        return True
    return word != "**" and "[" not in token + word and word_matches(token, word)


@lru_cache(maxsize=4096)
def disjoint(one: GlobPattern, other: GlobPattern) -> bool:
    """Return whether certainly no single path is in both. A recursive access may still match both."""
    return all(_none(one, other, True, fold) for fold in (False, True))


def samples(pattern: GlobPattern) -> list[str]:
    """Paths that the pattern matches, one for each glob where it is easily found."""
    return [path for path in map(filled, pattern.include) if _matches(pattern, path)]


def filled(glob: str) -> str:
    """Return the path that a glob describes if its wildcards stand for one letter."""
    return _SETS.sub("x", glob).replace("**", "x").replace("*", "x").replace("?", "x")


def _matches(pattern: GlobPattern, path: str) -> bool:
    return glob_matches(pattern, path, f"/{path}", "/home")


def _none(one: GlobPattern, other: GlobPattern, both: bool, fold: bool) -> bool:
    """Return whether no path is in `one` and is (`both`), or is not, in `other`."""
    try:
        return witness(((one, True), (other, both)), fold) is None
    except TooHard:
        return False


def witness(wanted: tuple[tuple[GlobPattern, bool], ...], fold: bool = False) -> str | None:
    """Return a path that is in some patterns and not in others; None if there is none. Raises TooHard."""
    texts = [text for pattern, _ in wanted for text in (*pattern.include, *pattern.exclude)]
    if len(texts) > _MOST or len({_root(text) for text in texts}) > 1:
        raise TooHard
    automata = [glob_automaton(text, fold) for text in texts]
    automata += [regex_automaton(_PATH), regex_automaton(_DOTS)]

    def meets(accepted: tuple[bool, ...]) -> bool:
        if not accepted[-2] or accepted[-1]:
            return False
        at = 0
        for pattern, expected in wanted:
            middle, end = at + len(pattern.include), at + len(pattern.include) + len(pattern.exclude)
            if (any(accepted[at:middle]) and not any(accepted[middle:end])) is not expected:
                return False
            at = end
        return True

    word = find(automata, meets)
    return None if word is None else f"{_root(texts[0])}{word}"


def _root(text: str) -> str:
    return "/" if text[:1] == "/" else "~/" if text[:1] == "~" else ""


@lru_cache(maxsize=4096)
def glob_automaton(text: str, fold: bool) -> Automaton:
    """Return the paths that a glob without braces matches, from its root."""
    rest = text[len(_root(text)) :]
    if not rest:
        raise TooHard
    try:
        parts = parse_components(rest.casefold() if fold else rest)
    except ValueError:  # a range such as `[Z-a]` has no meaning where case is ignored
        raise TooHard from None
    automaton = Automaton()
    at = 0
    for place, part in enumerate(parts):
        last = place == len(parts) - 1
        if part is None and last:
            at = _names(automaton, at, before=True)
            continue
        if place and parts[place - 1] is not None:
            at = _add(automaton, at, _SLASH)
        at = _names(automaton, at, before=False) if part is None else _component(automaton, at, part)
    automaton.final = at
    return automaton


def _add(into: Automaton, start: int, characters: Ranges) -> int:
    end = into.state()
    into.move(start, characters, end)
    return end


def _names(into: Automaton, start: int, before: bool) -> int:
    """Any number of names, each with a slash before or after it."""
    loop = into.state()
    into.jump(start, loop)
    name = _add(into, loop, _SLASH) if before else into.state()
    if not before:
        into.jump(loop, name)
    inner = _add(into, name, _NAME)
    into.move(inner, _NAME, inner)
    back = inner if before else _add(into, inner, _SLASH)
    into.jump(back, loop)
    return loop


def _component(into: Automaton, start: int, part: Component) -> int:
    tokens: tuple[Token, ...] = tuple("\\" + char for char in part) if isinstance(part, str) else part or ()
    for token in tokens:
        if token == "*":
            loop = into.state()
            into.jump(start, loop)
            into.move(loop, _NAME, loop)
            start = loop
        else:
            start = _add(into, start, _characters(token))
    return start


def _characters(token: Token) -> Ranges:
    if isinstance(token, str):
        return _NAME if token == "?" else ((ord(token[1]), ord(token[1])),)
    negated, single, ranges = token
    ranges_of_set = tuple((ord(char), ord(char)) for char in single) + tuple(
        (ord(low), ord(high)) for low, high in ranges
    )
    return inverted((*ranges_of_set, (0, 0), (47, 47))) if negated else ranges_of_set
