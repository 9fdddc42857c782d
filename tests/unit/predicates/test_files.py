"""file_exists, content_contains, file_size, told_to_agents: the disk as it is now, inside the workspace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from policy_engine.filesystem.file_system import Disk, Virtual
from policy_engine.model.limits import SEARCH_BYTES
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.predicates.files import content_contains, file_exists, file_size, told_to_agents


@pytest.fixture
def filesystem(tmp_path: Path) -> Disk:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "a.md").write_text("version 1.2.0\nnaïve\n", encoding="utf-8")
    (tmp_path / "w" / "folder").mkdir()
    (tmp_path / "outside.md").write_text("secret")
    return Disk(str(tmp_path / "w"), str(tmp_path))


def reasons(call, *arguments) -> str:
    with pytest.raises(Undecided) as found:
        call(*arguments)
    return " ".join(found.value.reasons)


def test_a_file_or_folder_exists_or_not(filesystem: Disk) -> None:
    assert [file_exists(filesystem, path) for path in ("a.md", "folder", "b.md", "folder/b.md")] == [
        True,
        True,
        False,
        False,
    ]


def test_a_path_value_works_like_its_text(filesystem: Disk) -> None:
    assert file_exists(filesystem, filesystem.resolve("a.md", filesystem.workspace))


def test_text_is_compared_byte_by_byte(filesystem: Disk) -> None:
    needles = ("1.2.0", "1.2.0\nnaïve", "Version", "naive")
    assert [content_contains(filesystem, "a.md", needle) for needle in needles] == [True, True, False, False]


def test_a_regex_searches_the_whole_text(filesystem: Disk) -> None:
    patterns = [
        (r"\d+\.\d+\.\d+", False),
        ("VERSION", True),
        ("VERSION", False),
        ("^na", False),
        ("(?m)^na.ve$", False),
    ]
    assert [content_contains(filesystem, "a.md", pattern) for pattern in patterns] == [True, True, False, False, True]


def test_a_missing_file_contains_nothing_and_has_no_size(filesystem: Disk) -> None:
    assert content_contains(filesystem, "b.md", "x") is False
    assert file_size(filesystem, "b.md") is ABSENT
    assert file_size(filesystem, "a.md") == len("version 1.2.0\nnaïve\n".encode())


@pytest.mark.parametrize(
    "call", [file_exists, file_size, lambda filesystem, path: content_contains(filesystem, path, "x")]
)
def test_outside_the_workspace_nothing_is_known(filesystem: Disk, call) -> None:
    for path in ("../outside.md", "/etc/passwd", "~/outside.md"):
        assert "outside" in reasons(call, filesystem, path)


def test_a_link_that_stays_inside_is_followed_and_one_that_leaves_is_not(filesystem: Disk) -> None:
    os.symlink("a.md", f"{filesystem.workspace}/in.md")
    os.symlink("../outside.md", f"{filesystem.workspace}/out.md")
    assert content_contains(filesystem, "in.md", "1.2.0")
    assert "outside" in reasons(content_contains, filesystem, "out.md", "secret")


def test_what_is_no_regular_file_is_undecided(filesystem: Disk) -> None:
    os.mkfifo(f"{filesystem.workspace}/pipe")
    assert "pipe" in reasons(content_contains, filesystem, "pipe", "x")
    assert "pipe" in reasons(file_size, filesystem, "pipe")
    assert "folder" in reasons(content_contains, filesystem, "folder", "x")


def test_a_file_over_the_limit_is_undecided(filesystem: Disk) -> None:
    with open(f"{filesystem.workspace}/big", "wb") as big:
        big.truncate(SEARCH_BYTES + 1)
    assert "SEARCH_BYTES" in reasons(content_contains, filesystem, "big", "x")
    assert file_size(filesystem, "big") == SEARCH_BYTES + 1


def test_an_empty_needle_path_or_value_of_another_type_is_undecided(filesystem: Disk) -> None:
    assert "empty" in reasons(content_contains, filesystem, "a.md", "")
    assert "empty" in reasons(content_contains, filesystem, "a.md", ("", False))
    assert "not text" in reasons(content_contains, filesystem, "a.md", 3)
    assert "empty path" in reasons(file_exists, filesystem, "")


def test_binary_files_are_searched_as_bytes(filesystem: Disk) -> None:
    Path(filesystem.workspace, "b").write_bytes(b"\xff\x00needle\xfe")
    assert content_contains(filesystem, "b", "needle")
    assert content_contains(filesystem, "b", ("^.+needle.$", False))


def test_the_virtual_world_answers_alike() -> None:
    filesystem = Virtual()
    filesystem.write(filesystem.resolve("a.md", filesystem.workspace), b"hello")
    assert file_exists(filesystem, "a.md")
    assert content_contains(filesystem, "a.md", "ell")
    assert file_size(filesystem, "a.md") == 5


def test_what_instructions_import_is_told_to_agents(filesystem: Disk, tmp_path: Path) -> None:
    root = tmp_path / "w"
    (root / "packages" / "a").mkdir(parents=True)
    (root / ".claude").mkdir()
    (root / "CLAUDE.md").write_text(
        "- Style: @folder/style.md.\n- @~/mine.md @package.json\n```\n@folder/code.md\n```\n"
    )
    (root / "folder" / "style.md").write_text("(@../more.md)\n")
    (root / "packages" / "a" / "GEMINI.md").write_text("@./own.md\n")
    (root / ".claude" / "CLAUDE.md").write_text("@../told.txt\n")
    told = ["folder/style.md", "more.md", "packages/a/own.md", "told.txt"]
    others = ["a.md", "folder/code.md", "own.md", "package.json", "folder/more.md", "mine.md", "told.md"]
    assert [told_to_agents(filesystem, path) for path in told] == [True] * 4
    assert [told_to_agents(filesystem, path) for path in others] == [False] * 7


def test_a_document_behind_a_link_of_instructions_is_told_to_agents(filesystem: Disk, tmp_path: Path) -> None:
    os.symlink("a.md", tmp_path / "w" / "CLAUDE.md")
    assert told_to_agents(filesystem, "a.md")
    assert not told_to_agents(filesystem, "b.md")
