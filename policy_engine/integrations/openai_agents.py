"""OpenAI Agents SDK: guardrails on every tool of an agent, and a runner that judges prompt and answer.

    from policy_engine import Engine
    from policy_engine.integrations.openai_agents import Policy
    result = await Policy(Engine.at("."), tools={"run": "shell"}).run(agent, "Repair the failing test.")

Measured with openai-agents 0.24.0. A denied call is answered by the guardrail with the reason. With `interactive=True`
a rule's `ask` is the SDK's approval (`result.interruptions`). `Policy.run` runs again with the reason after a refused
answer; under `Runner.run` a guarded agent's refused answer trips an output guardrail. Guarding reaches agents behind
hand-offs and agents used as tools, which are sub-agents, and MCP servers. Guardrails do not reach hosted and
built-in tools: an agent that has one is refused unless `unguarded` names it.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextvars import ContextVar
from functools import partial
from inspect import isawaitable
from typing import Any
from weakref import WeakKeyDictionary

from agents import (
    Agent,
    FunctionTool,
    GuardrailFunctionOutput,
    Handoff,
    OutputGuardrail,
    Runner,
    RunState,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    ToolOutputGuardrail,
    handoff,
)
from agents.exceptions import AgentsException

from policy_engine.adapters.base import paragraphs, result_text
from policy_engine.integrations.base import CONTINUATIONS, Call, Guard, Run, Tool, aside, stop_behind
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.tool_use import plain
from policy_engine.runtime.turns import Engine

NAME = "policy_engine"
_RUN: ContextVar[Run | None] = ContextVar("policy_engine_openai_run", default=None)


class Policy:
    """Arguments as in `Guard`; `unguarded` names tools that guardrails cannot reach and that may run all the same."""

    def __init__(
        self,
        engine: Engine,
        workspace: str | os.PathLike[str] | None = None,
        tools: Mapping[str, str | Tool] | None = None,
        interactive: bool = False,
        unguarded: Collection[str] = (),
        continuations: int = CONTINUATIONS,
    ) -> None:
        self.guard = Guard(engine, "openai-agents", workspace, tools, interactive, continuations)
        self.unguarded = frozenset(unguarded)
        self._alone = self.guard.run()  # the run of agents that nobody here began
        self._guardrails: dict[str, tuple[Any, Any]] = {}  # MCP server, or "" → before and after a call
        self._answer = OutputGuardrail(self._accept, NAME)
        self._open: dict[tuple[str, str], tuple[str, str]] = {}  # (session, call) → told before, the run above
        self._kept: WeakKeyDictionary[Any, Run] = WeakKeyDictionary()  # runs that wait for a person

    async def run(self, agent: Agent[Any], input: Any, **options: Any) -> Any:
        """Run `Runner.run` until the policy accepts the answer; a result with interruptions is returned at once.

        Raises Stopped where the policy ends the run.
        """
        self.install(agent)
        if isinstance(input, RunState):  # a person has answered: the run goes on
            run = self._kept.get(input._context) or self.guard.run(name=agent.name)
        else:
            run = self.guard.run(getattr(options.get("session"), "session_id", ""), agent.name)
            input = await self._begun(run, input)
        token = _RUN.set(run)
        try:
            return await self._until_accepted(agent, input, run, options)
        except AgentsException as error:
            raise stop_behind(error) or error from None
        finally:
            _RUN.reset(token)

    def run_sync(self, agent: Agent[Any], input: Any, **options: Any) -> Any:
        """Do the same without an event loop."""
        return asyncio.run(self.run(agent, input, **options))

    async def _begun(self, run: Run, input: Any) -> Any:
        """Judge the prompt; a refused one ends the run before the model is called."""
        ruling = await aside(self.guard.begin, run, _prompt(input))
        if ruling.refused:
            raise ruling.stopped()
        return [*_items(input), *_items(ruling.context)] if ruling.context else input

    async def _until_accepted(self, agent: Agent[Any], input: Any, run: Run, options: dict[str, Any]) -> Any:
        while True:
            result = await Runner.run(agent, input, **options)
            if result.interruptions:
                self._kept[result.context_wrapper] = run
                return result
            ruling = await aside(self.guard.finish, run, str(result.final_output))
            if not ruling.refused:
                return result
            agent, reason = result.last_agent, _items(ruling.refusal)
            if options.get("session") or options.get("conversation_id"):
                input = reason  # what was said before is kept elsewhere
            elif options.get("previous_response_id") or options.get("auto_previous_response_id"):
                options, input = {**options, "previous_response_id": result.last_response_id}, reason
            else:
                input = [*result.to_input_list(), *reason]

    def install(self, agent: Agent[Any]) -> Agent[Any]:
        """Guard an agent in place, and all that it can reach; doing it again changes nothing."""
        seen: list[Agent[Any]] = []
        waiting = [agent]
        while waiting:
            one = waiting.pop()
            if not any(one is other for other in seen):
                seen.append(one)
                waiting += self._install(one)
        return agent

    def _install(self, agent: Agent[Any]) -> list[Agent[Any]]:
        """Guard one agent. Return those that it can reach."""
        below: list[Agent[Any]] = []
        for tool in agent.tools:
            if isinstance(tool, FunctionTool):
                self._guarded(tool)
                if isinstance(tool._agent_instance, Agent):
                    self.guard.tools.setdefault(tool.name, Tool("agent"))
                    below.append(tool._agent_instance)
            elif tool.name not in self.unguarded:
                raise ConfigurationError(f"no guardrail reaches the tool `{tool.name}` of `{agent.name}`")
        for server in agent.mcp_servers:
            self._guarded(server, server.name)
        for place, one in enumerate(agent.handoffs):
            below += [one] if isinstance(one, Agent) else []
            agent.handoffs[place] = self._handoff(one)
        agent.output_guardrails = _once(agent.output_guardrails, self._answer)
        return below

    def _guarded(self, tool: Any, server: str = "") -> None:
        before, after = self._guardrails.setdefault(
            server,
            (
                ToolInputGuardrail(partial(self._judge, server=server), NAME),
                ToolOutputGuardrail(partial(self._note, server=server), NAME),
            ),
        )
        tool.tool_input_guardrails = _once(tool.tool_input_guardrails, before)
        tool.tool_output_guardrails = _once(tool.tool_output_guardrails, after)
        if isinstance(tool, FunctionTool) and self.guard.interactive and not hasattr(tool.needs_approval, "of_policy"):
            tool.needs_approval = self._approval(tool)

    def _handoff(self, wrapped: Any) -> Handoff[Any, Any]:
        """Return a hand-off judged as a call of kind agent; the agent behind it is guarded when it is known."""
        made: Handoff[Any, Any] = wrapped if isinstance(wrapped, Handoff) else handoff(wrapped)
        self.guard.tools.setdefault(made.tool_name, Tool("agent"))
        inner = made.on_invoke_handoff
        if hasattr(inner, "of_policy"):
            return made

        async def judged(context: Any, input: str) -> Any:
            call = Call(made.tool_name, _arguments(input))
            ruling = await aside(self.guard.before, _RUN.get() or self._alone, call)
            if ruling.refused:
                raise ruling.stopped()
            return self.install(await inner(context, input))

        judged.of_policy = True  # type: ignore[attr-defined]
        made.on_invoke_handoff = judged
        return made

    def _approval(self, tool: FunctionTool) -> Callable[..., Awaitable[bool]]:
        """Return whether a person must approve a call: what the tool says itself, or a rule asks."""
        own = tool.needs_approval

        async def needed(context: Any, args: dict[str, Any], call_id: str) -> bool:
            asked = own
            if callable(own):
                asks = own(context, args, call_id)
                asked = await asks if isawaitable(asks) else asks
            run = _RUN.get() or self._alone
            ruling = await aside(self.guard.rule, run, "before_tool", Call(tool.name, args, call_id), True)
            return bool(asked) or ruling.verdict == "ask"

        needed.of_policy = True  # type: ignore[attr-defined]
        return needed

    async def _judge(self, data: Any, server: str = "") -> ToolGuardrailFunctionOutput:
        """Judge a call before it runs, as the output of a tool guardrail."""
        run, call = self._place(data), _call(data, server)
        ruling = await aside(self.guard.before, run, call)
        approved = ruling.verdict == "ask" and data.context.is_tool_approved(data.context.tool_name, call.id)
        if ruling.refused and not approved:
            return ToolGuardrailFunctionOutput.reject_content(ruling.refusal)
        self._open[run.session, call.id] = ruling.context, self.guard.enter(run)
        return ToolGuardrailFunctionOutput.allow()

    async def _note(self, data: Any, server: str = "") -> ToolGuardrailFunctionOutput:
        """Return what a call gave; what rules want the model to read is put behind it."""
        context, above = self._open.pop((self._place(data).session, data.context.tool_call_id), ("", ""))
        self.guard.leave(above)
        ruling = await aside(self.guard.after, self._place(data), _call(data, server), data.output)
        context = paragraphs(context, ruling.context)
        if not context:
            return ToolGuardrailFunctionOutput.allow()
        return ToolGuardrailFunctionOutput.reject_content(f"{data.output}\n{context}")

    async def _accept(self, context: Any, agent: Agent[Any], output: Any) -> GuardrailFunctionOutput:
        """Judge the answer of a run that nobody here drives."""
        if _RUN.get() is not None:
            return GuardrailFunctionOutput(None, tripwire_triggered=False)
        ruling = await aside(self.guard.finish, self._alone, str(output))
        return GuardrailFunctionOutput(ruling.refusal, tripwire_triggered=ruling.refused)

    def _place(self, data: Any) -> Run:
        """Return the run that a call belongs to; an agent that another handed to, or uses as a tool, is a sub-agent."""
        run = _RUN.get() or self._alone
        inside = self.guard.run(run.session, data.agent.name)
        other = _RUN.get() is not None and data.agent.name != run.name
        return Run(run.session, "subagent", data.agent.name) if other or inside.kind != "main" else inside


def _once(given: list[Any] | None, mine: Any) -> list[Any]:
    """Return a list of guardrails with ours at its end, once."""
    return given if given and mine in given else [*(given or ()), mine]


def _call(data: Any, server: str) -> Call:
    """Return the call, named as other hosts name those of MCP servers."""
    name = f"mcp__{server}__{data.context.tool_name}" if server else data.context.tool_name
    return Call(name, _arguments(data.context.tool_arguments), data.context.tool_call_id, server)


def _arguments(text: str) -> dict[str, Any]:
    """Return the arguments as the SDK reads them; what it cannot read it does not run."""
    try:
        arguments = json.loads(text or "{}")
    except ValueError:
        return {"input": text}
    return arguments if isinstance(arguments, dict) else {"input": arguments}


def _items(text: Any) -> list[Any]:
    return [] if not text else [{"role": "user", "content": text}] if isinstance(text, str) else list(text)


def _prompt(input: Any) -> str:
    """Return the last words of the user."""
    texts = [item.get("content") for item in _items(input) if isinstance(item, dict) and item.get("role") == "user"]
    return result_text(plain(texts[-1])) if texts else ""
