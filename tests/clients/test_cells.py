"""What else a host promises, with the real client: reminders reach the model, what stops ends the run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.clients.hosts.base import Client
from tests.clients.models.base import TASK, Turn
from tests.clients.runs import FileSystem

Enter = Callable[..., FileSystem]
TOLD = ("session_start", "prompt", "before_tool", "after_tool", "after_round", "subagent_start")
TELLING = "language 1\n" + "".join(
    f"""
rule tell-{point.replace("_", "-")} "Something is said" {{
  severity low
  on {point}
  remind "HEARD-{point}."
}}
"""
    for point in TOLD
)
NOTED = """\
language 1

define notes = glob("notes.md")

rule sub-noted "A sub-agent leaves a note" {
  severity high
  on subagent_completion
  require wrote(notes)
  deny "SUB-NOT-NOTED: write notes.md."
}
"""
HALTING = """\
language 1

rule halt "It ends here" {{
  severity high
  on {point}
  stop halted "HALTED: a person takes over."
}}
"""
REFUSING = """
rule never "A completion that only what stops can end" {
  severity high
  on before_completion
  deny "NEVER: go on."
}
"""
NAMES = ("one.txt", "two.txt", "three.txt")


@pytest.mark.cell("session_start tells", "prompt tells", "before_tool tells")
@pytest.mark.cell("after_tool tells", "after_round tells", "subagent_start tells")
def test_what_is_said_reaches_the_model(client: Client, enter: Enter, kept: set[str]) -> None:
    at = enter(TELLING)
    at.install()
    sub: list[Turn] = [client.last] if "subagent_start tells" in kept else []
    shell = (sub and client.nested_run) or client.run
    delegated = [client.delegate(TASK), *client.awaiting] if sub else []
    run = at.play([shell("printf x > one.txt"), *delegated, "done"], sub)
    assert (at.workspace / "one.txt").exists(), run.output
    assert {cell for cell in kept if not run.heard(f"HEARD-{cell.split()[0]}.")} == set()
    assert at.refusals() == []


@pytest.mark.cell("subagent_completion refuses")
def test_a_sub_agent_that_finishes_too_early_is_sent_on_and_then_accepted(client: Client, enter: Enter) -> None:
    at = enter(NOTED)
    at.install()
    shell = client.nested_run or client.run
    sub = ["finished too early", shell("printf x > notes.md"), client.last]
    run = at.play([client.delegate(TASK), *client.awaiting, "done"], sub)
    assert (at.workspace / "notes.md").exists(), run.output
    assert run.heard("SUB-NOT-NOTED")
    assert at.refusals() == [("subagent_completion", "sub-noted")]


@pytest.mark.parametrize(
    ("point", "before"),
    [
        pytest.param("session_start", 0, marks=pytest.mark.cell("session_start stops")),
        pytest.param("prompt", 0, marks=pytest.mark.cell("prompt stops")),
        pytest.param("before_tool", 0, marks=pytest.mark.cell("before_tool stops")),
        pytest.param("after_tool", 1, marks=pytest.mark.cell("after_tool stops")),
        pytest.param("after_round", 1, marks=pytest.mark.cell("after_round stops")),
        pytest.param("before_completion", 2, marks=pytest.mark.cell("before_completion stops")),
    ],
)
def test_what_stops_ends_the_run(client: Client, enter: Enter, point: str, before: int) -> None:
    at = enter(HALTING.format(point=point) + (REFUSING if point == "before_completion" else ""))
    at.install()
    first, second, third = (client.run(f"printf x > {name}") for name in NAMES)
    run = at.play([first, second, "finished", third, "finished again"])
    assert tuple(name for name in NAMES if (at.workspace / name).exists()) == NAMES[:before], run.output
    assert run.status is not None and not run.endless
    assert (point, "halt") in at.refusals()
