"""Write a policy file to start from: one declaration of a kind, valid, with a test, and not in force yet.

What is written holds for running sessions from then on, so that each says how it is switched on: a rule or limit is
in `shadow`, a hook observes; a `verify` has no such word and stands in a file that no folder of policies includes.
"""

from __future__ import annotations

from pathlib import Path

from policy_engine.model.source import Source
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file

DRAFT = ".draft"  # behind the name of a file that is not in force
SWITCHES = {
    "rule": "take out the line `shadow`",
    "limit": "take out the line `shadow`",
    "hook": "take out the line `observe`, and run `policy trust`",
    "mode": "take out the line `shadow`",
    "verify": "rename it to end in `.policy`, and run `policy trust`",
    "pack": "take out the lines `shadow`",
}
"""Kind -> how what is written is put in force; a test has nothing to put in force."""
KINDS = ("rule", "limit", "hook", "mode", "verify", "test", "pack")
TEMPLATES = Path(__file__).parent / "templates"
"""The folder of texts `KIND.policy.in`, with `@NAME@` and the like where values go."""


def filled(template: str, values: dict[str, str]) -> str:
    """Return the text of a template, with each value at its mark."""
    text = (TEMPLATES / f"{template}.policy.in").read_text("utf-8")
    for mark, value in values.items():
        text = text.replace(f"@{mark}@", value)
    return text


def scaffold(kind: str, name: str) -> str:
    """A policy file in canonical layout with a declaration of that kind, one of KINDS, called `name`.

    A name that is a word of the language may make a text that does not parse, which is then as it is.
    """
    text = filled(kind, {"NAME": name, "WORD": name.replace("-", "_")})
    tree, problems = parse(Source(f"{name}.policy", text))
    return text if any(problem.severity == "error" for problem in problems) else format_file(tree)
