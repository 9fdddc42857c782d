"""call_adds: a match has a line that the call puts into a file."""

from __future__ import annotations

import pytest

from policy_engine.history.edited_files import FileChange
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.predicates.edits import call_adds

BEFORE = "a = 1\n[x]\nskip = false\n[y]\nend\n"


def adds(after: str, needle: str | tuple[str, bool], before: str = BEFORE) -> bool:
    return call_adds((FileChange("f", before, after, True),), needle)


@pytest.mark.parametrize(
    ("after", "needle", "expected"),
    [
        (BEFORE, "skip", False),  # nothing changes
        (BEFORE.replace("a = 1", "a = 2"), "skip", False),  # another line does
        (BEFORE.replace("false", "true"), "skip", True),
        (BEFORE + "skip = false\n", "skip", True),  # the same line once more
        (BEFORE.replace("end", "[x]"), ("(?s)\\[x\\].*\\[y\\]", False), False),
        (BEFORE.replace("skip = false", "skip = no"), ("(?s)\\[x\\].*\\[y\\]", False), True),  # within a match
        (BEFORE.replace("[x]\n", ""), "skip", True),  # a line goes beside it
        (BEFORE.replace("end\n", ""), "skip", False),
        (BEFORE.replace("end", "é SKIP"), ("é skip", True), True),
        (BEFORE.replace("end", "é SKIP"), ("é skip", False), False),
        (BEFORE.replace("a = 1", "é\ud800 1"), "1", True),
        ("", "skip", False),
    ],
)
def test_a_match_counts_where_a_line_of_it_is_new(after: str, needle: str | tuple[str, bool], expected: bool) -> None:
    assert adds(after, needle) is expected


def test_each_file_is_looked_at() -> None:
    same, new = FileChange("a", "x\n", "x\n", True), FileChange("b", "", "x\n", True)
    assert call_adds((same,), "x") is False
    assert call_adds((same, new), "x") is True


def test_a_call_that_writes_no_file_adds_nothing() -> None:
    assert call_adds(ABSENT, "x") is False
    assert call_adds((), "x") is False


def test_an_empty_text_is_undecided() -> None:
    with pytest.raises(Undecided):
        adds("x", "")


def test_a_pattern_that_matches_nothing_everywhere_ends() -> None:
    assert adds("b\n" * 20_000, ("c*", False), "a\n" + "b\n" * 20_000) is True
