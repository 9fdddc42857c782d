"""`policy report`: which rule covers which control or answers which incident, and which tests show it."""

from __future__ import annotations

from typing import Any

import click

from policy_engine.checker.tree import CheckedLimit, CheckedPolicy, CheckedRule
from policy_engine.commands.base import (
    DOES_NOT_LOAD,
    emit,
    emit_json,
    existing,
    format_option,
    output_style,
    policy_arguments,
    working,
)
from policy_engine.loading.loader import load
from policy_engine.model.diagnostic import sorted_diagnostics
from policy_engine.reports.base import VERDICT_STYLES, Findings, counted, formats_of_check, painted

Declaration = CheckedRule | CheckedLimit


@click.command(short_help="Show which rule covers which control.", epilog="Example: policy report --controls .policy")
@policy_arguments
@click.option("--controls", is_flag=True, help="By control, with those rules last that name none.")
@format_option("text", "json")
def COMMAND(paths: tuple[str, ...], controls: bool, format_name: str) -> int:
    """Show each rule and limit of the policies with its verdicts, incident, controls and tests.

    A rule names what it covers with `control "owasp-asi:T2"`, and why it exists with `incident "…"`. Exit status: 3 if
    the policy does not load, else 0.
    """
    with working("reading"):
        loaded = load(existing(paths))
    if loaded.errors or loaded.policy is None:
        emit(
            formats_of_check()["text"].render(
                Findings(tuple(sorted_diagnostics(list(loaded.errors))), ()), output_style()
            )
        )
        return DOES_NOT_LOAD
    groups = _by_control(loaded.policy) if controls else {"": _declarations(loaded.policy)}
    if format_name == "json":
        emit_json(
            [{"control": name, "rules": [_plain(one) for one in declarations]} for name, declarations in groups.items()]
        )
    else:
        emit(_text(groups, controls))
    return 0


def _declarations(policy: CheckedPolicy) -> list[Declaration]:
    declarations: list[Declaration] = [*policy.rules, *policy.limits]
    return sorted(declarations, key=lambda one: one.id)


def _by_control(policy: CheckedPolicy) -> dict[str, list[Declaration]]:
    """Return the declarations by control, and under "" those that name none."""
    declarations = _declarations(policy)
    names = sorted({name for one in declarations for name in one.controls})
    groups = {name: [one for one in declarations if name in one.controls] for name in names}
    bare = [one for one in declarations if not one.controls]
    return {**groups, "": bare} if bare else groups


def _verdicts(one: Declaration) -> tuple[str, ...]:
    if isinstance(one, CheckedLimit):
        return tuple(dict.fromkeys(step.verdict for step in one.steps))
    return (one.verdict,) if one.verdict else ("timeout",)


def _plain(one: Declaration) -> dict[str, Any]:
    return {
        "rule": one.id,
        "title": one.title,
        "at": one.place.location,
        "severity": one.severity,
        "verdicts": list(_verdicts(one)),
        "shadow": one.shadow,
        "incident": one.incident,
        "controls": list(one.controls),
        "tests": [{"title": test.title, "at": test.place.location, "steps": len(test.steps)} for test in one.tests],
    }


def _text(groups: dict[str, list[Declaration]], by_control: bool) -> str:
    segments: list[tuple[str, str]] = []
    for name, declarations in groups.items():
        if by_control:
            segments.append((f"{name or 'no control'}\n", "bold"))
        for one in declarations:
            segments.append((f"  {one.id}", ""))
            segments += [(f"  {verdict}", VERDICT_STYLES.get(verdict, "")) for verdict in _verdicts(one)]
            shadow = ", in shadow" if one.shadow else ""
            segments.append((f"  {one.severity}{shadow}, {counted(len(one.tests), 'test')}  {one.title}\n", ""))
            if one.incident:
                segments.append((f"    incident: {one.incident}\n", "dim"))
            if one.controls and not by_control:
                segments.append((f"    controls: {', '.join(one.controls)}\n", "dim"))
            segments += [(f"    {test.place.location}  {test.title}".rstrip() + "\n", "dim") for test in one.tests]
    return painted(segments, output_style())
