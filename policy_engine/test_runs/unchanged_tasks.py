"""Compare what a task runs, and what a build file says of tests, with the commit that the session began with.

A session may add a target to a Makefile, a script to `package.json`, a dependency to a build of Gradle: the tests are
the same as before. Not on the hook path: it is imported when a run of tests passed after such a file changed.
"""

from __future__ import annotations

import json
import re

from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.task_files import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.test_runs.classify import Run

_RULE = re.compile(r"^([^\s#:=][^:=\n]*?)\s*::?(?!=)\s*([^\n]*)$")
_ASSIGNS = re.compile(r"^(?:override\s+)?(\w+)\s*[:+?!]?=")
_ALWAYS = frozenset(("SHELL", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKE", "PATH", "VPATH"))
_COMPUTED = ("$($", "${$", "$(eval", "$(call", "$(value", "$(origin")  # names of variables that only running tells
_WORD = re.compile(r"[\w:.@/-]+")
_SECTIONS = ("jest", "vitest", "mocha", "ava", "nyc", "c8")
_BLOCKS = re.compile(
    r"^[ \t]*(?:dependencies|plugins|repositories|publishing|java|kotlin)\s*\{(?:[^{}]|\{[^{}]*\})*\}", re.MULTILINE
)
_TUNING = re.compile(
    r"\b(?:maxParallelForks|maxHeapSize|minHeapSize|forkEvery)\b[^\n;}]*|\btestLogging\s*\{[^{}]*\}"
    r"|^[ \t]*(?:version|group|description)\b[^\n]*",
    re.MULTILINE,
)


def runs_the_same(real: str, run: Run, commit: str, filesystem: FileSystem) -> bool:
    """Return whether a file that names tasks runs for this one what it ran at the commit."""
    now, then = texts_of(real, commit, filesystem)
    name = real.rpartition("/")[2]
    if not now or not then:
        return False
    if name == "package.json":
        return scripts_of(now, run.line) == scripts_of(then, run.line) != {}
    if "akefile" in name or name in ("justfile", ".justfile", "Justfile"):
        goals = [word for word in run.line.split()[1:] if word[:1] != "-" and "=" not in word]
        return _recipes(now, goals) == _recipes(then, goals) != []
    return False


def chooses_the_same(real: str, run: Run, commit: str, filesystem: FileSystem) -> bool:
    """Return whether a configuration says of the tests of a run what it said at the commit."""
    if "akefile" in real.rpartition("/")[2]:
        return runs_the_same(real, run, commit, filesystem)
    now, then = texts_of(real, commit, filesystem)
    name = real.rpartition("/")[2]
    if not now or not then:
        return False
    if name == "package.json":
        return scripts_of(now, "test") == scripts_of(then, "test") and _sections(now) == _sections(then)
    if name.startswith(("build.gradle", "settings.gradle")):
        return _without_tuning(now) == _without_tuning(then)
    return False


def texts_of(real: str, commit: str, filesystem: FileSystem) -> tuple[str, str]:
    """Return the text of a file now and in the commit."""
    try:
        repository = filesystem.repository()
        root = f"{repository.root.rstrip('/')}/"
        if not commit or not real.startswith(root):
            return "", ""
        then = repository.ask("show", f"{commit}:{real.removeprefix(root)}", failing=True)
    except Undecided:
        return "", ""
    return text_of(real, filesystem), then.decode("utf-8", "replace")


def _sections(text: str) -> Any:
    try:
        read = json.loads(text)
        return [read.get(name) for name in _SECTIONS]
    except (ValueError, AttributeError, RecursionError):
        return text


def scripts_of(text: str, line: str) -> dict[str, Any]:
    """Return the scripts of a package that a line reaches, and where its packages lie."""
    try:
        package = json.loads(text)
        scripts = {name: value for name, value in package["scripts"].items() if type(value) is str}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}
    reached: dict[str, Any] = {}
    waiting = [*_WORD.findall(line), "test"]
    while waiting:
        word = waiting.pop()
        for name in (f"pre{word}", word, f"post{word}"):
            if name in scripts and name not in reached:
                reached[name] = scripts[name]
                waiting += _WORD.findall(scripts[name])
    members = package.get("workspaces")
    return (
        {**reached, "": json.dumps(members, sort_keys=True) if "workspace" in str(reached) else ""} if reached else {}
    )


def _recipes(text: str, goals: Iterable[str]) -> list[str]:
    """Return the lines of a task file that its goals reach."""
    rules, free = _parsed(text)
    waiting = [goal for goal in goals if goal in rules] or [name for name in rules if name[0] != "."][:1]
    reached: dict[str, None] = {}
    while waiting:
        goal = waiting.pop()
        if goal in reached:
            continue
        reached[goal] = None
        waiting += [word for line in rules[goal] for word in _WORD.findall(line) if word in rules]
    kept = [line for name in rules for line in rules[name] if name in reached or "%" in name or _is_special(name)]
    while True:
        named = " ".join(kept)
        more = [line for line in free if line not in kept and _matters(line, named)]
        if not more:
            return sorted(kept)
        kept += more


def _parsed(text: str) -> tuple[dict[str, list[str]], list[str]]:
    """Return the rules of a task file by goal, each with its lines, and the lines outside of them."""
    rules: dict[str, list[str]] = {}
    free: list[str] = []
    current: list[str] = []
    for line in text.replace("\\\n", " ").split("\n"):
        if not line.strip() or line.lstrip()[:1] == "#":
            continue
        if line[0] in "\t " and current:
            for goal in current:
                rules[goal].append(" ".join(line.split()))
            continue
        found = None if _ASSIGNS.match(line) else _RULE.match(line)
        current = found[1].split() if found else []
        if found is None:
            free.append(" ".join(line.split()))
            continue
        for goal in current:
            rules.setdefault(goal, []).append(f"{goal}: {found[2]}")
    return rules, free


def _is_special(goal: str) -> bool:
    return goal[0] == "." and goal[1:2].isupper() and goal != ".PHONY"


def _matters(line: str, named: str) -> bool:
    found = _ASSIGNS.match(line)
    if found is None or found[1] in _ALWAYS or any(sign in named for sign in _COMPUTED):
        return True
    return re.search(rf"\$[({{]?{found[1]}\b|\{{\{{\s*{found[1]}\b", named) is not None


def _without_tuning(text: str) -> str:
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    return "".join(_TUNING.sub("", _BLOCKS.sub("", plain)).split())
