"""What the recorded outputs of compilers and linkers do not show."""

from __future__ import annotations

import pytest

from policy_engine.verification.readers.gcc import READER


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/usr/bin/ld: cannot find -lodd: No such file or directory", ("import_error", None)),
        (
            "a.o: b.c:(.text+0x0): multiple definition of `f'; a.c:(.text+0x0): first defined here",
            ("compile_error", "b.c"),
        ),
        ("a.c:3: error: unterminated argument list invoking macro", ("syntax", "a.c")),
        (r"C:\src\a.c:3:1: error: odd", ("compile_error", r"C:\src\a.c")),
        ("clang: error: no such file or directory: 'a.c'", ("usage", None)),
    ],
)
def test_a_complaint_has_its_class_and_file(text: str, expected: tuple[object, ...]) -> None:
    (found,) = READER.read(text)
    assert (found.error_class, found.file) == expected


def test_warnings_are_no_failures() -> None:
    assert READER.read("a.c:3:1: warning: unused variable 'x' [-Wunused-variable]\n1 warning generated.") == []


@pytest.mark.parametrize("program", ["gcc", "g++-13", "clang-18", "x86_64-linux-gnu-g++", "arm-none-eabi-gcc", "cc"])
def test_cross_and_numbered_compilers_are_claimed(program: str) -> None:
    assert READER.claims((program, "-c", "a.c"))
