"""`policy prompt`: print the guide from which a model writes policies."""

from __future__ import annotations

import click

from policy_engine.commands.base import emit
from policy_engine.scaffolding.guide import guide


@click.command(
    short_help="Print a guide for models that write policies.", epilog="Example: policy prompt > .policy/GUIDE.md"
)
def COMMAND() -> None:
    """Print how policies are written, for a model: how to go about it, every word of the language, three examples.

    It is made from the vocabulary of this version, and the examples are shipped packs.
    """
    emit(guide())
