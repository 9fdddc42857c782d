"""`policy eval`: one decision per event, in order; a line that is no event is refused, never fatal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.commands.running import ALONE, GOOD, ROOT, UNDECIDED, WARNS, Shell, event, lines
from tests.unit.transcripts.sources import RECORDINGS


@pytest.mark.parametrize(
    ("text", "command", "verdict", "status"),
    [(GOOD, "ls", "allow", 0), (GOOD, "rm a", "deny", 1), (WARNS, "rm a", "warn", 0), (UNDECIDED, "ls", "warn", 4)],
)
def test_the_exit_status_tells_the_worst_verdict(
    policy: Shell, text: str, command: str, verdict: str, status: int
) -> None:
    policy.write("a.policy", text)
    done = policy("eval", "-p", "a.policy", stdin=lines(event(1, command)))
    assert (done.status, [each["verdict"] for each in done.lines]) == (status, [verdict])


def test_a_refusal_outweighs_an_undecided_rule(policy: Shell) -> None:
    policy.write("a/one.policy", GOOD)
    policy.write("b/two.policy", UNDECIDED)
    done = policy("eval", "-p", "a", "-p", "b", stdin=lines(event(1), event(2, "rm a"), event(3)))
    assert [each["event"] for each in done.lines] == ["e-1", "e-2", "e-3"]
    assert [each["verdict"] for each in done.lines] == ["warn", "deny", "warn"]
    assert done.status == 1


def test_the_default_is_the_policy_of_the_folder(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    assert policy("eval", stdin=lines(event(1, "rm a"))).lines[0]["rules"][0]["rule"] == "no-rm"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("nonsense", "E-JSON"),
        ("[1]", "E-TYPE"),
        ('{"hook": "before_tool", "hook": "prompt"}', "E-DUPKEY"),
        ("{}", "E-POINT"),
        ('{"hook": "before_tool"}', "E-FIELD"),
        ("[" * 100_000, "E-LIMIT"),
        ('{"a": NaN}', "E-NUMBER"),
    ],
)
def test_a_bad_line_gets_a_refusal_and_the_next_is_read(policy: Shell, line: str, code: str) -> None:
    policy.write("a.policy", GOOD)
    done = policy("eval", "-p", "a.policy", stdin=lines(event(1), line, event(2)))
    assert [each["verdict"] for each in done.lines] == ["allow", "deny", "allow"]
    assert done.lines[1]["errors"][0].startswith(f"{code}: ")
    assert (done.status, done.err) == (1, ALONE)


def test_a_line_that_is_too_long_is_refused_whole(policy: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from policy_engine.loading import event_lines

    monkeypatch.setattr(event_lines, "EVENT_BYTES", 1000)
    policy.write("a.policy", GOOD)
    long = event(2, "ls " + "a" * 500_000)
    done = policy("eval", "-p", "a.policy", stdin=lines(event(1), long, event(3)))
    assert [each["verdict"] for each in done.lines] == ["allow", "deny", "allow"]
    assert "EVENT_BYTES (1000)" in done.lines[1]["errors"][0]


def test_blank_lines_and_a_missing_last_line_end_are_nothing(policy: Shell) -> None:
    policy.write("a.policy", GOOD)
    done = policy("eval", "-p", "a.policy", stdin=b"\n  \n" + lines(event(1)) + b"\r\n" + lines(event(2)).rstrip())
    assert [each["event"] for each in done.lines] == ["e-1", "e-2"]


def test_nothing_in_is_nothing_out(policy: Shell) -> None:
    policy.write("a.policy", GOOD)
    assert policy("eval", "-p", "a.policy") == policy("eval", "-p", "a.policy", stdin=b"\n")
    assert policy("eval", "-p", "a.policy").status == 0


def test_the_same_input_gives_the_same_bytes(policy: Shell) -> None:
    policy.write("a.policy", GOOD)
    events = lines(event(1, "rm a"), event(2), "x")
    assert policy("eval", "-p", "a.policy", stdin=events) == policy("eval", "-p", "a.policy", stdin=events)


def test_text_for_people(policy: Shell) -> None:
    policy.write("a.policy", GOOD)
    done = policy("eval", "-p", "a.policy", "--format", "text", stdin=lines(event(1), event(2, "rm a")))
    assert done.out.startswith("allow  before_tool  e-1  s-1\n\ndeny  before_tool  e-2  s-1\n\n✗ no-rm  deny  ")


LATER = """\
language 1

