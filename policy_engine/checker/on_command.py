"""Expand `on command git push, git tag -d` to `on before_tool(shell)` and `any c in commands { … }`.

Other words for the verb and other ways to start the program stand in the long form: all that reads rules hears them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from policy_engine.checker import messages
from policy_engine.checker.scope import Scope
from policy_engine.checker.tree import Place
from policy_engine.model.source import Span
from policy_engine.programs._rows import ALIASES, SPELLINGS
from policy_engine.programs.invocation import MANY_VERBS
from policy_engine.shell.patterns import pattern_tokens
from policy_engine.syntax import ast

VARIABLE = "c"
BUNDLED = 4  # letters of an option such as `-rf` that may as well be options of one letter each


def expanded(item: ast.Rule, scope: Scope) -> ast.Rule:
    """Return the rule in its long form; a rule without `on command` as it is.

    `when` and `unless` are asked of each command that matches, which they know as `c`; `require` of the event.
    """
    if not item.commands:
        return item
    if item.points:
        scope.report(messages.other_points(Place(scope.source, item.points[0].span)))
    span = item.commands[0].span
    texts = [text for one in item.commands for text in one.texts]
    matches = [match for text in texts for match in _matcher(text, scope)]
    parts = [_joined(ast.Or, matches, span) if matches else ast.BoolLiteral(span, False)]
    parts += item.when[:1]
    for second in item.unless[1:]:
        at, first = Place(scope.source, second.span), Place(scope.source, item.unless[0].span)
        scope.report(messages.clause_twice(at, "unless", first, "join the conditions by `or`"))
    parts += [ast.Not(each.span, each) for each in item.unless[:1]]
    body = _joined(ast.And, parts, span)
    guard = ast.Quantified(span, "any", VARIABLE, span, ast.Name(span, "commands"), None, body)
    point = ast.Point(span, "before_tool", span, (ast.Name(span, "shell"),))
    return replace(item, points=(point,), when=(guard, *item.when[1:]), unless=(), commands=())


def _joined(sort: type[ast.Or] | type[ast.And], parts: list[ast.Expr], span: Span) -> ast.Expr:
    return parts[0] if len(parts) == 1 else sort(span, tuple(parts))


def _matcher(text: ast.StringLiteral, scope: Scope) -> list[ast.Expr]:
    """The condition on `c` for one command: its words as a pattern, its options wherever they stand."""
    place, span = Place(scope.source, text.span), text.span
    try:
        tokens = pattern_tokens(text.value)
    except ValueError as problem:
        scope.report(messages.bad_command_line(place, str(problem)))
        return []
    if tokens[0].startswith("-") or not {"...", "-*"}.isdisjoint(tokens):
        scope.report(messages.bad_command_line(place, "words and options of one program are expected here"))
        return []
    first_option = next((at for at, token in enumerate(tokens) if token.startswith("-")), len(tokens))
    leading, following = tokens[:first_option], tokens[first_option:]
    if any("*" in token for token in following):
        scope.report(messages.bad_command_line(place, "`*` stands before the options"))
        return []
    ways = [_leading(words, start, span) for words, start in _spelled(leading)]
    parts = [_joined(ast.Or, ways, span)]
    parts += [_option(token, span) if token.startswith("-") else _argument(token, span) for token in following]
    return [_joined(ast.And, parts, span)]


def _spelled(words: Sequence[str]) -> list[tuple[list[str], int]]:
    """Return the words in all ways that mean the same, each with how many of them start the program."""
    ways = [(list(words), 1)]
    for text in SPELLINGS.values():
        spellings = [spelling.split() for spelling in text.split(", ")]
        start = max((len(one) for one in spellings if one == list(words[: len(one)])), default=0)
        if start:
            others = (one for one in spellings if one != list(words[:start]))
            ways += [([*one, *words[start:]], len(one)) for one in others]
    made = []
    for way, start in ways:
        verb = way[start : start + 1]
        verbs = next(
            (group.split() for group in ALIASES.get(way[0], "").split(", ") if verb and verb[0] in group.split()), verb
        )
        made += [([*way[:start], other, *way[start + 1 :]], start) for other in dict.fromkeys([*verb, *verbs])] or [
            (way, start)
        ]
    return made


def _leading(words: Sequence[str], start: int, span: Span) -> ast.Expr:
    """The program, its verb wherever the program's options let it stand, and words that follow the verb."""
    whole = _matches(words, span)
    if len(words) == start:
        return whole
    if start > 1:
        apart = (_matches(words[:start], span), *(_argument(word, span) for word in words[start:] if "*" not in word))
        return ast.Or(span, (whole, ast.And(span, apart))) if len(apart) > 1 else whole
    verb = ast.Compare(span, "==", span, _member("subcommand", span), ast.StringLiteral(span, words[1]))
    word = () if "*" in words[1] else (_argument(words[1], span),)
    verbs = word if word and words[0].rpartition("/")[2] in MANY_VERBS else (*word, verb)
    apart = (_matches(words[:1], span), *verbs, *(_argument(word, span) for word in words[2:]))
    return ast.Or(span, (whole, ast.And(span, apart)))


def _matches(words: Sequence[str], span: Span) -> ast.Expr:
    pattern = ast.StringLiteral(span, " ".join([*map(_quoted, words), "..."]))
    call = ast.Call(span, ast.Name(span, "command"), (ast.Argument(span, "", pattern),))
    return ast.Compare(span, "matches", span, ast.Name(span, VARIABLE), call)


def _argument(word: str, span: Span) -> ast.Expr:
    return ast.Compare(span, "contains", span, _member("args", span), ast.StringLiteral(span, word))


def _member(name: str, span: Span) -> ast.Member:
    return ast.Member(span, ast.Name(span, VARIABLE), name, span)


def _option(token: str, span: Span) -> ast.Expr:
    """An option as it stands, or one letter after the other where it may be a bundle."""
    letters = token[1:]
    whole = _flag(token, span)
    if not (1 < len(letters) <= BUNDLED and letters.isalnum()):
        return whole
    return ast.Or(span, (whole, ast.And(span, tuple(_flag(f"-{letter}", span) for letter in letters))))


def _flag(name: str, span: Span) -> ast.Expr:
    return ast.Call(span, _member("has_flag", span), (ast.Argument(span, "", ast.StringLiteral(span, name)),))


def _quoted(word: str) -> str:
    return f"'{word}'" if " " in word else word
