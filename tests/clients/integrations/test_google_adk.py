"""The integration with Google ADK, with the real framework and a scripted model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("google.adk", reason="google-adk is not installed: `make test-clients`")

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.agent_tool import AgentTool
from google.genai import types

from policy_engine import Engine
from policy_engine.integrations.base import Stopped
from policy_engine.integrations.google_adk import PolicyPlugin
from tests.clients.integrations.play import KINDS, Played, Script, Tools, Use, run, save
from tests.clients.integrations.scenarios import Scenarios

CONFIRMATION = "adk_request_confirmation"


class Model(BaseLlm):
    """Says the turns of a script, and keeps what it read."""

    script: Any
    told: Any

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> Any:
        """The next turn."""
        for part in llm_request.contents[-1].parts:
            self.told.append(part.text or str(part.function_response and part.function_response.response))
        turn = next(self.script)
        if isinstance(turn, Use):
            args = {"request": turn.args["task"]} if turn.tool == "delegate" else turn.args
            part = types.Part(function_call=types.FunctionCall(name=turn.tool, args=args))
        else:
            part = types.Part(text=turn)
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def agent(name: str, tools: Tools, script: Script, told: list[str], more: list[Any], below: Any = ()) -> LlmAgent:
    """An agent; the plugin of its runner guards it."""
    model = Model(model="scripted", script=iter(script), told=told)
    return LlmAgent(name=name, model=model, tools=[tools.run, tools.save, tools.show, *more], sub_agents=list(below))


def words(text: str) -> types.Content:
    """A prompt."""
    return types.Content(role="user", parts=[types.Part(text=text)])


class TestGoogleADK(Scenarios):
    """In a loop of events."""

    async def events(self, policy: PolicyPlugin, runner: Any, session: Any, message: Any) -> list[Any]:
        """One run, to its end."""
        given = {"user_id": "user", "session_id": session.id, "new_message": message}
        return [event async for event in policy.run_async(runner, **given)]

    def play(self, engine: Any, tools: Tools, script: Script, sub: Script, **options: Any) -> Played:
        """A run, and another one for each approval."""
        played, approve = Played(), options.pop("approve", None)
        policy = PolicyPlugin(engine, tools.folder, KINDS, **options)
        below = AgentTool(agent("delegate", tools, sub, played.told, []))
        above = agent("root", tools, script, played.told, [below])
        asyncio.run(self.driven(policy, above, approve, played))
        return played

    async def driven(self, policy: PolicyPlugin, above: LlmAgent, approve: bool | None, played: Played) -> None:
        """The runs of one conversation."""
        runner = InMemoryRunner(app=App(name="app", root_agent=above, plugins=[policy]))
        session = await runner.session_service.create_session(app_name="app", user_id="user")
        message: types.Content | None = words("please")
        try:
            while message:
                events = await self.events(policy, runner, session, message)
                asked = [call for event in events for call in event.get_function_calls() if call.name == CONFIRMATION]
                texts = [part.text for event in events if event.content for part in event.content.parts if part.text]
                played.answer = texts[-1] if texts else ""
                message = approval(asked[0], bool(approve)) if asked else None
        except Stopped as stop:
            played.stopped, played.answer = str(stop), ""

    def test_a_call_after_a_transfer_is_denied(self) -> None:
        tools, played = Tools(self.folder), Played()
        policy = PolicyPlugin(Engine.at(self.folder), tools.folder, KINDS)
        below = agent("helper", tools, [run("touch ran.txt"), "all done"], played.told, [])
        script: Script = [Use("transfer_to_agent", {"agent_name": "helper"})]
        asyncio.run(self.driven(policy, agent("root", tools, script, played.told, [], [below]), None, played))
        assert not self.made("ran.txt") and played.heard("no-touch") and played.answer == "all done"

    def test_a_run_that_nobody_drives_does_not_end_well_too_early(self) -> None:
        async def alone() -> None:
            policy = PolicyPlugin(Engine.at(self.folder), self.folder, KINDS)
            above = agent("root", Tools(self.folder), [save("src/a.py"), "done"], [], [])
            runner = InMemoryRunner(app=App(name="app", root_agent=above, plugins=[policy]))
            session = await runner.session_service.create_session(app_name="app", user_id="user")
            async for _ in runner.run_async(user_id="user", session_id=session.id, new_message=words("please")):
                pass

        with pytest.raises(RuntimeError, match="test -f"):
            asyncio.run(alone())


class TestGoogleADKSync(TestGoogleADK):
    """The same without one."""

    async def events(self, policy: PolicyPlugin, runner: Any, session: Any, message: Any) -> list[Any]:
        """One run, to its end."""
        given = {"user_id": "user", "session_id": session.id, "new_message": message}
        return await asyncio.to_thread(lambda: list(policy.run(runner, **given)))


def approval(call: Any, confirmed: bool) -> types.Content:
    """A person's answer to a question."""
    answer = types.FunctionResponse(id=call.id, name=CONFIRMATION, response={"confirmed": confirmed})
    return types.Content(role="user", parts=[types.Part(function_response=answer)])
