"""Tell of the rules in force what a page shows of them: which there are, and the text that stands at a place.

The text of a file is shown only where the file is a source of the program that decided, byte for byte.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from policy_engine.cache.reader import Head, digest_of, open_program, read_head
from policy_engine.loading.sources import PACK, import_path
from policy_engine.state.places import cache_folder, layer_folders, program_name
from policy_engine.state.sealed import CacheMiss
from policy_engine.syntax.parser import parse
from policy_engine.syntax.reading import read_text

SPEAKERS = ("rule", "limit", "hook")
BUILTIN = f"{PACK}builtin/"
KEPT = 512  # texts of rules, and programs


@dataclass(frozen=True, slots=True)
class Declared:
    """One rule, limit or hook of a program."""

    name: str
    title: str
    at: str


def head_of(workspace: str) -> Head | None:
    """Return the program in force in a workspace, None if none is known."""
    try:
        return read_head(f"{cache_folder()}/active/{program_name(layer_folders(workspace))}")
    except CacheMiss:
        return None


def declared(workspace: str, head: Head) -> tuple[Declared, ...]:
    """Return what can speak in a workspace by its program, without the rules that are built in."""
    return _declared(workspace, head.digest)


@lru_cache(maxsize=KEPT)
def _declared(workspace: str, digest: str) -> tuple[Declared, ...]:
    head = head_of(workspace)
    if head is None or head.digest != digest:
        return ()
    program = open_program(head, {})
    try:
        rules = [program.rule(number) for number in range(head.rules)]
    except CacheMiss:
        return ()
    return tuple(
        Declared(rule.id, rule.title, rule.at)
        for rule in rules
        if rule.kind in SPEAKERS and not rule.at.startswith(BUILTIN)
    )


def text_at(head: Head, place: str) -> str:
    """Return the text of what stands at `FILE:LINE:COLUMN`, empty if that file is no source of the program."""
    name, line, _ = (*place.rsplit(":", 2), "", "")[:3]
    path = import_path(name, "") if name.startswith(PACK) else name
    digest = dict(head.contents).get(path or "")
    return _text(path, digest, int(line[:9])) if path and digest is not None and line.isdecimal() else ""


@lru_cache(maxsize=KEPT)
def _text(path: str, digest: bytes, line: int) -> str:
    try:
        data = Path(path).read_bytes()
    except OSError:
        return ""
    source, _ = read_text(path, data)
    if source is None or digest_of(data) != digest:
        return ""
    for item in parse(source)[0].items:
        if source.position(item.span.start)[0] == line:
            return source.text[item.span.start : item.span.end]
    return ""
