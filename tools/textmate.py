"""Write the TextMate grammar of policies, for what colours without a language server: `python -m tools.textmate`.

Words, patterns and neighbours come from the engine's own grammar. TextMate sees one line and no parse tree: a word
that is a keyword only in places is told by what the grammar lets stand beside it. A test compares what comes of it
with the parser's tokens.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lark import Lark

from policy_engine.model.shipped import shipped
from policy_engine.syntax.keywords import KEYWORDS, group_of
from policy_engine.syntax.tokens import OPERATORS, RESERVED

FILE = Path(__file__).resolve().parents[1] / "editors" / "vscode" / "syntaxes" / "policy.tmLanguage.json"
SCOPES = {
    "declaration": "keyword.declaration",
    "clause": "keyword.control",
    "verdict": "keyword.other.verdict",
    "operator": "keyword.operator.word",
    "quantifier": "keyword.control.quantifier",
    "constant": "constant.language",
    "step": "keyword.other.step",
}
LITERALS = {
    "REGEX": "string.regexp",
    "MOMENT": "constant.numeric.date",
    "DATE": "constant.numeric.date",
    "DURATION": "constant.numeric.duration",
    "INT": "constant.numeric.integer",
    "TYPE": "support.type",
}
NAMED_BY = "rule limit mode hook verify waive claim stage param define by before after".split()
NAME = r"[a-z][a-z0-9_-]*(?![\w-])"
NO_NAME = "(?!(?:" + "|".join(sorted(OPERATORS | {"true", "false"})) + r")(?![\w-]))"
FREE = r"(?<![\w.-])"
Pattern = dict[str, Any]


class Grammar:
    """The terminals of the grammar, and for each word what the rules let stand before and behind it."""

    def __init__(self, text: str) -> None:
        lark = Lark(text, start="policy", parser="lalr", maybe_placeholders=True)
        self.patterns = {one.name: one.pattern.to_regexp() for one in lark.terminals}
        self.literals = {one.name: one.pattern.value for one in lark.terminals if one.pattern.type == "str"}
        self._rules = [[symbol.name for symbol in rule.expansion] for rule in lark.rules]
        self._heads = [rule.origin.name for rule in lark.rules]
        self._edges = {0: self._edge(0), -1: self._edge(-1)}

    def _edge(self, at: int) -> dict[str, set[str]]:
        """Return for each symbol the terminals that it may begin (0) or end (-1) with."""
        found: dict[str, set[str]] = defaultdict(set, {name: {name} for name in self.patterns})
        size = -1
        while size != (size := sum(map(len, found.values()))):
            for head, body in zip(self._heads, self._rules, strict=True):
                if body:
                    found[head] |= found[body[at]]
        return found

    def beside(self, symbol: str, step: int) -> set[str]:
        """Return the terminals behind (1) or before (-1) a symbol; "" where it ends or begins a rule of several."""
        found: set[str] = set()
        for head, body in zip(self._heads, self._rules, strict=True):
            for at, one in enumerate(body):
                if one != symbol:
                    continue
                if len(body) == 1:
                    found |= self.beside(head, step)
                elif 0 <= at + step < len(body):
                    found |= self._edges[0 if step > 0 else -1][body[at + step]]
                else:
                    found.add("")
        return found

    def begins(self, name: str) -> str:
        """Return a pattern for the first character of a terminal, or for the whole of a word."""
        literal = self.literals.get(name)
        if literal is not None:
            return re.escape(literal) + (r"(?![\w-])" if literal[0].isalpha() else "")
        return {"STRING": '"', "NAME": "[a-z]", "TYPE": "[A-Z]", "REGEX": "/"}.get(name, r"-?\d")

    def ends(self, name: str) -> str:
        """Return the same for the last character, as a pattern of one character behind which a word may stand."""
        return {"STRING": '"', "NAME": r"[a-z0-9_-]"}.get(
            name, re.escape(self.literals.get(name, "")[-1:]) or r"[0-9smhd]"
        )


def grammar(text: str) -> dict[str, Any]:
    """Return the TextMate grammar for the text of the engine's."""
    own = Grammar(text)
    soft = sorted({word for words in KEYWORDS.values() for word in words} - RESERVED)
    signs = [sign for sign in own.literals.values() if not re.match(r"[a-z0-9]", sign) and sign not in "()[]{},:"]
    bodies: list[Pattern] = [
        {"name": "comment.line.number-sign.policy", "match": "#.*$"},
        _text(),
        _taken(rf"{FREE}(on)\s+({own.patterns['COMMAND_LINE']})", "keyword.control", "string.unquoted.command"),
        _taken(
            rf'{FREE}(todo)\s+(?:({NAME})|("[^"]*"))\s+({NAME})',
            *("keyword.other.step", "variable.other", "string.quoted.double", "variable.other"),
        ),
        *(_taken(rf"{FREE}({word})\s+({NO_NAME}{NAME})", SCOPES[group_of(word)], "entity.name") for word in NAMED_BY),
        _taken(rf"\.({NAME})", "variable.other.member"),
        *(
            {"name": f"{scope}.policy", "match": rf"(?<![\w-])(?:{own.patterns[name]})"}
            for name, scope in LITERALS.items()
        ),
        {"name": "variable.parameter.policy", "match": rf"{FREE}{NAME}(?=\s*:)"},
        {"name": "variable.other.policy", "match": rf"{FREE}{NO_NAME}{NAME}(?=\.)"},
        _taken(rf"(?<=[(,])\s*({NO_NAME}{NAME})(?=\s*[,)])", "variable.other"),
        *(pattern for word in soft for pattern in _told_by_neighbours(own, word)),
        {"name": "entity.name.function.policy", "match": rf"{FREE}count(?=\s*\()"},
        *_reserved(),
        {"name": "entity.name.function.policy", "match": rf"{FREE}{NAME}(?=\()"},
        {"name": "variable.other.policy", "match": rf"{FREE}{NAME}"},
        {"name": "keyword.operator.policy", "match": _either(signs)},
    ]
    return {
        "name": "Policy",
        "scopeName": "source.policy",
        "fileTypes": ["policy"],
        "comment": "Made by `make docs` from the grammar: change it there.",
        "patterns": bodies,
    }


