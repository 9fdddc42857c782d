"""What trust is bound to: every name that a command spells, what is there, and nothing that cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from policy_engine.consent import closure as module
from policy_engine.consent.closure import Closure, Run, Unbound, closure, digest_of, runs_of


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    found = Path(os.path.realpath(tmp_path)) / "work"
    put(found / ".policy/main.policy", "language 1\n")
    put(found / "tools/check.sh", "exit 0\n")
    return found


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def run(*argv: str, env: tuple[str, ...] = ()) -> tuple[Run, ...]:
    return (("checks", "one", argv, env),)


def of(workspace: Path, *argv: str, env: tuple[str, ...] = ()) -> Closure:
    return closure(str(workspace), run(*argv, env=env))


@pytest.mark.parametrize(
    "argv",
    [
        ("tools/check.sh",),
        ("sh", "./tools/check.sh"),
        ("sh", "tools//./check.sh"),
        ("sh", "tools/../tools/check.sh"),
        ("sh", "-c", "cd . && tools/check.sh --fast; true"),
        ("x", "--script=tools/check.sh"),
        ("sh", "-c", "$(cat tools/check.sh)"),
        ("sh", "WORKSPACE/tools/check.sh"),
        ("sh", "LINK/tools/check.sh"),
        ("sh", "../work/tools/check.sh"),
    ],
)
def test_a_file_that_a_word_names_is_bound_by_its_content(workspace: Path, argv: tuple[str, ...]) -> None:
    link = workspace.parent / "link"
    link.symlink_to(workspace)
    words = tuple(word.replace("WORKSPACE", str(workspace)).replace("LINK", str(link)) for word in argv)
    before = of(workspace, *words).digest
    assert of(workspace, *words).digest == before
    put(workspace / "tools/check.sh", "exit 1\n")
    assert of(workspace, *words).digest != before


def test_a_variable_and_a_path_of_its_own_are_bound(workspace: Path) -> None:
    before = of(workspace, "check", env=("A=tools/a.env", "PATH=/bin:tools"))
    assert before.files["tools/a.env"] == before.files["tools/check"] == "missing"
    put(workspace / "tools/check", "")
    assert of(workspace, "check", env=("A=tools/a.env", "PATH=/bin:tools")).digest != before.digest


def test_a_link_that_leads_through_another_folder_is_followed_as_the_kernel_does(workspace: Path) -> None:
    """`link/../x.sh` is beside what the link leads to, not beside the link."""
    put(workspace.parent / "far/away/y", "")
    far = put(workspace.parent / "far/x.sh", "1")
    (workspace / "link").symlink_to(workspace.parent / "far/away")
    before = of(workspace, "link/../x.sh").digest
    far.write_text("2")
    assert of(workspace, "link/../x.sh").digest != before


def test_the_same_content_in_another_place_is_something_else(workspace: Path) -> None:
    one, other = put(workspace / "a/x.sh", "1"), put(workspace / "b/x.sh", "1")
    (workspace / "link.sh").symlink_to(one)
    before = of(workspace, "link.sh").digest
    (workspace / "link.sh").unlink()
    (workspace / "link.sh").symlink_to(other)
    assert of(workspace, "link.sh").digest != before


def test_what_lies_outside_by_name_and_in_truth_is_not_bound(workspace: Path) -> None:
    assert set(of(workspace, "/bin/sh", "../x", "..", ".", "/").files) == {".policy", ".policy/main.policy"}


def test_folders_pipes_and_names_that_are_too_long_are_no_content(workspace: Path) -> None:
    os.mkfifo(workspace / "pipe")
    found = of(workspace, "tools", "pipe", "n" * 300, "tools/check.sh/x").files
    assert (found["tools"], found["pipe"], found["n" * 300]) == ("folder", "other", "missing")
    assert found["tools/check.sh/x"] == "missing"


@pytest.mark.fault(37)
def test_a_loop_of_links_cannot_be_bound(workspace: Path) -> None:
    (workspace / "a").symlink_to("b")
    (workspace / "b").symlink_to("a")
    with pytest.raises(Unbound, match="cannot be read"):
        of(workspace, "a")


def test_a_file_that_may_not_be_read_cannot_be_bound(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied", str(workspace / "tools/check.sh"))

    monkeypatch.setattr(module.os, "open", refuse)
    with pytest.raises(Unbound, match=r"check\.sh` cannot be read: permission denied"):
        of(workspace, "tools/check.sh")


@pytest.mark.requirement("R23")
@pytest.mark.parametrize(("limit", "most"), [("TRUST_FILES", 3), ("TRUST_BYTES", 12)])
def test_more_than_the_limits_cannot_be_bound(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    monkeypatch.setattr(module, limit, most)
    with pytest.raises(Unbound, match=limit):
        of(workspace, "tools/check.sh", "x")


@pytest.mark.fault(47)
def test_a_name_that_is_not_utf_8_cannot_be_bound(workspace: Path) -> None:
    (workspace / ".policy" / os.fsdecode(b"\xff")).touch()
    with pytest.raises(Unbound, match="UTF-8"):
        of(workspace, "true")


def test_a_missing_policy_folder_cannot_be_bound(tmp_path: Path) -> None:
    with pytest.raises(Unbound):
        of(tmp_path, "true")


def test_a_folder_that_is_a_link_is_not_walked_but_bound(workspace: Path) -> None:
    put(workspace.parent / "far/x.policy", "")
    (workspace / ".policy/more").symlink_to(workspace.parent / "far")
    assert of(workspace, "true").files[".policy/more"] == "folder ../far"


def test_the_digest_tells_commands_files_and_their_places_apart() -> None:
    digests = {
        digest_of(runs, files)
        for runs in (run("a", "b"), run("a b"), run("a", env=("b",)), (("checks", "", ("a",), ()),), ())
        for files in ({}, {"a": "b"}, {"b": "a"}, {"a": "b c"})
    }
    assert len(digests) == 20


def test_the_commands_of_compiled_declarations() -> None:
    assert runs_of("hook", "h", (("a", "b"), "", 5, False, 0)) == (("h", "", ("a", "b"), ()),)
    assert runs_of("hook", "h", ((), "called", 0, False, 0)) == ()
    stages = (("one", ("a",), 5, ("X=1",), -1, None), ("two", ("b",), 0, (), -1, None))
    assert runs_of("verify", "v", (stages, 0)) == (("v", "one", ("a",), ("X=1",)), ("v", "two", ("b",), ()))
