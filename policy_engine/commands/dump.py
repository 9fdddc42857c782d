"""`policy dump`: print the lossless JSON form of policies, for tools; `policy load` reads it back."""

from __future__ import annotations

import click

from policy_engine.commands.base import emit, emit_json, existing, format_option, policy_arguments
from policy_engine.compiler.dump import dump
from policy_engine.loading.loader import load
from policy_engine.loading.sources import gather
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.errors import PolicyLoadError
from policy_engine.syntax import ast
from policy_engine.syntax.json_form import json_schema, to_json
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file
from policy_engine.syntax.reading import read_text


@click.command(
    short_help="Show a policy as JSON.", epilog="Example: policy dump --json .policy/main.policy > main.json"
)
@policy_arguments
@click.option("--json", "json_flag", is_flag=True, help="The same as --format json.")
@click.option("--schema", is_flag=True, help="The JSON Schema of the form instead of a policy.")
@click.option("--program", is_flag=True, help="The compiled Program as text: generated code, index, monitors.")
@format_option("json", "text")
def COMMAND(paths: tuple[str, ...], json_flag: bool, schema: bool, program: bool, format_name: str) -> None:
    """Show policies as data: the tree of one file, or `{"files": {NAME: TREE}}` of several.

    Only the places are left out; comments are kept. As text it is the canonical layout. Exit status: 3 if a file does
    not parse.
    """
    if schema:
        emit_json(json_schema())
        return
    if program:
        emit(dump(load(existing(paths)).require_program()))
        return
    trees = _trees(existing(paths))
    if format_name == "text" and not json_flag:
        emit("\n".join(format_file(tree) for tree in trees.values()))
    elif len(trees) == 1:
        emit_json(to_json(next(iter(trees.values()))))
    else:
        emit_json({"files": {name: to_json(tree) for name, tree in trees.items()}})


def _trees(paths: tuple[str, ...]) -> dict[str, ast.File]:
    """The tree of each file, by name. Raises PolicyLoadError if one does not parse."""
    gathered = gather(paths)
    problems: list[Diagnostic] = list(gathered.problems)
    trees: dict[str, ast.File] = {}
    for file in gathered.files.values():
        source, messages = read_text(file.name, file.data)
        problems += messages
        if source is not None:
            trees[file.name], messages = parse(source)
            problems += messages
    errors = tuple(problem for problem in problems if problem.severity == "error")
    if errors:
        raise PolicyLoadError("a policy does not parse", errors)
    return trees
