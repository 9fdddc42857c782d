"""Work out the host's native answer to one native payload, in the hook's process or one of `policy serve`.

With a warm cache nothing but built-in modules is imported. Whatever fails, the answer is the point's failure verdict in
the host's own words; nothing is silent.
"""

from __future__ import annotations

import posix
import time

from policy_engine.adapters.base import CANARY_CODE, CANARY_SESSION, CANARY_TOOL, POLICY_CODE
from policy_engine.audit.display import redact_shown
from policy_engine.hook_process.response_writer import ResponseWriter, write
from policy_engine.model.errors import ConfigurationError, EventError, PolicyLoadError
from policy_engine.model.instant import LAST
from policy_engine.model.limits import PRUNE_SECONDS
from policy_engine.model.points import COMPLETIONS
from policy_engine.model.strict_json import read_json

_TOLD = ("prompt", "tool_response", "tool_result", "tool_output", "last_assistant_message", "result", "output")
"""Keys of payloads below which texts are no names."""
FOREIGN = " (foreign)"  # behind the name of a session: what did not come from its host
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from policy_engine.adapters.base import Adapter, Answer
    from policy_engine.hook_process.pairing import Pairing
    from policy_engine.hook_process.workspace import Beginning
    from policy_engine.loading.active import Live
    from policy_engine.model.decision import Decision, RuleResult
    from policy_engine.model.event import Event


HEARD = ("E-DEADLINE", "E-SIGNAL", "E-STORE")
"""Codes of failures for which a prompt is not refused: they say nothing of the prompt."""


def answered(
    adapter: Adapter,
    event_name: str | None,
    data: bytes,
    response: ResponseWriter,
    lost: bool = False,
    process: int = 0,
) -> Answer:
    """The answer to a payload, worked out in this process; never raises.

    `lost`: the event may be in its session's past already, and nobody knows whether it is. `process` is the hook that
    was given the payload, 0 where none was.
    """
    try:
        payload = read_json(data, _TOLD)
        response.named(adapter.native(payload, event_name))
        _completing(adapter, payload, response, process)
        return _answer(adapter, payload, event_name, response, lost, process)
    except EventError as error:
        code, text = error.code, str(error)
    except PolicyLoadError as error:
        code, text = POLICY_CODE, str(error)
    except ConfigurationError as error:
        code, text = "E-CONFIGURATION", str(error)
    except Exception as fault:
        code, text = "E-INTERNAL", f"{type(fault).__name__}: {fault}"
    return failed(response, code, text)


def failed(response: ResponseWriter, code: str, text: str) -> Answer:
    """The answer to an event that could not be decided; its session and the log know of it."""
    response.unfinished()
    response.failed(code, text)
    return response.words(code, text)


def _completing(adapter: Adapter, payload: Any, response: ResponseWriter, process: int) -> None:
    """A completion that cannot be looked at is not refused for ever, not even by the deadline's last words."""
    capability = adapter.capabilities.get(response.native)
    if capability is not None and capability.point == "prompt":
        response.words = _heard(adapter, response)
    if capability is None or not capability.gate or capability.point not in COMPLETIONS:
        return
    from policy_engine.hook_process.continuing import failed as given_up

    def words(code: str, text: str) -> Answer:
        if response.raw is None and _is_foreign(adapter, payload, process):
            return adapter.failure(response.native, code, text)
        over = given_up(adapter, payload, response.raw, response.native, code, text)
        if over is None:
            return adapter.failure(response.native, code, text)
        return adapter.encode(over, response.native, None)

    response.words = words


def _heard(adapter: Adapter, response: ResponseWriter) -> Callable[[str, str], Answer]:
    """Answer a prompt that could not be decided: a person who is refused cannot even say what to repair."""

    def words(code: str, text: str) -> Answer:
        if code not in HEARD:
            return adapter.failure(response.native, code, text)
        from policy_engine.runtime.resolve import resolve_failure

        return adapter.encode(resolve_failure("prompt", f"{code}: {text}"), response.native, None)

    return words


