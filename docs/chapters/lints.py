"""The lints' docstrings → `lints.md`, the text of `policy explain-code NAME` for each."""

from __future__ import annotations

from docs.chapters.base import Chapter, deeper, page, table
from policy_engine.lints.base import lints
from policy_engine.pages import pages

ABOUT = """Advice on policies that are valid. A warning is likely a mistake and gives `policy check` the exit
status 1; a note is advice."""


def _files() -> dict[str, str]:
    severities = {lint.code: lint.severity for lint in lints()}
    found = [one for one in pages().values() if one.code in severities]
    rows = [(f"[{one.code}](#{one.code})", severities[one.code], one.title) for one in found]
    parts = [f"## {one.code}\n\n{one.title} ({severities[one.code]})\n\n{deeper(one.body, 2)}" for one in found]
    return {"lints.md": page("Lints", ABOUT, table(("lint", "severity", "title"), rows), *parts)}


CHAPTER = Chapter("Lints", "every piece of advice, with what to write instead", _files)
