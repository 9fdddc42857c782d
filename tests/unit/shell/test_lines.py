"""Shell lines and what they run, one line of `lines.jsonl` each: argv, folder, wrappers, evidence, redirections.

In the file `?` stands for a part that is not known, `@` for any number of words, `*` before a pattern for files,
`#` for a number or nothing, `d` for a number.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.partial import DIGITS, GLOB, MANY, NUMBER, ONE
from policy_engine.model.undecided import Undecided
from policy_engine.shell.command import SimpleCommand
from policy_engine.shell.parse import parse

LINES = [json.loads(line) for line in (Path(__file__).parent / "lines.jsonl").read_text().splitlines()]


def shown(command: SimpleCommand) -> dict[str, Any]:
    """A command as the file has it; what is empty is left out."""
    marks = {ONE: "<?>", MANY: "<@>", GLOB: "<*>", DIGITS: "<#>", NUMBER: "<d>"}
    words = []
    for word in command.argv:
        for mark, text in marks.items():
            word = word.replace(mark, text)
        words.append(word)
    try:
        cwd = command.cwd.real
    except Undecided:
        cwd = "?"
    row: dict[str, Any] = {"argv": words, "via": list(command.via)}
    row["cwd"] = "" if cwd == "/workspace" else cwd
    row["proves"] = ("zero " if command.zero_proves else "") + ("nonzero" if command.nonzero_proves else "")
    row["flags"] = [name for name in ("background", "in_function", "dynamic") if getattr(command, name)]
    row["redirects"] = [str(redirect) for redirect in command.redirects]
    row["piped_from"] = list(command.piped_from)
    return {key: value for key, value in row.items() if value}


@pytest.mark.parametrize("row", LINES, ids=[row["line"][:60] for row in LINES])
def test_a_line_is_read_as_the_table_says(row: dict[str, Any]) -> None:
    try:
        found: Any = [shown(command) for command in parse(row["line"], "/workspace", Virtual())]
    except Undecided:
        found = "undecided"
    assert found == row["commands"]