def _is_foreign(adapter: Adapter, payload: Any, process: int) -> bool:
    """The same as `is_foreign`, of a payload that could not be understood."""
    from policy_engine.hook_process.origin import is_foreign

    session = payload.get("session_id") if type(payload) is dict else None
    return type(session) is str and is_foreign(session, process, adapter.one_process)


def _set_aside(raw: dict[str, Any], adapter: Adapter, process: int) -> str:
    """Give an event that did not come from the host of its session a session of its own, whose past is lost, so that
    it changes nothing and proves nothing; what is said of it, or nothing."""
    from policy_engine.hook_process.origin import is_foreign

    session = raw.get("session")
    if type(session) is not str or session == CANARY_SESSION or not is_foreign(session, process, adapter.one_process):
        return ""
    raw["session"] = f"{session}{FOREIGN}"
    return "this event does not come from the process that began the session: it changes nothing there, and is no proof"


def _answer(
    adapter: Adapter, payload: Any, event_name: str | None, response: ResponseWriter, lost: bool, process: int
) -> Answer:
    from policy_engine.model.event import Event

    raw = _decoded(adapter, payload, event_name)
    if raw is None:
        return _ignored(adapter, payload, response)
    began = raw.get("session")
    foreign = _set_aside(raw, adapter, process)
    response.raw = raw
    past = Past(raw)
    response.unfinished = past.lose_record
    if lost or foreign:
        past.lose_record(bool(foreign))
    event = Event.from_dict(raw)
    if foreign and event.hook in COMPLETIONS:
        raise EventError("E-ORIGIN", foreign)
    if event.time is None:
        event.time = _now()
    if event.hook in ("before_tool", "before_permission") and not _is_folder(event.cwd):
        raise EventError("E-PATH", "the working folder is gone, or is no folder: what a path names cannot be known")
    from policy_engine.loading.live import live

    beginning = _place(event, adapter, payload, began)
    current = live(event.workspace, response.compiling, event.hook == "session_start")
    if event.tool_name == CANARY_TOOL or event.session == CANARY_SESSION:
        return _canary(adapter, response.native, current)
    missing, unkept = _begin(event, payload, current.active, beginning, bool(foreign)) if beginning else ("", "")
    if beginning is not None and beginning.workspace != event.workspace:  # another event named it meanwhile
        event.workspace = beginning.workspace
        current = live(event.workspace, response.compiling, event.hook == "session_start")
    if event.hook == "prompt" and _is_planned(event, payload):
        return _ignored(adapter, payload, response, "a call of the agent planned this prompt; it is no person's")
    pairing = foreign or _paired(event, adapter)
    from policy_engine.hook_process.floor import held as floor_of
    from policy_engine.hook_process.floor import words

    resumes = event.hook == "session_start"  # a person takes the session up: what is in force now holds from now on
    settings = _settings(adapter, event.workspace)
    agreed = getattr(pairing, "agreed", False)
    floor = floor_of(event, current, response.compiling, settings, bool(missing) and not resumes, agreed)
    current = floor.live
    decision = _decide(current, event, past, response, floor.unchanged and not foreign)
    past.settled = True
    results = words(event, floor, "remind" in adapter.capability(response.native, event.hook).enforces)
    decision = _beside(event, decision, results)
    decision = _beside(event, decision, held := _held(adapter, payload, event, decision, response.native, current))
    asks = bool(decision.rules) and decision.rules[0].verdict == "ask"
    if asks:
        from policy_engine.hook_process.approval import with_the_word_of_a_person

        capability = adapter.capability(response.native, event.hook)
        decision = with_the_word_of_a_person(event, decision, capability, pairing)
    kept = _kept(pairing, decision.verdict in ("deny", "stop"), past.stored, asks, adapter)
    seen = missing or unkept or kept
    if seen:
        from policy_engine.runtime.resolve import beside, warning

        decision = beside(event, decision, [warning(seen)])
    _log(decision, event, adapter.name, seen, [*results, *held], response.elapsed_ms())
    _prune()
    return adapter.encode(decision, response.native, event)


