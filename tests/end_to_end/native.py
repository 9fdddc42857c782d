"""Payloads → answers of a host's hook, in this process, for tests of many events that are not about processes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from policy_engine.adapters.base import Adapter, Answer
from policy_engine.hook_process.native import answered
from policy_engine.hook_process.response_writer import ResponseWriter
from policy_engine.hosts.layers import adapter_named

COMPLETION = {"gemini": "AfterAgent", "cursor": "stop"}
CALL = {"gemini": "BeforeTool", "cursor": "preToolUse"}
PROMPT = {"gemini": "BeforeAgent", "cursor": "beforeSubmitPrompt"}


class Timeless(ResponseWriter):
    """No clock runs: its alarm would end the tests."""

    __slots__ = ()

    def _within(self, limit: int) -> None:
        """Nobody waits."""


class Native:
    """One host in a home and a workspace of its own."""

    def __init__(self, host: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.adapter: Adapter = adapter_named(host)
        self.home, self.workspace = folder / "home", folder / "work"
        (self.workspace / ".policy").mkdir(parents=True)
        self.home.mkdir()
        monkeypatch.chdir(self.workspace)  # where the host of a call with a folder of its own runs
        monkeypatch.setenv("HOME", str(self.home))
        for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
            monkeypatch.delenv(name, raising=False)

    @property
    def state(self) -> Path:
        return self.home / ".local" / "state" / "policy-engine"

    def write_policy(self, text: str) -> None:
        path = self.workspace / ".policy" / "main.policy"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)

    def complete(self, answer: str = "done", **more: Any) -> Answer:
        return self.say(COMPLETION.get(self.adapter.name, "Stop"), last_assistant_message=answer, **more)

    def propose(self, command: str, **more: Any) -> Answer:
        tool = {"gemini": "run_shell_command", "cursor": "Shell"}.get(self.adapter.name, "Bash")
        native = CALL.get(self.adapter.name, "PreToolUse")
        return self.say(native, tool_name=tool, tool_input={"command": command}, **more)

    def prompt(self, **more: Any) -> Answer:
        return self.say(PROMPT.get(self.adapter.name, "UserPromptSubmit"), prompt="go on", **more)

    def refuses_completion(self, answer: Answer) -> bool:
        return self.adapter.denies(COMPLETION.get(self.adapter.name, "Stop"), answer)

    def refuses_call(self, answer: Answer) -> bool:
        return self.adapter.denies(CALL.get(self.adapter.name, "PreToolUse"), answer)

    def say(self, native: str, **fields: Any) -> Answer:
        """The answer to one payload."""
        payload = {"session_id": "s", "cwd": str(self.workspace), "hook_event_name": native, **fields}
        return answered(self.adapter, None, json.dumps(payload).encode(), Timeless(self.adapter, ""))
