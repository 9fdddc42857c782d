"""What an adapter is: one coding agent, native payload → canonical event dictionary, `Decision` → native answer.

A member file `adapters/<agent>.py` holds `ADAPTER`, an `Adapter`; the host `claude-code` is found in `claude_code.py`.
Adapters are pure: payload and environment in, values out; they read no file and no clock. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.errors import EventError
from policy_engine.model.limits import MESSAGE_CHARS
from policy_engine.model.strict_json import write_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from policy_engine.model.decision import Decision, RuleResult
    from policy_engine.model.event import Event

    Environment = Mapping[bytes, bytes] | Mapping[str, str]

CANARY_TOOL = "__policy_engine_canary__"  # a call that is always refused: proof that a hook is live
CANARY_CODE = "E-CANARY"  # what that refusal says; a refusal without it comes from an engine that failed
POLICY_CODE = "E-POLICY"  # the refusal of an engine whose policy on disk does not load
REFUSING = frozenset(("ask", "deny", "stop"))
REASON_CHARS = 2 * MESSAGE_CHARS  # all messages of one decision together; hosts cut what they show at 10,000
_VALUE_CHARS = 200


class Answer:
    """What the hook process says: bytes for standard output, bytes for standard error, and its exit status."""

    __slots__ = ("stdout", "stderr", "exit_code")

    def __init__(self, stdout: bytes = b"", stderr: bytes = b"", exit_code: int = 0) -> None:
        self.stdout = stdout
        self.stderr = stderr
        self.exit_code = exit_code


class Capability:
    """What a host does with an answer to one native event.

    `point` is the canonical lifecycle point; `gate` says that the host can still refuse, so that a failure of the
    engine refuses too; `enforces` are the verdicts that take full effect there, measured; others are only shown.
    `remind` among them says that text can reach the model without forcing it on.
    """

    __slots__ = ("point", "gate", "enforces")

    def __init__(self, point: str, gate: bool, enforces: str) -> None:
        self.point = point
        self.gate = gate
        self.enforces = frozenset(enforces.split())


class Registration:
    """How a host is told to call the hook; data for `policy install` and `policy doctor`.

    `user_settings` is a path below the host's own folder `home_folder` (or below what the variable `home_variable`
    names), `project_settings` and `other_settings` are paths below the project, `managed_settings` absolute paths.
    `events` are (native event, matcher or None); `timeout` in seconds, `longer` that of single events, for which
    commands of policies run; `switches` are (settings key, what a true
    value does); `variables` the same for environment variables. `canary` is a payload that must be refused, without
    session and folder; `denial` the way into the answer's JSON, its last word the value that refuses.
    """

    __slots__ = (
        "home_folder", "home_variable", "user_settings", "project_settings", "other_settings", "managed_settings",
        "events", "timeout", "longer", "fail_closed_events", "switches", "managed_switches", "variables",
        "canary", "denial",
    )  # fmt: skip

    if TYPE_CHECKING:
        home_folder: str
        home_variable: str
        user_settings: str
        project_settings: str
        other_settings: tuple[str, ...]
        managed_settings: tuple[str, ...]
        events: tuple[tuple[str, str | None], ...]
        timeout: int
        longer: dict[str, int]
        fail_closed_events: frozenset[str]
        switches: tuple[tuple[str, str], ...]
        managed_switches: tuple[tuple[str, str], ...]
        variables: tuple[tuple[str, str], ...]
        canary: dict[str, Any]
        denial: tuple[str, ...]

    def __init__(self, **values: Any) -> None:
        for name in self.__slots__:
            setattr(self, name, values.pop(name))
        if values:
            raise TypeError(f"unknown: {', '.join(values)}")

    def seconds(self, event: str) -> int:
        """How long the host is told to wait for the hook at a native event."""
        return self.longer.get(event, self.timeout)


class Adapter:
    """One coding agent.

    `decode(payload, event_name, environment)` gives the canonical event dictionary, or None for a native event that is
    no lifecycle point; raises EventError. `event_name` is the name given on the command line, or None.
    `encode(decision, native_event, event)` and `failure(native_event, code, message)` give the host's answer and raise
    nothing; without `event` nobody can be asked. `continuation_cap`: how often in a row the host lets a completion be
    refused; 0 is no cap.
    """

    __slots__ = ("name", "decode", "encode", "failure", "capabilities", "registration", "continuation_cap")

    if TYPE_CHECKING:
        decode: Callable[[Any, str | None, Environment], dict[str, Any] | None]
        encode: Callable[[Decision, str, Event | None], Answer]
        failure: Callable[[str, str, str], Answer]

    def __init__(
        self,
        name: str,
        decode: Callable[[Any, str | None, Environment], dict[str, Any] | None],
        encode: Callable[[Decision, str, Event | None], Answer],
        failure: Callable[[str, str, str], Answer],
        capabilities: dict[str, Capability],
        registration: Registration,
        continuation_cap: int,
    ) -> None:
        self.name = name
        self.decode = decode
        self.encode = encode
        self.failure = failure
        self.capabilities = capabilities
        self.registration = registration
        self.continuation_cap = continuation_cap

    @property
    def promised(self) -> bool:
        """Whether the host asks before every call whose end it reports."""
        points = {each.point for each in self.capabilities.values() if each.gate or each.point == "after_tool"}
        return {"before_tool", "after_tool"} <= points


def needed(payload: dict[str, Any], key: str, empty: bool = False) -> str:
    """The string `payload[key]`, or EventError: a host that does not say it cannot be judged. `empty` allows ""."""
    value = payload.get(key)
    if type(value) is not str:
        raise EventError("E-TYPE" if key in payload else "E-FIELD", f"`{key}` is missing or not a string")
    if not value and not empty:
        raise EventError("E-FIELD", f"`{key}` is empty")
    return value


def optional(payload: dict[str, Any], key: str) -> str:
    """The string `payload[key]`, empty if it is not there or null; EventError if it is something else."""
    value = payload.get(key)
    if value is None:
        return ""
    if type(value) is not str:
        raise EventError("E-TYPE", f"`{key}` is not a string")
    return value


def variable(environment: Environment, name: str) -> str:
    """A variable of the environment, given as bytes or as text; empty if unset. EventError if it is not UTF-8."""
    raw: Any = environment
    value: bytes | str = raw.get(name.encode()) or raw.get(name) or ""
    try:
        return value.decode("utf-8") if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        raise EventError("E-UTF8", f"the variable {name} is not UTF-8") from None


def result_text(response: Any) -> str:
    """What a tool gave back, as text: a string, a list of content blocks, or an object in one of the usual forms.

    The same result gives the same text: durations (`…Ms`) are left out.
    """
    if type(response) is str:
        return response
    if type(response) is list:
        return "\n".join(result_text(part) for part in response)
    if type(response) is not dict:
        return "" if response is None else write_json(response).decode()
    if type(response.get("stdout")) is str:
        parts = (response["stdout"], response.get("stderr"))
        return "\n".join(part for part in parts if type(part) is str and part)
    for key in ("text", "content", "result", "file"):
        if type(response.get(key)) in (str, list, dict):
            return result_text(response[key])
    return write_json({key: value for key, value in response.items() if not key.endswith("Ms")}).decode()


def records(items: list[Any]) -> list[tuple[int, dict[str, Any]]]:
    """The objects of a list with their places, from 1; what is no object is an empty one, so that it is refused."""
    return [(place, item if type(item) is dict else {}) for place, item in enumerate(items, 1)]


def todo(item: dict[str, Any], identity: object) -> dict[str, Any]:
    """A host's todo as the canonical one; a key that the host left out is left out."""
    found: dict[str, Any] = {"id": identity if type(identity) is str else ""}
    for key in ("content", "subject"):
        if key in item:
            found["title"] = item[key]
    if "status" in item:
        found["status"] = "canceled" if item["status"] == "deleted" else item["status"]
    return found


