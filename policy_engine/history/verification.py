"""Record the events around a `verify` pipeline: what they prove, and how often the pipeline failed in a row.

A pass counts as of the moment at which the pipeline began: what was written while it ran is later. The results come as
an event, whoever ran the stages, so that a recorded session decides as the live one did. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.history.facts import Fact, verified
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.history.recorder import Recorder
    from policy_engine.model.event import Event

NAMESPACE = "verify"
PASSED, FAILED, TIMED_OUT = "passed", "failed", "timed_out"
_FAILURES = (FAILED, TIMED_OUT, "not_started")


def result_in(event: Event) -> dict[str, Any]:
    """`{name, passed, stages}` of the event; a malformed one has passed nothing."""
    given = event.raw.get("verification")
    given = given if type(given) is dict else {}
    stages = given.get("stages")
    stages = [one for one in stages if type(one) is dict] if type(stages) is list else []
    sound = bool(stages) and all(one.get("outcome") == PASSED for one in stages)
    name = given.get("name")
    return {
        "name": name if type(name) is str else "",
        "passed": sound and given.get("passed") is True,
        "stages": stages,
    }


def first_problem(result: dict[str, Any]) -> dict[str, Any]:
    """Return the record of the first stage that did not pass; empty if all did."""
    return next((one for one in result["stages"] if one.get("outcome") != PASSED), {})


def value_of(event: Event, key: str) -> Any:
    """`verification.KEY`, of the pipeline or of its first stage that did not pass. Raises Undecided."""
    result = result_in(event)
    if key in ("name", "passed"):
        return result[key]
    value, kind = first_problem(result).get(key), int if key in ("exit_code", "line") else str
    if value is not None and type(value) is not kind:
        raise Undecided(f"`verification.{key}` has the wrong type")
    return ABSENT if value is None else value


def note(event: Event, history: Recorder) -> None:
    """Take in the beginning or the end of a pipeline."""
    namespace = history.namespace(NAMESPACE)
    result = result_in(event)
    name, began = result["name"], namespace.setdefault("began", {})
    if event.hook == "before_verification":
        began[name] = history.tick()
        return
    history.observe(_facts(result, event), began.pop(name, 0))
    failed = namespace.setdefault("failed", {})
    if result["passed"]:
        failed.pop(name, None)
    elif first_problem(result).get("outcome") in _FAILURES:
        failed[name] = failed.get(name, 0) + 1
    history.dirty = True


def failures(history: Recorder, name: str) -> int:
    """Return how many runs of a pipeline have failed since it passed or the user prompted."""
    return int(history.namespace(NAMESPACE).get("failed", {}).get(name, 0))


def forget(history: Recorder) -> None:
    """Forget the failures of every pipeline: the user prompted."""
    if history.namespace(NAMESPACE).pop("failed", None):
        history.dirty = True


def _facts(result: dict[str, Any], event: Event) -> list[Fact]:
    """Return the facts of a run; a stage is named within the layer of its pipeline."""
    facts = []
    layer, slash, _ = result["name"].rpartition("/")
    for stage in result["stages"]:
        if stage.get("outcome") == PASSED and type(stage.get("stage")) is str:
            facts.append(verified(layer + slash + stage["stage"], str(stage.get("command", "")), event))
    if result["passed"] and result["name"]:
        facts.append(verified(result["name"], "", event))
    return facts
