"""Resolve the defines of a policy set: what each means, which file sees it, and how far it expands.

A define is visible in its own file and in files that import that file. Defines that are broken (by themselves, by a
cycle, by their size) are reported once, here; where they are named, nothing more is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from policy_engine.checker import arguments, messages, params, tree
from policy_engine.checker.arguments import expanded_size, parameters_of
from policy_engine.checker.expressions import check
from policy_engine.checker.memory import Items
from policy_engine.checker.quantifiers import reserved_meaning
from policy_engine.checker.scope import DefineInfo, Frame, Names, Scope
from policy_engine.checker.tree import CheckedDefine, CommandPattern, GlobPattern, Place
from policy_engine.model.limits import DEFINE_EXPANSION, POLICY_DEPTH
from policy_engine.model.types import ERROR, ListType
from policy_engine.syntax import ast

Visible = dict[str, DefineInfo]


def collect(files: Sequence[Items], names: Names) -> dict[str, Visible]:
    """Return, by file name, the defines that can be named in it; each define is checked on its own."""
    own: dict[str, Visible] = {}
    seen: dict[str, Visible] = {}
    opened: Visible = {}
    for entry in files:
        name = entry.file.source.name
        _own(entry, own.setdefault(name, {}), seen.setdefault(name, {}), opened, names)
    for name, visible in seen.items():
        visible.update(own[name])
    for entry in files:
        for item in entry.imports:
            _import(item, entry.file, own, seen[entry.file.source.name], names)
    infos = list({id(info): info for defines in own.values() for info in defines.values()}.values())
    params.apply_settings([*settings(files)], own, seen, names)
    declared = [one for info in infos for one in (info.default, *info.parts, info) if one is not None]
    _measure(declared, names)
    for info in sorted(declared, key=_rank):
        if info.parts:
            unite(info, names)
        else:
            _check(info, names)
        if not _is_define(info):
            params.check_value(info, names)
    return seen


def _is_define(info: DefineInfo) -> bool:
    return isinstance(info.node, ast.Define)


def _rank(info: DefineInfo) -> int:
    """Return when it is checked: parameters, additions to open defines, these, the others; none meets one in doubt."""
    if not _is_define(info):
        return 0
    return 2 if info.parts else 1 if isinstance(info.node, ast.Define) and info.node.open else 3


def additions(files: Sequence[Items]) -> dict[str, list[ast.File]]:
    """Return, by name of an open define, the files that add to it, each once."""
    added: dict[str, list[ast.File]] = {}
    for entry in files:
        for name in dict.fromkeys(one.name for one in entry.defines if isinstance(one, ast.Define) and one.open):
            added.setdefault(name, []).append(entry.file)
    return added


def settings(files: Sequence[Items]) -> Iterator[tuple[Items, str, ast.Setting]]:
    """Yield every parameter that an import sets: the importing file, the name of the imported one, the setting."""
    for entry in files:
        for item in entry.imports:
            target = imported_name(item.target.value, entry.file.source.name)
            yield from ((entry, target, setting) for setting in item.settings)


def _own(entry: Items, own_defines: Visible, visible: Visible, opened: Visible, names: Names) -> None:
    for item in entry.defines:
        info = DefineInfo(item, entry.file.source, visible, Place(entry.file.source, item.name_span))
        first = own_defines.get(item.name)
        meaning = "" if first else reserved_meaning(item.name, names.words)
        if (
            not meaning
            and isinstance(item, ast.Define)
            and item.parameters
            and item.name in names.words.callable_words()
        ):
            meaning = "a function"
        adds = isinstance(item, ast.Define) and item.open
        if adds and not meaning and (first is None or first.parts):
            group = opened.setdefault(item.name, DefineInfo(item, entry.file.source, visible, info.place))
            group.parts.append(info)
            own_defines[item.name] = group
            names.homes.setdefault(item.name, entry.file.source.name)
        elif first is not None:
            names.findings.append(messages.defined_twice(info.place, item.name, first.place))
        elif meaning:
            names.findings.append(messages.name_taken(info.place, item.name, meaning))
        else:
            own_defines[item.name] = info
            names.homes.setdefault(item.name, entry.file.source.name)


def _import(item: ast.Import, file: ast.File, own: dict[str, Visible], visible: Visible, names: Names) -> None:
    """Make the defines of an import visible. A file that was not loaded is the loader's diagnostic."""
    for info in own.get(imported_name(item.target.value, file.source.name), {}).values():
        if not _is_define(info):
            continue
        first = visible.setdefault(info.node.name, info)
        if first is not info:
            place = Place(file.source, item.target.span)
            names.findings.append(messages.defined_twice(place, info.node.name, first.place))


def imported_name(target: str, importer: str) -> str:
    """Return the name of the file that an import means: a pack's own, or a path relative to the importing file."""
    if target.startswith("pack:"):
        return target
    parts = importer.split("/")[:-1]
    for part in target.split("/"):
        if part == ".." and parts and parts[-1] not in ("", ".", ".."):
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


# ---- size and cycles -----------------------------------------------------------------------------------------------


def _measure(infos: list[DefineInfo], names: Names) -> None:
    """Size and depth after expansion, in dependency order without recursion; cycles are reported once each."""
    done: set[int] = set()
    for start in infos:
        if id(start) in done:
            continue
        stack: list[tuple[DefineInfo, Iterator[DefineInfo]]] = [(start, iter(_named(start)))]
        path = {id(start): start}
        while stack:
            info, rest = stack[-1]
            needed = next(rest, None)
            if needed is None:
                stack.pop()
                del path[id(info)]
                done.add(id(info))
                _size(info, names)
            elif id(needed) in path:
                _cycle(needed, [entry for entry, _ in stack], names)
            elif id(needed) not in done:
                stack.append((needed, iter(_named(needed))))
                path[id(needed)] = needed


