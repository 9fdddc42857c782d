"""Engines whose sessions note what is asked of them."""

from __future__ import annotations

from typing import Any

from policy_engine.filesystem.file_system import Virtual
from policy_engine.loading.loader import load_text
from policy_engine.model.errors import StoreError
from policy_engine.runtime.engine import Engine
from policy_engine.runtime.session import MemorySessions, Session


class Watched(MemorySessions):
    """Sessions that note what is asked of them, and fail where they are told to."""

    __slots__ = ("asked", "broken")

    def __init__(self, *broken: str) -> None:
        super().__init__()
        self.asked: list[Any] = []
        self.broken = broken

    def _note(self, name: str, *more: Any) -> None:
        self.asked.append((name, *more))
        if name in self.broken:
            raise StoreError(f"no {name}")

    def open(self, session: str, program: Any, starts: bool = False) -> Session:
        self._note("open", session, starts)
        return super().open(session, program, starts)

    def close(self, session: Session) -> None:
        self._note("close", session.id)

    def abandon(self, session: Session) -> None:
        self._note("abandon", session.id)
        MemorySessions.lose(self, session.id)

    def lose(self, session: str, kind: bytes = b"") -> None:
        self._note("lose", session)
        super().lose(session, kind)


def made(policy: str, sessions: Watched, **options: Any) -> Engine:
    """An engine over a policy, at time 0."""
    program = load_text(f"language 1\n{policy}").require_program()
    options = {"filesystem": lambda workspace: Virtual(), **options}
    return Engine(lambda: (program, ("old",)), sessions, "/home/user", lambda: 0, **options)
