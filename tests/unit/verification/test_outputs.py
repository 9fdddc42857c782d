"""What tools really wrote → the failures that a person reads in it, by argv and, where it has marks, without."""

from __future__ import annotations

import pytest

from policy_engine.model.limits import VERIFY_EXCERPT_CHARS, VERIFY_FAILURES, VERIFY_SUMMARY_CHARS
from policy_engine.verification.failure import ERROR_CLASSES, Failure
from policy_engine.verification.output import plain
from policy_engine.verification.reading import failures_of, readers
from tests.unit.verification.outputs import FOLDER, ROOT, Recorded, recorded

# Only the argv says whose these are: messages that any tool could have written.
UNMARKED = set(
    "cargo/usage eslint/usage go/missing-package go/no-packages go/vet javac/missing-file javac/usage"
    " jest/configuration jest/usage pyright/no-files pytest/configuration ruff/missing-file ruff/usage"
    " vitest/usage".split()
)


def _rows(found: tuple[Failure, ...]) -> list[list[object]]:
    return [[one.error_class, one.file, one.line, one.column, one.summary] for one in found]


@pytest.mark.parametrize("run", recorded(), ids=lambda run: run.name)
def test_the_failures_are_those_that_a_person_reads(run: Recorded) -> None:
    assert run.exit != 0
    assert _rows(failures_of(run.text, run.argv, ROOT)) == run.failures


@pytest.mark.parametrize("run", [run for run in recorded() if run.name not in UNMARKED], ids=lambda run: run.name)
def test_the_marks_of_an_output_stand_for_the_command(run: Recorded) -> None:
    assert _rows(failures_of(run.text, ("make", "check"), ROOT)) == run.failures


@pytest.mark.parametrize("name", sorted(UNMARKED))
def test_an_output_without_marks_is_a_failure_all_the_same(name: str) -> None:
    (run,) = (run for run in recorded() if run.name == name)
    assert failures_of(run.text, ("make", "check"), ROOT)


@pytest.mark.parametrize("run", recorded(), ids=lambda run: run.name)
def test_an_excerpt_shows_lines_of_the_output(run: Recorded) -> None:
    lines = {line.rstrip() for line in plain(run.text).split("\n")}
    found = failures_of(run.text, run.argv, ROOT)
    assert 0 < len(found) <= VERIFY_FAILURES
    for one in found:
        shown = one.excerpt.split("\n")
        cut = len(one.excerpt) >= VERIFY_EXCERPT_CHARS
        assert one.error_class in ERROR_CLASSES
        assert 0 < len(one.summary) <= VERIFY_SUMMARY_CHARS
        assert 0 < len(one.excerpt) <= VERIFY_EXCERPT_CHARS
        assert "json" in run.name or any(
            line.strip() in text for line in shown[: -1 if cut else None] for text in lines
        )


@pytest.mark.parametrize("run", recorded(), ids=lambda run: run.name)
def test_half_an_output_is_read_without_a_complaint(run: Recorded) -> None:
    for end in (len(run.text) // 2, len(run.text) // 3, 1):
        failures_of(run.text[:end], run.argv, ROOT)
        failures_of(run.text[-end:], run.argv, ROOT)


def test_every_reader_has_recorded_outputs() -> None:
    assert [reader.name for reader in readers()] == sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
