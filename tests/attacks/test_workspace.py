"""The workspace is the session's: no call chooses which policies hold, and its folder is where its paths begin."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from policy_engine.adapters.base import Answer
from policy_engine.hook_process.hook_entry import find_adapter
from tests.end_to_end.host import Done, Host

POLICY = """\
language 1

rule no-sudo "Nobody becomes root" {
  severity high
  on before_tool(shell)
  when any c in commands { c.program == "sudo" }
  deny "no root here"
  test { shell "sudo ls" => deny }
}

rule no-keys "Keys stay unread" {
  severity high
  on before_tool(shell, read)
  when any p in paths { p matches glob("~/.ssh/**") }
  deny "{p} is a key"
  test { shell "cat ~/.ssh/id" => deny }
}
"""


def common(host: Host, event: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        "session_id": "s-1", "hook_event_name": event, "cwd": str(host.workspace), "tool_name": tool,
        "tool_input": arguments,
    }  # fmt: skip


def opencode(host: Host, arguments: dict[str, Any]) -> dict[str, Any]:
    given = {"tool": "bash", "sessionID": "s-1", "callID": "c"}
    return {"input": given, "output": {"args": arguments}, "directory": str(host.workspace), "worktree": "/"}


def cline(host: Host, arguments: dict[str, Any]) -> dict[str, Any]:
    call = {"id": "c", "name": "run_commands", "input": {**arguments, "commands": [arguments["command"]]}}
    return {"taskId": "s-1", "hookName": "tool_call", "workspaceInfo": {"rootPath": str(host.workspace)},
            "tool_call": call}  # fmt: skip


def cursor(host: Host, arguments: dict[str, Any]) -> dict[str, Any]:
    return {**common(host, "preToolUse", "Shell", arguments), "workspace_roots": [str(host.workspace)],
            "conversation_id": "s-1"}  # fmt: skip


def windsurf(host: Host, arguments: dict[str, Any]) -> dict[str, Any]:
    about = {"command_line": arguments["command"], "cwd": arguments.get("cwd", str(host.workspace))}
    return {"agent_action_name": "pre_run_command", "trajectory_id": "s-1", "tool_info": about}


def canonical(host: Host, arguments: dict[str, Any]) -> dict[str, Any]:
    tool = {"name": "shell", "kind": "shell", "args": {"command": arguments["command"]}}
    folder = arguments.get("cwd", str(host.workspace))
    return {"hook": "before_tool", "session": "s-1", "cwd": folder, "workspace": str(host.workspace), "tool": tool}


# host → the payload of a proposed shell call, and how its model names another folder (None: in the payload's `cwd`)
HOSTS: dict[str, tuple[Callable[[Host, dict[str, Any]], dict[str, Any]], str | None]] = {
    "claude-code": (lambda host, given: common(host, "PreToolUse", "Bash", given), None),
    "codex": (lambda host, given: common(host, "PreToolUse", "Bash", given), None),
    "gemini": (lambda host, given: common(host, "BeforeTool", "run_shell_command", given), "dir_path"),
    "qwen": (lambda host, given: common(host, "PreToolUse", "run_shell_command", given), "directory"),
    "copilot": (lambda host, given: common(host, "PreToolUse", "Bash", given), None),
    "droid": (lambda host, given: common(host, "PreToolUse", "Execute", given), None),
    "kiro": (lambda host, given: common(host, "preToolUse", "execute_bash", given), None),
    "opencode": (opencode, "workdir"),
    "cline": (cline, "cwd"),
    "cursor": (cursor, "working_directory"),
    "windsurf": (windsurf, "cwd"),
    "generic": (canonical, "cwd"),
}


def propose(host: Host, name: str, command: str, folder: str = "") -> Done:
    """One proposed shell call, made in a folder."""
    make, key = HOSTS[name]
    given: dict[str, Any] = {"command": command}
    if folder and key:
        given[key] = folder
    payload = make(host, given)
    if folder and not key:
        payload["cwd"] = os.path.join(host.workspace, folder)
    options = ("--event=tool.execute.before",) if name == "opencode" else ()
    return host.call(payload, name, *options)


def refused(name: str, done: Done) -> bool:
    """Whether the host holds the call back, by its own reading of the answer."""
    adapter = find_adapter(name)
    assert adapter is not None and "Traceback" not in done.err
    native = {"gemini": "BeforeTool", "kiro": "preToolUse", "opencode": "tool.execute.before", "cursor": "preToolUse",
              "windsurf": "pre_run_command", "generic": "before_tool"}.get(name, "PreToolUse")  # fmt: skip
    return adapter.denies(native, Answer(done.out, done.err.encode(), done.status))


@pytest.fixture
def guarded(host: Host) -> Host:
    """Keys in the home folder, and another repository beside the workspace."""
    host.write_policy(POLICY)
    (host.home / ".ssh").mkdir()
    (host.home / ".ssh" / "id").write_text("key")
    (host.workspace / "sub" / ".git").mkdir(parents=True)
    (host.workspace / ".git").mkdir()
    sibling = host.workspace.parent / "sibling"
    (sibling / ".git").mkdir(parents=True)
    return host


@pytest.mark.parametrize("name", sorted(HOSTS))
def test_the_folder_of_a_call_changes_no_policy(guarded: Host, name: str) -> None:
    assert not refused(name, propose(guarded, name, "ls"))
    sibling = str(guarded.workspace.parent / "sibling")
    for folder in ("", str(guarded.workspace / "sub"), sibling, str(guarded.home / ".ssh"), "/", "/tmp"):
        assert refused(name, propose(guarded, name, "sudo ls", folder)), folder


@pytest.mark.parametrize("name", sorted(HOSTS))
def test_the_folder_of_a_call_is_where_its_paths_begin(guarded: Host, name: str) -> None:
    assert not refused(name, propose(guarded, name, "cat id"))
    assert refused(name, propose(guarded, name, "cat id", str(guarded.home / ".ssh")))
    if name not in ("generic", "windsurf"):  # their folder is the payload's, and absolute
        assert refused(name, propose(guarded, name, "cat id", "../home/.ssh"))
        assert not refused(name, propose(guarded, name, "cat id", "sub"))


def start(host: Host, source: str = "startup", folder: str = "", **fields: Any) -> dict[str, Any]:
    """A session begins, or is taken up again."""
    payload = host.payload("SessionStart", source=source, **fields)
    return {**payload, "cwd": folder or payload["cwd"]}


def sudo(host: Host, folder: str, **fields: Any) -> dict[str, Any]:
    return {**host.shell("sudo ls", **fields), "cwd": folder}


def test_the_host_s_variable_holds_against_the_first_call(guarded: Host) -> None:
    sub = str(guarded.workspace / "sub")
    assert guarded.call(sudo(guarded, sub), env={"CLAUDE_PROJECT_DIR": str(guarded.workspace)}).refused
    assert guarded.call(sudo(guarded, sub)).refused  # and from then on without it


@pytest.mark.parametrize("name", ["codex", "claude-code"])
def test_a_session_whose_first_event_is_a_call_elsewhere_is_placed_by_the_host_s_record(
    guarded: Host, name: str
) -> None:
    record = guarded.home / "record.jsonl"
    lines: list[Any] = [{"type": "session_meta", "payload": {"id": "s-1", "cwd": str(guarded.workspace)}}]
    if name == "claude-code":
        lines = [{"type": "summary"}, {"type": "user", "cwd": str(guarded.workspace), "message": {}}]
    record.write_text("".join(json.dumps(line) + "\n" for line in lines))
    record.chmod(0o600)
    elsewhere = str(guarded.home / ".ssh")
    assert guarded.call(sudo(guarded, elsewhere, transcript_path=str(record)), name).refused
    assert guarded.call(sudo(guarded, elsewhere), name).refused


def test_without_a_record_codex_is_placed_where_it_runs(guarded: Host) -> None:
    assert guarded.call(sudo(guarded, str(guarded.home / ".ssh"), transcript_path=None), "codex").refused


@pytest.mark.parametrize("name", ["codex", "claude-code"])
def test_compaction_and_resumption_elsewhere_keep_the_workspace(guarded: Host, name: str) -> None:
    sibling = str(guarded.workspace.parent / "sibling")
    guarded.call(start(guarded), name)
    for source in ("compact", "resume", "startup"):
        guarded.call(start(guarded, source, sibling), name)
        assert guarded.call(sudo(guarded, sibling), name).refused, source


def test_another_session_has_its_own_workspace(guarded: Host) -> None:
    sibling = str(guarded.workspace.parent / "sibling")
    guarded.call(start(guarded), "codex")
    guarded.call(start(guarded, folder=sibling, session_id="s-2"), "codex")
    assert guarded.call(sudo(guarded, sibling), "codex").refused
    assert guarded.call(sudo(guarded, str(guarded.workspace), session_id="s-2"), "codex").verdict == "allow"


def test_a_repository_made_in_the_session_takes_no_policy_away(guarded: Host) -> None:
    inner = guarded.workspace / "inner"
    inner.mkdir()
    guarded.call(start(guarded, folder=str(inner)), "codex")  # the host was started below the policy
    (inner / ".git").mkdir()
    assert guarded.call(sudo(guarded, str(inner)), "codex").refused


def test_a_workspace_that_was_moved_away_keeps_its_policy_until_a_person_starts_elsewhere(guarded: Host) -> None:
    guarded.call(start(guarded), "codex")
    moved = guarded.workspace.parent / "moved"
    shutil.move(guarded.workspace, moved)
    assert guarded.call(sudo(guarded, str(moved)), "codex", cwd=moved).refused
    guarded.call(start(guarded, "resume", str(moved)), "codex", cwd=moved)
    assert guarded.call(sudo(guarded, str(moved)), "codex", cwd=moved).refused


@pytest.mark.parametrize("damage", ["text", "folder", "link"])
def test_a_damaged_record_is_no_reason_to_believe_the_call(guarded: Host, damage: str) -> None:
    elsewhere = str(guarded.workspace.parent / "sibling")
    guarded.call(start(guarded), "codex")
    (record,) = (guarded.state / "workspaces").iterdir()
    record.unlink()
    if damage == "text":
        record.write_text("elsewhere")
    elif damage == "folder":
        record.mkdir()
    else:
        record.symlink_to(guarded.home)
    assert guarded.call({**guarded.shell("ls"), "cwd": elsewhere}, "codex").refused
    variable = {"CLAUDE_PROJECT_DIR": str(guarded.workspace)}
    assert guarded.call(sudo(guarded, elsewhere), env=variable).refused  # the host says it itself
    assert guarded.call({**guarded.shell("ls"), "cwd": elsewhere}, env=variable).verdict == "allow"


def test_two_folders_for_one_call_are_refused(guarded: Host) -> None:
    given = {"command": "ls", "workdir": "/tmp", "cwd": "/"}
    assert guarded.call(guarded.payload("PreToolUse", tool_name="Bash", tool_input=given)).refused
    assert guarded.call(guarded.payload("PreToolUse", tool_name="Bash", tool_input={**given, "cwd": 1})).refused


@pytest.mark.parametrize("place", ["/proc/self", "/nothing/is/here"])
def test_where_no_record_can_be_kept_the_folder_of_a_call_names_no_workspace(guarded: Host, place: str) -> None:
    guarded.call({**start(guarded), "session_id": "s-0"}, "codex")
    shutil.rmtree(guarded.state / "workspaces")
    (guarded.state / "workspaces").symlink_to(place)
    elsewhere = guarded.home / ".ssh"
    call = guarded.shell("ls", session_id="s-9", cwd=str(elsewhere))
    done = guarded.call(call, cwd=guarded.workspace)
    assert done.refused and "E-SESSION" in done.err
    assert guarded.call({**call, "cwd": str(guarded.workspace)}, cwd=guarded.workspace).verdict == "allow"
    prompt = guarded.payload("UserPromptSubmit", prompt="go on", session_id="s-9", cwd=str(elsewhere))
    assert guarded.call(prompt, cwd=guarded.workspace).status == 0
    variable = {"CLAUDE_PROJECT_DIR": str(guarded.workspace)}
    assert guarded.call(call, env=variable).verdict == "allow"
