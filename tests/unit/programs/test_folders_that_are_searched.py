"""A search or a copy touches what lies in a folder, also in a test that did not make the folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.effects.analysis import analysis_of
from policy_engine.filesystem.file_system import Disk, Virtual
from policy_engine.shell.parse import parse
from tests.unit.compiler.asking import engine, shell

RULE = 'rule kept "k" {{ on before_tool(shell) when any p in paths {{ p matches glob("{glob}") }} deny "No {{p}}." }}\n'


def _verdict(line: str, glob: str = "private/**", files: Virtual | None = None) -> str:
    return engine(RULE.format(glob=glob), files or Virtual()).decide(shell(line)).verdict


@pytest.mark.parametrize(
    "line",
    [
        "grep -r x private",
        "cp -r private x",
        "rg x private",
        "git grep x -- private",
        "cat private/*",
        "cd private && rg x",
    ],
)
def test_a_folder_that_was_not_made_may_hold_files(line: str) -> None:
    assert _verdict(line) == "deny"
    assert _verdict(line.replace("private", "public")) == "allow"


def test_what_looks_like_a_file_or_was_made_as_one_is_no_folder() -> None:
    assert _verdict("grep -r x private.txt", "private.txt/**") == "allow"
    files = Virtual()
    files.write(files.resolve("private", "/workspace"), b"x")
    assert _verdict("grep -r x private", files=files) == "allow"


def test_a_search_reads_a_file_that_is_there_and_not_hidden(tmp_path: Path) -> None:
    for name in ("private/below/a.txt", "empty/.env", "public/a"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    disk = Disk(str(tmp_path), "/home/user")

    def read(line: str) -> list[str]:
        (command,) = parse(line, str(tmp_path), disk)
        return [text for path in analysis_of(command).paths if (text := disk.relative(path))]

    assert read("rg x private") == ["private", "private/below/a.txt"]
    assert read("rg -l x private") == ["private"]
    assert read("rg x empty") == ["empty"]


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("aws --profile prod s3 ls", ("prod",)),
        ("aws --profile=prod s3 ls", ("prod",)),
        ("aws s3 ls --profile=prod", ("prod",)),
        ("aws --region x s3 ls", ()),
    ],
)
def test_the_value_of_an_option_before_the_verb_is_one(line: str, values: tuple[str, ...]) -> None:
    (command,) = parse(line, "/workspace", Virtual())
    assert command.flag_values("--profile") == values
