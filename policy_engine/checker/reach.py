"""Tell whether a field is there always, sometimes or never where a rule listens."""

from __future__ import annotations

from policy_engine.checker.tree import Listen
from policy_engine.checker.vocabulary import Vocabulary
from policy_engine.hooks.base import Field

NEVER, SOMETIMES, ALWAYS = 0, 1, 2


class Reach:
    """All points and tool kinds of one rule; answers are remembered, since rules share their points."""

    __slots__ = ("_known", "listens", "points", "words")

    def __init__(self, words: Vocabulary, listens: tuple[Listen, ...]) -> None:
        self.words = words
        self.listens = listens
        self.points = tuple(dict.fromkeys(listen.point for listen in listens))
        self._known: dict[str, int] = {}

    def has(self, field: Field) -> int:
        """ALWAYS if every point and kind has the field, NEVER if none has, else SOMETIMES."""
        known = self._known.get(field.name)
        if known is None:
            each = {self._one(field, listen) for listen in self.listens}
            known = each.pop() if len(each) == 1 else SOMETIMES if each else ALWAYS
            self._known[field.name] = known
        return known

    def _one(self, field: Field, listen: Listen) -> int:
        if listen.point not in self.words.having[field.name]:
            return NEVER
        if field.kinds is None:
            return ALWAYS
        if listen.names or not listen.kinds:  # a tool by its own name may be of any kind
            return SOMETIMES
        shared = sum(kind in field.kinds for kind in listen.kinds)
        return ALWAYS if shared == len(listen.kinds) else SOMETIMES if shared else NEVER

    def fields(self) -> list[str]:
        """Return the names of all fields that may be read here at least sometimes."""
        return [name for name, field in self.words.fields.items() if self.has(field) != NEVER]

    def lacking(self, field: Field) -> list[str]:
        """Return the points that do not have the field."""
        return [point for point in self.points if point not in self.words.having[field.name]]
