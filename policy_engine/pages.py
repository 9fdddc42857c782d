"""Read the manual page of each code from the docstrings of the package.

A complaint's page is the docstring of the function that makes it, if it begins `PE123: title`; a lint's page is the
docstring of its module. So a page cannot be forgotten, and cannot speak of a code that is gone. Stands beside
bootstrap because it looks into every room that complains; whoever needs pages lower down is handed them.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from types import ModuleType

from policy_engine.model import family
from policy_engine.model.page import Page

COMPLAINING_ROOMS = (
    "policy_engine.checker",
    "policy_engine.compiler",
    "policy_engine.loading",
    "policy_engine.syntax",
)
MESSAGE_FILES = ("messages",)  # how the names of files that hold complaints end
LINTS = "policy_engine.lints"
_HEAD = re.compile(r"(PE\d{3}): (.+)")


def pages() -> dict[str, Page]:
    """Every page by its code, codes first, then lints by name. Raises ValueError if two complaints share a code."""
    by_code: dict[str, Page] = {}
    for page in [*_message_pages(), *_lint_pages()]:
        if page.code in by_code:
            raise ValueError(f"`{page.code}` has two pages")
        by_code[page.code] = page
    return by_code


def message_modules() -> list[ModuleType]:
    """The modules that make complaints, found by room and file name."""
    collected = []
    for room in COMPLAINING_ROOMS:
        names = sorted(info.name for info in pkgutil.iter_modules(importlib.import_module(room).__path__))
        collected += [importlib.import_module(f"{room}.{name}") for name in names if name.endswith(MESSAGE_FILES)]
    return collected


def _message_pages() -> list[Page]:
    functions = [function for module in message_modules() for function in _functions(module)]
    return sorted((page for function in functions if (page := _page_of(function))), key=lambda page: page.code)


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
    lint_pages = []
    for module in family.modules(LINTS):
        code = module.__name__.rpartition(".")[2].replace("_", "-")
        head, _, body = inspect.cleandoc(module.__doc__ or "").partition("\n")
        title = head.removeprefix(f"{code}:").strip().rstrip(".")
        lint_pages.append(Page(code, title, body.strip()))
    return lint_pages
