"""What the recorded outputs of pytest do not show."""

from __future__ import annotations

import pytest

from policy_engine.verification.readers.pytest import READER

FIXTURE = """\
==================================== ERRORS ====================================
_______________________ ERROR at setup of test_absent ________________________
file /workspace/test_f.py, line 7
  def test_absent(nowhere):
E       fixture 'nowhere' not found
>       available fixtures: cache, capfd
"""
LIBRARY = """\
=================================== FAILURES ===================================
__________________________________ test_read ___________________________________

    def test_read():
>       load("{")

tests/test_a.py:9:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
/usr/lib/python3.11/json/__init__.py:346: in loads
    return _default_decoder.decode(s)
E   json.decoder.JSONDecodeError: Expecting value

/usr/lib/python3.11/json/decoder.py:355: JSONDecodeError
----------------------------- Captured stdout call -----------------------------
other.py:12: in nothing
============ a title of the test ============
__________________________________ test_next ___________________________________
E   AssertionError: no
tests/test_a.py:15: AssertionError
"""


def test_a_missing_fixture_is_at_the_test() -> None:
    (found,) = READER.read(FIXTURE)
    assert (found.file, found.line, found.summary) == (
        "/workspace/test_f.py",
        7,
        "test_absent: fixture 'nowhere' not found",
    )


def test_the_place_is_the_last_one_outside_libraries_and_captured_output() -> None:
    found, following = READER.read(LIBRARY)
    assert (found.file, found.line) == ("tests/test_a.py", 9)
    assert (following.line, following.summary) == (15, "test_next: AssertionError: no")
    assert "Captured" not in found.excerpt


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("====== 3 deselected in 0.01s ======", "no_tests"),
        ("INTERNALERROR> Traceback\nINTERNALERROR> ValueError: odd", "crash"),
        ("FAIL Required test coverage of 90% not reached. Total coverage: 12.00%", "test_failure"),
        ("ERROR: not found: /workspace/test_a.py::test_b", "usage"),
        ("ERROR: Missing required plugins: pytest-odd", "configuration"),
    ],
)
def test_what_pytest_says_of_the_whole_run(text: str, expected: str) -> None:
    assert [one.error_class for one in READER.read(text)] == [expected]


@pytest.mark.parametrize("text", ["", "1 passed in 0.01s", "=== 3 passed, 1 warning in 0.01s ==="])
def test_a_green_run_has_no_failure(text: str) -> None:
    assert READER.read(text) == []
