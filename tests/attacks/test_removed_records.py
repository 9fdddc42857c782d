"""What the engine keeps of a session is removed while it runs: the session is not taken for a new one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.host import POLICY, STATEFUL, Host

CALL = {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "w1", "name": "Write"}]}}
RESULT = {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "w1", "content": "ok"}]}}
PROMPT = {"type": "user", "message": {"content": 'look for `"type":"tool_result"` and "toolUseResult"'}}


class Recorded(Host):
    """A host that records its session in a file, as most do, and names it in every event."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.record = folder / "record.jsonl"
        self.records(PROMPT, CALL)

    def records(self, *lines: dict[str, Any]) -> None:
        self.record.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.record.chmod(0o600)

    def payload(self, native: str, **fields: Any) -> dict[str, Any]:
        return super().payload(native, **{"transcript_path": str(self.record), **fields})


@pytest.fixture
def dirty(tmp_path: Path) -> Recorded:
    """A session that wrote a source file and has not run the tests."""
    host = Recorded(tmp_path)
    host.write_policy(STATEFUL)
    (host.workspace / "src").mkdir()
    (host.workspace / "src/a.py").write_text("x")
    host.call(host.payload("SessionStart", source="startup"))
    host.call(host.wrote("src/a.py", "w1"))
    host.records(PROMPT, CALL, RESULT)
    assert host.call(host.stop()).refused
    return host


def remove(host: Host, *names: str) -> None:
    """Take files out of the state folder, all where none is named."""
    for path in [*host.state.glob("*")] if not names else [one for name in names for one in host.state.glob(name)]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def passes(host: Host) -> None:
    host.call(host.ran("pytest -q", "t9"))


@pytest.mark.fault(91)
def test_without_state_and_cache_the_host_s_own_record_tells(dirty: Recorded) -> None:
    remove(dirty)
    shutil.rmtree(dirty.cache)
    dirty.write_policy("language 1\n")
    done = dirty.call(dirty.stop())
    assert done.refused and "record of this session is missing" in done.err + done.out.decode()
    said = dirty.call(dirty.shell("rm a"))
    assert said.verdict == "ask" and "policy adopt" in said.out.decode()  # what it began with is not known


@pytest.mark.fault(91)
def test_what_was_written_before_is_in_doubt_until_it_is_proven_afresh(dirty: Recorded) -> None:
    remove(dirty)
    shutil.rmtree(dirty.cache)
    start = dirty.payload("SessionStart", source="resume")  # a person takes it up again
    assert "record of this session is missing" in dirty.call(start).out.decode()
    assert dirty.call(dirty.shell("ls")).verdict == "allow"
    assert dirty.call(dirty.stop()).refused
    passes(dirty)
    assert dirty.call(dirty.stop()).verdict == "allow"


@pytest.mark.fault(91)
@pytest.mark.parametrize("first", ["prompt", "call", "result", "stop"])
def test_a_store_removed_with_all_that_stands_for_it_is_missed_by_the_records_of_calls(
    dirty: Recorded, first: str
) -> None:
    remove(dirty, "sessions.sqlite3*")
    if first == "prompt":
        dirty.call(dirty.payload("UserPromptSubmit", prompt="go on"))
    elif first == "call":
        dirty.call(dirty.payload("PreToolUse", tool_name="Write", tool_input={"file_path": "/x", "content": ""}))
    elif first == "result":
        dirty.call(dirty.ran("ls", "l1"))
    assert dirty.call(dirty.stop()).refused
    passes(dirty)
    assert dirty.call(dirty.stop()).verdict == "allow"


def test_the_store_tells_of_a_session_whose_other_records_were_removed(dirty: Recorded) -> None:
    remove(dirty, "floors", "policies", "workspaces", "proposals", "origins", "status")
    shutil.rmtree(dirty.cache)
    dirty.record.unlink()
    dirty.write_policy("language 1\n")
    said = dirty.call(dirty.shell("rm a"))
    assert said.verdict == "ask" and "the store knows it" in said.out.decode()
    assert dirty.call(dirty.shell("rm a")).verdict == "ask"
    assert dirty.call(dirty.stop()).refused


def test_the_cache_tells_of_a_session_whose_state_was_removed(dirty: Recorded) -> None:
    remove(dirty)
    dirty.record.unlink()
    done = dirty.call(dirty.stop())
    assert done.refused and "the cache knows it" in done.err + done.out.decode()


@pytest.mark.parametrize("source", ["startup", "clear", "fork", None])
def test_a_session_that_begins_is_no_missing_one(tmp_path: Path, source: str | None) -> None:
    host = Recorded(tmp_path)
    host.write_policy(STATEFUL)
    host.records(PROMPT, CALL, RESULT)
    given = {} if source is None else {"source": source}
    assert b"missing" not in host.call(host.payload("SessionStart", **given)).out
    assert host.call(host.stop()).verdict == "allow"


def test_a_session_whose_first_call_is_running_is_no_missing_one(tmp_path: Path) -> None:
    host = Recorded(tmp_path)
    host.write_policy(STATEFUL)
    assert host.call(host.payload("UserPromptSubmit", prompt="tool_result")).out == b""
    assert host.call(host.shell("ls")).out == b""
    host.records(PROMPT, CALL, RESULT)
    assert host.call(host.stop()).verdict == "allow"


def test_a_session_that_gets_its_first_stateful_policy_has_lost_nothing(tmp_path: Path) -> None:
    host = Recorded(tmp_path)
    host.write_policy(POLICY)
    host.call(host.ran("ls", "l1"))
    host.write_policy(STATEFUL)
    host.call(host.ran("ls", "l2"))
    assert host.call(host.stop()).verdict == "allow"


@pytest.mark.parametrize("variable", ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG_DIR"])
def test_the_host_s_own_folder_is_guarded_where_a_variable_names_it(tmp_path: Path, variable: str) -> None:
    host = Host(tmp_path)
    host.write_policy(POLICY)
    folder = tmp_path / "agents" / "of ours"
    environment = {**host.environment, variable: str(folder)}
    record = folder / "projects/-work/s-1.jsonl"
    record.parent.mkdir(parents=True)
    record.write_text("")

    def asked(line: str) -> str:
        return host.call(host.shell(line), env=environment).verdict

    for line in ("tee {}/projects/-work/s-1.jsonl", "cp x {}/settings.json", "truncate -s 0 {}/projects/*/*"):
        assert asked(line.format(f"'{folder}'")) == "deny", line
    assert asked(f"mv '{folder.parent}' x") in ("ask", "deny")
    given = {"file_path": str(record), "content": ""}
    write = host.payload("PreToolUse", tool_name="Write", tool_input=given)
    assert host.call(write, env=environment).verdict == "deny"
    assert asked(f"cat '{record}'") == "allow"
    assert asked(f"tee '{tmp_path}/agents/other'") == "allow"
