"""Use every part that a decision may need once: what is broken must show at the canary, not at the first attack.

A native library that was exchanged ends the process, gives other answers or cannot be loaded; each is no refusal that
a canary accepts.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def broken_part() -> str:
    """Return which part does not work, and why; "" if all do."""
    for name, works in _PARTS.items():
        try:
            if not works():
                return f"{name} gives wrong answers"
        except Exception as fault:  # of whatever stands in the part's place
            return f"{name} does not work ({type(fault).__name__}: {str(fault)[:200]})"
    return ""


def _regexes() -> bool:
    from policy_engine.model.regexes import search

    regex = ("a+[0-9]{2}$", False)
    return search(regex, "xaaa12") and not search(regex, "xaaa1")


def _scanner() -> bool:
    """Only a process that decides many events has it."""
    import sys

    if "ahocorasick" not in sys.modules:
        return True
    from policy_engine.runtime.scanner import FEW, automaton_scanner

    scan = automaton_scanner({f"word-{chr(97 + number)}": (number,) for number in range(FEW + 1)})
    return scan("a word-c and word-q") == [2, 16] and scan("word") == []


def _store() -> bool:
    from policy_engine.state.lean_sqlite import sqlite

    connection = sqlite().connect(":memory:", isolation_level=None)
    try:
        connection.execute("CREATE TABLE one (value BLOB)")
        connection.execute("INSERT INTO one VALUES (?)", (b"kept",))
        return bool(connection.execute("SELECT value FROM one").fetchone() == (b"kept",))
    finally:
        connection.close()


def _digests() -> bool:
    from _blake2 import blake2b

    return bool(blake2b(b"", digest_size=8).hexdigest() == "e4a6a0577479b2b4")


_PARTS: dict[str, Callable[[], bool]] = {
    "the engine of regular expressions": _regexes,
    "the scanner of texts": _scanner,
    "the session store": _store,
    "the digest": _digests,
}
