"""An observing hook of a trusted repository outlives the hook process that started it, and its answer comes later."""

from __future__ import annotations

import json
import os

import pytest

from tests.end_to_end.host import Host
from tests.end_to_end.trusting import POLICY, put, trust

GATED = '#!/bin/sh\ncat "$HOME/pipe" > /dev/null\necho "The build is broken."\nexit 1\n'


@pytest.mark.requirement("R13")
def test_the_answer_of_an_observer_comes_with_a_later_event(host: Host) -> None:
    host.write_policy(POLICY.replace("  fail open\n", "  observe\n"))
    put(host, "tools/guard.sh", GATED)
    put(host, "tools/check.sh", "#!/bin/sh\n")
    untrusted = host.call(host.shell("ls"))
    assert "did not run" in json.loads(untrusted.out)["systemMessage"]
    trust(host)
    os.mkfifo(host.home / "pipe")
    assert host.call(host.shell("ls")).verdict == "allow"  # the process has ended, and the guard waits
    (host.home / "pipe").write_text("")
    observed = host.state / "observed"
    reading = host.payload("PreToolUse", tool_name="Read", tool_input={"file_path": str(host.workspace / "a")})
    said = b""
    while any(observed.iterdir()):
        said += host.call(reading).out
    assert said.count(b"The build is broken.") == 1
    assert b"additionalContext" in said  # the agent reads it
