"""`nc`: connects to the network; with `-e` it runs a program for the other side."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    words = arguments.operands
    for word in words:
        kind, _, line = word.partition(":")
        if kind.upper() in ("EXEC", "SYSTEM", "SHELL"):
            analysis.shell(line.partition(",")[0])
    if any(
        word[:2] in ("-e", "-c")
        or word in ("--exec", "--sh-exec")
        or "EXEC:" in word.upper()
        or word.upper().startswith(("SYSTEM:", "SHELL:"))
        for word in words
    ):
        analysis.does("executes-remote", "executes")
    listens = any(word == "--listen" or (word[:1] == "-" and word[1:2] != "-" and "l" in word) for word in words)
    if (listens and any(word in ("0.0.0.0", "::") for word in words)) or any(map(_is_open, words)):
        analysis.does("exposes")
    files = [
        word.partition(":")[2] for word in words if word.upper().startswith(("FILE:", "OPEN:", "GOPEN:", "CREATE:"))
    ]
    return [analysis.path(text.partition(",")[0], way) for text in files for way in ("read", "write")]


def _is_open(word: str) -> bool:
    """Return whether an address of `socat` waits for whoever connects from any machine."""
    kind, colon, rest = word.upper().partition(":")
    kind = kind.replace("4", "").replace("6", "")
    own = any(f"BIND={place}" in rest for place in ("127.", "LOCALHOST", "[::1]", "::1"))
    return (
        bool(colon)
        and kind.endswith(("-LISTEN", "-L"))
        and not kind.startswith(("UNIX", "ABSTRACT", "VSOCK"))
        and not own
    )
