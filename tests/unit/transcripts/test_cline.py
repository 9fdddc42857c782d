"""Cline's conversations, of the command line and of the editor become the events that hooks would have reported."""

from __future__ import annotations

from pathlib import Path

from tests.unit.transcripts.sources import check_real_session, document_events


def test_a_session_of_the_real_client() -> None:
    check_real_session("cline.messages.json")


def test_calls_that_stand_in_the_text_of_an_older_cline_are_calls(tmp_path: Path) -> None:
    asked = "<task>\nRun it.\n</task>\n<environment_details>\n# Current Working Directory (/w/p) Files\n"
    run = "I run it.\n<execute_command>\n<command>make</command>\n<requires_approval>false</requires_approval>\n"
    messages = [
        {"role": "user", "content": [{"type": "text", "text": asked}]},
        {"role": "assistant", "content": [{"type": "text", "text": f"{run}</execute_command>"}]},
        {"role": "user", "content": [{"type": "text", "text": "[execute_command for 'make'] Result:\nok"}]},
        {"role": "assistant", "content": "<attempt_completion>\n<result>Done.</result>\n</attempt_completion>"},
    ]
    start, prompt, before, after, done = document_events(tmp_path / "api_conversation_history.json", messages)
    assert (start["workspace"], prompt["prompt"], done["answer"]) == ("/w/p", "Run it.", "Done.")
    assert (before["tool"]["args"]["command"], after["result"]["status"]) == ("make", "unknown")
