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
    kind, values, ends, begins = ([*part.split()] for part in row.split("|"))
    return _decide(kind[0], frozenset(values), frozenset(ends), begins, argv[1:], env)


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


def _decide(
    kind: str,
    values: frozenset[str],
    ends: frozenset[str],
    begins: list[str],
    words: tuple[str, ...],
    env: tuple[str, ...],
) -> bool:
    """The decision of one row: `begins` before `ends` where it is an option, behind them where it is a verb."""
    starts = {verb.partition(":")[0] for verb in begins}
    options, operands = _sorted_out(words, values, values | ends | set(begins), starts if kind == "none" else None)
    given = {form for name, value in options for form in (name, f"{name}={value}")}
    if not given.isdisjoint(begins):
        return True
    if not given.isdisjoint(ends) or any(f"${item.partition('=')[0]}" in ends for item in env):
        return False
    if any(word.endswith(end[1:]) if end[:1] == "*" else word == end for word in operands for end in ends):
        return False
    if any(_has_verb(verb.split(":"), operands, given) for verb in begins):
        return True
    return kind != "verb" and len(operands) <= _MOST_OPERANDS.get(kind, len(operands))


def _has_verb(parts: list[str], operands: list[str], given: set[str]) -> bool:
    """Return whether a call has a verb, of several words or with an option (`rebase:-i`)."""
    verbs = [part for part in parts if part[:1] not in "-<"]
    if operands[: len(verbs)] != verbs:
        return False
    return all(len(operands) <= int(part[1:]) if part[:1] == "<" else part in given for part in parts[len(verbs) :])


def _sorted_out(
    words: tuple[str, ...], values: frozenset[str], listed: set[str] | frozenset[str], starts: set[str] | None
) -> tuple[list[tuple[str, str]], list[str]]:
    """Return options with their values, and operands; those up to the first operand that is none of `starts`."""
    # `gdb -batch`: where a long option has one dash, short ones are never bundled
    single = any(
        word[:1] == "-" and word[1:2] != "-" and len(word.partition("=")[0].rstrip("[")) > 2 for word in listed
    )
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
