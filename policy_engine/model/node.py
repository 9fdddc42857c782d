"""Make the classes of syntax trees: dataclasses that type checkers take for frozen, and that are cheap to make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True)
def node(made: type[Made]) -> type[Made]:
    """Make a dataclass with slots, compared and hashed by its fields, whose fields nothing assigns again.

    A frozen dataclass sets each field by a call of `object.__setattr__`, which took an eighth of the time in which a
    policy loads; the type checker sees an assignment instead.
    """
    return dataclass(slots=True, unsafe_hash=True)(made)
