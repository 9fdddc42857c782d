"""The runs of tests of a session: which of them stand, which were seen and do not count, and whether the session itself
wrote what they go by.

All in one room of the state: `seen` the latest runs, `marks` the latest pass and failure of each sort of run, for rules
that are loaded later, `configured` a file of test configuration that this session wrote, `changing` the files that it
wrote which can change what a run says, with the ecosystem and the reason, `told` what was said once, `now` what is to
be said at the event at hand. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.classify import Run
from policy_engine.test_runs.counting import counts_for, why_not
from policy_engine.test_runs.evidence import FAILED, PASSED, Proof
from policy_engine.test_runs.runners import CONFIGURATION, CONFIGURATION_STARTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from policy_engine.history.facts import Fact
    from policy_engine.history.tables import Written
    from policy_engine.model.world import World

    Asked = tuple[str, str, bool]

ROOM = "tests"
_SEEN = 16
_MARKS = 64
_TOLD = 16
_VALUE_CHARS = 16  # of letters and digits in a row, some of them digits
_CHANGING = 64
_READ = (".py", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".php", ".rb", ".go")
_SHOWN = 3  # runs named in one refusal


def is_configuration(real: str, world: World) -> bool:
    """Return whether a path of the workspace decides which tests run and what their status says."""
    name = real.rpartition("/")[2]
    return (name in CONFIGURATION or name.startswith(CONFIGURATION_STARTS)) and real.startswith(
        world.real_workspace.rstrip("/") + "/"
    )


def judge(facts: Iterable[Fact], room: dict[str, Any], paths: Written, world: World) -> None:
    """Take back the proof of runs whose program or configuration this session wrote."""
    facts = tuple(facts)
    proofs = [fact.value for fact in facts if fact.kind == "tests"]
    if not proofs:
        return
    here = [fact.path.real for fact in facts if fact.kind == "wrote" and fact.path is not None]
    configured = room.get("configured") or next((real for real in here if is_configuration(real, world)), "")

    changing = {real: _why_changes(real, world) for real in here if real.endswith(_READ)} if here else {}
    changing = {**room.get("changing", {}), **changing}

    def wrote(real: str) -> bool:
        entry = paths.get(real)
        if real in here or entry is None or entry[0]:
            return real in here or entry is not None
        return bool(entry[3]) and _may_be_there(real, world)  # it may have been written, if it is there at all

    for proof in proofs:
        run = proof.run
        own = next((real for real in run.programs if wrote(real)), "")
        if proof.outcome != PASSED:
            continue
        if own:
            proof.refuse(
                f"this session wrote `{own.rpartition('/')[2]}`, which it runs", "Undo that, and run them again"
            )
        elif run.named and (file := next((real for real in run.files if wrote(real)), "")):
            proof.refuse(f"this session changed `{file.rpartition('/')[2]}`, which says what it runs",
                         "Run the tests without it")  # fmt: skip
        elif why := _changed(run, changing, configured):
            proof.refuse(why, "Take that out, and run them again")
        elif configured and not proof.counted:
            name = configured.rpartition("/")[2]
            proof.refuse(f"this session changed `{name}`, and the result shows no count of tests",
                         "Run it so that its summary is in the result")  # fmt: skip


def _changed(run: Run, changing: dict[str, tuple[str, str]], configured: str) -> str:
    """Return why a file that this session wrote keeps a run from proving anything; empty if none does."""
    for real, (ecosystem, why) in changing.items():
        loaded = not why.startswith("\0") or configured or " -p" in run.line
        if why and loaded and run.of in ("", ecosystem):
            return f"this session wrote `{real.rpartition('/')[2]}`, and {why.lstrip(chr(0))}"
    return ""


def note_file(fact: Fact, room: dict[str, Any], world: World) -> bool:
    """Enter what a written or deleted file does to runs of tests; return whether that changed the room."""
    path, kept = fact.path, room.get("changing", {})
    if path is None:
        return False
    real = path.real
    if fact.kind == "deleted":
        gone = [one for one in kept if one == real or one.startswith(real + "/")]
        for one in gone:
            del kept[one]
        return bool(gone)
    if not real.endswith(_READ):
        return False
    found = _why_changes(real, world)
    if found[1] and (real in kept or len(kept) < _CHANGING):
        room.setdefault("changing", {})[real] = found
        return True
    return kept.pop(real, None) is not None


def _why_changes(real: str, world: World) -> tuple[str, str]:
    """Return the ecosystem of a file, and how it can change what a run of tests says."""
    try:
        start = world.real_workspace.rstrip("/") + "/"
    except Undecided:  # the host did not say where the workspace is: the file may lie in it
        start = real.rpartition("/")[0] + "/"
    if not real.startswith(start):
        return "", ""
    from policy_engine.test_runs.outcome_changes import MOST, why_changes

    try:
        text = world.script(PathValue(real, real), MOST)
    except Undecided:
        text = None
    return why_changes(real[len(start) :], text) if text else ("", "")


def _may_be_there(real: str, world: World) -> bool:
    """Return whether a file is there now, as far as can be seen."""
    try:
        return world.present(PathValue(real, real))
    except Undecided:
        return True


def note(fact: Fact, sequence: int, event: str, room: dict[str, Any], shown: Callable[[str], str]) -> None:
    """Enter one run."""
    proof: Proof = fact.value
    run = proof.run
    record = (sequence, run.of, run.own, run.targets, proof.outcome, proof.status, shown(_brief(run.line)),
              shown(proof.reason), run.limited,
              proof.advice, run.usual, event)  # fmt: skip
    seen = room.setdefault("seen", [])
    seen.append(record)
    del seen[:-_SEEN]
    if proof.outcome in (PASSED, FAILED):
        marks = room.setdefault("marks", {})
        key = repr((run.of, run.own, run.targets, proof.outcome, proof.status))
        marks.pop(key, None)
        marks[key] = record
        while len(marks) > _MARKS:
            del marks[next(iter(marks))]
    elif proof.advice:
        told = room.setdefault("told", [])
        if proof.advice not in told:
            told.append(proof.advice)
            del told[:-_TOLD]
            room["now"] = _sentence(record, proof.reason)


def _brief(line: str) -> str:
    """Return the line without words that are no names: long ones with digits in them, of which nobody knows what they
    are.
    """
    return " ".join("…" if _is_value(word) else word for word in line.split(" "))


def _is_value(word: str) -> bool:
    plain = "".join(char if char.isalnum() else " " for char in word)
    return any(len(part) >= _VALUE_CHARS and any(char.isdigit() for char in part) for part in plain.split())


def _restored(record: Any) -> Proof:
    run = Run(record[1])
    run.own, run.targets, run.line, run.limited, run.usual = record[2], record[3], record[6], record[8], record[10]
    proof = Proof(run)
    proof.outcome, proof.status, proof.reason, proof.advice = record[4], record[5], record[7], record[9]
    return proof


def mark(room: dict[str, Any], asked: Asked) -> tuple[int, int]:
    """(latest pass, latest failure after it) among the runs that are remembered."""
    passed = failed = 0
    for record in room.get("marks", {}).values():
        found = counts_for(_restored(record), *asked)
        passed = max(passed, record[0] if found == PASSED else 0)
        failed = max(failed, record[0] if found == FAILED else 0)
    return passed, failed if failed > passed else 0


def missed(room: dict[str, Any], asked: Iterable[Asked], after: int) -> str:
    """Sentences about the runs later than a moment that do not count, each with its reason and what would count."""
    asked = tuple(asked)
    said: list[str] = []
    for record in reversed(room.get("seen", ())):
        if record[0] <= after or len(said) == _SHOWN:
            break
        reasons = [why_not(_restored(record), *one) for one in asked]
        if reasons and all(reasons):
            sentence = _sentence(record, reasons[0])
            if sentence not in said:
                said.append(sentence)
    return "".join(f" {sentence}" for sentence in said)


def _sentence(record: Any, reason: str) -> str:
    line, advice, usual = record[6], record[9], record[10]
    text = f"`{line}` was run and does not count: {reason}."
    if advice:
        return f"{text} {advice}: `{line if not record[8] else usual or line}`."
    return f"{text} Run `{usual}`." if usual and usual != line and record[4] != FAILED else text
