"""What a program that holds an engine meets first: a decision that reads well, and mistakes that are said at once."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from policy_engine import Engine, EventForm, PolicyLoadError
from policy_engine.model import event_form
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.event import POINTS, TOOL_KINDS
from policy_engine.model.event_form import Kind, Point
from policy_engine.model.ladder import VERDICTS
from policy_engine.model.schemas import event_schema
from tests.house.sources import ROOT

POLICY = """language 1
rule no-rm "No rm" {
  on before_tool(shell)
  when any c in commands { c.program == "rm" }
  deny "Do not remove files."
}
rule note "Note" {
  on before_tool(shell)
  when any c in commands { c.program == "ls" }
  warn "Listing."
}
"""


def shell(line: str) -> EventForm:
    return {
        "hook": "before_tool",
        "session": "s",
        "cwd": "/w",
        "workspace": "/w",
        "tool": {"name": "Bash", "kind": "shell", "args": {"command": line}},
    }


@pytest.mark.parametrize(
    ("line", "allowed", "message", "shown"),
    [
        ("rm a", False, "Do not remove files.", "<Decision deny at before_tool by no-rm: 'Do not remove files.'>"),
        ("ls", True, "Listing.", "<Decision warn at before_tool by note: 'Listing.'>"),
        ("true", True, "", "<Decision allow at before_tool>"),
    ],
)
def test_a_decision_says_itself(line: str, allowed: bool, message: str, shown: str) -> None:
    decision = Engine.from_text(POLICY).decide(shell(line))
    assert (decision.allowed, decision.message, repr(decision)) == (allowed, message, shown)
    assert decision.reasons == ((message,) if message else ())


def test_a_refusal_is_never_taken_for_true() -> None:
    decision = Engine.from_text(POLICY).decide(shell("rm a"))
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(decision)


def test_a_policy_that_does_not_load_says_where_and_what_to_write() -> None:
    with pytest.raises(PolicyLoadError) as caught:
        Engine.from_text('language 1\nrule a "A" { on prompt when promt == "x" deny "No." }')
    assert str(caught.value).splitlines() == [
        "the policy does not load: 1 error",
        "  policy:2:29: error[PE201]: unknown name `promt`",
        "    help: did you mean `prompt`?",
    ]


HOOKED = 'language 1\nhook own "Own" { on before_tool(shell) call own timeout 2s }\n'


def test_callables_are_given_to_a_text_as_to_files(tmp_path: Path) -> None:
    (tmp_path / "a.policy").write_text(HOOKED)
    asked: list[Any] = []

    def own(event: Any) -> Any:
        asked.append(event)
        return "deny", "Not here."

    for engine in (
        Engine.from_text(HOOKED, hooks={"own": own}),
        Engine.load(tmp_path, hooks={"own": own}, log=False),
    ):
        assert engine.decide(shell("ls")).message == "Not here."
    assert len(asked) == 2


@pytest.mark.parametrize("make", [lambda **o: Engine.from_text(POLICY, **o), Engine.load, Engine.at])
def test_an_unknown_option_is_an_error_at_once(make: Any) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'hoks'"):
        make(hoks={})


def test_the_typed_event_says_what_the_schema_says() -> None:
    assert set(get_args(Point)) == set(POINTS)
    assert set(get_args(Kind)) == set(TOOL_KINDS)
    properties = event_schema()["properties"]
    assert set(EventForm.__annotations__) == set(properties)
    for name in ("tool", "result"):
        assert set(getattr(event_form, f"{name.title()}Form").__annotations__) == set(properties[name]["properties"])


def test_a_type_checker_refuses_a_misspelt_key(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(
        "from policy_engine import Engine\n"
        'engine = Engine.load(".policy")\n'
        'engine.decide({"hook": "prompt", "session": "s", "prompt": "x"})\n'
        'engine.decide({"hok": "prompt", "session": "s"})\n'
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    lines = [line.split(":", 2)[1] for line in done.stdout.splitlines() if "error" in line and "program.py" in line]
    assert set(lines) == {"4"}, done.stdout + done.stderr


def test_an_event_is_decided_beside_an_event_loop() -> None:
    engine = Engine.from_text(POLICY)

    async def both() -> list[str]:
        found = await asyncio.gather(engine.decide_async(shell("rm a")), engine.decide_async(shell("ls")))
        return [decision.verdict for decision in found]

    assert asyncio.run(both()) == ["deny", "warn"]


def test_verdicts_are_compared_by_their_place_on_the_ladder() -> None:
    verdict = Engine.from_text(POLICY).decide(shell("rm a")).verdict
    below = {name for name in VERDICTS if verdict > name}
    assert below == set(VERDICTS[: VERDICTS.index(verdict)])
    assert verdict >= verdict and verdict <= verdict and not verdict < "allow"
    assert json.dumps(verdict) == f'"{verdict}"' and verdict == str(verdict) and {verdict: 1}[str(verdict)] == 1
    with pytest.raises(TypeError, match="`denied` is no verdict"):
        verdict >= "denied"  # noqa: B015 -- a misspelt verdict must not be compared by its letters


def test_one_cause_that_leaves_many_rules_open_is_said_once_and_behind_what_is_certain() -> None:
    rules = [RuleResult(f"r{number}", "undecided", "ask", f"Could not be decided: why. Perhaps: text {number}",
                        undecided=("why",)) for number in range(5)]  # fmt: skip
    certain = RuleResult("z", "violated", "ask", "It sends a file.")
    found = Decision("e", "before_tool", "s", "ask", "p", (*rules, certain))
    assert found.message == "It sends a file. Could not be decided: why. 5 rules depend on it: r0, r1, r2 and 2 more."
    assert Decision("e", "before_tool", "s", "ask", "p", (rules[0],)).message == rules[0].message
