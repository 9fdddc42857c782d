"""File systems that fail or hang while an event is decided: the rule is undecided, or the deadline speaks."""

from __future__ import annotations

import errno

import pytest

from policy_engine.bootstrap import Engine
from tests.end_to_end.host import Host
from tests.faults.broken_disk import broken_disk

READS = """\
language 1

rule reads-a-file "A file is looked into" {
  severity high
  on before_tool(shell)
  when content_contains("disk/target", "secret")
  deny "It holds a secret."
}

rule stays-inside "Paths stay inside" {
  severity high
  on before_tool(write)
  when any p in paths { not (p inside workspace) }
  deny "{p} is outside."
}
"""


@pytest.mark.fault(53)
@pytest.mark.requirement("R4", "R11")
@pytest.mark.parametrize("call", ["shell", "write"])
def test_a_disk_that_hangs_is_answered_by_the_deadline(host: Host, call: str) -> None:
    host.write_policy(READS)
    event = host.shell("ls")
    if call == "write":
        given = {"file_path": str(host.workspace / "disk" / "target"), "content": "x"}
        event = host.payload("PreToolUse", tool_name="Write", tool_input=given)
    assert host.call(host.shell("ls")).verdict == "allow"
    with broken_disk(host.workspace / "disk", None):
        done = host.call(event, env={"POLICY_DEADLINE_MS": "1500"})
    assert done.refused and "E-DEADLINE" in done.err


@pytest.mark.fault(52)
@pytest.mark.requirement("R11")
@pytest.mark.parametrize("name", ["ESTALE", "EIO", "ENOTCONN", "ELOOP", "ENAMETOOLONG", "EACCES", "ETIMEDOUT"])
def test_a_disk_that_fails_leaves_the_rule_undecided(host: Host, name: str) -> None:
    engine = Engine.from_text(READS)
    with broken_disk(host.workspace / "disk", getattr(errno, name)):
        for kind, arguments in (
            ("shell", {"command": "ls"}),
            ("write", {"file_path": "disk/target/x", "content": "x"}),
        ):
            tool = {"name": "Any", "kind": kind, "args": arguments}
            place = str(host.workspace)
            event = {"hook": "before_tool", "session": "s", "cwd": place, "workspace": place, "tool": tool}
            decision = engine.decide(event)
            assert (decision.verdict, decision.rules[0].outcome) == ("deny", "undecided")
            assert name in decision.rules[0].undecided[0]
