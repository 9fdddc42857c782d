"""A goal's text → the commands that it demands: code spans that a strict marker governs, verbatim.

"only after `npm test` succeeds", "`pytest -q` must pass": a marker in the same sentence makes a code span a demand;
any other code span is prose. None found means empty, never a default (language §11 "Goal").
"""

from __future__ import annotations

_MARKERS = (
    "must pass", "must succeed", "must be green", "has to pass", "have to pass", "only after", "until",
    "before you finish", "before finishing", "done when", "acceptance:", "required:", "make sure", "ensure",
)  # fmt: skip
COMMAND_CHARS = 500


def governed_commands(text: str) -> tuple[str, ...]:
    """Commands in order of appearance, each once."""
    found: list[str] = []
    governing = False
    for line in text.split("\n"):
        stripped = line.strip()
        bullet = stripped.startswith(("- ", "* ", "+ ")) or stripped[:2].rstrip(".)").isdigit()
        if not bullet or not governing:
            governing = False
        for sentence in _sentences(stripped):
            marked = any(marker in sentence.lower() for marker in _MARKERS)
            if marked or (bullet and governing):
                found.extend(_spans(sentence))
            governing = marked or (bullet and governing)
        if not stripped:
            governing = False
    return tuple(dict.fromkeys(found))


def _sentences(line: str) -> list[str]:
    """Split at sentence ends outside code spans."""
    parts: list[str] = []
    start, code = 0, False
    for at, char in enumerate(line):
        if char == "`":
            code = not code
        elif char in ".!?" and not code and line[at + 1 : at + 2] in ("", " "):
            parts.append(line[start : at + 1])
            start = at + 1
    parts.append(line[start:])
    return [part for part in parts if part.strip()]


def _spans(sentence: str) -> list[str]:
    pieces = sentence.split("`")
    spans = [piece.strip() for piece in pieces[1::2]] if len(pieces) % 2 else []
    return [span for span in spans if span and len(span) <= COMMAND_CHARS and "\0" not in span]
