"""A glimpse at a line that is not understood: what it certainly does not start."""

from __future__ import annotations

import pytest

from policy_engine.shell.prefilter import may_run, prefilter


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("git log | head", False),
        ("ls *.py | wc -l", False),
        ("echo $HOME; ls", False),
        ("for f in *.py; do cat $f; done", False),
        ("if [ -f x ]; then cat x; fi", False),
        ("find . -name '*.py' | wc", False),
        ("X=$Y cat a > b", False),
        ("pytest | tail", True),
        ("py''test", True),
        ("py\\test -q || true", True),
        ("echo pytest > x", True),
        ("$X -q", True),
        ("a; $X", True),
        ("echo $(date) | $X", True),
        ("$(echo x) -q", True),
        ("`echo x` -q", True),
        ("echo `$X`", True),
        ("py*t -q", True),
        ("{x,y}z", True),
        ("xargs $X", True),
        ("cat a | xargs -n1 $X", True),
        ("find . -exec $X \\;", True),
        ("bash -c \"$X\"", True),
        ("X=1 $Y", True),
        ("! $X", True),
        ("if $X; then y; fi", True),
        ("a && { $X; }", True),
        ("a <($X)", True),
    ],
)  # fmt: skip
def test_a_line_may_start_a_program_unless_it_certainly_does_not(line: str, expected: bool) -> None:
    assert may_run("pytest", prefilter(line)) is expected


def test_a_pattern_of_any_program_may_always_be_started() -> None:
    assert [may_run(token, prefilter("a | b")) for token in ("*", "...", "-*", "*/x*", ".venv/bin/pytest")] == [
        True, True, True, True, False,
    ]  # fmt: skip
