"""Put a repository's first policy together: the general rules, and one rule for each of its test suites."""

from __future__ import annotations

from policy_engine.model.shipped import shipped
from policy_engine.model.source import Source
from policy_engine.scaffolding.scaffolds import filled
from policy_engine.scaffolding.suites import GLOBS, Suite
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file

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