def _beside(event: Event, decision: Decision, words: list[RuleResult]) -> Decision:
    """Return a decision with more words than its rules'; the same one where there are none."""
    if not words:
        return decision
    from policy_engine.runtime.resolve import beside

    return beside(event, decision, words)


def _prune() -> None:
    """Drop what is too old, if that was not done within the hour; no event fails for it."""
    from policy_engine.state.places import PRUNED, state_folder

    try:
        since = time.time() - posix.stat(f"{state_folder()}/{PRUNED}").st_mtime
    except OSError:
        since = PRUNE_SECONDS
    if 0 <= since < PRUNE_SECONDS:
        return
    from policy_engine.hook_process.pruning import prune

    try:
        prune()
    except OSError:  # the next event tries again
        return


def _begin(event: Event, payload: Any, active: str, beginning: Beginning, foreign: bool) -> tuple[str, str]:
    """Make the record of a session's workspace; return what is said of a session that began before what is kept of it,
    and what is wrong with the record.

    Who knows the session is asked before the record is made: what other events of it do meanwhile, they do after one of
    them made it, and of these one alone was the first. Raises EventError.
    """
    from policy_engine.hook_process.pairing import note_past
    from policy_engine.hook_process.witness import missing_record

    missing = "" if foreign else missing_record(event, payload, active)
    unkept, first = beginning.keep()
    if not missing or not first:
        return "", unkept
    try:
        note_past(event.session)
    except OSError as error:
        missing = f"{missing}; that cannot be kept: {error.strerror or error}"
    return missing, unkept


def _place(event: Event, adapter: Adapter, payload: Any, session: Any) -> Beginning | None:
    """Put the workspace of the session that it names into the event; return the record to make of it, if it has none.

    Raises EventError and ConfigurationError.
    """
    from policy_engine.hook_process.workspace import workspace_of
    from policy_engine.loading.live import repository
    from policy_engine.state.places import not_from

    beginning = None
    if event.session != CANARY_SESSION:
        event.workspace, beginning = workspace_of(event, adapter, payload, session)
    elif event.workspace is not None:
        event.workspace = repository(event.workspace)
    if event.workspace is not None:
        not_from(event.workspace)
    return beginning


def _settings(adapter: Adapter, workspace: str | None) -> list[str]:
    """The files in which the host may be told to call the hook."""
    from policy_engine.state.places import home, variable

    registration, known = adapter.registration, workspace is not None and workspace[:1] == "/"
    paths = [
        f"{workspace}/{name}"
        for name in (registration.project_settings, *registration.other_settings)
        if name and known
    ]
    folder = variable(registration.home_variable) if registration.home_variable else ""
    if folder[:1] != "/":
        folder = f"{home()}/{registration.home_folder}" if home() else ""
    return [*paths, f"{folder}/{registration.user_settings}"] if folder and registration.user_settings else paths


def _canary(adapter: Adapter, native: str, current: Live) -> Answer:
    """The refusal that proves that the hook is live, and that its policy loads."""
    if current.errors or current.lacking:
        return adapter.failure(native, POLICY_CODE, "; ".join((*current.lacking, *current.errors)))
    from policy_engine.hook_process.self_test import broken_part

    broken = broken_part()
    if broken:
        return adapter.failure(native, "E-INTERNAL", f"{broken}: install policy_engine again")
    return adapter.failure(native, CANARY_CODE, "the hook is live: this call is always refused")


def _decoded(adapter: Adapter, payload: Any, event_name: str | None) -> dict[str, Any] | None:
    """The canonical event, with what the host's own record of the session adds to it."""
    raw = adapter.decode(payload, event_name, posix.environ)
    if raw is not None and adapter.recorded is not None:
        from policy_engine.hook_process.host_record import tail

        adapter.recorded(raw, lambda: tail(payload.get("transcript_path")))
    return raw


