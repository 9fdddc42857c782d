"""Keep which sources a command in the background is known to write, and has not written yet.

A run of tests before that write says nothing of what the write leaves. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.history.facts import Fact
from policy_engine.model.test_names import ecosystem_of
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.model.event import Event
    from policy_engine.test_runs.classify import Run

LATE = "late"
"""Within the room of runs of tests: such sources, each with the time of the event before, in ms, and the command."""
_MOST = 32
_NS = 1_000_000  # in a millisecond


def note_late(facts: Iterable[Fact], namespace: dict[str, Any], last: int | None) -> None:
    """Enter what commands in the background will write; at a prompt a person goes on."""
    for fact in facts:
        if fact.kind == "prompted":
            namespace.pop(LATE, None)
        elif fact.kind == "command" and fact.command is not None and fact.command.background and last:
            if fact.outcome == "blocked":
                continue
            from policy_engine.test_runs.installed import written_by

            for real in written_by(fact.command):
                kept = namespace.setdefault(LATE, {})
                if ecosystem_of(real) and (real in kept or len(kept) < _MOST):
                    kept[real] = last, fact.command.text[:60]


def will_write(facts: Iterable[Fact], event: Event, filesystem: FileSystem | None) -> list[Fact]:
    """Return the writes that commands in the background will make of sources: a run of tests before is too early."""
    found: list[Fact] = []
    pending = [fact.command for fact in facts if fact.kind == "command" and fact.outcome == "pending"]
    if not pending or filesystem is None or event.hook != "after_tool":
        return found
    from policy_engine.test_runs.installed import written_by

    sources = [real for command in pending if command is not None for real in written_by(command) if ecosystem_of(real)]
    for real in sources[:_MOST]:
        try:
            relative = filesystem.relative(PathValue(real, real))
        except Undecided:
            continue
        if relative is not None:
            found.append(Fact("wrote", event))
            found[-1].path = PathValue(relative, real)
    return found


def why_late(run: Run, namespace: dict[str, Any], filesystem: FileSystem) -> str:
    """Return why a source may still change that a run tested; "" if none may."""
    kept = namespace.get(LATE, {})
    for real, (since, text) in list(kept.items()):
        times = filesystem.times(PathValue(real, real))
        if times is not None and times[1] > since * _NS:
            del kept[real]
        elif run.of in ("", ecosystem_of(real)):
            return f"`{text}` runs in the background and has not written `{real.rpartition('/')[2]}` yet"
    return ""
