"""The pages of the diagnostic codes → `diagnostics.md`, the text of `policy explain-code CODE` for each."""

from __future__ import annotations

from docs.chapters.base import Chapter, deeper, page, table
from policy_engine.pages import pages

ABOUT = """What keeps a policy from loading. Codes are stable and never used again for something else: `PE1xx` is
about the text, `PE2xx` about names, types and structure, `PE3xx` about loading. `policy explain-code CODE` shows the
same pages without a network."""


def _files() -> dict[str, str]:
    found = [one for one in pages().values() if one.code.startswith("PE")]
    contents = table(("code", "title"), [(f"[{one.code}](#{one.code.lower()})", one.title) for one in found])
    parts = [f"## {one.code}\n\n{one.title}\n\n{deeper(one.body, 2)}" for one in found]
    return {"diagnostics.md": page("Diagnostics", ABOUT, contents, *parts)}


CHAPTER = Chapter("Diagnostics", "every error code, with an example and its repair", _files)
