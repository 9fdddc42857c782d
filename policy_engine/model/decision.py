"""`Decision`, with one `RuleResult` per rule that gave a verdict. Values; imported by the hook path."""

from __future__ import annotations

from policy_engine.model.ladder import APPROVE
from policy_engine.model.points import ENGINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


def could_not_be_decided(reasons: tuple[str, ...]) -> str:
    """Return the words with which the message of an undecided rule begins."""
    return f"Could not be decided: {'; '.join(reasons)}. "


PERHAPS = "Perhaps: "  # what a rule says that could not be decided, behind the causes
_NAMED = 3  # rules that a sentence for several of them names
MOST_CAUSES = 2  # reasons that it gives
_ALLOWING = frozenset(("allow", "warn", "remind"))


class RuleResult:
    """One rule's word on one event.

    `outcome` is violated or undecided (the decision lists no others; `waived` and `shadow` hold those apart);
    `verdict` its place on the ladder; `at` `file:line:col`; `because` a tuple of (expression text, {name: value});
    `evidence` event ids; `undecided` the reasons; `satisfy` what would make the rule pass; `reason` only for stop.
    """

    __slots__ = (
        "rule", "outcome", "verdict", "message", "at", "because", "evidence", "undecided", "satisfy", "reason",
    )  # fmt: skip

    def __init__(
        self,
        rule: str,
        outcome: str,
        verdict: str,
        message: str = "",
        at: str = "",
        because: tuple[tuple[str, dict[str, Any]], ...] = (),
        evidence: tuple[str, ...] = (),
        undecided: tuple[str, ...] = (),
        satisfy: tuple[str, ...] = (),
        reason: str = "",
    ) -> None:
        self.rule = rule
        self.outcome = outcome
        self.verdict = verdict
        self.message = message
        self.at = at
        self.because = because
        self.evidence = evidence
        self.undecided = undecided
        self.satisfy = satisfy
        self.reason = reason

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> RuleResult:
        """Return the result that `to_dict` gave; what is missing or of another type is left empty."""
        leaves = given.get("because")
        because = tuple((str(one["expr"]), dict(one["values"])) for one in leaves) if type(leaves) is list else ()
        result = cls("", "", "", because=because)
        for name in ("rule", "outcome", "verdict", "message", "at"):
            setattr(result, name, str(given.get(name) or ""))
        for name in ("evidence", "undecided", "satisfy"):
            setattr(result, name, tuple(map(str, given.get(name) or ())))
        return result

    def __repr__(self) -> str:
        return f"<RuleResult {self.rule}: {self.verdict}, {self.outcome}, {self.message!r}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON form (interfaces page), keys in the documented order."""
        return {
            "rule": self.rule,
            "outcome": self.outcome,
            "verdict": self.verdict,
            "message": self.message,
            "at": self.at,
            "because": [{"expr": text, "values": values} for text, values in self.because],
            "evidence": list(self.evidence),
            "undecided": list(self.undecided),
            "satisfy": list(self.satisfy),
        }


def open_rules(rules: list[RuleResult]) -> list[RuleResult]:
    """Return those that could not be decided, where they are several: one sentence says so for all of them."""
    undecided = [rule for rule in rules if rule.outcome == "undecided" and rule.undecided and rule.rule != ENGINE]
    return undecided if len(undecided) > 1 else []


def said_of_open(rules: list[RuleResult]) -> str:
    """Return what is not known, and how many rules depend on it."""
    causes = causes_of(rules)
    names = ", ".join(rule.rule for rule in rules[:_NAMED])
    more = f" and {len(rules) - _NAMED} more" if len(rules) > _NAMED else ""
    left = (f"and {len(causes) - MOST_CAUSES} more",) if len(causes) > MOST_CAUSES else ()
    text = could_not_be_decided((*causes[:MOST_CAUSES], *left))
    return f"{text}{len(rules)} rules depend on it: {names}{more}."


def causes_of(rules: list[RuleResult]) -> tuple[str, ...]:
    """Return the fewest reasons that leave all of the rules open, the one of most rules first."""
    left, causes = list(rules), []
    while left:
        count: dict[str, int] = {}
        for rule in left:
            for each in rule.undecided:
                count[each] = count.get(each, 0) + 1
        cause = min(count, key=lambda each: (-count[each], each))
        causes.append(cause)
        left = [rule for rule in left if cause not in rule.undecided]
    return tuple(causes)


class Decision:
    """The one answer to one event; `rules` strictest first, then by id. Same input, same bytes.

    `approved` are the rules by which the host need not ask a person about the call; they are there only where nothing
    else is said of it but `warn` and `remind`.

    Ask `allowed` whether the event may go on. A Decision is neither true nor false: `bool(decision)` raises TypeError,
    so that `if decision:` cannot take a refusal for consent.
    """

    __slots__ = (
        "event", "hook", "session", "verdict", "stop_reason", "timeout_ms", "rules", "policy", "errors", "waived",
        "shadow", "approved",
    )  # fmt: skip

    def __init__(
        self,
        event: str,
        hook: str,
        session: str,
        verdict: str,
        policy: str,
        rules: tuple[RuleResult, ...] = (),
        errors: tuple[str, ...] = (),
        stop_reason: str | None = None,
        timeout_ms: int | None = None,
        waived: tuple[RuleResult, ...] = (),
        shadow: tuple[RuleResult, ...] = (),
        approved: tuple[RuleResult, ...] = (),
    ) -> None:
        self.event = event
        self.hook = hook
        self.session = session
        self.verdict = verdict
        self.policy = policy
        self.rules = rules
        self.errors = errors
        self.stop_reason = stop_reason
        self.timeout_ms = timeout_ms
        self.waived = waived
        self.shadow = shadow
        self.approved = approved

    @property
    def allowed(self) -> bool:
        """Return whether the event may go on by itself: `allow`, `warn` and `remind`; an `ask` needs a person first."""
        return self.verdict in _ALLOWING

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return why the verdict was given, each reason once; for `allow` there are none.

        What could not be decided is said in one sentence for all the rules that depend on it, behind what is certain.
        """
        spoke = [rule for rule in self.rules if rule.verdict == self.verdict]
        folded = open_rules(spoke)
        given = [rule.message.strip() for rule in spoke if rule not in folded]
        given += [said_of_open(folded)] if folded else []
        return tuple(dict.fromkeys(text for text in given if text))

    @property
    def message(self) -> str:
        """Return the reasons as one text, empty where nothing was said."""
        return " ".join(self.reasons)

    @property
    def word(self) -> str:
        """Return the verdict, or `approve` where nobody needs to be asked."""
        return APPROVE if self.approved else self.verdict

    def __bool__(self) -> NoReturn:
        raise TypeError("a Decision is neither true nor false: ask `decision.allowed` or `decision.verdict`")

    def __repr__(self) -> str:
        rules = ", ".join(rule.rule for rule in self.rules)
        text = f" by {rules}: {self.message!r}" if rules else ""
        return f"<Decision {self.verdict} at {self.hook}{text}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON form (interfaces page), keys in the documented order; `approved` only where something is."""
        approved = {"approved": [rule.to_dict() for rule in self.approved]} if self.approved else {}
        return {
            "event": self.event,
            "hook": self.hook,
            "session": self.session,
            "verdict": str(self.verdict),
            "stop_reason": self.stop_reason,
            "timeout_ms": self.timeout_ms,
            "rules": [rule.to_dict() for rule in self.rules],
            "policy": self.policy,
            "errors": list(self.errors),
            "waived": [rule.to_dict() for rule in self.waived],
            "shadow": [rule.to_dict() for rule in self.shadow],
            **approved,
        }
