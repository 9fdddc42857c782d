"""Pydantic AI: a capability of `Agent` that asks the policy about prompts, tool calls, results and answers.

    from policy_engine import Engine
    from policy_engine.integrations.pydantic_ai import PolicyCapability
    agent = Agent(model, capabilities=[PolicyCapability(Engine.at("."), tools={"run": "shell"})])

Measured with pydantic-ai-slim 2.68.0. A denied call is a failed tool with the reason, in place of the tool. With
`interactive=True` a rule's `ask` is the framework's own approval: the run ends with `DeferredToolRequests`, which must
be among the agent's output types. A refused answer is followed by the reason as a prompt; this takes none of the
agent's retries. `run_stream` hands its answer out before it can be judged: a refused one ends in `Stopped`. An agent
that runs within a tool of another is its sub-agent. Tools that the provider runs are not seen.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_ai import CallToolsNode, DeferredToolRequests, ModelRequestNode
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_graph import End

from policy_engine.integrations.base import CONTINUATIONS, Call, Guard, Run, Stopped, Tool, aside
from policy_engine.runtime.turns import Engine


class PolicyCapability(AbstractCapability[Any]):
    """`name` is what rules read as `agent.name`; the rest as in `Guard`. Put it last: what follows it can change a
    call that was judged. Raises Stopped where the policy ends the run."""

    def __init__(
        self,
        engine: Engine,
        workspace: str | os.PathLike[str] | None = None,
        tools: Mapping[str, str | Tool] | None = None,
        interactive: bool = False,
        name: str = "main",
        continuations: int = CONTINUATIONS,
    ) -> None:
        self.guard = Guard(engine, "pydantic-ai", workspace, tools, interactive, continuations)
        self.agent = name
        self._run = Run("")
        self._told: list[str] = []
        self._accepted = False

    async def for_run(self, ctx: Any) -> PolicyCapability:
        """Return a capability for each run; its session is the conversation."""
        own = copy.copy(self)
        own._run = self.guard.run(ctx.conversation_id or "", self.agent)
        own._told, own._accepted = [], False
        return own

    async def before_run(self, ctx: Any) -> None:
        """Judge the prompt; a refused one ends the run before the model is called. A run taken up again has none."""
        if ctx.prompt is None:
            return
        ruling = await aside(self.guard.begin, self._run, _text(ctx.prompt))
        if ruling.refused:
            raise ruling.stopped()
        self._told.append(ruling.context)

    async def before_node_run(self, ctx: Any, *, node: Any) -> Any:
        """Return what rules want the model to read goes along with the next request."""
        contexts = [text for text in self._told if text]
        if contexts and isinstance(node, ModelRequestNode):
            node.request.parts = [*node.request.parts, *map(UserPromptPart, contexts)]
            self._told.clear()
        return node

    async def wrap_tool_execute(self, ctx: Any, *, call: Any, tool_def: Any, args: Any, handler: Any) -> Any:
        """Judge one call, run it, and report its result."""
        asked = Call(call.tool_name, args, call.tool_call_id)
        ruling = await aside(self.guard.before, self._run, asked)
        if ruling.verdict == "ask" and not ctx.tool_call_approved:
            raise ApprovalRequired({"policy": ruling.refusal})
        if ruling.refused and ruling.verdict != "ask":
            raise ToolFailed(ruling.refusal)
        try:
            with self.guard.within(self._run):
                result = await handler(args)
        except (ApprovalRequired, CallDeferred):
            raise
        except Stopped as stop:
            if stop.final:
                raise
            raise ToolFailed(str(stop)) from None
        except Exception as fault:
            await aside(self.guard.after, self._run, asked, fault, True)
            raise
        after = await aside(self.guard.after, self._run, asked, result)
        self._told += [ruling.context, after.context]
        return result

    async def after_node_run(self, ctx: Any, *, node: Any, result: Any) -> Any:
        """Judge the answer; a refused one becomes another request with the reason. A waiting run has none."""
        if not isinstance(node, CallToolsNode) or not isinstance(result, End):
            return result  # what a stream ends with is no node that could be followed by another
        if isinstance(result.data.output, DeferredToolRequests):
            return result
        ruling = await aside(self.guard.finish, self._run, str(result.data.output))
        self._accepted = not ruling.refused
        if self._accepted:
            return result
        return ModelRequestNode(ModelRequest(parts=[UserPromptPart(ruling.refusal)]))

    async def after_run(self, ctx: Any, *, result: Any) -> Any:
        """Judge an answer that was handed out before."""
        if not self._accepted and not isinstance(result.output, DeferredToolRequests):
            ruling = await aside(self.guard.finish, self._run, str(result.output))
            if ruling.refused:
                raise ruling.stopped()
        return result


def _text(prompt: str | Sequence[Any]) -> str:
    """Return the words of a prompt; pictures and the like have none."""
    return prompt if isinstance(prompt, str) else "\n".join(part for part in prompt if isinstance(part, str))