def _size(info: DefineInfo, names: Names) -> None:
    parts = _named(info)
    if info.parts:
        info.size = sum(part.size for part in parts)
        info.depth = max(part.depth for part in parts)
    else:
        info.size, info.depth, info.weights = expanded_size(info.node.value, info.visible, parameters_of(info))
    if info.size > DEFINE_EXPANSION or info.depth > POLICY_DEPTH:
        if not info.broken and not any(part.broken for part in parts):
            names.findings.append(messages.expansion_too_large(info.place, info.node.name))
        info.broken = True
    info.broken |= any(part.broken for part in parts)


def _cycle(first: DefineInfo, stack: list[DefineInfo], names: Names) -> None:
    members = stack[next(at for at, entry in enumerate(stack) if entry is first) :]
    for member in members:
        member.broken = True
    path = (*(member.node.name for member in members), first.node.name)
    names.findings.append(messages.define_cycle(first.place, path))


def _named(info: DefineInfo) -> list[DefineInfo]:
    """Return the defines that a define's text names, as often as it names them; a quantifier's variable is none."""
    if info.parts:
        return info.parts
    named = []
    bound = {node.variable for node, _ in nodes(info.node.value) if isinstance(node, ast.Quantified)}
    bound.update(parameters_of(info))
    for node, _ in nodes(info.node.value):
        if isinstance(node, ast.Name) and node.name in info.visible and node.name not in bound:
            named.append(info.visible[node.name])
    return named


def nodes(start: ast.Node) -> Iterator[tuple[ast.Node, int]]:
    """Yield a node and everything below it, with its depth; 1 for the node itself."""
    stack = [(start, 1)]
    while stack:
        node, depth = stack.pop()
        yield node, depth
        for name in node.__dataclass_fields__:
            value = getattr(node, name)
            if isinstance(value, ast.Node):
                stack.append((value, depth + 1))
            elif type(value) is tuple:
                stack.extend((part, depth + 1) for part in value if isinstance(part, ast.Node))


# ---- meaning -------------------------------------------------------------------------------------------------------


def _check(info: DefineInfo, names: Names) -> None:
    """Check a define on its own, where every field may stand: what is wrong here is wrong everywhere."""
    if info.broken:
        return
    frame = Frame()
    scope = Scope(names, info.source, info.visible, names.everywhere(), frame, free=True)
    arguments.declare(info, scope)
    before = len(names.findings)
    info.value = check(info.node.value, scope, True)
    info.broken = len(names.findings) > before or info.value.type is ERROR
    info.pure = not frame.contextual


def checked(seen: dict[str, Visible]) -> tuple[CheckedDefine, ...]:
    """Return the defines for the lints, with the number of places that name them."""
    infos = []
    for visible in seen.values():
        for info in visible.values():
            if info.visible is visible and info.value is not None and _is_define(info):
                infos.append(CheckedDefine(info.node.name, info.place, info.value, len(info.uses)))
    return tuple(infos)


# ---- open defines ----------------------------------------------------------------------------------------------------


def unite(info: DefineInfo, names: Names) -> None:
    """Give an open define the union of its parts; report a part that cannot be united with the first."""
    info.parts.sort(key=lambda part: (part.source.name, part.source.placed(part.node.span)))
    first, *others = info.parts
    info.broken = any(part.broken or part.value is None for part in info.parts)
    for part in info.parts if not info.broken else ():
        if part.value is not None and not _simple(part.value):
            names.findings.append(messages.not_open(part.place, part.node.name))
            info.broken = True
    for part in others if not info.broken else ():
        if part.value is not None and first.value is not None and not _alike(first.value, part.value):
            names.findings.append(messages.added_otherwise(part.place, part.node.name, first.place))
            info.broken = True
    if not info.broken and first.value is not None:
        info.value, info.pure = first.value, True
        for part in others:
            if part.value is not None:
                info.value = _united(info.value, part.value)
        sort = {GlobPattern: "glob", CommandPattern: "command"}
        if isinstance(info.value, tree.Constant) and isinstance(info.value.value, GlobPattern | CommandPattern):
            info.patterns[sort[type(info.value.value)]] = info.value.value


def _simple(value: tree.Expr) -> bool:
    if isinstance(value, tree.Constant):
        constant = value.value
        if isinstance(constant, CommandPattern):
            return not constant.exclude and constant.cwd is None
        return isinstance(constant, GlobPattern) and not constant.exclude
    return isinstance(value, tree.ListOf) and all(isinstance(item, tree.Constant) for item in value.items)


def _alike(left: tree.Expr, right: tree.Expr) -> bool:
    if isinstance(left.type, ListType) and isinstance(right.type, ListType):
        return "nothing" in (left.type.element.name, right.type.element.name) or left.type == right.type
    return left.type == right.type


def _united(left: tree.Expr, right: tree.Expr) -> tree.Expr:
    if isinstance(left, tree.ListOf) and isinstance(right, tree.ListOf):
        return tree.ListOf(left.place, right.type if not left.items else left.type, left.items + right.items)
    assert isinstance(left, tree.Constant) and isinstance(right, tree.Constant)
    one, other = left.value, right.value
    if isinstance(one, GlobPattern) and isinstance(other, GlobPattern):
        return tree.Constant(left.place, left.type, GlobPattern(tuple(dict.fromkeys(one.include + other.include))))
    assert isinstance(one, CommandPattern) and isinstance(other, CommandPattern)
    return tree.Constant(left.place, left.type, CommandPattern(tuple(dict.fromkeys(one.include + other.include))))
