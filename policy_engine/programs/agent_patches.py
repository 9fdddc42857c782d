"""Parse an `apply_patch` text: the files it adds, updates, moves and deletes, and the lines it adds.

    *** Begin Patch
    *** Update File: src/a.py
    *** Move to: src/b.py
    @@
    -old
    +new
    *** End Patch

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided

_FRAME = ("*** Begin Patch", "*** End Patch", "*** End of File")
_HEADERS = (("*** Add File: ", "write"), ("*** Update File: ", "write"), ("*** Delete File: ", "delete"))
_MOVE = "*** Move to: "


class Patch:
    """`touched` as (path text, access), in order, a file that moves as read and deleted; `added` and `removed` the
    lines of each sort, joined by newline; `edits` by file that is written: its parts before and after, each with
    whether it stands in more than one place, and whether the file is new."""

    __slots__ = ("touched", "added", "removed", "edits")

    def __init__(
        self,
        touched: tuple[tuple[str, str], ...],
        added: str,
        removed: str,
        edits: list[tuple[str, list[tuple[str, str, bool]], bool]],
    ) -> None:
        self.touched = touched
        self.added = added
        self.removed = removed
        self.edits = edits


def read_patch(text: str) -> Patch:
    """Raises Undecided if there is no file header, or one that is not known."""
    touched: list[tuple[str, str]] = []
    added: list[str] = []
    removed: list[str] = []
    parts: list[tuple[str, list[tuple[list[str], list[str]]], bool]] = []
    for number, raw in enumerate(text.split("\n")):
        line = raw.removesuffix("\r")
        if line.startswith("***"):
            _header(line.rstrip(), number, touched)
            if touched and touched[-1][1] == "write" and line.rstrip() not in _FRAME:
                moved = parts.pop()[1] if line.startswith(_MOVE) and parts else [([], [])]
                parts.append((touched[-1][0], moved, line.startswith(_HEADERS[0][0])))
            continue
        if line.startswith("+"):
            added.append(line[1:])
        elif line.startswith("-"):
            removed.append(line[1:])
        if not parts:
            continue
        if line.startswith("@@"):
            parts[-1][1].append(([], []))
            continue
        before, after = parts[-1][1][-1]
        if not line.startswith("+"):
            before.append(line[1:])
        if not line.startswith("-"):
            after.append(line[1:])
    if not touched:
        raise Undecided("the patch names no file in a form that is known")
    edits = [
        (path, [("\n".join(before), "\n".join(after), False) for before, after in hunks if before or after], new)
        for path, hunks, new in parts
    ]
    return Patch(tuple(touched), "\n".join(added), "\n".join(removed), [one for one in edits if one[1]])


def _header(line: str, number: int, touched: list[tuple[str, str]]) -> None:
    if line in _FRAME:
        return
    for start, access in _HEADERS:
        if line.startswith(start) and len(line) > len(start):
            touched.append((line[len(start) :], access))
            return
    if line.startswith(_MOVE) and len(line) > len(_MOVE) and touched and touched[-1][1] == "write":
        moved = touched.pop()[0]  # what it holds is now elsewhere
        touched += [(moved, "read"), (moved, "delete"), (line[len(_MOVE) :], "write")]
        return
    raise Undecided(f"line {number + 1} of the patch is not understood")
