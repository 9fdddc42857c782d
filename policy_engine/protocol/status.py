"""Encode a decision as exit status and standard error, for hosts that read nothing else: 0 goes on, 2 is a refusal.

Where a host hands standard output to the model (`context` in a capability's form), what is to be remembered is there.
Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.protocol.answer import Answer, Capability, paragraphs, settle, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.model.decision import Decision
    from policy_engine.model.event import Event

    Capabilities = dict[str, Capability]


def encoder(capabilities: Capabilities) -> Callable[..., Answer]:
    """`encode` of a host with these events."""

    def encode(decision: Decision, native_event: str, event: Event | None = None) -> Answer:
        capability = capabilities.get(native_event)
        if capability is None:
            return Answer(b"", b"policy engine: E-POINT: an answer to an event that is not handled\n", 2)
        settled = settle(decision, capability, event)
        context = settled.context if "context" in capability.form else ""
        text = paragraphs(
            settled.refusal, "" if context else settled.context, settled.shown, *map(visible, decision.errors)
        )
        refused = bool(settled.refusal) and capability.gate
        return Answer(
            f"{context}\n".encode() if context else b"", f"{text}\n".encode() if text else b"", 2 if refused else 0
        )

    return encode


def failing(capabilities: Capabilities, ignored: frozenset[str]) -> Callable[[str, str, str], Answer]:
    """`failure` of a host with these events; one that is not known may be a gate, and is refused."""

    def failure(native_event: str, code: str, message: str) -> Answer:
        capability = capabilities.get(native_event)
        open_ = native_event in ignored if capability is None else not capability.gate
        return Answer(b"", f"{visible(f'policy engine: {code}: {message}')}\n".encode(), 0 if open_ else 2)

    return failure
