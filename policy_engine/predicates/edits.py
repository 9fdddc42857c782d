"""Predicates about what the proposed call makes of the files that it names."""

from __future__ import annotations

from policy_engine.model.regexes import spans
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.predicates.base import FileChanges, Needle

NEEDS = "file_changes"


def call_adds(changes: FileChanges, needle: Needle) -> bool:
    """True if the call puts the text, or what the regex matches, into a file: a line of a match comes with the call.

    The file as it is is compared with what the call makes of it, so that lines that stay count for nothing, though the
    call may repeat them; a line beside which others go counts. False for a call that writes no file; undecided of a
    shell line, and of a text of more than a million characters.

    Holds:

        file "Cargo.toml" content "[package]\\n"
        edit "Cargo.toml" content "autotests = false"
        call_adds(/autotests\\s*=\\s*false/)

    Does not hold:

        file "Cargo.toml" content "autotests = false\\nedition = \\"2018\\"\\n"
        write "Cargo.toml" content "autotests = false\\nedition = \\"2021\\"\\n"
        call_adds(/autotests\\s*=\\s*false/)
    """
    if not needle or needle[0] == "":
        raise Undecided("the text that the call may add is empty")
    for change in () if changes is ABSENT else changes:
        lines = change.changed_lines()
        text = change.after.encode("utf-8", "replace")
        found = spans(needle, text) if isinstance(needle, tuple) else _places(needle, text)
        line = at = 0
        for begin, end in found if lines else ():
            line, at = line + text.count(b"\n", at, begin), begin
            if not lines.isdisjoint(range(line, line + text.count(b"\n", begin, max(begin, end - 1)) + 1)):
                return True
    return False


def _places(needle: str, text: bytes) -> Iterator[tuple[int, int]]:
    """Yield where the needle begins and ends in UTF-8 text, in bytes."""
    sought, at = needle.encode("utf-8", "replace"), -1
    while (at := text.find(sought, at + 1)) >= 0:
        yield at, at + len(sought)
