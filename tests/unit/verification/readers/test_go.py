"""What the recorded outputs of go do not show: words of other versions, panics outside of tests."""

from __future__ import annotations

import pytest

from policy_engine.verification.output import Output
from policy_engine.verification.readers.go import READER

NEWER_VET = """\
# example.com/t
# [example.com/t]
./a.go:6:2: fmt.Printf format %d has arg "text" of wrong type string
FAIL\texample.com/t [build failed]
"""
PARALLEL = """\
=== RUN   TestA
=== PAUSE TestA
=== RUN   TestB
    b_test.go:9: b is wrong
=== NAME  TestA
    a_test.go:5: a is wrong
--- FAIL: TestB (0.00s)
--- FAIL: TestA (0.00s)
"""


def test_what_vet_finds_during_a_test_is_a_lint() -> None:
    (found,) = READER.read(NEWER_VET)
    assert (found.error_class, found.file, found.line) == ("lint", "./a.go", 6)


def test_messages_belong_to_the_test_that_says_them() -> None:
    found = READER.read(PARALLEL)
    assert [(one.summary, one.line) for one in found] == [("TestB: b is wrong", 9), ("TestA: a is wrong", 5)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "panic: odd\n\ngoroutine 1 [running]:\nmain.main()\n\t/w/main.go:4 +0x1\nexit status 2",
            ("crash", "/w/main.go"),
        ),
        ("go: go.mod file not found in current directory or any parent directory", ("configuration", None)),
        ("a.go:3:8: package foo/bar is not in std (/usr/lib/go/src/foo/bar)", ("import_error", "a.go")),
        ("go: downloading example.com/x v1.0.0\n?   \texample.com/t\t[no test files]", ("no_tests", None)),
        ("flag provided but not defined: -nope", ("usage", None)),
    ],
)
def test_a_complaint_has_its_class_and_file(text: str, expected: tuple[object, ...]) -> None:
    (found,) = READER.read(text)
    assert (found.error_class, found.file) == expected


def test_lines_that_are_only_like_json_are_lines() -> None:
    text = (
        '{"Action":"output","Output":3}\n{"Action":\n[1]\nnull\n{"Action":"output","Output":"--- FAIL: T (0.00s)\\n"}'
    )
    assert [one.summary for one in READER.read(Output(text))] == ["T failed"]
