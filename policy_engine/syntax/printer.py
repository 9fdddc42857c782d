"""Print a tree as canonical text, as `policy fmt` does: order, comments and meaning stay."""

from __future__ import annotations

import re

from policy_engine.model.source import Source, Span
from policy_engine.syntax import ast
from policy_engine.syntax.page_writer import PageWriter
from policy_engine.syntax.parser import parse
from policy_engine.syntax.print_clauses import ClausePrinter
from policy_engine.syntax.print_expressions import format_expression, string_text

__all__ = ["format_expression", "format_file"]

_ROUNDS = 5
_LANGUAGE = re.compile(r"(?m)^[ \t]*language\b[^\n#]*")


def format_file(file: ast.File) -> str:
    """Return the whole file; formatting what this returns gives the same text again."""
    text, unsettled = _formatted(file)
    for _ in range(_ROUNDS if unsettled else 0):
        again, _ = _formatted(parse(Source(file.source.name, text))[0])
        if again == text:
            break
        text = again
    return text


def _formatted(file: ast.File) -> tuple[str, bool]:
    """Return the text, and whether a comment inside an expression may have moved, so that the next run may differ."""
    page = PageWriter(file)
    printer = ClausePrinter(page)
    if file.language:
        page.line(0, f"language {file.language}", _language_span(file))
        page.blank_line()
    before: ast.Item | None = None
    for item in file.items:
        if before is not None and (_is_block(before) or _is_block(item)):
            page.blank_line()
        _item(page, printer, item)
        before = item
    return page.finish(), page.unsettled


def _language_span(file: ast.File) -> Span:
    match = _LANGUAGE.search(file.source.text)
    return Span(*match.span()) if match else Span(0, 0)


def _parameter(one: ast.Parameter) -> str:
    return f"{one.name}: {one.type}" + (f" of {one.element}" if one.element else "")


def _is_block(item: ast.Item) -> bool:
    return not isinstance(item, ast.Import | ast.Param | ast.Define)


def _item(page: PageWriter, printer: ClausePrinter, item: ast.Item) -> None:
    match item:
        case ast.Import():
            printer.imported(item)
        case ast.Param(name=name, title=title, value=value):
            shown = f" {string_text(title)}" if title else ""
            printer.clause(0, f"param {name}{shown} = ", value, item.span)
        case ast.Define(name=name, value=value):
            given = ", ".join(map(_parameter, item.parameters))
            head = f"{name}({given}) =" if given else f"{name} {'+=' if item.open else '='}"
            printer.clause(0, f"define {head} ", value, item.span)
        case ast.Test():
            printer.test(0, item)
        case _:
            printer.block(item)
