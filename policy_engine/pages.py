"""What the package knows about its own codes: code → manual page, read from the docstrings that stand at the code.

A complaint's page is the docstring of the function that makes it, if it begins `PE123: title`; a lint's page is the
docstring of its module. So a page cannot be forgotten, and cannot speak of a code that is gone. Stands beside
bootstrap because it looks into every room that complains; whoever needs pages lower down is handed them.
"""

from __future__ import annotations

import importlib.util
import inspect
import re
from types import ModuleType

from policy_engine.model import family
from policy_engine.model.page import Page

COMPLAINING = (
    "policy_engine.syntax.complaints",
    "policy_engine.checker.messages",
    "policy_engine.loading.messages",
)
LINTS = "policy_engine.lints"
_HEAD = re.compile(r"(PE\d{3}): (.+)")


def pages() -> dict[str, Page]:
    """Every page by its code, codes first, then lints by name. Raises ValueError if two complaints share a code."""
    found: dict[str, Page] = {}
    for page in [*_complaint_pages(), *_lint_pages()]:
        if page.code in found:
            raise ValueError(f"`{page.code}` has two pages")
        found[page.code] = page
    return found


def _complaint_pages() -> list[Page]:
    found = []
    for name in COMPLAINING:
        if importlib.util.find_spec(name) is not None:
            found += [page for function in _functions(importlib.import_module(name)) if (page := _page_of(function))]
    return sorted(found, key=lambda page: page.code)


def _functions(module: ModuleType) -> list[object]:
    return [
        value for value in vars(module).values() if inspect.isfunction(value) and value.__module__ == module.__name__
    ]


def _page_of(function: object) -> Page | None:
    text = inspect.getdoc(function) or ""
    head, _, body = text.partition("\n")
    match = _HEAD.fullmatch(head.strip())
    return Page(match[1], match[2].rstrip("."), body.strip()) if match else None


def _lint_pages() -> list[Page]:
    found = []
    for module in family.modules(LINTS):
        code = module.__name__.rpartition(".")[2].replace("_", "-")
        head, _, body = inspect.cleandoc(module.__doc__ or "").partition("\n")
        title = head.removeprefix(f"{code}:").strip().rstrip(".")
        found.append(Page(code, title, body.strip()))
    return found
