"""A policy with a `verify`, real programs and a real folder: nothing is accepted until they pass."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from policy_engine import Engine

CHECK = "import sys; text = open('src/a.py').read(); compile(text, 'src/a.py', 'exec'); sys.exit('bad' in text)"
POLICY = """language 1
verify checks "The source compiles" {{
  when wrote("src/**")
  stage compile run [{python}, "-c", {check}] timeout 30s
  stage state run [{python}, "-c", "print('{{\\"state\\": \\"OPEN\\"}}')"] timeout 30s expect json "/state" == "OPEN"
  retries 2
}}
"""


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    (tmp_path / "work/src").mkdir(parents=True)
    path = tmp_path / "checks.policy"
    path.write_text(POLICY.format(python=json.dumps(sys.executable), check=json.dumps(CHECK)))
    return path


def events(root: Path, content: str) -> list[dict[str, Any]]:
    path = root / "src/a.py"
    path.write_text(content)
    said = {"session": "s", "workspace": str(root), "cwd": str(root)}
    tool = {"name": "Write", "kind": "write", "args": {"file_path": str(path), "content": content}}
    return [
        {"hook": "after_tool", "id": "1", "tool": tool, "result": {"ok": True}, **said},
        {"hook": "before_completion", "id": "2", "answer": "done", **said},
    ]


def test_a_broken_file_is_named_and_a_repaired_one_accepted(policy: Path, tmp_path: Path) -> None:
    engine = Engine.load(policy, run_commands=True, log=False)
    root = tmp_path / "work"
    *_, refused = [engine.decide(event) for event in events(root, "def f(:\n")]
    assert refused.verdict == "deny"
    assert "src/a.py:1: " in refused.rules[0].message and "SyntaxError" in refused.rules[0].message
    assert refused.rules[0].because[0][1]["error_class"] == "syntax"
    *_, accepted = [engine.decide(event) for event in events(root, "x = 1\n")]
    assert (accepted.verdict, accepted.rules) == ("allow", ())


def test_on_the_command_line_stages_run_only_if_that_is_allowed(policy: Path, tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(event) for event in events(tmp_path / "work", "x = 1\n"))
    verdicts = []
    for more in ([], ["--run-hooks"]):
        command = [sys.executable, "-m", "policy_engine", "eval", "-p", str(policy), *more]
        done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
        assert done.stderr.startswith("note: the built-in rules are left out") and done.stderr.count("\n") == 1
        verdicts.append(json.loads(done.stdout.splitlines()[-1])["verdict"])
    assert verdicts == ["deny", "allow"]
