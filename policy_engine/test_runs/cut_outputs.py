"""Tell whether filters behind a run of tests may have left out that tests failed.

`head` cuts the end, `tail` the beginning, `grep` lines. Of what is cut at the beginning the last summary speaks for
the whole only where the runner prints one, or says in the end how all went; a run of several packages or programs
prints one for each. Not on the hook path: it is imported when a result shows a summary.
"""

from __future__ import annotations

import re

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
        if command.name in ("tail", "sed") and unsaid and not counts.failed:
            whole = last and _is_whole(command, text) and (run.parts or run.total not in _TOTALS)
            if not (whole or _stands_for_all(text, counts, run, own)):
                return command.text
        if command.name in _GREPS:
            lines = [SUMMARIES[reader].failing_line.split("\n") for reader in counts.readers]
            few = any(word.startswith("--max-count") or re.match("-[a-zA-Z]*m", word) for word in command.argv[1:])
            if few or not all(any(_keeps(command, line) for line in one) for one in lines):
                return command.text
    return ""


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


def _keeps(command: SimpleCommand, line: str) -> bool:
    """Return whether a `grep` would let a failing summary through."""
    words = [word for word in command.argv[1:] if word[:1] != "-" or word == "-"]
    pattern = words[0] if words else ""
    folded = any(word[:1] == "-" and word[:2] != "--" and "i" in word for word in command.argv[1:])
    line = line.lower() if folded else line
    if any(word[:2] != "--" and word[:1] == "-" and "v" in word for word in command.argv[1:]):
        return all(part in _NOISE for part in pattern.replace("\\|", "|").split("|"))
    if "--invert-match" in command.argv:
        return False
    for part in pattern.replace("\\|", "|").replace("(", "|").replace(")", "|").split("|"):
        plain = part.strip("^$\"' ").replace("\\b", "")
        plain = plain.lower() if folded else plain
        if plain and not any(sign in plain for sign in "[]*+?.\\{}^$") and plain in line:
            return True
    return False
