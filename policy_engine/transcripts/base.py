"""Define a transcript: a reader of JSON values of one form to the canonical events that they record, in order.

A member file holds `TRANSCRIPT`, a `Transcript`. Nothing is kept but what a later line needs, so that a long recording
streams. A line that holds no event gives none; one that cannot be read, or is of a kind that the form does not have, is
counted. What a recording does not hold (a folder, an exit status) is left out of the event, and so unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Any

from policy_engine.adapters.base import Adapter
from policy_engine.model import family
from policy_engine.model.errors import ConfigurationError, EventError

FAMILY = "policy_engine.transcripts"
LOOKED_AT = 50  # objects of no known form, until a recording is given up
Object = dict[str, Any]
Line = tuple[int, "Object | EventError"]
_NOWHERE = "/"  # stands for a folder that a recording lacks, for adapters that need one; never in an event


@dataclass(frozen=True, slots=True)
class Recorded:
    """One event at a line; `then` the decision that was recorded with it, `whole` that the event is as it was then.

    `event` is None for an event that could not be decided and is not in the record, and an EventError for a call that
    no hook could have read. `damaged` says that the line itself cannot be read, `unknown` names the kind of a line that
    the form does not have. `seen` is what the engine itself warned of and saw outside of the event, `held` what it said
    of the run: outcome, verdict, message and reason.
    """

    line: int
    event: Object | EventError | None
    then: Object | None = None
    whole: bool = True
    seen: str = ""
    held: tuple[tuple[str, str, str, str], ...] = ()
    damaged: bool = False
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A form of recordings: `knows` an object of its own, `events` reads the lines of the file at a path.

    `places` are where a host keeps its recordings, as patterns below the home folder. `tables` reads the objects of a
    database, for a host that keeps its recordings in one.
    """

    name: str
    knows: Callable[[Object], bool]
    events: Callable[[Iterable[Line], str], Iterator[Recorded]]
    places: tuple[str, ...] = ()
    tables: Callable[[str], Iterator[Object]] | None = None


@cache
def forms() -> tuple[Transcript, ...]:
    """Return all forms of recordings."""
    return tuple(family.members(FAMILY, Transcript))


def recorded(lines: Iterable[Line], name: str, strict: bool = True) -> Iterator[Recorded]:
    """Yield the events of a recording in whatever form its first object of a known form shows.

    Nothing is read ahead of what is yielded once that object was seen. Without `strict` the first object decides, and
    what no form knows is taken for a canonical event, to be refused as such.

    Raises:
        ConfigurationError: `strict`, and none of the first objects is of a known form, or no line is an object.
    """
    known = forms()
    before: list[Line] = []
    rest = iter(lines)
    number = 0
    for number, value in rest:
        if isinstance(value, EventError):
            yield damaged(number, value)
            continue
        form = next((each for each in known if each.knows(value)), None)
        if form is not None:
            yield from form.events(chain(before, ((number, value),), rest), name)
            return
        before.append((number, value))
        if not strict:
            yield from (Recorded(*line) for line in chain(before, rest))
            return
        if len(before) >= LOOKED_AT:
            break
    if strict and number:
        names = ", ".join(form.name for form in known)
        raise ConfigurationError(f"`{name}` is no recording of a known form: {names}; no line of it is an event")


def damaged(number: int, error: EventError) -> Recorded:
    """Return the record of a line that cannot be read."""
    return Recorded(number, error, damaged=True)


def unknown(number: int, kind: object) -> Recorded:
    """Return the record of a line whose kind the form does not have."""
    return Recorded(number, None, unknown=str(kind)[:80])


def time_of(value: Object) -> str | None:
    """Return when a line was written, if it says so."""
    return value["timestamp"] if isinstance(value.get("timestamp"), str) else None


Shape = Callable[["Conversation", str, Object], Object]


