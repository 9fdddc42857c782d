"""`policy lsp`: speak the Language Server Protocol at standard input and output."""

from __future__ import annotations

import importlib.util
import os

import click

from policy_engine.model.errors import ConfigurationError


@click.command(
    short_help="Serve an editor: findings, pages of words, completion, repairs.",
    epilog="Example: an editor starts `policy lsp` by itself; docs/how-to/editors.md has the settings",
)
@click.option("--stdio", is_flag=True, hidden=True, help="What some editors add; there is no other way.")
def COMMAND(stdio: bool) -> None:
    """Serve an editor over the Language Server Protocol, at standard input and output.

    It says what `policy check` says while one types, shows the page of a word, completes, finds and renames names,
    lays out as `policy fmt`, repairs findings and runs tests. Nothing that a policy names is run. Needs the extra
    `lsp`. Status 0 when the editor closes.
    """
    if importlib.util.find_spec("pygls") is None:
        raise ConfigurationError("`policy lsp` needs the extra `lsp`: install `policy_engine[lsp]`")
    from policy_engine.language_server.server import build

    # a descriptor of its own: pygls closes it, and the command line still flushes standard output
    build().start_io(stdout=os.fdopen(os.dup(1), "wb"))
