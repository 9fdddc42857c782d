"""Show values in a debugger: a text, and the parts of a value where it has any."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from policy_engine.effects.command import effect
from policy_engine.evaluators.trace import shown as plain_value
from policy_engine.model.types import Attribute, ListType, RecordType, Type
from policy_engine.model.undecided import ABSENT, Undecided

LONGEST = 200  # members of a list
UNDECIDED = "undecided"
Parts = tuple[tuple[str, "Value"], ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A value as it is shown."""

    text: str
    parts: Parts = ()

    def at(self, words: list[str]) -> Value | None:
        """Return the part at these names, each of a part of the one before."""
        inner = dict(self.parts).get(words[0]) if words else self
        return inner.at(words[1:]) if inner is not None and words else inner


def undecided(reasons: tuple[str, ...]) -> Value:
    """Return what stands for a value that cannot be known, with its causes."""
    return Value(f"{UNDECIDED}: {'; '.join(reasons)}")


def value_of(raw: Any, kind: Type | None = None, inner: bool = True) -> Value:
    """Return what is shown of a value: JSON, or of a type of the language; attributes of a record only if `inner`."""
    if raw is ABSENT:
        return Value("absent")
    members: Parts = ()
    if isinstance(raw, dict):
        members = tuple((str(name), value_of(member, None, inner)) for name, member in raw.items())
    elif isinstance(raw, list | tuple):
        element = kind.element if isinstance(kind, ListType) else None
        members = tuple((str(number), value_of(one, element, inner)) for number, one in enumerate(raw[:LONGEST]))
    elif inner and isinstance(kind, RecordType):
        members = tuple((one.name, _attribute(raw, one)) for one in kind.attributes if not one.method)
    plain = raw if isinstance(raw, str | dict) else plain_value(lambda: raw)
    return Value(json.dumps(plain, ensure_ascii=False, default=str), members)


def looked_at(look: Callable[[], Any], kind: Type | None = None, inner: bool = True) -> Value:
    """Return what is shown of a value that may not be known, or be a list of which more may not be known."""
    try:
        return value_of(look(), kind, inner)
    except Undecided as unknown:
        return undecided(unknown.reasons)


def _attribute(raw: Any, one: Attribute) -> Value:
    look = partial(effect, raw, one.name) if one.derived else partial(getattr, raw, one.read_as or one.name, ABSENT)
    return looked_at(look, one.type, False)
