"""Say beside the name of a rule, in the editor, that it never fires or never changes a decision."""

from __future__ import annotations

from lsprotocol import types

from policy_engine.language_server.positions import position_of
from policy_engine.language_server.project import Project
from policy_engine.model.source import Source, Span
from policy_engine.syntax import ast

ALWAYS_FALSE, SHADOWED = "always-false", "shadowed-rule"


def hints(project: Project, path: str, source: Source, within: Span) -> list[types.InlayHint]:
    """Return the hints of the rules whose names stand in a part of a file, by what the lints proved last."""
    tree = project.tree(path)
    if tree is None or tree.source.text != source.text:
        return []
    proved = {(one.code, one.span.start, one.span.end): one.message for one in project.findings().get(path, ())}
    made = []
    for item in tree.items:
        if not isinstance(item, ast.Rule) or not within.start <= item.name_span.end <= within.end:
            continue
        whole = [item.name_span, *(condition.span for condition in item.when)]
        silent = next((text for at in whole if (text := proved.get((ALWAYS_FALSE, at.start, at.end)))), "")
        shadowed = proved.get((SHADOWED, item.name_span.start, item.name_span.end), "")
        if silent or shadowed:
            label = "never fires" if silent else "never changes a decision"
            place = position_of(source, item.name_span.end)
            made.append(types.InlayHint(place, label, padding_left=True, tooltip=silent or shadowed))
    return made