def paragraphs(*parts: str) -> str:
    """The parts that are not empty, one below the other."""
    return "\n".join(part for part in parts if part)


def visible(text: str) -> str:
    """`text` with every character that a terminal or reader would obey (controls, bidi, zero-width) escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode("ascii") for char in text
    )


def reason(decision: Decision, verdicts: frozenset[str]) -> str:
    """What the rules with one of `verdicts` say, strictest first, one paragraph each; empty if none spoke."""
    parts: list[str] = []
    size = 0
    rules = [rule for rule in decision.rules if rule.verdict in verdicts]
    for number, rule in enumerate(rules):
        part = visible(explain(rule))
        size += len(part) + 1
        if parts and size > REASON_CHARS:
            parts.append(f"… and {len(rules) - number} more; `policy log` has them all.")
            break
        parts.append(part[:REASON_CHARS])
    return "\n".join(parts)


def explain(rule: RuleResult) -> str:
    """One rule's word for the agent: what failed, why, what to do next, and where the rule stands."""
    lines = [rule.message or f"The rule `{rule.rule}` says {rule.verdict}."]
    for expression, values in rule.because[:3]:
        shown = ", ".join(f"{name} = {_short(value)}" for name, value in values.items())
        lines.append(f"Because `{expression}`" + (f" with {shown}." if shown else "."))
    if rule.satisfy:
        lines.append(f"To pass: {'; '.join(rule.satisfy[:3])}.")
    return " ".join(lines) + f" [{rule.rule}{', ' if rule.at else ''}{rule.at}]"


def _short(value: object) -> str:
    text = value if type(value) is str else str(value)
    return text if len(text) <= _VALUE_CHARS else f"{text[:_VALUE_CHARS]}…"
