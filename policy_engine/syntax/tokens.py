"""Scan policy text to tokens and comments, and report characters that no policy may contain.

One scan with one regular expression, made of the grammar's terminals. Words become keywords by three rules: a word
beside a dot or before a colon is a name; a word where only a name can stand (after `rule`, alone in parentheses) is a
name; of the rest, the reserved words are always keywords, and the others only where the grammar asks for them, which
the driver decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.limits import POLICY_DIAGNOSTICS
from policy_engine.model.source import Source, Span
from policy_engine.syntax import messages
from policy_engine.syntax.ast import Comment
from policy_engine.syntax.diagnostic_builder import KIND_WORDS, POINT_WORDS, nearest
from policy_engine.syntax.keywords import KEYWORDS

OPERATORS = frozenset(KEYWORDS["operator"])
ITEMS = frozenset(KEYWORDS["declaration"])
RESERVED = (
    OPERATORS
    | (ITEMS - {"param", "claim"})
    | frozenset(
        "any every count where true false severity on when unless require allow warn remind ask deny stop timeout fail"
        " shadow repeats counts reset at within by".split()
    )
)
"""Words that bind no variable and name no define. They may follow a dot and name rules, hooks, limits and stages."""

_NAMED_BY = frozenset({"RULE", "LIMIT", "MODE", "HOOK", "VERIFY", "WAIVE", "CLAIM", "STAGE", "BY", "BEFORE", "AFTER"})
_SETTLING = frozenset({"DOT", "COLON", "LPAR", "RPAR", "COMMA"})
_NEVER_NAMES = OPERATORS | {"true", "false"}
END = "$END"
GIVE_UP = 5 * POLICY_DIAGNOSTICS
"""After so many complaints a text is read no further: it is no policy."""


class Token(NamedTuple):
    """A terminal's name, its text and its place."""

    kind: str
    text: str
    start: int
    end: int


class Terminal(NamedTuple):
    """A terminal of the grammar: `word` is set for a keyword."""

    name: str
    pattern: str
    priority: int
    literal: str
    ignored: bool


@dataclass(slots=True)
class Scan:
    """`tokens` ends with a token of kind `END`; `doubtful` holds starts of tokens that were complained about."""

    tokens: list[Token] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    doubtful: set[int] = field(default_factory=set)


class Scanner:
    """Made once from the grammar's terminals."""

    def __init__(self, terminals: Iterable[Terminal]) -> None:
        every = list(terminals)
        self.keywords = {t.literal: t.name for t in every if re.fullmatch("[a-z][a-z0-9_]*", t.literal)}
        self.words = {name: word for word, name in self.keywords.items()}
        self.signs = {t.name: t.literal for t in every if t.literal and t.name not in self.words}
        self.soft = frozenset(name for word, name in self.keywords.items() if word not in RESERVED)
        rest = [t for t in every if t.name not in self.words and t.name != "SPACE"]
        rest.sort(key=lambda t: (-t.priority, -len(t.literal)))
        space = next(t.pattern for t in every if t.name == "SPACE")
        # A group that marks the end, not one around it: then the first character alone rules most terminals out.
        marked = "|".join(f"(?:{t.pattern})(?P<{t.name}>)" for t in rest)
        self._match = re.compile(f"(?:{space})?+()(?:{marked}|\\Z)")  # possessive: never give a space to a catch-all

    def scan(self, source: Source, start: int = 0, end: int | None = None) -> Scan:
        """Return the tokens of `source.text[start:end]`, in time linear in its length."""
        text = source.text
        stop = len(text) if end is None else end
        result = Scan()
        tokens = result.tokens
        make = tuple.__new__
        keywords = self.keywords
        previous = ""
        before: int | None = start
        while before is not None:
            matches, before = self._match.finditer(text, before, stop), None
            for match in matches:
                kind = match.lastgroup
                if kind is None:
                    continue
                at, after = match.end(1), match.end()
                word = text[at:after]
                if kind == "NAME":
                    keyword = keywords.get(word)
                    if keyword is not None:
                        kind = self._keyword(text, tokens, previous, keyword, word, at)
                elif kind == "COMMAND_LINE" and previous != "ON":
                    before = at + len("command")
                    tokens.append(Token("NAME", "command", at, before))
                    previous = "NAME"
                    break
                elif kind in _SETTLING:
                    if previous in self.words:
                        self._settle(tokens, kind)
                elif kind == "COMMENT":
                    result.comments.append(_comment(text, word, at, after))
                    continue
                elif kind[:4] == "ODD_":
                    if len(result.diagnostics) > GIVE_UP:
                        result.doubtful.add(at)
                        stop = at
                        break
                    previous = self._odd(source, result, kind, word, Span(at, after))
                    continue
                tokens.append(make(Token, (kind, word, at, after)))
                previous = kind
        tokens.append(Token(END, "", stop, stop))
        return result

    def _keyword(self, text: str, tokens: list[Token], previous: str, keyword: str, word: str, at: int) -> str:
        """Return the keyword's kind, or NAME where the word before it asks for a name."""
        if previous == "DOT":
            return "NAME"
        if previous in _NAMED_BY and word not in _NEVER_NAMES and "\n" not in text[tokens[-1].end : at]:
            return "NAME"
        return keyword

    def _settle(self, tokens: list[Token], follower: str) -> None:
        """Make the last token, a keyword, a name if the sign after it shows that one is meant."""
        last = tokens[-1]
        if follower == "LPAR":
            named = last.kind == "COUNT"
        elif follower in ("DOT", "COLON"):
            named = True
        else:
            named = len(tokens) > 1 and tokens[-2].kind in ("LPAR", "COMMA") and last.text not in _NEVER_NAMES
        if named:
            tokens[-1] = last._replace(kind="NAME")

    def _odd(self, source: Source, result: Scan, kind: str, word: str, span: Span) -> str:
        """Complain about an odd token and keep what it stands for; gives the kind of the last token."""
        replacement, problem = replace_odd(source, kind, word, span)
        if problem is not None:
            result.diagnostics.append(problem)
        if replacement is not None:
            meant, text = replacement
            meant = self.keywords.get(text, meant) if meant == "NAME" else meant
            result.tokens.append(Token(meant, text, span.start, span.end))
            result.doubtful.add(span.start)
        return result.tokens[-1].kind if result.tokens else ""


