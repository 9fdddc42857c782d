"""Recordings of every host that may name an address, sent to the door: what the command says, and refusals it heeds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from policy_engine.adapters.base import Adapter, Answer
from policy_engine.model import family
from tests.end_to_end.host import Host
from tests.end_to_end.test_serve_http import Http, http  # noqa: F401 -- a fixture
from tests.unit.adapters.recorded import FOLDER, event_of

HOSTS = [one for one in family.members("policy_engine.adapters", Adapter) if one.registration.http]
RECORDED = {
    (one.name, event_of(one, path)): (one, path)
    for one in HOSTS
    for path in sorted((FOLDER / one.name).glob("*.in.json"), key=lambda path: '"command"' in path.read_text("utf-8"))
}  # of several for an event the last: one of a shell
NO_SHELL = 'language 1\nrule no-shell {\n  severity high\n  on before_tool(shell)\n  deny "Not here."\n}\n'


def payload(host: Host, path: Path) -> Any:
    """A recording, in the workspace of this host."""
    return json.loads(path.read_text("utf-8").replace("/home/dev/proj", str(host.workspace)))


def named(adapter: Adapter, event: str, given: Any) -> bool:
    """Whether the payload says which event it is."""
    return adapter.native(given, None) == event


def test_the_hosts_are_those_that_call_addresses() -> None:
    assert [one.name for one in HOSTS] == ["claude-code", "copilot", "qwen"]
    assert len(RECORDED) > 30


@pytest.mark.parametrize("name", [one.name for one in HOSTS])
def test_the_door_says_what_the_command_says(http: Http, name: str) -> None:  # noqa: F811
    http.host.write_policy(NO_SHELL)
    http.host.call({**http.host.shell("ls"), "session_id": "before"})  # it hears that the policy is another one
    http.host.asks = False  # both sessions are of the recorded payloads and no others
    refused = 0
    for (host, event), (adapter, path) in RECORDED.items():
        if host != name or event not in adapter.capabilities:
            continue
        given = payload(http.host, path)
        query = "" if named(adapter, event, given) else f"?event={event}"
        status, _, body = http.call(f"/hook/{name}{query}", given)
        session = given.get("sessionId") or given["session_id"]
        again = json.loads(json.dumps(given).replace(session, f"{session}-alone"))
        alone = http.host.call(again, name, *([f"--event={event}"] if query else []))
        assert (status, json.loads(body)) == (200, json.loads(alone.out or b"{}")), event
        refused += adapter.capabilities[event].gate and adapter.denies(event, Answer(body, b"x", alone.status))
    assert refused


@pytest.mark.requirement("R1")
@pytest.mark.parametrize("name", [one.name for one in HOSTS])
def test_whatever_is_wrong_is_a_refusal_in_the_form_of_the_event(http: Http, name: str) -> None:  # noqa: F811
    for (host, event), (adapter, path) in RECORDED.items():
        if host != name or event not in adapter.capabilities or not adapter.capabilities[event].gate:
            continue
        given = {**payload(http.host, path), adapter.continuing: False}  # or the engine would let the run end
        query = "" if named(adapter, event, given) else f"?event={event}"
        status, _, said = http.call(f"/hook/{name}{query}", given, authorization="Bearer x")
        # the event is not read before the token is: the words of every form at once, which end the run
        refuses = any(word in said for word in (b'"continue": false', b'"deny"', b'"block"'))
        assert status == 200 and refuses and b"E-TOKEN" in said, (event, said)
        status, _, said = http.call(f"/hook/{name}{query}", {**given, "cwd": 7, "session_id": 7, "sessionId": 7})
        code = 2 if "exit" in adapter.capabilities[event].form else 0
        assert status == 200 and adapter.denies(event, Answer(said, b"x", code)), (event, said)
        if query:  # nobody says which event it is
            said = json.loads(http.call(f"/hook/{name}", given)[2])
            assert (said["permissionDecision"], said["decision"], said["continue"]) == ("deny", "block", False)
            assert "E-POINT" in said["reason"] or "E-FIELD" in said["reason"]
