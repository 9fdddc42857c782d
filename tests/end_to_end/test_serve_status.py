"""`policy status` and `policy doctor` know the resident engine, and the entries of a host that call its door."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from policy_engine.adapters.claude_code import ADAPTER
from policy_engine.hosts.liveness import diagnose
from policy_engine.state.places import OWN_VARIABLES
from tests.end_to_end.host import POLICY, SECONDS, Host
from tests.end_to_end.residence import Resident, serving

starlette = pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("jinja2")
LIBRARIES = Path(starlette.__file__).parent.parent


def policy(host: Host, *arguments: str, **environment: str) -> Any:
    """What a command says, as JSON."""
    done = subprocess.run(
        [sys.executable, "-m", "policy_engine", *arguments, "--format", "json"],
        env={**host.environment, "PYTHONPATH": os.getcwd(), **environment},
        cwd=host.workspace, capture_output=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    return json.loads(done.stdout)


def door(resident: Resident) -> str:
    assert resident.process.stdout is not None
    return resident.process.stdout.readline().decode().split()[2].rstrip("/")


def register(host: Host, address: str, **more: Any) -> None:
    """An entry for each event that calls this address."""
    headers = {"Authorization": "Bearer $POLICY_TOKEN"}
    entry = {"type": "http", "url": f"{address}/hook/claude-code", "headers": headers, "onFailure": "block",
             "allowedEnvVars": ["POLICY_TOKEN"], **more}  # fmt: skip
    hooks = {event: [{"matcher": matcher or "", "hooks": [entry]}] for event, matcher in ADAPTER.registration.events}
    path = host.home / ".claude" / "settings.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"hooks": hooks}))


def found(host: Host, check: str = "http", **environment: str) -> list[tuple[str, str]]:
    """What the doctor says under a name."""
    with pytest.MonkeyPatch.context() as patch:
        for name in (*OWN_VARIABLES, "POLICY_TOKEN"):
            patch.delenv(name, raising=False)
        for name, value in {**host.environment, **environment}.items():
            patch.setenv(name, value)
        return [(each.state, each.message) for each in diagnose(ADAPTER, host.workspace) if each.name == check]


@pytest.fixture
def warm(host: Host) -> Host:
    host.write_policy(POLICY)
    host.warm()
    return host


def test_the_status_of_a_resident_engine(warm: Host) -> None:
    assert policy(warm, "status")["daemon"]["state"] == "not running"
    with serving(warm, "--http=0", f"--libraries={LIBRARIES}") as resident:
        address = door(resident)
        for session in ("s-1", "s-2", "s-2"):
            warm.call(warm.shell("ls", session_id=session))
        daemon = policy(warm, "status")["daemon"]
        assert (daemon["state"], daemon["pid"], daemon["http"]) == ("running", resident.process.pid, address)
        assert (daemon["sessions"], daemon["answered"] >= 3, daemon["seconds"] > 0) == (2, True, True)
        assert found(warm, "daemon")[0][0] == "ok"
        resident.end(signal.SIGKILL)
        assert "ended without taking its socket away" in policy(warm, "status")["daemon"]["problem"]
    assert found(warm, "daemon") == [
        ("ok", "`policy serve`: not running; hooks decide by themselves: it ended without taking its socket away; the"
         " next one does")
    ]  # fmt: skip


def test_one_that_hooks_do_not_ask_is_told(warm: Host) -> None:
    with serving(warm) as resident:
        resident.folder.chmod(0o755)
        state, message = found(warm, "daemon")[0]
        assert state == "warning" and "is open to other users" in message
        resident.folder.chmod(0o700)


def test_entries_that_call_the_door_with_its_token_are_right_and_what_follows_without_it_is_said(warm: Host) -> None:
    with serving(warm, "--http=0", f"--libraries={LIBRARIES}") as resident:
        address, token = door(resident), (resident.folder / "token").read_text()
        register(warm, address)
        report = policy(warm, "doctor", "claude-code", POLICY_TOKEN=token)
        assert report["live"], report
        right, without = found(warm, POLICY_TOKEN=token)
        assert right[0] == "ok" and address in right[1] and "before_tool" in right[1]
        assert without[0] == "warning" and "PreToolUse" in without[1].partition("are refused")[0]
        assert without[1].endswith("Stop, SubagentStop go through")
        assert policy(warm, "status")["hooks"][0]["registered_in"]
        register(warm, address, onFailure="continue")
        assert "are refused" not in found(warm, POLICY_TOKEN=token)[1][1]
        for wrong, said in (
            ({"url": "http://127.0.0.1:1/hook/claude-code"}, "is not the door"),
            ({"url": "http://example.invalid/hook/claude-code"}, "is not the door"),
            ({"allowedEnvVars": []}, "does not name POLICY_TOKEN"),
            ({"headers": {}}, "is not sent to"),
            ({"headers": {"Authorization": "Bearer x"}}, "is not sent to"),
        ):
            register(warm, address, **wrong)
            (state, message), _ = found(warm, POLICY_TOKEN=token)
            assert state == "failure" and said in message
        register(warm, address)
        assert "is not set here" in found(warm)[0][1]
        (warm.workspace / ".policy" / "main.policy").write_text("nonsense")
        assert "the policy here is not what decides" in found(warm, POLICY_TOKEN=token)[0][1]
    (state, message), _ = found(warm, POLICY_TOKEN=token)
    assert state == "failure" and "nobody answers" in message


def test_without_a_door_and_at_a_port_that_is_taken(warm: Host) -> None:
    with serving(warm) as resident:
        register(warm, "http://127.0.0.1:7411")
        assert "is not running with `--http`" in found(warm)[0][1]
        resident.end()
    with serving(warm, "--http=0", f"--libraries={LIBRARIES}") as resident:
        port = door(resident).rpartition(":")[2]
        folder = warm.home.parent / "other"
        folder.mkdir()
        refused = Resident(Host(folder), f"--http={port}", f"--libraries={LIBRARIES}")
        assert f"cannot listen on 127.0.0.1:{port}" in refused.refusal()
