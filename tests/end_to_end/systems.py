"""Play a case of another system's behaviour: policies, events or a source to migrate, and what must be decided.

A case is a file of JSON. `runs` are sessions: `policies` (paths from the root of the repository) and `text` (policies),
`hooks` and `stages` (what callables and stages of a `verify` give back, in their order), and `steps`: `files` of the
workspace (null: gone), one canonical `event` (`$WORKSPACE` is the folder), and what is expected of its decision.
`facts` are what needs no session: a text that is loaded, a source that is migrated, signals at the end of a run.
Nothing here knows a case: what a step does not say is not sent, and an undecided rule is none that was violated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from policy_engine.bootstrap import Engine, adapt
from policy_engine.conversion.document import Refused
from policy_engine.loading.loader import Loaded, load, load_text
from policy_engine.loading.reloader import Reloader
from policy_engine.migrations.base import migrate
from policy_engine.model.decision import Decision
from policy_engine.runtime.external import Hooks, everybody
from policy_engine.runtime.loop import decide_stop

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests/cases/systems"
Json = dict[str, Any]


def cases() -> Iterator[Path]:
    """The files of all cases, in their order."""
    return iter(sorted(CASES.glob("*/*.json")))


def play(path: Path, workspace: Path) -> list[str]:
    """Play one case in a folder; return every difference, one line each."""
    case = json.loads(path.read_text("utf-8"))
    found = [line for number, fact in enumerate(case.get("facts", ())) for line in _fact(number, fact)]
    for number, run in enumerate(case.get("runs", ())):
        folder = workspace / f"run{number}"
        folder.mkdir()
        found += [f"run {number}, {line}" for line in _run(run, folder)]
    return found


def _run(run: Json, folder: Path) -> Iterator[str]:
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    scripts = {name: _Script(replies, folder) for name, replies in run.get("hooks", {}).items()}
    stages = None if run.get("stages") is None else _Script(run["stages"], folder)
    hooks = Hooks(dict(scripts), admit=everybody, stage=stages)
    loaded = adapt(_loaded(run, folder.parent))
    loaded.require_program()
    engine = Engine(Reloader.fixed(loaded), home=str(home), hooks=hooks, clock=lambda: 0)
    for number, step in enumerate(run["steps"]):
        _put(step.get("files", {}), folder)
        decision = engine.decide(_placed(step["event"], folder))
        for key, wanted in step["expect"].items():
            got = _said(decision, key, folder)
            if got != wanted:
                yield f"step {number} ({step['event'].get('hook')}): {key} is {got!r}, not {wanted!r}"


def _loaded(run: Json, folder: Path) -> Loaded:
    paths = [ROOT / name for name in run["policies"]]
    for number, text in enumerate(run.get("text", ())):
        paths.append(folder / f"given{number}.policy")
        paths[-1].write_text(text, "utf-8")
    return load(paths)


def _said(decision: Decision, key: str, folder: Path) -> Any:
    """What a decision says of one thing that a step may expect."""
    match key:
        case "verdict":
            return decision.verdict
        case "stop":
            return decision.stop_reason
        case "timeout_ms":
            return decision.timeout_ms
        case "rules":
            return {one.rule: one.verdict if one.outcome == "violated" else f"{one.verdict} {one.outcome}"
                    for one in decision.rules}  # fmt: skip
        case "messages":
            return {one.rule: one.message for one in decision.rules}
        case "reports":
            return {one.rule: one.message.replace(str(folder), "$WORKSPACE")
                    for one in decision.shadow if one.outcome == "violated"}  # fmt: skip
        case "unknown":
            return [one.rule for one in decision.shadow if one.outcome != "violated"]
        case _:
            raise ValueError(f"nothing is known of an expected `{key}`")


class _Script:
    """A callable or the runner of stages: gives back what the case says, and writes the files that it says."""

    def __init__(self, replies: list[Json], folder: Path) -> None:
        self.replies = iter(replies)
        self.folder = folder

    def __call__(self, *arguments: Any) -> Any:
        reply = next(self.replies)
        _put(reply.get("files", {}), self.folder)
        if "raises" in reply:
            raise (KeyboardInterrupt if reply["raises"] == "KeyboardInterrupt" else RuntimeError)(reply["text"])
        answer = reply["returns"]
        return tuple(answer) if isinstance(answer, list) else answer


def _put(files: dict[str, str | None], folder: Path) -> None:
    for name, text in files.items():
        path = folder / name
        if text is None:
            path.unlink()
            if path.parent != folder and not any(path.parent.iterdir()):
                path.parent.rmdir()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")


def _placed(value: Any, folder: Path) -> Any:
    if isinstance(value, str):
        return value.replace("$WORKSPACE", str(folder))
    if isinstance(value, dict):
        return {key: _placed(one, folder) for key, one in value.items()}
    return [_placed(one, folder) for one in value] if isinstance(value, list) else value


def _fact(number: int, fact: Json) -> Iterator[str]:
    kind = next(iter(fact))
    got = _FACTS[kind](fact)
    for key, wanted in fact["expect"].items():
        if got.get(key) != wanted:
            yield f"fact {number} ({kind}): {key} is {got.get(key)!r}, not {wanted!r}"


def _migrated(fact: Json) -> Json:
    try:
        found = migrate(fact["migrate"], fact["source"], fact.get("name", "source"))
    except Refused as problem:
        return {"refused": str(problem).splitlines()[0]}
    return {"policy": found.policy_text, "unsaid": len(found.problems)}


_FACTS: dict[str, Callable[[Json], Json]] = {
    "load": lambda fact: {"errors": [f"{one.code} {one.message}" for one in load_text(fact["load"]).errors]},
    "migrate": _migrated,
    "signals": lambda fact: {"stop": list(decide_stop(fact["signals"]))},
}
