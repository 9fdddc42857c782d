"""`policy draft`: draft rules from instructions to agents in prose."""

from __future__ import annotations

from pathlib import Path

import click

from policy_engine.commands.base import emit, note
from policy_engine.loading.files import read_source
from policy_engine.loading.loader import load_text
from policy_engine.model.errors import PolicyLoadError
from policy_engine.reports.base import counted
from policy_engine.scaffolding.drafts import document, drafts
from policy_engine.testing.runner import run, suite

NAME = "draft.policy"  # of the text that a rule is tried in; no such file is looked for


@click.command(
    short_help="Draft rules from AGENTS.md or CLAUDE.md.",
    epilog="Example: policy draft AGENTS.md > .policy/drafted.policy",
)
@click.argument("path", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
def COMMAND(path: Path) -> None:
    """Print a policy with each sentence of FILE that demands or forbids something, as a rule or why it is none.

    Sentences are English, with must, should, never, always, do not, forbidden and the like. One becomes a rule if it
    names commands or files in code marks and plainly says that they must be run, must not be run, read or written.
    Each rule has passed its own test. Nothing is written, and no model is asked.
    """
    source = read_source(path)
    found = drafts(source.text, source.name, passes)
    emit(document(found, source.name))
    rules = sum(1 for one in found if one.rule)
    note(f"{counted(len(found), 'sentence')}: {counted(rules, 'rule')} drafted, {len(found) - rules} cannot be checked")


def passes(rule: str) -> bool:
    """Return whether a rule loads and its own test passes."""
    try:
        return not any(outcome.failed for outcome in run(suite(load_text(f"language 1\n\n{rule}", NAME), [NAME])))
    except PolicyLoadError:
        return False
