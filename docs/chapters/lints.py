"""Write `lints.md`: each lint with its severity and what it reports; `policy explain-code` shows the whole page."""

from __future__ import annotations

from docs.chapters.base import Chapter, first_line, page, table
from policy_engine.lints.base import lints
from policy_engine.pages import pages

ABOUT = """Advice on policies that are valid. A warning is likely a mistake and gives `policy check` exit
status 1; a note is advice. `policy explain-code NAME` shows the page of a lint with an example and what to write
instead; a comment `# ignore[NAME]: reason` suppresses one finding."""


def _files() -> dict[str, str]:
    severities = {lint.code: lint.severity for lint in lints()}
    rows = [
        (f"`{one.code}`", severities[one.code], f"{one.title}: {first_line(one.body)}")
        for one in pages().values()
        if one.code in severities
    ]
    return {"lints.md": page("Lints", ABOUT, table(("lint", "severity", "what it reports"), rows))}


CHAPTER = Chapter("Lints", "every lint and what it reports", _files)