def _is_planned(event: Event, payload: Any) -> bool:
    """Return whether a prompt was planned by a call, and the client does not say that a person typed it."""
    from policy_engine.hook_process.planned import is_planned

    try:
        return not (type(payload) is dict and payload.get("source") == "user") and is_planned(event)
    except OSError:
        return False  # nothing of the session's past can be had then, and that is said


def _ignored(adapter: Adapter, payload: dict[str, Any], response: ResponseWriter, why: str = "") -> Answer:
    """Nothing is said about what the adapter declares to be no lifecycle point; the log has it."""
    from policy_engine.adapters.base import Answer as Silence
    from policy_engine.model.decision import Decision

    session = payload.get("session_id")
    message = f"ignored: {why or f'`{redact_shown(response.native)[:80]}` is no lifecycle point here'}"
    _log(Decision("", "", session if type(session) is str else "", "allow", "", (), (message,)), None, adapter.name)
    return Silence()


def _is_folder(path: str | None) -> bool:
    try:
        return path is None or posix.stat(path).st_mode & 0o170000 == 0o040000
    except OSError:
        return False


def _held(
    adapter: Adapter, payload: Any, event: Event, decision: Decision, native: str, current: Live
) -> list[RuleResult]:
    """Return what else is said of a run that would go on although it was stopped, or be refused its end for ever."""
    from policy_engine.hook_process.stopped import held, unknown

    capability = adapter.capability(native, event.hook)
    try:
        words = [held(event, decision, capability)]
    except OSError as error:
        words = [unknown(event, decision, capability, current.program, error.strerror or "")]
    if event.hook in ("prompt", "session_end", *COMPLETIONS):
        from policy_engine.hook_process.continuing import begun, ended

        if event.hook not in COMPLETIONS:
            begun(event)
        elif capability.gate:
            verdict = "stop" if words[0] is not None else decision.verdict
            judged = not current.lacking and not any(error.startswith("E-STORE") for error in decision.errors)
            words.append(ended(adapter, payload, event.raw, verdict, judged))
    return [word for word in words if word is not None]


def _paired(event: Event, adapter: Adapter) -> Pairing | str:
    """Return what is known of the call before it is decided; the event proves nothing if that cannot be known."""
    from policy_engine.hook_process.pairing import Pairing

    try:
        pairing = Pairing(event, adapter)
    except OSError as error:
        if event.hook == "after_tool" and adapter.promised:
            event.disbelieve()
        return _unpaired(error)
    if not pairing.proven:
        event.disbelieve()
    if pairing.folder and pairing.proven:
        event.cwd = event.raw["cwd"] = pairing.folder  # a host may tell the folder to which the line led
    if pairing.lost:
        event.raw["lost"] = pairing.lost
    if pairing.open:
        event.raw["open"] = True
    if pairing.call:
        event.raw["call"] = pairing.call
    if pairing.beside:
        event.raw["beside"] = pairing.beside
    return pairing


def _kept(pairing: Pairing | str, refused: bool, stored: bool, asks: bool, adapter: Adapter) -> str:
    """In what the call ran otherwise than it was judged, or nothing; what is known of it is kept."""
    if isinstance(pairing, str):
        return pairing if adapter.promised else ""
    try:
        pairing.keep(refused, stored, asks)
    except OSError as error:
        return _unpaired(error) if adapter.promised else ""
    return pairing.words


def _unpaired(error: OSError) -> str:
    return f"whether the call ran as it was judged cannot be known: {error.strerror or error}"


