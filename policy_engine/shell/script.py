"""A script's text → its tree with the text of every node; refuses text that the grammar's nodes do not cover.

One character stands for one byte here, so that the grammar's offsets are ours. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided
from policy_engine.shell.grammar import script_tree
from policy_engine.shell.stand_in import StandIn, second_try

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Node = Any  # a node of tree-sitter

_BLANKS = " \t"
_AROUND = " \t\n;&|()<>`"
_KEYWORDS = frozenset(
    ("if then elif else fi for select while until do done case in esac function { } ! [[ ]] [ ]").split()
)
# Nodes whose children are statements: only there a keyword may stand before a compound command.
_SEQUENCES = frozenset(
    (
        "program compound_statement subshell do_group if_statement elif_clause else_clause while_statement case_item "
        "list pipeline command_substitution process_substitution negated_command"
    ).split()
)


class Script:
    """One text of shell code: `text` with a character per byte, `root` the root node; `prefixes` where a compound
    command begins → where the `!`, `time` or `coproc` before it does; `hides_code` whether it may hold a substitution.
    """

    __slots__ = ("text", "root", "prefixes", "hides_code")

    def __init__(self, code: str) -> None:
        """Raises Undecided if it does not parse."""
        source = code.encode("utf-8", "surrogateescape")
        self.text = source.decode("latin-1")
        self.hides_code = "`" in self.text or "$(" in self.text or "<(" in self.text or ">(" in self.text
        parts = [part for part in self.text.split("\\\n") if part]
        if any(one[-1].isdigit() and other[0] in "<>" for one, other in zip(parts, parts[1:], strict=False)):  # noqa: RUF007 - as in walk_command
            raise Undecided("a redirection with a break in it is not understood")
        given = StandIn(source, blot=b"<<" in source)
        self.prefixes = given.prefixes
        self.root = _tree(given.source)
        if not all(map(self._is_text, given.texts)):
            self.root = _tree(StandIn(source, blot=False).source)
        self._need_joined(0, self.root, lines=True)

    def _is_text(self, place: int) -> bool:
        """Whether the grammar takes what begins there for the text of a here-document."""
        node = self.root.descendant_for_byte_range(place, place + 1)
        return node is not None and node.type in ("heredoc_body", "heredoc_content") and node.start_byte == place

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
        found: list[Node] = []
        place = node.start_byte
        for child in node.children:
            if child.start_byte in self.prefixes and node.type in _SEQUENCES:
                self._need_joined(place, child, lines)
            else:
                self.need_blank(place, child.start_byte, lines)
            if place < child.start_byte and found and found[-1].type.endswith(("_redirect", "variable_assignment")):
                self._need_end(place, child.start_byte)
            if child.type == "comment":
                self._need_comment(child.start_byte)
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

    def _need_end(self, start: int, end: int) -> None:
        """Something that ends a word: where only line breaks are continued, the shell reads one word on."""
        if not self.text[start:end].replace("\\\n", ""):
            raise Undecided("a word that is continued is read in two ways")

    def _need_comment(self, start: int) -> None:
        """A `#` behind a continued word belongs to it."""
        while self.text[max(0, start - 2) : start] == "\\\n":
            start -= 2
            if start and self.text[start - 1] not in _AROUND:
                raise Undecided("a comment is read in two ways")

    def _need_joined(self, start: int, statement: Node, lines: bool) -> None:
        """Only blanks, and keywords that belong to the statement, stand before it."""
        end = statement.start_byte
        self.need_blank(start, max(start, self.prefixes.get(end, end)), lines)

    def prefix(self, node: Node) -> str:
        """The keywords before a compound command, "" if there are none."""
        start = self.prefixes.get(node.start_byte)
        return "" if start is None else self.text[start : node.start_byte]

    def need_blank(self, start: int, end: int, lines: bool) -> None:
        """Raise Undecided unless only blanks and continued lines stand between two offsets."""
        if start >= end:
            return
        gap = self.text[start:end]
        if gap.strip(_BLANKS) and gap.replace("\\\n", "").strip(_BLANKS + "\n" if lines else _BLANKS):
            raise Undecided(f"`{shown(gap)[:80]}` is read in two ways")


def _tree(source: bytes) -> Node:
    try:
        return script_tree(source)
    except Undecided:
        again = second_try(source)
        if again == source:
            raise
        return script_tree(again)


def shown(text: str) -> str:
    """One character per byte → the text."""
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", "surrogateescape")
