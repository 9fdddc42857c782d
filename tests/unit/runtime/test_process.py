"""A hook's command: no shell, the event on its standard input, its status and output as the answer."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.runtime.external import Hooks, everybody
from tests.unit.compiler.asking import event

PYTHON = json.dumps(sys.executable)


def spoken(folder: Path, program: str, **more: Any) -> list[tuple[str, str, str]]:
    """What a hook that runs this Python program says of a write in the folder."""
    policy = f'hook h "H" {{ on before_tool run [{PYTHON}, "-c", {json.dumps(program)}] }}'
    made = Engine.from_text(f"language 1\n{policy}", home=str(folder), hooks=Hooks(admit=everybody))
    decision = made.decide(event(workspace=str(folder), cwd=str(folder), **more))
    return [(one.outcome, one.verdict, one.message) for one in decision.rules]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("", []),
        ("print('no'); exit(1)", [("violated", "deny", "no")]),
        ("print('no'); exit(2)", [("violated", "deny", "no")]),
        ("import sys; print('out'); print('err', file=sys.stderr); exit(2)", [("violated", "deny", "out\nerr")]),
        ("import sys; print('{', file=sys.stderr); exit(2)", [("violated", "deny", "{")]),
        ("import sys; print('err', file=sys.stderr)", []),
        ('print(\'{"verdict": "ask", "message": "sure?"}\')', [("violated", "ask", "sure?")]),
        ('print(\'{"verdict": "allow"}\'); exit(1)', []),
    ],
)
def test_the_status_or_a_json_object_answers(
    tmp_path: Path, program: str, expected: list[tuple[str, str, str]]
) -> None:
    assert spoken(tmp_path, program) == expected


@pytest.mark.parametrize(
    "program", ["exit(3)", "import os; os.kill(os.getpid(), 9)", "print('{')", 'print(\'{"verdict": "fine"}\')']
)
def test_everything_else_is_undecided(tmp_path: Path, program: str) -> None:
    ((outcome, verdict, _),) = spoken(tmp_path, program)
    assert (outcome, verdict) == ("undecided", "deny")


def test_a_program_that_is_not_there_is_undecided(tmp_path: Path) -> None:
    policy = 'language 1\nhook h { on before_tool run ["no-such-program-here"] fail open }'
    made = Engine.from_text(policy, home=str(tmp_path), hooks=Hooks(admit=everybody))
    decision = made.decide(event(workspace=str(tmp_path)))
    assert [(one.outcome, one.verdict) for one in decision.rules] == [("undecided", "warn")]


def test_the_command_gets_the_event_and_runs_in_the_workspace(tmp_path: Path) -> None:
    program = "import json, os, sys; event = json.load(sys.stdin); print(event['tool']['name'], os.getcwd()); exit(1)"
    assert spoken(tmp_path, program) == [("violated", "deny", f"Write {tmp_path.resolve()}")]


def test_arguments_are_no_shell_text_and_the_environment_is_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    program = "import os; print(sorted(n for n in os.environ if n == 'SECRET_TOKEN'), '$HOME `id`'); exit(1)"
    assert spoken(tmp_path, program) == [("violated", "deny", "[] $HOME `id`")]
