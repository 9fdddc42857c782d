"""Encode a decision as the JSON answer that Claude Code introduced; what each host takes of it is data.

A capability's `form` names what is legal in the answer to its event:

- how it refuses: `permission` (`permissionDecision`), `behavior` (`decision.behavior`; `interrupt` is known too),
  `block` or `deny` (top-level `decision`), or none of them, and `halts` alone refuses by `continue: false`;
- `approves`: `permissionDecision: allow`, or `behavior: allow`, keeps the host from asking a person about the call;
- `halts`: `continue: false` and `stopReason` end the run;
- `context`: `additionalContext` reaches the model; `message`: `systemMessage` reaches the person;
- `marks`: the host hands the reason on as a prompt, so that it carries the mark CONTINUED;
- `exit`: a refusal also leaves with status 2, its reason on standard error; `flat`: nothing is nested.

A host may drop an answer as a whole that holds one key more, and then lets the call run. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.errors import EventError
from policy_engine.model.points import COMPLETIONS
from policy_engine.model.strict_json import read_json, write_json
from policy_engine.protocol.answer import CONTINUED, REFUSING, Answer, Capability, Settled, paragraphs, settle, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.model.decision import Decision
    from policy_engine.model.event import Event

    Capabilities = dict[str, Capability]


def encode(
    capabilities: Capabilities, decision: Decision, native: str, event: Event | None, changed: dict[str, Any] | None
) -> Answer:
    """The host's answer; `changed` is the input that the call is to have instead, if it may run."""
    capability = capabilities.get(native)
    if capability is None:
        return failure(capabilities, frozenset(), native, "E-POINT", "an answer to an event that is not handled")
    settled = settle(decision, capability, event)
    if settled.verdict in ("ask", "deny"):
        settled.refusal = _marked(settled.refusal, capability)
    output: dict[str, Any] = {}
    specific: dict[str, Any] = {}
    status = 0
    if settled.verdict in REFUSING:
        status = _refuse(output, specific, capability, settled)
    elif changed is not None:
        specific["updatedInput"] = changed
    if decision.approved and settled.verdict not in REFUSING and "approves" in capability.form:
        if "behavior" in capability.form:
            specific["decision"] = {"behavior": "allow"}
        else:
            specific["permissionDecision"] = "allow"
            specific["permissionDecisionReason"] = visible(decision.approved[0].message)
    if settled.context and "context" in capability.form:
        specific["additionalContext"] = settled.context
    if settled.shown and "message" in capability.form:
        output["systemMessage"] = settled.shown
    unseen = "" if "message" in capability.form else settled.shown
    refusal = "" if settled.refusal in unseen else settled.refusal
    text = paragraphs(refusal, unseen, *map(visible, decision.errors))
    return _answer(output, specific, capability, native, text, status)


def failure(capabilities: Capabilities, ignored: frozenset[str], native: str, code: str, message: str) -> Answer:
    """The answer when the engine itself failed: a gate refuses, any other event only reports it."""
    text = visible(f"policy engine: {code}: {message}")
    capability = capabilities.get(native)
    if capability is None:
        if native in ignored:
            return Answer(write_json({"systemMessage": text}), f"{text}\n".encode(), 0)
        return Answer(b"", f"{text}\n".encode(), 2)  # an unknown event may be a gate, and its JSON form is not known
    output: dict[str, Any] = {}
    specific: dict[str, Any] = {}
    status = 0
    if capability.gate:
        text = _marked(text, capability)
        status = _refuse(output, specific, capability, Settled("deny", text, "", ""))
    elif "message" in capability.form:
        output["systemMessage"] = text
    return _answer(output, specific, capability, native, text, status)


def _marked(text: str, capability: Capability) -> str:
    return paragraphs(text, CONTINUED) if "marks" in capability.form else text


def _answer(
    output: dict[str, Any], specific: dict[str, Any], capability: Capability, native: str, text: str, status: int
) -> Answer:
    if specific:
        output.update(
            specific if "flat" in capability.form else {"hookSpecificOutput": {"hookEventName": native, **specific}}
        )
    return Answer(write_json(output) if output else b"", f"{text}\n".encode() if text else b"", status)


def _refuse(output: dict[str, Any], specific: dict[str, Any], capability: Capability, settled: Settled) -> int:
    """Put the refusal into the answer; gives the exit status."""
    form, verdict, text = capability.form, settled.verdict, settled.refusal
    status = 2 if "exit" in form else 0
    halts = verdict == "stop" and "halts" in form
    if halts and "behavior" not in form:
        output["continue"], output["stopReason"] = False, text
    if "permission" in form:
        specific["permissionDecision"] = "ask" if verdict == "ask" else "deny"
        specific["permissionDecisionReason"] = text
        return 0 if verdict == "ask" else status
    if "behavior" in form:
        return _behave(specific, form, settled, status)
    if not capability.gate:
        return status if halts else 0
    if verdict == "stop" and capability.point in COMPLETIONS:
        settled.shown = settled.shown if halts else paragraphs(text, settled.shown)
        return 0  # the run ends, and a person takes over
    if "block" in form or "deny" in form:
        output["decision"] = "deny" if "deny" in form else "block"
        output["reason"] = text
    elif "halts" in form:
        output["continue"], output["stopReason"] = False, text
    return status


def _behave(specific: dict[str, Any], form: frozenset[str], settled: Settled, status: int) -> int:
    if settled.verdict == "ask":
        return 0  # silence: the client goes on to ask
    specific["decision"] = {"behavior": "deny", "message": settled.refusal}
    if settled.verdict == "stop" and "interrupt" in form:
        specific["decision"]["interrupt"] = True
    return status


def denies(capabilities: Capabilities, native: str, answer: Answer) -> bool:
    """Return whether such a host holds back what it asked about: by JSON in its form, and by status."""
    form = capabilities[native].form
    if "exit" in form and (answer.exit_code != 2 or not answer.stderr.strip()):
        return False
    if "exit" not in form and answer.exit_code != 0:
        return False
    try:
        output = read_json(answer.stdout)
    except EventError:
        return False
    if type(output) is not dict:
        return False
    specific = output if "flat" in form else output.get("hookSpecificOutput")
    specific = (
        specific if type(specific) is dict and ("flat" in form or specific.get("hookEventName") == native) else {}
    )
    if "permission" in form:
        return specific.get("permissionDecision") == "deny"
    if "behavior" in form:
        return type(specific.get("decision")) is dict and specific["decision"].get("behavior") == "deny"
    if form & {"block", "deny"}:
        return output.get("decision") == ("deny" if "deny" in form else "block") and bool(output.get("reason"))
    return output.get("continue") is False
