"""Print the steps of one test, with the arrows of the expectations under each other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from policy_engine.syntax import ast
from policy_engine.syntax.print_expressions import ExpressionPrinter
from policy_engine.syntax.tokens import RESERVED

_WORD = re.compile(r"[a-z][a-z0-9_-]*")
_LONGEST_ALIGNED = 60


def step_texts(steps: Sequence[ast.TestStep], printer: ExpressionPrinter) -> list[str]:
    """One line per step, without indentation."""
    bodies = [step_body(step, printer) for step in steps]
    column = max((len(body) for body in bodies if len(body) <= _LONGEST_ALIGNED), default=0)
    texts = []
    for body, step in zip(bodies, steps, strict=True):
        if step.expectation is None:
            texts.append(body)
        else:
            by = f" by {step.expectation.by}" if step.expectation.by else ""
            texts.append(f"{body.ljust(column)}  => {step.expectation.verdict}{by}")
    return texts


def step_body(step: ast.TestStep, printer: ExpressionPrinter) -> str:
    """Return the step without its expectation."""
    values = [value for _, value in step.arguments]
    match step.kind:
        case "call":
            entries = _entries(step.arguments[1:], printer)
            tool = printer.value(values[0])
            return f"call {tool}{entries}"
        case "called":
            given = dict(step.arguments)
            ok, args, output = given["ok"], given["args"], given.get("output")
            assert isinstance(ok, ast.BoolLiteral) and isinstance(args, ast.ObjectLiteral)
            end = ("ok" if ok.value else "failed") + (f" output {printer.value(output)}" if output is not None else "")
            return f"call {printer.value(values[0])}{_entries(args.entries, printer)} {end}"
        case "todo":
            assert isinstance(values[1], ast.StringLiteral)
            required = [value for label, value in step.arguments[2:3] if label == "required"]
            more = _entries(step.arguments[2 + len(required) :], printer)
            return f"todo {_word(values[0], printer)} {values[1].value}{' required' if required else ''}{more}"
        case "fact":
            return f"fact {_word(values[0], printer)} = {printer.value(values[1])}"
        case "given":
            return f"given {printer.value(values[0])} = {printer.value(values[1])}"
        case _:
            words = [step.kind]
            for label, value in step.arguments:
                words += [label, printer.value(value)] if label else [printer.value(value)]
            return " ".join(words)


def _entries(pairs: Sequence[tuple[str, ast.Expr]], printer: ExpressionPrinter) -> str:
    return f" {printer.entries(pairs)}" if pairs else ""


def _word(value: ast.Expr, printer: ExpressionPrinter) -> str:
    """Return a string as the test prints it: one that looks like a name is written as one."""
    if isinstance(value, ast.StringLiteral) and _WORD.fullmatch(value.value) and value.value not in RESERVED:
        return value.value
    return printer.text(value)
