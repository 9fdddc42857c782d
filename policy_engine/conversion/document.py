"""Read a JSON or YAML file to values with their places; whatever is not plain data is refused with file:line.

Duplicate keys, aliases, tags and several documents are refused: two readers of such a file could take different values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from policy_engine.model.errors import ConfigurationError
from policy_engine.model.limits import EVENT_DEPTH
from policy_engine.model.source import Source, Span


class Refused(ConfigurationError):
    """A source that is not valid; `messages` are whole lines, each with its place."""

    def __init__(self, messages: Iterable[str]) -> None:
        self.messages = tuple(messages)
        super().__init__("\n".join(self.messages))


@dataclass(frozen=True, slots=True)
class Located:
    """A value and where it stands; `entries` are those of a mapping, `items` those of a list, both else empty.

    `keys` has the places of a mapping's keys, `value` the whole as plain data.
    """

    source: Source
    span: Span
    value: Any
    entries: dict[str, Located] = field(default_factory=dict)
    items: tuple[Located, ...] = ()
    keys: dict[str, Span] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """`file:line`."""
        return f"{self.source.name}:{self.source.position(self.span.start)[0]}"

    def where_key(self, key: str) -> str:
        """`file:line` of a key of a mapping."""
        return f"{self.source.name}:{self.source.position(self.keys[key].start)[0]}"

    def refused(self, message: str) -> Refused:
        """Return the error that this value is wrong."""
        return Refused([f"{self.where}: {message}"])

    def get(self, key: str) -> Any:
        """Return the plain value under a key; None if there is none."""
        entry = self.entries.get(key)
        return None if entry is None else entry.value

    def below(self, *keys: str) -> Located | None:
        """Return the value at the end of a path of keys, None if there is none."""
        value: Located | None = self
        for key in keys:
            value = value.entries.get(key) if value is not None else None
        return value


def read_json(source: Source) -> Located:
    """Return the one JSON value of a text. Raises Refused."""
    reader = _Json(source)
    document = reader.value(0, reader.blank(0))
    end = reader.blank(document.span.end)
    if end < len(source.text):
        raise reader.refused(end, "something follows the first JSON value")
    return document


_BLANK = re.compile(r"[ \t\n\r]*")


class _Json:
    """Containers are read here, for their places; everything else is the standard scanner's."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.scan = json.JSONDecoder(parse_constant=self._constant).raw_decode

    def refused(self, at: int, message: str) -> Refused:
        return Refused([f"{self.source.name}:{self.source.position(at)[0]}: {message}"])

    def blank(self, at: int) -> int:
        match = _BLANK.match(self.text, at)
        return match.end() if match else at

    def value(self, depth: int, at: int) -> Located:
        if depth > EVENT_DEPTH:
            raise self.refused(at, f"nested deeper than EVENT_DEPTH ({EVENT_DEPTH})")
        opening = self.text[at : at + 1]
        if opening == "{":
            return self._mapping(depth, at)
        if opening == "[":
            return self._list(depth, at)
        try:
            value, end = self.scan(self.text, at)
        except (ValueError, RecursionError) as problem:
            raise self.refused(at, f"this is no JSON: {str(problem).partition(':')[0].lower()}") from None
        return Located(self.source, Span(at, end), value)

    def _constant(self, name: str) -> Any:
        raise ValueError(f"`{name}` is no number")

    def _mapping(self, depth: int, start: int) -> Located:
        entries: dict[str, Located] = {}
        keys: dict[str, Span] = {}
        at = self.blank(start + 1)
        while self.text[at : at + 1] != "}":
            key = self.value(depth, at)
            if not isinstance(key.value, str) or key.value in entries:
                kind = "the key stands twice" if isinstance(key.value, str) else "a key is no text"
                raise self.refused(at, f"{kind}: `{str(key.value)[:80]}`")
            at = self.blank(key.span.end)
            if self.text[at : at + 1] != ":":
                raise self.refused(at, "this is no JSON: `:` is missing")
            keys[key.value] = key.span
            entries[key.value] = self.value(depth + 1, self.blank(at + 1))
            at = self._next(entries[key.value].span.end, "}")
        plain = {key: below.value for key, below in entries.items()}
        return Located(self.source, Span(start, at + 1), plain, entries, keys=keys)

    def _list(self, depth: int, start: int) -> Located:
        items: list[Located] = []
        at = self.blank(start + 1)
        while self.text[at : at + 1] != "]":
            items.append(self.value(depth + 1, at))
            at = self._next(items[-1].span.end, "]")
        return Located(self.source, Span(start, at + 1), [item.value for item in items], items=tuple(items))

    def _next(self, end: int, closing: str) -> int:
        """Return where the next member, or the closing bracket, stands."""
        at = self.blank(end)
        if self.text[at : at + 1] == closing:
            return at
        following = self.blank(at + 1)
        if self.text[at : at + 1] != "," or self.text[following : following + 1] == closing:
            raise self.refused(at, f"this is no JSON: `,` or `{closing}` is expected")
        return following


