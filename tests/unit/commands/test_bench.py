"""`policy bench`: figures of this machine for a policy, in three forms; the figures themselves are not judged."""

from __future__ import annotations

import re

import pytest

from policy_engine.loading.loader import load
from policy_engine.testing.sample import sample_events
from tests.unit.commands.running import BROKEN, GOOD, Shell, event, lines


def test_the_figures_as_json(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    done = policy("bench", "-n", "20", "--format", "json")
    figures = done.json
    assert (done.status, done.err) == (0, "")
    assert (figures["rules"], figures["buckets"], figures["files"], figures["decisions"]) == (1, 1, 1, 20)
    assert 0 < figures["p50_us"] <= figures["p99_us"] <= figures["most_us"]
    assert min(figures["compile_ms"], figures["again_ms"], figures["cache_ms"], figures["program_mib"]) > 0


def test_events_of_ones_own(policy: Shell) -> None:
    policy.write("a.policy", GOOD)
    done = policy("bench", "-p", "a.policy", "-n", "5", "--events", "-", stdin=lines(event(1), event(2)))
    assert done.status == 0
    assert "5 decisions on 2 events of -\n" in done.out


def test_the_form_that_benchstat_reads(policy: Shell) -> None:
    policy.write("a.policy", GOOD)
    rows = policy("bench", "-p", "a.policy", "-n", "5", "--format", "gobench").out.splitlines()
    assert len(rows) == 5
    assert all(re.fullmatch(r"Benchmark\w+/rules=1 \d+ \d+ ns/op", row) for row in rows)


def test_a_policy_without_tests_is_measured_too(policy: Shell) -> None:
    path = policy.write("a.policy", GOOD.split("\n  test {")[0] + "\n}\n")
    assert policy("bench", "-p", "a.policy", "-n", "5").status == 0
    events, origin = sample_events(load([path]), [path])
    hooks = {each["hook"] for each in events}
    assert origin == "every lifecycle point"
    assert {"before_tool", "after_tool", "before_completion", "prompt"} <= hooks


def test_the_tests_of_a_policy_are_its_sample(policy: Shell) -> None:
    path = policy.write("a.policy", GOOD)
    events, _ = sample_events(load([path]), [path])
    commands = [each["tool"]["args"]["command"] for each in events if each["hook"] == "before_tool"]
    assert commands == ["rm a", "ls"]


@pytest.mark.parametrize(
    ("stdin", "said"),
    [(b"", "`-` holds no event"), (b"nonsense\n", "line 1: the input is not JSON")],
)
def test_events_that_cannot_be_used_are_a_usage_error(policy: Shell, stdin: bytes, said: str) -> None:
    policy.write("a.policy", GOOD)
    done = policy("bench", "-p", "a.policy", "--events", "-", stdin=stdin)
    assert (done.status, done.out, said in done.err) == (2, "", True)


def test_a_policy_that_does_not_load_is_status_3(policy: Shell) -> None:
    policy.write("a.policy", BROKEN)
    assert policy("bench", "-p", "a.policy").status == 3
    assert policy("bench", "-p", "nothing").status == 2


def test_the_whole_command(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    done = policy.process("bench", "-n", "5")
    assert (done.status, done.err) == (0, "")
    assert [row.split()[0] for row in done.out.splitlines()] == ["policy", "events", "per", "from", "from", "memory"]
