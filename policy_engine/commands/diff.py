"""`policy diff OLD NEW`: what a change of policies newly allows and refuses, each with a session that shows it."""

from __future__ import annotations

import os
from glob import glob
from pathlib import Path

import click

from policy_engine.analysis.solver import solver
from policy_engine.commands.base import (
    FINDINGS,
    UNDECIDED,
    emit,
    emit_json,
    format_option,
    output_style,
    remark_solver,
    solver_option,
    working,
)
from policy_engine.deciding import above_repository
from policy_engine.evaluators.base import Program
from policy_engine.hosts.layers import project_root
from policy_engine.loading.loader import Loaded, load
from policy_engine.loading.recordings import with_parts
from policy_engine.loading.revisions import is_revision, load_revision
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.replayed import Replayed
from policy_engine.replaying import changed_events
from policy_engine.reports.base import Findings, formats_of_check, formats_of_tests
from policy_engine.testing.difference_text import (
    PAGES,
    comparison_dict,
    comparison_findings,
    comparison_outcomes,
    comparison_tests,
    comparison_text,
    is_breaking,
    may_be_breaking,
)
from policy_engine.testing.recorded import Recordings
from policy_engine.testing.where import Where
from policy_engine.testing.witness import Comparison, compare, deciding


@click.command(
    short_help="Say what a change of policies newly allows and refuses.",
    epilog="Example: policy diff origin/main:.policy .policy --breaking",
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW", default=".policy")
@click.option("--breaking", is_flag=True, help="Status 1 or 4 only if something is or may be refused less strictly.")
@click.option("--all", "every", is_flag=True, help="One session for each way of each change, not only the first.")
@click.option("--where", metavar="EXPR", help="Only sessions whose last event meets a condition.")
@click.option("--layers", is_flag=True, help="The layers above the repository decide beside both, as in a hook here.")
@click.option(
    "--replay",
    "recordings",
    metavar="LOG",
    multiple=True,
    help="Recorded sessions, a path or a pattern of them: how often each happened.",
)
@solver_option
@format_option("text", "json", "sarif", "azure", "github", "gitlab", "rdjson", "junit", "test")
def COMMAND(
    old: str,
    new: str,
    breaking: bool,
    every: bool,
    where: str | None,
    layers: bool,
    recordings: tuple[str, ...],
    with_solver: bool,
    format_name: str,
) -> int:
    """Compare two policies: files, folders, or `REV:PATH` of the repository of git around this folder.

    Each difference is shown with a session at which the two decide differently, which was played on both. What is not
    named was proved equal, or is listed as not compared. Titles and messages are not compared, and the layers above the
    repository, the built-in rules among them, do not decide without --layers. With --replay what recorded sessions
    show (as `policy replay` reads them) is counted for each difference, and named where no session was searched.
    Status 0: equal; 1: they differ; 3: one of them does not load; 4: no difference, but something was not compared.
    """
    if recordings and where is not None:
        raise click.UsageError("--replay counts all recorded events; leave --where out")
    entails = solver() if with_solver else None
    with working("comparing"):
        before, after = _loaded(old), _loaded(new)
        above = above_repository(str(project_root(Path.cwd()))) if layers else ()
        comparison = compare(before, after, every, Where(where) if where is not None else None, entails, above)
        recorded = _recorded(recordings, comparison, deciding(before, above), deciding(after, above))
    match format_name:
        case "text":
            emit(comparison_text(comparison, output_style(), recorded))
        case "json":
            emit_json(comparison_dict(comparison, after.require_program(), recorded))
        case "junit":
            emit(formats_of_tests()["junit"].render(comparison_outcomes(comparison, after.policy), output_style()))
        case "test":
            emit(comparison_tests(comparison, after, new if os.path.isdir(new) else os.path.dirname(new) or "."))
        case _:
            names = tuple(one.name for one in (*before.parsed, *after.parsed))
            findings = Findings(comparison_findings(comparison, after.policy), names, PAGES)
            emit(formats_of_check()[format_name].render(findings, output_style()))
    remark_solver(format_name == "text" and bool(comparison.open), with_solver)
    differs = comparison.differences or (recorded is not None and recorded.others)
    if is_breaking(comparison.differences, recorded) or (differs and not breaking):
        return FINDINGS
    return UNDECIDED if may_be_breaking(comparison) or (comparison.open and not breaking) else 0


def _recorded(names: tuple[str, ...], comparison: Comparison, old: Program, new: Program) -> Recordings | None:
    """Return what recordings show, None without any. Raises ConfigurationError."""
    if not names:
        return None
    paths = [path for name in names for path in sorted(glob(os.path.expanduser(name))) or [name]]
    recordings = Recordings(Replayed(new.digest, old.digest))
    recordings.count(comparison, changed_events(with_parts(paths), old, new, recordings.summed))
    if not recordings.summed.events:
        raise ConfigurationError(f"there is no event in {', '.join(f'`{name}`' for name in names)}")
    return recordings


def _loaded(text: str) -> Loaded:
    """Load a policy by its name. Raises PolicyLoadError and ConfigurationError."""
    if not is_revision(text) and not os.path.lexists(text):
        advice = "" if "/" in text or text[:1] == "." else f"; of a revision of git write `{text}:.policy`"
        raise ConfigurationError(f"no such file or folder: `{text}`{advice}")
    loaded = load_revision(text) if is_revision(text) else load((text,))
    loaded.require_program()
    return loaded
