"""Bytes as damage to the file of the sessions → a completion that was refused is not allowed by losing its past."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from policy_engine.evaluators.base import Program
from policy_engine.filesystem.file_system import Virtual
from policy_engine.loading.loader import load_text
from policy_engine.runtime import engine as core
from policy_engine.runtime.stored_sessions import StoredSessions, open_store
from tests.fuzz.damage import SEEDS, damaged

__all__ = ["SEEDS", "target"]
POLICY = """language 1
rule tests { on before_completion when wrote("**") require command_success("pytest -*") since wrote("**") deny "Test." }
rule read { on before_tool(write) when not read("README.md") deny "Read." }
"""
WRITE = {
    "hook": "after_tool",
    "session": "s",
    "workspace": "/workspace",
    "result": {"ok": True},
    "cwd": "/workspace",
    "tool": {"name": "Write", "kind": "write", "args": {"file_path": "a", "content": "b"}},
}
END = {"hook": "before_completion", "session": "s", "workspace": "/workspace", "answer": "done"}


@cache
def program() -> Program:
    found = load_text(POLICY).program
    assert found is not None
    return found


@cache
def folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="fuzz-state-"))


def engine(path: Path) -> tuple[core.Engine, StoredSessions]:
    sessions = StoredSessions(open_store(str(path)))
    return core.Engine(
        lambda: (program(), ()), sessions, "/home/user", lambda: 0, filesystem=lambda _: Virtual()
    ), sessions


@cache
def sound() -> dict[str, bytes]:
    """The files of a session that wrote something and tested nothing."""
    made, sessions = engine(folder() / "sessions.sqlite3")
    assert made.decide(WRITE).verdict == "allow"
    assert made.decide(END).verdict == "deny"
    close(sessions)
    return {path.name: path.read_bytes() for path in sorted(folder().iterdir())}


def close(sessions: StoredSessions) -> None:
    store = sessions._store
    if store is not None:
        store.close()


def target(data: bytes) -> None:
    files = sound()
    for path in folder().iterdir():
        path.unlink()
    names = sorted(files)
    hurt = names[data[0] % len(names)] if data else names[0]
    for name, content in files.items():
        path = folder() / name
        path.touch(0o600)
        path.write_bytes(damaged(content, data[1:]) if name == hurt else content)
    made, sessions = engine(folder() / "sessions.sqlite3")
    try:
        decision = made.decide(END)
    finally:
        close(sessions)
    assert not any("E-INTERNAL" in error for error in decision.errors), decision.errors
    assert decision.verdict == "deny", decision.to_dict()
