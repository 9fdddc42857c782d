"""What the recorded outputs of Maven do not show: words of older versions, plugins that check style."""

from __future__ import annotations

import pytest

from policy_engine.verification.readers.maven import READER

OLD = """\
adds(com.acme.shop.CartTest)  Time elapsed: 0.009 sec  <<< FAILURE!
java.lang.AssertionError: expected:<4> but was:<3>
\tat org.junit.Assert.fail(Assert.java:88)
\tat com.acme.util.Check.check(Check.java:9)
\tat com.acme.shop.CartTest.adds(CartTest.java:12)
"""
RESULTS = """\
[ERROR] Failures:
[ERROR]   CartTest.adds:12 expected: <4> but was: <3>
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test: There are test failures.
"""
CHECKSTYLE = (
    "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-checkstyle-plugin:3.3.0:check (v) on project shop:"
    " You have 2 Checkstyle violations. -> [Help 1]"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OLD, ("test_failure", "Check.java", 9)),
        (RESULTS, ("test_failure", "CartTest.java", 12)),
        (CHECKSTYLE, ("lint", None, None)),
        (
            "[ERROR] Failed to execute goal org.codehaus.mojo:exec-maven-plugin:3.0:exec (x) on project a: odd",
            ("unknown", None, None),
        ),
        ("[ERROR] No plugin found for prefix 'odd' in the current project", ("usage", None, None)),
    ],
)
def test_a_complaint_has_its_class_and_place(text: str, expected: tuple[object, ...]) -> None:
    (found,) = READER.read(text)
    assert (found.error_class, found.file, found.line) == expected
