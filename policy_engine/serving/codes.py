"""One-time codes, shown at the terminal where a person started the engine, by which they approve a call on the page.

Whoever holds the token of the HTTP door can send what a browser sends, an agent among them; what stands at a terminal,
other programs of the user do not read. A code goes nowhere else, and of it only a digest is kept.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets

from policy_engine.reports.base import shown

TRIES = 5  # wrong codes after which the one that stands at the terminal is void
VOIDS = 3  # codes that may become void in this way; then there is none
TEXT = 200  # characters of a call that are shown
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
_PARTS, _PART = 3, 4  # 60 bits


class Codes:
    """`terminal` is open for writing, without waiting; -1 where no person is, and then there is no code."""

    def __init__(self, terminal: int = -1) -> None:
        self._terminal, self._digest = terminal, b""
        self._wrong = self._voids = 0

    @property
    def are_shown(self) -> bool:
        """Return whether a code stands at the terminal."""
        return bool(self._digest)

    def show(self, before: str = "") -> None:
        """Print a new code, after what became of the one before; there is none where it cannot be printed whole."""
        parts = ["".join(secrets.choice(_LETTERS) for _ in range(_PART)) for _ in range(_PARTS)]
        said = self._say(f"{before}code that approves one call on the page: {'-'.join(parts)}")
        self._digest, self._wrong = _digest("".join(parts)) if said else b"", 0

    def takes(self, typed: str) -> bool:
        """Return whether this is the code, which is used up by it; TRIES wrong ones make it void."""
        if not self._digest:
            return False
        if hmac.compare_digest(_digest(typed), self._digest):
            self._digest = b""
            return True
        self._wrong += 1
        if self._wrong == TRIES:
            self._digest = b""
            self._voids += 1
            why = f"{TRIES} wrong codes were sent; "
            if self._voids < VOIDS:
                self.show(f"{why}new ")
            else:
                self._say(f"{why}no call is approved on the page until a new start; use `policy approve`")
        return False

    def _say(self, text: str) -> bool:
        line = f"policy serve: {text}\n".encode()
        try:
            return self._terminal >= 0 and os.write(self._terminal, line) == len(line)
        except OSError:
            return False  # it is stopped, or gone


def told(outcome: str, action: str) -> str:
    """Return what is said at the terminal of a code that was used."""
    return f"{outcome}: {shown(action)[:TEXT]}\npolicy serve: next "


def _digest(typed: str) -> bytes:
    return hashlib.sha256("".join(filter(str.isalnum, typed.lower())).encode()).digest()
