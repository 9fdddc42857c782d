"""opencode's sessions: what `opencode export` writes, and the database in which the client keeps them.

A session that a call started says so (`parentID`): what it does is a sub-agent's. The place of an event is the number
of its message.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

from policy_engine.adapters.opencode import ADAPTER
from policy_engine.model.errors import ConfigurationError, EventError
from policy_engine.transcripts.base import Conversation, Line, Object, Recorded, Transcript, damaged, unknown

_SILENT = frozenset(
    (
        "agent", "compaction", "file", "patch", "reasoning", "retry", "snapshot", "step-finish", "step-start",
        "subtask", "text",
    )
)  # fmt: skip
_ENDED = frozenset(("completed", "error"))
_SESSIONS = "select id, directory, parent_id from session order by time_created, id"
_PARTS = (
    "select m.id, m.data, p.data from message m left join part p on p.message_id = m.id"
    " where m.session_id = ? order by m.time_created, m.id, p.id"
)


def _knows(value: Object) -> bool:
    info = value.get("info")
    return isinstance(info, dict) and isinstance(value.get("messages"), list) and "directory" in info


def _events(lines: Iterable[Line], _path: str) -> Iterator[Recorded]:
    for number, value in lines:
        if isinstance(value, EventError):
            yield damaged(number, value)
        elif _knows(value):
            yield from _session(value["info"], value["messages"])
        else:
            yield unknown(number, value.get("type"))


def _tables(path: str) -> Iterator[Object]:
    """Yield the sessions of a database in the form of an export. Raises ConfigurationError."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as base:
            for name, folder, parent in base.execute(_SESSIONS).fetchall():
                messages: dict[str, Object] = {}
                for message, about, part in base.execute(_PARTS, (name,)):
                    held = messages.setdefault(message, {"info": json.loads(about), "parts": []})
                    if part is not None:
                        held["parts"].append(json.loads(part))
                info = {"id": name, "directory": folder, **({"parentID": parent} if parent else {})}
                yield {"info": info, "messages": list(messages.values())}
    except (sqlite3.Error, ValueError) as problem:
        raise ConfigurationError(f"cannot read `{path}`: {str(problem).lower()}") from None


def _payload(session: Conversation, native: str, facts: Object) -> Object:
    """Return the two arguments of the plugin's hook, in the bridge's form."""
    payload: Object = {"directory": session.folder, **({"parent": session.agent} if session.agent else {})}
    if native == session.start:
        return {**payload, "input": {"event": {"properties": {"sessionID": session.name}}}, "output": {}}
    if native == session.stop:
        return {**payload, "input": {"event": {"properties": {"sessionID": session.name}}}, "output": {}}
    given: Object = {"sessionID": session.name}
    if native == session.asked:
        return {**payload, "input": given, "output": {"parts": [{"type": "text", "text": facts["prompt"]}]}}
    given.update(tool=facts["tool_name"], callID=facts["tool_use_id"], args=facts["tool_input"])
    output = {"args": facts["tool_input"]} if native == session.before else facts.get("output", {})
    return {**payload, "input": given, "output": output}


def _session(info: Object, messages: list[Any]) -> Iterator[Recorded]:
    session = Conversation(
        ADAPTER, str(info.get("id")), str(info.get("directory") or ""), _payload,
        start="event.session.created", asked="chat.message", before="tool.execute.before",
        after="tool.execute.after", stop="event.session.idle", agent=str(info.get("parentID") or ""),
    )  # fmt: skip
    yield from session.begin(1)
    number = 1
    for number, message in enumerate(messages, 1):
        about = message.get("info") if isinstance(message, dict) else None
        if not isinstance(about, dict):
            yield unknown(number, "message")
            continue
        session.time = _time(about.get("time"), "created") or session.time
        parts = [each for each in message.get("parts") or () if isinstance(each, dict)]
        texts = [each for each in parts if each.get("type") == "text" and not each.get("synthetic")]
        text = "\n".join(str(each.get("text") or "") for each in texts)
        if about.get("role") == "user":
            yield from session.prompt(number, text)
        else:
            session.answer = text or session.answer
        for part in parts:
            yield from _part(number, session, part)
    yield from session.complete(number)


def _part(number: int, session: Conversation, part: Object) -> Iterator[Recorded]:
    kind, state = part.get("type"), part.get("state")
    if kind != "tool" or not isinstance(state, dict):
        if kind not in _SILENT:
            yield unknown(number, kind)
        return
    identity, given = str(part.get("callID")), state.get("input")
    session.time = _time(state.get("time"), "start") or session.time
    folder = given.get("workdir") if isinstance(given, dict) else None
    yield from session.call(number, identity, str(part.get("tool")), given, folder if isinstance(folder, str) else "")
    if state.get("status") in _ENDED:
        session.time = _time(state.get("time"), "end") or session.time
        failed = state["status"] == "error"
        text = str(state.get("error") if failed else state.get("output") or "")
        result: Object | None = {"ok": False, "text": text, "status": "failed"} if failed else None
        payload = {"output": {"output": text, "metadata": state.get("metadata")}}
        yield from session.ended(number, identity, payload, result=result)


def _time(about: Any, name: str) -> str | None:
    stamp = about.get(name) if isinstance(about, dict) else None
    if not isinstance(stamp, int | float) or not 0 < stamp < 1e14:
        return None
    return datetime.fromtimestamp(stamp / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


TRANSCRIPT = Transcript("opencode", _knows, _events, (".local/share/opencode/opencode.db",), _tables)
