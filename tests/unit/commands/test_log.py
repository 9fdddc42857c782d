"""`policy log`: the decisions that were asked for, from a log that may be torn, and the new ones as they come."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from policy_engine.audit.log import append, log_path
from policy_engine.commands import log as command
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.event import Event, parse_time
from tests.unit.commands.running import Shell, event


def _decide(number: int, verdict: str = "allow", session: str = "s-1", time: str = "2026-11-20T10:00:00Z") -> None:
    rules = () if verdict == "allow" else (RuleResult("no-rm", "violated", verdict, "Do not\nremove \x1b[31mfiles."),)
    known = Event.from_dict(event(number, "rm a", session=session, time=time))
    append(Decision(known.id, known.hook, session, verdict, "sha256:0", rules), known, "claude-code")


@pytest.fixture
def logged(policy: Shell) -> Shell:
    """Four decisions of two sessions."""
    _decide(1)
    _decide(2, "deny", time="2026-11-20T11:00:00Z")
    _decide(3, "warn", "s-2", "2026-11-20T12:00:00Z")
    _decide(4, "allow", "s-2", "2026-11-20T13:00:00.5Z")
    return policy


def test_a_table_with_untrusted_text_made_visible(logged: Shell) -> None:
    done = logged("log", "--verdict", "deny")
    assert (done.status, done.err) == (0, "")
    assert done.out == (
        "TIME                 EVENT  VERDICT  POINT        TOOL  RULE   MESSAGE\n"
        "2026-11-20 11:00:00  e-2    deny     before_tool  Bash  no-rm  Do not remove \\x1b[31mfiles.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "events"),
    [
        ((), ["e-1", "e-2", "e-3", "e-4"]),
        (("--session", "s-2"), ["e-3", "e-4"]),
        (("--rule", "no-rm"), ["e-2", "e-3"]),
        (("--verdict", "warn"), ["e-3"]),
        (("--since", "2026-11-20T12:00:00Z"), ["e-3", "e-4"]),
        (("--since", "2026-11-21"), []),
        (("-n", "1"), ["e-4"]),
        (("--session", "s-1", "--verdict", "warn"), []),
    ],
)
def test_only_what_was_asked_for(logged: Shell, arguments: tuple[str, ...], events: list[str]) -> None:
    done = logged("log", "--format", "json", *arguments)
    assert (done.status, [record["event"] for record in done.lines]) == (0, events)


def test_a_torn_line_hides_nothing_and_is_told(logged: Shell) -> None:
    path = Path(log_path())
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"warn"', b"\xff", 1) + b'{"time": 17')
    done = logged("log", "--format", "json")
    assert [record["event"] for record in done.lines] == ["e-1", "e-2", "e-4"]
    assert done.err == (
        "note: the last line of the log is incomplete and was left out\n"
        "note: 1 line of the log could not be read and were left out\n"
    )


def test_records_of_any_shape_are_shown(policy: Shell) -> None:
    path = Path(log_path())
    path.parent.mkdir(parents=True)
    odd: list[Any] = [
        {},
        {"time": "x", "rules": 3, "tool": []},
        {"time": 10**30, "rules": [1, {"rule": 2}]},
        {"errors": ["gone"]},
        [],
    ]
    path.write_text("".join(json.dumps(each) + "\n" for each in odd))
    done = policy("log")
    assert done.status == 0
    assert "gone" in done.out.splitlines()[-1]


def test_no_log_is_no_decision(policy: Shell) -> None:
    assert policy("log") == policy("log", "--verdict", "deny")
    assert (policy("log").status, policy("log").out) == (0, "no decisions\n")
    assert policy("log", "--format", "json").out == ""


def test_what_cannot_be_read_or_meant_is_a_usage_error(policy: Shell) -> None:
    assert policy("log", "--verdict", "perhaps").status == 2
    assert policy("log", "--since", "yesterday").err.startswith("error: `yesterday` is no time; write ")
    assert policy("log", "-n", "0").status == 2
    Path(log_path()).mkdir(parents=True)
    assert policy("log").status == 2


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("30m", 10_000_000 - 1_800_000),
        ("2h", 10_000_000 - 7_200_000),
        ("1970-01-02", 86_400_000),
        ("1970-01-01T00:00:01+00:00", 1000),
    ],
)
def test_times_are_dates_moments_or_spans(text: str, ms: int) -> None:
    assert command.since_ms(text, 10_000_000) == ms


@pytest.mark.parametrize("text", ["", "m", "1.5h", "2026-13-01", "2026-11-20T10:00", "99999999999d"])
def test_other_times_are_refused(text: str) -> None:
    with pytest.raises(ConfigurationError):
        command.since_ms(text, parse_time("2026-11-20T10:00:00Z"))


def test_following_shows_each_new_record(logged: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = iter([lambda: _decide(5, "deny"), lambda: _decide(6, "stop", "s-2")])

    def wait(_seconds: float) -> None:
        step = next(rounds, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    monkeypatch.setattr(command.time, "sleep", wait)
    done = logged("log", "--follow", "--session", "s-1", "--format", "json")
    assert done.status == 130
    assert [record["event"] for record in done.lines] == ["e-1", "e-2", "e-5"]


def test_the_whole_command(logged: Shell) -> None:
    done = logged.process("log", "-n", "2")
    assert (done.status, done.err, len(done.out.splitlines())) == (0, "", 3)


@pytest.mark.requirement("R24")
@pytest.mark.fault(92)
def test_verify_tells_whether_the_log_is_as_written(logged: Shell) -> None:
    done = logged("log", "verify")
    head = json.loads(Path(log_path()).read_text().splitlines()[-1])["hash"]
    assert (done.status, done.err) == (0, "")
    assert done.out == f"4 sound records, up to number 4: the log is as written\nhead {head}\n"
    assert logged("log", "verify", "--format", "json").json["status"] == "sound"


@pytest.mark.requirement("R24")
@pytest.mark.fault(92)
def test_verify_names_what_was_done_and_where(logged: Shell) -> None:
    path = Path(log_path())
    path.write_bytes(path.read_bytes().replace(b'"verdict":"deny"', b'"verdict":"warn"', 1))
    done = logged("log", "verify")
    assert done.status == 1
    assert done.out.splitlines()[1].split() == [
        "changed", f"{path}:2", "2026-11-20", "10:00:00", "record", "2", "was", "changed",
    ]  # fmt: skip
    (found,) = logged("log", "verify", str(path), "--format", "json").json["findings"]
    assert (found["kind"], found["record"], found["line"]) == ("changed", 2, 2)


@pytest.mark.requirement("R24")
def test_verify_says_what_cannot_be_known_and_finds_the_files_that_the_log_was_moved_to(logged: Shell) -> None:
    path = Path(log_path())
    path.rename(path.with_name("decisions.jsonl-old"))
    _decide(5)
    assert logged("log", "verify").status == 0
    alone = logged("log", "verify", str(path))
    assert (alone.status, alone.out.splitlines()[0]) == (
        4,
        "unknown: records 1 to 4 stood in files that are not here",
    )
    assert logged("log", "verify", str(path) + "-none").status == 2
    assert logged("log", "veryfy").status == 2


def test_times_and_dates_are_those_of_the_clock_here(logged: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "EST5")
    time.tzset()
    try:
        assert "2026-11-20 06:00:00  e-2" in logged("log", "--verdict", "deny").out
        assert "e-4" not in logged("log", "--since", "2026-11-21").out
        assert command.since_ms("2026-11-21", 0) == parse_time("2026-11-21T05:00:00Z")
    finally:
        monkeypatch.undo()
        time.tzset()


def test_an_event_without_an_id_has_the_number_of_its_record(policy: Shell) -> None:
    append(Decision("", "before_completion", "s", "deny", "sha256:0"), None, "claude-code")
    assert "  #1  " in policy("log").out
