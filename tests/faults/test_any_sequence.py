"""Whatever is done to the files, in whatever order: one complete good set decides, and says if it is not the newest."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.bootstrap import Engine
from policy_engine.loading.loader import load
from tests.end_to_end.engines import shell
from tests.end_to_end.host import BROKEN, NO_LS, POLICY, Host

GOOD = {"no-rm": POLICY, "no-ls": NO_LS}
VERDICTS = {"no-rm": ("deny", "allow"), "no-ls": ("allow", "deny")}


def _gone(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()
    shutil.rmtree(path, ignore_errors=True)


def _write(text: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        _gone(path)
        path.write_text(text)

    return write


def _rename(text: str) -> Callable[[Path], None]:
    def rename(path: Path) -> None:
        scratch = path.parent.parent / "next"
        scratch.write_text(text)
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        scratch.rename(path)

    return rename


def _truncate(path: Path) -> None:
    if path.is_file() and path.stat().st_size:
        os.truncate(path, 0)


def _link(target: str) -> Callable[[Path], None]:
    def link(path: Path) -> None:
        _gone(path)
        path.symlink_to(target)

    return link


def _folder(path: Path) -> None:
    _gone(path)
    path.mkdir()


def _chmod(mode: int) -> Callable[[Path], None]:
    def chmod(path: Path) -> None:
        if path.is_file() and not path.is_symlink():
            path.chmod(mode)

    return chmod


ACTIONS = {
    **{f"write {name}": _write(text) for name, text in GOOD.items()},
    **{f"rename {name}": _rename(text) for name, text in GOOD.items()},
    **{f"cut {name}": _write(text[: len(text) // 2]) for name, text in GOOD.items()},
    "write a broken one": _write(BROKEN),
    "truncate": _truncate,
    "delete": _gone,
    "link to nothing": _link("nowhere"),
    "link to itself": _link("main.policy"),
    "link outside": _link("/etc/hostname"),
    "link to a device": _link("/dev/zero"),
    "make it a folder": _folder,
    "let all write it": _chmod(0o666),
    "let nobody else": _chmod(0o600),
}
SEQUENCES = st.lists(st.sampled_from(sorted(ACTIONS)), min_size=1, max_size=8)


def _good_now(folder: Path) -> str:
    """The rule of the set on disk, "" if it does not load or its file was emptied."""
    loaded = load([folder])
    text = (folder / "main.policy").read_text() if loaded.program is not None else ""
    return next((name for name, good in GOOD.items() if good == text), "")


@pytest.mark.fault(99, 103)
@pytest.mark.requirement("R7", "R8")
@settings(max_examples=25, deadline=None)
@given(SEQUENCES)
def test_a_resident_engine_decides_by_one_good_set(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    folder = tmp_path_factory.mktemp("sequence") / ".policy"
    folder.mkdir()
    path = folder / "main.policy"
    path.write_text(POLICY)
    engine = Engine.load(folder, log=False)
    active, digests = "no-rm", {"no-rm": engine.program.digest}
    for name in names:
        ACTIONS[name](path)
        engine.reload()
        engine.adopt()  # in one session the rules before would go on
        now = _good_now(folder)
        active = now or active
        asked = [engine.decide(shell(command)) for command in ("rm a", "ls")]
        assert tuple(decision.verdict for decision in asked) == VERDICTS[active], (name, names)
        for decision in asked:
            assert decision.policy == digests.setdefault(active, decision.policy)
            assert bool(decision.errors) is not bool(now)
            assert not decision.errors or decision.policy in decision.errors[0]


@pytest.mark.fault(56, 99, 103)
@pytest.mark.requirement("R7", "R8")
@settings(max_examples=3, deadline=None)
@given(SEQUENCES)
def test_hook_processes_decide_by_one_good_set(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    host = Host(tmp_path_factory.mktemp("sequence"))
    path, active = host.write_policy(POLICY), "no-rm"
    assert host.call(host.shell("ls")).verdict == "allow"
    for number, name in enumerate(names):
        ACTIONS[name](path)
        session = {"session_id": f"s-{number}"}  # in one session the rules before would go on
        asked = [host.call({**host.shell(command), **session}) for command in ("rm a", "ls")]
        now = _good_now(path.parent)
        active = now or active
        assert tuple(done.verdict for done in asked) == VERDICTS[active], (name, names, asked)
        assert all(("stays in force" in done.err) is not bool(now) for done in asked)
