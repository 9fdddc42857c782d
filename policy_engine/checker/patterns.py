"""Parse patterns: text, `glob(…)`, `command(…)`, regex, `… except …` or a define of one; errors point into the text."""

from __future__ import annotations

from policy_engine.checker import messages
from policy_engine.checker.scope import Scope
from policy_engine.checker.tree import CommandPattern, GlobPattern, Place, RegexPattern
from policy_engine.filesystem.globs import expand_braces, glob_problem
from policy_engine.model.regexes import regex_problem
from policy_engine.model.source import Span
from policy_engine.shell.patterns import pattern_tokens
from policy_engine.syntax import ast

Pattern = GlobPattern | CommandPattern | RegexPattern
_NOUN = {"glob": "Glob", "command": "Command"}


def sort_of(node: ast.Expr, scope: Scope) -> str:
    """`glob`, `command`, `regex`, `text`, or empty if the expression is no pattern."""
    match node:
        case ast.StringLiteral():
            return "text"
        case ast.RegexLiteral():
            return "regex"
        case ast.Except():
            return sort_of(node.value, scope)
        case ast.Call(callee=ast.Name(name="glob" | "command")):
            return node.callee.name
        case ast.Name() if node.name in scope.visible and node.name not in scope.variables:
            info = scope.visible[node.name]
            return "" if info.broken else sort_of(info.node.value, scope.inside(info))
        case _:
            return ""


def glob(node: ast.Expr, scope: Scope) -> GlobPattern | None:
    """Return the glob pattern of an expression, or None if it was reported."""
    pattern_node = pattern(node, scope, "glob")
    return pattern_node if isinstance(pattern_node, GlobPattern) else None


def command(node: ast.Expr, scope: Scope) -> CommandPattern | None:
    """Return the command pattern of an expression, or None if it was reported."""
    pattern_node = pattern(node, scope, "command")
    return pattern_node if isinstance(pattern_node, CommandPattern) else None


def pattern(node: ast.Expr, scope: Scope, sort: str) -> Pattern | None:
    """Return the pattern of one sort that an expression stands for, or None if it was reported."""
    match node:
        case ast.Name() if node.name in scope.visible and node.name not in scope.variables:
            return _defined(node, scope, sort)
        case ast.RegexLiteral() if sort == "regex":
            return regex(node, scope)
        case ast.StringLiteral() if sort == "glob":
            texts = _glob_text(node, scope)
            return None if texts is None else GlobPattern(texts)
        case ast.StringLiteral() if sort == "command":
            tokens = _command_text(node, scope)
            return None if tokens is None else CommandPattern((tokens,))
        case ast.Call(callee=ast.Name(name=name)) if name == sort and name == "glob":
            return _glob_call(node, scope)
        case ast.Call(callee=ast.Name(name=name)) if name == sort and name == "command":
            return _command_call(node, scope)
        case ast.Except() if sort != "regex":
            return _except(node, scope, sort)
        case _:
            place = Place(scope.source, node.span)
            scope.report(messages.pattern_expected(place, _NOUN.get(sort, "Regex"), f"`{place.text}`"))
            return None


def _defined(node: ast.Name, scope: Scope, sort: str) -> Pattern | None:
    """Return a define's pattern, parsed once: its text means the same everywhere."""
    info = scope.visible[node.name]
    place = Place(scope.source, node.span)
    scope.use_of(info, node.span)
    if info.broken:
        return None
    if sort not in info.patterns:
        if sort_of(node, scope) not in (sort, "text"):
            scope.report(messages.pattern_expected(place, _NOUN.get(sort, "Regex"), f"`{node.name}`"))
            return None
        inner = scope.inside(info, place)
        inner.use = None  # what is wrong with the text is wrong at the text
        info.patterns[sort] = pattern(info.node.value, inner, sort)
    return info.patterns[sort]


