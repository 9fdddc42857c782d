"""Make the driver's tables and a scanner from grammar/policy.lark. The only home of lark, which works once per grammar.

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
from policy_engine.syntax import kept_tables, tree_clauses, tree_expressions, tree_items, tree_tests
from policy_engine.syntax.context import Context
from policy_engine.syntax.driver import Build, Production, Tables
from policy_engine.syntax.tokens import Scanner, Terminal

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule

STARTS = ["policy", "expression"]
_MODULES: tuple[ModuleType, ...] = (tree_items, tree_clauses, tree_expressions, tree_tests)


Plain = tuple[Any, ...]


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
    """Return the language as the shipped grammar defines it."""
    text = shipped("grammar/policy.lark").read_text(encoding="utf-8")
    plain = kept_tables.read(text)
    if plain is None:
        plain = _plain(build_lark(lexer=_unused()))
        kept_tables.write(text, plain)
    terminals, rules, actions, gotos, starts, ends = plain
    scanner = Scanner(Terminal(*terminal) for terminal in terminals)
    leaps: list[dict[tuple[str, str], tuple[int, int | None]]] = [{} for _ in actions]
    productions = [_production(*rule) for rule in rules]
    return Language(scanner, Tables(actions, gotos, leaps, productions, starts, ends, scanner.soft))


def _unused() -> type:
    """Lark asks for a lexer; ours is the Scanner, which needs no parser state."""
    from lark.lexer import Lexer

    class Unused(Lexer):
        """Never asked for anything."""

        __future_interface__ = 2

        def __init__(self, configuration: object) -> None:
            pass

        def lex(self, lexer_state: object, parser_state: object) -> Iterator[Any]:
            return iter(())

    return Unused


def build_lark(**options: Any) -> Lark:
    """Return lark with our grammar. Tests ask for `strict`: then a conflict or colliding terminals are an error."""
    from lark import Lark

    text = shipped("grammar/policy.lark").read_text(encoding="utf-8")
    return Lark(text, start=STARTS, parser="lalr", postlex=OddTerminals(text), **options)


def _plain(lark: Lark) -> Plain:
    """Return what the language is made of, to be kept: terminals, rules, actions, gotos, start and end states."""
    table = lark.parser.parser._parse_table
    numbers = {rule: number for number, rule in enumerate(lark.rules)}
    actions: list[dict[str, int]] = [{} for _ in table.states]
    gotos: list[dict[str, int]] = [{} for _ in table.states]
    for state, row in table.states.items():
        for symbol, (action, argument) in row.items():
            if action.name == "Reduce":
                if argument not in numbers:
                    numbers[argument] = len(numbers)
                actions[state][str(symbol)] = ~numbers[argument]
            else:
                (actions if symbol.isupper() or symbol == "$END" else gotos)[state][str(symbol)] = argument
    terminals = tuple(
        (t.name, t.pattern.to_regexp(), t.priority, t.pattern.value if t.pattern.type == "str" else "", False)
        for t in lark.terminals
    )
    rules = tuple(_plain_rule(rule) for rule in numbers)
    return terminals, rules, actions, gotos, dict(table.start_states), dict(table.end_states)


def _plain_rule(rule: Rule) -> tuple[Any, ...]:
    """Return the arguments of `_production`. `?`, `!`, `_helpers` and `[optional]` mean what they mean in lark."""
    symbols = tuple((str(s.name), bool(s.is_term), bool(getattr(s, "filter_out", False))) for s in rule.expansion)
    options = rule.options
    flags = tuple(bool(flag) for flag in options.empty_indices or ())
    return str(rule.origin.name), str(rule.alias or ""), symbols, options.keep_all_tokens, options.expand1, flags


def _production(
    origin: str,
    alias: str,
    symbols: tuple[tuple[str, bool, bool], ...],
    keep_all: bool,
    passes: bool,
    flags: tuple[bool, ...],
) -> Production:
    """Return what a rule makes. Symbols are (name, terminal?, left out?); `flags` mark absent optional parts."""
    kept = [k for k, (_, terminal, left_out) in enumerate(symbols) if keep_all or not (terminal and left_out)]
    spliced = {k for k in kept if not symbols[k][1] and symbols[k][0].startswith("_")}
    gaps = _gaps(len(symbols), flags)
    size, last = len(symbols), slice(-len(symbols), None)
    if passes and not alias and len(kept) == 1 and not spliced and not any(gaps):
        return Production(size, origin, None, None, kept[0], last)
    if origin.startswith("_"):
        grows = symbols[0][0] == origin
        pick = _picker(kept, spliced - {0} if grows else spliced, gaps, size)
        return Production(size, origin, _grow if grows else _collect, pick, 0, last)
    pick = _picker(kept, spliced, gaps, size)
    return Production(size, origin, _build(alias or origin), pick, 0, last)


def _gaps(size: int, flags: tuple[bool, ...]) -> list[int]:
    """Return how many absent optional parts stand before each symbol and after the last."""
    if not flags:
        return [0] * (size + 1)
    return [len(run) for run in "".join(str(int(flag)) for flag in flags).split("0")]


def _picker(
    kept: list[int], spliced: set[int], gaps: list[int], size: int
) -> Callable[[list[Any]], Sequence[Any]] | None:
    if not spliced and not any(gaps):
        if len(kept) == size:
            return None
        if kept:
            return itemgetter(*kept) if len(kept) > 1 else itemgetter(slice(kept[0], kept[0] + 1))
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
