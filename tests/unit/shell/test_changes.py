"""Links, folders and moves of a line are seen by its later commands, on a disk that is as it was before."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.effects.analysis import analysis_of
from policy_engine.filesystem.file_system import Disk
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("work/build/sub", "work/src", "work/links", "other/sub"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "work/out").symlink_to(tmp_path / "other")
    (tmp_path / "work/links/out").symlink_to(tmp_path / "other")
    (tmp_path / "work/in").symlink_to("src")
    return tmp_path


def touched(line: str, root: Path) -> list[str]:
    """What the last command of the line writes or deletes, below the root; `?` for what is not known."""
    commands = parse(line.replace("ROOT", str(root)), str(root / "work"), Disk(str(root / "work"), str(root)))
    found = []
    for path in analysis_of(commands[-1]).paths:
        try:
            found.append(path.real.removeprefix(str(root) + "/"))
        except Undecided:
            found.append("?")
    return found


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ln -s ROOT/other lnk && rm -rf lnk/", "other"),
        ("ln -s ROOT/other lnk; rm -rf lnk/sub", "other/sub"),
        ("ln -s ../other lnk && rm -rf lnk/sub", "other/sub"),
        ("ln -s ROOT/other && rm -rf other/sub", "other/sub"),
        ("ln -s ROOT/other lnk && rm -rf lnk", "work/lnk"),
        ("mkdir -p links/w && ln -sfn ROOT links/w/h && rm -rf links/w/h/other", "other"),
        ("mkdir -p t/w && ln -s ROOT t/w && rm -rf t/w/{}/other".replace("{}", "ROOTNAME"), "other"),
        ("mv build b.old && ln -s ../other build && rm -rf build/sub", "other/sub"),
        ("mv build b.old; ln -s ../other build; rm -rf build/sub", "other/sub"),
        ("ln -s .. up && echo x > up/f", "f"),
        ("ln -s .. up && cd up && rm -rf other", "other"),
        ("ln -st links ROOT/other && rm -rf links/other/sub", "other/sub"),
        ("ln -s -t links -- ROOT/other && rm -rf links/other/sub", "other/sub"),
        ("ln --symbolic --force ROOT/other a && mv a b && rm -rf b/sub", "other/sub"),
        ("ln -s ROOT/other a && ln -s a b && rm -rf b/sub", "other/sub"),
        ("ln -s ROOT/other a && cp -a a b && rm -rf b/sub", "other/sub"),
        ("mv out z && rm -rf z/sub", "other/sub"),
        ("cp -a out z && rm -rf z/sub", "other/sub"),
        ("cp -rs ROOT/other z && rm -rf z/sub", "other/sub"),
        ("mv links l && rm -rf l/out/sub", "?"),
        ("mv out build/z && rm -rf build/z/sub", "?"),
        ("ln -s \"$x\" a && rm -rf a/sub", "?"),
        ("sudo ln -s ROOT/other a && rm -rf a/sub", "other/sub"),
        ("bash -c 'ln -s ROOT/other a' && rm -rf a/sub", "other/sub"),
        ("if x; then ln -s ROOT/other a; fi; rm -rf a/sub", "other/sub"),
        ("false && ln -sfn src out; rm -rf out/sub", "other/src"),
        ("false && mv out z; rm -rf out/sub", "other/sub"),
        ("ln -sfn src out && rm -rf out/sub", "?"),
        ("for i in 1 2; do ln -sfn ROOT/other a; rm -rf a/sub; done", "other/sub"),
        ("mkdir -p build/new && rm -rf build/new", "work/build/new"),
        ("mv build old && rm -rf old", "work/old"),
        ("ln -s src s && rm -rf s/a", "work/src/a"),
        ("cp a b && rm -rf b", "work/b"),
    ],
)  # fmt: skip
def test_a_change_is_seen_by_later_commands(root: Path, line: str, expected: str) -> None:
    line = line.replace("ROOTNAME", root.name)
    if expected == "other/src":  # which of both, nobody knows; what was there stays in sight
        assert set(touched(line, root)) <= {"?", "other/sub"}
    else:
        assert expected in touched(line, root)


@pytest.mark.parametrize(
    "line",
    ["ln -s ROOT/other a; rm -rf b", "mkdir x; rm -rf x/y", "mv build b; rm -rf b/sub", "cp -r src s2; rm -rf s2"],
)
def test_what_stays_in_the_workspace_is_known_to_stay(root: Path, line: str) -> None:
    assert all(one.startswith("work/") for one in touched(line, root))


def test_a_chain_of_links_that_never_ends_is_undecided(root: Path) -> None:
    assert touched("ln -s a b; ln -s b a; rm -rf a/x", root)[0] == "?"
