"""What was counted since a refusal stays counted when the session retains the rule that refused, and on return."""

from __future__ import annotations

from policy_engine.compiler.retained import retained
from policy_engine.evaluators.base import Program
from policy_engine.history.recorder import Recorder
from policy_engine.history.renamed import NAMESPACE
from policy_engine.history.session import History
from policy_engine.loading.layered import program_of
from policy_engine.model.layers import REPOSITORY
from tests.generated.play import loaded

OLD = """language 1
rule push "Pushed rarely" {
  on before_tool(shell)
  when count(ran("git push") or refused(push), since: refused(stop) or prompted()) >= 2
  deny "No."
}
rule stop "Stops" { on before_tool(shell) when any c in commands { c.program == "rm" } deny "No." }
"""
NEW = 'language 1\nrule stop "Stops" { on before_tool(shell) when false deny "No." }\n'


def program(text: str, before: str = "") -> Program:
    present, earlier = loaded(text).policy, loaded(before or text).policy
    assert present is not None and earlier is not None
    return program_of([(REPOSITORY, present)], "sha256:0", retained([(REPOSITORY, present)], [(REPOSITORY, earlier)]))


def under(made: Program, history: Recorder) -> Recorder:
    """The session once the Program has become this one."""
    found = History.restore(made.monitors, history.snapshot(), made.monitor_digest, made.monitor_index)
    found.namespace(NAMESPACE)["owners"] = made.retained
    return found


def count_of(history: Recorder) -> int:
    return next(number for number, spec in enumerate(history.specs) if spec[1] == "count")


def test_a_count_goes_along_with_the_names_in_it_and_comes_back() -> None:
    first, second = program(OLD), program(NEW, OLD)
    history: Recorder = History(first.monitors, first.monitor_digest)
    history.state["events"] = 5
    history.stored(count_of(history))[:] = [1, 3, None, [], "e2"]
    key = history.specs[count_of(history)][0]
    kept = under(second, history)
    number = count_of(kept)
    assert kept.specs[number][0] != key and key not in kept.state["monitors"]
    assert kept.stored(number) == [1, 3, None, [], "e2"]
    kept.stored(number)[0] = 2
    back = under(first, kept)
    assert back.specs[count_of(back)][0] == key and back.stored(count_of(back)) == [2, 3, None, [], "e2"]


def test_a_count_of_other_refusals_takes_over_nothing() -> None:
    first = program(OLD)
    other = program(OLD.replace("rule stop", "rule halt").replace("refused(stop)", "refused(halt)"))
    history: Recorder = History(first.monitors, first.monitor_digest)
    history.stored(count_of(history))[:] = [1, 3, None, [], "e2"]
    assert under(other, history).stored(0)[:3] == [0, 0, None]
