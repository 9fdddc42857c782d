"""The integration with LangChain, with the real framework and a scripted chat model."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("langchain", reason="langchain is not installed: `make test-clients`")

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from policy_engine.integrations.base import Stopped, Tool
from policy_engine.integrations.langchain import PolicyMiddleware
from tests.clients.integrations.play import KINDS, Played, Script, Tools, Use
from tests.clients.integrations.scenarios import Scenarios

# the framework makes text of what a tool returns; an artifact would do as well
SHELL = Tool("shell", exit_code=lambda text: json.loads(text)["exit_code"])


class Model(GenericFakeChatModel):
    """Says the turns of a script, and keeps what it read."""

    told: Any  # as it is: the framework would copy a list

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        """Tools change nothing."""
        return self

    def _generate(self, messages: Any, *rest: Any, **more: Any) -> Any:
        self.told.extend(message.text for message in messages if not isinstance(message, AIMessage))
        return super()._generate(messages, *rest, **more)


def message(number: int, turn: Use | str) -> AIMessage:
    """A turn as the framework's message."""
    if isinstance(turn, str):
        return AIMessage(turn)
    return AIMessage("", tool_calls=[{"name": turn.tool, "args": turn.args, "id": f"call_{number}"}])


def agent(engine: Any, tools: Tools, script: Script, told: list[str], more: list[Any], **options: Any) -> Any:
    """A guarded agent."""
    model = Model(messages=iter([message(number, turn) for number, turn in enumerate(script)]), told=told)
    guard = PolicyMiddleware(engine, tools.folder, KINDS | {"run": SHELL}, **options)
    return create_agent(
        model, [tools.run, tools.save, tools.show, *more], middleware=[guard], checkpointer=InMemorySaver()
    )


class TestLangchain(Scenarios):
    """Synchronous."""

    def ask(self, agent: Any, given: Any) -> Any:
        """One run of an agent."""
        return agent.invoke(given, {"configurable": {"thread_id": "t"}})

    def play(self, engine: Any, tools: Tools, script: Script, sub: Script, **options: Any) -> Played:
        """A run, and another one for each approval."""
        played, approve = Played(), options.pop("approve", None)
        below = agent(engine, tools, sub, played.told, [], **options)

        def delegate(task: str) -> str:
            """Let a sub-agent do a task."""
            return str(below.invoke(given(task), {"configurable": {"thread_id": "s"}})["messages"][-1].text)

        above = agent(engine, tools, script, played.told, [delegate], **options)
        try:
            found = self.ask(above, given("please"))
            while "__interrupt__" in found:
                found = self.ask(above, Command(resume=approve))
            played.answer = found["messages"][-1].text
        except Stopped as stop:
            played.stopped = str(stop)
        return played


class TestLangchainAsync(TestLangchain):
    """The same in a loop of events."""

    def ask(self, agent: Any, given: Any) -> Any:
        """One run of an agent."""
        return asyncio.run(agent.ainvoke(given, {"configurable": {"thread_id": "t"}}))


def given(text: str) -> dict[str, Any]:
    """A prompt."""
    return {"messages": [{"role": "user", "content": text}]}
