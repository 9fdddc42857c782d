"""Worlds: paths are resolved as the kernel does, and every doubt is undecided."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.filesystem.file_system import Disk, FileSystem, Virtual
from policy_engine.filesystem.paths import PathValue, under
from policy_engine.model.limits import PATH_BYTES, READ_BYTES
from policy_engine.model.undecided import ABSENT, Undecided


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    (tmp_path / "home").mkdir()
    (tmp_path / "proj" / "src").mkdir(parents=True)
    (tmp_path / "proj-evil").mkdir()
    (tmp_path / "proj" / "src" / "a.py").write_bytes(b"print()\n")
    return Disk(str(tmp_path / "proj"), str(tmp_path / "home"))


def inside(disk: Disk, text: str) -> PathValue:
    return disk.resolve(text, disk.workspace)


def test_a_link_is_followed_and_its_missing_rest_appended(disk: Disk) -> None:
    os.symlink(disk.real_workspace + "-evil", disk.real_workspace + "/out")
    assert disk.relative(inside(disk, "out/new/file")) is None
    assert disk.relative(inside(disk, "src/new/../b.py")) == "src/b.py"
    assert disk.relative(inside(disk, "out/../proj/src")) == "src"


def test_the_last_link_stays_when_it_is_not_followed(disk: Disk) -> None:
    os.symlink("src", disk.real_workspace + "/link")
    assert disk.relative(disk.resolve("link", disk.workspace, follow=False)) == "link"
    assert disk.relative(disk.resolve("link/", disk.workspace, follow=False)) == "src"
    assert disk.relative(disk.resolve("link", disk.workspace)) == "src"


def test_a_loop_is_undecided(disk: Disk) -> None:
    os.symlink("b", disk.real_workspace + "/a")
    os.symlink("a", disk.real_workspace + "/b")
    with pytest.raises(Undecided, match="symbolic links"):
        inside(disk, "a/x")


@pytest.mark.parametrize(
    "text",
    ["", "a\0b", "~root/x", "/proc/self/cwd/x", "/proc/1/cwd", "/dev/fd/3", "\ud800", "C:\\x", "a/" * PATH_BYTES],
)
def test_a_path_that_cannot_be_known_is_undecided(disk: Disk, text: str) -> None:
    with pytest.raises(Undecided):
        inside(disk, text)


def test_a_relative_path_without_cwd_is_undecided(disk: Disk) -> None:
    with pytest.raises(Undecided, match="`cwd`"):
        disk.resolve("a", None)


def test_the_tilde_is_the_home(disk: Disk) -> None:
    assert inside(disk, "~/x").real == disk.real_home + "/x"
    with pytest.raises(Undecided, match="home"):
        Disk(disk.workspace, None).resolve("~", None)


def test_containment_is_by_components(disk: Disk) -> None:
    assert disk.relative(inside(disk, "../proj-evil/x")) is None
    assert disk.relative(inside(disk, ".")) == ""
    assert under("/a-evil", "/a") is False
    assert under("/a/b", "/") is True


def test_without_a_workspace_nothing_is_inside_or_outside(disk: Disk) -> None:
    with pytest.raises(Undecided, match="workspace"):
        Disk(None, None).relative(inside(disk, "src"))


def test_regular_files_of_the_workspace_are_read(disk: Disk) -> None:
    assert disk.read(inside(disk, "src/a.py")) == b"print()\n"
    assert disk.read(inside(disk, "src/none.py")) is ABSENT
    assert disk.stat(inside(disk, "src/a.py")) == ("file", 8)
    assert disk.stat(inside(disk, "src")) is not ABSENT
    assert disk.exists(inside(disk, "nothing")) is False


def test_what_is_no_regular_file_is_never_read(disk: Disk) -> None:
    os.mkfifo(disk.real_workspace + "/pipe")
    with open(disk.real_workspace + "/big", "wb") as big:
        big.truncate(READ_BYTES + 1)
    for name, word in (("pipe", "regular"), ("src", "regular"), ("big", "READ_BYTES"), ("../home", "outside")):
        with pytest.raises(Undecided, match=word):
            disk.read(inside(disk, name))


def test_names_that_are_not_utf8_survive(disk: Disk) -> None:
    name = b"\xff\n.txt".decode("utf-8", "surrogateescape")
    Path(disk.real_workspace, name).write_bytes(b"x")
    assert disk.read(inside(disk, name)) == b"x"
    assert disk.matches((("*.txt",), ()), inside(disk, name)) is True


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(["a", "b", "link", "up", "..", ".", "", "none"]), max_size=7))
def test_the_walk_agrees_with_realpath(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    root = tmp_path_factory.getbasetemp() / "walk"
    if not root.exists():
        (root / "a" / "b").mkdir(parents=True)
        os.symlink("a/b", root / "link")
        os.symlink("../..", root / "a" / "up")
    text = "/".join(names) or "."
    assert Disk(str(root), None).resolve(text, str(root)).real == os.path.realpath(os.path.join(root, text))


def test_the_virtual_world_behaves_alike() -> None:
    filesystem: FileSystem = Virtual()
    assert isinstance(filesystem, Virtual)
    path = filesystem.resolve("src/../src/a.py", "/workspace")
    assert (filesystem.relative(path), filesystem.read(path)) == ("src/a.py", ABSENT)
    filesystem.write(path, b"x")
    assert (filesystem.read(path), filesystem.stat(path)) == (b"x", ("file", 1))
    assert filesystem.stat(filesystem.resolve("src", "/workspace")) == ("folder", 0)
    with pytest.raises(Undecided, match="regular"):
        filesystem.read(filesystem.resolve("src", "/workspace"))
    filesystem.delete(filesystem.resolve("src", "/workspace"))
    assert filesystem.exists(path) is False
    assert filesystem.relative(filesystem.resolve("~/x", "/workspace")) is None


KEYS = (("**/*.pem",), ())


def test_of_a_folder_that_is_deleted_only_what_is_there_matches(disk: Disk) -> None:
    for place in ("docs/deep/.keep", "certs/deep/a.pem", "linked/x.txt"):
        path = Path(disk.real_workspace, place)
        path.parent.mkdir(parents=True)
        path.write_text("")
    os.symlink("x.txt", Path(disk.real_workspace, "linked/b.pem"))

    def deleted(name: str, access: str = "delete") -> PathValue:
        return PathValue(name, disk.resolve(name, disk.real_workspace, False).real, access, True).any_part

    assert not disk.matches(KEYS, deleted("docs"))
    assert not disk.matches(KEYS, deleted("linked/x.txt"))
    assert disk.matches(KEYS, deleted("certs")) and disk.matches(KEYS, deleted("linked"))
    assert not disk.matches(KEYS, deleted("nothing"))  # of what is not there nothing is lost
    assert disk.matches(KEYS, deleted("nothing.pem"))
    assert disk.matches(KEYS, deleted("docs", "write"))
    whole = disk.resolve("docs", disk.real_workspace).with_access("delete", True)
    assert not disk.matches(KEYS, whole)
    with pytest.raises(Undecided, match="some of `certs` may match"):
        disk.matches(KEYS, disk.resolve("certs", disk.real_workspace).with_access("delete", True))


def test_of_more_entries_than_are_looked_at_any_may_match(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(disk.real_workspace, "docs").mkdir()
    for number in range(4):
        Path(disk.real_workspace, f"docs/{number}.md").write_text("")
    path = disk.resolve("docs", disk.real_workspace).with_access("delete", True).any_part
    assert not disk.matches(KEYS, path)
    monkeypatch.setattr("policy_engine.filesystem.walk.HELD_ENTRIES", 3)
    assert disk.matches(KEYS, path)
