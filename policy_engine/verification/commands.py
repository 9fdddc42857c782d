"""Resolve an argv to the command and the commands that it starts, outermost first, through `npx`, `uv run` and such.

A command is its program's bare name and the rest of its words. A guess that is wrong costs little: the reader that it
names finds nothing, and the output's own marks decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from policy_engine.shell.wrappers import RUNNERS, WRAPPERS
from policy_engine.shell.wrapping_words import options_of

_LAYERS = 8
_SCRIPTS = (".js", ".mjs", ".cjs", ".cmd", ".exe", ".bat", ".ps1")
_PYTHON = re.compile(r"python[0-9.]*[tdw]?|pypy[0-9.]*|py|coverage[0-9.]*")
_NODE = {
    "node": ("r", ("require", "import", "loader", "experimental-loader", "env-file", "conditions")),
    "bun": ("", ("preload", "config", "cwd", "filter", "env-file")),
    "deno": ("", ("config", "import-map")),
    "tsx": ("", ("tsconfig",)),
}  # fmt: skip
_FETCHERS = {
    "npx": ("pcw", ("package", "call", "workspace")),
    "pnpx": ("p", ("package",)),
    "bunx": ("p", ("package",)),
    "uvx": ("p", ("from", "with", "python", "index", "with-requirements")),
}  # fmt: skip
_SUBCOMMANDS = {
    "pnpm": ("dlx", "exec", "run"), "yarn": ("dlx", "exec", "run"), "npm": ("x", "exec", "run", "run-script"),
    "bun": ("x", "run"), "pipx": ("run",), "corepack": (),
}  # fmt: skip


def commands(argv: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield each command of the chain."""
    words = list(argv)
    for _ in range(_LAYERS):
        if not words:
            return
        name = _program(words[0])
        yield (name, *words[1:])
        words = _inner(name, words[1:])


def _program(word: str) -> str:
    name = word.replace("\\", "/").rpartition("/")[2]
    for ending in _SCRIPTS:
        name = name.removesuffix(ending)
    return name


def _inner(name: str, words: list[str]) -> list[str]:
    if name in WRAPPERS:
        short, long, operands, traits = WRAPPERS[name]
        rest = _assigned(_operands(words, short, long))
        subcommand = bool(rest) and f"sub:{rest[0]}" in traits
        return _bare(rest[1:] if subcommand else rest[operands:])
    if name == "env":
        return _assigned(_operands(words, "uCS", ("unset", "chdir", "split-string")))
    if _PYTHON.fullmatch(name):
        return _python(name, words)
    if name in _FETCHERS:
        return _fetched(_operands(words, *_FETCHERS[name]))
    if name in _SUBCOMMANDS:
        return _subcommand(name, words)
    if name in _NODE:
        return _operands(words, *_NODE[name])
    if name in RUNNERS:
        subcommand_name, short, long = RUNNERS[name]
        rest = _operands(words, short, long)
        return _bare(_operands(rest[1:], short, long)) if rest[:1] == [subcommand_name] else []
    return []


def _operands(words: list[str], short: str, long: tuple[str, ...]) -> list[str]:
    options = options_of(words, short, long)
    return [] if options is None else options.rest


def _bare(words: list[str]) -> list[str]:
    return words[1:] if words[:1] == ["--"] else words


def _assigned(words: list[str]) -> list[str]:
    while words and words[0].partition("=")[1] and words[0].partition("=")[0].isidentifier():
        words = words[1:]
    return words


def _python(name: str, words: list[str]) -> list[str]:
    """`python -X dev -m NAME …`, `python SCRIPT …`, `coverage run -m NAME …`."""
    if name.startswith("coverage"):
        if words[:1] != ["run"]:
            return []
        words = words[1:]
    while words:
        word = words[0]
        if word == "-m" or (name.startswith("coverage") and word == "--module"):
            return words[1:]
        if word.startswith("-m") and not word.startswith("--"):
            return [word[2:], *words[1:]]
        if word == "-c" or word[:1] != "-":
            return [] if word == "-c" else words
        words = words[2:] if word in ("-X", "-W", "--check-hash-based-pycs", "--source", "--rcfile") else words[1:]
    return []


def _fetched(words: list[str]) -> list[str]:
    """Return the command of a fetched package, whose name may end in its version and begin with its scope."""
    if not words:
        return []
    scope, at, rest = words[0][:1], words[0][1:].partition("@")[1], words[0][1:].partition("@")[0]
    return [scope + rest if at else words[0], *words[1:]]


def _subcommand(name: str, words: list[str]) -> list[str]:
    """`pnpm vitest`, `yarn run jest`, `npm exec -- eslint .`: a script or a program of that name."""
    short, long = RUNNERS[name][1:] if name in RUNNERS else _NODE.get(name, ("", ()))
    rest = _operands(words, short, long)
    known = _SUBCOMMANDS[name]
    if rest[:1] and rest[0] in known:
        return _fetched(_bare(_operands(rest[1:], short, long)))
    if name in ("npm", "pipx"):
        return []
    return rest
