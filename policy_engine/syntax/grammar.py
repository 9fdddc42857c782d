"""grammar/policy.lark → the driver's tables and a scanner. The only home of lark; built once per process.

Uses lark's compiled rules and parse table, which are not part of its documented face: the version is pinned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import itemgetter
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from policy_engine.model.shipped import shipped
from policy_engine.model.source import Span
from policy_engine.syntax import tree_clauses, tree_expressions, tree_items, tree_tests
from policy_engine.syntax.context import Context
from policy_engine.syntax.driver import Build, Production, Tables
from policy_engine.syntax.tokens import Scanner, Terminal

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule

STARTS = ["policy", "expression"]
_MODULES: tuple[ModuleType, ...] = (tree_items, tree_clauses, tree_expressions, tree_tests)


class Language(NamedTuple):
    scanner: Scanner
    tables: Tables


class OddTerminals:
    """Makes lark keep the terminals that no rule mentions: our scanner reports them."""

    def __init__(self, text: str) -> None:
        names = (line.partition(":")[0].partition(".")[0] for line in text.splitlines())
        self.always_accept = tuple(name for name in names if name == "NAME" or name.startswith("ODD_"))

    def process(self, stream: Iterator[Any]) -> Iterator[Any]:
        return stream


@cache
def language() -> Language:
    """The language as the shipped grammar defines it."""
    from lark.lexer import Lexer

    class Unused(Lexer):
        """Lark asks for a lexer; ours is the Scanner, which needs no parser state."""

        __future_interface__ = 2

        def __init__(self, configuration: object) -> None:
            pass

        def lex(self, lexer_state: object, parser_state: object) -> Iterator[Any]:
            return iter(())

    lark = build_lark(lexer=Unused)
    scanner = Scanner(
        Terminal(t.name, t.pattern.to_regexp(), t.priority, t.pattern.value if t.pattern.type == "str" else "", False)
        for t in lark.terminals
    )
    return Language(scanner, _tables(lark, scanner.soft))


def build_lark(**options: Any) -> Lark:
    """Lark with our grammar, strict: a conflict in the grammar is an error."""
    from lark import Lark

    text = shipped("grammar/policy.lark").read_text(encoding="utf-8")
    return Lark(text, start=STARTS, parser="lalr", strict=True, postlex=OddTerminals(text), **options)


def _tables(lark: Lark, soft: frozenset[str]) -> Tables:
    table = lark.parser.parser._parse_table
    numbers = {rule: number for number, rule in enumerate(lark.rules)}
    actions: list[dict[str, int]] = [{} for _ in table.states]
    gotos: list[dict[str, int]] = [{} for _ in table.states]
    for state, row in table.states.items():
        for symbol, (action, argument) in row.items():
            if action.name == "Reduce":
                if argument not in numbers:
                    numbers[argument] = len(numbers)
                actions[state][symbol] = ~numbers[argument]
            else:
                (actions if symbol.isupper() or symbol == "$END" else gotos)[state][symbol] = argument
    productions = [_production(rule) for rule in numbers]
    leaps: list[dict[tuple[str, str], tuple[int, int | None]]] = [{} for _ in table.states]
    return Tables(actions, gotos, leaps, productions, dict(table.start_states), dict(table.end_states), soft)


def _production(rule: Rule) -> Production:
    """What a rule makes; `?`, `!`, `_helpers` and `[optional]` mean what they mean in lark."""
    symbols = rule.expansion
    keep_all = rule.options.keep_all_tokens
    kept = [
        k
        for k, symbol in enumerate(symbols)
        if keep_all or not (symbol.is_term and getattr(symbol, "filter_out", False))
    ]
    spliced = {k for k in kept if not symbols[k].is_term and symbols[k].name.startswith("_")}
    gaps = _gaps(rule)
    origin = str(rule.origin.name)
    size = len(symbols)
    if rule.options.expand1 and not rule.alias and len(kept) == 1 and not spliced and not any(gaps):
        return Production(size, origin, None, None, kept[0])
    if origin.startswith("_"):
        grows = symbols[0].name == origin
        pick = _picker(kept, spliced - {0} if grows else spliced, gaps, size)
        return Production(size, origin, _grow if grows else _collect, pick, 0)
    pick = _picker(kept, spliced, gaps, size)
    return Production(size, origin, _build(str(rule.alias or origin)), pick, 0)


def _gaps(rule: Rule) -> list[int]:
    """How many absent optional parts stand before each symbol and after the last."""
    flags = rule.options.empty_indices
    if not flags:
        return [0] * (len(rule.expansion) + 1)
    return [len(run) for run in "".join(str(int(flag)) for flag in flags).split("0")]


def _picker(
    kept: list[int], spliced: set[int], gaps: list[int], size: int
) -> Callable[[list[Any]], Sequence[Any]] | None:
    if not spliced and not any(gaps):
        if len(kept) == size:
            return None
        if len(kept) > 1:
            return itemgetter(*kept)
    steps: list[tuple[int, bool]] = []  # (index or -1 for an absent part, splice)
    for k in range(size):
        steps += [(-1, False)] * gaps[k]
        if k in kept:
            steps.append((k, k in spliced))
    steps += [(-1, False)] * gaps[size]

    def pick(values: list[Any]) -> list[Any]:
        picked: list[Any] = []
        for index, splice in steps:
            if splice:
                picked += values[index]
            else:
                picked.append(None if index < 0 else values[index])
        return picked

    return pick


def _collect(context: Context, values: Sequence[Any], span: Span) -> list[Any]:
    return list(values)


def _grow(context: Context, values: Sequence[Any], span: Span) -> list[Any]:
    """`values` begins with all that the repetition has collected so far; extended in place, so linear."""
    collected: list[Any] = values[0]
    collected.extend(values[1:])
    return collected


def _build(name: str) -> Build:
    for module in _MODULES:
        if name in vars(module):
            function: Build = getattr(module, name)
            return function
    raise LookupError(f"no function makes the grammar rule `{name}`")
