"""Withhold the proof of runs while tests are switched off that ran when the session began; say if more ran before.

`off` of the room of runs of tests keeps the lines, each with whether a person went on after a run was refused for it,
`counts` how many tests the last run of the same tests counted and left out, with what stands for the files of tests,
`failed_beside` how many must pass once those that failed are repaired, `declared` what the session's first commit has.
Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

from policy_engine.history.changing_files import may_be_there
from policy_engine.history.digest import text_digest
from policy_engine.history.suite import COMMIT, FAILED_BESIDE, OFF, SHOWN, is_shown_gone, shown_mark
from policy_engine.model.test_names import ecosystem_of
from policy_engine.test_runs.classify import WHOLE
from policy_engine.test_runs.evidence import PASSED
from policy_engine.test_runs.lost_tests import is_on
from policy_engine.test_runs.taken_out import (
    TAKEN_OUT,
    Taken,
    came_with_others,
    declared_by,
    named,
    named_lines,
    speaking_now,
    taken_out,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.test_runs.evidence import Proof
    from policy_engine.test_runs.switches import Switch

_MOST = 64
_COUNTS, _DECLARED = "counts", "declared"
_SKIPPED = "skipped"
"""Instead of what stands for a line: tests that something skips which is no line of theirs."""
_OTHERS = ""
"""Instead of what stands for a line: all that are more than are kept."""


def judge_taken_out(
    proofs: Sequence[Proof],
    namespace: dict[str, Any],
    wrote: Callable[[str], bool],
    began: int | None,
    filesystem: FileSystem,
) -> str:
    """Refuse runs that passed without tests that the session switched off; return what is said of those that count.

    `began` is when the session did, in ms.
    """
    taken = taken_out(namespace[COMMIT], filesystem)
    seen = bool(taken.off or taken.new)  # of whomever, in the files of tests
    if taken.gone or any(one.always for one in taken.off):
        taken = came_with_others(taken, namespace[COMMIT], began, filesystem)
    shown = [one for one in taken.off if shown_mark(one.path, one.line) in namespace.get(SHOWN, ())]
    unseen = [one for one in taken.gone if not is_shown_gone(one.path, one.line, namespace)]
    off = [one for one in (*taken.off, *unseen) if one not in shown and _is_own(one, namespace, wrote, filesystem)]
    said = taken.sentence()
    if not said and (always := [one.line for one in shown if one.always]):
        said = f"The run counts, without tests that this session switched off ({named(always)}). Say why."
    for proof in proofs:
        if proof.outcome != PASSED:
            _keep_failed(proof, taken.state, namespace)
            continue
        if why := _without_failed(proof, taken.state, namespace):
            proof.refuse(why, "Run all of them again, or tell the person and wait for their word")
            continue
        its = [
            one for one in off
            if proof.run.of in ("", ecosystem_of(one.path) or proof.run.of) and not is_on(one, proof.run.line)
        ]  # fmt: skip
        if refused := [one for one in its if one.always] or _effective(proof, its, taken, namespace, filesystem):
            known: dict[str, bool] = namespace.setdefault(OFF, {})
            for one in refused:
                known.setdefault(_key(one) if len(known) < _MOST else _OTHERS, False)
            gone = [one.line for one in refused if one.about == TAKEN_OUT]
            what = "a program of this session took out" if gone else "this session switched off"
            proof.refuse(f"{what} tests that ran before ({named(gone) if gone else named_lines(refused)})",
                         "Undo that and run them again, or tell the person and wait for their word")  # fmt: skip
            continue
        if why := "" if seen else _skipped_unseen(proof, namespace, wrote, filesystem):
            proof.refuse(why, "Undo what skips them and run them again, or tell the person and wait for their word")
            continue
        said = said or _fewer(proof, its, taken, namespace, filesystem)
        _keep_counts(proof, taken.state, namespace)
    return said if any(proof.outcome == PASSED for proof in proofs) else ""


def _is_own(one: Switch, namespace: dict[str, Any], wrote: Callable[[str], bool], filesystem: FileSystem) -> bool:
    """Return whether the session switched a test off in a file that is there, and no person went on after a run was
    refused for it."""
    known = namespace.get(OFF, {})
    return wrote(one.path) and may_be_there(one.path, filesystem) and not known.get(_key(one), known.get(_OTHERS))


def _key(one: Switch) -> str:
    return text_digest(f"{one.path}\0{one.about}\0{one.line}")


def _counted_as(proof: Proof) -> str:
    return text_digest(repr((proof.run.of, proof.run.own, proof.run.targets)))


def _effective(
    proof: Proof, its: list[Switch], taken: Taken, namespace: dict[str, Any], filesystem: FileSystem
) -> list[Switch]:
    """Return the lines that switch tests off where something holds, if it does: more were left out than before, beyond
    those that came with their switch."""
    if not its or not proof.left_out:
        return []
    before = namespace.get(_COUNTS, {}).get(_counted_as(proof))
    if before is not None:
        return its if proof.left_out > before[2] + taken.new else []
    _, speaks = _declared(namespace, filesystem)
    return its if not speaks and proof.left_out > taken.new else []


def _skipped_unseen(
    proof: Proof, namespace: dict[str, Any], wrote: Callable[[str], bool], filesystem: FileSystem
) -> str:
    """Return why a run proves nothing that skipped tests where neither the files of tests of the session's start nor
    what changed in them say so: what they import skips them; "" if it may prove something.
    """
    if proof.run.of != "python" or not proof.skipped:
        return ""
    before = namespace.get(_COUNTS, {}).get(_counted_as(proof))
    if (before is not None and (proof.left_out or 0) <= before[2]) or namespace.get(OFF, {}).get(_SKIPPED):
        return ""
    if _declared(namespace, filesystem)[1] or not all(map(wrote, speaking_now(filesystem))):
        return ""
    namespace.setdefault(OFF, {}).setdefault(_SKIPPED, False)
    tests = f"{proof.skipped} test{' was' if proof.skipped == 1 else 's were'} skipped"
    return f"{tests}, and nothing in the files of tests says that they are"


def _declared(namespace: dict[str, Any], filesystem: FileSystem) -> tuple[int, bool]:
    """Return what the commit of the start declares, asked for once."""
    if _DECLARED not in namespace:
        namespace[_DECLARED] = declared_by(namespace[COMMIT], filesystem)
    result: tuple[int, bool] = namespace[_DECLARED]
    return result


def _fewer(proof: Proof, its: list[Switch], taken: Taken, namespace: dict[str, Any], filesystem: FileSystem) -> str:
    """Return a sentence about a run that counts fewer tests than one of the same before, though what changed in the
    files of tests is the same, or than the commit of the session's start has; "" if it does not."""
    counted, last = proof.counted, namespace.get(_COUNTS, {}).get(_counted_as(proof))
    if counted is None:
        return ""
    if last is not None:
        what = f"where {last[1]} ran before" if last[0] == taken.state and taken.state and counted < last[1] else ""
    else:
        whole = proof.run.of == "python" and proof.run.targets == WHOLE and proof.left_out is not None
        declared = _declared(namespace, filesystem)[0] if whole else 0
        fewer = counted + (proof.left_out or 0) < declared
        what = f"where the commit of the session's start has {declared}" if fewer else ""
        if not what and its and proof.left_out:
            what = f"and {proof.left_out} were left out, maybe by {named([one.line for one in its])}"
    return f"The run counts, with {counted} tests, {what}. Say which are left out, and why." if what else ""


