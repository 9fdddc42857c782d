"""LangChain: a middleware of `create_agent` that asks the policy about prompts, tool calls, results and answers.

    from policy_engine import Engine
    from policy_engine.integrations.langchain import PolicyMiddleware
    agent = create_agent(model, tools, middleware=[PolicyMiddleware(Engine.at("."), tools={"run": "shell"})])

Measured with langchain 1.4.7. A denied call is answered by a `ToolMessage` with the reason, in place of the tool. With
`interactive=True` a rule's `ask` is an `interrupt`, which only `Command(resume=True)` approves; it needs a
checkpointer. A refused answer stays in the conversation, followed by the reason, and the model is called again. An
agent that is called within a tool of another is its sub-agent. What a provider runs on its side is not seen.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from typing import Annotated, Any, NotRequired, TypeAlias

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain.agents.middleware.types import PrivateStateAttr, ToolCallRequest, hook_config
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command, interrupt

from policy_engine.integrations.base import CONTINUATIONS, Call, Guard, Ruling, Run, Stopped, Tool, aside
from policy_engine.runtime.turns import Engine

OWN_TOOLS = {"write_todos": "todo", "task": "agent"}  # of the framework's own middleware
Answer: TypeAlias = ToolMessage | Command[Any]


class PolicyState(AgentState[Any]):
    """The run that the policy sees, kept with the conversation: a checkpointer keeps the session, too."""

    policy_run: NotRequired[Annotated[dict[str, str], PrivateStateAttr]]  # type: ignore[valid-type]


class PolicyMiddleware(AgentMiddleware[Any, Any, Any]):
    """`name` is what rules read as `agent.name`; the rest as in `Guard`. Put it last: what follows it can change a
    call that was judged. Raises Stopped where the policy ends the run."""

    state_schema = PolicyState

    def __init__(
        self,
        engine: Engine,
        workspace: str | os.PathLike[str] | None = None,
        tools: Mapping[str, str | Tool] | None = None,
        interactive: bool = False,
        name: str = "main",
        continuations: int = CONTINUATIONS,
    ) -> None:
        super().__init__()
        self.guard = Guard(engine, "langchain", workspace, OWN_TOOLS | dict(tools or {}), interactive, continuations)
        self.agent = name

    def before_agent(self, state: Any, runtime: Any) -> dict[str, Any]:
        """Judge the prompt; a refused one ends the run before the model is called."""
        kept = state.get("policy_run")
        run = self.guard.run(kept["session"] if kept else "", self.agent)
        asked = next((one for one in reversed(state["messages"]) if isinstance(one, HumanMessage)), None)
        ruling = self.guard.begin(run, asked.text if asked else "")
        if ruling.refused:
            raise ruling.stopped()
        return {"policy_run": asdict(run), **_message(ruling.context)}

    async def abefore_agent(self, state: Any, runtime: Any) -> dict[str, Any]:
        """Do the same in an event loop."""
        return await aside(self.before_agent, state, runtime)

    @hook_config(can_jump_to=["model"])
    def after_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Judge the answer; a refused one sends the model on with the reason."""
        last: AnyMessage = state["messages"][-1]
        ruling = self.guard.finish(_run(state), last.text if isinstance(last, AIMessage) else "")
        return {**_message(ruling.refusal), "jump_to": "model"} if ruling.refused else None

    @hook_config(can_jump_to=["model"])
    async def aafter_agent(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Do the same in an event loop."""
        return await aside(self.after_agent, state, runtime)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Answer]) -> Answer:
        """Judge one call, run it, and report its result."""
        run, call = _run(request.state), _call(request)
        ruling = self.guard.before(run, call)
        if not self._may(ruling, call):
            return _refusal(ruling.refusal, call)
        try:
            with self.guard.within(run):
                answer = handler(request)
        except GraphBubbleUp:
            raise
        except Stopped as stop:
            return _unless_final(stop, call)
        except Exception as fault:
            self.guard.after(run, call, fault, True)
            raise
        return _with(answer, ruling, self.guard.after(run, call, *_outcome(answer)))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Answer]]
    ) -> Answer:
        """Do the same in an event loop."""
        run, call = _run(request.state), _call(request)
        ruling = await aside(self.guard.before, run, call)
        if not self._may(ruling, call):
            return _refusal(ruling.refusal, call)
        try:
            with self.guard.within(run):
                answer = await handler(request)
        except GraphBubbleUp:
            raise
        except Stopped as stop:
            return _unless_final(stop, call)
        except Exception as fault:
            await aside(self.guard.after, run, call, fault, True)
            raise
        return _with(answer, ruling, await aside(self.guard.after, run, call, *_outcome(answer)))

    def _may(self, ruling: Ruling, call: Call) -> bool:
        """Return whether the call may run, if need be by asking a person."""
        if ruling.verdict != "ask":
            return not ruling.refused
        return interrupt({"policy": ruling.refusal, "tool": call.name, "args": call.args}) is True


def _run(state: Any) -> Run:
    return Run(**state["policy_run"])


def _call(request: ToolCallRequest) -> Call:
    return Call(request.tool_call["name"], request.tool_call["args"], request.tool_call["id"] or "")


def _refusal(text: str, call: Call) -> ToolMessage:
    return ToolMessage(content=text, tool_call_id=call.id, name=call.name, status="error")


def _unless_final(stop: Stopped, call: Call) -> ToolMessage:
    if stop.final:
        raise stop
    return _refusal(str(stop), call)


def _outcome(answer: Answer) -> tuple[Any, bool]:
    """Return what the tool gave, and whether it says that it failed; an artifact is the result behind its text."""
    if isinstance(answer, ToolMessage):
        return (answer.content if answer.artifact is None else answer.artifact), answer.status == "error"
    update = answer.update if isinstance(answer.update, dict) else {}
    return [one.text for one in update.get("messages", ()) if isinstance(one, ToolMessage)], False


def _with(answer: Answer, *rulings: Ruling) -> Answer:
    """Return the answer with what the rules want the model to read."""
    contexts = [one.context for one in rulings if one.context]
    if not contexts or not isinstance(answer, ToolMessage):
        return answer
    parts = answer.content if isinstance(answer.content, list) else [answer.content]
    return answer.model_copy(update={"content": [*parts, *({"type": "text", "text": one} for one in contexts)]})


def _message(text: str) -> dict[str, Any]:
    return {"messages": [HumanMessage(text)]} if text else {}
