"""Decide made-up calls in a process that waits for an event, so that the event finds its memory ready.

A forked process copies each page of its parent when it first touches it; over a decision that costs two to three times
the decision. What is decided here is told to nobody and kept nowhere, and it runs no program of a policy.
"""

from __future__ import annotations

import os

from policy_engine.audit.secret_signs import may_hold_secret
from policy_engine.cache.reader import open_program, read_head
from policy_engine.evaluators.base import Program
from policy_engine.hook_process.hook_entry import find_adapter
from policy_engine.model.event import Event
from policy_engine.model.strict_json import read_json, write_json
from policy_engine.runtime.engine import Engine
from policy_engine.runtime.names import LazyNames
from policy_engine.runtime.session import MemorySessions
from policy_engine.state.places import cache_folder, serve_folder

HOST, NATIVE = "claude-code", "PreToolUse"
CALLS: tuple[tuple[str, dict[str, str]], ...] = (
    ("Read", {"file_path": "src/a.py"}),
    ("Bash", {"command": "cd src && git log --oneline -3 'a b' 2>&1 | head -3"}),
)


def rehearse() -> None:
    """Decide the calls by the policies that were last in force; whatever fails, the event says why.

    Their workspace is the folder of the resident process, which holds a socket or two: rules may have the whole
    workspace listed, and a process that lists `/` is not ready for an event for a second.
    """
    try:
        program, workspace = _latest_program(), serve_folder()
        adapter = find_adapter(HOST)
        assert adapter is not None
        engine = Engine(lambda: (program, ()), MemorySessions(), workspace, lambda: 0)
        for tool, arguments in CALLS:
            payload = {
                "session_id": "rehearsal", "cwd": workspace, "hook_event_name": NATIVE, "tool_name": tool,
                "tool_input": arguments, "tool_use_id": "rehearsal",
            }  # fmt: skip
            event = Event.from_dict(adapter.decode(read_json(write_json(payload)), None, {}))
            event.time = 0
            decision = engine.decide(event)
            may_hold_secret(write_json(decision.to_dict()))
            adapter.encode(decision, NATIVE, event)
    except Exception:
        return


def _latest_program() -> Program:
    """Raises OSError or CacheMiss where nothing is compiled yet."""
    with os.scandir(f"{cache_folder()}/active") as entries:
        newest = max(entries, key=lambda entry: entry.stat().st_mtime_ns)
    return open_program(read_head(newest.path), LazyNames(), _not_compiled)


def _not_compiled() -> Program:
    raise LookupError
