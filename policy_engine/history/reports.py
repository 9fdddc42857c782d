"""Leave out what a run of tests writes into the folders of its reports: a report holds code, and is no source.

Only what a call made new in which tests ran; what is written there otherwise counts. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.history.suite import NAMESPACE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from policy_engine.history.facts import Fact
    from policy_engine.history.recorder import Recorder as History

REPORTS = "reports"
"""Within the room of runs of tests: the folders of reports that its runs made."""
_FOLDERS = ("coverage", "htmlcov", ".nyc_output", "test-results", "playwright-report", "cypress-report", "jest-report")
_MOST = 16


def without_reports(
    found: tuple[Fact, ...], facts: Sequence[Fact], is_new: Callable[[str], bool], history: History
) -> tuple[Fact, ...]:
    """Return what a comparison found at an event with these facts, without reports of runs that came or went.

    `is_new` says of a folder that nothing lay in it before.
    """
    ran = any(fact.kind == "tests" for fact in facts)
    made = history.state["rooms"].get(NAMESPACE, {}).get(REPORTS, [])
    result = []
    for fact in found if ran or made else ():
        path = fact.path
        folder = _folder(path.text) if path is not None else ""
        if folder and ran and fact.kind == "wrote" and folder not in made and len(made) < _MOST and is_new(folder):
            made = history.namespace(NAMESPACE)[REPORTS] = [*made, folder]
            history.dirty = True
        is_report = path is not None and folder in made and history.state["tables"]["paths"].get(path.real) is None
        if not (is_report and (ran or fact.kind == "deleted")):
            result.append(fact)
    return tuple(result) if ran or made else found


def _folder(relative: str) -> str:
    """Return the folder of reports in which a path lies, with those above it; "" if it lies in none."""
    parts = relative.split("/")[:-1]
    return next(("/".join(parts[: at + 1]) for at, part in enumerate(parts) if part in _FOLDERS), "")
