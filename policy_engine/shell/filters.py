"""Filters: what they print of the lines that they are given, some of them (`grep`, `head`) or a part of each (`cut`).

Which lines are chosen is followed where it is plain, else all of them stand for those. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import GLOB, MANY, NAME, ONE, is_known, may_be_option
from policy_engine.shell.wrapping_words import options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.shell.command import SimpleCommand

# Filters that print lines as they are: options with values, flags, and whether operands are files.
_CHOOSES = {
    "head": ("nc", "qvz", ("lines", "bytes")),
    "tail": ("nc", "qvzr", ("lines", "bytes")),
    "sort": ("ktS", "bdfgiMhnRrVuzs", ("key", "field-separator")),
    "uniq": ("fsw", "iuz", ()),
    "tac": ("", "", ()),
    "shuf": ("n", "z", ("head-count",)),
}
_GREPS = {"grep": "vivyEFPGwxzasU", "egrep": "vivywxzas", "fgrep": "vivywxzas", "rg": "viFPswxSuN", "ag": "viQsw"}
_SPECIAL = frozenset("\\^$.*+?()[]{}|")
_CHANGES = frozenset("=(+|-")  # in a pattern of awk, what may be more than a comparison
DIGEST_CHARS = 32  # of the shortest digest that a program prints before two blanks and the name of a file


def filtered(command: SimpleCommand) -> str:
    """Return the lines it prints of those on its standard input; `ONE` if it is no filter, or they are not known."""
    feed, name, words = command.feed, command.argv[0].rpartition("/")[2], list(command.argv[1:])
    if feed is None or feed == ONE or MANY in feed or any(map(may_be_option, words)):
        return ONE
    if (name == "cat" and not words) or (name == "tee" and feed != ":" and not any(word[:1] == "-" for word in words)):
        return feed
    lines = [line for line in feed.split("\n") if line]
    made: list[str] | None = None
    if name in _CHOOSES:
        short, flags, long = _CHOOSES[name]
        options = options_of([word for word in words if not word[1:].isdecimal()], short, long)
        if options is not None and not options.rest and _only(options.flags, flags):
            made = lines
    elif name in _GREPS:
        made = _matching(words, lines, _GREPS[name])
    elif name == "cut":
        options = options_of(words, "dfcb", ("delimiter", "fields"))
        if options is not None and not options.rest and not options.flags:
            values = {option.lstrip("-")[:1]: value for option, value in options.pairs}
            made = _cut(lines, values)
    elif name in ("awk", "gawk", "mawk"):
        made = _awk(words, lines)
    elif name == "sed" and len(words) == 1:
        made = _substituted(words[0], lines)
    elif name == "tr" and words in (["\\0", "\\n"], ["\\000", "\\n"], ["\\n", "\\0"], ["\\n", " "], ["-d", "\\r"]):
        made = lines
    return ONE if made is None else "\n".join(made) or f"{GLOB}what-is-chosen"


def _only(flags: list[str], letters: str) -> bool:
    return all(flag[:2] != "--" and set(flag[1:]) <= set(letters) for flag in flags)


def _matching(words: list[str], lines: list[str], letters: str) -> list[str] | None:
    """The lines that `grep` prints; None where it prints something else."""
    options = options_of(words, "em", ("regexp", "max-count", "color"))
    if options is None or not _only([flag for flag in options.flags if flag != "--invert-match"], letters):
        return None
    patterns = [value for option, value in options.pairs if option in ("-e", "--regexp")] or options.rest[:1]
    if len(options.rest) != (0 if any(option in ("-e", "--regexp") for option, _ in options.pairs) else 1):
        return None
    plain = [_plain(pattern) for pattern in patterns]
    if options.has("-x", "-w", "-i", "-y", "-P", "-F", "-Q", "-S") or None in plain:
        return lines
    inverted = options.has("-v", "--invert-match")
    return [
        line
        for line in lines
        if not is_known(line) or inverted != any(fits(line) for fits in plain if fits is not None)
    ]


def _plain(pattern: str) -> Callable[[str], bool] | None:
    """The test of a pattern without special characters, but for `^`, `$` and `\\.`; None for any other."""
    if not is_known(pattern):
        return None
    start, end = pattern[:1] == "^", pattern[-1:] == "$"
    text = pattern[start : len(pattern) - end].replace("\\.", "\1")
    if _SPECIAL & set(text):
        return None
    text = text.replace("\1", ".")
    if start and end:
        return lambda line: line == text
    return (
        (lambda line: line.startswith(text)) if start else (lambda line: line.endswith(text) if end else text in line)
    )


def _field(line: str, mark: str | None, number: int) -> str:
    """One field of a line; `ONE` where it lies behind something that is not known."""
    if mark is None:
        parts = line.split()
    else:
        parts = line.split(mark)
    if GLOB in line and len(parts) > 1:
        return ONE
    known = next((place for place, part in enumerate(parts) if not is_known(part.replace(GLOB, ""))), len(parts))
    if number > known + 1:
        return ONE
    return parts[number - 1] if number <= len(parts) else ""


def _cut(lines: list[str], values: dict[str, str]) -> list[str] | None:
    """`cut -d: -f1`, `cut -c4-`, and `cut -c1-12` of a digest."""
    begin, dash, end = values.get("c", values.get("b", "")).partition("-")
    if len(values) == 1 and dash and begin in ("", "1") and end.isdecimal() and 0 < int(end) <= DIGEST_CHARS:
        return [NAME if line.startswith(f"{NAME}  ") else ONE for line in lines]
    if set(values) == {"c"} and values["c"][-1:] == "-" and values["c"][:-1].isdecimal():
        return [line[int(values["c"][:-1]) - 1 :] if is_known(line) else ONE for line in lines]
    if set(values) - {"d"} != {"f"} or not values["f"].isdecimal() or values["f"] == "0":
        return None
    mark = values.get("d", "\t")
    return [_field(line, mark, int(values["f"])) if mark in line else line for line in lines]


def _awk(words: list[str], lines: list[str]) -> list[str] | None:
    """`awk -F: '{print $1}'`."""
    options = options_of(words, "F", ())
    if options is None or len(options.rest) != 1 or options.flags:
        return None
    pattern, brace, program = options.rest[0].partition("{")
    mark = options.pairs[0][1] if options.pairs else None
    chosen = _chosen(pattern.strip(), mark, lines) if pattern.strip() else lines
    if chosen is None:
        return None
    lines = chosen
    program = (brace + program).replace(" ", "")
    if program in ("{print$NF}", "{print$NF;}") and not options.pairs:
        return [line.split()[-1] if line.split() and is_known(line) else ONE for line in lines]
    number = program.removeprefix("{print$").rstrip("};")
    if f"{{print${number}}}" != program.replace(";", "") or not number.isdecimal() or (mark and len(mark) != 1):
        return None
    return lines if number == "0" else [_field(line, mark, int(number)) for line in lines]


def _chosen(pattern: str, mark: str | None, lines: list[str]) -> list[str] | None:
    """The lines, or more, that a pattern of awk fits; None for one that may change them."""
    if pattern[:1] == "/" and pattern[-1:] == "/" and pattern.count("/") == 2:
        fits = _plain(pattern[1:-1])
        return lines if fits is None else [line for line in lines if not is_known(line) or fits(line)]
    number, equals, word = pattern.replace(" ", "").partition("==")
    if equals and number[:1] == "$" and number[1:].isdecimal() and word[:1] + word[-1:] == '""' and "\\" not in word:
        return [line for line in lines if not is_known(line) or _field(line, mark, int(number[1:])) == word[1:-1]]
    compared = pattern.replace("==", " ").replace("!=", " ").replace(">=", " ").replace("<=", " ")
    return None if not _CHANGES.isdisjoint(compared) or "getline" in compared else lines


def _substituted(script: str, lines: list[str]) -> list[str] | None:
    """`sed 's|^|src/|'`, `sed 's/^...//'`: a plain text in the place of another one at the start or the end of each
    line.
    """
    if script[:1] != "s" or len(script) < 4:
        return None
    parts = script[2:].split(script[1])
    if len(parts) != 3 or parts[2] or {"&", "\\"} & set(parts[1]) or not all(map(is_known, parts)):
        return None
    start, end = parts[0][:1] == "^", parts[0][-1:] == "$"
    dots = parts[0].removeprefix("^")
    if start and dots and not dots.strip(".") and all(map(is_known, lines)):
        return [parts[1] + line[len(dots) :] if len(line) >= len(dots) else line for line in lines]
    old = parts[0][start : len(parts[0]) - end].replace("\\.", "\1")
    if start == end or _SPECIAL & set(old):
        return None
    old, new = old.replace("\1", "."), parts[1]
    if start:
        return [new + line[len(old) :] if line.startswith(old) else line for line in lines]
    return [line[: len(line) - len(old)] + new if line.endswith(old) and is_known(line) else line for line in lines]
