"""Find the files that this installation runs from: its package, what it depends on, its interpreter.

They are derived from the metadata of the installed distributions, when a policy is compiled; the hook reads the outcome
as globs of a rule. An engine may lie in the workspace itself (a project's `.venv`): installing other packages there
stays honest work, so the list names what is ours and not the whole folder.
"""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import policy_engine

NAME = "policy_engine"
STARTED = ("sitecustomize.py", "usercustomize.py", "*.pth")  # what an interpreter runs by itself when it starts
_SITES = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class Installation:
    """Globs of what the engine runs from: its `parts`, its `interpreter`, and `between`, which is not of the latter."""

    parts: tuple[str, ...]
    interpreter: tuple[str, ...]
    between: tuple[str, ...]


@cache
def installation() -> Installation:
    """Return what this process runs from; the same for every process of an installation."""
    parts = {f"{plain(_package())}{{,_compat}}{{,/**}}": None}
    for site, names in _libraries().items():
        parts[f"{plain(site)}/{{{','.join(map(_choice, names))}}}{{,/**}}"] = None
        parts[f"{plain(site)}/{{{','.join(STARTED)}}}"] = None
        tools = site.rpartition("/lib/")[0]
        if tools:
            parts[f"{plain(tools)}/{{pyvenv.cfg,bin/{{policy,python,python3,python3.*}}}}"] = None
    library = plain(os.path.dirname(os.path.realpath(os.__file__)))
    between = tuple(f"{library}/{site}{{,/**}}" for site in _SITES)
    return Installation(tuple(parts), (plain(base_interpreter()), f"{library}{{,/**}}"), between)


def base_interpreter() -> str:
    """Return the real path of the interpreter below any virtual environment: it survives the environment's removal."""
    return os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable)


def obtain() -> str:
    """Return the line by which somebody else installs what runs here: from where it came, if others can reach that."""
    try:
        text = distribution(NAME).read_text("direct_url.json")
    except PackageNotFoundError:
        text = None
    came = json.loads(text) if text else {}
    if "vcs_info" in came:
        return f"pipx install {came['vcs_info']['vcs']}+{came['url']}"
    if came.get("url", "").startswith("https://"):
        return f"pipx install {came['url']}"
    return "pipx install policy_engine"


def parts_in(folder: str) -> tuple[str, ...]:
    """Return what of the engine lies in a folder: its package, the folders of its libraries, its interpreter."""
    root = os.path.realpath(folder).rstrip("/") + "/"
    return tuple(
        part for part in dict.fromkeys((_package(), *_libraries(), base_interpreter())) if part.startswith(root)
    )


def plain(text: str) -> str:
    """Return a glob that stands for this path only."""
    return "".join(f"[{char}]" if char in "*?[{" else char for char in text)


def _choice(name: str) -> str:
    """Return a name as one of the choices in braces; what braces cannot hold is any character."""
    return "".join("?" if char in ",{}" else char for char in plain(name))


def _package() -> str:
    return str(Path(policy_engine.__file__).resolve().parent)


def _libraries() -> dict[str, tuple[str, ...]]:
    """Return the folders of packages, and the names in each that the engine's dependencies have there."""
    libraries: dict[str, set[str]] = {}
    waiting, seen = [NAME], set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            made = distribution(name)
        except PackageNotFoundError:
            continue
        waiting += _needs(made)
        if name == NAME and len(seen) == 1 and not _holds_package(made):
            continue  # a checkout: what lies there is the package's own folder
        for top in {file.parts[0] for file in made.files or ()} - {"..", "__pycache__"}:
            place = Path(os.path.realpath(str(made.locate_file(top))))
            if not place.name.endswith((".dist-info", ".pth")):
                libraries.setdefault(str(place.parent), set()).add(place.name)
    return {site: tuple(sorted(names)) for site, names in sorted(libraries.items())}


def _needs(made: Distribution) -> list[str]:
    """Return the names of what a distribution requires, without its extras."""
    lines = [line for line in made.requires or () if "extra ==" not in line]
    return [match[0] for line in lines if (match := re.match(r"[A-Za-z0-9._-]+", line))]


def _holds_package(made: Distribution) -> bool:
    return any(file.parts[:1] == (NAME,) for file in made.files or ())
