"""A decision → what is said about it, in words that a terminal and a model can take; `Answer` carries them.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.limits import MESSAGE_CHARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.decision import Decision, RuleResult
    from policy_engine.model.event import Event

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


def status_denies(_native: str, answer: Answer) -> bool:
    """The simplest reading: status 2 and a reason on standard error."""
    return answer.exit_code == 2 and bool(answer.stderr.strip())


class Capability:
    """What a host does with an answer to one native event.

    `point` is the canonical lifecycle point; `gate` says that the host can still refuse, so that a failure of the
    engine refuses too; `enforces` are the verdicts that take full effect there, measured; others are only shown.
    `remind` among them says that text can reach the model without forcing it on. `form` says in words of the host's
    protocol what its answer may hold (protocol/reply.py); `asks` among them that the host itself refuses what nobody
    is there to answer, so that it may be asked without knowing.
    """

    __slots__ = ("point", "gate", "enforces", "form")

    def __init__(self, point: str, gate: bool, enforces: str, form: str = "") -> None:
        self.point = point
        self.gate = gate
        self.enforces = frozenset(enforces.split())
        self.form = frozenset(form.split())


class Said:
    """A decision as a host can take it: `verdict`, why it `refuses`, what the model is `told`, a person `shown`."""

    __slots__ = ("verdict", "refusal", "told", "shown")

    def __init__(self, verdict: str, refusal: str, told: str, shown: str) -> None:
        self.verdict = verdict
        self.refusal = refusal
        self.told = told
        self.shown = shown


def settle(decision: Decision, capability: Capability, event: Event | None) -> Said:
    """What of a decision takes effect at an event; what cannot is shown. `ask` is a refusal where nobody is there."""
    verdict, refusal = decision.verdict, ""
    nobody = verdict == "ask" and not _askable(capability, event)
    told, shown = reason(decision, frozenset(("remind",))), reason(decision, frozenset(("warn",)))
    if verdict in REFUSING:
        refusal = reason(decision, REFUSING) or f"Policy says {verdict}."
        if nobody:
            verdict = "deny"
            refusal = f"This needs a person's approval, and nobody can be asked here. {refusal}"
    if "remind" not in capability.enforces:
        told, shown = "", paragraphs(told, shown)
    if refusal and verdict not in capability.enforces and not capability.gate:
        told = paragraphs(refusal, told) if "remind" in capability.enforces else ""
        shown = paragraphs(refusal, shown)
    return Said(verdict, refusal, told, shown)


def _askable(capability: Capability, event: Event | None) -> bool:
    if event is None or "ask" not in capability.enforces:
        return False
    return event.host_interactive is True or ("asks" in capability.form and event.host_interactive is None)


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
