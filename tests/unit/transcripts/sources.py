"""Objects and recorded files → what a form of recordings reads of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from policy_engine.loading.recordings import recording
from policy_engine.model.errors import EventError
from policy_engine.model.event import Event
from policy_engine.transcripts.base import Recorded, recorded


def read(*objects: Any) -> list[Recorded]:
    """The events of these lines."""
    return list(recorded(enumerate(objects, 1), "a file"))


def events(*objects: Any) -> list[dict[str, Any]]:
    """The events that could be read, as dictionaries."""
    return [each.event for each in read(*objects) if isinstance(each.event, dict)]


RECORDINGS = Path(__file__).resolve().parents[2] / "data" / "recordings"
"""What real clients wrote of one session each: a command, file tools, a command that fails, an answer."""


def file_events(path: Path) -> list[dict[str, Any]]:
    """The events of a recording of which every line can be read."""
    found = list(recording(str(path)))
    assert [each for each in found if each.damaged or each.unknown or isinstance(each.event, EventError)] == []
    return [each.event for each in found if isinstance(each.event, dict)]


def line_events(folder: Path, *lines: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of these lines, from a file."""
    path = folder / "a.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file_events(path)


def document_events(path: Path, value: Any) -> list[dict[str, Any]]:
    """The events of a document over several lines."""
    path.write_text(json.dumps(value, indent=1))
    return file_events(path)


def check_real_session(name: str) -> None:
    """Assert that a real session goes from its prompt to its answer, with both exit statuses and every file."""
    events = file_events(RECORDINGS / name)
    points = [event["hook"] for event in events if event["hook"] != "session_end"]
    calls = [event for event in events if event["hook"] == "before_tool"]
    assert points == ["session_start", "prompt", *["before_tool", "after_tool"] * len(calls), "before_completion"]
    assert {event["workspace"] for event in events} == {"/home/dev/proj"}
    assert len({event["session"] for event in events}) == 1
    assert (events[1]["prompt"].strip('"'), events[len(points) - 1]["answer"]) == ("please say hi", "all done")
    for event in events:
        Event.from_dict(event)
    ended = [event for event in events if event["hook"] == "after_tool"]
    ran = [event for event in ended if event["tool"]["kind"] == "shell"]
    assert [(event["result"]["exit_code"], event["result"]["ok"]) for event in ran] == [(0, True), (3, False)]
    assert [event["tool"]["args"]["command"] for event in ran] == ["touch ran.txt; echo hi", "echo bad >&2; exit 3"]
    files = [event["tool"] for event in ended if event["tool"]["kind"] not in ("shell", "todo")]
    assert files[0]["kind"] in ("write", "edit")
    assert all("a.py" in json.dumps(tool["args"]) for tool in files)
