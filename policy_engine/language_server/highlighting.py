"""Give the tokens of a policy their meaning, for editors that colour by it."""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.language_server.mentions import Mention
from policy_engine.language_server.positions import position_of
from policy_engine.model.source import Source, Span
from policy_engine.syntax.driver import Machine
from policy_engine.syntax.grammar import language
from policy_engine.syntax.recovery import Recovery
from policy_engine.syntax.tokens import Token

TYPES = (
    *("keyword", "operator", "string", "number", "regexp", "comment"),
    *("function", "class", "property", "variable", "enumMember", "namespace", "macro"),
)
_KINDS = {"STRING": "string", "INT": "number", "DURATION": "number", "DATE": "number", "REGEX": "regexp"}
_MEANINGS = {
    "import": "namespace",
    "define": "macro",
    "speaker": "class",
    "mode": "class",
    "stage": "class",
    "variable": "variable",
    "point": "enumMember",
    "kind": "enumMember",
    "level": "enumMember",
    "field": "property",
    "attribute": "property",
    "function": "function",
}


def read_tokens(source: Source) -> list[Token]:
    """Return the tokens of a text as the parser took them: a word is a keyword only where it is one."""
    scanner, tables = language()
    scan = scanner.scan(source)
    machine = Machine(tables, source, scan, "policy")
    machine.run(Recovery(scanner))
    return [token for token in machine.tokens if source.text[token.start : token.end] == token.text and token.text]


def coloured(source: Source, mentioned: list[Mention]) -> list[int]:
    """Return the semantic tokens of a text in the protocol's form: five numbers each, relative to the one before."""
    scanner = language().scanner
    meanings = {one.span: _MEANINGS[one.kind] for one in mentioned if one.kind in _MEANINGS and one.kind != "import"}
    colours: dict[Span, str] = dict.fromkeys(_comments(source), "comment")
    for token in read_tokens(source):
        span = Span(token.start, token.end)
        if token.kind in scanner.words:
            colours[span] = "keyword"
        elif token.kind in _KINDS:
            colours[span] = _KINDS[token.kind]
        elif token.kind in ("ARROW", "EQUAL", "UNEQUAL", "AT_MOST", "AT_LEAST", "BELOW", "ABOVE", "ASSIGN"):
            colours[span] = "operator"
    for span, meaning in meanings.items():
        if "\n" not in source.text[span.start : span.end]:
            colours[span] = meaning
    return [number for numbers in _relative(source, sorted(colours.items())) for number in numbers]


def _comments(source: Source) -> list[Span]:
    return [one.span for one in language().scanner.scan(source).comments]


def _relative(source: Source, tokens: list[tuple[Span, str]]) -> Iterator[tuple[int, int, int, int, int]]:
    line = character = end = 0
    for span, meaning in tokens:
        if span.start < end:
            continue
        end = span.end
        at, after = position_of(source, span.start), position_of(source, span.end)
        if at.line != line:
            character = 0
        yield at.line - line, at.character - character, after.character - at.character, TYPES.index(meaning), 0
        line, character = at.line, at.character
