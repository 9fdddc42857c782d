"""Build tests, their steps and expectations; one function per grammar rule."""

from __future__ import annotations

from policy_engine.model.source import Span
from policy_engine.syntax import ast
from policy_engine.syntax.context import Context, Entry
from policy_engine.syntax.tokens import Token
from policy_engine.syntax.tree_expressions import Values, number

Body = tuple[str, tuple[tuple[str, ast.Expr], ...]]


def test(context: Context, values: Values, span: Span) -> Entry:
    title, *steps = values
    return Entry("test", span, ast.Test(span, title.value if title else "", tuple(steps)))


def step(context: Context, values: Values, span: Span) -> ast.TestStep:
    (kind, arguments), expectation = values
    return ast.TestStep(span, kind, arguments, expectation)


def expectation(context: Context, values: Values, span: Span) -> ast.Expectation:
    verdict, by = values[1], values[-1]
    return ast.Expectation(span, verdict.text, by.text if by is not None and len(values) == 4 else "")


def step_prompt(context: Context, values: Values, span: Span) -> Body:
    return "prompt", (("", values[0]),)


def step_call(context: Context, values: Values, span: Span) -> Body:
    tool, *entries = values
    pairs = tuple(entry for entry in entries if entry is not None)
    return "call", (("tool", tool), *pairs)  # a bare word is a kind, a text the name of one tool


def call_end(context: Context, values: Values, span: Span) -> ast.BoolLiteral:
    return ast.BoolLiteral(span, values[0].text == "ok")


def step_called(context: Context, values: Values, span: Span) -> Body:
    tool, *entries, ok, output = values
    arguments: list[tuple[str, ast.Expr]] = [("tool", tool), ("ok", ok)]
    if output is not None:
        arguments.append(("output", output))
    pairs = tuple(entry for entry in entries if entry is not None)
    return "called", (*arguments, ("args", ast.ObjectLiteral(span, pairs)))


def step_shell(context: Context, values: Values, span: Span) -> Body:
    return "shell", (("", values[0]),)


def step_run(context: Context, values: Values, span: Span) -> Body:
    line, code, output = values
    arguments: list[tuple[str, ast.Expr]] = [("", line)]
    arguments.append(("exit", ast.IntLiteral(Span(code.start, code.end), number(context, code))))
    if output is not None:
        arguments.append(("output", output))
    return "run", tuple(arguments)


def step_path(context: Context, values: Values, span: Span) -> Body:
    kind, path, content = values
    return kind, (("", path),) if content is None else (("", path), ("content", content))


def path_step(context: Context, values: Values, span: Span) -> str:
    text: str = values[0].text
    return text


def step_todo(context: Context, values: Values, span: Span) -> Body:
    identity, status, required, *entries = values
    place = Span(status.start, status.end)
    arguments = (("", _word(identity)), ("status", ast.StringLiteral(place, status.text)))
    pairs = tuple(entry for entry in entries if entry is not None)
    return "todo", (*arguments, *(() if required is None else (("required", required),)), *pairs)


def todo_required(context: Context, values: Values, span: Span) -> ast.BoolLiteral:
    return ast.BoolLiteral(span, True)


def step_fact(context: Context, values: Values, span: Span) -> Body:
    return "fact", (("", _word(values[0])), ("value", values[1]))


def step_answer(context: Context, values: Values, span: Span) -> Body:
    return "answer", (("", values[0]),)


def step_finish(context: Context, values: Values, span: Span) -> Body:
    return "finish", ()


def step_wait(context: Context, values: Values, span: Span) -> Body:
    return "wait", (("", values[0]),)


def step_undecided(context: Context, values: Values, span: Span) -> Body:
    return "undecided", (("", values[0]),)


def step_given(context: Context, values: Values, span: Span) -> Body:
    return "given", (("", values[0]), ("value", values[1]))


def entry(context: Context, values: Values, span: Span) -> tuple[str, ast.Expr]:
    key, value = values
    assert isinstance(key, Token)
    if key.kind == "STRING":
        from policy_engine.syntax.tree_expressions import string

        return string(context, [key], Span(key.start, key.end)).value, value
    return key.text, value


def _word(value: ast.Expr) -> ast.StringLiteral:
    """Return the string that a bare word stands for."""
    if isinstance(value, ast.Name):
        return ast.StringLiteral(value.span, value.name)
    assert isinstance(value, ast.StringLiteral)
    return value
