"""Claude Agent SDK: hooks for `ClaudeAgentOptions`, answered in this process as `policy hook claude-code` would.

    from policy_engine import Engine
    from policy_engine.integrations.claude_agent_sdk import policy_hooks
    options = ClaudeAgentOptions(hooks=policy_hooks(Engine.at(".")))

Measured with claude-agent-sdk 0.2.184. Each matcher says `on_failure="block"`: without it the SDK runs a tool whose
callback failed; an older client that cannot honour it is refused by the SDK. With `interactive=True` a rule's `ask`
goes to the client, and so to `can_use_tool`. The SDK delivers no start and no end of a session. The client itself lets
a run end after eight refused completions; ours ends before that. The SDK reports a run that the policy ended like any
other: `stopped` of the hooks tells them apart, by session.
"""

from __future__ import annotations

import json
import os
from logging import INFO, WARNING
from typing import Any, get_args

from claude_agent_sdk import HookMatcher
from claude_agent_sdk.types import HookEvent

from policy_engine.adapters.base import Answer, reason
from policy_engine.adapters.claude_code import ADAPTER
from policy_engine.integrations.base import CONTINUATIONS, LOG, Guard, Run, aside
from policy_engine.model.errors import EventError
from policy_engine.model.event import Event
from policy_engine.model.points import COMPLETIONS
from policy_engine.runtime.turns import Engine

SECONDS = 60
COMPLETION_SECONDS = 3_600  # every stage of a `verify` runs within it


class PolicyHooks(dict[HookEvent, list[HookMatcher]]):
    """Hooks for `ClaudeAgentOptions`; `stopped` holds the sessions that the policy ended, and why."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard
        self.stopped: dict[str, str] = {}
        given = (event for events in get_args(HookEvent) for event in (get_args(events) or (events,)))
        super().__init__({name: [self._matcher(name)] for name in given if name in ADAPTER.capabilities})

    def _matcher(self, name: str) -> HookMatcher:
        async def answer(payload: Any, tool_use_id: str | None, context: Any) -> dict[str, Any]:
            try:
                answer = await aside(self._answer, payload, name)
            except Exception as fault:
                answer = ADAPTER.failure(name, "E-INTERNAL", f"{type(fault).__name__}: {fault}")
            if answer.stderr:
                LOG.log(WARNING if answer.exit_code else INFO, "%s", answer.stderr.decode().rstrip())
            return dict(json.loads(answer.stdout)) if answer.stdout else {}

        seconds = COMPLETION_SECONDS if name in ("Stop", "SubagentStop") else SECONDS
        return HookMatcher(hooks=[answer], timeout=seconds, on_failure="block")

    def _answer(self, payload: Any, name: str) -> Answer:
        attended = "1" if self.guard.interactive else "0"
        environment = {"CLAUDE_CODE_SESSION_ATTENDED": attended, "CLAUDE_PROJECT_DIR": self.guard.workspace}
        try:
            raw = ADAPTER.decode(payload, name, environment)
            if raw is None:
                return Answer()
            event = Event.from_dict(raw)
        except EventError as error:
            self.guard.unread(name, ADAPTER.capabilities[name].point, error)
            return ADAPTER.failure(name, error.code, str(error))
        decision = self.guard.engine.decide(raw)
        run = Run(raw["session"], raw["agent"]["kind"], raw["agent"]["name"])
        if event.hook in COMPLETIONS:
            decision = self.guard.counted(run, decision)
        elif event.hook == "prompt":
            self.guard.forget(run)
            self.stopped.pop(run.session, None)
        if decision.verdict == "stop":
            self.stopped[run.session] = reason(decision, frozenset(("stop",)))
            LOG.warning("%s", self.stopped[run.session])
        return ADAPTER.encode(decision, name, event)


def policy_hooks(
    engine: Engine,
    workspace: str | os.PathLike[str] | None = None,
    interactive: bool = False,
    continuations: int = CONTINUATIONS,
) -> PolicyHooks:
    """Return a hook for every lifecycle point that the SDK delivers; arguments as in `Guard`."""
    return PolicyHooks(Guard(engine, ADAPTER.name, workspace, None, interactive, continuations))
