"""`policy dap`: it ends when its input ends, or is no protocol; tests/unit/debug_adapter asks it."""

from __future__ import annotations

from tests.unit.commands.running import Shell


def test_it_ends_when_its_input_ends(policy: Shell) -> None:
    done = policy.process("dap")
    assert (done.status, done.out) == (0, "")
