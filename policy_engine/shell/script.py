"""A script's text → its tree with the text of every node; refuses text that the grammar's nodes do not cover.

One character stands for one byte here, so that the grammar's offsets are ours. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided
from policy_engine.shell.grammar import script_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Node = Any  # a node of tree-sitter

_BLANKS = " \t"
_AROUND = " \t\n;&|()<>`"
_KEYWORDS = frozenset(
    ("if then elif else fi for select while until do done case in esac function { } ! [[ ]] [ ]").split()
)


class Script:
    """One text of shell code: `text` with a character per byte, `root` the root node."""

    __slots__ = ("text", "root")

    def __init__(self, code: str) -> None:
        """Raises Undecided if it does not parse."""
        source = code.encode("utf-8", "surrogateescape")
        self.text = source.decode("latin-1")
        stand_in = _stand_in(source)
        try:
            self.root = script_tree(stand_in)
        except Undecided:
            # Where a command starts, the grammar takes a brace for a group and stops at a `#`, though in a word.
            again = _second_try(stand_in)
            if again == stand_in:
                raise
            self.root = script_tree(again)

    def raw(self, node: Node) -> str:
        """The text of a node, a character per byte."""
        return self.text[node.start_byte : node.end_byte]

    def shown(self, start: int, end: int) -> str:
        """The text between two offsets as it was written."""
        return shown(self.text[start:end])

    def children(self, node: Node, lines: bool) -> list[Node]:
        """All children, without comments. Raises Undecided if other text than blanks stands between them.

        `lines`: a line break may stand there as well.
        """
        found, place = [], node.start_byte
        for child in node.children:
            self.need_blank(place, child.start_byte, lines)
            place = child.end_byte
            if child.type in _KEYWORDS and not child.is_named:
                self._need_apart(child)
            if child.is_missing or child.is_error:
                raise Undecided("the command does not parse as a shell script")
            if child.type != "comment":
                found.append(child)
        self.need_blank(place, node.end_byte, lines)
        return found

    def _need_apart(self, child: Node) -> None:
        """A keyword is a word of its own: the grammar also finds it where the shell reads on."""
        before, after = (
            self.text[child.start_byte - 1 : child.start_byte],
            self.text[child.end_byte : child.end_byte + 2],
        )
        if (before and before not in _AROUND) or (after and after[0] not in _AROUND and after != "\\\n"):
            raise Undecided(f"`{self.raw(child)}` is read in two ways")

    def need_blank(self, start: int, end: int, lines: bool) -> None:
        """Raise Undecided unless only blanks and continued lines stand between two offsets."""
        if start >= end:
            return
        gap = self.text[start:end]
        if gap.strip(_BLANKS) and gap.replace("\\\n", "").strip(_BLANKS + "\n" if lines else _BLANKS):
            raise Undecided(f"`{shown(gap)[:80]}` is read in two ways")


def _stand_in(source: bytes) -> bytes:
    """The source for the grammar: what it is known to misread is replaced by as many other bytes.

    Only the tree comes from this text, words and operators are read from the original. Quoted text may change too, and
    moves nothing. `<>` is missing in the grammar; a lone `-` before `<<` and a blank after a backslash get lost.
    """
    source = source.replace(b"<>", b">|").replace(b" - <<", b" _ <<")
    if b"\\ " not in source and b"\\\t" not in source:
        return source
    made, place = bytearray(source), 0
    while (place := source.find(b"\\", place)) >= 0:
        if source[place + 1 : place + 2] in (b" ", b"\t"):
            made[place + 1] = 0x5F
        place += 2
    return bytes(made)


def _second_try(source: bytes) -> bytes:
    made = bytearray(source)
    for place in range(len(source) - 1):
        before = source[place - 1 : place]
        if (source[place] == 0x7B and source[place + 1] not in b" \t\n};" and before != b"$") or (
            source[place] == 0x23 and place and before not in b" \t\n;&|(){$`<>"
        ):
            made[place] = 0x5F
    return bytes(made)


def shown(text: str) -> str:
    """One character per byte → the text."""
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", "surrogateescape")
