"""Stepping through rules, over pipes: where it stops, what it shows, what is asked, how it ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.debug_adapter.client import Debugger

TEXT = """\
language 1

define source = glob("src/**")

rule no-rm "Nothing outside is removed" {
  on before_tool(shell)
  when any c in commands {
    c.program == "rm"
    and any p in c.paths { p outside workspace }
  }
  deny "`{c.text}` removes {p}."

  test "outside" {
    shell "ls | rm -rf a /etc" => deny
  }
}

rule tested "Tests pass" {
  on before_completion
  when wrote(source)
  require command_success("pytest") since wrote(source)
  deny "Run pytest."

  test "not tested" {
    write "src/a.py"
    finish => deny
  }
}

rule clean "The tree is clean" {
  on before_tool(shell)
  when not git.clean
  unless tool.name == "Other"
  warn "Commit first."

  test { shell "ls" => warn }
}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "main.policy"
    made.write_text(TEXT)
    return made


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home, whose grammar is read once."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def debugger(tmp_path: Path, home: Path) -> Iterator[Debugger]:
    with Debugger(tmp_path, home) as made:
        yield made


def test_it_begins_at_the_event_and_goes_along_the_tree(debugger: Debugger, file: Path) -> None:
    debugger.launch(file, line=14)
    assert debugger.here() == "14: before_tool  ls | rm -rf a /etc"
    assert debugger.move("stepIn") == "5: rule no-rm"
    assert debugger.move("stepIn").startswith("7: when any c in commands {")
    assert debugger.move("stepIn").startswith("8: c.program ==")  # of `ls`
    assert debugger.scope("Here")["is"] == "false"
    assert debugger.move("next").startswith("8: c.program ==")  # of `rm`, the next member
    here = debugger.scope("Here")
    assert (here["is"], here["c"], here['c.program == "rm"']) == ("true", '"rm -rf a /etc"', "true")
    debugger.move("stepIn")
    assert debugger.move("next") == "9: any p in c.paths { p outside workspace }"
    assert debugger.move("stepIn") == "9: p outside workspace"
    assert debugger.scope("Here")["p"] == '"a"'
    assert debugger.move("next") == "9: p outside workspace"
    assert [frame["name"].split()[0] for frame in debugger.frames()] == "p any c.program when rule before_tool".split()
    assert debugger.move("stepOut") == "11: violated → deny"
    assert debugger.scope("Here")["message"] == '"`rm -rf a /etc` removes /etc."'
    assert debugger.move("stepBack") == "9: p outside workspace"
    assert debugger.move("reverseContinue") == "14: before_tool  ls | rm -rf a /etc"
    debugger.ask("continue")
    assert "no-rm: violated → deny" in debugger.heed("output")["output"]
    assert "deny, expected deny" in debugger.heed("output")["output"]
    assert debugger.heed("exited") == {"exitCode": 0}


def test_a_breakpoint_is_put_where_something_is_evaluated_and_is_one_place(debugger: Debugger, file: Path) -> None:
    said = debugger.launch(file, 1, 19, 20, 40)
    assert [(one["verified"], one.get("line")) for one in said] == [(True, 5), (True, 20), (True, 20), (False, None)]
    assert debugger.here() == "5: rule no-rm"
    assert debugger.move("continue") == "20: when wrote(source)"
    assert debugger.scope("Here")["is"] == "true"
    assert "src/a.py" in debugger.scope("Past")["paths"]
    debugger.ask("continue")
    debugger.heed("terminated")


def test_it_stops_where_something_is_undecided_and_where_a_rule_refuses(debugger: Debugger, file: Path) -> None:
    debugger.launch(file, filters=("refusal", "undecided"))
    assert debugger.here() == "11: violated → deny"
    assert debugger.move("continue") == "22: violated → deny"
    assert debugger.move("continue") == "32: when not git.clean"
    assert debugger.scope("Here")["is"] == "undecided: `git.clean` is not known: a test has no git repository"
    assert debugger.scope("Fields")["git.clean"].startswith("undecided: ")
    assert debugger.scope("Fields")["tool.name"] == '"Bash"'
    assert debugger.move("continue") == "32: git.clean"
    assert debugger.move("continue") == "34: undecided → warn"


