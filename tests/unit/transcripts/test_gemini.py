"""Gemini's chats, as lines and as documents become the events that hooks would have reported."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tests.unit.transcripts.sources import check_real_session, document_events


def test_a_session_of_the_real_client() -> None:
    check_real_session("gemini.jsonl")


def test_the_folder_of_a_chat_of_gemini_is_proved_by_its_digest(tmp_path: Path) -> None:
    call = {"id": "1", "name": "write_file", "status": "success", "args": {"file_path": "/w/proj/src/a.py"}}
    response = {"functionResponse": {"response": {"output": "written"}}}
    chat = {
        "sessionId": "s", "projectHash": hashlib.sha256(b"/w/proj").hexdigest(),
        "messages": [
            {"type": "user", "content": "Write it."},
            {"type": "gemini", "content": "Done.", "toolCalls": [{**call, "result": [response]}]},
        ],
    }  # fmt: skip
    found = document_events(tmp_path / "session.json", chat)
    assert [event["hook"] for event in found] == ["session_start", "prompt", "before_tool", "after_tool"]
    assert [event.get("workspace") for event in found] == [None, None, "/w/proj", "/w/proj"]
