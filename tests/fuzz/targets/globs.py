"""Bytes as a glob and a path, split at the first line end → the answer of a matcher that tries everything."""

from __future__ import annotations

import re
from functools import cache

from policy_engine.filesystem.globs import expand_braces, glob_matches, glob_problem, literal_prefix

SEEDS = tuple(
    f"{glob}\n{path}".encode()
    for glob, path in (
        ("src/**", "src/a/b"),
        ("**/*.py", "a/b.py"),
        ("a?c/[!a-c]*", "abc/xyz"),
        ("{a,b{c,d}}/**/e", "bc/x/e"),
        ("[]a]", "]"),
        ("**", "a\nb"),
        ("a/**/b/**/c", "a/b/b/c"),
        ("*.*.*", "..a"),
        ("/etc/**", "etc/x"),
        ("[a", "a"),
        ("~/x", "x"),
        ("{a", "a"),
        ("a//b", "a/b"),
        ("[[:x:]]", "x"),
        ("***", "a"),
        ("é?", "éü"),
        ("[^a]", "^"),
    )
)
MOST = 200  # characters; the matcher that tries everything is slow


def target(data: bytes) -> None:
    glob, _, path = data.decode("utf-8", "surrogateescape").partition("\n")
    problem = glob_problem(glob)
    if problem is not None:
        assert 0 <= problem[0] <= len(glob) and problem[1], problem
        return
    literal_prefix(glob)
    names = [name for name in path.split("/") if name not in ("", ".", "..")]
    if not names or len(glob) + len(path) > MOST:
        return
    relative = "/".join(names)
    pattern = (expand_braces(glob), ())
    expected = any(
        text[0] != "~" and _naive(tuple(text.removeprefix("/").split("/")), tuple(names)) for text in pattern[0]
    )
    assert glob_matches(pattern, relative, f"/{relative}", "\0home") is expected, (glob, relative)
    if expected:  # what matches, matches from every folder above it if all below is meant
        for depth in range(len(names)):
            above = "/".join(names[:depth])
            assert glob_matches(pattern, above, f"/{above}", "\0home", True), (glob, relative, depth)


def _naive(parts: tuple[str, ...], names: tuple[str, ...]) -> bool:
    if not parts:
        return not names
    if parts[0] == "**":  # at the end something must be left
        least = 1 if len(parts) == 1 else 0
        return any(_naive(parts[1:], names[skipped:]) for skipped in range(least, len(names) + 1))
    return bool(names) and bool(_regex(parts[0]).fullmatch(names[0])) and _naive(parts[1:], names[1:])


@cache
def _regex(part: str) -> re.Pattern[str]:
    """One component, by the words of the language page, for Python's own regexes."""
    found, place = "", 0
    while place < len(part):
        char = part[place]
        place += 1
        if char == "[":
            negated = part[place] in "!^"
            place += negated
            end = part.index("]", place + 1)
            body = part[place:end].replace("\\", r"\\").replace("[", r"\[").replace("]", r"\]").replace("^", r"\^")
            body = re.sub(r"([&~|])", r"\\\1", body)
            found += f"[{'^' if negated else ''}{body}]"
            place = end + 1
        else:
            found += {"*": "(?:.*)", "?": "."}.get(char, re.escape(char))
    return re.compile(found, re.DOTALL)