def _decide(current: Live, event: Event, past: Past, response: ResponseWriter, approves: bool) -> Decision:
    """Return what the rules come to; `approves`: they are those with which the session began, and the event is its."""
    from policy_engine.runtime.engine import Engine
    from policy_engine.state.places import home

    in_force = (current.program, current.errors)
    commands: Any = Commands(event.workspace or "", response)
    engine = Engine(lambda: in_force, past, home(), _now, commands)
    decision = engine.decide(event)
    if not approves:
        decision.approved = ()
    if current.lacking:
        from policy_engine.runtime.resolve import refused

        decision = refused(event, decision, POLICY_CODE, current.lacking)
    return decision


def _now() -> int:
    """Return milliseconds since the epoch. Raises EventError for a clock that no time of an event can have."""
    now = time.time_ns() // 1_000_000
    if not 0 <= now <= LAST:
        raise EventError("E-TIME", "the clock of this machine is not within the years 1970 to 9999: set it")
    return now


class Commands:
    """The `Hooks` of this process, made when the event concerns a declaration that runs a program; most do not."""

    def __init__(self, workspace: str, response: ResponseWriter) -> None:
        self._workspace = workspace
        self._response = response

    def __getattr__(self, name: str) -> Any:
        from policy_engine.hook_process.running import hooks
        from policy_engine.runtime.external import Hooks

        made = hooks(self._workspace, self._response)
        for attribute in Hooks.__slots__:
            setattr(self, attribute, getattr(made, attribute))
        return getattr(made, name)


class Past:
    """The stored sessions, opened when an event needs the past; most do not.

    `settled`: the event is in its session's past, or needs not be. `stored`: the store knows the session from it on.
    """

    def __init__(self, raw: dict[str, Any]) -> None:
        self._raw = raw
        self.settled = self.stored = False

    def __getattr__(self, name: str) -> Any:
        from policy_engine.hook_process.pairing import has_past
        from policy_engine.loading.settings_source import store_place
        from policy_engine.model.store_address import is_server
        from policy_engine.runtime.stored_sessions import StoredSessions, open_store
        from policy_engine.state.places import make_folder, state_folder

        try:
            make_folder(state_folder())
        except OSError:
            pass  # the store says what is wrong with its folder
        place = store_place()
        if is_server(place):
            from policy_engine.loading.active import add_site_packages

            add_site_packages()
        stored = StoredSessions(open_store(place), shown=redact_shown, had_past=has_past)

        def close(session: Any) -> None:
            known = session.history.dirty
            stored.close(session)
            self.stored = self.stored or known

        self.open, self.close, self.abandon, self.lose = stored.open, close, stored.abandon, stored.lose
        return getattr(self, name)

    def lose_record(self, always: bool = False) -> None:
        """The event was not recorded and will not be: its session's past must not look complete. `always`: at every
        point, not only where something is recorded."""
        from policy_engine.model.points import RECORDING

        session = self._raw.get("session")
        if not self.settled and (always or self._raw.get("hook") in RECORDING) and type(session) is str:
            try:
                from policy_engine.history.doubt import ANY, missed_kind

                self.lose(session, ANY if always else missed_kind(self._raw))
            except Exception as error:
                write(2, f"policy: the event is missing in its session: {error}\n".encode("utf-8", "backslashreplace"))


def _log(
    decision: Decision,
    event: Event | None,
    host: str,
    seen: str = "",
    held: Sequence[RuleResult] = (),
    ms: int | None = None,
) -> None:
    from policy_engine.audit.log import append

    try:
        append(decision, event, host, seen, held, ms)
    except Exception as error:
        _unlogged(error)


def log_failure(adapter: Adapter, response: ResponseWriter, code: str, text: str) -> None:
    """Leave a record of an event that could not be decided."""
    try:
        from policy_engine.audit.log import append_failure

        capability = adapter.capabilities.get(response.native)
        point = capability.point if capability is not None else ""
        append_failure(adapter.name, response.native, point, code, text, response.raw)
    except Exception as error:
        _unlogged(error)


def _unlogged(error: Exception) -> None:
    write(2, f"policy: the decision log cannot be written: {error}\n".encode("utf-8", "backslashreplace"))
