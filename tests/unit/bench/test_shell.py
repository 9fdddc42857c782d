"""The benchmark of shell lines measures answers that are right, on lines of both kinds."""

from __future__ import annotations

import pytest

from bench import shell


def test_every_program_of_every_line_is_found() -> None:
    shell._check()


def test_a_missing_program_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "LINES", (("git log | head", "git head tail"),))
    with pytest.raises(shell.Missed, match="tail"):
        shell.measure(lambda text: None, 1, 1)


def test_about_half_of_the_lines_are_plain() -> None:
    plain = sum(shell._is_plain(line) for line, _ in shell.LINES)
    assert len(shell.LINES) == 30
    assert 12 <= plain <= 20


def test_every_reader_of_ours_that_must_read_all_lines_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "LINES", shell.LINES[-3:])
    rows = {row.name: row for row in shell.measure(lambda text: None, 1, 1)}
    assert [rows[name].read for name in ("policy-engine", "policy-engine, parser", "policy-engine, effects")] == [3] * 3
    assert rows["policy-engine"].ours == 1.0
