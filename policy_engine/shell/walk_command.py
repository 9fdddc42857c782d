"""A simple command: its words, redirections and assignments, handed on to what its program word means.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.changes import unsure
from policy_engine.model.partial import FOUND, GLOB, ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.defaults import MAKES, NAMES
from policy_engine.shell.environment import prompted, started_by
from policy_engine.shell.expansion import Expansion, names_in
from policy_engine.shell.redirects import named_streams, redirections, standing
from policy_engine.shell.tree import Assignment, Substitution, Text, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.shell import tree
    from policy_engine.shell.redirects import Redirect
    from policy_engine.shell.state import Context, State
    from policy_engine.shell.walk import Walker


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


def walk_simple(walker: Walker, node: tree.Simple, context: Context, state: State) -> None:
    """`A=1 name word >file`."""
    expand_simple(walker, node, (), node.text, context, state)


def expand_simple(
    walker: Walker, node: tree.Simple, before: tuple[str, ...], text: str, context: Context, state: State
) -> None:
    """A simple command behind keywords that are taken for its program: `time a`.

    What a variable that nobody knows stands for is not known; where it has a default, the command may also be the one
    with the default, and is looked at once more as that. Where it runs in one of several folders, or a variable of it
    has one of a few values, it is looked at in each, with each.
    """
    if state.cwd is None and state.folders:
        here = [state.copy() for _ in state.folders]
        for each, folder in zip(here, state.folders, strict=True):
            each.enter(*folder)
        _expand_in_each(walker, node, before, text, context, state, here)
        return
    if state.choices and "$" in text and (here := state.chosen(names_in(text))):
        _expand_in_each(walker, node, before, text, context, state, here)
        return
    if walker.proven and context.whole and id(node) in walker.proven:
        context = context.but(zero=True, proved=True, background=False)  # one that is waited for
    braces = text.count("${")
    start = state.copy() if braces or state.defaults else state
    expansion = Expansion(walker, context, state)
    name = node.words[0].text if node.words and not before else ""
    expansion.trusting = name in MAKES or (walker.naming and name in NAMES)
    expansion.several = braces > 1
    if _is_found(walker, node, before, text, expansion):
        return
    _expand(walker, node, before, text, expansion)
    if expansion.defaulted:
        _expand(walker, node, before, text, Expansion(walker, context.unproven(), start, unset=True))
        state.default(start, expansion.free)


def _is_found(walker: Walker, node: tree.Simple, before: tuple[str, ...], text: str, expansion: Expansion) -> bool:
    """Look at a command whose program a substitution prints with each that it may be; return whether that is known."""
    first = node.words[0] if node.words and not before else None
    if type(first) is not Word or len(first.parts) != 1 or type(first.parts[0]) is not Substitution:
        return False
    part, state, ends = first.parts[0], expansion.state, []
    expansion.given[id(part)] = expansion.substitution(part)
    filesystem = walker.filesystem
    for value in expansion.outcomes:
        ends.append(state.copy())
        looked = Expansion(walker, expansion.context.but(zero=False, nonzero=False, whole=False), ends[-1])
        looked.given[id(part)] = value
        _expand(walker, node, before, text, looked)
    if ends:
        _join(walker, state, ends, filesystem)
    return bool(ends)


def _join(walker: Walker, state: State, ends: list[State], before: FileSystem) -> None:
    """Know what is true behind a command of which one of several happened."""
    state.take(ends[0])
    for end in ends[1:]:
        state.merge(end)
    walker.filesystem = unsure(walker.filesystem, before)


_NAMING = frozenset(("-A", "-Ar", "-rA", "-Ag", "-gA"))  # options with which the elements of an array have names


def _expand_in_each(
    walker: Walker,
    node: tree.Simple,
    before: tuple[str, ...],
    text: str,
    context: Context,
    state: State,
    states: list[State],
) -> None:
    """A simple command that runs in one of several states: what it changes may have happened in any of them."""
    filesystem, place = walker.filesystem, context.but(zero=False, nonzero=False, whole=False)
    for here in states:
        expand_simple(walker, node, before, text, place, here)
    _join(walker, state, states, filesystem)


def _expand(walker: Walker, node: tree.Simple, before: tuple[str, ...], text: str, expansion: Expansion) -> None:
    state, context = expansion.state, expansion.context
    if not node.words and not before:
        _without_words(walker, node, text, expansion)
        return
    env = tuple([expansion.assigned(part) for part in node.assignments])
    opened: tuple[Redirect, ...] = ()
    if state.streams:
        opened, context = standing(state, context)
    if node.redirections:
        redirects, context = redirections(node.redirections, expansion, context, state, walker)
        opened += tuple(redirects)
    argv = list(before)
    tests = bool(node.words) and node.words[0].text == "["
    for part in node.words:
        if type(part) is Assignment:
            argv.append(expansion.assigned(part))
        elif tests:
            expansion.run(part.parts)  # type: ignore[union-attr]
            argv.append(expansion.constant(part))  # type: ignore[arg-type]
        else:
            expansion.starting = not argv
            argv += [_unmatched(word, walker, state) for word in expansion.words(part)]  # type: ignore[arg-type]
    expansion.starting = False
    if context.streams or state.streams:
        env, argv = named_streams(env, argv, expansion, context, state)
    _start(argv, node, state)
    if expansion.sources or expansion.fed:
        context = context.but(
            piped_from=context.piped_from + tuple(expansion.fed), sources=context.sources + tuple(expansion.sources)
        )
    simple = Simple(tuple(argv), env, opened, text, context, state, tuple(expansion.handed))
    if env:
        started_by(walker, simple, env)
    if argv:
        walker.run(simple)
        if argv[0] in ("export", "local", "declare", "readonly", "typeset"):
            _choose(state, expansion)
        options = {word for word in argv[1:] if word[:1] in "-+"}
        if argv[0] in ("declare", "typeset", "local") and options and options <= _NAMING:
            for name, keys in expansion.keys.items():
                state.assign_keys(name, keys)
        return
    for item in env:
        _assign(state, item)
    walker.emit_simple(Simple((":",), env, opened, text, context, state))


def _start(argv: list[str], node: tree.Simple, state: State) -> None:
    """Take the program that the shell finds by its name for what it is, and none where only options are left."""
    first = node.words[0] if argv and node.words else None
    if type(first) is not Word or not first.parts or type(first.parts[0]) is Text:
        return
    name = argv[0].removeprefix(FOUND)
    if name != argv[0] and is_known(name) and name not in state.functions and not state.aliases and not state.altered:
        argv[0] = name
    elif argv[0][:1] == "-" and is_known(argv[0]):
        argv[:] = [":", *argv]  # there is no such program


def _unmatched(word: str, walker: Walker, state: State) -> str:
    """Return an option with a pattern, `--include=*.py`, as it is where no file of the folder begins with its sign, and
    no option of the shell may drop it.
    """
    if state.altered or word[:1] != "-" or GLOB not in word or not is_known(word.replace(GLOB, "")):
        return word
    try:
        files = walker.filesystem.names(state.cwd) if state.cwd is not None else ["-"]
    except Undecided:
        return word
    return word if any(name[:1] == "-" for name in files) else word.replace(GLOB, "")


def _without_words(walker: Walker, node: tree.Simple, text: str, expansion: Expansion) -> None:
    """`A=1 B=2 >file`, without a command."""
    state, context = expansion.state, expansion.context
    env = []
    for part in node.assignments:
        item = expansion.assigned(part)
        _assign(state, item)
        _choose(state, expansion)
        for name, elements in expansion.arrays.items():
            state.assign_array(name, elements)
        expansion.arrays.clear()
        env.append(item)
    opened, context = redirections(node.redirections, expansion, context, state, walker)
    context = context.but(sources=context.sources + tuple(expansion.sources))
    simple = Simple((":",), tuple(env), tuple(opened), text, context.unproven(), state)
    walker.emit_simple(simple)
    prompted(walker, simple, simple.env)


def _choose(state: State, expansion: Expansion) -> None:
    for name, values in expansion.alternatives.items():
        state.choose(name, values)
    expansion.alternatives.clear()


def _assign(state: State, item: str) -> None:
    name, _, value = item.partition("=")
    state.assign(name, value)


__all__ = ["ONE", "Simple", "expand_simple", "walk_simple"]
