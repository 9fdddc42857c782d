"""Events that are missing, and events of more paths than are entered: what is still known of a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.filesystem.file_system import Disk, Virtual
from policy_engine.filesystem.paths import PathValue
from policy_engine.history import bulk, doubt, recorder, snapshot, tables
from policy_engine.history.bulk import Bulk
from policy_engine.history.facts import Fact
from policy_engine.history.session import History
from policy_engine.history.snapshot import any_matching, matching, taken
from policy_engine.model.event import Event
from policy_engine.model.undecided import Undecided
from tests.unit.history.test_history import CH, CS, CW, SPECS, SRC, TEXTS, P, T, W, play, run, write
from tests.unit.history.test_snapshot import watch

PY = (("**/*.py",), ())


def missed(history: History, kinds: bytes) -> History:
    """The next event finds that others are missing."""
    history.namespace(tables.MISSED)["kinds"] = kinds
    play(history, hook="before_tool", tool={"name": "Bash", "kind": "shell", "args": {"command": "ls"}})
    return history


def tested() -> History:
    history = History(SPECS)
    play(history, hook="prompt", prompt="x")
    write(history)
    run(history, "pytest", ok=True, exit_code=0, status="completed")
    return history


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ({"hook": "after_tool"}, doubt.TOOL),
        ({"hook": "after_tool", "todos": []}, doubt.SAID),
        ({"hook": "prompt"}, doubt.PROMPT),
        ({"hook": "before_tool"}, doubt.OTHER),
        ({"hook": "session_start"}, doubt.START),
        ({"hook": "after_round"}, doubt.ROUND),
        ({"hook": "session_start", "goal": {"text": "x"}}, doubt.SAID),
        ({"hook": 1}, doubt.ANY),
        (None, doubt.ANY),
    ],
)
def test_what_is_known_of_a_missing_event(raw: object, kind: bytes) -> None:
    assert doubt.missed_kind(raw) == kind


def test_what_was_written_stays_known_and_what_was_proven_is_in_doubt() -> None:
    history = missed(tested(), doubt.TOOL)
    assert history.seen(W) and history.seen(P)
    with pytest.raises(Undecided, match="events of this session are missing"):
        history.since(T, W)
    with pytest.raises(Undecided):
        history.count(CW)
    run(history, "pytest", ok=True, exit_code=0, status="completed")
    assert history.since(T, W)


def test_the_reason_names_the_one_cause() -> None:
    assert "events of this session are missing" in missed(tested(), doubt.TOOL).doubt()
    assert "events of this session are missing" in History(SPECS, lost=True).doubt()
    assert "a call could not be read" in tested().doubt()


def test_a_missing_prompt_leaves_the_evidence_alone() -> None:
    history = missed(tested(), doubt.PROMPT)
    assert history.since(T, W) and history.seen(W)
    with pytest.raises(Undecided):
        history.count(CS)


@pytest.mark.parametrize("kinds", [doubt.START, doubt.ROUND, doubt.TOOL + doubt.PROMPT + doubt.OTHER])
def test_an_event_of_a_known_kind_that_said_no_todos_leaves_them_alone(kinds: bytes) -> None:
    assert "todos" not in missed(tested(), kinds).namespace("said")["unsure"]


def test_a_missing_start_leaves_the_evidence_alone() -> None:
    history = missed(tested(), doubt.START)
    assert history.since(T, W) and history.seen(W) and history.count(CW) == 1


@pytest.mark.parametrize("kinds", [b"", doubt.ANY, doubt.TOOL + doubt.ANY, b"z"])
def test_nothing_is_known_of_some_missing_events(kinds: bytes) -> None:
    history = missed(tested(), kinds)
    with pytest.raises(Undecided):
        history.since(T, W)
    with pytest.raises(Undecided):
        history.since(P, W)
    assert set(history.namespace("said")["unsure"]) >= {"todos", "goal", "steps", "modes"}


def test_a_comparison_settles_what_was_written() -> None:
    history = missed(History(SPECS), doubt.TOOL)
    with pytest.raises(Undecided):
        history.seen(W)
    doubt.settle(history)
    assert not history.seen(W) and not history.unsettled
    doubt.doubt_paths(history)
    write(history)
    doubt.doubt_paths(history)
    doubt.settle(history)
    assert history.seen(W) and history.count(CW) == 1
    assert [path.text for path in history.changed(CH)] == []  # it is not on this disk
    assert history.state["tables"]["path_floor"][0] == 0


def test_a_comparison_settles_each_atom_of_a_monitor() -> None:
    either = ("wd", "last", (SRC, ("deleted", *SRC[1:])), TEXTS)
    history = History((*SPECS, either))
    play(history, hook="prompt", prompt="x")
    doubt.doubt_paths(history)
    doubt.doubt_paths(history)
    with pytest.raises(Undecided):
        history.seen(len(SPECS))
    doubt.settle(history)
    assert not history.seen(len(SPECS))


def test_what_no_file_matches_was_not_written(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").touch()
    history = History(SPECS, lost=True)
    filesystem = Disk(str(tmp_path), str(tmp_path))
    play(history, filesystem, hook="prompt", prompt="x")  # type: ignore[arg-type]
    with pytest.raises(Undecided):
        history.seen(W)
    doubt.settle_absent(history, taken(str(tmp_path), watch("**"), None))
    assert not history.seen(W)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").touch()
    other = History(SPECS, lost=True)
    play(other, filesystem, hook="prompt", prompt="x")  # type: ignore[arg-type]
    doubt.settle_absent(other, taken(str(tmp_path), watch("**"), None))
    with pytest.raises(Undecided):
        other.seen(W)
    assert [path.text for path in other.changed(CH)] == ["src/a.py"]  # each that may have been written


def test_a_person_ends_every_doubt() -> None:
    history = missed(tested(), b"")
    doubt.accept(history.state)
    assert history.since(T, W) and history.count(CW) == 1
    assert "unsure" not in history.namespace("said") and not history.incomplete


def many(kind: str, *names: str) -> Bulk:
    event = Event.from_dict({"hook": "prompt", "session": "s", "prompt": "x"})
    facts = [Fact(kind, event) for _ in names]
    for fact, name in zip(facts, names, strict=True):
        fact.path = PathValue(name, f"/workspace/{name}")
    return Bulk(facts)


def test_of_many_paths_the_latest_that_matches_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = many("wrote", "a/b.py", "a/c.py", "a/d.js", "Makefile")
    filesystem = Virtual()
    assert found.latest(PY, filesystem).path.text == "a/c.py"  # type: ignore[union-attr]
    assert found.latest((("**/Make*",), ()), filesystem).path.text == "Makefile"  # type: ignore[union-attr]
    assert found.latest((("**/*.go",), ()), filesystem) is None
    assert found.endings() == ("", ".js", ".py") and found.folders() == ["/workspace", "/workspace/a"]
    monkeypatch.setattr(bulk, "BULK_MATCHES", 1)
    few = many("wrote", "x/b.py", "x/c.py")
    with pytest.raises(Undecided, match="BULK_MATCHES"):
        few.latest((("y/*.py",), ()), filesystem)


def test_many_folders_are_told_by_those_above_them() -> None:
    found = many("wrote", *(f"a/b{number}/c/f.py" for number in range(20)), "d/g.py")
    assert found.folders() == ["/workspace/a", "/workspace/d"]


def test_more_paths_than_are_kept_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "EVENT_PATHS", 3)
    history = History(SPECS)
    changes = [{"path": f"src/{number}.py", "kind": "write"} for number in range(5)]
    play(history, hook="prompt", prompt="x", changes=changes)
    assert history.seen(W) and history.count(CW) == 1
    assert history.state["tables"]["deep"] == [("/workspace/src", history.state["clock"], (".py",))]
    assert dict(history.state["tables"]["paths"]) == {}
    with pytest.raises(Undecided, match="policy accept"):
        history.changed(CH)
    play(history, hook="prompt", prompt="x", changes=[{**one, "kind": "delete"} for one in changes])
    with pytest.raises(Undecided):
        history.happened((history.path_at("deleted", "src/a.py"),))
    assert not tables.written(history.state["tables"], (("docs/**", "**/*.md"), ()), Virtual())


def test_files_below_a_folder_are_told_as_far_as_they_are_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("lib/a.py", "lib/b.py", "lib/c.js", "build/d.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("build/\n")
    filesystem, lib = Disk(str(tmp_path), None), str(tmp_path / "lib")
    assert sorted(path.text for path in matching(lib, PY, filesystem, 5) or ()) == ["lib/a.py", "lib/b.py"]
    assert matching(str(tmp_path / "build"), PY, filesystem, 5) == []
    assert matching("/elsewhere", PY, filesystem, 5) is None and matching(lib, PY, Virtual(), 5) is None
    assert matching(lib, PY, filesystem, 1) is None
    monkeypatch.setattr(snapshot, "WALK_ENTRIES", 2)
    assert matching(lib, PY, filesystem, 5) is None


def test_whether_any_file_of_a_snapshot_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").touch()
    (tmp_path / "b.py").touch()
    filesystem, now = Disk(str(tmp_path), None), taken(str(tmp_path), watch("**"), None)
    assert any_matching(now, PY, filesystem) and not any_matching(now, (("**/*.go",), ()), filesystem)
    monkeypatch.setattr(snapshot, "BULK_MATCHES", 1)
    with pytest.raises(Undecided, match="BULK_MATCHES"):
        any_matching(now, (("x/*.py",), ()), filesystem)
