"""opencode's exports and its database become the events that hooks would have reported."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from policy_engine.loading.recordings import recording
from policy_engine.model.errors import ConfigurationError
from tests.unit.transcripts.sources import RECORDINGS, check_real_session, file_events


def test_a_session_of_the_real_client() -> None:
    check_real_session("opencode.json")


def test_the_database_of_opencode_is_read_as_its_export(tmp_path: Path) -> None:
    exported = json.loads((RECORDINGS / "opencode.json").read_text())
    base = sqlite3.connect(tmp_path / "opencode.db")
    base.execute("create table session (id, directory, parent_id, time_created)")
    base.execute("create table message (id, session_id, time_created, data)")
    base.execute("create table part (id, message_id, session_id, data)")
    name = exported["info"]["id"]
    base.execute("insert into session values (?, ?, null, 1)", (name, exported["info"]["directory"]))
    for number, message in enumerate(exported["messages"]):
        base.execute("insert into message values (?, ?, 1, ?)", (f"m{number}", name, json.dumps(message["info"])))
        for place, part in enumerate(message["parts"]):
            row = (f"p{number}.{place:03}", f"m{number}", name, json.dumps(part))
            base.execute("insert into part values (?, ?, ?, ?)", row)
    base.commit()
    base.close()
    assert file_events(tmp_path / "opencode.db") == file_events(RECORDINGS / "opencode.json")


def test_another_database_is_no_recording(tmp_path: Path) -> None:
    base = sqlite3.connect(tmp_path / "other.db")
    base.execute("create table a (b)")
    base.commit()
    base.close()
    with pytest.raises(ConfigurationError, match="no such table"):
        list(recording(str(tmp_path / "other.db")))
