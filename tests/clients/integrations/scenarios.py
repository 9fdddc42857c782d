"""What every integration must do, as tests: a framework's file subclasses `Scenarios` and says how a script is played.

What ran is proved by the files on disk; what was told, by what the scripted model read.
"""

from __future__ import annotations

import json
import posix
from pathlib import Path
from typing import Any

import pytest

from policy_engine import Engine
from policy_engine.audit.check import check_log
from policy_engine.audit.log import log_path
from tests.clients.integrations.play import POLICY, Played, Script, Tools, delegate, run, save, show

SECRET = "the word is swordfish"


class Broken:
    """An engine that does not work."""

    def decide(self, event: dict[str, Any]) -> Any:
        """Fail, as no engine should."""
        raise OSError("the engine is gone")


class BrokenAtTools(Broken):
    """An engine that fails once a tool is called."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def decide(self, event: dict[str, Any]) -> Any:
        """The decision, except about tools."""
        return super().decide(event) if "tool" in event else self.engine.decide(event)


class Scenarios:
    """The tests; `play` runs a script, `sub` being that of the sub-agent that `delegate` calls."""

    starts = True  # whether the beginning of a sub-agent is an event that can be refused

    def play(self, engine: Any, tools: Tools, script: Script, sub: Script, **options: Any) -> Played:
        """Play a script; the options are those of the integration."""
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def place(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A home and a workspace of their own, with a policy."""
        home, self.folder = tmp_path / "home", tmp_path / "work"
        for folder in (home, self.folder / ".policy", self.folder / "closed"):
            folder.mkdir(parents=True)
        (self.folder / ".policy" / "main.policy").write_text(POLICY, "utf-8")
        (self.folder / "closed" / "a.txt").write_text(SECRET, "utf-8")
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setitem(posix.environ, b"HOME", str(home).encode())
        for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            monkeypatch.delenv(name, raising=False)
            monkeypatch.delitem(posix.environ, name.encode(), raising=False)

    def played(self, *script: Any, sub: Script | None = None, engine: Any = None, **options: Any) -> Played:
        """The script, played with the engine of the workspace."""
        engine = engine or Engine.at(self.folder)
        return self.play(engine, Tools(self.folder), list(script), sub or ["done"], **options)

    def made(self, path: str) -> bool:
        """Whether a file or folder is there."""
        return (self.folder / path).exists()

    def test_an_allowed_call_runs_and_the_answer_arrives(self) -> None:
        played = self.played(run("echo hello > made.txt"), "all done")
        assert self.made("made.txt") and played.answer == "all done" and not played.stopped

    def test_a_denied_shell_command_does_not_run_and_says_why(self) -> None:
        played = self.played(run("touch ran.txt"), "all done")
        assert not self.made("ran.txt") and played.heard("no-touch") and played.heard("Use `save`")

    def test_every_decision_is_in_the_log_as_a_hook_leaves_it(self) -> None:
        engine = Engine.at(self.folder)
        self.played(run("touch ran.txt"), save("open.txt"), "all done", engine=engine)
        engine.close()  # what was not refused is written a moment later
        checked = check_log([log_path()])
        found = [json.loads(line) for line in Path(log_path()).read_bytes().splitlines()]
        assert (checked.records, checked.findings, checked.unknown) == (len(found), [], [])
        told = [(one["hook"], one["verdict"]) for one in found if one["hook"].endswith("_tool")]
        assert told[0] == ("before_tool", "deny") and ("after_tool", "remind") in told
        assert {one["host"] for one in found} == {found[0]["input"]["host"]["name"]}

    def test_a_denied_write_is_not_made(self) -> None:
        played = self.played(save("closed/b.txt"), save("open.txt"), "all done")
        assert not self.made("closed/b.txt") and self.made("open.txt") and played.heard("closed-folder")

    def test_a_denied_read_tells_nothing(self) -> None:
        played = self.played(show("closed/a.txt"), "all done")
        assert not played.heard("swordfish") and played.heard("closed-folder")

    def test_finishing_too_early_is_forced_on_and_then_accepted(self) -> None:
        played = self.played(save("src/a.py"), "done already", run("test -f src/a.py"), "now it is done")
        assert played.heard("Run `test -f src/a.py`") and played.answer == "now it is done" and not played.stopped

    def test_an_agent_that_never_does_it_is_stopped(self) -> None:
        played = self.played(save("src/a.py"), *["done already"] * 20)
        assert "A person takes over" in played.stopped and not played.answer
        assert sum("Run `test" in text for text in set(played.told)) >= 1

    def test_a_call_of_a_sub_agent_is_denied(self) -> None:
        played = self.played(delegate(), "all done", sub=[run("touch ran.txt"), "sub done"])
        assert not self.made("ran.txt") and played.heard("no-touch") and played.answer == "all done"

    def test_a_call_of_a_sub_agent_is_allowed(self) -> None:
        played = self.played(delegate(), "all done", sub=[run("echo x > made.txt"), "sub done"])
        assert self.made("made.txt") and played.answer == "all done"

    def test_a_sub_agent_that_may_not_begin_is_an_error_for_its_caller(self) -> None:
        if not self.starts:
            pytest.skip("this framework does not tell of a sub-agent's beginning while it can be refused")
        played = self.played(delegate("what is closed"), "all done", sub=["sub done"])
        assert played.heard("Do it yourself") and played.answer == "all done"

    def test_the_policy_cannot_be_edited(self) -> None:
        path = ".policy/main.policy"
        settings = [save(".mcp.json", "{}"), save(".claude/settings.json", "{}"), run("echo {} > .mcp.json")]
        played = self.played(save(path, ""), run(f"echo > {path}"), run("rm -r .policy"), *settings, "all done")
        assert (self.folder / path).read_text("utf-8") == POLICY and played.answer == "all done"
        assert not self.made(".mcp.json") and not self.made(".claude/settings.json")

    def test_reminders_reach_the_model(self) -> None:
        assert self.played(save("open.txt"), "all done").heard("Read what you wrote")

    def test_what_asks_is_denied_where_nobody_answers(self) -> None:
        played = self.played(run("mkdir made"), "all done")
        assert not self.made("made") and played.heard("May `mkdir made` make a folder?")

    def test_what_a_person_approves_runs(self) -> None:
        played = self.played(run("mkdir made"), "all done", interactive=True, approve=True)
        assert self.made("made") and played.answer == "all done"

    def test_what_a_person_refuses_does_not_run(self) -> None:
        self.played(run("mkdir made"), "all done", interactive=True, approve=False)
        assert not self.made("made")

    def test_a_broken_engine_lets_nothing_run(self) -> None:
        played = self.played(run("echo x > made.txt"), "all done", engine=Broken())
        assert not self.made("made.txt") and played.answer == "" and played.told == []

    def test_an_engine_that_breaks_at_a_tool_lets_it_not_run(self) -> None:
        engine = BrokenAtTools(Engine.at(self.folder))
        played = self.played(run("echo x > made.txt"), "all done", engine=engine)
        assert not self.made("made.txt") and played.heard("E-INTERNAL")
