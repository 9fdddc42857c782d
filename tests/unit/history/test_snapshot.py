"""Two looks at a folder → what was written and deleted between them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from policy_engine.history import snapshot
from policy_engine.history.snapshot import Snapshot, changes, taken, update
from policy_engine.history.watch import Watch, watched
from policy_engine.model.undecided import Undecided


def watch(*globs: str, noise: tuple[str, ...] | None = None) -> Watch:
    spec = ("key", "latest", (("wrote", (globs, ()), ()),), ())
    parts = watched([spec], None if noise is None else (noise, ()))
    assert parts is not None
    return Watch(parts)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("src/a.py", "src/deep/b.py", "docs/c.md", "top.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("old")
    return tmp_path


def difference(root: Path, seen: Watch, before: Snapshot) -> list[tuple[str, str]]:
    return changes(before, taken(str(root), seen, before), str(root), seen)


def test_what_is_new_changed_and_gone_is_found(root: Path) -> None:
    seen = watch("**")
    before = taken(str(root), seen, None)
    assert difference(root, seen, before) == []
    (root / "src/a.py").write_text("new")
    (root / "src/deep/b.py").unlink()
    (root / "new/folder").mkdir(parents=True)
    (root / "new/folder/d").touch()
    (root / "docs").rename(root / "pages")
    assert difference(root, seen, before) == [
        ("deleted", "docs/c.md"), ("wrote", "new/folder/d"), ("wrote", "pages/c.md"), ("wrote", "src/a.py"),
        ("deleted", "src/deep/b.py"),
    ]  # fmt: skip


def test_the_time_of_a_file_cannot_be_set_back(root: Path) -> None:
    seen, path = watch("src/**"), root / "src/a.py"
    before, status = taken(str(root), seen, None), path.stat()
    path.write_text("new")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert difference(root, seen, before) == [("wrote", "src/a.py")]


def test_reading_changes_nothing(root: Path) -> None:
    seen = watch("**")
    before = taken(str(root), seen, None)
    (root / "src/a.py").read_text()
    assert difference(root, seen, before) == []


def test_only_what_a_glob_could_match_is_looked_at(root: Path) -> None:
    seen = watch("src/**/*.py", "docs/*.md")
    assert (seen.roots, seen.suffixes) == (("docs", "src"), (".md", ".py"))
    looked = taken(str(root), seen, None).folders
    assert {folder: list(files) for folder, files in looked.items()} == {
        "src": ["a.py"],
        "src/deep": ["b.py"],
        "docs": ["c.md"],
    }
    assert watch("src/**", "src/deep/*.py").roots == ("src",)
    assert watch("a/**/{x,y}.ts", "a/**/Makefile").suffixes == ("Makefile", "x.ts", "y.ts")
    assert watch("src/**", "**/*.py").suffixes == ()


def test_nothing_is_looked_at_if_no_rule_asks_for_writes() -> None:
    assert watched([("key", "latest", (("read", (("src/**",), ()), ()),), ())]) is None
    assert watched([("key", "latest", (("wrote", (("/etc/**",), ()), ()),), ())]) is None
    count = ("key", "count", (("ran", ((("x",),), (), None), ()),), (0, 0, (("deleted", (("a",), ()), ()),)))
    found = [watched([count]), watched([("key", "changed", (), ((("b/**",), ()),))]), watched([])]
    assert [parts and (parts[0], parts[2]) for parts in found] == [((), ("a",)), (("b",), ()), None]


def test_what_git_ignores_is_left_out_unless_a_glob_names_it(root: Path) -> None:
    (root / ".git/info").mkdir(parents=True)
    (root / ".git/info/exclude").write_text("*.swp\n")
    (root / ".gitignore").write_text("build/\n*.log\n!kept.log\n")
    (root / "src/.gitignore").write_text("/generated\n")
    seen = watch("**", "build/app.js")
    before = taken(str(root), seen, None)
    for name in ("build/app.js", "build/b.js", "x.log", "kept.log", "src/generated/y", "src/deep/generated", ".x.swp",
                 ".git/index"):  # fmt: skip
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("new")
    found = [path for _, path in difference(root, seen, before)]
    assert found == ["build/app.js", "kept.log", "src/deep/generated"]


def test_what_was_seen_before_cannot_be_hidden_by_an_ignore_file(root: Path) -> None:
    (root / ".git").mkdir()
    seen = watch("**")
    before = taken(str(root), seen, None)
    (root / ".gitignore").write_text("src/\n")
    (root / "src/a.py").write_text("new")
    assert difference(root, seen, before) == [("wrote", ".gitignore"), ("wrote", "src/a.py")]


def test_a_folder_that_is_no_longer_ignored_is_new(root: Path) -> None:
    (root / ".git").mkdir()
    (root / ".gitignore").write_text("src/\n")
    seen = watch("**/*.py")
    before = taken(str(root), seen, None)
    assert before.pruned == {"src", ".git"} and "src" not in before.folders
    (root / ".gitignore").write_text("")
    assert ("wrote", "src/a.py") in difference(root, seen, before)


def test_without_git_only_caches_are_left_out(root: Path) -> None:
    seen = watch("**")
    before = taken(str(root), seen, None)
    for name in ("src/__pycache__/a.pyc", ".pytest_cache/x", "build/app.js", "vendor/v.go"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("new")
    assert difference(root, seen, before) == [("wrote", "build/app.js"), ("wrote", "vendor/v.go")]


def test_noise_of_the_policy_replaces_the_usual_one(root: Path) -> None:
    seen = watch("**", noise=("**/vendor/**",))
    before = taken(str(root), seen, None)
    for name in ("src/__pycache__/a.pyc", "src/vendor/v.go"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("new")
    assert difference(root, seen, before) == [("wrote", "src/__pycache__/a.pyc")]


def test_what_a_tool_reported_is_not_found_again(root: Path) -> None:
    seen = watch("src/**")
    before = taken(str(root), seen, None)
    (root / "src/a.py").write_text("new")
    (root / "src/deep/b.py").unlink()
    assert update(before, str(root), seen, f"{root}/src/a.py")
    assert update(before, str(root), seen, f"{root}/src/deep/b.py")
    assert not update(before, str(root), seen, f"{root}/docs/c.md")
    assert difference(root, seen, before) == []


def test_a_link_is_a_file_of_its_own_and_what_lies_behind_it_lies_there(root: Path) -> None:
    seen = watch("**")
    (root / "link").symlink_to("src")
    before = taken(str(root), seen, None)
    (root / "link").unlink()
    (root / "link").symlink_to("docs")
    wrote = [("wrote", name) for name in ("link", "link/c.md", "link/deep/b.py")]  # that is another folder now, or none
    assert difference(root, seen, before) == [wrote[0], ("deleted", "link/a.py"), *wrote[1:]]


def test_names_of_any_bytes_are_kept_apart(root: Path) -> None:
    seen = watch("**")
    before = taken(str(root), seen, None)
    with open(os.fsencode(root) + b"/\xff\xfe", "wb"):
        pass
    assert difference(root, seen, before) == [("wrote", "\udcff\udcfe")]


def test_too_many_files_and_an_unreadable_ignore_file_are_undecided(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(snapshot, "SNAPSHOT_FILES", 3)
        with pytest.raises(Undecided, match="SNAPSHOT_FILES"):
            taken(str(root), watch("**"), None)
    (root / ".git").mkdir()
    (root / ".gitignore").mkdir()
    with pytest.raises(Undecided):
        taken(str(root), watch("**"), None)


def test_a_snapshot_survives_being_kept(root: Path) -> None:
    import marshal

    before = taken(str(root), watch("**"), None)
    again = Snapshot.restored(marshal.loads(marshal.dumps(before.state())))
    assert again.state() == before.state()


def test_a_file_that_vanishes_while_its_folder_is_read_hides_no_other(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when an editor renames its temporary file: between the listing and the look at one name, that name goes."""
    for number in range(20):
        (root / f"src/{number}.tmp").touch()
        (root / f"src/below{number}").mkdir()
        (root / f"src/below{number}/a.py").touch()
    seen = watch("**")
    before = taken(str(root), seen, None)
    decoded = snapshot.decoded

    def slow(name: bytes) -> str:
        if name.endswith(b".tmp"):
            os.unlink(os.fsencode(root) + b"/src/" + name)
        return decoded(name)

    with monkeypatch.context() as patch:
        patch.setattr(snapshot, "decoded", slow)
        now = taken(str(root), seen, before)
    gone = sorted(("deleted", f"src/{number}.tmp") for number in range(20))
    assert changes(before, now, str(root), seen) == gone
    assert difference(root, seen, now) == []


def test_many_files_that_a_later_rule_ignores_end_the_look_at_them_alone(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "_DOUBTED_FILES", 3)
    seen = watch("**/*.py")
    (root / ".git").mkdir()
    before = taken(str(root), seen, None)
    (root / ".gitignore").write_text("data/\n")
    for number in range(9):
        path = root / f"data/{number}/x.py"
        path.parent.mkdir(parents=True)
        path.touch()
    (root / "src/new.py").touch()
    found = [path for _, path in difference(root, seen, before)]
    assert "src/new.py" in found and 3 <= len(found) < 9