def _text() -> Pattern:
    inner = [
        {"name": "constant.character.escape.policy", "match": r"\\."},
        {"name": "variable.other.interpolated.policy", "match": r"\{[^{}\"]+\}"},
    ]
    return {"name": "string.quoted.double.policy", "begin": '"', "end": '"|$', "patterns": inner}


def _taken(match: str, *scopes: str) -> Pattern:
    captures = {str(at): {"name": f"{scope.removesuffix('.policy')}.policy"} for at, scope in enumerate(scopes, 1)}
    return {"match": match, "captures": captures}


def _told_by_neighbours(own: Grammar, word: str) -> Iterable[Pattern]:
    """Give the patterns for a word that is a keyword only where the grammar asks for one."""
    name = f"{SCOPES[group_of(word)]}.policy"
    terminal = next(key for key, literal in own.literals.items() if literal == word)
    behind, before = own.beside(terminal, 1), own.beside(terminal, -1)
    if wanted := sorted(behind - {""}):
        yield {"name": name, "match": rf"{FREE}{word}(?![\w-])(?=\s*(?:{'|'.join(map(own.begins, wanted))}))"}
    if "" not in behind:
        return
    if "" in before:
        yield _taken(rf"(?:^|(?<=[{{}}]))\s*({word})(?![\w-])", name)
        if "ARROW" in before:
            yield _taken(rf"(?<==>)\s*({word})(?![\w-])", name)
    else:
        ends = "|".join(sorted({own.ends(one) for one in before}))
        yield _taken(rf"(?<={ends})\s*{FREE}({word})(?![\w-])", name)


def _reserved() -> Iterable[Pattern]:
    for group, scope in SCOPES.items():
        words = sorted(set(KEYWORDS[group]) & RESERVED)
        if words:
            yield {"name": f"{scope}.policy", "match": rf"{FREE}(?:{'|'.join(words)})(?![\w-])"}


def _either(signs: Iterable[str]) -> str:
    return "(?:" + "|".join(re.escape(sign) for sign in sorted(signs, key=lambda sign: (-len(sign), sign))) + ")"


def main() -> None:
    """Write the file."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(made(), "utf-8")


def made() -> str:
    """Return the text of the file, with a line for each pattern."""
    found = grammar(shipped("grammar/policy.lark").read_text("utf-8"))
    patterns = ",\n".join(json.dumps(one, ensure_ascii=False) for one in found.pop("patterns"))
    return f'{json.dumps(found, ensure_ascii=False)[:-1]}, "patterns": [\n{patterns}\n]}}\n'


if __name__ == "__main__":
    main()
