"""Redirections and here-documents of a script: what they read and write, and what they feed.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.expansion import expanded
from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import FOLDER, GLOB, ONE, glob_folder, is_known, shown
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.expansion import Expansion
    from policy_engine.shell.state import Context, State
    from policy_engine.shell.tree import Redirection
    from policy_engine.shell.walk import Walker

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


def redirections(
    nodes: tuple[Redirection, ...], expansion: Expansion, context: Context, state: State, walker: Walker
) -> tuple[list[Redirect], Context]:
    """Return what redirections open, and where the command stands behind them: with what it is fed."""
    opened: list[Redirect] = []
    feed, sources = context.feed, context.sources
    for node in nodes:
        standard = node.number in ("", "0")
        if node.operator[:2] == "<<":
            before = len(expansion.sources)
            if node.operator == "<<<":
                text = expansion.value(node.target.parts) + "\n"
            else:
                text = ONE if node.document is None else expansion.document(node.document)
            feed = text if standard or feed is None else ONE
            sources = (*sources, *expansion.sources[before:], feed)
            continue
        before = len(expansion.handed)
        redirect = file_redirect(node, expansion, state, walker)
        handed, expansion.handed[before:] = expansion.handed[before:], []
        opened += redirect
        if node.operator[0] == "<" and standard:
            feed = handed[0] if len(handed) == 1 and is_known(handed[0]) else ONE
    return opened, context.but(feed=feed, sources=sources, nonzero=context.nonzero and not opened)


def file_redirect(node: Redirection, expansion: Expansion, state: State, walker: Walker) -> list[Redirect]:
    """Return what one redirection opens."""
    operator, target = node.operator, node.target.text
    if operator in ("<&", ">&") and (target == "-" or target.rstrip("-").isdigit()):
        return []
    words = expansion.words(node.target)
    word = words[0] if len(words) == 1 else f"{ONE}{target}"
    return _opened(operator, word, target, state, walker)


def _opened(operator: str, word: str, target: str, state: State, walker: Walker) -> list[Redirect]:
    if is_known(word) and (word in _NO_FILES or word.startswith(_NO_FILES[-2:])):
        return []
    accesses = {"<": ("read",), "<&": ("read",), "<>": ("read", "write")}.get(operator, ("write",))
    if accesses == ("read",) and GLOB in word and state.cwd is not None:
        names = expanded(word.removeprefix(FOLDER), state.cwd, walker.filesystem)  # the shell opens one of them, or all
        if all(map(is_known, names)):
            return [Redirect(operator, place(name, target, "read", state, walker)) for name in names]
    return [Redirect(operator, place(word, target, access, state, walker)) for access in accesses]


def place(word: str, target: str, access: str, state: State, walker: Walker) -> PathValue:
    """A word as the path that it names where the shell is; unknown if that cannot be had."""
    if word.startswith(f"/dev/fd/{ONE}"):
        return PathValue(shown(target), "/dev/fd/63", access)  # the pipe of a process substitution
    word = word.removeprefix(FOLDER)
    folder = glob_folder(word)
    if folder is None and not is_known(word):
        reason, loose = f"what `{shown(target)[:80]}` stands for is not known", ""
        try:
            if state.cwd is not None or word[:1] == "/":
                loose = walker.filesystem.loose(word, None if state.cwd is None else state.cwd.real)
        except Undecided:
            pass
        return PathValue.unknown(shown(word if loose else target), reason, access).at(loose)
    text = word if folder is None else folder
    # what is left of `~` is a file's name
    text = f"./{text}" if text[:1] == "~" else text
    try:
        cwd = None if state.cwd is None else state.cwd.real
        if cwd is None and text[:1] != "/":
            raise Undecided(state.reason)
        return walker.filesystem.resolve(text, cwd).with_access(access, folder is not None)
    except Undecided as unknown:
        return PathValue.unknown(shown(target), unknown.reasons[0], access)
