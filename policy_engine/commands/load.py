"""`policy load`: print the canonical text of a policy's JSON form, or what is wrong with the form."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from policy_engine.commands.base import emit, emit_json, format_option
from policy_engine.loading.event_lines import open_events
from policy_engine.model.errors import ConfigurationError, PolicyLoadError
from policy_engine.model.limits import POLICY_TOTAL_BYTES
from policy_engine.syntax.json_form import from_json, to_json
from policy_engine.syntax.printer import format_file


@click.command(
    short_help="Turn the JSON of a policy back into text.",
    epilog="Example: policy dump main.policy | policy load - > same.policy",
)
@click.argument("form", metavar="FILE")
@click.option("--file", "name", metavar="NAME", help="Which one, if the form holds several files.")
@format_option("text", "json")
def COMMAND(form: str, name: str | None, format_name: str) -> None:
    """Turn the JSON form of a policy back into text; `-` reads standard input.

    Exit status: 3 if the form is no policy.
    """
    value = _chosen(_read(form), name, form)
    tree, problems = from_json(value, form)
    errors = tuple(problem for problem in problems if problem.severity == "error")
    if tree is None or errors:
        raise PolicyLoadError("the form is no policy", errors)
    if format_name == "json":
        emit_json(to_json(tree))
    else:
        emit(format_file(tree))


def _read(name: str) -> Any:
    """One JSON value. Raises ConfigurationError: what is no JSON is no form of anything."""
    if name == "-":
        data = sys.stdin.buffer.read(POLICY_TOTAL_BYTES + 1)
    else:
        with open_events(name) as file:
            data = file.read(POLICY_TOTAL_BYTES + 1)
    if len(data) > POLICY_TOTAL_BYTES:
        raise ConfigurationError(f"`{name}` has more than POLICY_TOTAL_BYTES ({POLICY_TOTAL_BYTES}) bytes")
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as problem:
        raise ConfigurationError(f"`{name}` is not JSON: {str(problem) or 'it is nested too deep'}") from None


def _chosen(value: Any, name: str | None, form: str) -> Any:
    """The one form that is meant."""
    files = value.get("files") if isinstance(value, dict) else None
    if not isinstance(files, dict):
        if name is not None:
            raise ConfigurationError(f"`{form}` holds one file only; leave out --file")
        return value
    if name is None and len(files) == 1:
        return next(iter(files.values()))
    if name not in files:
        known = ", ".join(f"`{known}`" for known in files)
        raise ConfigurationError(f"`{form}` holds {known or 'no files'}; name one with --file")
    return files[name]
