"""Find where a name of a policy set is declared and used, rename it, and outline a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path

from policy_engine.checker.defines import imported_name
from policy_engine.language_server.mentions import RENAMED, Mention, mentions
from policy_engine.language_server.positions import range_of
from policy_engine.language_server.project import Project
from policy_engine.loading.loader import load, words
from policy_engine.loading.sources import import_path
from policy_engine.model.source import Source, Span
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse
from policy_engine.syntax.tokens import RESERVED

_KINDS = {
    ast.Rule: types.SymbolKind.Class,
    ast.Limit: types.SymbolKind.Class,
    ast.Mode: types.SymbolKind.Enum,
    ast.Hook: types.SymbolKind.Interface,
    ast.Verify: types.SymbolKind.Interface,
    ast.Define: types.SymbolKind.Constant,
    ast.Param: types.SymbolKind.Constant,
    ast.Waive: types.SymbolKind.Event,
    ast.Test: types.SymbolKind.Method,
    ast.Import: types.SymbolKind.Module,
}


class CannotRename(Exception):
    """Say why a name is not changed."""


def sees(project: Project, tree: ast.File) -> set[str]:
    """Return the names of the defines that a file sees: its own and those of the files that it imports."""
    names = [tree.source.name]
    names += [imported_name(one.target.value, tree.source.name) for one in tree.items if isinstance(one, ast.Import)]
    items = project.loaded.parsed
    trees = [item.tree for item in items if item.tree is not None and item.name in names]
    return {item.name for one in (tree, *trees) for item in one.items if isinstance(item, ast.Define | ast.Param)}


def mentions_of(project: Project, tree: ast.File) -> list[Mention]:
    """Return what a file of the set mentions."""
    return mentions(tree, sees(project, tree), words())


def mention_at(project: Project, tree: ast.File, offset: int) -> Mention | None:
    """Return the innermost thing that is named at an offset."""
    there = [one for one in mentions_of(project, tree) if one.span.start <= offset <= one.span.end]
    return min(there, key=lambda one: one.span.end - one.span.start, default=None)


def places(project: Project, tree: ast.File, mention: Mention) -> list[tuple[ast.File, Mention]]:
    """Return every mention of the same thing in the set, declarations first."""
    uses = []
    for item in project.loaded.parsed:
        if item.tree is None or (mention.kind == "variable" and item.tree is not tree):
            continue
        if mention.kind == "define" and mention.name not in sees(project, item.tree):
            continue
        uses += [(item.tree, one) for one in mentions_of(project, item.tree) if one.key == mention.key]
    return sorted(uses, key=lambda one: not one[1].declares)


def definition(project: Project, path: str, offset: int) -> list[types.Location]:
    """Return where what is named at an offset is declared; for an import, the head of its file."""
    tree = project.tree(path)
    mention = mention_at(project, tree, offset) if tree is not None else None
    if tree is None or mention is None:
        return []
    if mention.kind == "import":
        target = import_path(mention.name, path)
        known = any(item.path == target for item in project.loaded.parsed)
        start = types.Position(0, 0)
        return [types.Location(_uri(target), types.Range(start, start))] if target is not None and known else []
    declared = [one for one in places(project, tree, mention) if one[1].declares]
    return [location(project, file.source, one.span) for file, one in declared]


def references(project: Project, path: str, offset: int, declaration: bool) -> list[types.Location]:
    """Return where what is named at an offset is named, with or without its declaration."""
    tree = project.tree(path)
    mention = mention_at(project, tree, offset) if tree is not None else None
    if tree is None or mention is None:
        return []
    uses = places(project, tree, mention)
    return [location(project, file.source, one.span) for file, one in uses if declaration or not one.declares]


def renaming(project: Project, path: str, offset: int) -> Mention:
    """Return what would be renamed at an offset. Raises CannotRename."""
    tree = project.tree(path)
    mention = mention_at(project, tree, offset) if tree is not None else None
    if tree is None or mention is None or mention.kind not in RENAMED:
        raise CannotRename("only defines, rules, limits, modes, hooks, stages and variables have names of your own")
    if not any(one.declares for _, one in places(project, tree, mention)):
        raise CannotRename(f"`{mention.name}` is not declared in these policies")
    if any(file.source.name.startswith("pack:") for file, one in places(project, tree, mention) if one.declares):
        raise CannotRename(f"`{mention.name}` is declared in a shipped pack")
    return mention


def rename(project: Project, path: str, offset: int, name: str, unsaved: Mapping[str, bytes]) -> types.WorkspaceEdit:
    """Return the edits that give another name, after they were tried. Raises CannotRename where they break the set."""
    mention = renaming(project, path, offset)
    tree = project.tree(path)
    assert tree is not None
    if name in RESERVED:
        raise CannotRename(f"`{name}` is a word of the language")
    texts = dict(unsaved.items())
    changes: dict[str, list[types.TextEdit]] = {}
    by_file: dict[str, tuple[Source, list[Span]]] = {}
    for file, one in places(project, tree, mention):
        by_file.setdefault(project.path_of(file.source), (file.source, []))[1].append(one.span)
    for where, (source, spans) in by_file.items():
        text = source.text
        for span in sorted(set(spans), reverse=True):
            text = text[: span.start] + name + text[span.end :]
        texts[where] = text.encode()
        changes[_uri(where)] = [types.TextEdit(range_of(source, span), name) for span in sorted(set(spans))]
    after = load([project.root], project.loaded, unsaved=texts, only_check=True)
    known = {(one.code, one.source.name) for one in project.loaded.errors}
    broken = [one for one in after.errors if (one.code, one.source.name) not in known]
    if broken:
        raise CannotRename(f"with the name `{name}`: {broken[0].message}")
    return types.WorkspaceEdit(changes=changes)


def location(project: Project, source: Source, span: Span) -> types.Location:
    """Return a place of a file of the set."""
    return types.Location(_uri(project.path_of(source)), range_of(source, span))


def _uri(path: str | Path) -> str:
    return from_fs_path(str(path)) or str(path)


# ---- outline -------------------------------------------------------------------------------------------------------


def symbols(source: Source) -> list[types.DocumentSymbol]:
    """Return the items of a file, with the tests of each below it."""
    return [_symbol(source, item) for item in parse(source)[0].items]


def _symbol(source: Source, item: ast.Item) -> types.DocumentSymbol:
    name, detail, span = type(item).__name__.lower(), "", item.span
    match item:
        case ast.Rule() | ast.Limit() | ast.Mode() | ast.Hook() | ast.Verify():
            name, detail, span = item.name, item.title, item.name_span
        case ast.Define() | ast.Param():
            name, span = item.name, item.name_span
        case ast.Waive():
            name, detail, span = f"waive {item.rule}", item.why, item.rule_span
        case ast.Import():
            name, span = item.target.value, item.target.span
        case ast.Test():
            name = item.title or "test"
    kind = next((kind for type_, kind in _KINDS.items() if isinstance(item, type_)), types.SymbolKind.Object)
    tests = [_symbol(source, test) for test in getattr(item, "tests", ())]
    selected = range_of(source, span)
    return types.DocumentSymbol(name or "?", kind, range_of(source, item.span), selected, detail, children=tests)


def folds(source: Source) -> list[types.FoldingRange]:
    """Return what can be folded: items and tests over several lines, and runs of comments."""
    tree = parse(source)[0]
    spans = [item.span for item in tree.items]
    spans += [test.span for item in tree.items for test in getattr(item, "tests", ())]
    ranges = []
    for span in spans:
        first, last = (source.position(at)[0] - 1 for at in span)
        if last > first:
            ranges.append(types.FoldingRange(first, last))
    lines = [source.position(one.span.start)[0] - 1 for one in tree.comments if one.own_line]
    start = 0
    for end in range(len(lines)):
        if end + 1 == len(lines) or lines[end + 1] != lines[end] + 1:
            if end > start:
                ranges.append(types.FoldingRange(lines[start], lines[end], kind=types.FoldingRangeKind.Comment))
            start = end + 1
    return ranges
