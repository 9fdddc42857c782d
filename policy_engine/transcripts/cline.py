"""Cline's conversations: the document of its command line, or the list that its editor extension keeps.

The extension's older models write their calls as XML into the text; what came of one stands in the next message. The
folder is in the document beside the messages, or in the first message's details of the environment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from policy_engine.adapters.base import result_text
from policy_engine.adapters.cline import ADAPTER
from policy_engine.model.errors import EventError
from policy_engine.transcripts.base import Conversation, Line, Object, Recorded, Transcript, damaged, unknown

_EXTENSION = "User/globalStorage/saoudrizwan.claude-dev/tasks/*/api_conversation_history.json"
_ROLES = frozenset(("user", "assistant"))
_ASKED = re.compile(r"<(?:user_input[^>]*|task|user_message|feedback|answer)>\s*(.*?)\s*</", re.DOTALL)
_FOLDER = re.compile(r"# Current Working Directory \(([^)\n]+)\)")
_CALL = re.compile(
    r"<(execute_command|write_to_file|replace_in_file|read_file|list_files|search_files"
    r"|list_code_definition_names|use_mcp_tool|access_mcp_resource|browser_action|new_task)>(.*?)</\1>",
    re.DOTALL,
)
_ARGUMENT = re.compile(r"<(\w+)>(.*?)</\1>", re.DOTALL)
_DONE = re.compile(r"<attempt_completion>\s*<result>(.*?)</result>", re.DOTALL)
_RESULT = re.compile(r"\[(\w+)(?: for '[^\n]*')?\] Result:\n?")
_NAMES = {"write_to_file": "editor", "replace_in_file": "editor", "read_file": "read_files"}
_CODE = re.compile(r"(?:exited with|[Ee]xit) code:? (\d+)")


def _knows(value: Object) -> bool:
    if value.get("role") in _ROLES and "content" in value:
        return "type" not in value and "message" not in value
    return isinstance(value.get("messages"), list) and "agent" in value and "sessionId" in value


def _events(lines: Iterable[Line], path: str) -> Iterator[Recorded]:
    session: Conversation | None = None
    number = 0
    for number, value in lines:
        if isinstance(value, EventError):
            yield damaged(number, value)
            continue
        whole = isinstance(value.get("messages"), list)
        if session is None:
            session = _begun(value, path)
            yield from session.begin(number)
        for index, message in enumerate(value["messages"] if whole else [value], 1):
            if isinstance(message, dict) and message.get("role") in _ROLES:
                yield from _message(index if whole else number, session, message)
            else:
                yield unknown(number, "message")
    if session is not None:
        yield from session.complete(number)


def _begun(value: Object, path: str) -> Conversation:
    name = str(value.get("sessionId") or (Path(path).parent.name if path else "") or "cline")
    folder = _beside(path)
    match = _FOLDER.search(result_text(value.get("content")))
    return Conversation(
        ADAPTER, name, folder or (match[1] if match else ""), _payload,
        start="TaskStart", asked="UserPromptSubmit", stop="TaskComplete",
    )  # fmt: skip


def _beside(path: str) -> str:
    """Return the folder of the document of the session, "" if it is not there."""
    if not path.endswith(".messages.json"):
        return ""
    try:
        about = json.loads(Path(path.removesuffix(".messages.json") + ".json").read_text("utf-8"))
    except (OSError, ValueError):
        return ""
    root = about.get("workspace_root") if isinstance(about, dict) else None
    return root if isinstance(root, str) else ""


def _payload(session: Conversation, native: str, facts: Object) -> Object:
    folder = session.folder or "/"
    payload: Object = {"taskId": session.name, "workspaceInfo": {"rootPath": folder}, "workspaceRoots": [folder]}
    if native in (session.before, session.after):
        about = {"id": facts["tool_use_id"], "name": facts["tool_name"], "input": facts["tool_input"]}
        return {**payload, "tool_call" if native == session.before else "tool_result": {**about, **facts}}
    if native == session.asked:
        return {**payload, "userPromptSubmit": {"prompt": facts["prompt"]}}
    return {**payload, "turn": {"outputText": facts.get("last_assistant_message", "")}}


def _message(number: int, session: Conversation, message: Object) -> Iterator[Recorded]:
    content, stamp = message.get("content"), message.get("ts")
    if isinstance(stamp, int) and 0 < stamp < 10**14:
        moment = datetime.fromtimestamp(stamp / 1000, UTC).isoformat(timespec="milliseconds")
        session.time = moment.replace("+00:00", "Z")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    for block in blocks:
        if not isinstance(block, dict):
            continue
        kind, text = block.get("type"), str(block.get("text") or "")
        if kind == "tool_use":
            yield from session.call(number, str(block.get("id")), str(block.get("name")), block.get("input"))
        elif kind == "tool_result":
            yield from _ended(number, session, str(block.get("tool_use_id")), block.get("content"))
        elif kind == "text" and message["role"] == "assistant":
            yield from _said(number, session, text)
        elif kind == "text":
            yield from _heard(number, session, text)


def _ended(number: int, session: Conversation, identity: str, content: Any) -> Iterator[Recorded]:
    output = content
    if isinstance(content, str) and content.startswith(("{", "[")):
        try:
            output = json.loads(content)
        except ValueError:
            output = content
    yield from session.ended(number, identity, {"output": output})


def _said(number: int, session: Conversation, text: str) -> Iterator[Recorded]:
    """The agent's words, and the calls in them."""
    done = _DONE.search(text)
    session.answer = done[1] if done else text
    for order, match in enumerate(_CALL.finditer(text)):
        tool, given = match[1], {name: value.strip("\n") for name, value in _ARGUMENT.findall(match[2])}
        arguments: Object = dict(given)
        if tool == "write_to_file":
            arguments = {"path": given.get("path"), "new_text": given.get("content")}
        elif tool == "replace_in_file":
            arguments = {"path": given.get("path"), "new_text": given.get("diff"), "old_text": ""}
        elif tool == "read_file":
            arguments = {"files": [{"path": given.get("path")}]}
        name = _NAMES.get(tool, tool)
        yield from session.call(number, f"{number}.{order}.{tool}", name, arguments)


def _heard(number: int, session: Conversation, text: str) -> Iterator[Recorded]:
    """Return what a person wrote, or what came of the calls before."""
    head = _RESULT.match(text)
    if head is not None:
        identity = next((each for each in session.calls if each.endswith(f".{head[1]}")), "")
        rest = text[head.end() :]
        codes = _CODE.findall(rest)
        result: Object = {"text": rest, "status": "unknown"}
        if head[1] == "execute_command" and codes and not rest.lstrip().startswith("Command is still running"):
            number_of = int(codes[-1])
            result.update(ok=number_of == 0, exit_code=number_of, status="completed" if number_of == 0 else "failed")
        yield from session.ended(number, identity, {"output": rest}, result=result)
        return
    asked = _ASKED.search(text)
    if asked is not None:
        yield from session.prompt(number, asked[1])
    elif not text.startswith(("<environment_details>", "[", "<")):
        yield from session.prompt(number, text)


TRANSCRIPT = Transcript(
    "Cline",
    _knows,
    _events,
    (
        ".cline/data/sessions/*/*.messages.json",
        f".config/Code/{_EXTENSION}",
        f"Library/Application Support/Code/{_EXTENSION}",
    ),
)
