"""The integration with the OpenAI Agents SDK, with the real framework and a scripted model."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("agents", reason="openai-agents is not installed: `make test-clients`")

from agents import Agent, Model, ModelResponse, Runner, Usage, WebSearchTool, function_tool, set_tracing_disabled
from agents.exceptions import OutputGuardrailTripwireTriggered
from agents.mcp import MCPServerStdio
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from policy_engine import Engine
from policy_engine.integrations.base import Stopped
from policy_engine.integrations.openai_agents import Policy
from policy_engine.model.errors import ConfigurationError
from tests.clients.integrations.play import KINDS, Played, Script, Tools, Use, run, save
from tests.clients.integrations.scenarios import Scenarios

set_tracing_disabled(True)
MCP_POLICY = """\
language 1

rule no-forge-touch "The forge touches nothing" {
  severity high
  on before_tool(mcp)
  when tool.server == "forge" and tool.name == "mcp__forge__run"
  deny "Not here."
}
"""


class Scripted(Model):
    """Says the turns of a script, and keeps what it read."""

    def __init__(self, script: Script, told: list[str]) -> None:
        self.turns = enumerate(script)
        self.told = told

    async def get_response(self, *rest: Any, **given: Any) -> ModelResponse:
        """The next turn."""
        input = given["input"]
        items = [{"content": input}] if isinstance(input, str) else input
        self.told.extend(str(item.get("output", item.get("content"))) for item in items)
        number, turn = next(self.turns)
        if isinstance(turn, Use):
            args = {"input": turn.args["task"]} if turn.tool == "delegate" else turn.args
            part: Any = ResponseFunctionToolCall(
                name=turn.tool, arguments=json.dumps(args), call_id=f"call_{id(self)}_{number}", type="function_call"
            )
        else:
            text = ResponseOutputText(text=turn, type="output_text", annotations=[])
            part = ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        return ModelResponse(output=[part], usage=Usage(), response_id=None)

    async def stream_response(self, *rest: Any, **more: Any) -> Any:
        """Not used here."""
        raise NotImplementedError
        yield


def agent(name: str, tools: Tools, script: Script, told: list[str], more: list[Any], below: Any = ()) -> Agent[Any]:
    """An agent that is not guarded yet."""
    own = [function_tool(tool) for tool in (tools.run, tools.save, tools.show)]
    return Agent(name=name, model=Scripted(script, told), tools=[*own, *more], handoffs=list(below))


class TestOpenAIAgents(Scenarios):
    """Synchronous."""

    starts = False

    def ask(self, policy: Policy, agent: Agent[Any], given: Any) -> Any:
        """One run of an agent."""
        return policy.run_sync(agent, given)

    def play(self, engine: Any, tools: Tools, script: Script, sub: Script, **options: Any) -> Played:
        """A run, and another one for each approval."""
        told: list[str] = []
        below = agent("helper", tools, sub, told, []).as_tool("delegate", "Let a sub-agent do a task.")
        return self.driven(agent("root", tools, script, told, [below]), engine, tools, told, **options)

    def driven(self, above: Agent[Any], engine: Any, tools: Tools, told: list[str], **options: Any) -> Played:
        """The runs of one conversation."""
        played, approve = Played(told), options.pop("approve", None)
        policy = Policy(engine, tools.folder, KINDS, **options)
        try:
            found = self.ask(policy, above, "please")
            while found.interruptions:
                state = found.to_state()
                for one in found.interruptions:
                    (state.approve if approve else state.reject)(one)
                found = self.ask(policy, above, state)
            played.answer = found.final_output
        except Stopped as stop:
            played.stopped = str(stop)
        return played

    def test_a_call_after_a_hand_off_is_denied(self) -> None:
        tools, told = Tools(self.folder), []
        below = agent("helper", tools, [run("touch ran.txt"), "all done"], told, [])
        above = agent("root", tools, [Use("transfer_to_helper", {})], told, [], [below])
        played = self.driven(above, Engine.at(self.folder), tools, told)
        assert not self.made("ran.txt") and played.heard("no-touch") and played.answer == "all done"

    def test_a_hand_off_itself_is_denied(self) -> None:
        tools, told = Tools(self.folder), []
        below = agent("closed", tools, [run("echo x > made.txt"), "all done"], told, [])
        above = agent("root", tools, [Use("transfer_to_closed", {})], told, [], [below])
        played = self.driven(above, Engine.at(self.folder), tools, told)
        assert "Not to this one" in played.stopped and not self.made("made.txt")

    def test_a_guarded_agent_that_is_run_without_us_is_guarded_all_the_same(self) -> None:
        tools, told = Tools(self.folder), []
        above = agent("root", tools, [run("touch ran.txt"), save("src/a.py"), "done"], told, [])
        Policy(Engine.at(self.folder), self.folder, KINDS).install(above)
        with pytest.raises(OutputGuardrailTripwireTriggered):
            asyncio.run(Runner.run(above, "please"))
        assert not self.made("ran.txt") and self.made("src/a.py")

    def test_a_call_of_an_mcp_server_is_denied(self) -> None:
        forge = Path(__file__).parents[1] / "forge_server.py"
        (self.folder / ".policy" / "mcp.policy").write_text(MCP_POLICY, "utf-8")

        async def talk() -> Played:
            told: list[str] = []
            given = {"command": sys.executable, "args": [str(forge)], "cwd": str(self.folder)}
            async with MCPServerStdio(params=given, name="forge") as server:  # type: ignore[arg-type]
                above = agent("root", Tools(self.folder), [run("touch ran.txt"), "all done"], told, [])
                above.tools.clear()
                above.mcp_servers = [server]
                found = await Policy(Engine.at(self.folder), self.folder).run(above, "please")
            return Played(told, found.final_output)

        played = asyncio.run(talk())
        assert not self.made("ran.txt") and played.heard("no-forge-touch") and played.answer == "all done"

    def test_a_tool_that_no_guardrail_reaches_is_refused_unless_it_is_named(self) -> None:
        above = agent("root", Tools(self.folder), [], [], [WebSearchTool()])
        with pytest.raises(ConfigurationError, match="web_search"):
            Policy(Engine.at(self.folder)).install(above)
        assert Policy(Engine.at(self.folder), unguarded=["web_search"]).install(above) is above

    def test_guarding_twice_changes_nothing(self) -> None:
        above = agent("root", Tools(self.folder), [], [], [])
        policy = Policy(Engine.at(self.folder))
        policy.install(above)
        policy.install(above)
        assert [len(tool.tool_input_guardrails or ()) for tool in above.tools] == [1, 1, 1]  # type: ignore[union-attr]
        assert len(above.output_guardrails) == 1


class TestOpenAIAgentsAsync(TestOpenAIAgents):
    """The same in a loop of events."""

    def ask(self, policy: Policy, agent: Agent[Any], given: Any) -> Any:
        """One run of an agent."""
        return asyncio.run(policy.run(agent, given))
