"""`policy status`: what is in force, what is wrong with the files now, and whether a host asks at all."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from policy_engine.commands import status as command
from policy_engine.loading.live import live
from policy_engine.loading.status import read_status
from policy_engine.state.places import sessions_path
from tests.unit.commands.running import BROKEN, GOOD, WARNS, Shell


def _state(policy: Shell) -> str:
    return str(policy("status", "--format", "json").json["policy"]["state"])


def test_a_policy_goes_from_never_loaded_to_in_force_to_changed(policy: Shell) -> None:
    path = policy.write(".policy/main.policy", GOOD)
    assert _state(policy) == command.NEVER
    assert live(str(policy.folder)) is not None
    assert _state(policy) == command.FRESH
    path.write_text(WARNS)
    assert _state(policy) == command.CHANGED


def test_a_broken_change_keeps_the_last_good_one_and_says_why(policy: Shell) -> None:
    path = policy.write(".policy/main.policy", GOOD)
    good = live(str(policy.folder))
    path.write_text(BROKEN)
    for _ in range(2):
        done = policy("status")
        assert done.status == 3
        assert "  broken: the files do not load\n" in done.out
        assert "the last good policy stays in force until they do" in done.out
        assert ".policy/main.policy:4:6: error[" in done.out
        live(str(policy.folder))  # an event meets the broken files, and the error is recorded
    record = policy("status", "--format", "json").json["policy"]
    kept = next(layer for layer in record["layers"] if layer["name"] == "repository")
    assert (record["digest"], kept["rules"]) == (good.program.digest, 1)
    assert "before_tol" in record["last_error"][0] and "before_tol" in record["errors"][0]


def test_a_policy_that_never_loaded_refuses_everything(policy: Shell) -> None:
    policy.write(".policy/main.policy", BROKEN)
    assert "does not load" in live(str(policy.folder)).lacking[0]
    done = policy("status")
    assert (done.status, "every call is refused until they do" in done.out) == (3, True)


def test_a_repository_without_a_policy_is_no_error(policy: Shell) -> None:
    done = policy("status")
    assert (done.status, done.err) == (0, "")
    assert "none: there is no policy folder here; `policy init` writes a starter" in done.out
    assert "sessions.sqlite3 (not there yet)" in done.out


def test_the_registered_hook_is_found(policy: Shell) -> None:
    assert policy("status", "--format", "json").json["hooks"][0]["registered_in"] == []
    assert policy("install", "claude-code").status == 0
    settings = Path(policy.environment["HOME"]) / ".claude" / "settings.json"
    assert policy("status", "--format", "json").json["hooks"][0]["registered_in"] == [str(settings)]
    assert "hook claude-code  ~/.claude/settings.json\n" in policy("status").out
    settings.write_text("{broken")
    assert "cannot be read as JSON" in policy("status").out


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"folder": 1}', b"\xff"])
def test_records_and_caches_that_are_damaged_are_as_if_not_there(policy: Shell, data: bytes) -> None:
    policy.write(".policy/main.policy", GOOD)
    live(str(policy.folder))
    for folder in ("state", "cache"):
        for path in Path(policy.environment[f"XDG_{folder.upper()}_HOME"]).rglob("*"):
            if path.is_file() and "programs" not in path.parts:
                path.write_bytes(data)
    assert _state(policy) == command.NEVER
    assert policy("status").status == 0


def test_another_folder_can_be_asked_about(policy: Shell) -> None:
    policy.write("other/.policy/main.policy", GOOD)
    record = policy("status", "other", "--format", "json").json
    assert record["policy"]["folder"] == str(policy.folder / "other" / ".policy")
    assert policy("status", "nowhere").status == 2


def test_the_whole_command(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    done = policy.process("status", "--format", "json")
    assert (done.status, done.err) == (0, "")
    assert [layer["files"] for layer in json.loads(done.out)["policy"]["layers"]] == [2, 1]
    assert read_status("nothing") is None


POLICY = """language 1
define source = glob("src/**")
rule tested "t" {
  on before_completion
  when wrote(source)
  require command_success(command("pytest ...")) since wrote(source)
  deny "Run the tests."
}
"""


def told(number: int, tool: str, kind: str, args: dict[str, str], result: dict[str, object]) -> str:
    event = {"hook": "after_tool", "session": "s-1", "id": f"e{number}", "cwd": "/work", "workspace": "/work"}
    return json.dumps({**event, "tool": {"name": tool, "kind": kind, "args": args}, "result": result})


def test_the_ledger_of_a_session_says_how_everything_stands_and_by_which_event(policy: Shell) -> None:
    path = policy.write("main.policy", POLICY)
    state = Path(sessions_path())
    state.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
    events = [
        told(1, "Write", "write", {"file_path": "/work/src/a.py", "content": "x"}, {"ok": True}),
        told(2, "Bash", "shell", {"command": "pytest -q"}, {"exit_code": 0}),
        told(3, "Bash", "shell", {"command": "pytest tests"}, {"exit_code": 1}),
        told(4, "Bash", "shell", {"command": "npm start"}, {"status": "running"}),
        told(5, "Bash", "shell", {"command": "sleep 9"}, {"status": "timed_out"}),
        told(6, "Bash", "shell", {"command": "make"}, {"status": "blocked"}),
        told(7, "Bash", "shell", {"command": "ls | tee x"}, {}),
        told(8, "Read", "read", {"file_path": "/work/src/a.py"}, {"ok": True}),
    ]
    file = policy.write("events.jsonl", "\n".join(events))
    assert policy("eval", "-p", str(path), "--events", str(file), "--state", str(state)).status == 0
    found = policy("status", "--session", "s-1", "--format", "json").json
    assert {one["event"]: one["outcome"] for one in found["commands"]} == {
        "e2": "succeeded", "e3": "failed", "e4": "running",
        "e5": "timed_out", "e6": "blocked", "e7": "unknown",
    }  # fmt: skip
    [path_of] = [one for one in found["paths"] if one["path"] == "/work/src/a.py"]
    assert path_of["confirmed"] and (path_of["wrote"]["event"], path_of["read"]["event"]) == ("e1", "e8")
    assert found["counts"] == {"prompts": 0, "steps": 8, "rounds": 0}
    text = policy("status", "--session", "s-1").out
    assert re.search(r"succeeded and stands  command [0-9a-f]{8}  e2\n", text)
    assert "confirmed  /work/src/a.py  written at" in text


def test_a_session_that_nobody_knows_is_named(policy: Shell) -> None:
    done = policy("status", "--session", "none")
    assert done.status == 2 and "there is no session `none`" in done.err


def test_the_rules_in_force_are_listed_by_layer(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    done = policy("status", "--rules")
    assert done.status == 0
    assert [line.split()[:3] for line in done.out.splitlines() if line.startswith("no-rm")] == [
        ["no-rm", "deny", "before_tool"]
    ]
    assert any(line.startswith("builtin/") for line in done.out.splitlines())
    assert {row["rule"] for row in policy("status", "--rules", "--format", "json").json} >= {"no-rm"}
