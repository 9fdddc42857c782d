"""`policy mcp`: a real server behind the real command, spoken to as a client does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SERVER = (sys.executable, str(Path(__file__).with_name("mcp_server.py")))
POLICY = """\
language 1

rule no-touch "Files are made with the tool for writing" {
  severity high
  on before_tool("mcp__forge__run")
  when (tool.args["command"] else "") matches /^touch /
  deny "No touching."
}

rule look-again "Look again" {
  severity low
  on after_tool(mcp)
  when tool.server == "forge" and result.text contains "hello"
  remind "Look again."
}
"""


def called(command: str, number: int, name: str = "run") -> dict[str, Any]:
    params = {"name": name, "arguments": {"command": command}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A workspace with a policy."""
    for folder in (tmp_path / "home", tmp_path / "work" / ".policy"):
        folder.mkdir(parents=True)
    (tmp_path / "work" / ".policy" / "main.policy").write_text(POLICY, "utf-8")
    return tmp_path / "work"


def line_of(place: Path, server: tuple[str, ...]) -> tuple[list[str], dict[str, str]]:
    """The command of the proxy, and its environment."""
    env = {"PATH": os.environ["PATH"], "HOME": str(place.parent / "home"), "PYTHONPATH": os.getcwd()}
    return [sys.executable, "-m", "policy_engine", "mcp", "--name", "forge", "--", *server], env


def spoken(place: Path, *sent: Any, server: tuple[str, ...] = SERVER) -> tuple[list[Any], str, int]:
    """What the client hears, standard error, and the exit status."""
    command, env = line_of(place, server)
    given = b"".join(one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in sent)
    done = subprocess.run(command, input=given, cwd=place, env=env, capture_output=True, timeout=60, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode(), done.returncode


def by_id(heard: list[Any]) -> dict[Any, Any]:
    return {message.get("id"): message.get("result", message.get("error")) for message in heard}


def test_a_denied_call_is_answered_and_does_not_reach_the_server(place: Path) -> None:
    heard, errors, status = spoken(place, called("touch ran.txt", 1), called("echo hello > made.txt", 2))
    found = by_id(heard)
    assert found[1]["isError"] is True and "No touching" in found[1]["content"][0]["text"]
    assert found[2]["isError"] is False and not (place / "ran.txt").exists() and (place / "made.txt").exists()
    assert status == 3 and "the server has ended" in errors


def test_everything_else_passes_as_it_came(place: Path) -> None:
    heard, _, _ = spoken(
        place,
        {"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": "b", "method": "tools/list"},
        {"jsonrpc": "2.0", "id": "c", "method": "resources/read", "params": {"uri": "file:///x"}},
    )
    found = by_id(heard)
    assert found["a"] == {"method": "initialize"} and found["c"] == {"method": "resources/read"}
    assert [tool["name"] for tool in found["b"]["tools"]] == ["run"]


def test_reminders_are_put_behind_the_result(place: Path) -> None:
    heard, _, _ = spoken(place, called("echo hello", 1))
    texts = [block["text"] for block in by_id(heard)[1]["content"]]
    assert texts[0] == "hello\n" and "Look again" in texts[1]


def test_what_cannot_be_read_beyond_doubt_does_not_pass(place: Path) -> None:
    odd = json.dumps(called("touch ran.txt", 1)).replace('"method"', '"Method"').encode() + b"\n"
    twice = b'{"jsonrpc":"2.0","id":2,"method":"ping","method":"tools/call"}\n'
    heard, _, _ = spoken(place, b"not json\n", odd, twice, {"jsonrpc": "2.0", "id": 5, "method": "ping"})
    assert [message.get("error", {}).get("code") for message in heard] == [-32700, -32700, -32700, None]
    assert not (place / "ran.txt").exists()


def test_the_policy_is_out_of_reach(place: Path) -> None:
    write = {"name": "write", "arguments": {"path": ".policy/main.policy", "command": "rm -r .policy"}}
    spoken(place, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": write})
    assert (place / ".policy" / "main.policy").read_text("utf-8") == POLICY


def test_the_death_of_the_server_is_ours(place: Path) -> None:
    heard, _, status = spoken(place, called("", 1, name="die"))
    assert heard == [] and status == 7


def test_the_death_of_the_server_is_ours_while_the_client_is_still_there(place: Path) -> None:
    command, env = line_of(place, SERVER)
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=place, env=env) as client:
        assert client.stdin is not None and client.stderr is not None
        client.stdin.write(json.dumps(called("", 1, name="die")).encode() + b"\n")
        client.stdin.flush()
        assert (client.wait(60), client.stderr.read()) == (7, b"")


def test_a_server_that_is_not_there_is_a_mistake(place: Path) -> None:
    heard, errors, status = spoken(place, server=("./not-there",))
    assert (heard, status) == ([], 2) and "cannot start `./not-there`" in errors


def test_a_policy_that_does_not_load_refuses_every_call(place: Path) -> None:
    (place / ".policy" / "main.policy").write_text("language 1\nrule {", "utf-8")
    heard, _, _ = spoken(place, called("echo x > made.txt", 1))
    assert "E-POLICY" in by_id(heard)[1]["content"][0]["text"] and not (place / "made.txt").exists()
