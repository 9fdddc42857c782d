"""Return the text of a line that is not understood without its quoting, "" if it may start anything.

What a line certainly does not start is worth knowing: `git log | head` says nothing about the tests. A program that the
line starts under a constant name stands in the text; a name that is put together (variables, globs, substitutions in
the place of a program, or anywhere behind a program that starts others) makes the line one that may start anything.
Every doubt goes that way: quotes do not protect separators here. Imported by the hook path.
"""

from __future__ import annotations

from _blake2 import blake2b

from policy_engine.shell.names import RESERVED, RUNS_ANOTHER

_SEAL = "\1"  # begins a sealed line; no line that is given to a shell as a whole begins with it
_SEALED_WORD = 4  # hexadecimal digits: enough to tell programs apart, too few to tell what a word was
_MAKES_NAMES = "$`*?[{\1"
_TESTS = ("[", "[[", "{", "}", "!", "]", "]]")


def prefilter(line: str) -> str:
    """The line with quotes and backslashes taken out, or ""."""
    if line[:1] == _SEAL:
        return "" if line == _SEAL else line
    text = line.replace("\\\n", "").replace("'", "").replace('"', "").replace("\\", "")
    # A substitution leaves a mark where it stands and begins a command of its own behind it.
    cut = text.replace("$(", "\1;").replace("`", "\1;").replace("<(", "\1;").replace(">(", "\1;")
    for separator in "\n|&()<>":
        cut = cut.replace(separator, ";")
    return "" if any(_may_start_anything(piece) for piece in cut.split(";")) else text


def _may_start_anything(piece: str) -> bool:
    for word in piece.split():
        if word in RESERVED or word in _TESTS:
            continue
        name, equals, _ = word.partition("=")
        if equals and name.isidentifier():
            continue
        if any(char in word for char in _MAKES_NAMES):
            return True
        program = word.rpartition("/")[2]
        if program not in RUNS_ANOTHER or (program == "find" and "-exec" not in piece and "-ok" not in piece):
            return False
        return any(char in piece for char in _MAKES_NAMES)
    return False


def may_run(program: str, plain: str) -> bool:
    """Return whether a line, as `prefilter` gives it, may start a program of this first token of a pattern."""
    name = program.rpartition("/")[2]
    if plain[:1] == _SEAL:
        return "*" in name or program in ("...", "-*") or _digest(name) in plain[1:].split()
    return not plain or "*" in name or program in ("...", "-*") or name in plain


def may_match(alternatives: tuple[tuple[str, ...], ...], plain: str) -> bool:
    """Return whether a line, as `prefilter` gives it, may run what one of these lists of tokens describes."""
    if plain[:1] != _SEAL:
        return True  # the program was looked at; quoting may have changed any other word
    return any(all("*" in token or "[" in token or may_run(token, plain) for token in one) for one in alternatives)


def is_sealed(line: str) -> bool:
    """Return whether a line was sealed already."""
    return line[:1] == _SEAL


def seal(line: str, most: int) -> str:
    """Digests of the words of a line, for `may_run` and `may_match`; of one that may start anything, or whose digests
    have more than `most` characters, only that it may."""
    plain = prefilter(line)
    for separator in "\n|&()<>;=,":
        plain = plain.replace(separator, " ")
    words = {part for word in plain.split() for part in (word, word.rpartition("/")[2])}
    sealed = _SEAL + " ".join(sorted(map(_digest, words)))
    return sealed if words and len(sealed) <= most else _SEAL


def _digest(word: str) -> str:
    digest: str = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=_SEALED_WORD // 2).hexdigest()
    return digest
