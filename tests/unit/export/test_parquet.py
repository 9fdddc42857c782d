"""Decisions as a table: every decision a row, the same whatever the processes, and the questions of the page on it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

from policy_engine.audit.log import append
from policy_engine.export import parquet
from policy_engine.export.parquet import DecisionFile
from policy_engine.export.row import Row, row_of
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.event import Event
from tests.house.sources import ROOT
from tests.unit.commands.running import GOOD, UNDECIDED, Shell, event, lines

PAGE = (ROOT / "docs" / "how-to" / "questions.md").read_text("utf-8")
QUESTIONS = re.findall(r"^```sql\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def _asked(path: Path, question: str = "SELECT * FROM 'decisions.parquet'") -> list[dict[str, Any]]:
    with duckdb.connect() as base:
        found = base.execute(question.replace("'decisions.parquet'", f"'{path}'"))
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


@pytest.fixture
def shell(policy: Shell) -> Shell:
    """Two policies, and three recordings of two calls each."""
    policy.write("new.policy", GOOD + UNDECIDED.removeprefix("language 1\n"))
    policy.write("old.policy", GOOD.replace('"rm"', '"mv"'))
    for number in range(3):
        home = {"workspace": "/home/ada/work", "cwd": "/home/ada/work", "session": f"s-{number}"}
        policy.write(f"{number}.jsonl", lines(event(2 * number, "rm a", **home), event(2 * number + 1, "ls", **home)))
    return policy


def _replay(shell: Shell, *arguments: str) -> Path:
    out = shell.folder / "out.parquet"
    done = shell(
        "replay", "--no-builtin", "-p", "new.policy", "--against", "old.policy", "--out", "out.parquet",
        "0.jsonl", "1.jsonl", "2.jsonl", *arguments,
    )  # fmt: skip
    assert (done.status, done.err) == (1, "wrote 6 rows to out.parquet\n")
    return out


def test_every_decision_is_a_row_whatever_the_processes(shell: Shell) -> None:
    alone = _asked(_replay(shell))
    assert [row["verdict"] for row in alone] == ["deny", "warn"] * 3
    first = alone[0]
    assert first["time"].isoformat() == "2026-11-20T10:00:00"
    assert {name: first[name] for name in ("place", "action", "repository", "person", "rule", "state", "old")} == {
        "place": "0.jsonl:1", "action": "rm a", "repository": "~/work", "person": "ada", "rule": "no-rm",
        "state": "changed", "old": "allow",
    }  # fmt: skip
    assert [rule["rule"] for rule in first["rules"]] == ["no-rm", "clean"]
    assert (alone[1]["undecided"], alone[1]["refused"], alone[1]["cause"] != "") == (True, False, True)
    assert _asked(_replay(shell, "--jobs", "2")) == alone


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_question_of_the_page_has_an_answer(shell: Shell, question: str) -> None:
    assert _asked(_replay(shell), question) != []


def test_the_page_names_the_columns_that_the_table_has(shell: Shell) -> None:
    table = PAGE.partition("## The table")[2].partition("## Questions")[0]
    written = [
        (name, kind) for names, kind in re.findall(r"^\| (`.*?`) \| (.*?) \|", table, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", names)
    ]  # fmt: skip
    described = _asked(_replay(shell), "DESCRIBE SELECT * FROM 'decisions.parquet'")
    assert written == [(row["column_name"], row["column_type"]) for row in described]


def test_the_log_gives_the_same_rows(policy: Shell) -> None:
    from policy_engine import Engine

    engine = Engine.from_text(GOOD)
    for number, command in enumerate(("rm a", "ls")):
        known = Event.from_dict(event(number, command))
        append(engine.decide(known), known, "claude-code")
    done = policy("log", "--out", "out.parquet", "--verdict", "deny")
    assert (done.status, done.out, done.err) == (0, "", "wrote 1 row to out.parquet\n")
    (row,) = _asked(policy.folder / "out.parquet")
    assert (row["number"], row["host"], row["action"], row["rule"]) == (1, "claude-code", "rm a", "no-rm")
    assert row["time"].isoformat() == "2026-11-20T10:00:00"


def test_what_is_written_in_parts_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP", 2)
    rows = [row_of({"n": number, "verdict": "allow"}, {}) for number in range(5)]
    with DecisionFile(str(tmp_path / "a.parquet")) as file:
        file.write(rows)
    assert [row["number"] for row in _asked(tmp_path / "a.parquet")] == [0, 1, 2, 3, 4]
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]


def test_a_run_that_fails_leaves_the_file_of_before(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_text("before")
    with pytest.raises(AttributeError), DecisionFile(str(tmp_path / "a.parquet")) as file:
        file.write([row_of({}, {}), None] * parquet.GROUP)  # type: ignore[list-item]
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.parquet", "before")]
    with pytest.raises(ConfigurationError, match="no such file or directory"):
        DecisionFile(str(tmp_path / "nowhere" / "a.parquet"))


def test_another_suffix_is_told_before_anything_is_decided(shell: Shell) -> None:
    done = shell("replay", "-p", "new.policy", "--out", "out.csv", "0.jsonl")
    assert (done.status, "`out.csv` does not end in .parquet" in done.err) == (2, True)


def test_what_a_record_lacks_or_has_wrong_is_left_empty() -> None:
    row = row_of(
        json.loads('{"rules": [{"rule": 1, "verdict": "deny"}], "verdict": "deny", "errors": [3]}'), {"time": 7}
    )
    assert isinstance(row, Row)
    assert (row.rule, row.verdict, row.refused, row.time, row.action, row.message) == (
        "",
        "deny",
        True,
        None,
        "None",
        "",
    )
    assert row_of({"session": "\udc80"}, {}).session == "?"
