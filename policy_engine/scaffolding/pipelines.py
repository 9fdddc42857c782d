"""Find the runs of tests in a repository's pipelines: GitHub's workflows and GitLab's file.

A pipeline is what the repository itself calls its tests. Its files are untrusted: read up to a size, as plain data,
never run; a file that is not plain data names nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from policy_engine.conversion.document import Refused, read_yaml
from policy_engine.filesystem.file_system import Disk
from policy_engine.model.source import Source
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse
from policy_engine.test_runs.classify import run_of

GITHUB, GITLAB = ".github/workflows", ".gitlab-ci.yml"
_READ = 1 << 17  # of one file
_FILES = 32
_LINES = 400  # of all files
_PLAIN = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9 _./:=@,+-]{0,119}")
"""What may become a line of a policy: no quotes, no variables, no braces, nothing that a shell reads as more."""

Runs = dict[tuple[str, str], str]


def pipeline_runs(root: Path) -> Runs:
    """Return the first line of the pipelines that runs all tests, by ecosystem and folder; "" is any, and the root.

    A line that the engine would not count as evidence is left out.
    """
    runs: Runs = {}
    for number, (folder, line) in enumerate(_lines(root)):
        if number >= _LINES:
            break
        if _PLAIN.fullmatch(line):
            of = _counted(root, folder, line)
            if of is not None:
                runs.setdefault((of, folder), line)
    return runs


def _counted(root: Path, folder: str, line: str) -> str | None:
    """Return the ecosystem of the tests that a line runs, None if it is no run of all tests there that counts."""
    real = str(root.resolve())
    try:
        commands = parse(line, f"{real}/{folder}".rstrip("/"), Disk(real, None))
        run = run_of(commands[0]) if len(commands) == 1 else None
    except Undecided:
        return None
    if run is None or run.problem or run.counted or run.limited or run.targets != (folder,):
        return None
    if not run.of and not (run.files and all(map(os.path.isfile, run.files))):
        return None  # a task of a file that is not here
    return run.of


def _lines(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the commands of the pipelines, each with the folder that it runs in."""
    for path in sorted(root.glob(f"{GITHUB}/*.y*ml"))[:_FILES]:
        workflow = _read(path)
        for job in _values(workflow, "jobs"):
            for step in _list(job, "steps"):
                folder = _folder(step, _below(job, "defaults", "run"), _below(workflow, "defaults", "run"))
                if folder is not None:
                    yield from ((folder, line) for line in _split(_below(step, "run")))
    for job in _values(_read(root / GITLAB)):
        for text in _list(job, "script"):
            yield from (("", line) for line in _split(text))


def _read(path: Path) -> Any:
    try:
        if not path.is_file():  # a pipe would wait for ever
            return None
        with path.open("rb") as file:
            text = file.read(_READ + 1)
        if len(text) > _READ:
            return None
        located = read_yaml(Source(path.name, text.decode("utf-8")))
    except (OSError, UnicodeDecodeError, Refused):
        return None
    return None if located is None else located.value


def _below(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if type(value) is dict else None
    return value


def _values(value: Any, *keys: str) -> list[Any]:
    value_below = _below(value, *keys)
    return list(value_below.values()) if type(value_below) is dict else []


def _list(value: Any, key: str) -> list[Any]:
    value_below = _below(value, key)
    return value_below if type(value_below) is list else []


def _folder(*places: Any) -> str | None:
    """Return the folder that the first of these names, "" the root; None if it is no place of the repository."""
    for place in places:
        named = _below(place, "working-directory")
        if named is not None:
            text = named.removeprefix("./").strip("/") if type(named) is str else ".."
            return None if ".." in text.split("/") or not re.fullmatch(r"[\w./-]*", text) else text.removeprefix(".")
    return ""


def _split(text: Any) -> list[str]:
    return [line.strip() for line in text.split("\n")] if type(text) is str else []
