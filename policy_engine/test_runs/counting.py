"""Compare a run of tests with what a policy asks for. Imported by the hook path."""

from __future__ import annotations

from policy_engine.test_runs.evidence import FAILED, PASSED, REMOVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy_engine.test_runs.evidence import Proof


def counts_for(proof: Proof, ecosystem: str, folder: str, strict: bool) -> str:
    """`passed`, `failed`, or "" if the run says nothing of these tests."""
    run = proof.run
    if ecosystem and run.of and run.of != ecosystem:
        return ""
    if proof.outcome in (FAILED, REMOVED):
        return FAILED if covers(run.targets, run.own, folder) or _inside(run.targets, folder) else ""
    if proof.outcome != PASSED or (strict and not proof.status):
        return ""
    return PASSED if covers(run.targets, run.own, folder) else ""


def covers(targets: Sequence[str], own: bool, folder: str) -> bool:
    """Return whether a run of these targets runs at least the tests of the folder."""
    for target in targets:
        if target == folder or (not own and target[:1] not in ("~", "\0") and _below(folder, target)):
            return True
        if target[:1] == "~" and folder and folder in (target[1:], folder.rpartition("/")[0] + "/" + _last(target[1:])):
            return True
        if target[:1] == "~" and folder and folder.rpartition("/")[2] == _last(target[1:]):
            return True
    return False


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _below(folder: str, above: str) -> bool:
    return not above or folder.startswith(above + "/")


def _inside(targets: Sequence[str], folder: str) -> bool:
    """Return whether some of the tests of the folder were run."""
    return any(not folder or target == folder or _below(target, folder) for target in targets)


def why_not(proof: Proof, ecosystem: str, folder: str, strict: bool) -> str:
    """Return why a run that was seen does not count for these tests; "" if it does, or runs another ecosystem's."""
    run = proof.run
    if ecosystem and run.of and run.of != ecosystem:
        return ""
    if proof.reason:
        return proof.reason
    if strict and not proof.status:
        return "the rule asks for its exit status, which something on the line hides"
    if not covers(run.targets, run.own, folder):
        where = run.targets[0] if run.targets and run.targets[0][:1] not in ("\0", "~", "") else ""
        return run.limited or (f"it ran the tests of `{where}`" if where else "it ran other tests")
    return ""
