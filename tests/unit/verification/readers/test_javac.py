"""What the recorded outputs of javac do not show."""

from __future__ import annotations

import pytest

from policy_engine.verification.readers.javac import READER


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("class, interface, enum, or record expected", "syntax"),
        ("reached end of file while parsing", "syntax"),
        ("incompatible types: int cannot be converted to String", "compile_error"),
        ("module not found: odd", "import_error"),
    ],
)
def test_the_words_name_the_class(said: str, expected: str) -> None:
    (found,) = READER.read(f"src/A.java:3: error: {said}\n  int x\n   ^\n1 error")
    assert (found.error_class, found.file, found.line, found.column) == (expected, "src/A.java", 3, 4)


def test_warnings_alone_are_no_failures() -> None:
    assert READER.read("A.java:3: warning: [removal] odd\n  x\n  ^\n1 warning") == []
