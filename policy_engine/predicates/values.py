"""Predicates that read one value of a JSON, TOML or YAML file, or ABSENT.

Readers are strict: whatever two readers could understand differently (duplicate keys, YAML tags and aliases) makes the
file malformed, and a malformed file is undecided. A null counts as absent: the language has none.
"""

from __future__ import annotations

from policy_engine.model.errors import EventError
from policy_engine.model.limits import EVENT_DEPTH
from policy_engine.model.strict_json import read_json
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.predicates.base import dotted_keys, file_text, member, pointer_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.predicates.base import Absent, Dotted, Json, PathText, Pointer

NEEDS = "filesystem"


def json_value(filesystem: FileSystem, path: PathText, pointer: Pointer) -> Json | Absent:
    """Return the value at a JSON pointer; absent if the file or the value is missing or null.

    Duplicate keys and numbers that are not finite make the file malformed, which is undecided.

    Holds:

        file "package.json" content "{\\"scripts\\": {\\"test\\": \\"vitest\\"}}"
        json_value("package.json", "/scripts/test") else "" == "vitest"

    Does not hold:

        file "package.json" content "{}"
        has json_value("package.json", "/scripts/test")
    """
    return _value(filesystem, path, "JSON", _json, pointer_keys, pointer)


def toml_value(filesystem: FileSystem, path: PathText, dotted: Dotted) -> Json | Absent:
    """Return the value at a dotted key of a TOML file; absent if the file or the value is missing. Dates are texts.

    Holds:

        file "pyproject.toml" content "[project]\\nversion = \\"1.2.0\\"\\n"
        toml_value("pyproject.toml", "project.version") else "" == "1.2.0"

    Does not hold:

        file "pyproject.toml" content "[project]\\nname = \\"x\\"\\n"
        has toml_value("pyproject.toml", "project.version")
    """
    return _value(filesystem, path, "TOML", _toml, dotted_keys, dotted)


def yaml_value(filesystem: FileSystem, path: PathText, dotted: Dotted) -> Json | Absent:
    """Return the value at a dotted key of a YAML file; absent if the file or the value is missing or null.

    Only `true`, `false`, `null`, `~`, decimal integers and floats are not texts: `no`, `1_000`, `0o17` and dates stay
    as written. Tags, aliases, duplicate keys and several documents make the file malformed, which is undecided.

    Holds:

        file "ci.yaml" content "jobs:\\n  test:\\n    timeout: 10\\n"
        yaml_value("ci.yaml", "jobs.test.timeout") else 0 == 10

    Does not hold:

        file "ci.yaml" content "jobs: {}\\n"
        has yaml_value("ci.yaml", "jobs.test")
    """
    return _value(filesystem, path, "YAML", _yaml, dotted_keys, dotted)


def _value(
    filesystem: FileSystem,
    path: PathText,
    form: str,
    read: Callable[[str], Any],
    keys: Callable[[str], tuple[str, ...]],
    place: str,
) -> Any:
    text = file_text(filesystem, path)
    if text is ABSENT:
        return ABSENT
    try:
        value = read(text)
        steps = keys(place)
    except (ValueError, RecursionError) as problem:
        raise Undecided(f"`{path}` is not readable as {form}: {_first_line(problem)}") from None
    for key in steps:
        value = member(value, key)
    return ABSENT if value is None else value


def _first_line(problem: Exception) -> str:
    return str(problem).split("\n", 1)[0][:200] or "nested too deeply"


def _json(text: str) -> Any:
    try:
        return read_json(text.encode())
    except EventError as problem:
        raise ValueError(str(problem)) from None


def _toml(text: str) -> Any:
    import tomllib

    return _plain(tomllib.loads(text))


def _plain(value: Any) -> Any:
    """Dates and times become text in ISO form, since the language has no such type."""
    if type(value) is dict:
        return {key: _plain(below) for key, below in value.items()}
    if type(value) is list:
        return [_plain(below) for below in value]
    return value if type(value) in (str, int, float, bool) else value.isoformat()


def _yaml(text: str) -> Any:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    events = yaml.parse(text, Loader=loader)
    try:
        return _document(events, yaml)
    except yaml.YAMLError as problem:
        raise ValueError(" ".join(str(problem).split())) from None


def _document(events: Any, yaml: Any) -> Any:
    """Return the one document of an event stream; ValueError if there are several."""
    value: Any = None
    documents = 0
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise ValueError("the file holds several documents")
            value = _node(next(events), events, yaml, 0)
    return value


def _node(event: Any, events: Any, yaml: Any, depth: int) -> Any:
    if isinstance(event, yaml.AliasEvent):
        raise ValueError(f"an alias (`*{event.anchor}`) is not allowed")
    if event.tag is not None:
        raise ValueError(f"a tag (`{event.tag}`) is not allowed")
    if depth > EVENT_DEPTH:
        raise ValueError(f"nested deeper than EVENT_DEPTH ({EVENT_DEPTH})")
    if isinstance(event, yaml.ScalarEvent):
        return _scalar(event.value) if event.implicit[0] else event.value
    if isinstance(event, yaml.SequenceStartEvent):
        items = []
        while not isinstance(below := next(events), yaml.SequenceEndEvent):
            items.append(_node(below, events, yaml, depth + 1))
        return items
    return _mapping(events, yaml, depth)


def _mapping(events: Any, yaml: Any, depth: int) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        if not isinstance(event, yaml.ScalarEvent):
            raise ValueError("a key is not a text")
        if event.value == "<<" and event.implicit[0]:
            raise ValueError("a merge key (`<<`) is not allowed")
        if event.value in fields:
            raise ValueError(f"the key `{event.value}` stands twice")
        fields[event.value] = _node(next(events), events, yaml, depth + 1)
    return fields


_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


def _scalar(text: str) -> Any:
    """Return a plain scalar: true, false, null, decimal integers and floats; everything else is a text."""
    if text in _WORDS:
        return _WORDS[text]
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and (digits == "0" or digits[0] != "0") and len(digits) < 20:
        return int(text)
    whole, dot, fraction = digits.partition(".")
    if dot and whole.isascii() and whole.isdigit() and fraction.isascii() and fraction.isdigit():
        return float(text)
    return text
