"""Define a lint: a code, a title, a severity and a function from a checked policy to its findings.

A member of this family is a module with one `LINT`; its docstring is the manual page. Lints run on policies without
errors. They print nothing, keep nothing and know nothing of each other; what they can prove is in analysis/.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TypeVar

from policy_engine.adapters.base import Adapter
from policy_engine.checker.tree import CheckedPolicy, Place
from policy_engine.model import family
from policy_engine.model.diagnostic import Diagnostic, Related, sorted_diagnostics

HOST_TIMEOUT_MS = 60_000
T = TypeVar("T")
REFUSING = ("ask", "deny", "stop")


@dataclass(frozen=True, slots=True)
class Context:
    """`repository` is the root that globs are tried in (None: not known), `today` the day in UTC, `host_timeout_ms`
    what the coding agent gives all hooks of one event together, `host` the one that the policy is held against."""

    policy: CheckedPolicy
    repository: Path | None
    today: date
    host_timeout_ms: int = HOST_TIMEOUT_MS
    host: Adapter | None = None
    _worked_out: dict[object, object] = field(default_factory=dict, compare=False, repr=False)

    def once(self, work: Callable[[CheckedPolicy], T]) -> T:
        """Return what a function of analysis/ finds in the policy, worked out for the first lint that asks."""
        if work not in self._worked_out:
            self._worked_out[work] = work(self.policy)
        return self._worked_out[work]  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a lint at one place; `severity` only where it differs from the lint's, `fix` as in Diagnostic."""

    place: Place
    message: str
    help: str = ""
    witness: str = ""
    related: tuple[tuple[str, Place], ...] = ()
    severity: str = ""
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class Lint:
    """`severity` is `warning` for what is likely a mistake, `note` for advice; `title` one line without a period."""

    code: str
    title: str
    severity: str
    run: Callable[[Context], Iterable[Finding]]

    def diagnostics(self, context: Context) -> list[Diagnostic]:
        """Return the lint's findings as diagnostics."""
        return [self._diagnostic(finding) for finding in self.run(context)]

    def _diagnostic(self, finding: Finding) -> Diagnostic:
        related = tuple(Related(text, place.source, place.span) for text, place in finding.related)
        severity = finding.severity or self.severity
        source, span = finding.place.source, finding.place.span
        return Diagnostic(
            self.code, severity, finding.message, source, span, finding.help, finding.witness, related, finding.fix
        )


def lints() -> list[Lint]:
    """Return every member, by name."""
    return family.members("policy_engine.lints", Lint)


def run_all(context: Context) -> list[Diagnostic]:
    """Return the findings of every lint, in file and text order, each once."""
    return sorted_diagnostics([diagnostic for lint in lints() for diagnostic in lint.diagnostics(context)])


def shorten(text: str, most: int = 60) -> str:
    """Return a condition's text on one line, cut in the middle of nowhere only if it is long."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