def _keep_failed(proof: Proof, state: str, namespace: dict[str, Any]) -> None:
    """Keep how many tests must pass once those that failed are repaired, as long as no file of tests changes."""
    kept: dict[str, tuple[str, int]] = namespace.setdefault(FAILED_BESIDE, {})
    key = text_digest(repr((proof.run.of, proof.run.targets)))
    kept.pop(key, None)
    kept[key] = state, proof.least
    while len(kept) > _MOST:
        del kept[next(iter(kept))]


def _without_failed(proof: Proof, state: str, namespace: dict[str, Any]) -> str:
    """Return why a run is none of the tests that failed before: fewer pass than passed beside them; "" if it may be."""
    key = text_digest(repr((proof.run.of, proof.run.targets)))
    before, least = namespace.get(FAILED_BESIDE, {}).get(key, ("", 0))
    if not state or before != state or proof.counted is None or proof.counted >= least:
        return ""
    counted = f"{proof.counted} test{'' if proof.counted == 1 else 's'} passed"
    return f"{counted}, where {least - 1} passed beside those that failed before: these did not run"


def _keep_counts(proof: Proof, state: str, namespace: dict[str, Any]) -> None:
    if proof.counted is None:
        return
    kept: dict[str, tuple[str, int, int]] = namespace.setdefault(_COUNTS, {})
    key = _counted_as(proof)
    kept.pop(key, None)
    kept[key] = state, proof.counted, proof.left_out or 0
    while len(kept) > _MOST:
        del kept[next(iter(kept))]
