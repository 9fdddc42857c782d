"""Bytes as a patch, a goal and a time → what they name, or a refusal of the declared kind."""

from __future__ import annotations

from policy_engine.history.demands import read_demands
from policy_engine.model.errors import EventError
from policy_engine.model.instant import parse_time, time_text
from policy_engine.model.undecided import Undecided
from policy_engine.programs.agent_patches import read_patch

SEEDS = (
    b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
    b"*** Begin Patch\n*** Update File: a\n@@\n-b\n+c\n*** End Patch",
    b"diff --git a/x b/y\nrename from x\nrename to y\n",
    b"Only after `make` and `pytest -q` succeed.",
    b"- `a` \xe2\x86\x92 `b`",
    b"2026-11-20T10:00:00.123456789+05:30",
    b"0001-01-01T00:00:00Z",
    b"9999-12-31T23:59:60Z",
    b"+++ /dev/null",
)


def target(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    assert all(word in text for command in read_demands(text).commands for word in command.split())
    try:
        read_patch(text)
    except Undecided as unknown:
        assert unknown.reasons
    try:
        instant = parse_time(text)
    except EventError:
        return
    assert parse_time(time_text(instant)) == instant, text
