"""`policy test`: run the `test` blocks of policy files, and optionally measure their coverage."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from policy_engine.analysis.unsent import unsent
from policy_engine.commands.base import (
    emit,
    emit_json,
    existing,
    format_option,
    note,
    output_style,
    policy_arguments,
    progress,
    repeated,
    watch_option,
    working,
)
from policy_engine.hosts.installed import installed_hosts
from policy_engine.hosts.layers import project_root
from policy_engine.loading.loader import load
from policy_engine.loading.revisions import load_revision, named_in
from policy_engine.model.errors import PolicyLoadError
from policy_engine.reports.base import Style, TestOutcome, counted, formats_of_tests, percent_badge
from policy_engine.testing.coverage import Coverage
from policy_engine.testing.coverage_table import coverage_text
from policy_engine.testing.mutation import compare_mistakes, items_of, make_mistakes, score
from policy_engine.testing.mutation_text import mutation_dict, mutation_outcomes, mutation_text, write_tests
from policy_engine.testing.respell import respell as respelled
from policy_engine.testing.runner import Suite, only_imports, suite
from policy_engine.testing.runner import run as run_tests

FAILED = 5
_LONG_WORK = 20  # tests from which on a progress bar is worth its flicker


@click.command(short_help="Run the tests of policies.", epilog="Example: policy test .policy --coverage --min 80")
@policy_arguments
@click.option("--coverage", "wants_coverage", is_flag=True, help="Say which rules and conditions the tests saw.")
@click.option(
    "--min",
    "least",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="Fail below this coverage (implies --coverage).",
)
@click.option(
    "--filter", "wanted", default="", metavar="TEXT", help="Only tests with TEXT in their file, rule or title."
)
@click.option(
    "--respell", is_flag=True, help="Play each refused shell line in other spellings, and list those that get through."
)
@click.option(
    "--mutants", "wants_mutants", is_flag=True, help="Make small mistakes in the rules, and say which no test notices."
)
@click.option("--write", is_flag=True, help="With --mutants: add the missing tests to the rules.")
@click.option(
    "--changed",
    "since",
    metavar="REV",
    default="",
    help="With --mutants: only rules that a revision of git does not have as they are.",
)
@watch_option
@format_option(*formats_of_tests())
def COMMAND(
    paths: tuple[str, ...],
    wants_coverage: bool,
    least: float | None,
    wanted: str,
    respell: bool,
    wants_mutants: bool,
    write: bool,
    since: str,
    watch: bool,
    format_name: str,
) -> int:
    """Run the `test` blocks of the policies at PATH (default .policy).

    Imported packs are tested where they are made: a policy that only imports them has nothing of its own to test,
    which is said. With --mutants each rule (--filter: of that name) is changed in small ways; --min is then about the
    share of mistakes that tests notice. Status 0: all passed; 3: a policy does not load; 5: a test failed, none ran,
    the coverage is below --min, or with --respell another spelling of a refused line got a weaker verdict.
    """
    if wants_mutants:
        return _mutants(existing(paths), least or 0.0, wanted, write, since, format_name)
    if write or since:
        raise click.UsageError("--write and --changed belong to --mutants")
    if respell and (wants_coverage or least is not None):
        raise click.UsageError("--respell plays other lines than the tests have; measure their coverage without it")
    named = existing(paths)

    def run() -> int:
        return _tested(named, wants_coverage, least, wanted, respell, format_name)

    return repeated(named, run) if watch else run()


def _tested(
    named: tuple[str, ...], wants_coverage: bool, least: float | None, wanted: str, respell: bool, format_name: str
) -> int:
    """Run the tests and show what came of them; the exit status."""
    with working("loading"):
        try:
            chosen = suite(load(named), named, wanted)
        except PolicyLoadError as error:
            if format_name != "text":
                _show(_not_loaded(error), None, format_name)
            raise
    if not chosen.tests and not wanted and (imported := only_imports(chosen)):
        _tell_imported(imported, format_name)
        return 0
    coverage = Coverage(chosen.policy, chosen.files) if wants_coverage or least is not None else None
    if respell:
        outcomes = respelled(chosen)
        _show(outcomes, None, format_name)
        if not outcomes:
            note("no test refuses a shell line: there is nothing to respell")
        return FAILED if any(outcome.failed for outcome in outcomes) else 0
    outcomes = _run(chosen, coverage)
    _show(outcomes, coverage, format_name)
    short = False
    if coverage is not None and least is not None and coverage.percent < least:
        short = True
        note(f"error: coverage is {coverage.percent:g} %, at least {least:g} % is demanded")
    _remark_unsent(chosen)
    if not outcomes and wanted:
        note(f"error: no test has `{wanted}` in its file, rule or title")
    return 0 if outcomes and not short and not any(outcome.failed for outcome in outcomes) else FAILED


def _remark_unsent(suite: Suite) -> None:
    """Say which rules read what none of the coding agents that are guarded here sends, though tests may give it."""
    hosts = installed_hosts(project_root(Path.cwd()))
    remarks: dict[tuple[str, str], None] = {}
    for read in unsent(suite.policy, hosts) if hosts else ():
        remarks.setdefault((read.owner, read.field))
    for owner, field in remarks:
        names = ", ".join(host.name for host in hosts)
        note(f"note: `{owner}` reads `{field}`, which never comes here: {hosts[0].never_sends(field)} ({names})")


def _mutants(named: tuple[str, ...], least: float, wanted: str, write: bool, since: str, format_name: str) -> int:
    """Try the mutants of the rules in the named files, whose tests have to pass first."""
    loaded = load(named)
    chosen = suite(loaded, named)
    failed = [outcome for outcome in run_tests(chosen) if outcome.failed]
    if failed:
        _show(tuple(failed), None, format_name)
        return FAILED
    before = load_revision(*(named_in(since, path) for path in named)).policy if since else None
    items = items_of(chosen, wanted, before)
    if not items:
        note(f"nothing to change: no rule or limit {'differs' if since else 'of that name stands'} in these files")
        return 0 if since else FAILED
    with progress("trying mutants", len(items)) as step:
        mistakes = make_mistakes(chosen, items, step)
    with progress("comparing mutants", len(mistakes)) as step:
        tried = compare_mistakes(chosen, mistakes, step)
    if write:
        for name, count in write_tests(loaded, tried).items():
            note(f"{name}: {counted(count, 'test')} added")
    if format_name == "json":
        emit_json(mutation_dict(tried))
    elif format_name == "badge":
        emit(percent_badge("policy mutation score", score(tried)))
    elif format_name == "text":
        emit(mutation_text(tried, output_style()))
    else:
        _show(mutation_outcomes(tried), None, format_name)
    return FAILED if score(tried) < least else 0


def _not_loaded(error: PolicyLoadError) -> tuple[TestOutcome, ...]:
    """Return what keeps the policy from loading as failed tests, so that a reader of the format sees it."""
    return tuple(
        TestOutcome(
            one.source.name,
            one.source.position(one.span.start)[0],
            "",
            f"{one.code} does not load",
            False,
            "\n".join([f"error[{one.code}]: {one.message}", *([f"help: {one.help}"] if one.help else [])]),
        )
        for one in error.diagnostics
        if one.severity == "error"
    )


def _tell_imported(imported: tuple[int, int], format_name: str) -> None:
    """Say what the imported packs bring along; as text on standard output, else beside an empty report."""
    rules, tests = imported
    text = f"nothing of its own to test; imported: {counted(rules, 'rule')} with {counted(tests, 'test')}"
    if format_name == "text":
        emit(text)
    else:
        emit(formats_of_tests()[format_name].render((), output_style()))
        note(f"note: {text}")


def _run(suite: Suite, coverage: Coverage | None) -> tuple[TestOutcome, ...]:
    """Run the tests, with a progress bar where there are many."""
    if len(suite.tests) < _LONG_WORK:
        return run_tests(suite, coverage)
    with progress("testing", len(suite.tests)) as step:

        def begun(number: int) -> None:
            step(number, suite.tests[number].owner or suite.tests[number].place.source.name)

        return run_tests(suite, coverage, begun)


def _show(outcomes: tuple[TestOutcome, ...], coverage: Coverage | None, format_name: str) -> None:
    """The result on standard output; coverage beside a format that has no place for it goes to standard error."""
    style = output_style()
    text = formats_of_tests()[format_name].render(outcomes, style)
    if coverage is None:
        emit(text)
    elif format_name == "json":
        emit(json.dumps({**json.loads(text), "coverage": coverage.to_dict()}, indent=2))
    elif format_name == "badge" and not any(outcome.failed for outcome in outcomes):
        emit(percent_badge("policy coverage", coverage.percent))
    elif format_name == "text":
        emit(f"{text}\n{coverage_text(coverage, style)}")
    else:
        emit(text)
        sys.stderr.write(coverage_text(coverage, Style(width=style.width)))
