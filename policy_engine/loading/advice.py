"""Add the advice of the lints to what loading a policy found; `policy check` and the language server both ask here."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from policy_engine.adapters.base import Adapter
from policy_engine.lints.base import Context, lints, run_all
from policy_engine.loading.loader import Loaded
from policy_engine.loading.messages import ignores_nothing, ignores_without_reason
from policy_engine.loading.settings import read_settings
from policy_engine.loading.sources import PACK
from policy_engine.model.config import Settings
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.source import Source, Span
from policy_engine.state.places import REPOSITORY_FOLDER, SETTINGS_FILE
from policy_engine.syntax import ast

_NOT_ITS_OWN = "{}: `store` is a setting of the organisation or the user; a repository does not say where its past is"


def advise(loaded: Loaded, today: datetime, host: Adapter | None = None) -> tuple[list[Diagnostic], int]:
    """Return all findings of a policy without errors, and how many more a comment acknowledges.

    Of a shipped pack only its author can make use of advice.

    Args:
        loaded: the policy set.
        today: the day that waivers are held against, UTC.
        host: the coding agent that the policy is held against.
    """
    assert loaded.policy is not None
    repository = _repository(loaded)
    settings = read_settings(repository / REPOSITORY_FOLDER) if repository is not None else Settings()
    if "store" in settings.model_fields_set:
        raise ConfigurationError(_NOT_ITS_OWN.format(f"{repository}/{REPOSITORY_FOLDER}/{SETTINGS_FILE}"))
    timeout = settings.host_timeout_seconds * 1000
    diagnostics = run_all(Context(loaded.policy, repository, today.date(), timeout, host))
    own = [finding for finding in diagnostics if not finding.source.name.startswith(PACK)]
    files = [item.tree for item in loaded.parsed if item.tree is not None and not item.name.startswith(PACK)]
    return acknowledge([*loaded.diagnostics, *own], files, {lint.code for lint in lints()})


def _repository(loaded: Loaded) -> Path | None:
    """The folder around `.policy`, if all files are of one; other policies are not written for this repository."""
    own = [Path(item.path) for item in loaded.parsed if not item.name.startswith(PACK)]
    roots = {next((folder.parent for folder in path.parents if folder.name == REPOSITORY_FOLDER), None) for path in own}
    return roots.pop() if len(roots) == 1 else None


# ---- acknowledged findings -------------------------------------------------------------------------------------------
# `# ignore[CODE]: reason` stands behind the line that it is about, or in a line of its own before it; on the first line
# of a rule (or any other item) it is about all of it. `# ignore-file[CODE]: reason` is about its file. What keeps a
# policy from loading cannot be set aside.

_COMMENT = re.compile(r"#\s*ignore(?P<file>-file)?\[(?P<codes>[^\]]*)\]\s*(?::\s*(?P<reason>.*\S))?")


@dataclass(slots=True)
class _Acknowledgement:
    """A comment: the code that it names, the lines that it is about (None: the whole file), whether it was used."""

    source: Source
    span: Span
    code: str
    lines: range | None
    used: bool = False

    def covers(self, diagnostic: Diagnostic) -> bool:
        if diagnostic.code != self.code or diagnostic.source.name != self.source.name:
            return False
        return self.lines is None or diagnostic.source.position(diagnostic.span.start)[0] in self.lines


def acknowledge(
    diagnostics: Iterable[Diagnostic], files: Iterable[ast.File], known: Collection[str]
) -> tuple[list[Diagnostic], int]:
    """Return the findings that no comment acknowledges, and how many one does.

    Args:
        diagnostics: findings of lints and of the checker.
        files: the policies, whose comments are read.
        known: the codes of all lints.
    """
    messages: list[Diagnostic] = []
    acknowledged = [each for file in files for each in _acknowledgements(file, messages)]
    kept, aside = [], 0
    for one in diagnostics:
        covering = [each for each in acknowledged if each.covers(one) and each.code in known]
        for each in covering:
            each.used = True
        if covering:
            aside += 1
        else:
            kept.append(one)
    idle = [each for each in acknowledged if not each.used]
    return [*kept, *messages, *(ignores_nothing(each.source, each.span, each.code, known) for each in idle)], aside


def _acknowledgements(file: ast.File, messages: list[Diagnostic]) -> Iterator[_Acknowledgement]:
    for comment in file.comments:
        match = _COMMENT.match(comment.text)
        if match is None:
            continue
        if not match["reason"]:
            messages.append(ignores_without_reason(file.source, comment.span, comment.text.strip()))
            continue
        lines = None if match["file"] else _lines(file, comment)
        for code in filter(None, (part.strip() for part in match["codes"].split(","))):
            yield _Acknowledgement(file.source, comment.span, code, lines)


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
