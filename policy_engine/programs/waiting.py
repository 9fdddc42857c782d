"""Tell whether a program waits for what a person types, where nothing else gives it its input.

The table `waits` of programs.toml says of each such program when it does. Imported by the hook path when a rule asks.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.programs._rows import MODEL_OF, WAITS, WAITS_IN_CODE

_STREAMS = frozenset(("-", "/dev/stdin", "/dev/tty", "/proc/self/fd/0"))  # a script that comes from the standard input
_STAYS = frozenset(("-i", "--interactive", "-it", "-ti", "-NoExit"))  # whatever else is asked
_CODE = frozenset(("-c", "-e", "-E", "-r", "-p", "-pe", "--eval", "--print"))  # options whose value is code
_MOST_OPERANDS = {"none": 0, "one": 1}  # with which it still waits; any number for the other kinds


class _Row:
    """A row of the table: `single` says that a long option has one dash, and short ones are never bundled (`gdb
    -batch`); `verbs` are words, and what else a call needs beside them.
    """

    __slots__ = ("kind", "values", "ends", "endings", "begins", "listed", "starts", "single", "verbs")

    def __init__(self, text: str) -> None:
        kind, values, ends, begins = (part.split() for part in text.split("|"))
        self.kind, self.values, self.begins = kind[0], frozenset(values), frozenset(begins)
        self.ends = frozenset(end for end in ends if end[:1] != "*")
        self.endings = tuple(end[1:] for end in ends if end[:1] == "*")
        self.listed = frozenset((*values, *ends, *begins))
        self.starts = frozenset(verb.partition(":")[0] for verb in begins) if self.kind == "none" else None
        self.single = any(
            word[:1] == "-" and word[1:2] != "-" and len(word.partition("=")[0].rstrip("[")) > 2 for word in self.listed
        )
        whole = [verb.split(":") for verb in begins]
        plain = [[part for part in parts if part[:1] not in "-<"] for parts in whole]
        self.verbs = [(verbs, parts[len(verbs) :]) for verbs, parts in zip(plain, whole, strict=True)]


_rows: dict[str, _Row] = {}


def waits(argv: tuple[str, ...], env: tuple[str, ...]) -> bool:
    """Return whether a call waits for input, as far as its words tell.

    Args:
        argv: the words of the command.
        env: the assignments before it, some of which name an editor that asks nobody.
    """
    if _is_asked(argv[1:]):
        return False
    name = argv[0].rpartition("/")[2].lower().removesuffix(".exe")
    row = WAITS.get(name) or WAITS.get(MODEL_OF.get(name, "")) or WAITS.get(name.rstrip("0123456789."))
    codes = WAITS_IN_CODE.get(name) or WAITS_IN_CODE.get(name.rstrip("0123456789."))
    if codes is not None and _says(argv, codes.split()):
        return True
    if row is None:
        return False
    known = _rows.get(row)
    if known is None:
        known = _rows[row] = _Row(row)
    return _decide(known, argv[1:], env)


def _is_asked(words: tuple[str, ...]) -> bool:
    """Return whether a program is only asked about itself, as its last word says, and told nothing else to wait for."""
    last = "".join(words[-1:])
    if len(words) == 1 or (len(words) == 3 and words[0] == "-m"):
        return last in ("-h", "-V", "-help", "-version", "-?", "--help", "--version")
    return last in ("--help", "--version") and "--" not in words and _STAYS.isdisjoint(words)


def _says(argv: tuple[str, ...], codes: list[str]) -> bool:
    """Return whether code among the words says that it waits."""
    given = [argv[place + 1] for place, word in enumerate(argv[:-1]) if word in _CODE]
    return any(code in text for text in given for code in codes)


def _decide(row: _Row, words: tuple[str, ...], env: tuple[str, ...]) -> bool:
    """The decision of one row: what begins before what ends where it is an option, behind it where it is a verb."""
    options, operands = _sorted_out(words, row)
    given = {form for name, value in options for form in (name, f"{name}={value}")}
    if not given.isdisjoint(row.begins):
        return True
    if any(f"${item.partition('=')[0]}" in row.begins and item[-1] != "=" for item in env):
        return True
    named = [item.partition("=")[2].split() for item in env if f"${item.partition('=')[0]}" in row.ends]
    if not given.isdisjoint(row.ends) or any(not waits((*(words or ["vi"]), "FILE"), ()) for words in named):
        return False
    if any(word in row.ends or word.endswith(row.endings) for word in operands):
        return False
    if any(operands[: len(verbs)] == verbs and _has_all(more, operands, given) for verbs, more in row.verbs):
        return True
    return row.kind != "verb" and len(operands) <= _MOST_OPERANDS.get(row.kind, len(operands))


def _has_all(parts: list[str], operands: list[str], given: set[str]) -> bool:
    """Return whether a call has what stands behind a verb: options (`rebase:-i`), fewer operands."""
    return all(len(operands) <= int(part[1:]) if part[:1] == "<" else part in given for part in parts)


def _sorted_out(words: tuple[str, ...], row: _Row) -> tuple[list[tuple[str, str]], list[str]]:
    """Return options with their values, and operands; of a row of kind `none` those up to the first operand by which
    nothing begins.
    """
    values, listed, starts, single = row.values, row.listed, row.starts, row.single
    options: list[tuple[str, str]] = []
    operands: list[str] = []
    waiting = list(reversed(words))
    while waiting:
        word = waiting.pop()
        if word == "--":
            operands += reversed(waiting)
            break
        if word in _STREAMS and starts is not None and not operands:
            continue
        if not is_known(word) or word[:1] not in ("-", "+") or word in _STREAMS:
            operands.append(word if operands else word.rpartition("/")[2])
            if starts is not None and operands[0] not in starts:
                break
            continue
        name, equals, value = word.partition("=")
        if word[:2] == "--" or single or name in listed:
            if name in values and not equals:
                value = waiting.pop() if waiting else ""
            options.append((name, value))
            continue
        for place in range(1, len(word)):
            letter, value = word[0] + word[place], word[place + 1 :]
            if letter in values or f"{letter}[=]" in values:
                if not value and letter in values:
                    value = waiting.pop() if waiting else ""
                options.append((letter, value))
                break
            options.append((letter, ""))
    return options, operands
