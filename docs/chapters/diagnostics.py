"""Write `diagnostics.md`: each error code with its title and its repair; `policy explain-code` shows the whole page."""

from __future__ import annotations

import re

from docs.chapters.base import Chapter, page, table
from policy_engine.pages import pages

ABOUT = """Errors that keep a policy from loading. Codes are stable and are never reused: `PE1xx` is about the text,
`PE2xx` about names, types and structure, `PE3xx` about loading. `policy explain-code CODE` shows the reason and a
wrong and a repaired example, offline."""
_REPAIR = re.compile(r"^Repair: (.+?)(?:\n\n|\Z)", re.M | re.S)


def _files() -> dict[str, str]:
    rows = [(one.code, one.title, _repair(one.body)) for one in pages().values() if one.code.startswith("PE")]
    return {"diagnostics.md": page("Diagnostics", ABOUT, table(("code", "error", "repair"), rows))}


def _repair(body: str) -> str:
    """Return the repair that a page names in one line; empty if it only shows one."""
    named = _REPAIR.search(body)
    return "" if named is None or named[1].rstrip().endswith(":") else named[1].rstrip().removesuffix(".")


CHAPTER = Chapter("Diagnostics", "every error code with its repair", _files)
