"""`policy check`: report what is wrong with policies, and advice, in the format that a person or a service reads."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import click

from policy_engine.adapters.base import Adapter
from policy_engine.commands.base import (
    DOES_NOT_LOAD,
    FINDINGS,
    complete_from,
    emit,
    existing,
    format_option,
    host_names,
    note,
    output_style,
    policy_arguments,
    repeated,
    watch_option,
    working,
)
from policy_engine.hosts.layers import adapter_named
from policy_engine.loading.advice import advise
from policy_engine.loading.loader import Loaded, load
from policy_engine.loading.repair import repair
from policy_engine.loading.sources import PACK
from policy_engine.model.diagnostic import Diagnostic, sorted_diagnostics
from policy_engine.model.page import Page
from policy_engine.reports.base import Findings, counted, formats_of_check

_WITH_PAGES = ("sarif",)  # formats that carry the manual page of each code


@click.command(
    short_help="Find mistakes, and give advice.", epilog="Example: policy check --format sarif .policy > findings.sarif"
)
@policy_arguments
@click.option("--no-lint", is_flag=True, help="Only what keeps the policy from loading; no advice.")
@click.option(
    "--host",
    metavar="HOST",
    shell_complete=complete_from(host_names),
    help="Also say what of it this coding agent cannot keep.",
)
@click.option("--strict", is_flag=True, help="Exit status 1 for notes too.")
@click.option("--fix", is_flag=True, help="Repair what has one certain repair, and say what is left.")
@watch_option
@click.option(
    "--today", type=click.DateTime(("%Y-%m-%d",)), hidden=True, help="The day that waivers are held against, UTC."
)
@format_option(*formats_of_check())
def COMMAND(
    paths: tuple[str, ...],
    no_lint: bool,
    host: str | None,
    strict: bool,
    fix: bool,
    watch: bool,
    today: datetime | None,
    format_name: str,
) -> int:
    """Parse, type-check and lint policies: files, or folders with every *.policy below; .policy if none is named.

    Exit status: 3 if the policy does not load, else 1 if there are warnings, else 0; notes are advice and change
    nothing, unless --strict is given. `policy explain-code CODE` tells more about a finding. A comment
    `# ignore[CODE]: reason` sets one of a lint aside, on its line or on the first line of its rule;
    `# ignore-file[CODE]: reason` in its whole file; `[check] ignore = {CODE = "reason"}` in `.policy/policy.toml`, in
    all files.
    """
    named = existing(paths)
    adapter = adapter_named(host) if host is not None else None

    def run() -> int:
        loaded, findings = _checked(named, None if no_lint else today or datetime.now(UTC), adapter, format_name)
        if fix and (number := repair(findings.diagnostics, _own(loaded))):
            note(f"note: {counted(number, 'finding')} fixed")
            loaded, findings = _checked(named, None if no_lint else today or datetime.now(UTC), adapter, format_name)
        emit(formats_of_check()[format_name].render(findings, output_style()))
        if loaded.errors:
            return DOES_NOT_LOAD
        counted_ones = ("error", "warning", "note") if strict else ("error", "warning")
        return FINDINGS if any(map(findings.count, counted_ones)) else 0

    return repeated(named, run) if watch else run()


def _checked(
    named: tuple[str, ...], today: datetime | None, host: Adapter | None, format_name: str
) -> tuple[Loaded, Findings]:
    """Return what is loaded and found; without a day no lint is asked."""
    with working("checking"):
        loaded = load(named)
        diagnostics, aside = list(loaded.diagnostics), Counter[str]()
        if not loaded.errors and today is not None:
            diagnostics, aside = advise(loaded, today, host)
    for where, number in sorted(aside.items()):
        note(f"note: {counted(number, 'finding')} acknowledged {where}")
    known = _pages() if format_name in _WITH_PAGES else {}
    return loaded, Findings(tuple(sorted_diagnostics(diagnostics)), _files(loaded, diagnostics), known)


def _own(loaded: Loaded) -> dict[str, str]:
    """Name of each file that is not shipped -> its path."""
    return {item.name: item.path for item in loaded.parsed if not item.name.startswith(PACK)}


def _files(loaded: Loaded, diagnostics: list[Diagnostic]) -> tuple[str, ...]:
    """Every file that was read, or that could not be."""
    unread = {finding.source.name for finding in diagnostics}
    return tuple(sorted({item.name for item in loaded.parsed} | unread))


def _pages() -> dict[str, Page]:
    from policy_engine.pages import pages

    return pages()
