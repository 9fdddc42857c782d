"""file_exists, content_contains, file_size: the disk as it is now, inside the workspace; the rest is undecided."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from policy_engine.filesystem.world import Disk, Virtual
from policy_engine.model.limits import SEARCH_BYTES
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.predicates.files import content_contains, file_exists, file_size


@pytest.fixture
def world(tmp_path: Path) -> Disk:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "a.md").write_text("version 1.2.0\nnaïve\n", encoding="utf-8")
    (tmp_path / "w" / "folder").mkdir()
    (tmp_path / "outside.md").write_text("secret")
    return Disk(str(tmp_path / "w"), str(tmp_path))


def reasons(call, *arguments) -> str:
    with pytest.raises(Undecided) as found:
        call(*arguments)
    return " ".join(found.value.reasons)


def test_a_file_or_folder_exists_or_not(world: Disk) -> None:
    assert [file_exists(world, path) for path in ("a.md", "folder", "b.md", "folder/b.md")] == [
        True,
        True,
        False,
        False,
    ]


def test_a_path_value_works_like_its_text(world: Disk) -> None:
    assert file_exists(world, world.resolve("a.md", world.workspace))


def test_text_is_compared_byte_by_byte(world: Disk) -> None:
    needles = ("1.2.0", "1.2.0\nnaïve", "Version", "naive")
    assert [content_contains(world, "a.md", needle) for needle in needles] == [True, True, False, False]


def test_a_regex_searches_the_whole_text(world: Disk) -> None:
    patterns = [
        (r"\d+\.\d+\.\d+", False),
        ("VERSION", True),
        ("VERSION", False),
        ("^na", False),
        ("(?m)^na.ve$", False),
    ]
    assert [content_contains(world, "a.md", pattern) for pattern in patterns] == [True, True, False, False, True]


def test_a_missing_file_contains_nothing_and_has_no_size(world: Disk) -> None:
    assert content_contains(world, "b.md", "x") is False
    assert file_size(world, "b.md") is ABSENT
    assert file_size(world, "a.md") == len("version 1.2.0\nnaïve\n".encode())


@pytest.mark.parametrize("call", [file_exists, file_size, lambda world, path: content_contains(world, path, "x")])
def test_outside_the_workspace_nothing_is_known(world: Disk, call) -> None:
    for path in ("../outside.md", "/etc/passwd", "~/outside.md"):
        assert "outside" in reasons(call, world, path)


def test_a_link_that_stays_inside_is_followed_and_one_that_leaves_is_not(world: Disk) -> None:
    os.symlink("a.md", f"{world.workspace}/in.md")
    os.symlink("../outside.md", f"{world.workspace}/out.md")
    assert content_contains(world, "in.md", "1.2.0")
    assert "outside" in reasons(content_contains, world, "out.md", "secret")


def test_what_is_no_regular_file_is_undecided(world: Disk) -> None:
    os.mkfifo(f"{world.workspace}/pipe")
    assert "pipe" in reasons(content_contains, world, "pipe", "x")
    assert "pipe" in reasons(file_size, world, "pipe")
    assert "folder" in reasons(content_contains, world, "folder", "x")


def test_a_file_over_the_limit_is_undecided(world: Disk) -> None:
    with open(f"{world.workspace}/big", "wb") as big:
        big.truncate(SEARCH_BYTES + 1)
    assert "SEARCH_BYTES" in reasons(content_contains, world, "big", "x")
    assert file_size(world, "big") == SEARCH_BYTES + 1


def test_an_empty_needle_path_or_value_of_another_type_is_undecided(world: Disk) -> None:
    assert "empty" in reasons(content_contains, world, "a.md", "")
    assert "empty" in reasons(content_contains, world, "a.md", ("", False))
    assert "not text" in reasons(content_contains, world, "a.md", 3)
    assert "empty path" in reasons(file_exists, world, "")


def test_binary_files_are_searched_as_bytes(world: Disk) -> None:
    Path(world.workspace, "b").write_bytes(b"\xff\x00needle\xfe")
    assert content_contains(world, "b", "needle")
    assert content_contains(world, "b", ("^.+needle.$", False))


def test_the_virtual_world_answers_alike() -> None:
    world = Virtual()
    world.write(world.resolve("a.md", world.workspace), b"hello")
    assert file_exists(world, "a.md")
    assert content_contains(world, "a.md", "ell")
    assert file_size(world, "a.md") == 5
