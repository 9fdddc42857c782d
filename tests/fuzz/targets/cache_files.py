"""Bytes as damage to the files of the cache → the decision of the undamaged program, or a miss; never another."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from policy_engine.bootstrap import Engine
from policy_engine.cache import reader as kept
from policy_engine.cache import writer as cache_writer
from policy_engine.evaluators.base import Program
from policy_engine.filesystem.file_system import Virtual
from policy_engine.loading.loader import load_text
from policy_engine.loading.reloader import Reloader
from policy_engine.runtime import engine as core
from policy_engine.runtime.names import LazyNames
from policy_engine.runtime.session import MemorySessions
from policy_engine.state.sealed import CacheMiss
from tests.fuzz.damage import SEEDS, damaged
from tests.fuzz.targets.event_reader import POLICY

__all__ = ["SEEDS", "target"]
EVENT = {"hook": "before_tool", "session": "s", "tool": {"name": "Bash", "kind": "shell", "args": {"command": "rm a"}}}


@cache
def sound() -> tuple[Program, dict[str, bytes], dict[str, Any], str]:
    """A program, its files, its decision, and the folder that they stand in."""
    program = load_text(POLICY).program
    assert program is not None
    root = Path(tempfile.mkdtemp(prefix="fuzz-cache-"))
    head = cache_writer.write_program(root, "it", program, program.buckets(), (), 0)
    files = {str(path): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
    decision = Engine(Reloader.fixed(load_text(POLICY)), filesystem=lambda workspace: Virtual()).decide(EVENT)
    assert decision.verdict == "deny"
    return program, files, decision.to_dict(), str(head)


def target(data: bytes) -> None:
    program, files, expected, head = sound()
    names = sorted(files)
    place = names[data[0] % len(names)] if data else names[0]
    Path(place).write_bytes(damaged(files[place], data[1:]))
    try:
        opened = kept.open_program(kept.read_head(head), LazyNames(), lambda: program)
    except CacheMiss:
        return
    made = core.Engine(lambda: (opened, ()), MemorySessions(), "/home/user", lambda: 0, filesystem=lambda _: Virtual())
    try:
        assert made.decide(EVENT).to_dict() == expected
    finally:
        Path(place).write_bytes(files[place])
