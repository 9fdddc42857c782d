"""`policy why`: the last refusal, or the one that is named, with what it saw and what the session did before."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine import Engine
from tests.unit.commands.running import Shell, event

POLICY = """\
language 1

define source = glob("src/**")
define tests  = command("pytest -*")

rule no-rm "Nothing is removed" {
  on before_tool(shell)
  when any c in commands { c.program == "rm" }
  deny "`{c.text}` removes files. Move them instead."
}

rule tests-pass "Tests pass" {
  on before_completion
  when wrote(source)
  require command_success(tests) since wrote(source)
  deny "{last(wrote(source)).path} changed after the last green run. Run `pytest -q`."
}

rule one "One" { on before_tool(shell) when any c in commands { c.effects contains "kills" } fail ask deny "Kills." }
rule two "Two" { on before_tool(shell) when any c in commands { c.effects contains "kills" } fail ask deny "Kills." }
"""


@pytest.fixture
def here(policy: Shell) -> Shell:
    policy.write(".policy/main.policy", POLICY)
    return policy


def _decide(here: Shell, *events: dict[str, Any]) -> None:
    engine = Engine.at(here.folder)
    for given in events:
        engine.decide({**given, "cwd": str(here.folder), "workspace": str(here.folder)})
    engine.close()


def _ended(number: int, name: str, kind: str, **args: str) -> dict[str, Any]:
    tool = {"name": name, "kind": kind, "args": args}
    return event(number, hook="after_tool", tool=tool, result={"ok": True, "exit_code": 0, "status": "completed"})


def test_the_last_refusal_here_with_its_rule_its_place_and_its_conditions(here: Shell) -> None:
    _decide(here, event(1, "rm a"), event(2, "rm b"), event(3, "ls"))
    done = here("why")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("deny  before_tool  2026-11-20 ") and "event      e-2" in done.out
    assert "wanted     rm b" in done.out
    assert "violated  no-rm  → deny" in done.out and "main.policy:6:1" in done.out
    assert '✓ c.program == "rm"  c.program = "rm"' in done.out


def test_a_refused_completion_shows_what_ran_and_what_would_pass(here: Shell) -> None:
    _decide(
        here,
        _ended(1, "Write", "write", file_path=str(here.folder / "src/a.py"), content="x"),
        _ended(2, "Bash", "shell", command="pytest -q | tail -5"),
        {"hook": "before_completion", "session": "s-1", "time": "2026-11-20T10:00:00Z", "answer": "All tests pass."},
    )
    done = here("why")
    assert "wanted     to be done: All tests pass." in done.out
    assert "✗ command_success(tests) since wrote(source)" in done.out
    assert "to pass  command_success(tests) since wrote(source)" in done.out
    *_, first, second = done.out.rstrip().split("\n")
    assert first.endswith("exit 0     Write src/a.py") and second.endswith("exit 0     pytest -q | tail -5")


def test_a_file_that_holds_by_now_what_was_written_was_written_then(here: Shell) -> None:
    args = {"file_path": str(here.folder / "src/a.py"), "content": "x = 1"}
    write = {"tool": {"name": "Write", "kind": "write", "id": "w", "args": args}, "time": None}
    engine = Engine.at(here.folder)
    for given in (
        event(1, **write),
        event(2, **write | {"hook": "after_tool", "result": {"ok": True, "status": "completed"}}),
        {"hook": "before_completion", "session": "s-1", "answer": "Done."},
    ):
        told = {key: value for key, value in given.items() if value is not None}
        engine.decide({**told, "cwd": str(here.folder), "workspace": str(here.folder)})
        here.write("src/a.py", "x = 1")
    engine.close()
    said = here("why").out
    assert "✗ command_success(tests) since wrote(source)" in said and "asked again now" not in said


@pytest.mark.parametrize(
    "named", [("e-1",), ("#1",), ("1",), ("--session", "s-1"), ("--session", "s-"), ("--anywhere",)]
)
def test_an_event_is_named_by_id_number_or_session(here: Shell, named: tuple[str, ...]) -> None:
    _decide(here, event(1, "rm a"), event(2, "ls", session="s-2"))
    done = here("why", *named)
    assert (done.status, "wanted     rm a" in done.out) == (0, True)


def test_the_beginning_of_an_id_takes_the_refusal(here: Shell) -> None:
    _decide(here, event(1, "rm a", id="toolu_1.before_tool"), event(2, "ls", id="toolu_1.after"))
    assert "wanted     rm a" in here("why", "toolu_1").out


def test_rules_that_lack_the_same_are_one_list(here: Shell) -> None:
    _decide(here, event(1, "sort --no-such=option a"))
    done = here("why")
    assert done.out.count("`--no-such=option`") == 1
    assert "one       " in done.out or " one " in done.out
    assert "main.policy:19:1" in done.out and "main.policy:20:1" in done.out
    shown = here("why", "--rule", "two")
    assert "undecided  two  → ask" in shown.out and '? c.effects contains "kills"' in shown.out
    assert "said nothing" in here("why", "--rule", "three").out


def test_a_policy_that_changed_leaves_the_record_as_it_was(here: Shell) -> None:
    _decide(here, event(1, "rm a"))
    here.write(".policy/main.policy", POLICY.replace('"rm"', '"mv"'))
    done = here("why")
    assert "✗ no-rm  deny" in done.out and "would come out otherwise" in done.out
    here.write(".policy/main.policy", "language 1\nrule {")
    assert "no-rm" in here("why").out


def test_the_same_as_json(here: Shell) -> None:
    _decide(here, event(1, "ls"), event(2, "rm a"))
    found = here("why", "--format", "json").json
    assert (found["record"]["event"], found["before"]) == ("e-2", 1)
    assert found["again"]["decision"]["verdict"] == "deny"


def test_nothing_refused_is_said_and_an_unknown_event_is_misuse(here: Shell) -> None:
    assert here("why").out.startswith("nothing was refused in this workspace")
    _decide(here, event(1, "ls"))
    assert (here("why").status, here("why", "--anywhere").out) == (0, "nothing was refused at all\n")
    done = here("why", "nothing")
    assert (done.status, done.err) == (2, "error: the log has no such event\n")
    assert here("why", "--session", "s-1").err == "error: the log has no refusal of that session\n"


def test_a_refusal_elsewhere_is_not_that_of_this_workspace(here: Shell) -> None:
    engine = Engine.at(here.folder)
    engine.decide(event(1, "rm a"))  # its workspace is another folder
    assert here("why").out.startswith("nothing was refused in this workspace")
    assert "wanted     rm a" in here("why", "--anywhere").out
