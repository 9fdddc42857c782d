"""Read conditions under which code is compiled at all: `//go:build` of Go, `#[cfg(...)]` of Rust.

A test under a condition that does not hold on this machine is not built, and no runner counts it as left out. Not on
the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

CONSTRAINT = re.compile(r"^\s*(?://\s*(?:go:build|\+build)\s+(.+)|#!?\[cfg\((.+)\)\])")
_PLATFORM = {"linux": ("linux", "unix"), "darwin": ("darwin", "macos", "unix"), "win32": ("windows",)}
_HOLDING = frozenset((*_PLATFORM.get(sys.platform, ("unix",)), "amd64", "arm64", "cgo", "gc", "test",
                      "debug_assertions"))  # fmt: skip
_NEGATED = re.compile(r"!\s*(\w+)|\bnot\(\s*(\w+)[^)]*\)")
_NAME = re.compile(r"target_os\s*=\s*\"(\w+)\"|(?<![\w.\"])(?!go1\.)([A-Za-z]\w*)(?!\s*[=(\w])")
_OPEN = re.compile(r"\b(?:feature|target_\w+|panic)\s*=|\bgo1\.\d+|\bany\(\s*[^)]|\|\|| ")
"""What may hold: features, alternatives, and whatever was not read."""
_TEST = re.compile(r"#\[(?:\w+::)*test\b")
_NEAR = 3  # lines between a condition and the mark of a test


def leaves_out(lines: Sequence[str], at: int) -> bool | None:
    """Return whether the condition of a line certainly does not hold here (True) or may not (False); None if the
    line is no condition of tests.
    """
    found = CONSTRAINT.match(lines[at])
    if found is None:
        return None
    text = found[1] or found[2]
    about_tests = (
        found[1] or re.search(r"\btest\b", text) or any(map(_TEST.search, lines[max(0, at - _NEAR) : at + _NEAR]))
    )
    if not about_tests or text.strip() == "test":
        return None
    if text.replace(" ", "") == "any()":
        return True
    negated = {one[1] or one[2] for one in _NEGATED.finditer(text)}
    plain = {one[1] or one[2] for one in _NAME.finditer(_NEGATED.sub("", text))} - {"all", "any", "not"}
    if not negated & _HOLDING and plain <= _HOLDING:
        return None if not _OPEN.search(text.replace("&&", "").replace(", ", ",")) else False
    return not re.search(r"\|\||\bany\(", text)
