"""`policy replay`: recorded sessions decided again, summed up, and held against what was decided then."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from policy_engine.audit import chain
from policy_engine.audit.log import append, append_failure, log_path
from policy_engine.audit.parts import parts
from tests.unit.commands.running import ALONE, BROKEN, GOOD, UNDECIDED, WARNS, Done, Shell, event, lines


@pytest.fixture
def shell(policy: Shell) -> Shell:
    """A folder with the policy `GOOD`."""
    policy.write(".policy/main.policy", GOOD)
    return policy


def _replay(shell: Shell, *arguments: str) -> Done:
    return shell("replay", "-p", ".policy", *arguments)


def _logged(shell: Shell, *commands: str) -> str:
    """A decision log of these commands, decided by the policy in force."""
    from policy_engine import Engine
    from policy_engine.model.event import Event

    engine = Engine.load(shell.folder / ".policy", log=False)
    for number, command in enumerate(commands):
        known = Event.from_dict(event(number, command))
        append(engine.decide(known), known, "claude-code")
    return log_path()


def test_rules_and_sessions_are_summed_up(shell: Shell) -> None:
    shell.write("a.jsonl", lines(event(1), event(2, "rm a"), event(3, "rm b", session="s-2")))
    done = _replay(shell, "a.jsonl")
    assert (done.status, done.err) == (1, "")
    assert done.out.splitlines()[1:] == [
        "",
        "RULE   SPOKE  UNDECIDED  VERDICTS",
        "no-rm  2      0          2 deny",
        "",
        "refused most often:",
        "   1 × deny  no-rm  rm a",
        "    `rm a` removes files. Move them to the folder `old` instead.",
        "    first at a.jsonl:2, session s-1",
        "   1 × deny  no-rm  rm b",
        "    `rm b` removes files. Move them to the folder `old` instead.",
        "    first at a.jsonl:3, session s-2",
        "",
        "SESSION  EVENTS  VERDICTS",
        "s-1      2       1 deny, 1 allow",
        "s-2      1       1 deny",
    ]


@pytest.mark.parametrize(
    ("text", "command", "status"),
    [(GOOD, "ls", 0), (GOOD, "rm a", 1), (WARNS, "rm a", 0), (UNDECIDED, "ls", 4), (BROKEN, "ls", 3)],
)
def test_the_exit_status_is_as_everywhere(shell: Shell, text: str, command: str, status: int) -> None:
    shell.write(".policy/main.policy", text)
    shell.write("a.jsonl", lines(event(1, command)))
    assert _replay(shell, "a.jsonl", "--format", "json").status == status


def test_a_line_that_cannot_be_read_is_told_apart_and_what_is_no_recording_is_misuse(shell: Shell) -> None:
    shell.write("a.jsonl", lines(event(1), "nonsense"))
    done = _replay(shell, "a.jsonl", "--format", "json")
    assert (done.status, done.json["verdicts"], done.json["damaged"]) == (4, {"allow": 1}, 1)
    assert done.json["damage"][0].startswith("a.jsonl:2: line 2: ")
    assert "1 line cannot be read and were left out:\n    a.jsonl:2: line 2:" in _replay(shell, "a.jsonl").out
    shell.write("b.jsonl", lines({"a": 1}))
    assert _replay(shell, "b.jsonl").status == 2
    assert _replay(shell, "none.jsonl").status == 2
    assert _replay(shell).status == 2


@pytest.mark.requirement("R24")
def test_a_log_replayed_under_its_policy_gives_the_recorded_decisions_byte_for_byte(shell: Shell) -> None:
    log = _logged(shell, "ls", "rm a", "cd x && rm b")
    done = _replay(shell, log, "--format", "json")
    assert done.json["compared"] == {"same": 3, "same_verdict": 0, "different": 0, "not_whole": 0}


@pytest.mark.requirement("R24")
@pytest.mark.fault(94)
def test_an_event_that_was_redacted_is_not_claimed_to_be_the_same(shell: Shell) -> None:
    log = _logged(shell, "rm a --password hunter2", "ls")
    assert "hunter2" not in Path(log).read_text()
    done = _replay(shell, log, "--format", "json")
    assert done.json["compared"] == {"same": 1, "same_verdict": 0, "different": 0, "not_whole": 1}


@pytest.mark.requirement("R24")
def test_another_policy_shows_what_it_would_decide_otherwise(shell: Shell) -> None:
    log = _logged(shell, "ls", "rm a")
    shell.write(".policy/main.policy", WARNS)
    done = _replay(shell, log, "--format", "json")
    assert done.status == 1
    assert done.json["compared"] == {"same": 0, "same_verdict": 1, "different": 1, "not_whole": 0}
    (found,) = done.json["differences"]
    assert (found["place"], found["then"], found["now"], found["same_policy"]) == (f"{log}:2", "deny", "warn", False)


@pytest.mark.requirement("R24")
def test_a_decision_that_was_changed_in_the_log_shows(shell: Shell) -> None:
    log = Path(_logged(shell, "rm a"))
    log.write_bytes(log.read_bytes().replace(b'"verdict":"deny"', b'"verdict":"allow"'))
    (found,) = _replay(shell, str(log), "--format", "json").json["differences"]
    assert (found["then"], found["now"], found["same_policy"]) == ("allow", "deny", True)


def test_failures_without_an_event_are_counted(shell: Shell) -> None:
    append_failure("claude-code", "PreToolUse", "before_tool", "E-JSON", "no")
    done = _replay(shell, log_path(), "--format", "json")
    assert (done.status, done.json["failed"], done.json["events"]) == (0, 1, 0)


def test_a_report_is_written_for_people(shell: Shell) -> None:
    shell.write("a.jsonl", lines(event(1, "rm <b>")))
    done = _replay(shell, "a.jsonl", "--html", "report.html")
    page = (shell.folder / "report.html").read_text()
    assert done.status == 1 and page.startswith("<!doctype html>") and "no-rm" in page
    assert _replay(shell, "a.jsonl", "--html", "none/report.html").status == 2


def test_a_transcript_of_claude_code_is_read(shell: Shell) -> None:
    block: dict[str, Any] = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "rm a"}}
    line = {"type": "assistant", "sessionId": "s", "cwd": "/w", "message": {"role": "assistant", "content": [block]}}
    shell.write("t.jsonl", json.dumps(line).encode() + b"\n")
    assert _replay(shell, "t.jsonl", "--format", "json").json["verdicts"] == {"deny": 1, "allow": 1}


def test_the_whole_command_reads_standard_input(shell: Shell) -> None:
    done = shell.process("replay", "-p", ".policy", "-", "--format", "json", stdin=lines(event(1)))
    assert (done.status, done.err, done.json["events"]) == (0, "", 1)


def test_a_log_is_replayed_with_its_parts_in_their_order(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "PART_BYTES", 2_000)
    log = _logged(shell, *("rm a" for _ in range(12)))
    older = parts(log)
    assert len(older) > 2
    for given in ((log,), (log, *older), (*older, log)):
        done = _replay(shell, "--format", "json", *given)
        assert (done.json["events"], done.json["compared"]["same"]) == (12, 12)
    if os.path.exists(log):
        os.unlink(log)
    assert 0 < _replay(shell, "--format", "json", log).json["events"] <= 12


def test_what_a_program_decided_by_names_of_its_own_is_the_same_byte_for_byte(shell: Shell) -> None:
    from policy_engine import Engine

    for engine in (Engine.load(".policy"), Engine.load(shell.folder / ".policy")):
        for number, command in enumerate(("rm a", "ls")):
            engine.decide(event(number, command))
        engine.close()
    done = _replay(shell, "--format", "json", log_path())
    assert (done.status, done.json["compared"]["same"], done.json["events"]) == (1, 4, 4)


def test_the_built_in_rules_decide_as_in_a_hook_unless_they_are_left_out(shell: Shell) -> None:
    shell.write("a.jsonl", lines(event(1, "echo x > /workspace/.policy/main.policy")))
    for named in (("-p", ".policy"), ()):
        assert shell("replay", *named, "a.jsonl", "--format", "json").json["verdicts"] == {"deny": 1}
        found = shell("replay", *named, "--no-builtin", "a.jsonl", "--format", "json").json
        assert found["verdicts"] == {"allow": 1}


def test_eval_and_explain_add_them_on_demand(shell: Shell) -> None:
    given = lines(event(1, "echo x > /workspace/.policy/main.policy"))
    for command in ("eval", "explain"):
        alone, both = (shell(command, "-p", ".policy", *flag, stdin=given) for flag in ((), ("--builtin",)))
        assert (alone.status, both.status) == (0, 1) and "builtin/no-tamper" in both.out
        assert (alone.err, both.err) == (ALONE, "")


@pytest.mark.parametrize("text", ["# Notes\n\nNothing.\n" * 600, "[1]\n[2]\n", "", '{\n "messages": [\n {\n'])
def test_a_recording_without_an_event_is_misuse_and_not_refusals(shell: Shell, text: str) -> None:
    shell.write("chat.md", text)
    done = _replay(shell, "chat.md")
    assert (done.status, done.out) == (2, "") and "event" in done.err


def test_what_is_refused_most_often_is_named_with_its_place(shell: Shell) -> None:
    shell.write("a.jsonl", lines(*(event(number, "rm build") for number in range(3)), event(9, "rm other")))
    first, second = _replay(shell, "a.jsonl", "--format", "json").json["refusals"]
    assert first == {
        "rule": "no-rm", "verdict": "deny", "action": "rm build", "place": "a.jsonl:1", "session": "s-1", "times": 3,
        "sure": True,
        "message": "`rm build` removes files. Move them to the folder `old` instead.",
    }  # fmt: skip
    assert (second["action"], second["times"]) == ("rm other", 1)
    _replay(shell, "a.jsonl", "--html", "report.html")
    assert "rm build" in (shell.folder / "report.html").read_text()


def test_the_decision_log_is_explained_and_decided_again_as_well(shell: Shell) -> None:
    log = _logged(shell, "ls", "rm a")
    assert "violated  no-rm" in shell("explain", "-p", ".policy", "--event", log).out
    done = shell("eval", "-p", ".policy", "--events", log)
    assert [each["verdict"] for each in done.lines] == ["allow", "deny"]


def test_eval_explain_and_replay_read_payloads(shell: Shell) -> None:
    payload = {
        "session_id": "s", "cwd": str(shell.folder), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "rm a"}, "tool_use_id": "t",
    }  # fmt: skip
    shell.write("payload.json", json.dumps(payload, indent=1))
    shell.write("payloads.jsonl", json.dumps(payload) + "\n")
    assert "violated  no-rm" in shell("explain", "-p", ".policy", "--event", "payload.json").out
    assert shell("eval", "-p", ".policy", "--events", "payloads.jsonl").lines[0]["verdict"] == "deny"
    assert shell("replay", "-p", ".policy", "--format", "json", "payloads.jsonl").json["verdicts"] == {"deny": 1}


LOOSE = GOOD.replace("deny", "warn")


def test_another_policy_is_held_against_the_new_one_event_by_event(shell: Shell) -> None:
    shell.write("old.policy", LOOSE)
    shell.write("a.jsonl", lines(event(1), event(2, "rm a"), event(3, "rm b", session="s-2")))
    done = _replay(shell, "a.jsonl", "--against", "old.policy", "--format", "json")
    assert done.status == 1
    assert done.json["against"]["decisions"] == [
        {"state": "changed", "old": "warn", "new": "deny", "times": 2},
        {"state": "same", "old": "allow", "new": "allow", "times": 1},
    ]
    assert done.json["against"]["rules"] == [{"state": "changed", "rule": "no-rm", "times": 2}]
    hit = done.json["hits"][0]
    assert (hit["place"], hit["action"], hit["old"], hit["verdict"]) == ("a.jsonl:2", "rm a", "warn", "deny")
    assert "warn → deny  no-rm  rm a" in _replay(shell, "a.jsonl", "--against", "old.policy").out


def test_the_same_policy_changes_nothing(shell: Shell) -> None:
    shell.write("a.jsonl", lines(event(1), event(2, "rm a")))
    done = _replay(shell, "a.jsonl", "--against", ".policy", "--format", "json")
    assert (done.status, done.json["hits"]) == (0, [])
    assert {each["state"] for each in done.json["against"]["decisions"]} == {"same"}


def test_what_only_an_undecided_rule_changes_cannot_be_known(shell: Shell) -> None:
    shell.write("old.policy", "language 1\n")
    shell.write("new.policy", UNDECIDED)
    shell.write("a.jsonl", lines(event(1, 'ls "')))
    done = shell("replay", "-p", "new.policy", "--against", "old.policy", "--no-builtin", "--format", "json", "a.jsonl")
    assert [each["state"] for each in done.json["against"]["decisions"]] == ["unknown"]
    assert (done.status, bool(done.json["hits"][0]["cause"])) == (4, True)


def test_a_redacted_event_cannot_be_known(shell: Shell) -> None:
    shell.write("old.policy", LOOSE)
    log = _logged(shell, "rm --password=hunter2000x a")
    done = _replay(shell, log, "--against", "old.policy", "--format", "json")
    assert [each["state"] for each in done.json["against"]["decisions"]] == ["unknown"]


def test_several_processes_give_the_same_sum(shell: Shell) -> None:
    for number in range(6):
        shell.write(f"{number}.jsonl", lines(event(1), event(2, f"rm {number}", session=f"s-{number}")))
    names = [f"{number}.jsonl" for number in range(6)]
    alone = _replay(shell, *names, "--format", "json").json
    assert _replay(shell, *names, "--format", "json", "--jobs", "2").json == alone
    rows = _replay(shell, *names, "--format", "csv", "--jobs", "2").out
    assert rows == _replay(shell, *names, "--format", "csv").out
    assert [row.split(",")[0] for row in rows.splitlines()] == ["place", *(f"{number}.jsonl:2" for number in range(6))]


def test_a_sample_is_the_same_each_time(shell: Shell) -> None:
    names = [f"{number}.jsonl" for number in range(40)]
    for name in names:
        shell.write(name, lines(event(1)))
    found = _replay(shell, *names, "--sample", "4", "--format", "json").json["recordings"]
    assert 0 < found < 40
    assert _replay(shell, *reversed(names), "--sample", "4", "--format", "json").json["recordings"] == found


def test_what_an_agent_wrote_is_no_formula_in_a_table(shell: Shell) -> None:
    odd = event(1, "rm a", session="=cmd|' /C calc'!A0")
    shell.write("a.jsonl", lines(odd))
    assert "'=cmd|' /C calc'!A0" in _replay(shell, "a.jsonl", "--format", "csv").out


def _absent(number: int, hook: str, tool: dict[str, Any], **more: Any) -> dict[str, Any]:
    place = {"cwd": "/home/ada/shop", "workspace": "/home/ada/shop"}
    return {**event(number), **place, "hook": hook, "tool": {"args": {}, **tool}, **more}


def test_a_workspace_that_is_not_here_is_what_the_recording_says(shell: Shell) -> None:
    shell.write("clean.policy", UNDECIDED)
    tool = {"name": "Bash", "kind": "shell", "args": {"command": "echo a > ~/.bashrc"}}
    shell.write("a.jsonl", lines(_absent(1, "before_tool", tool)))
    done = shell("replay", "-p", "clean.policy", "--no-builtin", "--format", "json", "a.jsonl")
    found = done.json
    assert (done.status, found["rules"][0]["undecided"]) == (4, 1)
    assert [each["repository"] for each in found["repositories"]] == ["~/shop"]
    assert [each["person"] for each in found["people"]] == ["ada"]


WROTE = """language 1
rule untouched "Nothing is written" {
  severity low
  on before_completion
  when wrote("**/*.py")
  warn "A file was written."
  test { finish => allow }
}
"""


@pytest.mark.parametrize(
    ("command", "unseen", "outcome"),
    [("./build.sh", 1, 1), ("ls -l", 0, 0), ("sed -i s/a/b/ a.py", 1, 1), ("python gen.py", 1, 1)],
)
def test_what_only_the_disk_would_show_is_unknown(shell: Shell, command: str, unseen: int, outcome: int) -> None:
    shell.write("wrote.policy", WROTE)
    tool = {"name": "Bash", "kind": "shell", "args": {"command": command}}
    result = {"ok": True, "exit_code": 0, "text": "", "status": "completed"}
    ended = _absent(1, "after_tool", tool, result=result)
    finished = {**{key: ended[key] for key in ended if key not in ("tool", "result")}, "id": "e-9"}
    shell.write("a.jsonl", lines(ended, {**finished, "hook": "before_completion", "answer": "Done."}))
    found = shell("replay", "-p", "wrote.policy", "--no-builtin", "--format", "json", "a.jsonl").json
    assert found["writes_unseen"] == unseen
    assert sum(rule["undecided"] for rule in found["rules"]) == outcome


def test_against_needs_the_new_policy(shell: Shell) -> None:
    shell.write("a.jsonl", lines(event(1)))
    assert shell("replay", "--against", ".policy", "a.jsonl").status == 2


def test_a_line_that_was_read_once_is_decided_as_if_read_again(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    import policy_engine.shell.parse as reader

    read: list[tuple[str, str | None]] = []
    whole = reader._parse
    monkeypatch.setattr(reader, "_parse", lambda *given: read.append(given[:2]) or whole(*given))
    commands = ("rm a", "rm a", "ls", 'rm "', 'rm "', "cd /; rm a")
    there = [event(2 * number, command) for number, command in enumerate(commands)]
    ended = [{**each, "id": f"after-{each['id']}", "hook": "after_tool", "result": {"exit_code": 0}} for each in there]
    elsewhere = [event(50 + number, command, workspace="/other") for number, command in enumerate(commands)]
    shell.write("a.jsonl", lines(*there, *ended, *elsewhere))
    found = json.loads(_replay(shell, "a.jsonl", "--format", "json").out)
    lone = len([each for each in read if each[0] == "rm a"])
    again = shell("eval", "--builtin", "-p", ".policy", stdin=lines(*there, *ended, *elsewhere)).lines
    assert found["verdicts"] == {
        verdict: [each["verdict"] for each in again].count(verdict) for verdict in ("deny", "allow")
    }
    assert lone == 2  # in two workspaces


def test_coverage_says_what_sessions_showed_of_the_policys_own_rules(shell: Shell) -> None:
    shell.write("a.jsonl", lines(event(1), event(2, "rm a")))
    shell.write("b.jsonl", lines(event(3, "rm b", session="s-2")))
    done = _replay(shell, "a.jsonl", "b.jsonl", "--coverage", "--format", "json")
    [rule] = json.loads(done.out)["coverage"]["rules"]
    assert (rule["rule"], rule["events"], rule["violated"], rule["not_applicable"]) == ("no-rm", 3, 2, 1)
    assert [(one["expr"], one["true"], one["false"]) for one in rule["conditions"]] == [
        ('c.program == "rm"', True, True)
    ]
    assert _replay(shell, "a.jsonl", "b.jsonl", "--coverage", "--format", "json", "--jobs", "2").out == done.out
    shell.write("c.jsonl", lines(event(1)))
    text = _replay(shell, "c.jsonl", "--coverage").out
    assert "not seen in any session" in text and '`c.program == "rm"` never true' in text
    refused = shell("replay", "a.jsonl", "--coverage")
    assert (refused.status, "--coverage measures the rules of a policy" in refused.err) == (2, True)
