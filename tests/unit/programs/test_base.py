"""Programs are found by their file name, and sort their words out as getopt does."""

from __future__ import annotations

import pytest

from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Program, find_program

SAMPLE = Program("x", {"options": "-a -b -o= --all --out= --color[=]", "abbreviates": True})


def test_a_program_is_found_by_its_file_name() -> None:
    for name in ("python", "python3.11", "python3.13t", "PYTHON3.14D.exe"):
        found = find_program(name)
        assert found is not None and found.name == "python", name
    assert [find_program(name) for name in ("base", "__init__", "no-such", "rm2", "a/b", "", "..", "3t")] == [None] * 8


def test_words_are_sorted_out_as_getopt_does() -> None:
    found = SAMPLE.arguments(("-ab", "one", "-oout", "--o", "v", "--color", "--color=red", "-", "--", "-a"))
    assert found.options == [
        ("-a", None), ("-b", None), ("-o", "out"), ("--out", "v"), ("--color", None), ("--color", "red"),
    ]  # fmt: skip
    assert found.operands == ["one", "-", "-a"]
    assert found.flags == ("-ab", "-oout", "--o", "--color", "--color=red")
    assert (found.has("-b", "-z"), found.last("--color"), found.last("-a")) == (True, "red", None)


@pytest.mark.parametrize("word", ["-z", "-az", "--zzz", "--all=1", "--out", "-o"])
def test_an_option_that_the_model_does_not_know_is_undecided(word: str) -> None:
    with pytest.raises(Undecided):
        SAMPLE.arguments((word,))


def test_an_ambiguous_abbreviation_is_undecided() -> None:
    with pytest.raises(Undecided):
        Program("x", {"options": "--force --format=", "abbreviates": True}).arguments(("--fo",))
