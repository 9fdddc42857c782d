"""`policy prove`: the claims of policies, each proved, refuted with a session, or not decided."""

from __future__ import annotations

import click

from policy_engine.analysis.solver import solver
from policy_engine.checker.tree import CheckedPolicy
from policy_engine.commands.base import (
    FINDINGS,
    UNDECIDED,
    builtin_option,
    emit,
    emit_json,
    existing,
    format_option,
    note,
    output_style,
    policy_arguments,
    remark_builtin,
    remark_solver,
    solver_option,
    working,
)
from policy_engine.compiler.compiler import compile_policy
from policy_engine.evaluators.base import Program
from policy_engine.loading.builtin import builtin_files
from policy_engine.loading.loader import Loaded, load, load_given
from policy_engine.model.shipped import shipped
from policy_engine.reports.base import Findings, formats_of_check, formats_of_tests
from policy_engine.testing.proof import OPEN, REFUTED, Answered, fail_open, prove, with_rules_of
from policy_engine.testing.proof_text import (
    PAGES,
    proof_dict,
    proof_findings,
    proof_outcomes,
    proof_text,
)

STANDARD = "rules/claims/standard.policy"


@click.command(
    short_help="Prove what a policy can never allow, or show a session.",
    epilog="Example: policy prove .policy --standard",
)
@policy_arguments
@click.option("--standard", is_flag=True, help="Ask the questions that are asked of every policy.")
@click.option("--filter", "wanted", default="", metavar="TEXT", help="Only claims with TEXT in their name.")
@builtin_option
@solver_option
@format_option("text", "json", "sarif", "azure", "github", "gitlab", "rdjson", "junit")
def COMMAND(
    paths: tuple[str, ...], standard: bool, wanted: str, builtin: bool, with_solver: bool, format_name: str
) -> int:
    """Answer each `claim` of the policies at PATH (default .policy), imported ones included.

    Each is proved, refuted by a session that the engine decided, or not decided, with what is left open. Proved is a
    statement about what the engine reads of an action, not about what a program does once it runs. Status 0: all
    proved; 1: one is refuted; 3: a policy does not load; 4: none is refuted and one is not decided, or nothing is
    claimed.
    """
    remark_builtin(builtin)
    entails = solver() if with_solver else None
    with working("proving"):
        policy = _checked(load(existing(paths)))
        if builtin:
            policy = with_rules_of(policy, _checked(load_given(builtin_files())), "builtin")
        program = compile_policy(policy, "proof")
        claims = (*_checked(load((shipped(STANDARD),))).claims, *fail_open(policy)) if standard else policy.claims
        named = [one for one in claims if wanted.lower() in one.rule.id.lower()]
        answers = list(prove(policy, named, program, entails))
    if not answers:
        named_so = f" by a name with `{wanted}`" if wanted else ""
        note(f"nothing is claimed here{named_so}: write a `claim`, or ask the usual questions with --standard")
        return UNDECIDED
    _show(answers, program, format_name)
    remark_solver(format_name == "text" and any(one.state == OPEN for one in answers), with_solver)
    if any(one.state == REFUTED for one in answers):
        return FINDINGS
    return UNDECIDED if any(one.state == OPEN for one in answers) else 0


def _checked(loaded: Loaded) -> CheckedPolicy:
    """Return what was loaded. Raises PolicyLoadError."""
    loaded.require_program()
    assert loaded.policy is not None
    return loaded.policy


def _show(answers: list[Answered], program: Program, format_name: str) -> None:
    match format_name:
        case "text":
            emit(proof_text(answers, output_style()))
        case "json":
            emit_json(proof_dict(answers, program))
        case "junit":
            emit(formats_of_tests()["junit"].render(proof_outcomes(answers), output_style()))
        case _:
            names = tuple(dict.fromkeys(one.claim.rule.place.source.name for one in answers))
            findings = Findings(proof_findings(answers), names, PAGES)
            emit(formats_of_check()[format_name].render(findings, output_style()))
