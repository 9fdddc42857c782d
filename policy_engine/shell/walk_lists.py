"""Sequences, `&&` and `||` lists, pipelines and coprocesses: their parts, in order.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.changes import unsure
from policy_engine.model.partial import ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.tree import Pipeline, Simple, Test, Word
from policy_engine.shell.walk_command import expand_simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell import tree
    from policy_engine.shell.state import Context, State
    from policy_engine.shell.walk import Walker


def walk_sequence(walker: Walker, sequence: tree.Sequence, context: Context, state: State) -> None:
    """Commands one after the other."""
    last = len(sequence.items) - 1
    for place, (node, background) in enumerate(sequence.items):
        if background:
            behind = context.but(zero=False, nonzero=False, background=True, forked=True)
            before = walker.filesystem
            walker.walk(node, behind, state.copy())
            walker.filesystem = unsure(walker.filesystem, before)
        elif place == last:
            walker.walk(node, context.unproven() if state.ended else context, state)
        else:
            # `set -e` ends the line for these, and only where nothing around them asks for their status
            stops = state.errexit and context.depth == 0 and type(node) in (Simple, Pipeline)
            zero = context.zero and stops and not state.ended
            walker.walk(node, context.but(zero=zero, nonzero=False), state)


def walk_and_or(walker: Walker, node: tree.AndOr, context: Context, state: State) -> None:
    """`a && b || c`: each part may fail; what is known behind the list is true for all ways through it."""
    places = [context]
    for operator, _ in reversed(node.items[1:]):
        outer = places[-1]
        places[-1] = outer.but(zero=outer.zero and operator == "&&", nonzero=outer.nonzero and operator == "||")
        places.append(places[-1])
    places.reverse()
    # `state` if all went well so far; `failed` where `||` goes on; `over` if the list ended before this part
    failed = over = state.copy()
    first = walker.filesystem
    for number, (operator, part) in enumerate(node.items):
        start = failed.copy() if operator == "||" else state.copy()
        begun = start.copy()
        place = places[number]
        if number and (missing := files_missing(walker, node.items[number - 1][1], operator == "&&", start)):
            place = place.but(missing=place.missing + missing)
        walker.walk(part, place, start)
        first = walker.filesystem if not number else first
        # a lone command that fails has changed nothing; for the rest of the line it is taken to succeed
        missed = begun if _is_lone(part) else _either(begun, start)
        if operator == "||":
            over, failed = start.copy(), missed  # whatever failed before has come here
            state.merge(start)
        else:
            over = start.copy() if not operator else _either(over, start)
            if not operator:
                failed = missed
            elif not _never_fails(part):
                failed = _either(failed, missed)
            state.take(start)
    state.merge(over)
    walker.filesystem = unsure(walker.filesystem, first)


_TESTS = ("-e", "-f")


def files_missing(walker: Walker, node: tree.Command, succeeded: bool, state: State) -> tuple[str, ...]:
    """Return the file that is not there, by how the test before has ended: `[ -f X ] ||`, `[ ! -f X ] &&`."""
    name, *words = walker.commands[-1].argv if walker.commands else ("",)
    words = words[:-1] if name in ("[", "[[") else words
    negated = words[:1] == ["!"]
    words = words[1:] if negated else words
    negated = negated is not (type(node) is Pipeline and node.keywords[:1] == ("!",))
    looks = name in ("[", "[[", "test") and len(words) == 2 and words[0] in _TESTS
    if not (looks or (name in ("ls", "stat") and len(words) == 1)) or succeeded is not negated:
        return ()
    if state.cwd is None or not is_known(words[-1]) or words[-1][:1] == "-":
        return ()
    try:
        return (walker.filesystem.resolve(words[-1], state.cwd.real).real,)
    except Undecided:
        return ()


def _is_lone(node: tree.Command) -> bool:
    if type(node) is Simple:
        return bool(node.words) or not node.assignments
    return type(node) is Test or (type(node) is Pipeline and len(node.commands) > 1)


def _never_fails(node: tree.Command) -> bool:
    """Return whether a command only gives variables known texts."""
    return type(node) is Simple and not node.words and "`" not in node.text and "$(" not in node.text


def _either(one: State, other: State) -> State:
    made = one.copy()
    made.merge(other)
    return made


def walk_pipeline(walker: Walker, node: tree.Pipeline, context: Context, state: State) -> None:
    """`! time a | b`: each part in a subshell; one alone is in this shell."""
    keywords = node.keywords
    timed = keywords[keywords.index("time") :] if "time" in keywords else ()
    if keywords[:1] == ("!",) or (timed and not (node.commands and type(node.commands[0]) is Simple)):
        context = context.unproven()
    if not node.commands:
        walker.emit(":", node, context, state)
        return
    if len(node.commands) == 1:
        _first(walker, node, timed, context, state)
        return
    context = context.within()
    programs, sources, feed = context.piped_from, context.sources, context.feed
    first = len(walker.commands)
    for number, part in enumerate(node.commands):
        last = number + 1 == len(node.commands)
        place = context.but(
            zero=context.zero and (last or state.pipefail), nonzero=context.nonzero and last and not state.pipefail,
            piped_from=programs, sources=sources, feed=feed, forked=True, shown=context.shown and last,
        )  # fmt: skip
        before = len(walker.commands)
        # zsh runs the last part in this shell
        inner = state if last and walker.dialect == "zsh" else state.copy()
        if number:
            walker.walk(part, place, inner)
            programs = (*programs, *walker.programs(before))
        else:
            _first(walker, node, timed, place, inner)
            programs = context.piped_from + walker.programs(before)
        sources = (*sources, part.text)[-8:]
        if context.shown and all(_shows(one, state) for one in node.commands[number + 1 :]):
            feed = ONE
        else:
            feed = walker.output(before)
    if feed is not None and walker.commands[first:]:
        walker.piped = (first, walker.commands[-1], feed)


def _first(walker: Walker, node: tree.Pipeline, timed: tuple[str, ...], context: Context, state: State) -> None:
    """The first command, before which `time` may stand."""
    first = node.commands[0]
    if timed and type(first) is Simple and first.words:
        expand_simple(walker, first, timed, node.source[node.start : first.end], context, state)
    else:
        walker.walk(first, context, state)


_SHOW = frozenset("head tail sort uniq wc cat less grep egrep fgrep rg cut tr nl column jq".split())


def _shows(node: tree.Command, state: State) -> bool:
    """Return whether a command does nothing but show what it is given: what that is need not be worked out."""
    if type(node) is not Simple or node.assignments or node.redirections or not node.words:
        return False
    word = node.words[0]
    name = (type(word) is Word and word.literal()) or ""
    return name in _SHOW and name not in state.functions and name not in state.aliases


_PIPE = "63"  # the number of a stream that is a pipe


def walk_coprocess(walker: Walker, node: tree.Coprocess, context: Context, state: State) -> None:
    """`coproc a`: in the background, in a shell of its own, between two pipes of the line."""
    context = context.but(feed=ONE)
    command = node.command
    if type(command) is Simple and command.words:
        expand_simple(walker, command, ("coproc",), node.text, context, state)
    else:
        walker.walk(command, context.unproven().but(background=True), state.copy())
    name = node.name or "COPROC"
    state.assign(name, _PIPE)
    state.assign_array(name, (_PIPE, _PIPE))
