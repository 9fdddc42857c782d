"""Prompts with what a reader calls demanded: half of each sample demands nothing, and most of these name commands."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from policy_engine.history.demands import read_demands

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).resolve().parents[2] / "cases/prompts.jsonl").read_text("utf-8").splitlines()
]
TESTS = "the tests"


def _found(row: dict[str, Any]) -> set[str]:
    read = read_demands(row["prompt"])
    named = {*read.commands, *read.steps}
    return named | {TESTS} if read.tests and not named else named


def _wanted(row: dict[str, Any]) -> set[str]:
    return {*row["demands"], *([TESTS] if row.get("tests") else [])}


def test_what_is_found_is_demanded() -> None:
    found = [(row, command) for row in ROWS for command in sorted(_found(row))]
    wrong = [(row["prompt"], command) for row, command in found if command not in _wanted(row)]
    assert len(wrong) <= 0.05 * len(found), wrong
    assert [prompt for prompt, _ in wrong if not any(row["prompt"] == prompt and _wanted(row) for row in ROWS)] == []


def test_most_of_what_is_demanded_is_found() -> None:
    wanted = [(row, command) for row in ROWS for command in sorted(_wanted(row))]
    missed = [(row["prompt"], command) for row, command in wanted if command not in _found(row)]
    assert len(missed) <= 0.15 * len(wanted), missed


def test_what_is_done_only_where_something_failed_demands_nothing() -> None:
    assert read_demands("## Troubleshooting\n\n1. Run `make trace`\n").commands == ()
    assert read_demands("If the build fails:\n\n1. Run `make trace`\n").commands == ()
    assert read_demands("# The login fails\n\nRun `make trace`.\n\n## Verification\n\n- `make check`").commands == (
        "make trace",
        "make check",
    )


def test_a_block_of_words_is_no_list_of_commands() -> None:
    assert read_demands("The request must carry:\n\n```text\norganisation\nmake model\n```").commands == ()
    assert read_demands("Before you finish, run:\n\n```\nmake model\nmake check\n```").commands == (
        "make model",
        "make check",
    )


def test_a_server_is_a_mention() -> None:
    read = read_demands("Run `npm run dev` and `npm test` before you finish.")
    assert (read.commands, read.mentions) == (("npm test",), ("npm run dev",))


@pytest.mark.parametrize(
    "part",
    [
        "\n",
        "the ",
        "make sure ",
        "run `a` and ",
        "`a b",
        "let `a b` ",
        "all ",
        " " * 40 + "x",
        "`npm test` and ",
        "please then ",
        "can you please ",
        "tests, can you ",
        "fix all the tests ",
    ],
)
def test_a_long_prompt_is_read_soon(part: str) -> None:
    text = "uv sync" + " " * 60 + "# install\nrun " + part * (16_000 // len(part))
    start = time.process_time()
    read_demands(text)
    assert time.process_time() - start < 3
