"""Define an adapter: one coding agent, its payloads as canonical event dictionaries, decisions as its answers.

A member file `adapters/<agent>.py` holds `ADAPTER`, an `Adapter`; the host `claude-code` is found in `claude_code.py`.
Adapters are pure: payload and environment in, values out; they read no file and no clock. Imported by the hook path.
"""

from __future__ import annotations

# What every member needs from the ground below is handed on.
from policy_engine.protocol.answer import REFUSING as REFUSING
from policy_engine.protocol.answer import Answer as Answer
from policy_engine.protocol.answer import Capability as Capability
from policy_engine.protocol.answer import paragraphs as paragraphs
from policy_engine.protocol.answer import reason as reason
from policy_engine.protocol.answer import refusal_of as refusal_of
from policy_engine.protocol.answer import status_denies as status_denies
from policy_engine.protocol.answer import visible as visible
from policy_engine.protocol.payload import needed as needed
from policy_engine.protocol.payload import optional as optional
from policy_engine.protocol.payload import result_text as result_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.model.decision import Decision
    from policy_engine.model.event import Event
    from policy_engine.protocol.payload import Environment as Environment

RECORDS = {
    "plan.open_steps": "plan",
    "plan.status": "word on how far its plan is",
    "plan.created": "time of its plan",
    "usage.tokens": "count of tokens",
    "usage.cents": "word on what it costs",
    "todos": "list of todos",
    "host.interactive": "word on whether a person is there",
    "host.mode": "word on what the agent may do without being asked",
    "result.error_class": "class of a failure",
}
"""What few hosts send -> in words; what an adapter does not name in `reports` never comes."""
CANARY_TOOL = "__policy_engine_canary__"  # a call that is always refused: proof that a hook is live
CANARY_SESSION = "policy-doctor"  # the session of such calls, and of what is always refused at the other points
FOLDER = "{folder}"  # stands in a canary for the folder of the session
CANARY_CODE = "E-CANARY"  # what that refusal says; a refusal without it comes from an engine that failed
POLICY_CODE = "E-POLICY"  # the refusal of an engine whose policy on disk does not load


class Registration:
    """The way a host is told to call the hook; data for `policy install` and `policy doctor`.

    `user_settings` is a path below the host's own folder `home_folder` (or below what the variable `home_variable`
    names), `project_settings` and `other_settings` are paths below the project, `managed_settings` absolute paths.
    `events` are (native event, matcher or None); `timeout` in seconds, `longer` that of single events, for which
    commands of policies run; `switches` are (settings key, or keys with dots between, what a true value does; with `!`
    before it, what a false one does); `variables` the same for environment variables. `canary` is
    what the host's canary needs beside the common keys (`Adapter.canary`).

    `form` is how the settings name hooks: `nested` and `flat` (below), `scripts` (one executable per event in the
    folder of that name), `plugin` (a JavaScript file), or "" for a host without settings. `handler` are the keys of
    each entry, `clock` its key for the time-out and its units per second, `command` the key for the command line,
    `closed` the keys by which an entry refuses where it cannot run; `head` what a file of our own begins with;
    `named` says that the payload does not name the event, so that the command line does; `afterwards` what is left
    to the person who installs; `http` says that an entry may name an address; `consents` a TOML file in
    `home_folder` whose table `hooks.state` names the hooks to trust, and `asked` the host's command that tells which
    it trusts (hosts/consents.py).
    """

    home_folder: str
    user_settings: str
    project_settings: str
    events: tuple[tuple[str, str | None], ...]
    timeout: int
    home_variable = ""
    other_settings: tuple[str, ...] = ()
    managed_settings: tuple[str, ...] = ()
    longer: dict[str, int] = {}
    fail_closed_events: frozenset[str] = frozenset()
    switches: tuple[tuple[str, str], ...] = ()
    managed_switches: tuple[tuple[str, str], ...] = ()
    variables: tuple[tuple[str, str], ...] = ()
    canary: dict[str, Any] = {}
    form = "nested"
    handler: dict[str, Any] = {"type": "command"}
    clock = ("timeout", 1)
    command = "command"
    closed: dict[str, Any] = {}
    head: dict[str, Any] = {}
    named = False
    afterwards = ""
    http = False
    consents = ""
    asked: tuple[str, ...] = ()

    def __init__(self, **values: Any) -> None:
        for name, value in values.items():
            if name not in Registration.__annotations__ and not hasattr(Registration, name):
                raise TypeError(f"unknown: {name}")
            setattr(self, name, value)

    def seconds(self, event: str) -> int:
        """Return how long the host is told to wait for the hook at a native event."""
        return self.longer.get(event, self.timeout)


