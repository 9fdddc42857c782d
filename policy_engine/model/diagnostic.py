"""One complaint about a policy: code, place, message, help. Values only; reports/ decide how they look."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from policy_engine.model.source import Source, Span

SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that a diagnostic speaks of."""

    message: str
    source: Source
    span: Span


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding about a policy text.

    `code` is stable and never reused: `PE1xx` syntax, `PE2xx` names, types and structure, `PE3xx` loading, and the
    lint's own kebab-case name for advice. `severity` is one of `error`, `warning`, `note`; an error means that the
    policy does not load. `message` is lower case, without a period, with the user's words in backticks; `help` says
    what to write instead, or is empty. `witness` is an example that shows the finding, or is empty. `fix`
    is what certainly belongs in the place of `span`, "" if the item or comment around it is to go; None where a person
    has to say.
    """

    code: str
    severity: str
    message: str
    source: Source
    span: Span
    help: str = ""
    witness: str = ""
    related: tuple[Related, ...] = ()
    fix: str | None = None

    @property
    def location(self) -> str:
        return self.source.location(self.span)

    def placed(self) -> Diagnostic:
        """The finding in the source that people know, if it was made in a part of one."""
        source, span = self.source.whole, self.source.placed(self.span)
        related = tuple([Related(one.message, one.source.whole, one.source.placed(one.span)) for one in self.related])
        return (
            self
            if source is self.source and related == self.related
            else replace(self, source=source, span=span, related=related)
        )

    def sort_key(self) -> tuple[str, int, int, str]:
        return self.source.name, self.span.start, SEVERITIES.index(self.severity), self.code


def sorted_diagnostics(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Findings in file and text order, each once, at their places in whole files."""
    unique = {(d.code, d.source.name, d.span, d.message): d for d in (one.placed() for one in diagnostics)}
    return sorted(unique.values(), key=Diagnostic.sort_key)


def fingerprints(diagnostics: Sequence[Diagnostic]) -> list[str]:
    """Return one identifier for each finding that stays when lines are added above it.

    It is made of the code, the file, the message and the line's own text; two alike differ by their turn.
    """
    seen: dict[str, int] = {}
    made = []
    for one in diagnostics:
        line, _ = one.source.position(one.span.start)
        text = " ".join(one.source.line_text(line).split())
        data = "\0".join((one.code, one.source.name, one.message, text))
        mark = hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        seen[mark] = seen.get(mark, 0) + 1
        made.append(f"{mark}:{seen[mark]}")
    return made
