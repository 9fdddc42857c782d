"""What shell commands leave behind in a real folder is part of the history, whoever they are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from policy_engine import Engine
from policy_engine.history import snapshot

POLICY = """language 1
define source = glob("src/**")
rule tested "Tests pass after the last change" {
  on before_completion
  when wrote(source)
  require command_success(command("pytest")) since wrote(source)
  deny "{last(wrote(source)).path} changed. Run the tests."
}
rule kept "Nothing below docs is deleted" {
  on before_completion
  when deleted(glob("docs/**"))
  deny "A page is gone. Put it back."
}
"""


class Play:
    """One session in a real folder."""

    def __init__(self, root: Path, state: Path | None) -> None:
        self.root = root
        (root / "src").mkdir()
        (root / "docs").mkdir()
        (root / "src/a.py").write_text("old")
        (root / "docs/b.md").write_text("old")
        self._text, self._state, self._number = root.parent / "rules.policy", state, 0
        self._text.write_text(POLICY)
        self.open()

    def open(self) -> None:
        self.engine = Engine.load(self._text, state=self._state, log=False)

    def tell(self, hook: str, **more: Any) -> str:
        self._number += 1
        event = {"hook": hook, "session": "s", "id": f"e{self._number}", "workspace": str(self.root),
                 "cwd": str(self.root), "agent": {"kind": "main", "name": "main"}, **more}  # fmt: skip
        decision = self.engine.decide(event)
        assert decision.errors == ()
        self.spoke = {result.rule: result.outcome for result in decision.rules}
        return decision.verdict

    def shell(self, command: str, **result: Any) -> None:
        tool = {"name": "Bash", "kind": "shell", "args": {"command": command}}
        self.tell("after_tool", tool=tool, result={"exit_code": 0, **result})

    def finish(self) -> str:
        return self.tell("before_completion", answer="done")


@pytest.fixture(params=["memory", "stored"])
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    (tmp_path / "work").mkdir()
    made = Play(tmp_path / "work", tmp_path / "state.db" if request.param == "stored" else None)
    made.tell("session_start")
    return made


def test_a_write_that_no_model_of_a_command_knows_is_seen(play: Play) -> None:
    assert play.finish() == "allow"
    (play.root / "src/a.py").write_text("new")
    play.shell("./generate --all")
    assert play.finish() == "deny"
    play.shell("pytest")
    assert play.finish() == "allow"


@pytest.mark.parametrize(
    "line", ["sed -i s/x/y/ src/a.py", "touch src/a.py", "printf old > src/a.py", "rm -f docs/c.md"]
)
def test_a_command_that_could_write_and_did_not_is_no_write(play: Play, line: str) -> None:
    play.shell(line)
    assert (play.finish(), play.spoke) == ("allow", {})


@pytest.mark.parametrize("line", ["make", "touch src/a.py"])
def test_a_change_that_is_found_counts_once(play: Play, line: str) -> None:
    rule = 'rule twice "t" { on after_tool on prompt when count(wrote(source)) >= 2 warn }'
    play.engine = Engine.from_text(POLICY + rule)
    play.tell("session_start")
    found = []
    for text in ("new", "newer"):
        (play.root / "src/a.py").write_text(text)
        play.shell(line)
        found.append("twice" in play.spoke)
    assert found == [False, True]


def test_what_a_command_may_have_written_is_settled_by_looking(play: Play) -> None:
    play.shell("$TOOL --fix")
    assert (play.finish(), play.spoke) == ("allow", {})


def test_a_write_that_no_snapshot_can_see_stays_possible(play: Play) -> None:
    rule = 'rule home "t" { on before_completion when deleted(glob("/etc/**")) deny "Put it back." }'
    play.engine = Engine.from_text(POLICY + rule)
    play.tell("session_start")
    play.shell("rm -f $TARGET")
    assert (play.finish(), play.spoke["home"]) == ("deny", "undecided")


def test_what_the_test_run_itself_wrote_is_later_than_its_success(play: Play) -> None:
    (play.root / "src/a.py").write_text("new")
    play.shell("pytest")
    assert play.finish() == "deny"


def test_an_edit_before_a_test_run_stays_before_it(play: Play) -> None:
    path = play.root / "src/a.py"
    path.write_text("new")
    args = {"file_path": str(path), "old_string": "old", "new_string": "new"}
    play.tell("after_tool", tool={"name": "Edit", "kind": "edit", "args": args}, result={"ok": True})
    assert play.finish() == "deny"
    play.shell("pytest")
    assert play.finish() == "allow"


def test_changes_that_the_host_reports_are_not_found_again(play: Play) -> None:
    (play.root / "src/a.py").write_text("new")
    changed = [{"path": "src/a.py", "kind": "write"}]
    play.tell("after_tool", tool={"name": "X", "kind": "mcp", "args": {}}, result={"ok": True}, changes=changed)
    play.shell("pytest")
    assert play.finish() == "allow"


def test_a_deletion_is_seen_whatever_made_it(play: Play) -> None:
    (play.root / "docs/b.md").unlink()
    play.tell("after_tool", tool={"name": "Task", "kind": "agent", "args": {}}, result={"ok": True})
    assert play.finish() == "deny"


def test_what_goes_on_in_the_background_is_seen_when_the_agent_wants_to_finish(play: Play) -> None:
    play.shell("./watch &", status="started")
    (play.root / "src/a.py").write_text("new")
    assert play.finish() == "deny"


def test_a_person_with_an_editor_is_earlier_than_the_prompt(play: Play) -> None:
    (play.root / "src/a.py").write_text("new")
    play.tell("prompt", prompt="go on")
    assert play.finish() == "deny"
    play.shell("pytest")
    assert play.finish() == "allow"


def test_a_snapshot_that_cannot_be_taken_makes_writes_possible(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "SNAPSHOT_FILES", 0)
    play.shell("true")
    assert play.finish() == "deny"
    assert play.spoke == {"tested": "undecided", "kept": "undecided"}
    monkeypatch.undo()
    play.shell("pytest")
    assert play.finish() == "allow"  # the comparison with the snapshot from before says that nothing was touched


def test_the_same_call_reported_twice_compares_once(play: Play) -> None:
    tool = {"name": "Bash", "kind": "shell", "args": {"command": "x"}, "id": "t1"}
    play.tell("after_tool", tool=tool, result={"exit_code": 0}, id="same")
    (play.root / "src/a.py").write_text("new")
    play.tell("after_tool", tool=tool, result={"exit_code": 0}, id="same")
    assert play.finish() == "deny"


def test_the_past_of_the_workspace_outlives_the_process(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    play = Play(tmp_path / "work", tmp_path / "state.db")
    play.tell("session_start")
    (play.root / "src/a.py").write_text("new")
    play.open()
    assert play.tell("session_start", source="resume") == "allow"
    assert play.finish() == "deny"


def test_files_are_not_looked_at_where_no_rule_asks_for_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []
    monkeypatch.setattr(snapshot.posix, "scandir", looked.append)
    engine = Engine.from_text(
        'language 1 rule r "R" { on before_completion require command_success(command("pytest")) deny "Test it." }'
    )
    event = {"hook": "before_completion", "session": "s", "id": "1", "workspace": str(tmp_path), "answer": "x"}
    assert engine.decide(event).verdict == "deny"
    assert looked == [] and os.listdir(tmp_path) == []


def write(play: Play, content: str, call: str, **more: Any) -> None:
    """Propose a write of `src/a.py`, do it, and report it."""
    tool = {"name": "Write", "kind": "write", "id": call, "args": {"file_path": "src/a.py", "content": content}}
    play.tell("before_tool", tool=tool)
    (play.root / "src/a.py").write_text(content)
    play.tell("after_tool", tool=tool, result={"ok": True, "status": "completed"}, **more)


@pytest.mark.parametrize("kept", [False, True])
def test_a_write_of_the_same_bytes_is_no_change(tmp_path: Path, kept: bool) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work").chmod(0o700)
    tmp_path.chmod(0o700)
    play = Play(tmp_path / "work", tmp_path / "state.db" if kept else None)
    play.tell("session_start")
    write(play, "old", "t1")
    assert play.finish() == "allow"
    write(play, "new", "t2")
    assert play.finish() == "deny"
    play.shell("pytest")
    assert play.finish() == "allow"
    write(play, "new", "t3")
    assert play.finish() == "allow"


SAME = {"old_string": "old", "new_string": "old"}
BACK = [{"old_string": "old", "new_string": "new"}, {"old_string": "new", "new_string": "old"}]


@pytest.mark.parametrize(
    ("before", "args", "after", "verdict"),
    [
        ("x old", SAME, "x old", "allow"),
        ("x old", {"old_str": "old", "new_str": "old"}, "x old", "allow"),
        ("old old", SAME, "old old", "allow"),
        ("x old", {"edits": BACK}, "x old", "allow"),
        ("x old", {"edits": [SAME, SAME]}, "x old", "allow"),
        ("", {"old_string": "", "new_string": ""}, "", "deny"),  # what an edit without texts does is not known
        ("x old", SAME, "x new", "deny"),  # it did otherwise than it says
        ("x old", {"old_string": "old", "new_string": "new"}, "x new", "deny"),
        ("x old", {"old_string": "old", "new_string": "new"}, "x old", "deny"),
        ("x old", {"old_string": "gone", "new_string": "gone"}, "x old", "deny"),
        ("x old", {"edits": [SAME, BACK[0]]}, "x new", "deny"),
        ("x old", {"edits": []}, "x old", "deny"),
        ("x old", {"edits": [SAME, 3]}, "x old", "deny"),
        ("old old", {"edits": BACK}, "old old", "deny"),  # which of the two it replaces is not known
        ("x old", {**SAME, "new_str": "new"}, "x old", "deny"),
    ],
)
def test_an_edit_that_leaves_the_same_bytes_is_no_change(
    tmp_path: Path, before: str, args: dict[str, Any], after: str, verdict: str
) -> None:
    (tmp_path / "work").mkdir()
    play = Play(tmp_path / "work", None)
    play.tell("session_start")
    write(play, before or "first", "t1")
    play.shell("pytest")
    assert play.finish() == "allow"
    tool = {"name": "Edit", "kind": "edit", "id": "t2", "args": {"file_path": "src/a.py", **args}}
    play.tell("before_tool", tool=tool)
    (play.root / "src/a.py").write_text(after or "first")
    play.tell("after_tool", tool=tool, result={"ok": True, "status": "completed"})
    assert play.finish() == verdict


def test_a_write_that_is_the_same_only_when_it_is_proposed_counts(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    play = Play(tmp_path / "work", None)
    play.tell("session_start")
    tool = {"name": "Write", "kind": "write", "id": "t", "args": {"file_path": "src/a.py", "content": "old"}}
    play.tell("before_tool", tool=tool)
    (play.root / "src/a.py").write_text("other")
    play.tell("after_tool", tool=tool, result={"ok": True, "status": "completed"})
    assert play.finish() == "deny"


@pytest.mark.parametrize(("changes", "verdict"), [([], "allow"), ([{"kind": "write", "path": "src/a.py"}], "deny")])
def test_what_the_host_says_that_a_write_changed_is_what_it_changed(
    tmp_path: Path, changes: list[dict[str, str]], verdict: str
) -> None:
    (tmp_path / "work").mkdir()
    play = Play(tmp_path / "work", None)
    play.tell("session_start")
    tool = {"name": "Write", "kind": "write", "id": "t", "args": {"file_path": "src/a.py", "content": "new"}}
    play.tell("after_tool", tool=tool, result={"ok": True, "status": "completed"}, changes=changes)
    assert play.finish() == verdict


@pytest.mark.parametrize("name", ["src/a.py", "src/new.py"])
def test_a_write_of_what_another_program_wrote_unseen_counts(tmp_path: Path, name: str) -> None:
    (tmp_path / "work").mkdir()
    play = Play(tmp_path / "work", None)
    play.tell("session_start")
    (play.root / name).write_text("hidden")  # by what runs in the background
    tool = {"name": "Write", "kind": "write", "id": "t", "args": {"file_path": name, "content": "hidden"}}
    play.tell("before_tool", tool=tool)
    play.tell("after_tool", tool=tool, result={"ok": True, "status": "completed"})
    assert play.finish() == "deny"