class Adapter:
    """One coding agent.

    `decode(payload, event_name, environment)` gives the canonical event dictionary, or None for a native event that is
    no lifecycle point; raises EventError. `event_name` is the name given on the command line, or None.
    `encode(decision, native_event, event)` and `failure(native_event, code, message)` give the host's answer and raise
    nothing; without `event` nobody can be asked. `continuation_cap`: how often in a row the host lets a completion be
    refused, 0 is no cap; `cap_variable` names the variable that sets it otherwise. `continuing` is the key of a
    completion's payload that is true, or above 0, where the host goes on only because one was refused before; `forgets`
    says that it is false again too early. `event_key` is the key of the payload that names the event, `other_event_key`
    one that some payloads have in its place, `event_names` native events by what stands there if that is another name.
    `denies(native_event, answer)` is the host's own reading of an answer: does it hold back what it asked about?
    `recorded(event, tail)` completes a decoded event from the end of the file in which the host records the session
    (the payload's `transcript_path`), which `tail` reads. `workspace_variable` and `workspace_key` are the host's
    variable and the key of its payload that name the workspace whatever a call says; `cwd_of_call` says that the
    payload's folder may be one that the model chose (hook_process/workspace.py). `identifies_calls`: each call has an
    identity, and a proposal without one asks about the same call once more. `one_process`: one process starts all hooks
    of a session while it runs, measured (hook_process/origin.py). `lacks` are canonical fields that the host
    never sends, with the reason; `failures` what the host does when the hook fails, `evidence` how all of this is
    known.
    """

    def __init__(
        self,
        name: str,
        decode: Callable[[Any, str | None, Environment], dict[str, Any] | None],
        encode: Callable[[Decision, str, Event | None], Answer],
        failure: Callable[[str, str, str], Answer],
        capabilities: dict[str, Capability],
        registration: Registration,
        continuation_cap: int,
        denies: Callable[[str, Answer], bool] = status_denies,
        event_key: str = "hook_event_name",
        other_event_key: str = "",
        event_names: dict[str, str] | None = None,
        lacks: dict[str, str] | None = None,
        failures: dict[str, str] | None = None,
        evidence: str = "none",
        cap_variable: str = "",
        continuing: str = "stop_hook_active",
        forgets: bool = False,
        recorded: Callable[[dict[str, Any], Callable[[], bytes]], None] | None = None,
        workspace_variable: str = "",
        workspace_key: str = "",
        cwd_of_call: bool = False,
        identifies_calls: bool = False,
        one_process: bool = False,
        reports: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.decode = decode
        self.encode = encode
        self.failure = failure
        self.denies = denies
        self.capabilities = capabilities
        self.registration = registration
        self.continuation_cap = continuation_cap
        self.event_key = event_key
        self.other_event_key = other_event_key
        self.event_names = event_names or {}
        self.reports = reports
        self.lacks = {
            **(lacks or {}),
            **{record: f"it sends no {words}" for record, words in RECORDS.items() if record not in reports},
        }
        self.failures = failures or {}
        self.evidence = evidence
        self.cap_variable = cap_variable
        self.continuing = continuing
        self.forgets = forgets
        self.recorded = recorded
        self.workspace_variable = workspace_variable
        self.workspace_key = workspace_key
        self.cwd_of_call = cwd_of_call
        self.identifies_calls = identifies_calls
        self.one_process = one_process

    def native(self, payload: Any, event_name: str | None) -> str:
        """The native event as far as it can be known before the payload is understood; "" if it cannot."""
        name = payload.get(self.event_key, payload.get(self.other_event_key)) if type(payload) is dict else None
        known = self.event_names.get(name, name) if type(name) is str else ""
        return event_name or known or ""

    def capability(self, native: str, point: str) -> Capability:
        """Return what can be done at this event; where the payload does not name it, at the one that is this point."""
        named = self.capabilities.get(native)
        return named or next(each for each in self.capabilities.values() if each.point == point)

    def continued(self, payload: Any) -> bool | None:
        """Return whether the host only goes on because a completion was refused before; None if it does not tell."""
        value = payload.get(self.continuing) if type(payload) is dict else None
        if type(value) not in (bool, int):
            return None
        return True if value else None if self.forgets else False

    def canary(self, native: str, folder: str) -> dict[str, Any]:
        """A payload of this event that must be refused at every gate; `folder` is where the session would be."""
        common = {
            "session_id": CANARY_SESSION, "cwd": folder, "tool_name": CANARY_TOOL, "tool_input": {}, "prompt": "canary",
            "submitted_prompt": "canary", "file_path": folder, "command": "true",
        }  # fmt: skip
        if self.capabilities[native].point.startswith("subagent"):
            common.update(agent_id="canary", agent_type="canary")
        named = {} if self.registration.named else {self.event_key: native}
        filled: dict[str, Any] = _filled({**common, **named, **self.registration.canary}, folder)
        return filled

    def never_sends(self, field: str) -> str:
        """Return why a field never comes from this host, "" if it may come or is the engine's own."""
        return self.lacks.get("todos" if field == "open_todos" else field, "")

    @property
    def promised(self) -> bool:
        """Return whether the host asks before every call whose end it reports."""
        points = {each.point for each in self.capabilities.values() if each.gate or each.point == "after_tool"}
        return {"before_tool", "after_tool"} <= points


def _filled(value: Any, folder: str) -> Any:
    if type(value) is dict:
        return {key: _filled(item, folder) for key, item in value.items()}
    return folder if value == FOLDER else value
