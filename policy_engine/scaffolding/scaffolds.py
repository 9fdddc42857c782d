"""Write a policy file to start from: one declaration of a kind, valid, with a test, and not in force yet.

What is written holds for running sessions from then on, so that each says how it is switched on: a rule or limit is
in `shadow`, a hook observes; a `verify` has no such word and stands in a file that no folder of policies includes.
A repository's first policy is put together of the general rules, and of one rule for each of its test suites.
"""

from __future__ import annotations

from pathlib import Path

from policy_engine.model.shipped import shipped
from policy_engine.model.source import Source
from policy_engine.scaffolding.suites import GLOBS, Suite
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


# ---- a repository's first policy -------------------------------------------------------------------------------------

GENERAL = "general"
TITLES = {
    "python": "Python", "javascript": "JavaScript", "go": "Go", "rust": "Rust", "jvm": "JVM", "dotnet": ".NET",
    "ruby": "Ruby", "php": "PHP", "c": "C and C++", "swift": "Swift", "dart": "Dart", "elixir": "Elixir",
    "zig": "Zig", "haskell": "Haskell",
    "shell": "shell", "": "project",
}  # fmt: skip
"""Ecosystem → what people call it."""


def first_policy(suites: list[Suite]) -> str:
    """One policy: the general rules and those of the suites."""
    parts = [filled("first", {}), _body(GENERAL), *(_rule(suite, suites) for suite in suites)]
    file, _ = parse(Source("main.policy", "\n".join(parts)))
    return format_file(file)


def _rule(suite: Suite, suites: list[Suite]) -> str:
    below = f"{suite.folder}/" if suite.folder else ""
    word = "_".join(filter(None, (_name(suite.folder, "_"), _name(suite.ecosystem or "project", "_"))))
    asked = ", ".join(filter(None, (suite.ecosystem, f'in: "{suite.folder}"' if suite.folder else "")))
    others = [other.folder for other in suites if other.ecosystem == suite.ecosystem and other.folder != suite.folder]
    inner = [folder for folder in others if not suite.folder]
    left_out = ", ".join(f'"{folder}/**"' for folder in inner)
    name = GLOBS[suite.ecosystem][0]
    ending = name.partition("{")[2].partition(",")[0] or name.rpartition(".")[2]
    title = TITLES[suite.ecosystem] + (f" in {suite.folder}" if suite.folder else "")
    values = {
        "WORD": word,
        "BELOW": below,
        "NAME": name,
        "EXCEPT": f" except glob({left_out})" if left_out else "",
        "ID": word.replace("_", "-"),
        "TITLE": f"The {title}",
        "ASKED": asked,
        "FILE": f"{below}src/app.{ending}",
        "RUN": f"`{suite.run}`" + (f" in `{suite.folder}`" if suite.folder else ""),
        "LINE": f"cd {suite.folder} && {suite.run}" if suite.folder else suite.run,
    }
    return filled("suite", values)


def _name(text: str, between: str) -> str:
    """A text as a part of a name of the language."""
    kept = "".join(char if char.isascii() and char.isalnum() else between for char in text.lower()).strip(between)
    return f"p{kept}" if kept[:1].isdigit() else kept


def _body(name: str) -> str:
    """A starter's text without its `language` line and its own first comment."""
    text = (shipped("rules") / "starter" / f"{name}.policy").read_text("utf-8")
    lines = text.split("\n")
    first = next(number for number, line in enumerate(lines) if line and not line.startswith(("language ", "#")))
    return "\n".join(lines[first:])
