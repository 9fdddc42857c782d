"""Convert the pattern of a `Bash(…)` permission, in which a star is any text, to command patterns and lines to test
them.

`npm test:*` and `npm test *` are the command with any arguments, or none. A star elsewhere stands for one word or more,
a star in a word for the rest of it and any words after.
"""

from __future__ import annotations

import re

from policy_engine.conversion.lines import steps_of
from policy_engine.conversion.writing import Inexpressible, quoted
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse
from policy_engine.shell.patterns import command_matches, decides, pattern_tokens

_STAR = "zqstarqz"  # plain letters for the reader of lines; no command has them


def command_patterns(limit: str) -> list[str]:
    """Return the texts of `command(…)`. Raises Inexpressible for what is no single command."""
    text = limit.strip()
    text = f"{text[:-2]} *" if text.endswith(":*") else text
    if _STAR in text:
        raise Inexpressible(f"{quoted(limit)} is no command")
    steps = steps_of(text.replace("*", _STAR))
    if len(steps) != 1 or steps[0].folder:
        raise Inexpressible(f"{quoted(limit)} is a line of several commands, and each is judged by itself")
    step = steps[0]
    if any(decides(item.partition("=")[0]) for item in step.assignments):
        raise Inexpressible(f"the assignment {quoted(step.assignments[0])} decides what runs, and a pattern has none")
    words = [word.replace(_STAR, "*") for word in step.words]
    patterns: list[list[str]] = [[]]
    for at, word in enumerate(words):
        last = at == len(words) - 1
        options = _tokens(word, at == 0, last)
        patterns = [[*pattern, *option] for pattern in patterns for option in options]
        if len(patterns) > 16:
            raise Inexpressible(f"{quoted(limit)} has too many stars")
    texts = [" ".join(_joined(pattern)) for pattern in patterns]
    for one in texts:
        try:
            pattern_tokens(one)
        except ValueError as problem:
            raise Inexpressible(str(problem)) from None
    return texts


def _tokens(word: str, first: bool, last: bool) -> list[list[str]]:
    """Return the tokens that a word with stars may become, in each of the ways that it can be divided."""
    if not word:
        return [["''"]]
    if word == "*":
        return [["..."]] if last and not first else [["*", "..."]]
    if word == "-*":
        raise Inexpressible("`-*` would be zero or more options in a command pattern")
    if " " in word or '"' in word or "'" in word:
        if "*" in word:
            raise Inexpressible(f"the word {quoted(word)} holds a blank beside a star")
        mark = "'" if "'" not in word else '"'
        if mark in word:
            raise Inexpressible(f"the word {quoted(word)} holds both sorts of quotes")
        return [[f"{mark}{word}{mark}"]]
    if "*" not in word:
        return [[word]]
    head, _, tail = word.partition("*")
    if not tail:
        return [[word, "..."]]
    divided = [f"{head}*", "...", f"*{tail}"] if head else ["*", "...", f"*{tail}"]
    after = ["..."] if tail.endswith("*") else []
    return [[word, *after], [*divided, *after]]


def _joined(tokens: list[str]) -> list[str]:
    """Without a rest that follows a rest."""
    return [token for at, token in enumerate(tokens) if token != "..." or at == 0 or tokens[at - 1] != "..."]


def sample_line(patterns: list[str]) -> tuple[str, str]:
    """Return a line that the first pattern matches, and one that none does; empty where none is easily made."""
    words = [(token.replace("*", "") or "x").strip("'\"") for token in patterns[0].split(" ") if token != "..."]
    plain = all(re.fullmatch(r"[\w./-]+", word, re.ASCII) for word in words)
    meets = " ".join(words) if plain else ""
    return meets if matched_by(meets, patterns[:1]) else "", "" if matched_by("zq", patterns) else "zq"


def matched_by(line: str, patterns: list[str]) -> bool:
    """Return whether a command of the line, read in a test's workspace, matches one of the patterns."""
    pattern = (tuple(map(pattern_tokens, patterns)), (), None)
    filesystem = Virtual()
    try:
        return any(command_matches(pattern, one, filesystem) for one in parse(line, "/workspace", filesystem))
    except Undecided:
        return False


def wrapper(line: str) -> str:
    """Return the program of a line if it starts other programs, which are commands of their own; else ""."""
    parsed = parse(line, "/workspace", Virtual())
    return next((command.via[0] for command in parsed if command.via), "")
