"""Judge a played session as neo-code did: by facts that its tools reported in the run, and hardly ever by the disk."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from policy_engine.conversion.writing import Played

_WRITING = ("write", "edit")


@dataclass(slots=True)
class Run:
    """The facts since the last prompt; paths and lines are as they were compared there."""

    written: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    succeeded: list[str] = field(default_factory=list)
    facts: list[Mapping[str, Any]] = field(default_factory=list)


def run_of(played: Played) -> Run:
    """Return the facts of the run that the last event belongs to."""
    run = Run()
    for event, changed in zip(played.events, played.changed, strict=True):
        if event["hook"] == "prompt":
            run = Run()
        elif event["hook"] == "after_tool" and event["result"]["ok"]:
            _add(run, event, {path_of(path) for path in changed})
        run.facts.append(event.get("facts", {}))
    return run


def _add(run: Run, event: Mapping[str, Any], changed: set[str]) -> None:
    tool, result = event["tool"], event["result"]
    kind, arguments = tool["kind"], tool["args"]
    named = {path_of(arguments["file_path"])} if "file_path" in arguments else set()
    if kind == "shell" and not result.get("exit_code", 0):
        run.succeeded.append(words_of(arguments["command"]))
        run.written |= changed
    if kind in _WRITING:
        run.written |= named & changed
    if kind in ("write", "read"):
        run.seen |= named
    run.seen |= run.written


def path_of(path: str) -> str:
    """Return a path as it was compared there."""
    return posixpath.normpath(path.strip().replace("\\", "/")).lower()


def words_of(line: str) -> str:
    """Return a command line as it was compared there: without assignments, wherever they stand, in small letters."""
    return " ".join(word for word in line.split() if not _is_assignment(word)).lower()


def _is_assignment(word: str) -> bool:
    return word.startswith("$env:") or ("=" in word and word[0] != "-" and not {"/", "\\"} & set(word))


def succeeded(run: Run, target: str, match: str) -> bool:
    """Return whether a command of the run satisfies a target; a word that is not known for `match` is `contains`."""
    wanted = words_of(target)
    compared = {"exact": wanted.__eq__, "prefix": lambda line: line.startswith(wanted)}
    return any(map(compared.get(match, lambda line: wanted in line), run.succeeded))


def verified(run: Run, tool: str, scope: str) -> bool:
    """Return whether a tool reported that it verified something; empty is any."""
    return any(
        (not tool or reported.lower() == tool) and (not scope or what == scope)
        for facts in run.facts
        for reported, what in _verifications(facts)
    )


def _verifications(facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    tool, _, scope = str(facts.get("verification", "")).partition(":")
    if "verification" in facts or "verification_tool" in facts or "verification_scope" in facts:
        yield str(facts.get("verification_tool", tool)), str(facts.get("verification_scope", scope))
