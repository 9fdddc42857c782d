"""Compound commands: groups, subshells, `if`, loops, `case`, conditions, functions, and the commands in them.

A branch may or may not run, a loop any number of times: afterwards only that is known which is true either way.
Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import GLOB, MANY, ONE, is_known, is_one_field
from policy_engine.model.undecided import Undecided
from policy_engine.shell.expansion import Expansion
from policy_engine.shell.folders import folders_entered
from policy_engine.shell.jumps import land
from policy_engine.shell.name_lists import leaves_files
from policy_engine.shell.redirects import redirections
from policy_engine.shell.walk_command import Simple
from policy_engine.shell.walk_lists import files_missing, walk_sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.shell import tree
    from policy_engine.shell.state import Context, State
    from policy_engine.shell.walk import Walker

_MOST_ROUNDS = 64  # values of a loop that are looked at one by one


def around(walker: Walker, node: tree.Compound, context: Context, state: State) -> Context:
    """The redirections around a compound command, as a command that does nothing else; the context within."""
    nodes = node.redirections
    if not nodes:
        return context
    expansion = Expansion(walker, context, state)
    opened, inner = redirections(nodes, expansion, context, state, walker)
    if opened:
        text = node.source[nodes[0].start : nodes[-1].end]
        outer = context.unproven().but(feed=ONE, sources=inner.sources + tuple(expansion.sources))
        walker.emit_simple(Simple((":",), (), tuple(opened), text, outer, state))
    return inner.but(nonzero=False, sources=context.sources)


def walk_group(walker: Walker, node: tree.Group, context: Context, state: State) -> None:
    """`{ …; }` in this shell, `( … )` in one of its own."""
    inner = around(walker, node, context, state).within()
    walk_sequence(walker, node.body, inner, state.copy() if node.subshell else state)


def walk_arithmetic(walker: Walker, node: tree.ArithmeticCommand, context: Context, state: State) -> None:
    """`(( … ))`."""
    inner = around(walker, node, context, state).within()
    Expansion(walker, context, state).arithmetic(node.expression)
    walker.emit(":", node, inner, state)


def walk_if(walker: Walker, node: tree.If, context: Context, state: State) -> None:
    """`if … then … elif … else … fi`."""
    inner = around(walker, node, context, state).within(zero=False, nonzero=False)
    ends: list[State] = []
    for condition, body in node.branches:
        before = state.copy()
        walk_sequence(walker, condition, inner, state)
        taken = state.copy()
        last = condition.items[-1][0]
        missing = inner.missing + files_missing(walker, last, True, state)
        inner = inner.but(missing=inner.missing + files_missing(walker, last, False, state))
        walk_sequence(walker, body, inner.but(missing=missing), taken)
        ends.append(taken)
        state.merge(before)
    if node.otherwise is not None:
        walk_sequence(walker, node.otherwise, inner, state)
    for end in ends:
        state.merge(end)


def walk_while(walker: Walker, node: tree.While, context: Context, state: State) -> None:
    """`while … do … done`, `until`."""
    inner = around(walker, node, context, state).within(zero=False, nonzero=False)

    names = _read_name(node)
    lines = _collapsed([line for line in (inner.feed or "").split("\n") if line]) if names else []
    if names and lines and len(lines) <= _MOST_ROUNDS and all(is_one_field(line.replace(GLOB, "")) for line in lines):
        _loop(walker, state, _round(walker, node, inner, names, ONE),
              [_round(walker, node, inner, names, line) for line in lines])  # fmt: skip
        return

    def once(current: State) -> None:
        walk_sequence(walker, node.condition, inner, current)
        walk_sequence(walker, node.body, inner, current)

    endless = node.condition.text.rstrip("; \t\n") in ("true", ":", "((1))", "[ 1 ]")
    if endless and all(background for _, background in node.body.items):
        walker.emit("fork-bomb", node, inner, state)

    def leave(current: State) -> None:
        kept, walker.commands = walker.commands, []
        walk_sequence(walker, node.condition, inner, current)
        walker.commands = kept

    _loop(walker, state, once, [once], leave)


def _read_name(node: tree.While) -> str:
    """The variable that `while IFS= read -r NAME` gives one line after the other; "" for other conditions."""
    words = node.condition.text.rstrip("; \t\n").split()
    if words[:1] == ["IFS="]:
        words = words[1:]
    options = [word for word in words[1:-1] if word not in ("-r", "-d", "''")]
    return words[-1] if words[:1] == ["read"] and len(words) > 1 and not options and words[-1].isidentifier() else ""


def _round(walker: Walker, node: tree.While, inner: Context, name: str, value: str) -> Callable[[State], None]:
    """One round of a loop that reads lines, of which this is one."""

    def one(current: State) -> None:
        walk_sequence(walker, node.condition, inner, current)
        current.assign(name, value)
        walk_sequence(walker, node.body, inner, current)

    return one


def walk_for(walker: Walker, node: tree.For, context: Context, state: State) -> None:
    """`for x in …; do … done`, `select`."""
    inner = around(walker, node, context, state).within(zero=False, nonzero=False)
    values = _values(walker, node, inner, state)
    if walker.proven is not None and state.cwd is not None:
        from policy_engine.shell.script_words import matched

        values = [name for value in values for name in matched(value, state.cwd.real, walker.filesystem)]
    if "cd " in node.body.text and state.cwd is not None and all(map(leaves_files, walker.commands)):
        values = folders_entered(values, state.cwd, walker.filesystem)
    rounds = values = _collapsed(values)
    if node.select or len(values) > _MOST_ROUNDS or any(MANY in value for value in values):
        rounds = [MANY if any(MANY in value for value in values) else ONE]
        if len(values) == 1 and not node.select:
            rounds = values

    def turn(value: str) -> Callable[[State], None]:
        def one(current: State) -> None:
            if node.name in current.tied:
                raise Undecided("which variable another one names is not known")
            current.assign(node.name, value.replace(MANY, ONE))
            walk_sequence(walker, node.body, inner, current)

        return one

    exact = rounds is values and (walker.proven is not None or all(map(is_known, values)))
    _loop(walker, state, turn(ONE), [turn(value) for value in rounds], exact=exact)


def _collapsed(values: list[str]) -> list[str]:
    """Known names of files, by folder where there are too many to look at one by one."""
    if len(values) <= _MOST_ROUNDS or not all(map(is_known, values)):
        return values
    folders = dict.fromkeys(value.rpartition("/")[0] for value in values)
    return [f"{folder}/{GLOB}*" if folder else f"{GLOB}*" for folder in folders]


def walk_arithmetic_for(walker: Walker, node: tree.ArithmeticFor, context: Context, state: State) -> None:
    """`for (( … ))`."""
    inner = around(walker, node, context, state).within(zero=False, nonzero=False)
    Expansion(walker, inner, state).arithmetic(node.expression)

    def once(current: State) -> None:
        walk_sequence(walker, node.body, inner, current)

    _loop(walker, state, once, [once])


def _values(walker: Walker, node: tree.For, context: Context, state: State) -> list[str]:
    if node.words is None:
        known = state.positional
        return [MANY] if known is None else list(known[1:])
    expansion = Expansion(walker, context, state)
    return [value for word in node.words for value in expansion.words(word)]


def _loop(
    walker: Walker,
    state: State,
    once: Callable[[State], None],
    rounds: list[Callable[[State], None]],
    leave: Callable[[State], None] | None = None,
    exact: bool = False,
) -> None:
    """The rounds of a loop, each of which may be the last; `once` is any of them, `leave` what is done after it;
    `exact`: there are no others."""
    before, exits = state.copy(), walker.exits
    walker.loops.append([])
    moves = walker.moves
    if not exact:
        _widen(walker, state, once)
    if walker.moves != moves:
        folders = state.possible()
        _widen(walker, state, once)  # where it goes may depend on what the first round changes
        if state.possible() != folders:
            state.lose_cwd("how often a loop changes the folder is not known")
    left: list[State] = []
    for turn in rounds:
        turn(state)
        left += walker.loops[-1]
        land(state, walker.loops[-1])
    if not exact or not rounds:
        state.merge(before)
    if leave is not None:
        leave(state)
    land(state, left)
    land(state, walker.loops.pop())
    state.ended = before.ended or (state.ended and walker.exits != exits)


def _widen(walker: Walker, state: State, once: Callable[[State], None]) -> None:
    """Forget what one round of a loop changes, for it may have run before; its commands are not counted here."""
    touched, state.touched = state.touched, set()
    trial = state.copy()
    kept, traps, walker.commands = walker.commands, list(walker.traps), []
    once(trial)
    land(trial, walker.loops[-1])
    walker.commands, walker.traps = kept, traps
    if not trial.gone:
        state.merge(trial)
    for name in state.touched:
        state.lose(name)
    state.touched |= touched


def walk_case(walker: Walker, node: tree.Case, context: Context, state: State) -> None:
    """`case … in a|b) … ;; esac`: every branch may run, also after another one (`;&`)."""
    inner = around(walker, node, context, state).within(zero=False, nonzero=False)
    expansion = Expansion(walker, inner, state)
    expansion.words(node.word)
    ends: list[State] = []
    for patterns, body in node.clauses:
        taken = state.copy()
        for end in ends[-1:]:
            taken.merge(end)
        for pattern in patterns:
            expansion.run(pattern.parts)
        walk_sequence(walker, body, inner, taken)
        ends.append(taken)
    if node.clauses and any(pattern.literal() == "*" for pattern in node.clauses[-1][0]):
        state.take(ends.pop())  # one of them does
    for end in ends:
        state.merge(end)


def walk_test(walker: Walker, node: tree.Test, context: Context, state: State) -> None:
    """`[[ … ]]`: what is in it is looked at, not run."""
    expansion = Expansion(walker, context, state)
    opened, inner = redirections(node.redirections, expansion, context, state, walker)
    words = ["["]
    for item in node.items:
        if isinstance(item, str):
            words.append(item)
        else:
            expansion.run(item.parts)
            words.append(expansion.constant(item))
    expansion.subscripts(node.text, False)
    walker.emit_simple(Simple((*words, "]"), (), tuple(opened), node.text, inner, state))


def walk_function(walker: Walker, node: tree.Function, context: Context, state: State) -> None:
    """`f() { … }`: nothing runs yet."""
    state.functions[node.name] = (node,)
    walker.defined(node, context, state)