rule read-first "Files are read before they are written" {
  severity low
  on before_tool(write)
  when not read("a.txt")
  deny "Read a.txt first."

  test {
    write "a.txt"  => deny
    read "a.txt"
    write "a.txt"  => allow
  }
}
"""


def test_a_database_keeps_sessions_from_one_process_to_the_next(policy: Shell) -> None:
    policy.write("a.policy", LATER)
    file = {"file_path": "/workspace/a.txt"}
    read = event(1, hook="after_tool", tool={"name": "Read", "kind": "read", "args": file}, result={"ok": True})
    write = event(2, tool={"name": "Write", "kind": "write", "args": {**file, "content": "x"}})
    kept = ("eval", "-p", "a.policy", "--state", "sessions.db")
    assert policy(*kept, stdin=lines(read)).lines[0]["verdict"] == "allow"
    assert policy(*kept, stdin=lines(write)).lines[0]["verdict"] == "allow"
    assert policy("eval", "-p", "a.policy", stdin=lines(write)).lines[0]["verdict"] == "deny"


@pytest.mark.parametrize(
    ("arguments", "status"),
    [(("-p", "nothing"), 2), (("-p", "a.policy", "--events", "nothing"), 2), (("-p", "a.policy", "--events", "."), 2)],
)
def test_what_cannot_be_opened_is_a_usage_error(policy: Shell, arguments: tuple[str, ...], status: int) -> None:
    policy.write("a.policy", GOOD)
    done = policy("eval", *arguments)
    assert (done.status, done.out) == (status, "")
    assert done.err.splitlines()[-1].startswith("error: ")


def test_every_form_that_replay_reads_is_decided_and_explained(policy: Shell, tmp_path: Path) -> None:
    policy.write("a.policy", GOOD)
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "event-00000.json").write_text(json.dumps(event(1, "rm a"), indent=1))
    (tmp_path / "session.json").write_text(json.dumps([event(1), event(2, "rm a")], indent=1))
    recorded = [path for path in RECORDINGS.glob("*.json*") if path.name != "cline.json"]
    for path in (tmp_path / "events", tmp_path / "session.json", *recorded):
        decided = policy("eval", "-p", "a.policy", "--events", str(path))
        replayed = json.loads(policy("replay", "--no-builtin", "-p", "a.policy", str(path), "--format", "json").out)
        assert len(decided.lines) == replayed["events"] > 0, path
        explained = json.loads(policy("explain", "-p", "a.policy", "--event", str(path), "--format", "json").out)
        assert explained["decision"]["verdict"] == decided.lines[-1]["verdict"], path


def test_a_policy_that_does_not_load_is_status_3(policy: Shell) -> None:
    policy.write("a.policy", GOOD.replace("c.program", "c.progam"))
    done = policy("eval", "-p", "a.policy", stdin=lines(event(1)))
    assert (done.status, done.out) == (3, "")
    assert "did you mean `program`" in done.err


def test_a_state_that_is_no_database_refuses_visibly(policy: Shell) -> None:
    policy.write("a.policy", LATER)
    policy.write("state.db", b"this is no database, " * 100)
    write = event(2, tool={"name": "Write", "kind": "write", "args": {"file_path": "/workspace/a.txt", "content": "x"}})
    done = policy("eval", "-p", "a.policy", "--state", "state.db", stdin=lines(write))
    assert (done.status, done.lines[0]["verdict"]) == (1, "deny")
    assert done.lines[0]["errors"]


def test_each_answer_comes_before_the_next_question(policy: Shell) -> None:
    policy.write("a.policy", GOOD)
    command = [sys.executable, "-m", "policy_engine", "eval", "-p", "a.policy"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=policy.folder, env={"PYTHONPATH": str(ROOT)}
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for number in range(3):
            process.stdin.write(lines(event(number)))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["event"] == f"e-{number}"
        process.stdin.close()
    assert process.returncode == 0


def test_the_whole_command(policy: Shell) -> None:
    policy.write("a.policy", GOOD)
    policy.write("events.jsonl", lines(event(1, "rm a")))
    done = policy.process("eval", "-p", str(Path("a.policy").absolute()), "--events", "events.jsonl")
    assert (done.status, done.err, done.lines[0]["verdict"]) == (1, ALONE, "deny")
