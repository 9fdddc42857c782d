"""The integration with Pydantic AI, with the real framework and a scripted function model."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed: `make test-clients`")

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import DeltaToolCall, FunctionModel

from policy_engine import Engine
from policy_engine.integrations.base import Stopped
from policy_engine.integrations.pydantic_ai import PolicyCapability
from tests.clients.integrations.play import KINDS, Played, Script, Tools, Use, save
from tests.clients.integrations.scenarios import Scenarios


def model(script: Script, told: list[str]) -> FunctionModel:
    """A model that says the turns of a script, and keeps what it read."""
    turns = iter(script)

    def answer(messages: Any, info: Any) -> ModelResponse:
        told.extend(str(part.content) for part in messages[-1].parts)
        turn = next(turns)
        part = ToolCallPart(turn.tool, turn.args) if isinstance(turn, Use) else TextPart(turn)
        return ModelResponse(parts=[part])

    async def stream(messages: Any, info: Any) -> Any:
        turn = next(turns)
        if isinstance(turn, Use):
            yield {0: DeltaToolCall(turn.tool, json.dumps(turn.args))}
        else:
            yield turn

    return FunctionModel(answer, stream_function=stream)


def agent(engine: Any, tools: Tools, script: Script, told: list[str], more: list[Any], **options: Any) -> Any:
    """A guarded agent."""
    guard = PolicyCapability(engine, tools.folder, KINDS, **options)
    plain = [tools.run, tools.save, tools.show, *more]
    return Agent(model(script, told), tools=plain, capabilities=[guard], output_type=[str, DeferredToolRequests])


class TestPydanticAI(Scenarios):
    """Synchronous."""

    def ask(self, agent: Any, prompt: str | None, **more: Any) -> Any:
        """One run of an agent."""
        return agent.run_sync(prompt, **more)

    def play(self, engine: Any, tools: Tools, script: Script, sub: Script, **options: Any) -> Played:
        """A run, and another one for each approval."""
        played, approve = Played(), options.pop("approve", None)
        below = agent(engine, tools, sub, played.told, [], **options)

        async def delegate(task: str) -> str:
            """Let a sub-agent do a task."""
            return str((await below.run(task)).output)

        above = agent(engine, tools, script, played.told, [delegate], **options)
        try:
            found = self.ask(above, "please")
            while isinstance(found.output, DeferredToolRequests):
                given = DeferredToolResults(approvals={call.tool_call_id: approve for call in found.output.approvals})
                found = self.ask(above, None, message_history=found.all_messages(), deferred_tool_results=given)
            played.answer = found.output
        except Stopped as stop:
            played.stopped = str(stop)
        return played

    def test_an_answer_that_was_streamed_too_early_ends_in_stopped(self) -> None:
        async def stream() -> None:
            above = agent(Engine.at(self.folder), Tools(self.folder), [save("src/a.py"), "done"], [], [])
            async with above.run_stream("please") as found:
                await found.get_output()

        with pytest.raises(Stopped, match="test -f"):
            asyncio.run(stream())


class TestPydanticAIAsync(TestPydanticAI):
    """The same in a loop of events."""

    def ask(self, agent: Any, prompt: str | None, **more: Any) -> Any:
        """One run of an agent."""
        return asyncio.run(agent.run(prompt, **more))