def regex(node: ast.RegexLiteral, scope: Scope) -> RegexPattern | None:
    """Return a regex literal, tried out."""
    problem = regex_problem(node.pattern)
    if problem is None:
        return RegexPattern(node.pattern, node.ignore_case)
    scope.report(messages.bad_regex(_inner(node, problem[0], scope), problem[1]))
    return None


def _glob_text(node: ast.StringLiteral, scope: Scope) -> tuple[str, ...] | None:
    problem = glob_problem(node.value)
    if problem is not None:
        scope.report(messages.bad_glob(_inner(node, problem[0], scope), problem[1]))
        return None
    return expand_braces(node.value)


def _command_text(node: ast.StringLiteral, scope: Scope) -> tuple[str, ...] | None:
    try:
        return pattern_tokens(node.value)
    except ValueError as failed:
        scope.report(messages.bad_command(Place(scope.source, node.span), str(failed)))
        return None


def _inner(node: ast.StringLiteral | ast.RegexLiteral, offset: int, scope: Scope) -> Place:
    """Return the place of the character at `offset` of a literal's value, counting escapes in its text."""
    at, end = node.span.start + 1, node.span.end - 1
    text = scope.source.text
    for _ in range(offset):
        at += 2 if text[at : at + 1] == "\\" and _escapes(node, text[at + 1 : at + 2]) else 1
    at = min(at, max(end - 1, node.span.start))
    return Place(scope.source, Span(at, at + 1))


def _escapes(node: ast.StringLiteral | ast.RegexLiteral, following: str) -> bool:
    return isinstance(node, ast.StringLiteral) or following == "/"


def _texts(node: ast.Call, scope: Scope, labels: tuple[str, ...]) -> list[ast.StringLiteral] | None:
    """Return the literals of `glob(…)` or `command(…)`; None if something else stands there."""
    name = node.callee.name
    texts = []
    good = True
    for argument in node.arguments:
        place = Place(scope.source, argument.span)
        if argument.label:
            if argument.label not in labels:
                scope.report(messages.unknown_label(place, name, argument.label, labels))
                good = False
        elif isinstance(argument.value, ast.StringLiteral):
            texts.append(argument.value)
        else:
            scope.report(messages.not_constant(place, name))
            good = False
    if good and not texts:
        scope.report(messages.wrong_count(Place(scope.source, node.span), name, "one text or more", 0))
    return texts if good and texts else None


def _glob_call(node: ast.Call, scope: Scope) -> GlobPattern | None:
    texts = _texts(node, scope, ())
    parsed = [_glob_text(text, scope) for text in texts or ()]
    if not parsed or None in parsed:
        return None
    return GlobPattern(tuple(dict.fromkeys(one for part in parsed if part is not None for one in part)))


def _command_call(node: ast.Call, scope: Scope) -> CommandPattern | None:
    texts = _texts(node, scope, ("in",))
    parsed = [_command_text(text, scope) for text in texts or ()]
    folder = next((argument.value for argument in node.arguments if argument.label == "in"), None)
    cwd = None if folder is None else glob(folder, scope)
    if not parsed or None in parsed or (folder is not None and cwd is None):
        return None
    return CommandPattern(tuple(part for part in parsed if part is not None), (), cwd)


def _except(node: ast.Except, scope: Scope, sort: str) -> Pattern | None:
    value = pattern(node.value, scope, sort)
    removed = pattern(node.removed, scope, sort)
    place = Place(scope.source, node.removed.span)
    if isinstance(value, GlobPattern) and isinstance(removed, GlobPattern):
        if removed.exclude:
            scope.report(messages.bad_glob(place, "what is left out has an `except` of its own"))
            return None
        return GlobPattern(value.include, value.exclude + removed.include)
    if isinstance(value, CommandPattern) and isinstance(removed, CommandPattern):
        if removed.exclude or removed.cwd is not None:
            scope.report(messages.bad_command(place, "what is left out has an `except` or `in:` of its own"))
            return None
        return CommandPattern(value.include, value.exclude + removed.include, value.cwd)
    return None
