"""`policy diff OLD NEW`: what a change of policies newly allows and refuses, each with a session that shows it."""

from __future__ import annotations

import os

import click

from policy_engine.analysis.solver import solver
from policy_engine.commands.base import (
    FINDINGS,
    UNDECIDED,
    emit,
    emit_json,
    existing,
    format_option,
    output_style,
    solver_option,
    working,
)
from policy_engine.evaluators.base import Program
from policy_engine.loading.loader import Loaded, load, load_text
from policy_engine.loading.revisions import is_revision, load_revision
from policy_engine.model.errors import PolicyLoadError
from policy_engine.model.points import FAILURE_VERDICT
from policy_engine.reports.base import Findings, formats_of_check, formats_of_tests
from policy_engine.testing.difference_text import (
    PAGES,
    comparison_dict,
    comparison_findings,
    comparison_outcomes,
    comparison_tests,
    comparison_text,
    is_breaking,
)
from policy_engine.testing.witness import Watch, compare

_WATCH = 'language 1\nrule where "where" {{\n  on {point}\n  when {condition}\n  fail open\n  remind "where"\n}}\n'


@click.command(
    short_help="Say what a change of policies newly allows and refuses.",
    epilog="Example: policy diff origin/main:.policy .policy --breaking",
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW", default=".policy")
@click.option("--breaking", is_flag=True, help="Status 1 only if something is refused less strictly.")
@click.option("--all", "every", is_flag=True, help="One session for each way of each change, not only the first.")
@click.option("--where", metavar="EXPR", default="", help="Only sessions whose last event meets a condition.")
@solver_option
@format_option("text", "json", "sarif", "github", "gitlab", "rdjson", "junit", "test")
def COMMAND(  # noqa: N802 -- the family finds a command by this name
    old: str, new: str, breaking: bool, every: bool, where: str, with_solver: bool, format_name: str
) -> int:
    """Compare two policies: files, folders, or `REV:PATH` of the repository of git around this folder.

    Each difference is shown with a session at which the two decide differently, which was played on both. What is not
    named was proved equal, or is listed as not compared. Titles, messages and the built-in rules are not compared.
    Status 0: equal; 1: they differ; 3: one of them does not load; 4: no difference, but something was not compared.
    """
    entails = solver() if with_solver else None
    with working("comparing"):
        before, after = _loaded(old), _loaded(new)
        comparison = compare(before, after, every, _watch(where), entails)
    match format_name:
        case "text":
            emit(comparison_text(comparison, output_style()))
        case "json":
            emit_json(comparison_dict(comparison))
        case "junit":
            emit(formats_of_tests()["junit"].render(comparison_outcomes(comparison), output_style()))
        case "test":
            emit(comparison_tests(comparison, after, new if os.path.isdir(new) else os.path.dirname(new) or "."))
        case _:
            names = tuple(one.name for one in (*before.parsed, *after.parsed))
            findings = Findings(comparison_findings(comparison, after.policy), names, PAGES)
            emit(formats_of_check()[format_name].render(findings, output_style()))
    if is_breaking(comparison.differences) or (comparison.differences and not breaking):
        return FINDINGS
    return UNDECIDED if comparison.open else 0


def _loaded(text: str) -> Loaded:
    """Load a policy by its name. Raises PolicyLoadError and ConfigurationError."""
    loaded = load_revision(text) if is_revision(text) else load(existing((text,)))
    loaded.require_program()
    return loaded


def _watch(condition: str) -> Watch:
    """Return what compiles the condition for a point; one that no point has is refused."""
    if not condition:
        return lambda point, kind: None
    problems = {}
    programs: dict[tuple[str, str], Program | None] = {}

    def program(point: str, kind: str) -> Program | None:
        if (point, kind) not in programs:
            listen = f"{point}({kind})" if kind else point
            loaded = load_text(_WATCH.format(point=listen, condition=condition), "--where")
            problems[point, kind] = loaded
            programs[point, kind] = loaded.program or load_text('language 1\ntest "x" { shell "ls" => allow }').program
        return programs[point, kind]

    if not any(load_text(_WATCH.format(point=point, condition=condition)).program for point in FAILURE_VERDICT):
        broken = load_text(_WATCH.format(point="before_tool(shell)", condition=condition), "--where")
        if broken.program is None:
            raise PolicyLoadError("the condition of --where does not load", broken.diagnostics)
    return program
