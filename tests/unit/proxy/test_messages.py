"""Lines of an MCP session: what passes as it came, what is answered instead, and what never passes."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from policy_engine import Engine
from policy_engine.integrations.base import Guard
from policy_engine.model.limits import EVENT_BYTES
from policy_engine.proxy.messages import Session, lines

POLICY = """\
language 1

rule no-rm "Nothing is removed" {
  severity high
  on before_tool(mcp)
  when (tool.args["command"] else "") == "rm"
  deny "No."
  test { call "mcp__s__run" { command: "rm" } => deny }
}

rule ask-mv "A person decides" {
  severity high
  on before_tool(mcp)
  when (tool.args["command"] else "") == "mv"
  ask "May I?"
  test { call "mcp__s__run" { command: "mv" } => ask }
}

rule end "The end" {
  severity high
  on before_tool(mcp)
  when (tool.args["command"] else "") == "end"
  stop over_now "It is over."
  test { call "mcp__s__run" { command: "end" } => stop }
}
"""


class Gone:
    """An engine that is not there."""

    def decide(self, event: dict[str, Any]) -> Any:
        raise OSError("gone")


@pytest.fixture
def session() -> Session:
    """A session with the server `s`."""
    return Session(Guard(Engine.from_text(POLICY), "mcp", "/w"), "s")


def call(command: str, number: object = 1, **more: Any) -> dict[str, Any]:
    params = {"name": "run", "arguments": {"command": command}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params, **more}


def line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 3, "result": {"content": "of the client, to a request for sampling"}},
        {"jsonrpc": "2.0", "id": "x", "error": {"code": 1, "message": "declined"}},
        call("ls"),
        [call("ls", 1), {"jsonrpc": "2.0", "id": 2, "method": "ping"}],
    ],
)
def test_it_passes_as_it_came(session: Session, message: object) -> None:
    given = json.dumps(message, indent=None, separators=(" , ", " : ")).encode() + b"\n"
    assert session.from_client(given) == (given, b"")


def test_a_refused_call_is_answered_and_does_not_pass(session: Session) -> None:
    for command, words in (("rm", "No."), ("mv", "May I?"), ("end", "It is over."), ("ls", "It is over.")):
        passed, answer = session.from_client(line(call(command, 7)))
        found = json.loads(answer)
        assert (passed, found["id"], found["result"]["isError"]) == (b"", 7, True)
        assert words in found["result"]["content"][0]["text"]


def test_a_refused_notification_is_dropped(session: Session) -> None:
    message = call("rm")
    del message["id"]
    assert session.from_client(line(message)) == (b"", b"")


def test_of_a_batch_passes_what_may(session: Session) -> None:
    passed, answer = session.from_client(line([call("rm", 1), call("ls", 2)]))
    assert [one["id"] for one in json.loads(passed)] == [2] and [one["id"] for one in json.loads(answer)] == [1]


@pytest.mark.parametrize(
    "given",
    [
        b"{nonsense\n",
        b"\xff\n",
        b'{"a":1}{"b":2}\n',
        b'{"method":"ping","method":"tools/call"}\n',
        line({"Method": "tools/call"}),
        line({"\uff4dethod": "tools/call"}),
        line({"method": "tools/call", "id": 1, "params": {"name": "run", "Arguments": {}}}),
        line({"method": "tools/call", "id": {}, "params": {"name": "run"}}),
        line({"method": "tools/call", "id": 1, "params": {"name": 5}}),
        line({"method": "tools/call", "id": 1, "params": {"name": "run", "arguments": []}}),
        line({"method": "tools/call", "id": 1}),
        line("text"),
        b'{"method":"' + b"x" * EVENT_BYTES + b'"}\n',
    ],
)
def test_what_is_in_doubt_is_refused(session: Session, given: bytes) -> None:
    passed, answer = session.from_client(given)
    assert passed == b"" and json.loads(answer)["error"]["message"].startswith("policy engine: E-")


def test_what_some_reader_takes_for_two_lines_is_written_as_one(session: Session) -> None:
    hidden = json.dumps(call("rm"))
    given = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\u2028' + hidden.replace('"', "'") + '\u2028"}}\n'
    passed, _ = session.from_client(given.encode())
    assert passed.isascii() and len(passed.splitlines()) == 1 and json.loads(passed) == json.loads(given)


def test_an_id_that_waits_is_not_used_twice(session: Session) -> None:
    assert session.from_client(line(call("ls", 1)))[0]
    assert b"E-ID" in session.from_client(line(call("ls", 1)))[1]
    session.from_client(line({"method": "notifications/cancelled", "params": {"requestId": 1}}))
    assert session.from_client(line(call("ls", 1)))[0]


def test_of_the_server_everything_passes_but_what_nobody_can_read(session: Session) -> None:
    request = line({"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage", "params": {}})
    assert session.from_server(request) == (b"", request)
    assert session.from_server(b"starting up...\n") == (b"", b"")
    session.from_client(line(call("ls", 1)))
    answer = line({"jsonrpc": "2.0", "id": 1, "result": {"content": []}})
    assert session.from_server(answer) == (b"", answer)


def test_an_answer_that_is_too_large_is_an_error_where_one_call_waits(session: Session) -> None:
    large = b'{"jsonrpc":"2.0","id":1,"result":"' + b"x" * EVENT_BYTES + b'"}\n'
    assert session.from_server(large) == (b"", b"")
    session.from_client(line(call("ls", 1)))
    answer = json.loads(session.from_server(large)[1])
    assert (answer["id"], "E-LIMIT" in answer["error"]["message"]) == (1, True)


@pytest.mark.requirement("R1")
def test_without_an_engine_no_call_passes() -> None:
    session = Session(Guard(Gone(), "mcp", "/w"), "s")
    passed, answer = session.from_client(line(call("ls")))
    assert passed == b"" and "E-INTERNAL" in json.loads(answer)["result"]["content"][0]["text"]


def test_lines_are_bounded() -> None:
    stream = io.BytesIO(b"x" * (EVENT_BYTES + 100_000) + b"\n\n{}\n")
    assert [len(one) for one in lines(stream)] == [EVENT_BYTES + 2, 3]
