"""Claude Code's own transcripts, `<session>.jsonl`: its messages as the hook payloads that they would have been.

A call is proposed with `tool_use` and ends with `tool_result`; the line of the result has what the tool gave back as
`toolUseResult`, if it ended well. The last text of the agent before the next prompt, or before the end, is its answer.
What the client wrote itself (`isMeta`, summaries, local commands) is no prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from policy_engine.adapters.base import result_text
from policy_engine.adapters.claude_code import ADAPTER
from policy_engine.model.errors import EventError
from policy_engine.transcripts.base import Line, Object, Recorded, Transcript, damaged, unknown

_SPOKEN = frozenset(("user", "assistant", "system"))
_SILENT = frozenset(
    (
        "agent-color", "agent-name", "agent-setting", "ai-title", "attachment", "attribution-snapshot",
        "content-replacement", "cost-state", "custom-title", "file-history-delta", "file-history-snapshot",
        "last-prompt", "mode", "permission-mode", "pr-link", "progress", "queue-operation", "saved_hook_context",
        "speculation-accept", "started", "summary", "tag", "task-summary", "worktree-state",
    )
)  # fmt: skip
"""Kinds of lines in which the client keeps what is no event; so does every other line without a message."""
_NO_PROMPT = ("<local-command", "<command-", "<bash-", "[Request interrupted", "<task-notification>")


@dataclass(slots=True)
class _Session:
    """Keep what later lines of a session need: its folder, calls without a result, and the answer so far."""

    folder: str
    calls: dict[str, tuple[str, Object]] = field(default_factory=dict)
    answer: str = ""
    last: Object = field(default_factory=dict)


def _knows(value: Object) -> bool:
    if value.get("type") in _SILENT:
        return "message" not in value
    message = value.get("message")
    return (
        value.get("type") in _SPOKEN
        and "sessionId" in value
        and not ((isinstance(message, dict) and "parts" in message) or "provenance" in value)
    )


def _events(lines: Iterable[Line], _path: str) -> Iterator[Recorded]:
    sessions: dict[str, _Session] = {}
    number = 0
    for number, value in lines:
        if isinstance(value, EventError):
            yield damaged(number, value)
            continue
        name, folder = value.get("sessionId"), value.get("cwd")
        if value.get("type") not in _SPOKEN:
            if "message" in value and value.get("type") not in _SILENT:
                yield unknown(number, value.get("type"))
            continue
        if not isinstance(name, str) or (name not in sessions and not isinstance(folder, str)):
            continue
        session = sessions.get(name)
        if session is None:
            session = sessions[name] = _Session(str(folder))
            yield from _decoded(number, session, _payload(value, session, "SessionStart", source="startup"), value)
        for payload in _payloads(value, session):
            yield from _decoded(number, session, payload, value)
    for session in sessions.values():
        for payload in _completion(session.last, session):
            yield from _decoded(number, session, payload, session.last)


def _decoded(number: int, session: _Session, payload: Object, line: Object) -> Iterator[Recorded]:
    try:
        event = ADAPTER.decode(payload, None, {"CLAUDE_PROJECT_DIR": session.folder})
    except EventError as error:
        yield Recorded(number, error)
        return
    if event is not None:
        if isinstance(line.get("timestamp"), str):
            event["time"] = line["timestamp"]
        yield Recorded(number, event)


def _payloads(line: Object, session: _Session) -> Iterator[Object]:
    message = line.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    if line.get("type") == "assistant":
        yield from _said(line, session, blocks)
    elif line.get("type") == "user":
        results = [block for block in blocks if block.get("type") == "tool_result"]
        for block in results:
            yield from _ended(line, session, block, len(results) == 1)
        if not results and not line.get("isSidechain"):
            yield from _prompt(line, session, content if isinstance(content, str) else result_text(blocks))
    elif line.get("type") == "system" and line.get("subtype") == "compact_boundary":
        yield _payload(line, session, "PostCompact", trigger="auto")


def _said(line: Object, session: _Session, blocks: list[Object]) -> Iterator[Object]:
    for block in blocks:
        if block.get("type") == "tool_use":
            name, given, call = block.get("name"), block.get("input"), str(block.get("id"))
            session.calls[call] = (str(name), given if isinstance(given, dict) else {})
            yield _payload(line, session, "PreToolUse", tool_name=name, tool_input=given, tool_use_id=call)
            session.answer = "" if not line.get("isSidechain") else session.answer
        elif block.get("type") == "text" and isinstance(block.get("text"), str) and not line.get("isSidechain"):
            session.answer, session.last = block["text"], line


def _ended(line: Object, session: _Session, block: Object, alone: bool) -> Iterator[Object]:
    call = str(block.get("tool_use_id"))
    name, given = session.calls.pop(call, ("", {}))
    if not name:
        return  # its beginning is in another file
    text = result_text(block.get("content"))
    known: Object = {"tool_name": name, "tool_input": given, "tool_use_id": call}
    if block.get("is_error"):
        yield _payload(line, session, "PostToolUseFailure", error=text, **known)
    else:
        response = line.get("toolUseResult") if alone else None
        yield _payload(line, session, "PostToolUse", tool_response=text if response is None else response, **known)


def _prompt(line: Object, session: _Session, text: str) -> Iterator[Object]:
    if line.get("isMeta") or line.get("isCompactSummary") or not text:
        return
    if text.startswith("[Request interrupted"):
        session.answer = ""
    if not text.startswith(_NO_PROMPT):
        yield from _completion(line, session)
        yield _payload(line, session, "UserPromptSubmit", prompt=text)


def _completion(line: Object, session: _Session) -> Iterator[Object]:
    answer, session.answer = session.answer, ""
    if answer:
        yield _payload(session.last or line, session, "Stop", last_assistant_message=answer)


def _payload(line: Object, session: _Session, native: str, **more: Any) -> Object:
    payload: Object = {
        "session_id": line["sessionId"],
        "cwd": line.get("cwd") or session.folder,
        "hook_event_name": native,
        **more,
    }
    if line.get("isSidechain"):
        payload["agent_id"] = str(line.get("agentId") or "sidechain")
    return payload


TRANSCRIPT = Transcript("Claude Code", _knows, _events, (".claude/projects/**/*.jsonl",))
