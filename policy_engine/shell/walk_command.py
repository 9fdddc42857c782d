"""A simple command of a script → its words, redirections and assignments, handed on to what its program word means.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.environment import started_by
from policy_engine.shell.expansion import Expansion
from policy_engine.shell.names import RESERVED
from policy_engine.shell.redirects import Redirect, file_redirect, words_between
from policy_engine.shell.script import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.shell.redirects import Extra
    from policy_engine.shell.script import Script
    from policy_engine.shell.state import Context, State
    from policy_engine.shell.walk import Walker

_GROUPING = frozenset(("{", "}", "[[", "]]", "!", "((", "))"))
_KEYWORD_COMMANDS = ("time", "coproc")


class Simple:
    """A simple command while it is understood: `argv` with marks, `env`, `redirects`, and where it stands; `handed`
    what the process substitutions among its words print."""

    __slots__ = ("argv", "env", "redirects", "text", "context", "state", "handed")

    def __init__(
        self,
        argv: tuple[str, ...],
        env: tuple[str, ...],
        redirects: tuple[Redirect, ...],
        text: str,
        context: Context,
        state: State,
        handed: tuple[str, ...] = (),
    ) -> None:
        self.argv = argv
        self.env = env
        self.redirects = redirects
        self.text = text
        self.context = context
        self.state = state
        self.handed = handed

    def but(self, argv: tuple[str, ...], context: Context, env: tuple[str, ...] = ()) -> Simple:
        """The command that this one starts: its redirections stay with the outer one."""
        return Simple(argv, self.env + env, (), self.text, context, self.state, self.handed)


def walk_command(
    walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None
) -> None:
    """`A=1 name word > file`."""
    assignments, redirects, parts = [], list(extra.redirects) if extra else [], list(extra.words) if extra else []
    first: Any = None
    for part in script.children(node, lines=False):
        if part.type == "variable_assignment" and first is None:
            if _is_assignment(script, part):
                assignments.append(part)
            else:
                first = part
                parts.append(part)
        elif part.type in ("file_redirect", "herestring_redirect"):
            redirects.append(part)
        elif part.type == "command_name":
            first = part if first is None else first
            parts.append(part)
        elif part.type == "heredoc_redirect" or (part.type == "subshell"):
            raise Undecided(f"`{script.shown(node.start_byte, node.end_byte)[:80]}` is not understood")
        else:
            parts.append(part)
    _simple(walker, script, node, (assignments, redirects, parts, first), context, state, extra)


def _simple(
    walker: Walker,
    script: Script,
    node: Any,
    sorted_out: tuple[list[Any], list[Any], list[Any], Any],
    context: Context,
    state: State,
    extra: Extra | None,
    unset: bool = False,
) -> None:
    """The parts of a simple command: assignments, redirections, words, and which word is the first.

    What a variable that nobody knows stands for is not known; where it has a default, the command may also be the one
    with the default, and is looked at once more as that (`unset`).
    """
    assignments, redirects, parts, first = sorted_out
    expansion = Expansion(walker, context, state, unset)
    before, outer = state.copy(), context
    env = [assigned(script, part, expansion) for part in assignments]
    opened, context, parts = redirections(walker, script, redirects, expansion, context, state, extra, parts)
    groups = words_between(script, sorted(parts, key=lambda part: int(part.start_byte)))
    if groups and first is not None and groups[0][0] == first.start_byte:
        _refuse_keyword(shown(script.text[groups[0][0] : groups[0][1]].replace("\\\n", "")))
    elif groups:
        raise Undecided(f"`{script.shown(node.start_byte, node.end_byte)[:80]}` is not understood")
    if any(script.text[end : end + 1] in ("<", ">") and script.text[start:end].isdigit() for start, end, _ in groups):
        raise Undecided("the number of a stream is read in two ways")
    argv = tuple(word for group in groups for word in expansion.words(script, *group))
    if groups and _reads_as_assignment(script.text[groups[0][0] : groups[0][1]]):
        raise Undecided(f"`{script.shown(*groups[0][:2])[:80]}` is read in two ways")
    start, end = node.start_byte, max([node.end_byte, *(part.end_byte for part in redirects)])
    text = script.shown(start, end if extra is None or extra.feed is None else node.end_byte)
    context = context.but(
        piped_from=context.piped_from + tuple(expansion.fed), sources=context.sources + tuple(expansion.sources)
    )
    simple = Simple(argv, tuple(env), tuple(opened), text, context, state, tuple(expansion.handed))
    if env:
        started_by(walker, simple, simple.env)
    if not argv:
        for item in env:
            _assign(state, item)
        walker.emit_simple(Simple((":",), tuple(env), tuple(opened), text, context, state))
    else:
        walker.run(simple)
    if expansion.defaulted and not unset:
        _simple(walker, script, node, sorted_out, outer.unproven(), before, extra, True)


def _reads_as_assignment(raw: str) -> bool:
    """Whether the shell takes for an assignment what the grammar takes for a program."""
    name, equals, _ = raw.replace("\\\n", "").partition("=")
    return bool(equals) and name.removesuffix("+").partition("[")[0].isidentifier() and name.isascii()


def redirections(
    walker: Walker,
    script: Script,
    nodes: list[Any],
    expansion: Expansion,
    context: Context,
    state: State,
    extra: Extra | None,
    parts: list[Any],
) -> tuple[list[Redirect], Context, list[Any]]:
    opened: list[Redirect] = []
    feed, sources = context.feed, context.sources
    if extra is not None and extra.feed is not None:
        feed, sources = extra.feed, (*sources, *extra.sources, extra.feed)
    for node in sorted(nodes, key=lambda node: int(node.start_byte)):
        if node.type == "herestring_redirect":
            inner = script.children(node, lines=False)
            if inner and inner[0].type == "file_descriptor":
                inner = inner[1:]
            (group,) = words_between(script, inner[1:])
            feed = expansion.value(script, *group) + "\n"
            sources = (*sources, feed)
            continue
        before = len(expansion.handed)
        found, behind = file_redirect(script, node, expansion, state, walker)
        handed, expansion.handed[before:] = expansion.handed[before:], []
        opened += found
        parts = parts + [part for _, _, inside in behind for part in inside]
        if "<" in script.raw(node) and script.raw(node)[:1] in "<0":
            feed = handed[0] if len(handed) == 1 and is_known(handed[0]) else ONE
    if opened:
        context = context.but(nonzero=False)
    return opened, context.but(feed=feed, sources=sources), parts


def _refuse_keyword(word: str) -> None:
    """The grammar takes a misplaced keyword for a program; the shell does not."""
    if (word in RESERVED and word not in _KEYWORD_COMMANDS) or word in _GROUPING:
        raise Undecided(f"`{word}` is not understood here")


def _is_assignment(script: Script, node: Any) -> bool:
    """The grammar takes `--long=x` for one too."""
    name = script.raw(node.children[0]).partition("[")[0]
    return name.isidentifier() and name.isascii()


def assigned(script: Script, node: Any, expansion: Expansion) -> str:
    """An assignment as `NAME=value`; what cannot be told, such as an array, is marked."""
    parts = script.children(node, lines=False)
    name = shown(script.raw(parts[0]))
    operator = script.raw(parts[1])
    values = parts[2:]
    for before, after in zip(parts, parts[1:], strict=False):  # noqa: RUF007 - itertools costs the hook path an import
        if before.end_byte != after.start_byte:
            raise Undecided(f"the assignment `{script.shown(node.start_byte, node.end_byte)[:80]}` is not understood")
    if parts[0].type == "subscript" or any(value.type == "array" for value in values):
        expansion.pattern(script, node)
        if not any(value.type == "array" for value in values) and values:
            expansion.value(script, values[0].start_byte, values[-1].end_byte, values)  # which must be one word
        return f"{name.partition('[')[0]}={ONE}"
    value = ""
    if values:
        value = expansion.value(script, values[0].start_byte, values[-1].end_byte, values)
    if operator == "+=":
        known = expansion.state.value(name, expansion.walker.world) or ""
        value = known + value if is_known(known) else ONE
    if "[$(" in value or "[`" in value:
        reason = "arithmetic may run what is in a subscript"
        expansion.walker.unknown_command(reason, expansion.context, expansion.state)
    return f"{name}={value}"


def _assign(state: State, item: str) -> None:
    name, _, value = item.partition("=")
    state.assign(name, value)


def walk_assignments(
    walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None
) -> None:
    """`A=1 B=2` without a command."""
    nodes = [node] if node.type == "variable_assignment" else script.children(node, lines=False)
    expansion = Expansion(walker, context, state)
    if (extra and extra.words) or not all(_is_assignment(script, part) for part in nodes):
        place = next((number for number, part in enumerate(nodes) if not _is_assignment(script, part)), len(nodes))
        redirects, words = (list(extra.redirects), list(extra.words)) if extra else ([], [])
        _simple(
            walker,
            script,
            node,
            (nodes[:place], redirects, words + nodes[place:], (nodes[place:] + words)[0]),
            context,
            state,
            extra,
        )
        return
    env = []
    for part in nodes:
        item = assigned(script, part, expansion)
        _assign(state, item)
        env.append(item)
    opened, context, parts = redirections(
        walker, script, list(extra.redirects) if extra else [], expansion, context, state, extra, []
    )
    if parts:
        raise Undecided("an assignment is not understood")
    text = script.shown(node.start_byte, node.end_byte)
    context = context.but(sources=context.sources + tuple(expansion.sources))
    walker.emit_simple(Simple((":",), tuple(env), tuple(opened), text, context.unproven(), state))


def walk_declaration(
    walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None
) -> None:
    """`export A=1`, `declare`, `local`, `readonly`, `typeset`, `unset`: words that the grammar knows by name."""
    expansion = Expansion(walker, context, state)
    parts = script.children(node, lines=False)
    redirects = list(extra.redirects) if extra else []
    opened, context, parts = redirections(walker, script, redirects, expansion, context, state, extra, parts)
    argv: list[str] = []
    for part in parts:
        if part.type in ("file_redirect", "herestring_redirect", "heredoc_redirect"):
            raise Undecided(f"`{script.shown(node.start_byte, node.end_byte)[:80]}` is not understood")
        if part.type == "variable_assignment":
            argv.append(assigned(script, part, expansion))
        else:
            argv += expansion.words(script, part.start_byte, part.end_byte, [part])
    text = script.shown(node.start_byte, node.end_byte)
    context = context.but(sources=context.sources + tuple(expansion.sources))
    walker.run(Simple(tuple(argv), (), tuple(opened), text, context, state))
