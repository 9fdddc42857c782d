"""Write the tree-sitter grammar of policies and its queries, for Neovim, Helix and Zed: `python -m tools.treesitter`.

Rules, words and patterns come from the engine's own grammar; `src/scanner.c` alone is written by hand, for the one
terminal that looks ahead. `npm run generate` makes `src/parser.c` of what is written here, in version 14 of the binary
interface, which every editor reads: version 15 needs Neovim 0.11. A test compares the leaves of the trees with the
parser's tokens.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lark import Lark
from lark.grammar import Rule

from policy_engine.model.shipped import shipped
from policy_engine.syntax.keywords import KEYWORDS

FOLDER = Path(__file__).resolve().parents[1] / "editors" / "tree-sitter-policy"
NAMES = {"INT": "integer"}  # of terminals that are not called as their name says
SCANNED = "COMMAND_LINE"
PARTS = ("_command_start", "_command_part")  # of it, as scanner.c reads them
LOOKS = re.compile(r"\(\?<?[!=](?:\[[^\]]*\]|\\.|[^()\[\]\\])*\)|\\b")
CAPTURES = {
    "declaration": "keyword",
    "clause": "keyword",
    "step": "keyword",
    "verdict": "keyword.return",
    "quantifier": "keyword.repeat",
    "operator": "keyword.operator",
    "constant": "boolean",
}
OTHERS = """\
(comment) @comment
(string) @string
(regex) @string.regexp
(command_line) @string.special
[(integer) (duration) (date) (moment)] @number
(type) @type
(label) @variable.parameter
(invocation . (name) @function.call)
(member (name) @property .)
(point . (name) @constant)
"""
HELIX = {
    "keyword.return": "keyword.control.return",
    "keyword.repeat": "keyword.control.repeat",
    "number": "constant.numeric",
    "boolean": "constant.builtin.boolean",
    "property": "variable.other.member",
    "function.call": "function",
    "type.definition": "type",
}
ZED = {
    "string.regexp": "string.regex", "function.call": "function", "type.definition": "type",
    "keyword.return": "keyword", "keyword.repeat": "keyword",
}  # fmt: skip
"""What an editor's themes call a capture, where that is another name."""
OBJECTS = "(rule) @class.around\n(test) @test.around\n(comment) @comment.around\n"
BLOCKS = "(rule) (limit) (mode) (hook) (verify) (waive) (claim) (test)"
OUTLINED = "rule limit mode hook verify claim stage param define"
NAMED = f"{OUTLINED} extend"
FOLDED = "rule limit mode hook verify waive claim test"
Shape = dict[str, Any]


def _symbol(name: str) -> Shape:
    return {"type": "SYMBOL", "name": name}


def _choice(members: Iterable[Shape]) -> Shape:
    found = list(members)
    return found[0] if len(found) == 1 else {"type": "CHOICE", "members": found}


class Grammar:
    """The engine's grammar in tree-sitter's form: a rule that lark leaves out of its tree begins with `_`."""

    def __init__(self, text: str) -> None:
        self._lark = Lark(text, start="policy", parser="lalr", maybe_placeholders=True)
        self._terminals = {one.name: one for one in self._lark.terminals}
        self._heads: dict[str, list[Rule]] = defaultdict(list)
        for rule in self._lark.rules:
            self._heads[str(rule.origin.name)].append(rule)

    def made(self) -> Shape:
        """Return the grammar as `grammar.json` holds it."""
        rules: dict[str, Shape] = {}
        for head in self._heads:
            if not self._literals(head):
                rules |= self._rules(head)
        for name, one in self._terminals.items():
            if one.pattern.type != "str" and not name.startswith("ODD_") and name not in ("SPACE", SCANNED):
                rules[_named(name)] = {"type": "PATTERN", "value": _pattern(one.pattern.to_regexp())}
        start, part = map(_symbol, PARTS)
        rules[_named(SCANNED)] = {"type": "SEQ", "members": [start, {"type": "REPEAT1", "content": part}]}
        rules["label"] = {"type": "PATTERN", "value": rules["name"]["value"] + "[ ]*:"}
        return {
            "name": "policy",
            "word": "name",
            "rules": rules,
            "extras": [{"type": "PATTERN", "value": r"\s"}, _symbol("comment")],
            "conflicts": [],
            "precedences": [],
            "externals": [start, part],
            "inline": [],
            "supertypes": [],
        }

    def _literals(self, head: str) -> list[str]:
        """Return the words that a rule chooses from, if it is nothing else: they stand where it is taken in."""
        found = [[one.name for one in rule.expansion] for rule in self._heads[head]]
        words = [
            self._terminals[names[0]].pattern for names in found if len(names) == 1 and names[0] in self._terminals
        ]
        texts = [word.value for word in words if word.type == "str"]
        return texts if len(texts) == len(found) else []

    def _rules(self, head: str) -> dict[str, Shape]:
        """Return what stands for a rule: its nodes, and where it is more than one node a hidden choice of them."""
        nodes: dict[str, list[Shape]] = defaultdict(list)
        passed: list[Shape] = []
        for rule in self._heads[head]:
            if self._passes(rule):
                passed.append(self._part(rule, 0))
            else:
                nodes[str(rule.alias or head)].append(self._sequence(rule))
        rules = {name: _choice(bodies) for name, bodies in nodes.items()}
        if self._reference(head) != head:
            rules[self._reference(head)] = _choice([*passed, *map(_symbol, nodes)])
        if head == "atom":  # a word that is a keyword only before a name: `count(write)`
            rules["_atom"]["members"].append(
                {"type": "ALIAS", "content": {"type": "STRING", "value": "count"}, "named": True, "value": "name"}
            )
        return rules

    def _passes(self, rule: Rule) -> bool:
        """Return whether a rule makes no node of its own; what is one terminal is the terminal's."""
        return len(rule.expansion) == 1 and (
            rule.expansion[0].is_term or (bool(rule.options.expand1) and not rule.alias)
        )

    def _reference(self, head: str) -> str:
        """Return what a rule is called where another one takes it in."""
        plain = all(not rule.alias and not self._passes(rule) for rule in self._heads[head])
        return head if plain or head.startswith("_") else f"_{head}"

    def _sequence(self, rule: Rule) -> Shape:
        names = [one.name for one in rule.expansion]
        if str(rule.origin.name) == "argument" and names[:2] == ["NAME", "COLON"]:  # any word may stand there
            return {
                "type": "SEQ",
                "members": [_symbol("label"), *(self._part(rule, at) for at in range(2, len(names)))],
            }
        members = [self._part(rule, at) for at in range(len(names))]
        return (
            members[0] if len(members) == 1 else {"type": "SEQ", "members": members} if members else {"type": "BLANK"}
        )

    def _part(self, rule: Rule, at: int) -> Shape:
        one = rule.expansion[at]
        if not one.is_term and (literals := self._literals(str(one.name))):
            return _choice({"type": "STRING", "value": literal} for literal in literals)
        if not one.is_term:
            return _symbol(self._reference(str(one.name)))
        pattern = self._terminals[one.name].pattern
        return {"type": "STRING", "value": pattern.value} if pattern.type == "str" else _symbol(_named(one.name))

    def signs(self) -> list[str]:
        """Return the literals that are no words."""
        found = {one.pattern.value for one in self._lark.terminals if one.pattern.type == "str"}
        return sorted(sign for sign in found if not sign[0].isalpha())


