"""`python -m tools.finishes`: recorded finishes under what `policy init` writes, and the judged page counted."""

from __future__ import annotations

import json
from pathlib import Path

from tools.finishes import counted, rows

PAGE = Path(__file__).resolve().parents[3] / "docs" / "finishes.md"


def test_each_finish_shows_what_was_seen_and_the_verdict(tmp_path: Path) -> None:
    place = tmp_path / "places" / "a+b"
    (place / "tests").mkdir(parents=True)
    (place / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (place / "tests" / "test_a.py").write_text("")
    path = tmp_path / "a+b__0123456789.jsonl"
    given = {"file_path": "/home/dev/b/a.py", "old_string": "x", "new_string": "y"}
    tool = {"name": "Edit", "kind": "edit", "args": given}
    ran = {"name": "Bash", "kind": "shell", "args": {"command": "pytest -q"}}
    done = {"ok": True, "status": "completed"}
    events = [
        {"hook": "prompt", "prompt": "change it"},
        {"hook": "after_tool", "tool": tool, "result": done},
        {"hook": "before_completion", "answer": "It is | done."},
        {"hook": "after_tool", "tool": ran, "result": done | {"exit_code": 0}},
        {"hook": "before_completion", "answer": "It is tested."},
    ]
    base = {"session": "s", "cwd": "/home/dev/b", "workspace": "/home/dev/b", "host": {"name": "codex"}}
    path.write_text("".join(json.dumps(base | event) + "\n" for event in events))
    assert rows(path, tmp_path / "places") == [
        ("01234567 1", "It is ¦ done.", "wrote 1 .py", "deny"),
        ("01234567 2", "It is tested.", "wrote 1 .py; then `pytest -q` 0", "allow"),
    ]


def test_precision_and_recall_are_those_of_the_judged_rows() -> None:
    page = "| a 1 | s | w | deny | yes |\n| a 2 | s | w | deny | no: x |\n| a 3 | s | w | allow | no |\n"
    assert counted(page) == (
        "3 finishes: refused 2, of them right 1; missed 1; precision 50 % (1 of 2), recall 50 % (1 of 2)"
    )


def test_the_page_states_the_figures_of_its_rows() -> None:
    text = PAGE.read_text("utf-8")
    assert f"**{counted(text)}**" in text
