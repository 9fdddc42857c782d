"""Qwen's chats become the events that hooks would have reported."""

from __future__ import annotations

from tests.unit.transcripts.sources import check_real_session


def test_a_session_of_the_real_client() -> None:
    check_real_session("qwen.jsonl")
