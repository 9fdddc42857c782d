"""Read which line of text an `echo` or a `printf` of a script prints, and where such lines can be seen in its output.

Imported when a line ran tests.
"""

from __future__ import annotations

import re

from policy_engine.shell import tree
from policy_engine.shell.script_words import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

_BLANK = " "
_ECHO_OPTION = re.compile(r"-[neE]+(?: |$)")
_PLACES = re.compile(r"(%%|%[dis])")


def visible(script: tree.Sequence) -> Iterator[tree.Simple]:
    """Yield the simple commands of a script whose output stands in its own: no loop, pipe, or shell around them."""
    waiting: list[Any] = [node for node, background in script.items if not background]
    while waiting:
        node = waiting.pop()
        if type(node) is tree.Simple:
            yield node
        elif type(node) is tree.AndOr:
            waiting += [part for _, part in node.items]
        elif type(node) in (tree.If, tree.Group) and not node.redirections and not getattr(node, "subshell", False):
            bodies = [node.body] if type(node) is tree.Group else [body for _, body in node.branches]
            bodies += [node.otherwise] if getattr(node, "otherwise", None) is not None else []
            waiting += [one for body in bodies for one, background in body.items if not background]


def line_of(node: tree.Simple) -> list[Any] | None:
    """Return the line that an `echo` or a `printf` prints, as texts and expansions; None where it is not followed."""
    words, name = node.words[1:], plain(node.words[0]) if node.words else None
    if any(type(word) is not tree.Word for word in words) or name not in ("echo", "printf"):
        return None
    parts = _echoed(words) if name == "echo" else _formatted(words)
    if parts is None or any(type(part) is str and ("\\" in part or "\n" in part) for part in parts):
        return None
    return parts


def _echoed(words: Sequence[Any]) -> list[Any] | None:
    parts = [part for number, word in enumerate(words) for part in ([_BLANK] if number else []) + _parts(word)]
    start = "".join(part if type(part) is str else "$" for part in parts)
    return None if _ECHO_OPTION.match(start) else parts


def _formatted(words: Sequence[Any]) -> list[Any] | None:
    """A `printf` whose format ends the line, with a word for each of its places."""
    pattern = plain(words[0]) if words else None
    if pattern is None or pattern[:1] == "-" or not pattern.endswith("\\n"):
        return None
    parts: list[Any] = []
    rest = list(words[1:])
    for piece in _PLACES.split(pattern[:-2]):
        if not _PLACES.fullmatch(piece):
            parts.append(piece)
        elif piece == "%%":
            parts.append("%")
        elif rest:
            parts += _parts(rest.pop(0))
        else:
            return None
    return None if rest or any(type(part) is str and "%" in part and part != "%" for part in parts) else parts


def _parts(word: tree.Word) -> list[Any]:
    return [part.text if isinstance(part, tree.Text) else part for part in word.parts]


def shows_zero(line: tuple[str, str], printed: str) -> bool:
    """Return whether what was printed has a line with the status 0, and none with another, or that may be one."""
    status = r"(\d+)".join(map(re.escape, line)) + r"[ \t\r]*$"
    alone = re.search("^" + status, printed, re.MULTILINE)
    return alone is not None and all(int(one) == 0 for one in re.findall(status, printed, re.MULTILINE))


def has_line(text: str, printed: str) -> bool:
    """Return whether a line of what was printed is this one."""
    return re.search(f"^{re.escape(text.rstrip())}[ \\t\\r]*$", printed, re.MULTILINE) is not None


def has_end(text: str, printed: str) -> bool:
    """Return whether a line of what was printed ends so, as where what is before it ended no line."""
    return re.search(f"{re.escape(text.rstrip())}[ \\t\\r]*$", printed, re.MULTILINE) is not None
