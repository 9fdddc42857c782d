"""Keep the calls that a person should have been asked about and could not be, and let one pass that was approved; let
one pass again to which a person agreed.

Where the host cannot ask, or nobody is there, what would be asked about is refused. The call, its folder, its session
and the policies make a name; a person marks it (`policy approve` at a terminal, or the page of `policy serve` with the
code of its terminal), and the same call passes once within APPROVAL_SECONDS. Imported by the hook path for such a call
alone.
"""

from __future__ import annotations

import posix
import time

from policy_engine.audit.display import redact_shown
from policy_engine.audit.log import append
from policy_engine.model.action import action_of
from policy_engine.model.decision import Decision
from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import read_json, write_json
from policy_engine.protocol.answer import askable
from policy_engine.runtime.resolve import beside, own_word, resolve, warning
from policy_engine.state.places import state_folder
from policy_engine.state.side_files import content, digest, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.hook_process.pairing import Pairing
    from policy_engine.model.decision import RuleResult
    from policy_engine.model.event import Event
    from policy_engine.protocol.answer import Capability

FOLDER = "approvals"
ID_CHARS = 8  # of a request's name, which people are shown
APPROVAL_SECONDS = 600
"""How long a request waits for a person, and how long their word holds."""
_POINTS = ("before_tool", "before_permission")
HINT = "A person can let this very call pass once, by `policy approve` in a terminal; then try it again."


def with_the_word_of_a_person(
    event: Event, decision: Decision, capability: Capability, pairing: Pairing | str
) -> Decision:
    """Return a decision that asks, without what asked where a person approved the call or agreed to it before."""
    if event.hook not in _POINTS:
        return decision
    if decision.verdict == "deny" or not askable(capability, event):
        return _approved(event, decision)
    return decision if isinstance(pairing, str) else _agreed(event, decision, pairing)


def _approved(event: Event, decision: Decision) -> Decision:
    """Return the decision on such a call: without what asked if a person approved it, which is used up; else noted."""
    asking = [rule for rule in decision.rules if rule.verdict == "ask"]
    path = f"{state_folder()}/{FOLDER}/{_name(event, decision.policy, [rule.rule for rule in asking])}"
    try:
        kept = request_of(content(path))
        if kept is not None and kept["granted"] and _take(path):
            return _without(event, decision, asking, "a person approved this call, once")
        texts = [redact_shown(f"{rule.message} [{rule.rule}]") for rule in asking]
        request = {"session": event.session, "workspace": event.workspace or "", "action": _action(event)}
        replace(path, write_json({**request, "rules": texts, "at": _now(), "granted": False}))
    except OSError:
        return decision  # it stays refused, and nobody is sent to approve what is not kept
    return beside(event, decision, [own_word("violated", "ask", HINT, "")])


def _agreed(event: Event, decision: Decision, pairing: Pairing) -> Decision:
    """Return the decision on a call that a person will be asked about: without what asked, if it asked only for what
    could not be known and the same call ran in this session after a person was asked about it."""
    asking = [rule for rule in decision.rules if rule.verdict == "ask"]
    if event.hook != "before_tool" or any(rule.outcome != "undecided" for rule in asking):
        return decision
    pairing.asked = bytes.fromhex(_name(event, decision.policy, [rule.rule for rule in asking]))
    try:
        if not pairing.has_agreed():
            return decision
    except OSError:
        return decision
    pairing.asked = b""
    return _without(event, decision, asking, "a person was asked about this very call before, and it ran")


def _without(event: Event, decision: Decision, asking: list[RuleResult], why: str) -> Decision:
    """Return a decision in which what asked is waived."""
    rest = [*(rule for rule in decision.rules if rule.verdict != "ask"), warning(why)]
    waived, shadow = [*decision.waived, *asking], list(decision.shadow)
    return resolve(event, decision.policy, rest, decision.errors, waived, shadow, decision.timeout_ms)


def request_of(data: bytes | None) -> dict[str, Any] | None:
    """Return a request that was kept, None if there is none, it is over, or cannot be read."""
    try:
        kept = read_json(data) if data else None
    except EventError:
        return None
    if type(kept) is not dict or type(kept.get("at")) is not int or type(kept.get("granted")) is not bool:
        return None
    return kept if 0 <= _now() - kept["at"] < APPROVAL_SECONDS * 1000 else None


def waiting() -> dict[str, dict[str, Any]]:
    """Return the requests that wait for a person, by their names, the latest last. Raises OSError."""
    folder = f"{state_folder()}/{FOLDER}"
    try:
        names = [name for name in posix.listdir(folder) if "." not in name]
    except FileNotFoundError:
        return {}
    known = {name: request_of(content(f"{folder}/{name}")) for name in names}
    requests = {name: kept for name, kept in known.items() if kept is not None and not kept["granted"]}
    return dict(sorted(requests.items(), key=lambda item: (item[1]["at"], item[0])))


def grant(name: str, where: str) -> bool:
    """Let the call of a request pass once from now on, and record that a person said so; return whether it still
    waits. Raises OSError.
    """
    kept = waiting().get(name)
    if kept is None:
        return False
    replace(f"{state_folder()}/{FOLDER}/{name}", write_json({**kept, "at": _now(), "granted": True}))
    text = f"approved {where}, once: {kept['action']}"
    append(Decision("", "", str(kept["session"]), "allow", "", (), (text,)), None, "")
    return True


def _take(path: str) -> bool:
    """Use an approval up; return whether this process was the one that did."""
    try:
        posix.unlink(path)
    except FileNotFoundError:
        return False
    return True


def _name(event: Event, policy: str, rules: list[str]) -> str:
    given = [event.session, event.workspace, event.cwd, event.hook, event.tool_name, event.tool_args, policy]
    return digest(write_json([*given, sorted(rules)]), 16).hex()


def _action(event: Event) -> str:
    return redact_shown(action_of(event.raw))


def _now() -> int:
    return time.time_ns() // 1_000_000
