"""A `verify` runs where the agent wants to finish, and only a pass that is later than every change counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from policy_engine import Engine
from policy_engine.model.decision import Decision
from policy_engine.runtime.external import Hooks, everybody, nobody

POLICY = """language 1
define source = glob("src/**")
verify checks "Lint and tests pass" {
  when wrote(source)
  stage lint  run ["ruff", "check"] timeout 60s
  stage tests run ["pytest", "-q"]  timeout 60s
  RETRIES
}
RULES
"""
TODOS = 'rule todos "Todos" { on before_completion require todos_converged() deny "Finish your todos." }'
PASSED: dict[str, Any] = {"outcome": "passed", "exit_code": 0}
FAILED: dict[str, Any] = {
    "outcome": "failed", "exit_code": 1, "error_class": "test_failure", "file": "tests/test_a.py", "line": 7,
    "summary": "assert 1 == 2", "raw_excerpt": "E  assert 1 == 2",
}  # fmt: skip


class Play:
    """One session in a real folder whose stages are played: `results` by stage, `ran` the stages in their order."""

    def __init__(self, root: Path, rules: str = "", retries: str = "", trusted: bool = True) -> None:
        self.root = root
        (root / "src").mkdir()
        self.results: dict[str, dict[str, Any]] = {}
        self.ran: list[str] = []
        self.meanwhile: Callable[[], object] = lambda: None
        hooks = Hooks(admit=everybody if trusted else nobody, stage=self._stage)
        self.engine = Engine.from_text(POLICY.replace("RETRIES", retries).replace("RULES", rules), hooks=hooks)
        self._number = 0
        self.tell("session_start")

    def _stage(self, stage: tuple[Any, ...], folder: str) -> dict[str, Any]:
        assert folder == str(self.root)
        self.ran.append(stage[0])
        self.meanwhile()
        return {"stage": stage[0], "command": " ".join(stage[1]), **self.results.get(stage[0], PASSED)}

    def tell(self, hook: str, **more: Any) -> Decision:
        self._number += 1
        event = {"hook": hook, "session": "s", "id": f"e{self._number}", "workspace": str(self.root), **more}
        return self.engine.decide({"cwd": str(self.root), **event})

    def write(self) -> None:
        (self.root / "src/a.py").write_text(str(self._number))
        tool = {"name": "Bash", "kind": "shell", "args": {"command": "make"}}
        self.tell("after_tool", tool=tool, result={"exit_code": 0})

    def finish(self) -> Decision:
        self.ran = []
        return self.tell("before_completion", answer="done")


def test_stages_run_in_their_order_only_if_the_pipeline_applies(tmp_path: Path) -> None:
    play = Play(tmp_path)
    assert (play.finish().verdict, play.ran) == ("allow", [])
    play.write()
    assert (play.finish().verdict, play.ran) == ("allow", ["lint", "tests"])


def test_a_pass_is_fresh_until_something_changes(tmp_path: Path) -> None:
    play = Play(tmp_path)
    play.write()
    play.finish()
    assert (play.finish().verdict, play.ran) == ("allow", [])
    (tmp_path / "README.md").touch()  # not source, but what the stages look at is not known
    assert (play.finish().verdict, play.ran) == ("allow", ["lint", "tests"])


def test_a_failing_stage_refuses_says_what_failed_and_ends_the_run(tmp_path: Path) -> None:
    play = Play(tmp_path)
    play.write()
    play.results["lint"] = {**FAILED, "error_class": "lint"}
    decision = play.finish()
    assert (decision.verdict, play.ran) == ("deny", ["lint"])
    result = decision.rules[0]
    assert (result.rule, result.outcome) == ("checks", "violated")
    assert result.message == (
        "The stage `lint` (`ruff check`) failed: tests/test_a.py:7: assert 1 == 2. Repair it and finish again."
    )
    assert result.because[0][1] == {
        "command": "ruff check", "exit_code": 1, "error_class": "lint", "file": "tests/test_a.py", "line": 7,
        "summary": "assert 1 == 2",
    }  # fmt: skip
    play.results.clear()
    assert (play.finish().verdict, play.ran) == ("allow", ["lint", "tests"])


def test_rules_come_first(tmp_path: Path) -> None:
    play = Play(tmp_path, TODOS)
    play.write()
    play.tell("after_round", todos=[{"id": "1", "title": "x", "status": "pending"}])
    assert (play.finish().verdict, play.ran) == ("deny", [])


@pytest.mark.parametrize("outcome", ["failed", "timed_out", "not_started"])
def test_after_its_retries_a_person_takes_over_and_the_todo_is_blocked(tmp_path: Path, outcome: str) -> None:
    play = Play(tmp_path, retries="retries 1 then stop verification_failed {m}".format(m='"No more repairs."'))
    play.write()
    play.results["tests"] = {**FAILED, "outcome": outcome}
    first = play.finish()
    unknown = outcome == "not_started"
    assert (first.verdict, first.rules[0].outcome) == ("deny", "undecided" if unknown else "violated")
    decision = play.finish()
    assert (decision.verdict, decision.stop_reason) == ("stop", "verification_failed")
    assert decision.rules[0].message.startswith("No more repairs. The stage `tests`")
    blocked = play.tell("before_completion", answer="done", id="x")
    assert blocked.verdict == "stop"


def test_the_blocked_todo_is_seen_by_rules(tmp_path: Path) -> None:
    rule = 'rule seen "t" { on before_tool when any t in todos { t.status == "blocked" } deny "{t.title}" }'
    play = Play(tmp_path, rule, "retries 0")
    play.write()
    play.results["tests"] = FAILED
    assert (decision := play.finish()).verdict == "stop" and decision.stop_reason == "retry_exhausted"
    tool = {"name": "Bash", "kind": "shell", "args": {"command": "ls"}}
    assert play.tell("before_tool", tool=tool).rules[0].message == "Lint and tests pass"


def test_a_prompt_gives_the_retries_back_and_so_does_a_pass(tmp_path: Path) -> None:
    play = Play(tmp_path, retries="retries 1")
    play.write()
    for ending in ("prompt", "pass"):
        play.results["tests"] = FAILED
        assert play.finish().verdict == "deny"
        if ending == "prompt":
            play.tell("prompt", prompt="try again")
        else:
            play.results.clear()
            assert play.finish().verdict == "allow"
            play.write()
            play.results["tests"] = FAILED
            assert play.finish().verdict == "deny"
            assert play.finish().verdict == "stop"


def test_what_is_pending_refuses_without_counting(tmp_path: Path) -> None:
    play = Play(tmp_path, retries="retries 0")
    play.write()
    play.results["tests"] = {"outcome": "pending", "exit_code": 8}
    decision = play.finish()
    assert decision.verdict == "deny" and "still pending" in decision.rules[0].message
    play.results.clear()
    assert play.finish().verdict == "allow"


def test_a_change_while_the_stages_run_is_not_verified(tmp_path: Path) -> None:
    play = Play(tmp_path)
    play.write()
    play.meanwhile = lambda: (tmp_path / "src/a.py").write_text("later")
    decision = play.finish()
    assert decision.verdict == "deny" and "Files changed while the checks ran" in decision.rules[0].message
    play.meanwhile = lambda: None
    assert (play.finish().verdict, play.ran) == ("allow", ["lint", "tests"])


def test_a_tool_that_reports_a_write_while_the_stages_run_is_later_too(tmp_path: Path) -> None:
    play = Play(tmp_path)
    play.write()
    edit = {"name": "Edit", "kind": "edit", "args": {"file_path": str(tmp_path / "src/a.py")}}
    play.meanwhile = lambda: play.tell("after_tool", tool=edit, result={"ok": True})
    assert play.finish().verdict == "deny"


def test_without_trust_nothing_runs_and_the_completion_is_undecided(tmp_path: Path) -> None:
    play = Play(tmp_path, trusted=False)
    play.write()
    decision = play.finish()
    assert (decision.verdict, decision.rules[0].outcome, play.ran) == ("deny", "undecided", [])


def test_a_cancelled_stage_is_undecided(tmp_path: Path) -> None:
    play = Play(tmp_path)
    play.write()
    play.results["lint"] = {"outcome": "cancelled"}
    assert play.finish().rules[0].outcome == "undecided"


def test_the_stages_are_facts(tmp_path: Path) -> None:
    rule = (
        'rule push "Push what was verified" { on before_tool(shell) when commands != [] '
        'require verified(tests) since wrote(source) deny "Finish first." }'
    )
    play = Play(tmp_path, rule)
    play.write()
    tool = {"name": "Bash", "kind": "shell", "args": {"command": "git push"}}
    assert play.tell("before_tool", tool=tool).verdict == "deny"
    play.finish()
    assert play.tell("before_tool", tool=tool).verdict == "allow"
    play.write()
    assert play.tell("before_tool", tool=tool).verdict == "deny"


def test_rules_hear_of_the_beginning_and_of_the_end(tmp_path: Path) -> None:
    rules = """
    rule begins "t" { on before_verification when verification.name == "checks" warn "{verification.name} begins" }
    rule ends "t" {
      on after_verification
      when not verification.passed and verification.error_class else "" == "test_failure"
      remind "{verification.file}:{verification.line} {verification.stage} {verification.exit_code}"
    }
    """
    play = Play(tmp_path, rules)
    play.write()
    play.results["tests"] = FAILED
    said = {result.rule: result.message for result in play.finish().rules}
    assert (said["begins"], said["ends"]) == ("checks begins", "tests/test_a.py:7 tests 1")


def test_a_stop_before_the_stages_keeps_them_from_running(tmp_path: Path) -> None:
    rule = 'rule no "t" { on before_verification when host.name == "generic" stop budget_exceeded "Too late." }'
    play = Play(tmp_path, rule)
    play.write()
    decision = play.finish()
    assert (decision.verdict, decision.stop_reason, play.ran) == ("stop", "budget_exceeded", [])


def test_a_condition_that_cannot_be_known_refuses(tmp_path: Path) -> None:
    play = Play(tmp_path)
    play.engine = Engine.from_text(
        'language 1 verify v "t" { when git.clean stage s run ["x"] timeout 1s }', hooks=Hooks(admit=everybody)
    )
    assert [(one.rule, one.outcome) for one in play.finish().rules] == [("v", "undecided")]


def test_results_that_an_event_claims_need_their_stages(tmp_path: Path) -> None:
    play = Play(tmp_path)
    play.write()
    for claim in ({"name": "checks", "passed": True}, {"name": "checks", "passed": True, "stages": []}, "checks", None):
        play.tell("after_verification", verification=claim)
    play.results["lint"] = FAILED
    assert play.finish().verdict == "deny"
