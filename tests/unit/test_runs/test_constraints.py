"""Conditions of Go and Rust under which a test is not built here."""

from __future__ import annotations

import sys

import pytest

from policy_engine.test_runs.constraints import leaves_out

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the rows are those of Linux")
ROWS = [
    ("//go:build never", True), ("//go:build !linux", True), ("//go:build windows && amd64", True),
    ("// +build ignore", True), ("//go:build linux", None), ("//go:build !windows", None), ("//go:build unix", None),
    ("//go:build windows || linux", False), ("//go:build go1.22", False),
    ("#[cfg(test)]", None), ("#[cfg(all(test, windows))]", True), ("#[cfg(all(test, unix))]", None),
    ('#[cfg(all(test, feature = "x"))]', False), ("#[cfg(any())]", None), ("#[cfg(not(test))]", True),
    ("let x = 1;", None), ("#[cfg(windows)]", None),
]  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), ROWS)
def test_a_condition_is_read(line: str, expected: bool | None) -> None:
    assert leaves_out([line], 0) is expected


@pytest.mark.parametrize(("line", "expected"), [("#[cfg(windows)]", True), ("#[cfg(any())]", True),
                                                ("#[cfg(unix)]", None), ('#[cfg(feature = "x")]', False)])  # fmt: skip
def test_a_condition_beside_a_test_is_about_it(line: str, expected: bool | None) -> None:
    assert leaves_out([line, "#[tokio::test]", "fn it() {}"], 0) is expected
