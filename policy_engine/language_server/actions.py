"""Offer repairs of findings; each is tried first, and offered only where its finding goes and no new error comes."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping

from lsprotocol import types
from pygls.uris import from_fs_path

from policy_engine.language_server.positions import range_of, whole
from policy_engine.language_server.project import Project
from policy_engine.lints.base import lints
from policy_engine.loading.loader import load
from policy_engine.loading.repair import whole_item
from policy_engine.loading.revisions import load_revision, named_in
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span
from policy_engine.reports.base import shown
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file
from policy_engine.testing.mutation import items_of, try_mutants
from policy_engine.testing.runner import suite
from policy_engine.testing.witness import compare, session_test

_ADVICE = re.compile(r"`([^`\n]+)`")
ADD_TESTS, ADD_WITNESSES = "policy.addTests", "policy.addWitnesses"
_TRIED = 4  # words of a help line that are tried as repairs


def actions(
    project: Project, path: str, source: Source, start: int, end: int, unsaved: Mapping[str, bytes]
) -> list[types.CodeAction]:
    """Return the repairs of what was found between two offsets of a file."""
    diagnostics = [one for one in project.findings().get(path, ()) if one.span.start <= end and start <= one.span.end]
    codes = {lint.code for lint in lints()}
    made: list[types.CodeAction] = []
    for one in diagnostics:
        made += _repairs(project, path, source, one, unsaved)
        if one.code in codes:
            made.append(_acknowledge(path, source, one))
        if one.code in ("rule-without-test", "one-sided-test") and (name := _speaker(project, path, one.span.start)):
            command = types.Command("write the missing tests", ADD_TESTS, arguments=[from_fs_path(path), name])
            title = f"write the missing tests of `{name}`"
            kind = types.CodeActionKind.QuickFix
            made.append(types.CodeAction(title, kind=kind, diagnostics=[diagnostic(one)], command=command))
    if name := _headed(project, path, source, start):
        title = f"write tests of what changed in `{name}` since the last commit"
        command = types.Command(title, ADD_WITNESSES, arguments=[from_fs_path(path), name])
        made.append(types.CodeAction(title, kind=types.CodeActionKind.RefactorRewrite, command=command))
    return made


def _repairs(
    project: Project, path: str, source: Source, one: Diagnostic, unsaved: Mapping[str, bytes]
) -> Iterator[types.CodeAction]:
    """Yield the certain repair, else each word of the help that repairs the finding in its place."""
    tree = project.tree(path)
    if one.fix is not None and tree is not None:
        span = one.span if one.fix else whole_item(tree, one.span)
        yield _action(f"fix: {one.message}", path, source, [(span, one.fix)], one, preferred=True)
        return
    words = list(dict.fromkeys(_ADVICE.findall(one.help)))[:_TRIED]
    for word in words:
        if word != source.text[one.span.start : one.span.end] and _helps(project, path, source, one, word, unsaved):
            title = f"replace by `{word}`"
            yield _action(title, path, source, [(one.span, word)], one, preferred=word == words[0])


def _helps(
    project: Project, path: str, source: Source, one: Diagnostic, word: str, unsaved: Mapping[str, bytes]
) -> bool:
    """Try a word in the place of a finding: does it leave fewer errors?"""
    text = source.text[: one.span.start] + word + source.text[one.span.end :]
    return _errors(project, path, text, unsaved) < len(project.loaded.errors)


def _errors(project: Project, path: str, text: str, unsaved: Mapping[str, bytes]) -> int:
    after = load([project.root], project.loaded, unsaved={**unsaved, path: text.encode()}, only_check=True)
    return len(after.errors)


def _acknowledge(path: str, source: Source, one: Diagnostic) -> types.CodeAction:
    """Return a comment that sets a lint aside: it counts once its reason is written, as the check says until then."""
    line = source.position(one.span.start)[0]
    start = source.line_start(line)
    indent = re.match(r"\s*", source.line_text(line))
    margin = indent[0] if indent else ""
    text = f"{margin}# ignore[{one.code}]: \n"
    return _action(f"acknowledge {one.code}, with a reason", path, source, [(Span(start, start), text)], one)


def _speaker(project: Project, path: str, offset: int) -> str:
    """Return the name of the rule or limit around an offset, or an empty string."""
    tree = project.tree(path)
    for item in tree.items if tree is not None else ():
        if isinstance(item, ast.Rule | ast.Limit) and item.span.start <= offset < item.span.end:
            return item.name
    return ""


def _headed(project: Project, path: str, source: Source, offset: int) -> str:
    """Return the name of the rule or limit whose first line an offset is on, or an empty string."""
    tree = project.tree(path)
    line = source.position(offset)[0]
    for item in tree.items if tree is not None else ():
        if isinstance(item, ast.Rule | ast.Limit) and source.position(item.span.start)[0] == line:
            return item.name
    return ""


def missing_tests(project: Project, path: str, name: str, unsaved: Mapping[str, bytes]) -> types.WorkspaceEdit | None:
    """Return an edit with the tests that would notice small mistakes in a rule or limit; None if there are none.

    What the tests expect is what the rule says now: a person reads whether that is meant.
    """
    compiled = project.compile(unsaved)
    tree = project.tree(path)
    item = next((one for one in tree.items if getattr(one, "name", "") == name), None) if tree is not None else None
    if compiled.program is None or tree is None or item is None:
        return None
    chosen = suite(compiled, [path])
    tried = try_mutants(chosen, items_of(chosen, name))
    texts = dict.fromkeys(one.missing for one in tried if one.missing and one.mutant.item.id == name)
    return _with_tests(path, tree, item, texts)


def witnesses(project: Project, path: str, name: str, unsaved: Mapping[str, bytes]) -> types.WorkspaceEdit | None:
    """Return an edit with a test for each thing that the last commit decided otherwise because of a rule or limit.

    Each is a session that `policy diff` played on both; what it expects is what is decided now.

    Raises:
        ConfigurationError: the policies are in no commit.
        PolicyLoadError: one of the two does not load.
    """
    root = project.root
    committed = load_revision(named_in("HEAD", root, os.path.dirname(root)), folder=os.path.dirname(root))
    compiled = project.compile(unsaved)
    tree = project.tree(path)
    item = next((one for one in tree.items if getattr(one, "name", "") == name), None) if tree is not None else None
    if tree is None or item is None:
        return None
    found = [one for one in compare(committed, compiled).differences if getattr(one.item, "id", "") == name]
    texts = dict.fromkeys(session_test(one, one.direction, one.after.verdict) for one in found)
    return _with_tests(path, tree, item, texts)


def _with_tests(path: str, tree: ast.File, item: ast.Item, texts: Iterable[str]) -> types.WorkspaceEdit | None:
    """Return an edit that puts tests at the end of an item; None without one."""
    source, at = tree.source, item.span.end - 1
    added = "".join(f"\n{textwrap.indent(text.strip(), '  ')}\n" for text in texts)
    if not added:
        return None
    text = source.text[:at] + added + source.text[at:]
    after, problems = parse(Source(source.name, text))
    if problems:
        return None
    uri = from_fs_path(path)
    assert uri is not None
    if format_file(tree) == source.text:  # a file in canonical layout stays in it
        return types.WorkspaceEdit(changes={uri: [types.TextEdit(whole(source), format_file(after))]})
    here = range_of(source, Span(at, at))
    return types.WorkspaceEdit(changes={uri: [types.TextEdit(here, added)]})


def _action(
    title: str, path: str, source: Source, edits: list[tuple[Span, str]], one: Diagnostic, preferred: bool = False
) -> types.CodeAction:
    uri = from_fs_path(path)
    assert uri is not None
    changes = {uri: [types.TextEdit(range_of(source, span), text) for span, text in edits]}
    return types.CodeAction(
        title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(one)],
        is_preferred=preferred,
        edit=types.WorkspaceEdit(changes=changes),
    )


_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


def diagnostic(one: Diagnostic) -> types.Diagnostic:
    """Return a finding in the form of the protocol, with its help and example."""
    lines = [one.message]
    lines += [f"help: {one.help}"] if one.help else []
    lines += [f"example: {one.witness}"] if one.witness else []
    related = []
    for other in one.related:
        uri = other.source.name if other.source.name.startswith("pack:") else from_fs_path(other.source.name)
        place = types.Location(uri or other.source.name, range_of(other.source, other.span))
        related.append(types.DiagnosticRelatedInformation(place, shown(other.message)))
    return types.Diagnostic(
        range_of(one.source, one.span),
        shown("\n".join(lines), keep="\n"),
        severity=_SEVERITIES[one.severity],
        code=one.code,
        source="policy",
        related_information=related or None,
    )
