"""Set findings of lints aside that a comment acknowledges with a reason: of a line, of an item or of a file.

`# ignore[CODE]: reason` stands behind the line that it is about, or in a line of its own before it; on the first line
of a rule (or any other item) it is about all of it. `# ignore-file[CODE]: reason` is about its file, an entry of the
repository's settings about all files. What keeps a policy from loading cannot be set aside.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from policy_engine.loading.messages import ignores_nothing, ignores_without_reason
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span
from policy_engine.syntax import ast

_COMMENT = re.compile(r"#\s*ignore(?P<file>-file)?\[(?P<codes>[^\]]*)\]\s*(?::\s*(?P<reason>.*\S))?")


@dataclass(slots=True)
class Acknowledgement:
    """A comment or a setting: the code that it names, the lines that it is about (None: all), whether it was used.

    `where` says of a setting which file it is in; a comment is about its own file.
    """

    source: Source
    span: Span
    code: str
    lines: range | None
    where: str = ""
    used: bool = False

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Return whether it sets this finding aside."""
        if diagnostic.code != self.code or (not self.where and diagnostic.source.name != self.source.name):
            return False
        return self.lines is None or diagnostic.source.position(diagnostic.span.start)[0] in self.lines


def acknowledge(
    diagnostics: Iterable[Diagnostic],
    files: Iterable[ast.File],
    known: Collection[str],
    settings: Iterable[Acknowledgement] = (),
) -> tuple[list[Diagnostic], Counter[str]]:
    """Return the findings that nothing acknowledges, and how many are acknowledged where.

    Args:
        diagnostics: findings of lints and of the checker.
        files: the policies, whose comments are read.
        known: the codes of all lints.
        settings: what the settings acknowledge in all files.
    """
    messages: list[Diagnostic] = []
    acknowledged = [each for file in files for each in _acknowledgements(file, messages)]
    acknowledged += settings
    kept, aside = [], Counter[str]()
    for one in diagnostics:
        covering = [each for each in acknowledged if each.covers(one) and each.code in known]
        for each in covering:
            each.used = True
        if covering:
            aside[covering[0].where or "in place"] += 1
        else:
            kept.append(one)
    idle = [each for each in acknowledged if not each.used]
    return [*kept, *messages, *(ignores_nothing(each.source, each.span, each.code, known) for each in idle)], aside


def _acknowledgements(file: ast.File, messages: list[Diagnostic]) -> Iterator[Acknowledgement]:
    for comment in file.comments:
        match = _COMMENT.match(comment.text)
        if match is None:
            continue
        if not match["reason"]:
            messages.append(ignores_without_reason(file.source, comment.span, comment.text.strip()))
            continue
        lines = None if match["file"] else _lines(file, comment)
        for code in filter(None, (part.strip() for part in match["codes"].split(","))):
            yield Acknowledgement(file.source, comment.span, code, lines)


def _lines(file: ast.File, comment: ast.Comment) -> range:
    """Return the lines that a comment is about: of the item that begins there, else the line itself."""
    line = file.source.position(comment.span.start)[0]
    if comment.own_line:
        own = {file.source.position(one.span.start)[0] for one in file.comments if one.own_line}
        line = next(after for after in range(line + 1, line + len(own) + 2) if after not in own)
    for item in file.items:
        first, last = (file.source.position(at)[0] for at in (item.span.start, item.span.end))
        if first == line:
            return range(first, last + 1)
    return range(line, line + 1)
