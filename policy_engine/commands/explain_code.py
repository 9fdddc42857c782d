"""`policy explain-code`: print the manual page of a code or lint. Works offline, from the installed code alone."""

from __future__ import annotations

import json
from difflib import get_close_matches

import click

from policy_engine.commands.base import complete_from, emit, format_option, output_style
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.page import Page
from policy_engine.pages import pages
from policy_engine.reports.base import Style


@click.command(short_help="Show the page of a code or a lint.", epilog="Example: policy explain-code PE203")
@click.argument("code", required=False, shell_complete=complete_from(pages))
@format_option("text", "json")
def COMMAND(code: str | None, format_name: str) -> None:
    """Show the page of CODE, a diagnostic's code or a lint's name; without CODE, list them all."""
    known = pages()
    if code is None:
        emit(_listing(list(known.values()), format_name))
    else:
        emit(_page(_find(code, known), format_name, output_style()))


def _find(code: str, known: dict[str, Page]) -> Page:
    page = known.get(code) or known.get(code.upper()) or known.get(code.lower())
    if page is not None:
        return page
    near = get_close_matches(code.upper(), known, n=3, cutoff=0.5) or get_close_matches(code.lower(), known, n=3)
    advice = f"; the nearest are {', '.join(f'`{name}`' for name in near)}" if near else ""
    raise ConfigurationError(f"no page for `{code}`{advice}; `policy explain-code` lists them all")


def _listing(known: list[Page], format_name: str) -> str:
    if format_name == "json":
        return json.dumps([{"code": page.code, "title": page.title} for page in known], indent=2)
    width = max((len(page.code) for page in known), default=0)
    return "\n".join(f"{page.code:{width}}  {page.title}" for page in known)


def _page(page: Page, format_name: str, style: Style) -> str:
    if format_name == "json":
        return json.dumps({"code": page.code, "title": page.title, "body": page.body}, indent=2)
    text = f"# {page.code}: {page.title}\n\n{page.body}".strip() + "\n"
    if not style.color:
        return text
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(width=min(style.width, 100), force_terminal=True)
    with console.capture() as captured:
        console.print(Markdown(text))
    return captured.get()
