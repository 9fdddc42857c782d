"""One session over many hook processes: what one recorded, the next one knows, and nothing is lost between them."""

from __future__ import annotations

import json
import subprocess

from tests.end_to_end.host import STATEFUL, Host, ended

PROCESSES = 16
COUNTING = """\
language 1

rule all-counted "Every call was counted" {
  severity high
  on before_completion
  when session.steps != 16
  deny "{session.steps} calls were counted."
}
"""


def test_the_evidence_of_a_session_goes_from_process_to_process(host: Host) -> None:
    host.write_policy(STATEFUL)
    assert host.call(host.stop()).verdict == "allow"
    assert host.call(host.wrote("src/a.py", "w1")).verdict == "allow"
    refused = host.call(host.stop())
    assert refused.verdict == "deny"
    assert json.loads(refused.out) == {"decision": "block", "reason": refused.err.strip()}
    assert "Run the tests." in refused.err
    assert host.call(host.ran("pytest -q", "t1")).verdict == "allow"
    assert host.call(host.stop()).verdict == "allow"
    assert host.call(host.wrote("src/a.py", "w2")).verdict == "allow"
    assert host.call(host.stop()).verdict == "deny"
    assert host.call({**host.stop(), "session_id": "s-2"}).verdict == "allow"


def test_a_failed_run_is_no_evidence(host: Host) -> None:
    host.write_policy(STATEFUL)
    failed = host.payload(
        "PostToolUseFailure",
        tool_name="Bash",
        tool_input={"command": "pytest -q"},
        tool_use_id="t1",
        error="Exit code 1\nfailed",
    )
    for payload in (host.wrote("src/a.py", "w1"), host.ran("pytest -q", "t0"), failed):
        assert host.call(payload).verdict == "allow"
    assert host.call(host.stop()).verdict == "deny"


def test_the_state_of_a_session_survives_a_change_of_the_policy(host: Host) -> None:
    host.write_policy(STATEFUL)
    assert host.call(host.wrote("src/a.py", "w1")).verdict == "allow"
    host.write_policy(STATEFUL.replace("Run the tests.", "Run pytest."))
    refused = host.call(host.stop())
    assert (refused.verdict, "Run pytest." in refused.err) == ("deny", True)
    assert host.call(host.ran("pytest -q", "t1")).verdict == "allow"
    assert host.call(host.stop()).verdict == "allow"


def test_processes_at_the_same_time_count_every_event(host: Host) -> None:
    host.write_policy(COUNTING)
    host.warm()
    running = [host.start(subprocess.PIPE) for _ in range(PROCESSES)]
    for number, process in enumerate(running):
        assert process.stdin is not None
        process.stdin.write(json.dumps(host.ran("ls", f"t{number}")).encode())
        process.stdin.flush()
    for process in running:  # all have what they need but its end
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None
    assert {(done.status, done.err) for done in map(ended, running)} == {(0, "")}  # that nobody asked before is said
    assert host.call(host.stop()).verdict == "allow"
    assert len((host.state / "decisions.jsonl").read_bytes().splitlines()) >= PROCESSES
