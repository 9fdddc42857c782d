"""Read the manual page of each code: of a diagnostic from the `diagnostics.md` of its room, of a lint from its module.

Stands beside bootstrap because it looks into every room that complains; whoever needs pages lower down is handed them.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from policy_engine.model import family
from policy_engine.model.page import Page

PACKAGE = Path(__file__).parent
LINTS = "policy_engine.lints"
_SECTION = re.compile(r"^## (PE\d{3}): (.+)\n(?s:(.*?))(?=^## |\Z)", re.M)


def pages() -> dict[str, Page]:
    """Return every page by its code, codes first, then lints. Raises ValueError if two diagnostics share a code."""
    by_code: dict[str, Page] = {}
    for page in [*_diagnostic_pages(), *_lint_pages()]:
        if page.code in by_code:
            raise ValueError(f"`{page.code}` has two pages")
        by_code[page.code] = page
    return by_code


def _diagnostic_pages() -> list[Page]:
    texts = [path.read_text("utf-8") for path in PACKAGE.glob("*/diagnostics.md")]
    found = [Page(code, title, body.strip()) for text in texts for code, title, body in _SECTION.findall(text)]
    return sorted(found, key=lambda page: page.code)


def _lint_pages() -> list[Page]:
    lint_pages = []
    for module in family.modules(LINTS):
        code = module.__name__.rpartition(".")[2].replace("_", "-")
        head, _, body = inspect.cleandoc(module.__doc__ or "").partition("\n")
        title = head.removeprefix(f"{code}:").strip().rstrip(".")
        lint_pages.append(Page(code, title, body.strip()))
    return lint_pages
