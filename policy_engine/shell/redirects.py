"""Redirections and here-documents of a script → what they read and write, and what they feed.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import ONE, glob_folder, is_known, shown
from policy_engine.model.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.shell import script as scripts
from policy_engine.shell.expansion import Expansion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.shell.script import Script
    from policy_engine.shell.state import Context, State
    from policy_engine.shell.walk import Walker

_OPERATORS = ("<", ">", ">>", "&>", "&>>", "<&", ">&", ">|", "<&-", ">&-")
# Places that hold nothing, or are the streams that the command has anyway.
_NO_FILES = ("/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/", "/proc/self/fd/")


class Redirect:
    """One redirection: the operator as written, and the file."""

    __slots__ = ("op", "path")

    def __init__(self, op: str, path: PathValue) -> None:
        self.op = op
        self.path = path

    def __str__(self) -> str:
        return f"{self.op} {self.path}"


class Extra:
    """What stands around a statement and belongs to it: redirections, words behind them, a here-document's text."""

    __slots__ = ("redirects", "words", "feed", "sources")

    def __init__(self, redirects: list[Any], words: list[Any], feed: str | None) -> None:
        self.redirects = redirects
        self.words = words
        self.feed = feed
        self.sources: tuple[str, ...] = ()  # what is substituted in the text

    def with_outer(self, outer: Extra) -> Extra:
        """This, and what stands further out."""
        feed = self.feed if outer.feed is None else outer.feed
        made = Extra(self.redirects + outer.redirects, self.words + outer.words, feed)
        made.sources = self.sources + outer.sources
        return made


def file_redirect(
    script: Script, node: Any, expansion: Expansion, state: State, walker: Walker
) -> tuple[list[Redirect], list[Any]]:
    """One redirection → what it opens, and the words behind its target, which are the command's arguments."""
    parts = script.children(node, lines=False)
    if parts and parts[0].type == "file_descriptor":
        parts = parts[1:]
    if not parts or parts[0].type not in _OPERATORS:
        raise Undecided(f"the redirection `{script.shown(node.start_byte, node.end_byte)[:80]}` is not understood")
    operator = script.raw(parts[0])
    groups = words_between(script, parts[1:])
    if len(groups) > 1 and _is_descriptor(script, groups[-1]):
        groups.pop()
    if operator in ("<&-", ">&-"):
        return [], groups
    if not groups:
        raise Undecided(f"the redirection `{operator}` has no target")
    start, end, nodes = groups[0]
    target = scripts.shown(script.text[start:end])
    if operator in ("<&", ">&") and (target == "-" or target.rstrip("-").isdigit()):
        return [], groups[1:]
    found = expansion.words(script, start, end, nodes)
    words = found if len(found) == 1 else [f"\0?{target}"]
    return _opened(operator, words[0], target, state, walker), groups[1:]


def _is_descriptor(script: Script, group: tuple[int, int, list[Any]]) -> bool:
    """Whether a word is the number of the next redirection, which the grammar cuts off: `> f 2>&1`."""
    start, end, _ = group
    return script.text[start:end].isdigit() and script.text[end : end + 1] in ("<", ">")


def _opened(operator: str, word: str, target: str, state: State, walker: Walker) -> list[Redirect]:
    if is_known(word) and (word in _NO_FILES or word.startswith(_NO_FILES[-2:])):
        return []
    accesses = {"<": ("read",), "<&": ("read",), "<>": ("read", "write")}.get(operator, ("write",))
    return [Redirect(operator, place(word, target, access, state, walker)) for access in accesses]


def place(word: str, target: str, access: str, state: State, walker: Walker) -> PathValue:
    """A word as the path that it names where the shell is; unknown if that cannot be had."""
    if word.startswith(f"/dev/fd/{ONE}"):
        return PathValue(shown(target), "/dev/fd/63", access)  # the pipe of a process substitution
    folder = glob_folder(word)
    if folder is None and not is_known(word):
        return PathValue.unknown(shown(target), f"what `{shown(target)[:80]}` stands for is not known", access)
    text = word if folder is None else folder
    # what is left of `~` is a file's name
    text = f"./{text}" if text[:1] == "~" else text
    try:
        cwd = None if state.cwd is None else state.cwd.real
        if cwd is None and text[:1] != "/":
            raise Undecided(state.reason)
        return walker.world.resolve(text, cwd).with_access(access, folder is not None)
    except Undecided as unknown:
        return PathValue.unknown(shown(target), unknown.reasons[0], access)


