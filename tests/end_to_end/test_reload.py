"""A policy that changes under a running engine: the next event sees it, or the last good one stays (faults F)."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.loading.loader import Loaded, load
from policy_engine.model.errors import PolicyLoadError
from tests.end_to_end.engines import shell, verdict
from tests.end_to_end.host import BROKEN, NO_LS, POLICY, STATEFUL


def test_a_changed_file_takes_effect(engine: Engine, folder: Path) -> None:
    assert (verdict(engine, "rm a"), verdict(engine, "ls")) == ("deny", "allow")
    (folder / "main.policy").write_text(NO_LS)
    assert engine.reload()
    assert (verdict(engine, "rm a"), verdict(engine, "ls")) == ("deny", "deny"), "a session keeps what it began with"
    assert engine.decide(shell("rm a", session="another")).verdict == "allow"
    engine.adopt("s")
    assert (verdict(engine, "rm a"), verdict(engine, "ls")) == ("allow", "deny")
    assert not engine.reload()


def test_a_change_is_said_once_in_each_session(engine: Engine, folder: Path) -> None:
    assert verdict(engine, "ls") == "allow"
    (folder / "main.policy").write_text(POLICY.replace("no-rm", "no-cp").replace('"rm"', '"cp"'))
    engine.reload()
    first, second = engine.decide(shell("ls")), engine.decide(shell("ls"))
    assert (first.verdict, second.verdict) == ("warn", "allow")
    assert "1 rule fewer (no-rm), 1 rule new (no-cp)" in first.rules[0].message
    kept = engine.decide(shell("rm a"))
    assert [one.rule for one in kept.rules] == ["retained/no-rm"] and "began with this rule" in kept.rules[0].message
    engine.adopt()
    assert verdict(engine, "rm a") == "allow"


@pytest.mark.fault(100)
@pytest.mark.requirement("R8")
def test_a_set_that_did_not_change_stays_the_same_object(engine: Engine, folder: Path) -> None:
    before = engine.program
    os.utime(folder / "main.policy", ns=(1, 1))
    assert not engine.reload()
    assert engine.program is before


@pytest.mark.fault(57, 103)
@pytest.mark.requirement("R7", "R8")
def test_a_broken_file_keeps_the_last_good_one_and_every_decision_says_so(engine: Engine, folder: Path) -> None:
    good = engine.program
    (folder / "main.policy").write_text(BROKEN)
    for _ in range(2):
        assert not engine.reload()
        for command, expected in (("rm a", "deny"), ("ls", "allow")):
            decision = engine.decide(shell(command))
            assert (decision.verdict, decision.policy) == (expected, good.digest)
            assert decision.errors[0].endswith(f"{good.digest} stays in force")
            assert "main.policy:4:6: error[" in decision.errors[1]
    (folder / "main.policy").write_text(POLICY)
    engine.reload()
    assert engine.decide(shell("rm a")).errors == ()
    assert engine.program.digest == good.digest


@pytest.mark.fault(57)
@pytest.mark.requirement("R7")
def test_one_broken_file_keeps_the_whole_set(engine: Engine, folder: Path) -> None:
    (folder / "second.policy").write_text(NO_LS)
    (folder / "third.policy").write_text(BROKEN)
    assert not engine.reload()
    assert verdict(engine, "ls") == "allow"
    (folder / "third.policy").unlink()
    assert engine.reload()
    assert (verdict(engine, "ls"), engine.decide(shell("ls")).errors) == ("deny", ())


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _gone(path: Path) -> None:
    path.unlink()


def _all_gone(path: Path) -> None:
    shutil.rmtree(path.parent)


def _device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def _dangling(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def _loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _binary(path: Path) -> None:
    path.write_bytes(b"\xff\x00" * 100)


def _half(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


@pytest.mark.fault(56, 99)
@pytest.mark.requirement("R7")
@pytest.mark.parametrize("damage", [_fifo, _folder, _gone, _all_gone, _device, _dangling, _loop, _binary, _half])
def test_whatever_becomes_of_the_file_the_last_good_one_stays(
    engine: Engine, folder: Path, damage: Callable[[Path], None]
) -> None:
    path = folder / "main.policy"
    damage(path)
    assert not engine.reload()
    assert (verdict(engine, "rm a"), len(engine.decide(shell("ls")).errors) >= 2) == ("deny", True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path.write_text(NO_LS)
    assert engine.reload()
    assert (verdict(engine, "ls"), engine.decide(shell("ls")).errors) == ("deny", ())


def test_an_empty_file_is_a_set_without_rules(engine: Engine, folder: Path) -> None:
    """Not the same as a missing one: somebody wrote it."""
    _empty(folder / "main.policy")
    engine.reload()
    assert (verdict(engine, "rm a") == "allow") == (engine.decide(shell("ls")).errors == ())


@pytest.mark.fault(95)
def test_an_editor_that_replaces_the_file_is_followed(engine: Engine, folder: Path) -> None:
    scratch = folder / ".main.policy.swp"
    scratch.write_text(NO_LS)
    assert not engine.reload()
    scratch.rename(folder / "main.policy")
    assert engine.reload()
    assert verdict(engine, "ls") == "deny"


@pytest.mark.fault(101)
@pytest.mark.requirement("R7")
def test_a_folder_that_is_swapped_by_a_link_is_followed(tmp_path: Path, folder: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "main.policy").write_text(NO_LS)
    link = tmp_path / "link"
    link.symlink_to(folder)
    engine = Engine.load(link, log=False)
    fresh = tmp_path / "fresh"
    fresh.symlink_to(other)
    fresh.rename(link)
    assert engine.reload()
    assert (verdict(engine, "rm a"), verdict(engine, "ls")) == ("allow", "deny")


@pytest.mark.fault(100)
@pytest.mark.requirement("R8")
def test_a_change_that_keeps_size_and_mtime_is_seen(engine: Engine, folder: Path) -> None:
    path = folder / "main.policy"
    before = path.stat()
    changed = POLICY.replace('"rm"', '"ls"')
    assert len(changed) == len(POLICY)
    path.write_text(changed)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert engine.reload()
    assert verdict(engine, "ls") == "deny"


def test_the_past_survives_a_reload(tmp_path: Path) -> None:
    path = tmp_path / "main.policy"
    path.write_text(STATEFUL)
    engine = Engine.load(path, log=False)
    base = {"session": "s", "cwd": "/workspace", "workspace": "/workspace"}
    tool = {"name": "Write", "kind": "write", "args": {"file_path": "/workspace/src/a.py", "content": "x"}}
    result = {"ok": True, "text": "", "status": "completed"}
    engine.decide({**base, "hook": "after_tool", "id": "1", "tool": tool, "result": result})
    path.write_text(STATEFUL.replace("Run the tests.", "Run pytest."))
    assert engine.reload()
    decision = engine.decide({**base, "hook": "before_completion", "answer": "done"})
    assert (decision.verdict, decision.rules[0].message) == ("deny", "Run pytest.")


@pytest.mark.requirement("R7")
def test_a_fault_of_the_loader_keeps_the_last_good_one(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError("no room")

    (folder / "main.policy").write_text(NO_LS)
    with monkeypatch.context() as patch:
        patch.setattr("policy_engine.loading.debounce.load", fail)
        assert not engine.reload()
        assert "MemoryError: no room" in engine.decide(shell("rm a")).errors[1]
    assert verdict(engine, "rm a") == "deny"
    assert engine.reload()
    assert (verdict(engine, "ls"), engine.decide(shell("ls")).errors) == ("deny", ())


def test_many_small_changes_end_where_a_fresh_start_does(folder: Path) -> None:
    """What is kept from load to load must never show."""
    chance = random.Random(7)
    names = ("rm", "ls", "cp", "mv", "git")
    rules = {name: POLICY.replace("no-rm", f"no-{name}").replace('"rm"', f'"{name}"') for name in names}
    rules = {name: text.replace("rm a", f"{name} a").replace('"ls" ', '"pwd" ') for name, text in rules.items()}
    engine = Engine.load(folder, log=False)
    for _ in range(25):
        path = folder / f"{chance.choice('abc')}.policy"
        choice = chance.randrange(4)
        if choice == 0:
            path.unlink(missing_ok=True)
        elif choice == 1:
            path.write_text(BROKEN)
        else:
            path.write_text(rules[chance.choice(names)])
        engine.reload()
        try:
            fresh = Engine.load(folder, log=False)
        except PolicyLoadError:
            assert engine.decide(shell("ls")).errors
            continue
        engine.adopt()
        for name in names:
            expected, found = fresh.decide(shell(name)), engine.decide(shell(name))
            assert json.dumps(found.to_dict()) == json.dumps(expected.to_dict())


@pytest.mark.fault(58)
@pytest.mark.requirement("R7")
@pytest.mark.parametrize("first", ["emptied", "cut off", "deleted"])
def test_a_change_in_two_steps_is_taken_as_one(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    """An editor that truncates and then writes must not leave a moment without rules."""
    path = folder / "main.policy"
    (folder / "other.policy").write_text(NO_LS)
    engine.reload()
    looks = []

    def load_between(*given: Any, **options: Any) -> Loaded:
        if not looks:
            _first_step(path, first)
        found = load(*given, **options)
        looks.append(found.program)
        path.write_text(POLICY.replace('"rm"', '"mv"'))
        return found

    monkeypatch.setattr("policy_engine.loading.debounce.load", load_between)
    monkeypatch.setattr("policy_engine.loading.debounce.RACY_NS", 10**13)  # on however slow a machine
    monkeypatch.setattr("policy_engine.loading.debounce.time.sleep", lambda _: None)
    assert engine.reload()
    assert (looks[0] is not None, verdict(engine, "mv a")) == (True, "deny")


def _first_step(path: Path, what: str) -> None:
    if what == "deleted":
        path.unlink()
    else:
        path.write_text("" if what == "emptied" else "language 1\n")
