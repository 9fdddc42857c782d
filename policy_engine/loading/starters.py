"""A repository's folder → the text of a first policy for it, put together from the shipped starters that fit.

A starter is a policy under `rules/starter/` with its own tests: `general` fits every repository, the others are named
for what runs the tests. Which fit is told by the files at the root; nothing is run and nothing below is searched.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from policy_engine.model.shipped import shipped

GENERAL = "general"
_READ = 1 << 20  # of one file that is looked into
_HEAD = """language 1

# The rules of this repository. Each says when it listens, what it requires, and shows itself working in its tests.
#
#   policy check         is every rule well formed, and is there advice?
#   policy test          does every rule do what its tests say?
#   policy fmt           canonical layout
#   policy new rule NAME the next rule, in a file of its own
#   policy install HOST  let a coding agent ask before it acts
#
# Change what does not fit: these files are yours.
"""


@dataclass(frozen=True, slots=True)
class Starter:
    """One starter: its name, what it is for, and the sign by which a repository is known."""

    name: str
    title: str
    fits: Callable[[Path], bool]


def _has(*names: str) -> Callable[[Path], bool]:
    return lambda root: any((root / name).exists() for name in names)


def _node(runner: str) -> Callable[[Path], bool]:
    return lambda root: (root / "package.json").is_file() and _runner(root) == runner


def _runner(root: Path) -> str:
    """Which package manager a package.json is used with, by its lock file, else npm."""
    locks = {"pnpm": ("pnpm-lock.yaml",), "yarn": ("yarn.lock",), "bun": ("bun.lock", "bun.lockb")}
    return next((name for name, files in locks.items() if _has(*files)(root)), "npm")


def _python(root: Path) -> bool:
    return _has("pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "requirements.txt")(root)


def _make(root: Path) -> bool:
    return any("\ntest:" in "\n" + _text(root / name) for name in ("Makefile", "makefile", "GNUmakefile"))


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_READ).decode("utf-8", "replace")
    except OSError:
        return ""


STARTERS = (
    Starter("pytest", "Python, tested with pytest", _python),
    Starter("npm", "Node, tested with npm", _node("npm")),
    Starter("pnpm", "Node, tested with pnpm", _node("pnpm")),
    Starter("yarn", "Node, tested with yarn", _node("yarn")),
    Starter("bun", "Node, tested with bun", _node("bun")),
    Starter("go", "Go, tested with go test", _has("go.mod", "go.work")),
    Starter("cargo", "Rust, tested with cargo", _has("Cargo.toml")),
    Starter("maven", "Java, tested with Maven", _has("pom.xml")),
    Starter("gradle", "Java or Kotlin, tested with Gradle", _has("build.gradle", "build.gradle.kts")),
    Starter(
        "dotnet", ".NET, tested with dotnet test", lambda root: any(root.glob("*.sln")) or any(root.glob("*.csproj"))
    ),
    Starter("ruby", "Ruby, tested with RSpec or rake", _has("Gemfile", "Rakefile")),
)
MAKE = Starter("make", "a Makefile with a target `test`", _make)


def fitting(root: Path) -> list[Starter]:
    """The starters for a repository; `make` only where nothing more telling is there."""
    found = [starter for starter in STARTERS if starter.fits(root)]
    return found or ([MAKE] if MAKE.fits(root) else [])


def first_policy(starters: list[Starter]) -> str:
    """One policy: the general rules and those of the starters."""
    parts = [_body(name) for name in (GENERAL, *(starter.name for starter in starters))]
    return "\n".join([_HEAD, *parts])


def _body(name: str) -> str:
    """A starter's text without its `language` line and its own first comment."""
    text = (shipped("rules") / "starter" / f"{name}.policy").read_text("utf-8")
    lines = text.split("\n")
    first = next(number for number, line in enumerate(lines) if line and not line.startswith(("language ", "#")))
    return "\n".join(lines[first:])
