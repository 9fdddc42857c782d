"""Tell whether filters behind a run of tests may have left out that tests failed.

`head` cuts the end, `tail` the beginning, `grep` lines. Of what is cut at the beginning the last summary speaks for
the whole only where the runner prints one, or says in the end how all went; a run of several packages or programs
prints one for each. Not on the hook path: it is imported when a result shows a summary.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from policy_engine.test_runs.summaries import SUMMARIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy_engine.shell.command import SimpleCommand
    from policy_engine.test_runs.classify import Run
    from policy_engine.test_runs.summaries import Counts

_NOISE = frozenset(
    (
        "^$",
        "^\\s*$",
        "no test files",
        *(f"{at}=== {word}" for at in ("^", "") for word in ("RUN", "PAUSE", "CONT", "NAME")),
    )
)
"""What a `grep -v` may leave out: other patterns may hide a failing summary beside one that a test prints."""
_OUTCOMES = tuple(
    "fail err pass test suite total result ok summary ran = build assert example scenario spec file task".split()
)
"""What no pattern of `grep -v` may hold: a summary may."""
_COUNTS = ("1", "3", "27", "468")
_LONG_FAILURE = "2 failed, 3 passed, 4 skipped, 5 deselected, 6 xfailed, 7 xpassed, 8 warnings, 9 errors in 0.10s"
_LONG = {
    "--invert-match": "v",
    "--ignore-case": "i",
    "--extended-regexp": "E",
    "--fixed-strings": "F",
    "--perl-regexp": "P",
    "--no-filename": "",
    "--line-number": "",
}
_CLASSES = {"digit": "0-9", "space": r"\s", "alpha": "A-Za-z", "alnum": "A-Za-z0-9", "upper": "A-Z", "lower": "a-z"}
_GREPS = ("grep", "egrep", "rg")
_BLANK = 6  # lines at the ends of an output that a host may have taken away with its blanks
_WHOLE_FILTERS = ("cat", "tee")
_LINES = re.compile(r"(?:(?:-n|--lines)[ =]?(\d+)|-(\d+)|)")
_SUCCEEDED = re.compile(r"^(?:\[\w+\] )?BUILD SUCCESS", re.MULTILINE)
_TOTALS = {
    "build": _SUCCEEDED,
    "sbt": re.compile(r"^\[success\] ", re.MULTILINE),
    "turbo": re.compile(r"^ ?Tasks: +(\d+) successful, \1 total", re.MULTILINE),
    "nx": re.compile(r"^ ?(?:NX|Lerna \(powered by Nx\)) +Successfully ran target", re.MULTILINE),
    "yarn": re.compile(r"^(?:➤ YN0000: )?Done in ", re.MULTILINE),
    "dotnet": re.compile(r"^Test summary: total: ", re.MULTILINE),
    "melos": re.compile(r"^\s*└> SUCCESS", re.MULTILINE),
}
"""How a tool says at its end that all packages of a run succeeded, by the name in the table of runners."""
_ABOVE = {
    "jest": re.compile(r"^Test Suites: ", re.MULTILINE),
    "vitest": re.compile(r"^ *Test Files  ", re.MULTILINE),
    "tap": re.compile(r"^(?:# (?:pass|fail) |Asserts: )", re.MULTILINE),
    "playwright": re.compile(r"^(?! {4}).*\n(?: +\d+ skipped\n)*(?:\x1b\[[0-9;]*m)* +\d+ passed \(", re.MULTILINE),
}
"""What a summary of several lines has above its count of passed tests, where failures stand."""


def cutting(
    text: str, counts: Counts, run: Run, own: SimpleCommand, behind: Sequence[SimpleCommand], unsaid: bool
) -> str:
    """Return the program behind a run that may have left out that tests failed, "" if none did.

    Where the summary is `unsaid` by a status, it must stand for the whole.
    """
    piped = [command for command in behind if command.piped_from]
    for place, command in enumerate(piped):
        last = all(one.name in _WHOLE_FILTERS for one in piped[place + 1 :])
        if command.name == "head" and not (
            last and _is_whole(command, text) and ("maven" not in counts.readers or _SUCCEEDED.search(text))
        ):
            return command.text
        chosen = chooser(command)
        if command.name in ("tail", "sed") and chosen is None and unsaid and not counts.failed:
            whole = last and _is_whole(command, text) and (run.parts or run.total not in _TOTALS)
            if not (whole or _stands_for_all(text, counts, run, own)):
                return command.text
        if command.name in _GREPS and chosen is None:
            return command.text
        if chosen is not None:
            lines = [_failing(reader, text).split("\n") for reader in counts.readers]
            if chosen.few or not all(any(_keeps(chosen, line, own) for line in one) for one in lines):
                return command.text
    return ""


def _failing(reader: str, text: str) -> str:
    """Return what a tool says in the place of a summary where tests fail; one in the form of TAP says so at its end."""
    if reader in ("node", "tap") and re.search(r"(?m)^# pass ", text):
        return "# fail 1"
    return SUMMARIES[reader].failing_line


def _stands_for_all(text: str, counts: Counts, run: Run, own: SimpleCommand) -> bool:
    """Return whether the end of an output shows that the whole run succeeded."""
    plain = re.sub(r"\x1b\[[0-9;?]{0,30}[A-Za-z]", "", text).replace("\r\n", "\n")
    if not all(above.search(plain) for reader, above in _ABOVE.items() if counts.readers == (reader,)):
        return False
    if run.parts == 1:
        return True
    total = _TOTALS.get(run.total)
    if total is not None and total.search(plain):
        return True
    if run.total == "cargo" and "2>&1" in own.text:  # that binaries failed stands behind all summaries
        return plain.rstrip().rpartition("\n")[2].startswith("test result: ok")
    return 0 < run.parts <= max((_summaries(plain, reader) for reader in counts.readers), default=0)


def _summaries(text: str, reader: str) -> int:
    """Return how many summaries with passed tests an output has."""
    return len({match.start() for pattern in SUMMARIES[reader].passed for match in pattern.finditer(text)})


def _is_whole(command: SimpleCommand, text: str) -> bool:
    """Return whether `head` or `tail` can have cut nothing: fewer lines came than it lets through."""
    if command.name == "sed":
        return "-n" not in command.argv
    count = _LINES.fullmatch(" ".join(command.argv[1:]))
    if count is None:
        return False
    most = int((count[1] or count[2] or "10")[:6])
    lines = text.strip("\n").split("\n")
    return len(lines) + min(_BLANK, most // 2) < most


class Chooser(NamedTuple):
    """The lines that a filter lets through: those in which a pattern is found, or the others."""

    pattern: re.Pattern[str]
    inverted: bool
    few: bool  # only the first of them


def chooser(command: SimpleCommand) -> Chooser | None:
    """Return which lines `grep PATTERN`, `awk /PATTERN/` or `sed -n /PATTERN/p` lets through; None where that is not
    followed.
    """
    words = list(command.argv[1:])
    if command.name in _GREPS:
        return _grep(command.name, words)
    form = re.fullmatch(r"/((?:[^/\\]|\\.)+)/(p?)", words[-1]) if words else None
    if (
        form is None
        or (form[2] == "p") != (command.name == "sed")
        or command.name not in ("sed", "awk", "gawk", "mawk")
    ):
        return None
    plain = words[:-1] in ([], ["-n"], ["-nE"], ["-nr"], ["-n", "-E"], ["-E", "-n"], ["-n", "-r"])
    if not plain or (command.name == "sed") == (words[:-1] == []):
        return None
    basic = command.name == "sed" and words[:-1] == ["-n"]
    pattern = _compiled([form[1].replace("\\/", "/")], basic, False)
    return None if pattern is None else Chooser(pattern, False, False)


def _grep(name: str, words: list[str]) -> Chooser | None:
    flags, patterns, operands, few = "E" if name != "grep" else "", [], [], False
    while words:
        word = words.pop(0)
        if word in ("-e", "--regexp") and words:
            patterns.append(words.pop(0))
        elif word.startswith("--regexp="):
            patterns.append(word.partition("=")[2])
        elif word in ("-A", "-B", "-C") and words:
            words.pop(0)
        elif word.startswith(("-m", "--max-count")) or re.match("-[a-zA-Z]*m", word):
            few = True
            del words[: word in ("-m", "--max-count")]
        elif word in _LONG:
            flags += _LONG[word]
        elif word[:1] == "-" and word != "-":
            if not re.fullmatch(r"-(?:[aEFGhiInPsvy]*|[ABC]?\d+)|--(?:color|colour)(?:=\w+)?|--line-buffered", word):
                return None
            flags += word
        else:
            operands.append(word)
    patterns = patterns or operands[:1]
    if "F" in flags:
        patterns = [re.escape(one) for one in patterns]
    basic = name == "grep" and not {"E", "P", "F"} & set(flags)
    pattern = _compiled(patterns, basic, "i" in flags or "y" in flags)
    return None if pattern is None else Chooser(pattern, "v" in flags, few)


def _compiled(patterns: list[str], basic: bool, folded: bool) -> re.Pattern[str] | None:
    """Return a pattern of `grep` as one of Python; None where it is not simple."""
    if basic:
        patterns = [re.sub(r"\\?[+?|(){}]", lambda of: of[0][1:] or f"\\{of[0]}", one) for one in patterns]
    text = "|".join(patterns)
    for name, letters in _CLASSES.items():
        text = text.replace(f"[:{name}:]", letters)
    repeated = len(re.findall(r"(?<!\\)[*+{]", text))
    if not text or len(text) > 300 or repeated > 3 or re.search(r"\(\?|\)[*+{]|\\\d", text):
        return None
    try:
        return re.compile(text, re.IGNORECASE if folded else 0)
    except re.error:
        return None


def _keeps(chosen: Chooser, line: str, own: SimpleCommand) -> bool:
    """Return whether a filter lets a failing summary through, whatever its counts are."""
    lines = [re.sub(r"\b1\b", count, line) for count in _COUNTS]
    if line == SUMMARIES["pytest"].failing_line:
        lines += [] if "-q" in own.argv else [f"===== {one} =====" for one in lines]
        lines += [_LONG_FAILURE] if chosen.inverted else []
    if not chosen.inverted:
        return all(map(chosen.pattern.search, lines))
    said = chosen.pattern.pattern.lower()
    plain = (
        sum(map(str.isalpha, said)) > 3 and not any(map(str.isdigit, said)) and not any(w in said for w in _OUTCOMES)
    )
    noise = all(part in _NOISE for part in chosen.pattern.pattern.split("|"))
    return noise or (plain and not any(map(chosen.pattern.search, lines)))