def read_yaml(source: Source) -> Located | None:
    """Return the one document of a YAML text, None if it is blank. Raises Refused."""
    import yaml

    events = yaml.parse(source.text, Loader=yaml.SafeLoader)
    try:
        document = None
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                if document is not None:
                    raise _at(source, event, "the file holds several documents")
                document = _Yaml(source, events, yaml).node(next(events), 0)
        return document
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        line = mark.line + 1 if mark is not None else 1
        raise Refused([f"{source.name}:{line}: this is no YAML: {problem.problem}"]) from None
    except (yaml.YAMLError, RecursionError) as problem:
        raise Refused([f"{source.name}:1: this is no YAML: {' '.join(str(problem).split())}"]) from None


def _at(source: Source, event: Any, message: str) -> Refused:
    return Refused([f"{source.name}:{event.start_mark.line + 1}: {message}"])


class _Yaml:
    """Builds values by the core schema: only `true`, `false`, `null`, `~`, blank and decimals are no texts."""

    def __init__(self, source: Source, events: Any, yaml: Any) -> None:
        self.source = source
        self.events = events
        self.yaml = yaml

    def node(self, event: Any, depth: int) -> Located:
        if isinstance(event, self.yaml.AliasEvent):
            raise _at(self.source, event, f"an alias (`*{event.anchor}`) is not allowed")
        if event.tag is not None:
            raise _at(self.source, event, f"a tag (`{event.tag}`) is not allowed")
        if depth > EVENT_DEPTH:
            raise _at(self.source, event, f"nested deeper than EVENT_DEPTH ({EVENT_DEPTH})")
        start = event.start_mark.index
        if isinstance(event, self.yaml.ScalarEvent):
            value = scalar(event.value) if event.implicit[0] else event.value
            return Located(self.source, Span(start, event.end_mark.index), value)
        if isinstance(event, self.yaml.SequenceStartEvent):
            items: list[Located] = []
            while not isinstance(below := next(self.events), self.yaml.SequenceEndEvent):
                items.append(self.node(below, depth + 1))
            span = Span(start, below.end_mark.index)
            return Located(self.source, span, [item.value for item in items], items=tuple(items))
        return self._mapping(start, depth)

    def _mapping(self, start: int, depth: int) -> Located:
        entries: dict[str, Located] = {}
        keys: dict[str, Span] = {}
        while not isinstance(event := next(self.events), self.yaml.MappingEndEvent):
            if not isinstance(event, self.yaml.ScalarEvent):
                raise _at(self.source, event, "a key is not a text")
            if event.value in entries or (event.value == "<<" and event.implicit[0]):
                what = "a merge key is not allowed" if event.value == "<<" else "the key stands twice"
                raise _at(self.source, event, f"{what}: `{event.value}`")
            keys[event.value] = Span(event.start_mark.index, event.end_mark.index)
            entries[event.value] = self.node(next(self.events), depth + 1)
        plain = {key: below.value for key, below in entries.items()}
        return Located(self.source, Span(start, event.end_mark.index), plain, entries, keys=keys)


_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_INTEGER = re.compile(r"[-+]?[0-9]{1,15}")
_FLOAT = re.compile(r"[-+]?[0-9]{1,15}\.[0-9]{0,15}")


def scalar(text: str) -> Any:
    """Return what a plain scalar of YAML means."""
    folded = text.lower()
    if folded in _WORDS:
        return _WORDS[folded]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text
