"""Resolve `param` and `import … with { … }`: each parameter with its value, of the type that its default has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from policy_engine.checker import messages, tree
from policy_engine.checker.memory import Items
from policy_engine.checker.scope import DefineInfo, Names
from policy_engine.checker.tree import Place
from policy_engine.checker.types import NO_ELEMENT, described
from policy_engine.model.types import ERROR, STRING, ListType, Type, list_of
from policy_engine.syntax import ast

Visible = dict[str, DefineInfo]
Settings = Sequence[tuple[Items, str, ast.Setting]]


def own_params(defines: Visible) -> Visible:
    """Return the parameters among what a file declares; no other file sees them."""
    return {name: info for name, info in defines.items() if isinstance(info.node, ast.Param) or info.default}


def apply_settings(settings: Settings, own: Mapping[str, Visible], seen: Mapping[str, Visible], names: Names) -> None:
    """Replace defaults by what imports set; `settings` are (importing file, name of the imported file, setting)."""
    for entry, target, setting in settings:
        place = Place(entry.file.source, setting.name_span)
        if target not in own:
            continue  # a file that was not loaded is the loader's complaint
        known = own_params(own[target])
        info = known.get(setting.name)
        if info is None:
            names.findings.append(messages.unknown_param(place, setting.name, target, known))
        elif info.default is not None:
            first = Place(info.source, info.node.name_span)
            names.findings.append(messages.set_twice(place, setting.name, first))
        else:
            info.default = replace(info, proved={})
            info.node, info.source, info.visible = setting, entry.file.source, seen[entry.file.source.name]


def check_value(info: DefineInfo, names: Names) -> None:
    """Report a parameter that is no constant, or is set to a value of another type than its default has."""
    place = Place(info.source, info.node.name_span)
    if info.broken or info.value is None:
        return
    if not _constant(info.value):
        names.findings.append(messages.not_a_value(place, info.node.name))
        info.broken = True
        return
    expected = info.default.value.type if info.default is not None and info.default.value is not None else ERROR
    if expected is ERROR:
        expected = _named(info.value.type)
    empty = info.value.type == list_of(NO_ELEMENT) and isinstance(expected, ListType)
    if empty or info.value.type == expected:
        info.value = replace(info.value, type=expected)
        return
    actual = described(info.value.type)
    names.findings.append(messages.wrong_value(place, info.node.name, described(expected), actual, info.place))
    info.broken = True


def report_unused(defines: Visible, names: Names) -> None:
    """Report parameters of a file that nothing in it uses."""
    for name, info in own_params(defines).items():
        if not info.uses and not info.broken:
            names.findings.append(messages.unused_param(info.place, name))


def _constant(value: tree.Expr) -> bool:
    return isinstance(value, tree.Constant) or (isinstance(value, tree.ListOf) and all(map(_constant, value.items)))


def _named(type_: Type) -> Type:
    """Return the type that a value gives a parameter: an empty list is one of texts."""
    return list_of(STRING) if type_ == list_of(NO_ELEMENT) else type_
