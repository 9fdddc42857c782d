"""Build the `Vocabulary` from the families of lifecycle points and predicates: every word that a policy may use.

The vocabulary is closed: what is not in it is an error at its place. It grows by files in `hooks/` and `predicates/`.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from types import FunctionType, ModuleType

from policy_engine.hooks.base import EVERYWHERE, TOOL_KINDS, Field, HookPoint
from policy_engine.model import family
from policy_engine.model.types import ARGUMENT, BOOL, INT, Type

ATOMS = {
    "wrote": "glob",
    "read": "glob",
    "deleted": "glob",
    "ran": "command",
    "command_success": "command",
    "command_failure": "command",
    "tests_passed": "tests",
    "called": "tool",
    "tool_fact": "fact",
    "prompted": "nothing",
    "refused": "rule",
    "verified": "stage",
}
"""History atom → the sort of thing it takes."""

HAPPENED = "true if it happened in this session; `count(…)`, `last(…)` and `since` ask more"
"""What each history atom says."""

FORMS = {
    "glob": 'a pattern of paths, such as `glob("src/**")`',
    "command": 'a pattern of command lines, such as `command("git push ...")`',
    "count": "in how many events of the session something happened",
    "last": "the record of the latest event of that kind; optional",
    "changed": "the paths under a glob that were written in this session and still exist",
}
"""Words that are called like functions and belong to the language itself, with what they are."""

_RESULTS: dict[str, tuple[Type, bool]] = {
    "bool": (BOOL, False),
    "int | Absent": (INT, True),
    "Json | Absent": (ARGUMENT, True),
}
_PARAMETERS = {"PathText": "path", "Needle": "needle", "Pointer": "pointer", "Dotted": "dotted"}


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate's signature, read from its annotations; `parameters` are path, needle, pointer, dotted or glob."""

    name: str
    module: str
    parameters: tuple[str, ...]
    result: Type
    optional: bool
    needs: str
    doc: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`having` maps a field to the points that have it; `roots` are the first words of the fields."""

    points: dict[str, HookPoint]
    fields: dict[str, Field]
    having: dict[str, frozenset[str]]
    predicates: dict[str, Predicate]
    kinds: tuple[str, ...]
    roots: frozenset[str]

    def callable_words(self) -> list[str]:
        """Everything that can stand before a parenthesis."""
        return [*self.predicates, *ATOMS, *FORMS]


def vocabulary() -> Vocabulary:
    """Return the words of the families as they are on disk."""
    points = {point.name: point for point in family.members("policy_engine.hooks", HookPoint)}
    fields: dict[str, Field] = {}
    having: dict[str, set[str]] = {}
    for point in points.values():
        for field in (*EVERYWHERE, *point.fields):
            if fields.setdefault(field.name, field) != field:
                raise ValueError(f"the field `{field.name}` means two things")
            having.setdefault(field.name, set()).add(point.name)
    return Vocabulary(
        points,
        fields,
        {name: frozenset(names) for name, names in having.items()},
        {predicate.name: predicate for predicate in _predicates()},
        TOOL_KINDS.members,
        frozenset(name.partition(".")[0] for name in fields) | {"mode", "limit"},
    )


def _predicates() -> list[Predicate]:
    predicates = []
    for module in family.modules("policy_engine.predicates"):
        for name, function in sorted(vars(module).items()):
            if isinstance(function, FunctionType) and function.__module__ == module.__name__ and name[0] != "_":
                predicates.append(_signature(module, name, function))
    return predicates


def _signature(module: ModuleType, name: str, function: FunctionType) -> Predicate:
    """Raises KeyError if an annotation is none of the words of predicates/base.py: a mistake of whoever wrote it."""
    annotations = function.__annotations__
    names = list(inspect.signature(function).parameters)[1:]
    result, optional = _RESULTS[annotations["return"]]
    parameters = tuple(_PARAMETERS[annotations[parameter]] for parameter in names)
    needs = module.NEEDS
    if needs == "changed":
        parameters = ("glob", *parameters)
    return Predicate(name, module.__name__, parameters, result, optional, needs, inspect.getdoc(function) or "")