def _named(terminal: str) -> str:
    return NAMES.get(terminal, terminal.lower())


def _pattern(text: str) -> str:
    """Return a pattern without what looks before and behind: the longest match is taken, and only where it fits."""
    return LOOKS.sub("", text).replace("(?:||)", "").replace(r"\/", "/")


def highlights(own: Grammar) -> str:
    """Return the query that colours; no token has two captures."""
    lines = ["; Made by `make docs` from the grammar: change it there.", OTHERS.rstrip()]
    lines += [f"({name} . (name) @type.definition)" for name in NAMED.split()]
    for group, capture in CAPTURES.items():
        lines.append(f"[{' '.join(json.dumps(word) for word in KEYWORDS[group])}] @{capture}")
    signs = own.signs()
    brackets = [sign for sign in signs if sign in "()[]{}"]
    delimiters = [sign for sign in signs if sign in ",.:"]
    operators = [sign for sign in signs if sign not in (*brackets, *delimiters)]
    for some, capture in (
        (brackets, "punctuation.bracket"), (delimiters, "punctuation.delimiter"), (operators, "operator"),
    ):  # fmt: skip
        lines.append(f"[{' '.join(json.dumps(sign) for sign in some)}] @{capture}")
    return "\n".join(lines) + "\n"


def renamed(query: str, names: dict[str, str]) -> str:
    """Return a query with the captures of another editor."""
    return re.sub(r"@([a-z.]+)", lambda found: f"@{names.get(found[1], found[1])}", query)


def made() -> dict[str, str]:
    """Return the text of each file, by its name."""
    own = Grammar(shipped("grammar/policy.lark").read_text("utf-8"))
    folds = "\n".join(f"({name}) @fold" for name in FOLDED.split())
    colours = highlights(own)
    outline = "\n".join(f'({name} "{name}" @context . (name) @name) @item' for name in OUTLINED.split())
    brackets = "\n".join(f'("{one}" @open "{other}" @close)' for one, other in ("{}", "()", "[]"))
    return {
        "../helix/queries/policy/highlights.scm": renamed(colours, HELIX),
        "../helix/queries/policy/indents.scm": f'[{BLOCKS}] @indent\n"}}" @outdent\n',
        "../helix/queries/policy/textobjects.scm": OBJECTS,
        "../zed/languages/policy/highlights.scm": renamed(colours, ZED),
        "../zed/languages/policy/brackets.scm": f"{brackets}\n",
        "../zed/languages/policy/indents.scm": f'[{BLOCKS}] @indent\n"}}" @end\n',
        "../zed/languages/policy/outline.scm": f"{outline}\n",
        "src/grammar.json": json.dumps(own.made(), indent=1, ensure_ascii=False) + "\n",
        "queries/highlights.scm": colours,
        "queries/folds.scm": f"{folds}\n",
    }


def main() -> None:
    """Write the files."""
    for name, text in made().items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
