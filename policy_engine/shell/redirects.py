"""Redirections and here-documents of a script: what they read and write, and what they feed.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.expansion import expanded
from policy_engine.filesystem.paths import OUTPUTS, PathValue, stream_of
from policy_engine.model.partial import FOLDER, GLOB, ONE, glob_folder, is_known, is_one_field, shown
from policy_engine.model.undecided import Undecided
from policy_engine.shell.name_lists import names_in
from policy_engine.shell.state import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.expansion import Expansion
    from policy_engine.shell.state import Context, State
    from policy_engine.shell.tree import Redirection
    from policy_engine.shell.walk import Walker

_MAKES = (">", ">>", ">|", "&>", "&>>")  # of which the target is made, and what was there is at most lost


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
    copied = 0  # of them, what was open before
    feed, sources, streams = context.feed, context.sources, {**state.streams, **context.streams}
    for node in nodes:
        standard = node.number in ("", "0")
        if node.operator[:2] == "<<":
            before = len(expansion.sources)
            if node.operator == "<<<":
                text = expansion.value(node.target.parts) + "\n"
            else:
                text = ONE if node.document is None else expansion.document(node.document)
            feed = text if standard or feed is None else ONE
            streams[_numbered(node, streams, state)] = Stream(text, (*expansion.sources[before:], text), ())
            sources = (*sources, *expansion.sources[before:], feed)
            continue
        before, texts = len(expansion.handed), len(expansion.sources)
        redirect = file_redirect(node, expansion, state, walker)
        handed, expansion.handed[before:] = expansion.handed[before:], []
        if node.operator[0] == "<":
            stream = streams.get(_copied(node, expansion)) if node.operator == "<&" else None
            if stream is None:
                given = handed[0] if len(handed) == 1 else ONE if handed else _listed(redirect, state, walker)
                paths = tuple([one.path for one in redirect])
                given = given if is_one_field(given.replace(GLOB, "")) else ONE
                stream = Stream(given, tuple(expansion.sources[texts:]), paths)
            elif standard:
                redirect = [Redirect(node.operator, path) for path in stream.paths if path.access == "read"]
                copied += len(redirect)
            streams[_numbered(node, streams, state)] = stream
            if standard:
                feed = stream.feed
                sources += stream.sources if node.operator == "<&" else ()
        opened += redirect
    shown = context.shown and not opened
    return opened, context.but(
        feed=feed, sources=sources, nonzero=context.nonzero and len(opened) == copied, shown=shown, streams=streams
    )


def _numbered(node: Redirection, streams: dict[str, Stream], state: State) -> str:
    """Return the number that a redirection opens; the shell gives the variable of `{NAME}<` the next one."""
    if node.number[:1] != "{":
        return node.number or "0"
    number = str(_FIRST_FREE + sum(int(one) >= _FIRST_FREE for one in streams))
    state.assign(node.number[1:-1], number)
    return number


def _copied(node: Redirection, expansion: Expansion) -> str:
    """Return the number of the descriptor that `<&` copies."""
    return expansion.constant(node.target).rstrip("-")


def standing(state: State, context: Context) -> tuple[tuple[Redirect, ...], Context]:
    """Return what a command reads whose standard input `exec` has opened, and where it stands then."""
    stream = state.streams.get("0")
    if stream is None or context.feed is not None or context.piped_from:
        return (), context
    opened = tuple([Redirect("<", path) for path in stream.paths if path.access == "read"])
    return opened, context.but(feed=stream.feed, sources=context.sources + stream.sources)


def named_streams(
    env: tuple[str, ...], argv: list[str], expansion: Expansion, context: Context, state: State
) -> tuple[tuple[str, ...], list[str]]:
    """Return words in which descriptors that the line has opened (`/dev/fd/3`) are named as process substitutions."""
    streams = {**state.streams, **context.streams}

    def renamed(word: str) -> str:
        before, equals, value = word.rpartition("=")
        number = stream_of(value)
        stream = streams.get(number) if number not in ("0", "1", "2") else None
        if stream is None or (stream.paths and not stream.sources):
            return word  # a file is known by what opened it
        expansion.handed.append(stream.feed)
        expansion.sources += stream.sources
        return f"{before}{equals}/dev/fd/{ONE}"

    return tuple(map(renamed, env)), list(map(renamed, argv))


_FIRST_FREE = 10  # the number that shells give descriptors of their own


def _listed(opened: list[Redirect], state: State, walker: Walker) -> str:
    """Return the names in a list that is opened for reading."""
    paths = [redirect.path for redirect in opened]
    return names_in(walker, paths[0].real, state.cwd) if len(paths) == 1 and paths[0].known else ONE


def file_redirect(node: Redirection, expansion: Expansion, state: State, walker: Walker) -> list[Redirect]:
    """Return what one redirection opens."""
    operator, target = node.operator, node.target.text
    if operator in ("<&", ">&") and (target == "-" or target.rstrip("-").isdigit()):
        own = node.number or ("0" if operator == "<&" else "1")
        return [_reopened(operator, target)] if target.rstrip("-") == "0" and own != "0" else []
    word = expansion.redirected(node.target, operator in _MAKES)
    if operator in ("<&", ">&") and word.isdecimal() and len(word) > 1:
        return []  # a stream that the line has opened
    return _opened(node, word, target, state, walker)


def _opened(node: Redirection, word: str, target: str, state: State, walker: Walker) -> list[Redirect]:
    operator, stream = node.operator, stream_of(word)
    if is_known(word) and word in ("/dev/null", "/dev/tty"):
        return []
    accesses = {"<": ("read",), "<&": ("read",), "<>": ("read", "write")}.get(operator, ("write",))
    as_input = node.number in ("", "0")
    if stream:
        harmless = as_input if accesses == ("read",) else accesses == ("write",) and stream in OUTPUTS
        return [] if harmless else [_reopened(operator, target)]
    names = [word]
    if accesses == ("read",) and GLOB in word and state.cwd is not None:
        names = expanded(word.removeprefix(FOLDER), state.cwd, walker.filesystem)  # the shell opens one of them, or all
        names = names if all(map(is_known, names)) else [word]
    if accesses == ("read",) and not as_input and (node.number in OUTPUTS or _copies(node.source)):
        accesses = ("read", "write")  # the name of a stream for output opens the file that it is once more, for writing
    return [Redirect(operator, place(name, target, access, state, walker)) for name in names for access in accesses]


def _copies(source: str) -> bool:
    """Return whether a stream may become an output that is called otherwise: by another copy than `2>&1` and `>&2`."""
    onto = [part.lstrip() for part in source.split(">&")[1:]]
    if any(part[:1] not in ("1", "2", "-") or part[1:2].isdecimal() for part in onto):
        return True
    return any(part[-1:].isdecimal() and part[-1:] != "0" for part in source.split("<&")[:-1])


def _reopened(operator: str, target: str) -> Redirect:
    """A file that is open for reading, which the name of its stream opens once more, for writing."""
    reason = f"which file `{operator}{shown(target)[:80]}` opens for writing is not known"
    return Redirect(operator, PathValue.unknown(shown(target), reason, "write"))


def place(word: str, target: str, access: str, state: State, walker: Walker) -> PathValue:
    """A word as the path that it names where the shell is; unknown if that cannot be had."""
    if word.startswith(f"/dev/fd/{ONE}") or (access == "write" and _is_own_socket(word)):
        return PathValue(shown(target), "/dev/fd/63", access)  # the pipe of a process substitution, or of a socket
    word = word.removeprefix(FOLDER)
    folder = glob_folder(word)
    if folder is None and not is_known(word):
        reason, loose = f"what `{shown(target)[:80]}` stands for is not known", ""
        try:
            if state.cwd is not None or word[:1] == "/":
                loose = walker.filesystem.loose(word, None if state.cwd is None else state.cwd.real, True)
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


def _is_own_socket(word: str) -> bool:
    """Return whether a redirection opens a connection to this machine: `/dev/tcp/localhost/8080`."""
    if not word.startswith(("/dev/tcp/", "/dev/udp/")):
        return False
    from policy_engine.model.addresses import leads_to

    host = word.split("/")[3]
    return is_known(host) and leads_to(host, "loopback")