def _comment(text: str, comment: str, at: int, after: int) -> Comment:
    line_start = text.rfind("\n", 0, at) + 1
    return Comment(Span(at, after), comment.rstrip(), not text[line_start:at].strip())


# ---- odd tokens ------------------------------------------------------------------------------------------------------

_SIGNS = {
    "&&": "and", "&": "and", "∧": "and", "||": "or", "|": "or", "∨": "or", "!": "not", "¬": "not", "===": "==",
    "!==": "!=", "≠": "!=", "<>": "!=", "=<": "<=", "≤": "<=", "≥": ">=", "->": "=>", "→": "=>", "⇒": "=>", ":=": "=",
    ";": "",
}  # fmt: skip
_KINDS = {
    "and": "AND", "or": "OR", "not": "NOT", "==": "EQUAL", "!=": "UNEQUAL", "<=": "AT_MOST", ">=": "AT_LEAST",
    "=>": "ARROW", "=": "ASSIGN",
}  # fmt: skip
_REPORTED_ELSEWHERE = re.compile(r"[\r\v\x1c-\x1f\x85\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+")
_AFTER_ON = re.compile(r"\bon\s+$")
_BEFORE_KEY = re.compile(r"[{,]\s*$")
_IN_FILTER = re.compile(r"\bon\s+\w+\s*\([^()]*$")
Replacement = tuple[str, str] | None


def replace_odd(source: Source, kind: str, text: str, span: Span) -> tuple[Replacement, Diagnostic | None]:
    """(kind, text) of the token that was meant, or None if it means nothing; and the complaint.

    The complaint is None where the scan of characters already makes one.
    """
    if kind == "ODD_SIGN":
        meant = _SIGNS[text]
        return ((_KINDS[meant], meant) if meant else None), messages.wrong_sign(source, span, meant)
    if kind == "ODD_WORD":
        parted = re.sub("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", text)
        meant = re.sub("[^a-z0-9_-]", "", parted.lower()).strip("_-") or "x"
        return ("NAME", meant), messages.odd_word(source, span, meant, _other_name(source, text, span))
    if kind == "ODD_NUMBER":
        duration = text[-1].isalpha()
        return ("DURATION", "1s") if duration else ("INT", "1"), messages.malformed_number(source, span)
    if kind == "ODD_COMMENT":
        return None, messages.wrong_comment(source, span)
    if kind == "ODD_SPACE":
        reported = _REPORTED_ELSEWHERE.fullmatch(text)
        return None, None if reported else messages.odd_space(source, span)
    return _quoted_or_other(source, kind, text, span)


def _other_name(source: Source, text: str, span: Span) -> str:
    """Return what a lifecycle point, a tool or a key of another system is called here, as advice; empty for others."""
    line = source.text[source.text.rfind("\n", 0, span.start) + 1 : span.start]
    if _AFTER_ON.search(line):
        meant = nearest(text, POINT_WORDS)
        return f"the lifecycle point is `{meant}`" if meant else ""
    if _BEFORE_KEY.search(line) and source.text[span.end : span.end + 1] == ":":
        return f'the key stands in quotes as the tool writes it: `"{text}"`'
    if not _IN_FILTER.search(line):
        return ""
    meant = nearest(text, KIND_WORDS)
    own = f'the tool\'s own name stands in quotes: `"{text}"`'
    return f"write `{meant}` for the kind of tool; {own}" if meant else own


def _quoted_or_other(source: Source, kind: str, text: str, span: Span) -> tuple[Replacement, Diagnostic | None]:
    if kind == "ODD_QUOTED":
        return ("STRING", '"?"'), messages.wrong_quotes(source, span)
    if kind == "ODD_STRING":
        return ("STRING", '"?"'), messages.unterminated_string(source, span)
    if kind == "ODD_REGEX":
        return ("REGEX", "/x/"), messages.unterminated_regex(source, span)
    if not text.isprintable():
        return None, None
    return None, messages.odd_character(source, span)
