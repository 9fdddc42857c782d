"""What the recorded outputs of mypy do not show."""

from __future__ import annotations

import pytest

from policy_engine.verification.readers.mypy import READER


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.py:3: error: INTERNAL ERROR -- Please try using mypy master", ("crash", "a.py", 3)),
        ('b.py: error: Duplicate module named "b" (also at "c/b.py")', ("configuration", "b.py", None)),
        ("mypy: can't read file 'x.py': No such file or directory", ("usage", None, None)),
        ("There are no .py[i] files in directory '.'", ("usage", None, None)),
        ("mypy.ini: [mypy]: Unrecognized option: odd = 1", ("configuration", "mypy.ini", None)),
        (r'C:\src\a.py:3:7: error: Name "x" is not defined  [name-defined]', ("type_error", r"C:\src\a.py", 3)),
    ],
)
def test_a_complaint_has_its_class_and_place(text: str, expected: tuple[object, ...]) -> None:
    (found,) = READER.read(text)
    assert (found.error_class, found.file, found.line) == expected


def test_notes_belong_to_the_error_before_them() -> None:
    (found,) = READER.read("a.py:1: error: Odd  [misc]\na.py:1: note: Perhaps this\nSuccess: no issues found")
    assert found.excerpt.split("\n")[:2] == ["a.py:1: error: Odd  [misc]", "a.py:1: note: Perhaps this"]
