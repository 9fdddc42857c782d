"""Google ADK: a plugin of `Runner` that asks the policy about prompts, tool calls, results and answers of all agents.

    from policy_engine import Engine
    from policy_engine.integrations.google_adk import PolicyPlugin
    policy = PolicyPlugin(Engine.at("."), tools={"run": "shell"})     # Runner(…, plugins=[policy])
    async for event in policy.run_async(runner, user_id=…, session_id=…, new_message=…): ...

Measured with google-adk 2.13.0. A denied call is answered by `{"error": reason}`, in place of the tool. With
`interactive=True` a rule's `ask` is the framework's own confirmation. No callback of the framework can send an agent
on, so `policy.run_async` (or `policy.run`) runs it again with the reason as the message; under `runner.run_async` a
refused answer ends in an error that says so. The framework wraps what a plugin raises into a RuntimeError; the two
methods here raise `Stopped`. Agents below the root, transferred to or used as tools, are sub-agents.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from google.adk.plugins.base_plugin import BasePlugin
from google.genai import types

from policy_engine.adapters.base import paragraphs
from policy_engine.integrations.base import (
    CONTINUATIONS,
    Call,
    Guard,
    Ruling,
    Run,
    Tool,
    aside,
    stop_behind,
)
from policy_engine.runtime.turns import Engine

OWN_TOOLS = {"transfer_to_agent": "agent"}


class PolicyPlugin(BasePlugin):
    """Arguments as in `Guard`; `name` is the plugin's. Put it last: what follows it can change a call that was
    judged."""

    def __init__(
        self,
        engine: Engine,
        workspace: str | os.PathLike[str] | None = None,
        tools: Mapping[str, str | Tool] | None = None,
        interactive: bool = False,
        name: str = "policy",
        continuations: int = CONTINUATIONS,
    ) -> None:
        super().__init__(name=name)
        self.guard = Guard(engine, "google-adk", workspace, OWN_TOOLS | dict(tools or {}), interactive, continuations)
        self._driven: dict[str, Ruling | None] = {}  # sessions that run_async drives → how the last answer was ruled
        self._continued: set[str] = set()  # sessions whose next message is the reason of a refusal
        self._said: dict[str, str] = {}  # invocation → its last visible text
        self._open: dict[tuple[str, str], tuple[str, str]] = {}  # (session, call) → told before, the run above

    async def on_user_message_callback(
        self, *, invocation_context: Any, user_message: types.Content
    ) -> types.Content | None:
        """Judge a prompt; a refused one ends the run before the model is called. An answer to a question is none."""
        session, parts = invocation_context.session.id, user_message.parts or []
        if session in self._continued:
            self._continued.discard(session)
            return None
        if any(part.function_response for part in parts):
            return None
        text = "\n".join(part.text for part in parts if part.text)
        ruling = await aside(self.guard.begin, self._place(invocation_context), text)
        if ruling.refused:
            raise ruling.stopped()
        context = [types.Part(text=ruling.context)] if ruling.context else []
        return types.Content(role=user_message.role, parts=[*parts, *context]) if context else None

    async def before_tool_callback(
        self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any
    ) -> dict[str, Any] | None:
        """Judge a call: None lets it run, a dictionary is answered in its place."""
        run = self._place(tool_context.get_invocation_context())
        ruling = await aside(self.guard.before, run, _call(tool, tool_args, tool_context))
        if ruling.verdict == "ask":
            confirmation = tool_context.tool_confirmation
            if confirmation is None:
                tool_context.request_confirmation(hint=ruling.refusal)
                tool_context.actions.skip_summarization = True
                return {"error": "This call waits for a person's approval."}
            if not confirmation.confirmed:
                return {"error": f"A person refused this call. {ruling.refusal}"}
        elif ruling.refused:
            return {"error": ruling.refusal}
        self._open[run.session, tool_context.function_call_id or ""] = ruling.context, self.guard.enter(run)
        return None

    async def after_tool_callback(
        self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any, result: Any
    ) -> dict[str, Any] | None:
        """Record what a call returned; what rules want the model to read is added to it, otherwise None."""
        context = await self._ended(tool, tool_args, tool_context, result)
        if not context:
            return None
        return {**(result if isinstance(result, dict) else {"result": result}), "policy": context}

    async def on_tool_error_callback(
        self, *, tool: Any, tool_args: dict[str, Any], tool_context: Any, error: Exception
    ) -> dict[str, Any] | None:
        """Record a call that raised; the refusal of a sub-agent is returned for its caller to read."""
        await self._ended(tool, tool_args, tool_context, error)
        stop = stop_behind(error)
        return None if stop is None or stop.final else {"error": str(stop)}

    async def _ended(self, tool: Any, tool_args: dict[str, Any], tool_context: Any, value: Any) -> str:
        """Return what the model is told of a call that ran; the framework reports those, too, that did not."""
        run = self._place(tool_context.get_invocation_context())
        opened = self._open.pop((run.session, tool_context.function_call_id or ""), None)
        if opened is None:
            return ""
        context, above = opened
        self.guard.leave(above)
        run = self._place(tool_context.get_invocation_context())
        failed = isinstance(value, BaseException) or (isinstance(value, dict) and value.keys() == {"error"})
        ruling = await aside(self.guard.after, run, _call(tool, tool_args, tool_context), value, failed)
        return paragraphs(context, ruling.context)

    async def on_event_callback(self, *, invocation_context: Any, event: Any) -> None:
        """Keep the text that would be the answer; none while a call waits for a person."""
        texts = [part.text for part in (event.content.parts or []) if part.text] if event.content else []
        if event.long_running_tool_ids:
            self._said.pop(invocation_context.invocation_id, None)
        elif texts and not event.partial and event.is_final_response():
            self._said[invocation_context.invocation_id] = "\n".join(texts)

    async def after_run_callback(self, *, invocation_context: Any) -> None:
        """Judge the answer; a refusal is left for `run_async`, or ends the run if nobody drives it."""
        run = self._place(invocation_context)
        answer = self._said.pop(invocation_context.invocation_id, None)
        if answer is None:
            return
        ruling = await aside(self.guard.finish, run, answer)
        if run.kind == "main" and run.session in self._driven:
            self._driven[run.session] = ruling
        elif ruling.refused:
            raise ruling.stopped()

    async def run_async(self, runner: Any, *, session_id: str, new_message: Any, **more: Any) -> AsyncIterator[Any]:
        """Yield the events of `run_async`, and of each further run that a refused answer needs. Raises Stopped."""
        while True:
            self._driven[session_id] = None
            try:
                async for event in runner.run_async(session_id=session_id, new_message=new_message, **more):
                    yield event
            except RuntimeError as error:
                raise stop_behind(error) or error from None
            finally:
                ruling = self._driven.pop(session_id)
            if ruling is None or not ruling.refused:
                return
            new_message = self._further(session_id, ruling.refusal)

    def run(self, runner: Any, *, session_id: str, new_message: Any, **more: Any) -> Iterator[Any]:
        """Do the same without an event loop."""
        while True:
            self._driven[session_id] = None
            try:
                yield from runner.run(session_id=session_id, new_message=new_message, **more)
            except RuntimeError as error:
                raise stop_behind(error) or error from None
            finally:
                ruling = self._driven.pop(session_id)
            if ruling is None or not ruling.refused:
                return
            new_message = self._further(session_id, ruling.refusal)

    def _further(self, session_id: str, refusal: str) -> types.Content:
        """Return the message of the next run, which no person wrote."""
        self._continued.add(session_id)
        return types.Content(role="user", parts=[types.Part(text=refusal)])

    def _place(self, context: Any) -> Run:
        """Return the run of an invocation: that of the root agent, or of one below it."""
        agent = context.agent
        run = self.guard.run(context.session.id, agent.name)
        below = agent.root_agent.name != agent.name
        return Run(run.session, "subagent", agent.name) if below and run.kind == "main" else run


def _call(tool: Any, args: dict[str, Any], context: Any) -> Call:
    return Call(tool.name, args, context.function_call_id or "")