def words_between(script: Script, parts: list[Any]) -> list[tuple[int, int, list[Any]]]:
    """Nodes → words as (start, end, nodes): what touches is one word, however the grammar cut it."""
    groups: list[tuple[int, int, list[Any]]] = []
    for part in parts:
        if groups and not script.text[groups[-1][1] : part.start_byte].replace("\\\n", ""):
            start, _, nodes = groups[-1]
            groups[-1] = (start, part.end_byte, [*nodes, part])
        else:
            groups.append((part.start_byte, part.end_byte, [part]))
    return groups


# ---- here-documents --------------------------------------------------------------------------------------------------


def heredoc(walker: Walker, script: Script, node: Any, extra: Extra, context: Context, state: State) -> list[Any]:
    """A here-document into `extra`; returns what the grammar put between its start and its text: `&&` and a statement,
    or the rest of a pipeline."""
    tail: list[Any] = []
    start = body = end = None
    reached = node.start_byte
    for part in node.children:
        if part.type not in ("heredoc_body", "heredoc_end"):
            script.need_blank(reached, part.start_byte, lines=False)
            reached = part.end_byte
        if part.type == "heredoc_start":
            start = part
        elif part.type == "heredoc_body":
            body = part
        elif part.type == "heredoc_end":
            end = part
        elif part.type in ("file_redirect", "herestring_redirect"):
            extra.redirects.append(part)
        elif part.type in ("&&", "||", "pipeline") or tail:
            tail.append(part)
        elif part.type in ("<<", "<<-"):
            continue
        elif part.is_named and part.type not in ("heredoc_redirect", "file_descriptor"):
            extra.words.append(part)
        else:
            raise Undecided("a here-document is not understood")
    if start is None or end is None or (tail and tail[0].type != "pipeline" and len(tail) != 2):
        raise Undecided("a here-document is not understood")
    extra.feed, extra.sources = _text(walker, script, node, start, body, end, context, state)
    return tail


def _text(
    walker: Walker, script: Script, node: Any, start: Any, body: Any, end: Any, context: Context, state: State
) -> tuple[str, tuple[str, ...]]:
    raw = script.raw(start)
    delimiter = raw.replace("'", "").replace('"', "").replace("\\", "")
    first = script.text.find("\n", start.end_byte) + 1
    closed = raw.count("'") % 2 == 0 and raw.count('"') % 2 == 0
    plain = delimiter and closed and all(char.isalnum() or char in "_-.!+:@%" for char in delimiter)
    behind = script.text[start.end_byte : start.end_byte + 1]
    if behind not in " \t\n;&|<>)" or not first or not plain or script.raw(end).strip("\t\n") != delimiter:
        raise Undecided("a here-document is not understood")
    if any(part.end_byte >= first for part in node.children if part.type not in ("heredoc_body", "heredoc_end")):
        raise Undecided("a here-document that begins within a longer line is not understood")
    tabs = "<<-" in script.text[node.start_byte : start.start_byte]
    place, lines = first, []
    while True:
        stop = script.text.find("\n", place)
        line = script.text[place : stop if stop >= 0 else len(script.text)]
        line = line.lstrip("\t") if tabs else line
        if delimiter == raw and (len(line) - len(line.rstrip("\\"))) % 2:
            raise Undecided("a continued line in a here-document is not understood")
        if line == delimiter:
            break
        if stop < 0:
            raise Undecided("a here-document does not end")
        lines.append(line + "\n")
        place = stop + 1
    mark = script.text.find(delimiter, end.start_byte)
    if mark < place or script.text[place:mark].strip("\t"):
        raise Undecided("a here-document is read in two ways")
    text = scripts.shown("".join(lines))
    if delimiter != raw:
        return text, ()
    expansion = Expansion(walker, context, state)
    return expansion.body(script, body, first, place, text), tuple(expansion.sources)
