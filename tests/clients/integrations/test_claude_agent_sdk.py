"""The integration with the Claude Agent SDK: the real client that comes with it, against a scripted model."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

pytest.importorskip("claude_agent_sdk", reason="claude-agent-sdk is not installed: `make test-clients`")

from claude_agent_sdk import (
    ClaudeAgentOptions,
    ClaudeSDKClient,
    PermissionResultAllow,
    PermissionResultDeny,
    ResultMessage,
)

from policy_engine.integrations.claude_agent_sdk import policy_hooks
from tests.clients.integrations.play import Played, Script, Tools, Use
from tests.clients.integrations.scenarios import Scenarios
from tests.clients.models.anthropic import WIRE
from tests.clients.models.base import TASK, Call, Model

QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "IS_SANDBOX": "1"}


def turn(one: Use | str, tools: Tools) -> Call | str:
    """A turn in the client's own tools."""
    if isinstance(one, str):
        return one
    args, place = one.args, str(tools.folder / one.args.get("path", ""))
    if one.tool == "run":
        return Call("Bash", {"command": args["command"], "description": "run"})
    if one.tool == "save":
        return Call("Write", {"file_path": place, "content": args["text"]})
    if one.tool == "show":
        return Call("Read", {"file_path": place})
    given = {"description": "look", "prompt": TASK, "subagent_type": "general-purpose", "run_in_background": False}
    return Call("Agent", given)


class TestClaudeAgentSDK(Scenarios):
    """The tools are the client's own; a person's answer comes from `can_use_tool`."""

    starts = False

    def play(self, engine: Any, tools: Tools, script: Script, sub: Script, **options: Any) -> Played:
        """One run of the client."""
        with Model(WIRE, [turn(one, tools) for one in script], [turn(one, tools) for one in sub]) as model:
            played = Played(model.told)
            asyncio.run(self.talk(engine, tools, model.url, played, **options))
            if played.answer not in script or played.stopped:  # what the client says itself is no answer
                played.answer = ""
            return played

    async def talk(
        self, engine: Any, tools: Tools, url: str, played: Played, interactive: bool = False, approve: bool = False
    ) -> None:
        """One conversation."""

        async def answer(tool: str, given: Any, context: Any) -> Any:
            return PermissionResultAllow() if approve else PermissionResultDeny(message="no")

        home = os.environ["HOME"]
        env = {name: "" for name in os.environ if name.startswith(("CLAUDE", "ANTHROPIC"))}
        env |= {"HOME": home, "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none", **QUIET}
        hooks = policy_hooks(engine, tools.folder, interactive)
        options = ClaudeAgentOptions(
            cwd=tools.folder,
            env=env,
            permission_mode="default" if interactive else "bypassPermissions",
            can_use_tool=answer if interactive else None,
            setting_sources=[],
            model="claude-sonnet-4-5",
            hooks=hooks,
        )
        async with ClaudeSDKClient(options) as client:
            await client.query("please")
            async for message in client.receive_response():
                if isinstance(message, ResultMessage):
                    played.answer = message.result or ""
                    played.stopped = hooks.stopped.get(message.session_id, "")