ANSWERS = {
    "c": '"rm -rf a /etc"',
    "c.program": '"rm"',
    "c.flags": '["-rf"]',
    "tool.name": '"Bash"',
    'tool.args["command"]': '"ls | rm -rf a /etc"',
    'tool.args["nothing"]': "absent",
    "count k in commands { true }": "2",
    "any q in paths { q matches source }": "false",
    "git.branch": "undecided: `git.branch` is not known: a test has no git repository",
    "wrote(source)": "false",
    'has tool.args["command"]': "true",
}


def test_an_expression_is_evaluated_where_it_stops(debugger: Debugger, file: Path) -> None:
    debugger.launch(file, line=14)
    debugger.here()
    while debugger.scope("Here").get("c") != '"rm -rf a /etc"':
        debugger.move("stepIn")
    assert {expression: debugger.watch(expression) for expression in ANSWERS} == ANSWERS


def test_an_expression_sees_the_past_of_the_event_at_which_it_stops(debugger: Debugger, file: Path) -> None:
    debugger.launch(file, 20)
    debugger.here()
    assert (debugger.watch("wrote(source)"), debugger.watch("last(wrote(source)).path")) == (
        "true",
        '"src/a.py"',
    )


PROBLEMS = {
    "nonsense": "unknown name `nonsense`",
    "1 +": "`+` has no meaning here; there is no arithmetic",
    'x }\n rule more "m" { on before_tool deny "m"': "`x`",
}


def test_what_cannot_be_asked_is_said(debugger: Debugger, file: Path) -> None:
    debugger.launch(file)
    debugger.here()
    for expression, problem in PROBLEMS.items():
        answer = debugger.answer("evaluate", expression=expression, context="watch")
        assert not answer["success"] and problem in answer["message"], expression


def test_a_recorded_event_is_decided_with_its_past(debugger: Debugger, file: Path, tmp_path: Path) -> None:
    where = {"session": "s", "cwd": str(tmp_path), "workspace": str(tmp_path)}
    wrote = {"name": "Write", "kind": "write", "args": {"file_path": "src/a.py", "content": ""}}
    result = {"ok": True, "status": "completed"}
    events = [
        {"hook": "after_tool", "id": "1", "tool": wrote, "result": result, **where},
        {"hook": "before_completion", "id": "2", "answer": "done", **where},
    ]
    (tmp_path / "events.jsonl").write_text("".join(json.dumps(one) + "\n" for one in events))
    debugger.launch(file, event=str(tmp_path / "events.jsonl"), stopOnEntry=True)
    assert debugger.here() == "0: before_completion  to be done: done"
    assert debugger.move("stepIn") == "18: rule tested"
    assert debugger.move("stepIn") == "20: when wrote(source)"
    assert debugger.scope("Here")["is"] == "true"
    assert debugger.scope("Event")["answer"] == '"done"'


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"program": "none.policy"}, "there is no `none.policy`"),
        ({"event": "none.jsonl"}, "none.jsonl"),
        ({"event": "-"}, "cannot read"),
        ({"line": "ten"}, "`line` is a number, not `ten`"),
    ],
)
def test_what_cannot_be_launched_is_said(
    debugger: Debugger, file: Path, arguments: dict[str, str], problem: str
) -> None:
    debugger.ask("initialize", adapterID="policy")
    answer = debugger.answer("launch", **{"program": str(file), **arguments})
    assert not answer["success"] and problem in answer["message"]
    assert not debugger.answer("stackTrace", threadId=1)["success"]


def test_a_policy_with_a_mistake_is_told_with_its_place(debugger: Debugger, file: Path) -> None:
    file.write_text(TEXT.replace("before_completion", "before_complet"))
    answer = debugger.answer("launch", program=str(file))
    assert "main.policy:19:6" in answer["message"] and "did you mean" in answer["message"]


def test_what_is_not_known_or_is_no_message_is_not_the_end(debugger: Debugger) -> None:
    assert debugger.answer("completions")["message"] == "what was asked for is not there"
    assert debugger.ask("threads") == {"threads": [{"id": 1, "name": "evaluation"}]}
