"""Claims over a policy: proved, refuted by a session that the engine decided, or not decided, with the reason.

A claim is asked as a comparison: the policy, and the same with a rule that refuses what the claim is about. `expect
deny` holds if the rule would change no decision, not knowing included; `expect possible allow` if it would refuse
something that the policy lets pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from policy_engine.analysis.candidates import TRIED
from policy_engine.analysis.comparison import Suspect
from policy_engine.analysis.conditions import rule_form
from policy_engine.analysis.formula import TooLarge
from policy_engine.analysis.solver import Entails
from policy_engine.analysis.theory import conflict
from policy_engine.checker.tree import CheckedClaim, CheckedPolicy
from policy_engine.compiler.compiler import compile_policy
from policy_engine.evaluators.base import Program
from policy_engine.model.ladder import RANK
from policy_engine.testing.witness import NEW, Difference, compare_checked, rules_of

PROVED, REFUTED, OPEN = "proved", "refuted", "not decided"


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a claim.

    `witness` is the session that refutes it, or of `possible` the one that shows it. `why` says on what a proof rests,
    and what of the condition was not decided.
    """

    claim: CheckedClaim
    state: str
    witness: Difference | None = None
    why: str = ""


def prove(
    policy: CheckedPolicy, claims: Iterable[CheckedClaim], program: Program, entails: Entails | None = None
) -> Iterator[Answered]:
    """Answer each claim about a checked policy, whose program it is, with a solver if there is one."""
    for claim in claims:
        yield _answered(policy, claim, program, entails)


def fail_open(policy: CheckedPolicy) -> Iterator[CheckedClaim]:
    """Yield for each rule that refuses, and speaks only when it can be decided, the claim that not knowing refuses."""
    for rule in policy.rules:
        if rule.fail == "open" and RANK.get(rule.verdict, 0) >= RANK["ask"] and not rule.shadow:
            yield CheckedClaim(replace(rule, id=f"fail-open/{rule.id}", fail="closed"), False)


def with_rules_of(policy: CheckedPolicy, other: CheckedPolicy, name: str) -> CheckedPolicy:
    """Return a policy with the rules of another layer, whose ids carry its name."""
    return replace(policy, rules=(*policy.rules, *rules_of(name, other)))


def _answered(policy: CheckedPolicy, claim: CheckedClaim, program: Program, entails: Entails | None) -> Answered:
    if _is_void(claim):
        return Answered(claim, REFUTED if claim.possible else PROVED, None, "its condition can never be true")
    refusing = replace(policy, rules=(*policy.rules, claim.rule))
    programs = program, compile_policy(refusing, NEW)
    comparison = compare_checked(
        policy, refusing, programs, sure=True, entails=entails
    )  # a session that is decided says more
    if not claim.possible and not comparison.differences and not comparison.is_equal:
        comparison = compare_checked(policy, refusing, programs, entails=entails)
    if comparison.differences:
        return Answered(claim, PROVED if claim.possible else REFUTED, min(comparison.differences, key=_size))
    left = [suspect for _, suspect, _, _ in comparison.open if not (claim.possible and _is_never(suspect, claim))]
    if not left:
        return Answered(claim, REFUTED if claim.possible else PROVED, None, "other rules refuse all of it")
    return Answered(claim, OPEN, None, "; ".join(dict.fromkeys(map(_left, left))))


def _is_void(claim: CheckedClaim) -> bool:
    try:
        return not rule_form(claim.rule)
    except TooLarge:
        return False


def _is_never(suspect: Suspect, claim: CheckedClaim) -> bool:
    """Return whether what of a claim no rule refuses can never be true; undecided it is no session that is shown."""
    return suspect.item is claim.rule and all(map(conflict, suspect.clauses or (frozenset(),)))


def _size(one: Difference) -> int:
    return len(one.steps)


def _left(suspect: Suspect) -> str:
    """Return what of a claim is covered by no rule, in the words of its condition."""
    left = suspect.left or suspect.item.place.text
    return f"no rule was found that certainly refuses {left}, and no session that none refuses; {TRIED}"