def hook_payload(session: Conversation, native: str, facts: Object) -> Object:
    """Return the payload in the form that most hosts share."""
    given: Object = {"session_id": session.name, "cwd": session.cwd or _NOWHERE, "hook_event_name": native, **facts}
    if session.agent:
        given["agent_id"] = session.agent
    return given


@dataclass(slots=True)
class Conversation:
    """One recorded session of a host, told to its adapter as the payloads that its hooks would have had.

    `folder` is where it began, `cwd` where the call at hand runs, both "" if the recording does not say. `before`,
    `after`, … are the host's names of the events. The last text of the agent before the next prompt, or before the end,
    is its answer.
    """

    adapter: Adapter
    name: str
    folder: str
    shape: Shape = hook_payload
    start: str = "SessionStart"
    asked: str = "UserPromptSubmit"
    before: str = "PreToolUse"
    after: str = "PostToolUse"
    stop: str = "Stop"
    cwd: str = ""
    agent: str = ""
    time: str | None = None
    answer: str = ""
    calls: dict[str, tuple[str, Object, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cwd = self.cwd or self.folder

    def begin(self, number: int, source: str = "startup") -> Iterator[Recorded]:
        """Yield the start of the session."""
        yield from self.event(number, self.start, {"source": source})

    def prompt(self, number: int, text: str) -> Iterator[Recorded]:
        """Yield the end of the turn before, and what the person asks."""
        yield from self.complete(number)
        if text.strip():
            yield from self.event(number, self.asked, {"prompt": text, "submitted_prompt": text}, prompt=text)

    def call(self, number: int, identity: str, name: str, given: Any, cwd: str = "") -> Iterator[Recorded]:
        """Yield a call that the agent proposes."""
        self.answer = ""
        self.calls[identity] = (name, given, cwd)
        yield from self._tool(number, self.before, identity, {"tool_name": name, "tool_input": given}, cwd)

    def ended(
        self, number: int, identity: str, facts: Object, native: str = "", result: Object | None = None
    ) -> Iterator[Recorded]:
        """Yield the end of a call, nothing if its beginning is in another file.

        Args:
            number: of the line.
            identity: of the call.
            facts: what the payload says of the result.
            native: the host's event, if it is not the usual one.
            result: the canonical result, where the record says more than a payload would.
        """
        name, given, cwd = self.calls.pop(identity, ("", {}, ""))
        if name:
            payload = {"tool_name": name, "tool_input": given, **facts}
            yield from self._tool(number, native or self.after, identity, payload, cwd, result)

    def complete(self, number: int) -> Iterator[Recorded]:
        """Yield the end of a turn, if the agent answered."""
        answer, self.answer = self.answer, ""
        if answer.strip():
            yield from self.event(number, self.stop, {"last_assistant_message": answer}, answer=answer)

    def _tool(
        self, number: int, native: str, identity: str, facts: Object, cwd: str, result: Object | None = None
    ) -> Iterator[Recorded]:
        folder, self.cwd = self.cwd, cwd or self.cwd
        try:
            yield from self.event(number, native, {"tool_use_id": identity, **facts}, result=result)
        finally:
            self.cwd = folder

    def event(self, number: int, native: str, facts: Object, **more: Any) -> Iterator[Recorded]:
        """Yield the canonical event of what the host would have sent, with what the record says more."""
        try:
            event = self.adapter.decode(self.shape(self, native, facts), native, {})
        except EventError as error:
            yield Recorded(number, error)
            return
        if event is None:
            return
        event["workspace"] = self.folder
        event.update({key: value for key, value in more.items() if value is not None})
        if not self.folder:
            del event["workspace"]
            if event.get("cwd") == _NOWHERE:
                del event["cwd"]
        if "tool" in event:
            identity = str(facts["tool_use_id"])
            event["tool"].setdefault("id", identity)
            event.setdefault("id", f"{identity}.{event['hook']}")
        if self.time is not None:
            event["time"] = self.time
        yield Recorded(number, event)
