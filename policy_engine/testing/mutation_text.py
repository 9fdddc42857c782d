"""Print the results of a policy's mutants, for people and as JSON values, and write the tests that are missing.

A missing test stands at the end of the rule that it belongs to.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from policy_engine.analysis.candidates import TRIED
from policy_engine.analysis.conditions import atoms, below
from policy_engine.checker.tree import CheckedRule
from policy_engine.loading.loader import Loaded, Parsed
from policy_engine.loading.sources import PACK
from policy_engine.model.source import Source
from policy_engine.reports.base import Style, TestOutcome, counted, painted, shown
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file
from policy_engine.testing.mutants import Mutated
from policy_engine.testing.mutation import EQUAL, KILLED, OPEN, SURVIVED, Tried, score

_ADVICE = f"not decided: no test notices it, and no session was found that would; {TRIED}"


def mutation_text(tried: list[Tried], style: Style) -> str:
    """Return a line per rule, and for each mutant that no test noticed the test that is missing."""
    return painted(_lines(tried), style)


def _lines(tried: list[Tried]) -> Iterator[tuple[str, str]]:
    for name in dict.fromkeys(one.mutant.item.id for one in tried):
        own = [one for one in tried if one.mutant.item.id == name]
        counts = {outcome: sum(one.outcome == outcome for one in own) for outcome in (KILLED, EQUAL, SURVIVED, OPEN)}
        parts = [f"{count} {outcome}" for outcome, count in counts.items() if count]
        yield shown(name), "bold"
        yield f"  {counted(len(own), 'mutant')}: {', '.join(parts)}\n", ""
        for one in own:
            if one.outcome in (SURVIVED, OPEN):
                yield f"  {shown(one.mutant.place.location)}: ", "dim"
                yield f"{shown(one.mutant.what)}\n", "red" if one.outcome == SURVIVED else "yellow"
                for line in one.missing.splitlines() or [_ADVICE]:
                    yield f"    {shown(line)}\n", ""
    equal = sum(one.outcome == EQUAL for one in tried)
    left_out = f", {counted(equal, 'mutant')} proved equal left out" if equal else ""
    killed = sum(one.outcome == KILLED for one in tried)
    yield f"\nmutation score {score(tried):.4g} %, {killed} of {len(tried) - equal} noticed{left_out}\n", "bold"


def mutation_dict(tried: list[Tried]) -> dict[str, Any]:
    """Return the same as JSON values."""
    return {
        "score": round(score(tried), 2),
        "mutants": [
            {
                "rule": one.mutant.item.id,
                "at": one.mutant.place.location,
                "mistake": one.mutant.what,
                "outcome": one.outcome,
                "missing_test": one.missing or None,
            }
            for one in tried
        ],
    }


def mutation_outcomes(tried: list[Tried]) -> tuple[TestOutcome, ...]:
    """Return each mistake as a test, which passed if it was noticed; those that are proved equal are left out."""
    outcomes = []
    for one in tried:
        if one.outcome != EQUAL:
            place, rule = one.mutant.place, one.mutant.item.id
            line = place.source.position(place.span.start)[0]
            message = "" if one.outcome == KILLED else f"no test notices it\n{one.missing or _ADVICE}".strip()
            noticed = one.outcome == KILLED
            outcomes.append(TestOutcome(place.source.name, line, rule, one.mutant.what, noticed, shown(message, "\n")))
    return tuple(outcomes)


# ---- missing tests ---------------------------------------------------------------------------------------------------

TITLE = "what no other test shows"


@dataclass(frozen=True, slots=True)
class Missing:
    """The tests that a rule or limit lacks, in the order in which they were found."""

    item: Mutated
    tests: dict[str, None] = field(default_factory=dict)


def write_tests(loaded: Loaded, tried: Iterable[Tried]) -> dict[str, int]:
    """Add each missing test to its rule or limit.

    Returns:
        File → how many tests were added to it. Files of packs that are installed are left alone.
    """
    missing: dict[str, dict[int, Missing]] = {}
    for one in tried:
        if one.missing:
            place = one.mutant.item.place
            own = missing.setdefault(place.source.name, {}).setdefault(place.span.start, Missing(one.mutant.item))
            own.tests[one.missing] = None
    added = {}
    for file in loaded.parsed:
        if file.name in missing and file.tree is not None and not file.name.startswith(PACK):
            _rewrite(file, file.tree, missing[file.name])
            added[file.name] = sum(len(one.tests) for one in missing[file.name].values())
    return added


def _rewrite(file: Parsed, tree: ast.File, missing: dict[int, Missing]) -> None:
    text = tree.source.text
    tidy = format_file(tree) == text
    for item in reversed(tree.items):
        if isinstance(item, ast.Rule | ast.Limit) and item.name_span.start in missing:
            end = item.span.end - 1
            text = f"{text[:end].rstrip()}\n\n{_tests(missing[item.name_span.start])}{text[end:]}"
    again, _ = parse(Source(file.name, text))
    temporary = Path(f"{file.path}.new")
    temporary.write_text(format_file(again) if tidy else text, encoding="utf-8")
    os.replace(temporary, file.path)


def _tests(missing: Missing) -> str:
    """Return the tests of a rule; those of one step stand together where steps do not depend on each other."""
    blocks = [block.splitlines()[1:-1] for block in missing.tests]
    single = [block[0] for block in blocks if len(block) == 1 and not _remembers(missing.item)]
    texts = [single] if single else []
    texts += [block for block in blocks if block[0] not in single]
    return "\n".join("\n".join((f'  test "{TITLE}" {{', *(f"  {line}" for line in block), "  }\n")) for block in texts)


def _remembers(item: Mutated) -> bool:
    """Detect whether what came before counts."""
    if not isinstance(item, CheckedRule):
        return True
    parts = (one for one in (item.when, item.unless, item.require) if one is not None)
    return any(atoms(node) for part in parts for node in below(part))
