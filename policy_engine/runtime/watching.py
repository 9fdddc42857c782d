"""Compare the workspace with its snapshot at an event: facts of what was written and deleted unseen.

A shell call, a tool whose access is not known, a sub-agent, a person with an editor: what they leave behind is found by
comparing the workspace with the session's last snapshot. What a file tool reports is only brought up to date. Imported
by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.file_system import Disk
from policy_engine.filesystem.paths import PathValue
from policy_engine.history.facts import Fact, ended
from policy_engine.history.snapshot import Snapshot, changes, is_current, taken, update
from policy_engine.history.suite import NAMESPACE, note_began
from policy_engine.history.watch import Watch
from policy_engine.model.points import COMPLETIONS
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.model.event import Event
    from policy_engine.runtime.session import Session

PART = "files"
ACTED = "acted"
"""Within the room of runs of tests: a call of the session may have written, then or by what it started."""
_REPORTING = ("claude-code", "codex")
"""Hosts that report every call that may write."""
COMPARED = frozenset(("session_start", "prompt", "before_completion", "subagent_completion", "after_verification"))
"""Points, beside the ends of tool calls, at which the workspace is compared."""
REPORTED = ("write", "edit", "read", "search", "fetch", "todo")
"""Kinds of tools that touch the files they name and no others."""
_READING = ("read", "search", "fetch", "todo")


class Seen:
    """The result of a comparison; `whole` says that nothing escaped it, so that no command need be guessed."""

    __slots__ = ("facts", "whole", "_root", "_watch", "_before")

    def __init__(
        self, facts: tuple[Fact, ...], whole: bool, root: str, watch: Watch, before: Snapshot | None = None
    ) -> None:
        self.facts = facts
        self._before = before
        self.whole = whole
        self._root = root
        self._watch = watch

    def is_new(self, folder: str) -> bool:
        """Return whether the comparison knows that nothing was looked at in a folder before."""
        before = self._before
        return before is not None and not any(f"{one}/".startswith(f"{folder}/") for one in before.folders)

    def covers(self, path: PathValue) -> bool:
        """Return whether a change of the path would have been found."""
        if not self.whole:
            return False
        if not path.known:
            return not self._watch.outside
        start = self._root + "/"
        if not path.real.startswith(start):
            return False
        return path.recursive or self._watch.covers(path.real[len(start) :])


def look(
    watch: Watch,
    event: Event,
    filesystem: FileSystem,
    session: Session,
    commands: Callable[[], Any],
    early: bool = False,
) -> Seen | None:
    """Compare, or bring up to date; None where nothing is compared. `commands` are those of a shell call; `early`
    compares before a call too.
    """
    parts = session.parts
    if event.hook in ("before_tool", "after_tool") and _may_write(event, commands):
        _note_acted(session)
    if parts is None or not isinstance(filesystem, Disk) or session.history.replayed(event):
        return None
    before: Snapshot | None = None
    root = ""
    try:
        root = filesystem.real_workspace
        state = parts.get(PART)
        before = Snapshot.restored(state) if state is not None and state[0] == watch.scope else None
        if before is None or early or _compares(event):
            return _compared(watch, event, filesystem, before, session)
        linked = _bring_up_to_date(watch, event, filesystem, before, session)
        return Seen(tuple(_fact("wrote", path, root, event) for path in linked), False, root, watch) if linked else None
    except Undecided:
        if early or _compares(event):
            from policy_engine.history.doubt import doubt_paths

            doubt_paths(session.history)
        return Seen((), False, root, watch)


def is_known(watch: Watch, path: str, filesystem: FileSystem, session: Session) -> bool:
    """Return whether the last comparison saw a file (its canonical path) as it is now; nothing changed it unseen."""
    if session.parts is None or not isinstance(filesystem, Disk):
        return True
    try:
        root = filesystem.real_workspace
        state = session.parts.get(PART)
        if state is None or state[0] != watch.scope:
            return False
        inside = path.startswith(root + "/")
        return inside and is_current(Snapshot.restored(state), root, watch, path[len(root) + 1 :])
    except Undecided:
        return False


def _compares(event: Event) -> bool:
    return event.hook in COMPARED or (
        event.hook == "after_tool"
        and (
            event.tool_kind not in REPORTED
            or event.unproven
            or (event.tool_kind in ("write", "edit") and ended(event) != "completed")  # a part may have been written
        )
    )


def _compared(watch: Watch, event: Event, filesystem: FileSystem, before: Snapshot | None, session: Session) -> Seen:
    root = filesystem.real_workspace
    now = taken(root, watch, before)
    differences = changes(before, now, root, watch) if before is not None else []
    if before is not None and differences:
        from policy_engine.history.file_times import note_times

        note_times(((path, before.holds(path)) for kind, path in differences if kind == "wrote"), session.history,
                   filesystem)  # fmt: skip
    if before is None or differences or now.pruned != before.pruned:
        _keep(session, now)
    if before is None and session.parts is not None:
        note_began(session.parts, now, session.history.namespace(NAMESPACE), filesystem)
    if before is not None and session.history.unsettled:
        from policy_engine.history.doubt import settle

        settle(session.history)
    elif before is None and session.history.incomplete:
        from policy_engine.history.doubt import settle_absent

        settle_absent(session.history, now)
    found = tuple(_fact(kind, path, root, event) for kind, path in differences)
    if (event.hook in COMPLETIONS or event.hook in ("after_tool", "prompt")) and _only_asked(event, session):
        found = ()
    return Seen(found, before is not None, root, watch, before)


def _may_write(event: Event, commands: Callable[[], Any]) -> bool:
    """Return whether a call may write a file, or start what does so later."""
    if event.changes:
        return True
    if event.tool_kind != "shell":
        return event.tool_kind not in _READING
    from policy_engine.effects.command import effects_of

    try:
        return not all(effects_of(command).read_only for command in commands())
    except (Undecided, TypeError):
        return True


def _note_acted(session: Session) -> None:
    room = session.history.namespace(NAMESPACE)
    if not room.get(ACTED):
        room[ACTED] = session.history.dirty = True


def _only_asked(event: Event, session: Session) -> bool:
    """Return whether no call of the session can have written anything: what changed is another's, or a person's."""
    history = session.history
    if "lost" in event.raw or "open" in event.raw or history.unsettled or history.incomplete:
        _note_acted(session)
    if event.unproven:
        return False
    return event.host_name in _REPORTING and not history.namespace(NAMESPACE).get(ACTED)


def _fact(kind: str, relative: str, root: str, event: Event) -> Fact:
    fact = Fact(kind, event)
    fact.path = PathValue(relative, f"{root}/{relative}")
    return fact


def _bring_up_to_date(
    watch: Watch, event: Event, filesystem: FileSystem, before: Snapshot, session: Session
) -> list[str]:
    """Take what the tool reported into the snapshot; return the links that lead to a file that it wrote."""
    from policy_engine.history.tool_calls import named_paths

    ended = event.hook == "after_tool"  # a proposed call wrote nothing: what changed its file is still to be found
    named = [text for text, access, _ in named_paths(event) if access != "read"] if ended else []
    paths = [filesystem.resolve(text, event.cwd) for text in named]
    paths += [filesystem.resolve(item["path"], event.workspace) for item in event.changes or ()]
    root = filesystem.real_workspace
    updated = [one for path in paths for one in update(before, root, watch, path.real)]
    if updated:
        _keep(session, before)
        from policy_engine.history.file_times import note_times

        note_times(((path, True) for path in updated), session.history, filesystem)
    own = {path.real for path in paths}
    return sorted(path for path in {*updated} if f"{root}/{path}" not in own and watch.covers(path))


def _keep(session: Session, snapshot: Snapshot) -> None:
    if session.parts is not None:
        session.parts[PART] = snapshot.state()
        session.history.dirty = True
