"""Emit the dispatch of one bucket and its tables from the keys of its rules: which rules an event could concern.

Each rule is filed under one key, the one that the fewest others share. The dispatch function reads each group's field
once and looks the value up; a reading that is undecided makes every rule of its group a candidate. A decision then
costs the same with 10 rules and with 10,000.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from policy_engine.compiler.keys import Group, Keys, Values

Entries = list[tuple[int, Values]]
Emit = Callable[[int, str, Entries, dict[str, object]], list[str]]

_PREFERENCE = ("equal", "program", "sign", "prefix", "literal", "folded", "folder", "place", ">", ">=", "<", "<=")


@dataclass(frozen=True, slots=True)
class Index:
    """`source` defines `dispatch(e)`, which returns rule numbers (repeats possible); `tables` are its globals."""

    source: str
    tables: dict[str, object]


def build_index(rules: list[tuple[int, Keys]]) -> Index:
    """File the numbered rules of one bucket."""
    always, filed = _file(rules)
    lines = [f"    hits = list({tuple(always)!r})" if always else "    hits = []"]
    tables: dict[str, object] = {}
    for number, group in enumerate(sorted(filed, key=lambda group: (_PREFERENCE.index(group[0]), group[1]))):
        entries = filed[group]
        everyone = tuple(sorted({rule for rule, _ in entries}))
        tables[f"A{number}"] = everyone
        lines += _EMIT[group[0]](number, group[1], entries, tables)
    return Index("def dispatch(e):\n" + "\n".join(lines) + "\n    return hits\n", tables)


def _file(rules: list[tuple[int, Keys]]) -> tuple[list[int], dict[Group, Entries]]:
    """Choose each rule's group: the one in which its values are shared least."""
    popularity: Counter[tuple[Group, object]] = Counter()
    for _, keys in rules:
        for group, choices in keys.items():
            popularity.update((group, value) for values in choices for value in values)
    always: list[int] = []
    filed: dict[Group, Entries] = defaultdict(list)
    for rule, keys in rules:
        if not keys:
            always.append(rule)
            continue
        _, _, group, values = min(
            (_cost(group, values, popularity), _PREFERENCE.index(group[0]), group, values)
            for group, choices in keys.items()
            for values in choices
        )
        filed[group].append((rule, values))
    return always, filed


def _cost(group: Group, values: Values, popularity: Counter[tuple[Group, object]]) -> int:
    """Return how many rules an event that hits would bring along; ranges bring half of their group on average."""
    shared = max(popularity[group, value] for value in values)
    return shared * 1000 if group[0] in ("<", "<=", ">", ">=") else shared


def _lookup(entries: Entries) -> dict[object, tuple[int, ...]]:
    table: dict[object, list[int]] = defaultdict(list)
    for rule, values in entries:
        for value in values:
            table[value].append(rule)
    return {value: tuple(numbers) for value, numbers in sorted(table.items(), key=lambda item: repr(item[0]))}


def _guarded(number: int, body: list[str]) -> list[str]:
    return ["    try:", *(f"        {line}" for line in body), "    except Undecided:", f"        hits += A{number}"]


def _equal(number: int, reading: str, entries: Entries, tables: dict[str, object]) -> list[str]:
    tables[f"T{number}"] = _lookup(entries)
    body = [f"r = T{number}.get({reading})", "if r: hits += r"]
    return [*_guarded(number, body), "    except TypeError:", "        pass"]


def _program(number: int, reading: str, entries: Entries, tables: dict[str, object]) -> list[str]:
    tables[f"T{number}"] = _lookup(entries)
    body = [
        f"v = {reading}",
        "if v is not ABSENT:",
        "    for c in v:",
        f"        r = T{number}.get(c.program)",
        "        if r: hits += r",
    ]
    return _guarded(number, body)


def _sign(number: int, reading: str, entries: Entries, tables: dict[str, object]) -> list[str]:
    """As `_program`, for what the effects of a command show; a fault in working them out is each rule's to report."""
    tables[f"T{number}"] = _lookup(entries)
    body = [
        f"v = {reading}",
        "if v is not ABSENT:",
        "    for c in v:",
        "        for s in signs(c):",
        f"            r = T{number}.get(s)",
        "            if r: hits += r",
    ]
    return ["    try:", *(f"        {line}" for line in body), "    except Exception:", f"        hits += A{number}"]


def _prefix(number: int, reading: str, entries: Entries, tables: dict[str, object]) -> list[str]:
    table = _lookup(entries)
    tables[f"T{number}"] = table
    lengths = tuple(sorted({len(str(value)) for value in table}))
    body = [
        f"v = {reading}",
        "if v is not ABSENT:",
        "    v = text(v)",
        f"    for n in {lengths!r}:",
        f"        r = T{number}.get(v[:n])",
        "        if r: hits += r",
    ]
    return _guarded(number, body)


def _folder(number: int, reading: str, entries: Entries, tables: dict[str, object]) -> list[str]:
    tables[f"T{number}"] = _lookup(entries)
    body = [f"v = {reading}", "if v is not ABSENT:", f"    hits += folders(T{number}, v, e.filesystem)"]
    return _guarded(number, body)


def _place(number: int, reading: str, entries: Entries, tables: dict[str, object]) -> list[str]:
    """As `_folder`, for one path or one text that is read as a path."""
    tables[f"T{number}"] = _lookup(entries)
    code = f"folders(T{number}, (path_of(v, e.filesystem),), e.filesystem)"
    body = [f"v = {reading}", 'if v is not ABSENT and v != "":', f"    hits += {code}"]
    return _guarded(number, body)


def _scan(folded: bool) -> Emit:
    def emit(number: int, reading: str, entries: Entries, tables: dict[str, object]) -> list[str]:
        tables[f"S{number}"] = _lookup(entries)  # `S` tables become scanners when the dispatch is made
        value = "text(v).casefold()" if folded else "text(v)"
        body = [f"v = {reading}", "if v is not ABSENT:", f"    hits += S{number}({value})"]
        return _guarded(number, body)

    return emit


def _range(operator: str) -> Emit:
    def emit(number: int, reading: str, entries: Entries, tables: dict[str, object]) -> list[str]:
        pairs = sorted((value, rule) for rule, values in entries for value in values)
        tables[f"T{number}"] = tuple(value for value, _ in pairs)
        tables[f"R{number}"] = tuple(rule for _, rule in pairs)
        cut = {
            ">": "R{0}[:bisect_left(T{0}, v)]",
            ">=": "R{0}[:bisect_right(T{0}, v)]",
            "<": "R{0}[bisect_right(T{0}, v):]",
            "<=": "R{0}[bisect_left(T{0}, v):]",
        }[operator].format(number)
        body = [f"v = {reading}", "if v is not ABSENT:", "    v = number(v)", f"    hits += {cut}"]
        return _guarded(number, body)

    return emit


_EMIT: dict[str, Emit] = {
    "equal": _equal,
    "program": _program,
    "sign": _sign,
    "prefix": _prefix,
    "folder": _folder,
    "place": _place,
    "literal": _scan(False),
    "folded": _scan(True),
    ">": _range(">"),
    ">=": _range(">="),
    "<": _range("<"),
    "<=": _range("<="),
}
