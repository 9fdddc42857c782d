"""The workspace of a session: named when the session begins, kept beside the store, never taken from a call.

Many hosts send as `cwd` the folder in which a call is made, and the model may choose that folder. So the first event
names the workspace, and every later one is decided by the policies that hold there. The first event is asked in this
order: what the host itself names in it (its own variable, its roots, the folder in which a session starts), the first
lines of the file in which the host records the session, the folder in which the host started the hook where its
payload names the call's, and only then the payload. Imported by the hook path.
"""

from __future__ import annotations

import posix

from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import read_json
from policy_engine.state.places import not_from, variable
from policy_engine.state.side_files import content, path_of, put, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Adapter
    from policy_engine.model.event import Event

FOLDER = "workspaces"
_RECORDS = 32  # lines of a host's record that are looked at; the folder stands in one of the first
_HELD = ("payload", "data", "context")  # objects in which a host's record may put it


class Beginning:
    """The record that a session's workspace gets, unless another event of the session makes it first.

    `certain`: more than the folder of a call names the workspace. `again`: there is a record, of a folder that is gone.
    """

    __slots__ = ("_again", "_certain", "_path", "workspace")

    def __init__(self, path: str, workspace: str, certain: bool, again: bool) -> None:
        self._path, self.workspace, self._certain, self._again = path, workspace, certain, again

    def keep(self) -> tuple[str, bool]:
        """Make the record; return what is wrong with it, and whether this event was the first.

        The workspace is from then on that of the record. Raises EventError where it cannot be kept and nothing but the
        folder of a call names it.
        """
        data = self.workspace.encode("utf-8", "surrogatepass") + b"\n"
        try:
            if self._again:
                replace(self._path, data)
            elif not put(self._path, data):
                self.workspace = _read(content(self._path) or b"")
                return "", False
        except OSError as error:
            if self._certain:
                return _unknown(error), False
            raise EventError("E-SESSION", _unknown(error)) from None
        return "", True


def workspace_of(event: Event, adapter: Adapter, payload: Any, session: str) -> tuple[str | None, Beginning | None]:
    """Return the folder whose policies hold for the session that an event names, and the record to make of it if the
    session has none.

    The folder is None if nobody has named one yet. What cannot be kept is asked anew at every event, and that is said:
    the rules that hold where the host is decide as ever.

    Raises:
        EventError: the folder was named before and cannot be read, and the host does not name it.
    """
    from policy_engine.loading.live import repository

    named = event.workspace
    if named is not None and named[:1] != "/":
        # of another system: the policies of a path that does not exist here are refused elsewhere
        return named, None
    stated = named is not None and _states(event, adapter, payload)
    try:
        path = path_of(FOLDER, session)
        kept = content(path)
        if kept is not None and not _begins_elsewhere(event, stated, kept):
            return _read(kept), None
    except OSError as error:
        if stated and named is not None:
            return repository(named), None
        raise EventError("E-SESSION", _unknown(error)) from None
    if named is None:
        return None, None
    folder = repository(named if stated else _first(event, adapter, payload, named))
    not_from(folder)
    certain = stated or event.hook == "prompt" or bool(_recorded(payload)) or _runs_in(folder)
    return folder, Beginning(path, folder, certain, kept is not None)


def _unknown(error: OSError) -> str:
    return f"in which workspace the session began cannot be known: {error.strerror or error}"


def _read(data: bytes) -> str:
    """The folder in a record. Raises OSError if it is none."""
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = ""
    if text[:1] != "/" or text[-1:] != "\n" or "\n" in text[:-1]:
        raise OSError("the record of the session is damaged")
    return text[:-1]


def _states(event: Event, adapter: Adapter, payload: Any) -> bool:
    """Return whether the host names the session's folder in this event, and not only the folder of a call."""
    if event.hook == "session_start" and event.raw.get("source") != "compact":
        return True
    if adapter.workspace_key and type(payload) is dict and payload.get(adapter.workspace_key):
        return True
    return bool(adapter.workspace_variable and variable(adapter.workspace_variable))


def _begins_elsewhere(event: Event, stated: bool, kept: bytes) -> bool:
    """Return whether a person takes the session up in another folder since the one where it began is gone."""
    if event.hook != "session_start" or not stated or event.workspace is None:
        return False
    try:
        posix.stat(_read(kept))
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def _first(event: Event, adapter: Adapter, payload: dict[str, Any], named: str) -> str:
    """The folder in which a session began whose beginning was not seen."""
    recorded = _recorded(payload)
    if recorded:
        return recorded
    if adapter.cwd_of_call and event.tool_name is not None:
        try:
            here = posix.getcwd()
        except OSError as error:
            raise EventError("E-PATH", f"the folder in which the host runs is gone: {error.strerror}") from None
        if here != "/":  # the HTTP door's, which says nothing
            return here
    return named


def _recorded(payload: dict[str, Any]) -> str:
    """The folder that the first lines of the host's record of the session name, empty if they name none."""
    from policy_engine.hook_process.host_record import head

    for line in head(payload.get("transcript_path")).split(b"\n")[:_RECORDS]:
        try:
            record: Any = read_json(line) if line else None
        except EventError:
            continue
        while type(record) is dict:
            folder = record.get("cwd")
            if type(folder) is str and folder[:1] == "/" and "\n" not in folder and "\0" not in folder:
                return folder
            record = next((record[key] for key in _HELD if type(record.get(key)) is dict), None)
    return ""


def _runs_in(folder: str) -> bool:
    """Return whether the host started the hook in this workspace: what names it is not the folder of a call alone."""
    from policy_engine.loading.live import repository

    try:
        return repository(posix.getcwd()) == folder
    except OSError:
        return False
