"""Read the fields of a hookify rule file (front matter and a message), line by line as hookify does.

Its front matter looks like YAML and is not: whatever follows the first colon is the value, with one pair of quotes
taken off and nothing unescaped, so that a regex needs no care. Braces, brackets and stars mean nothing there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from policy_engine.conversion.document import Refused
from policy_engine.conversion.writing import quoted
from policy_engine.model.source import Source

EVENTS = ("bash", "file", "stop", "prompt", "all")
OPERATORS = ("regex_match", "contains", "equals", "not_contains", "starts_with", "ends_with")
_KEYS = ("name", "enabled", "event", "pattern", "conditions", "action", "tool_matcher")


@dataclass(frozen=True, slots=True)
class Condition:
    """`field OPERATOR pattern`; `line` is where it stands."""

    line: int
    field: str
    operator: str
    pattern: str


@dataclass(slots=True)
class HookifyRule:
    """One file. `pattern` and `conditions` exclude each other; conditions count if there are any."""

    line: int = 1
    name: str = ""
    enabled: bool = True
    event: str = "all"
    pattern: str | None = None
    conditions: tuple[Condition, ...] = ()
    action: str = "warn"
    tool_matcher: str = ""
    message: str = ""
    unknown: list[tuple[int, str]] = field(default_factory=list)


def read_rule(source: Source) -> HookifyRule:
    """Return the rule of a file. Raises Refused with everything that is wrong with it."""
    lines = source.text.split("\n")
    closing = next((at for at, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)
    if lines[0].strip() != "---" or not closing:
        raise Refused([f"{source.name}:1: the file does not begin with front matter between two lines of `---`"])
    rule = HookifyRule(message="\n".join(lines[closing + 1 :]).strip())
    messages = list(_read(rule, lines[:closing], source.name))
    if not rule.name:
        messages.append(f"{source.name}:1: the rule has no name")
    if rule.pattern is None and not rule.conditions and not messages:
        messages.append(f"{source.name}:1: the rule has neither a pattern nor conditions, and so never speaks")
    if messages:
        raise Refused(messages)
    return rule


def _read(rule: HookifyRule, lines: list[str], name: str) -> Iterator[str]:
    for at, line in enumerate(lines[1:], 2):
        if not line.strip() or line.lstrip().startswith("#") or line[0] in " -\t":
            continue
        key, colon, value = line.partition(":")
        key, value = key.strip(), _bare(value)
        if not colon:
            yield f"{name}:{at}: {quoted(line)} is no `key: value`"
        elif key == "conditions":
            items = list(_items(lines, at))
            rule.conditions = tuple(_condition(number, item) for number, item in items)
            yield from (problem for number, item in items for problem in _wrong(item, f"{name}:{number}"))
        elif key in ("name", "pattern", "tool_matcher"):
            setattr(rule, key, value)
            rule.line = at if key == "name" else rule.line
        elif key == "enabled":
            rule.enabled = value.lower() != "false"
            if value.lower() not in ("true", "false"):
                yield f"{name}:{at}: `enabled` is neither true nor false"
        elif key == "event":
            rule.event = value
            if value not in EVENTS:
                yield f"{name}:{at}: unknown event {quoted(value)}; it is one of {', '.join(EVENTS)}"
        elif key == "action":
            rule.action = value
            if value not in ("warn", "block"):
                yield f"{name}:{at}: unknown action {quoted(value)}; it is warn or block"
        else:
            rule.unknown.append((at, key))


def _items(lines: list[str], start: int) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the entries of the list that follows line `start`, each with its line."""
    item: dict[str, str] = {}
    first = 0
    for at, line in enumerate(lines[start:], start + 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if line[0] not in " -\t":
            break
        if text.startswith("-"):
            if first:
                yield first, item
            first, item, text = at, {}, text[1:].strip()
        item.update(_pairs(text))
    if first:
        yield first, item


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """`a: 1`, or `a: 1, b: 2` if each part begins with a field of a condition; a comma in a pattern is no end."""
    parts: list[str] = []
    for part in text.split(","):
        if parts and part.partition(":")[0].strip() not in ("field", "operator", "pattern"):
            parts[-1] += "," + part
        else:
            parts.append(part)
    for part in parts:
        key, colon, value = part.partition(":")
        if colon:
            yield key.strip(), _bare(value)


def _condition(line: int, item: dict[str, str]) -> Condition:
    operator = item.get("operator") or "regex_match"
    return Condition(line, item.get("field", ""), operator, item.get("pattern", ""))


def _wrong(item: dict[str, str], where: str) -> Iterator[str]:
    if not item.get("field"):
        yield f"{where}: a condition needs a field"
    if item.get("operator", "regex_match") not in OPERATORS:
        yield f"{where}: unknown operator {quoted(item['operator'])}; it is one of {', '.join(OPERATORS)}"
    if not item.get("pattern"):
        yield f"{where}: a condition needs a pattern"


def _bare(value: str) -> str:
    """Return a value without blanks around it and without one pair of quotes."""
    text = value.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
