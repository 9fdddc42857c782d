"""Tell whether a session began before what is kept of it here, by what else knows it. Such a session's past is lost.

The record of a session's workspace is the first file that is made for it. Where there is none at an event, the session
begins, or somebody removed the record. Asked once, then: the store, the latest sessions of the workspace in the cache,
and the file in which the host records the session, which has the results of earlier calls. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.hook_process.floor_records import latest
from policy_engine.hook_process.host_record import head, tail
from policy_engine.loading.settings_source import store_place
from policy_engine.model.store_address import is_server
from policy_engine.runtime.stored_sessions import open_store
from policy_engine.state.own_file import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.model.event import Event

ADVICE = "What was proven before has to be proven again; where that cannot be done, a person runs `policy accept`"
_BEGINNINGS = (None, "startup", "clear", "fork")  # sources of a start of which the record is honestly new
_RESULTS = (
    b'"tool_result"', b'"toolUseResult"', b'"function_call_output"', b'"custom_tool_call_output"',
    b'"exec_command_end"', b'"functionResponse"', b'"tool.execution_complete"',
)  # fmt: skip
"""What hosts call the end of a tool call in their records; within a text its quotation marks would be escaped."""


def missing_record(event: Event, payload: Any, active: str) -> str:
    """Return who knows a session of which nothing was kept, in a sentence; empty if it begins.

    `active` names the policies of its workspace.
    """
    source = event.raw.get("source")
    if event.hook == "session_start" and source in _BEGINNINGS:
        return ""
    who = _who_knows(event, payload, active)
    if not who:
        return ""
    return f"the record of this session is missing: {who}, and nothing of it is kept here. {ADVICE}"


def _who_knows(event: Event, payload: Any, active: str) -> str:
    if any(one.session == event.session for one in latest(active)):
        return "the cache knows it"
    place = store_place()
    if (is_server(place) or exists(place)) and open_store(place).knows(event.session):
        taken_up = is_server(place) and event.hook == "session_start"  # on another machine it began; its past is there
        return "" if taken_up else "the store knows it"
    record = payload.get("transcript_path") if type(payload) is dict else None
    return "the host's own record shows calls that ended before" if _shows_results(record) else ""


def _shows_results(place: object) -> bool:
    """Return whether the file in which a host records its session has the end of a call, at its end or beginning."""
    return any(word in data for data in (tail(place), head(place)) for word in _RESULTS)
