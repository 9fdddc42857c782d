"""Compound commands of a script: groups, subshells, `if`, loops, `case`, functions → the commands in them.

A branch may or may not run, a loop any number of times: afterwards only that is known which is true either way.
Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import MANY, ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.expansion import Expansion
from policy_engine.shell.jumps import land
from policy_engine.shell.redirects import words_between
from policy_engine.shell.script import shown
from policy_engine.shell.walk_lists import SEPARATORS, need_statement, walk_sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.shell.redirects import Extra
    from policy_engine.shell.script import Script
    from policy_engine.shell.state import Context, State
    from policy_engine.shell.walk import Walker

_MOST_ROUNDS = 64  # values of a loop that are looked at one by one


def walk_group(walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None) -> None:
    """`{ …; }` in this shell, `( … )` in one of its own, `(( … ))`."""
    parts = script.children(node, lines=True)
    inner = walker.around(script, extra, context, state).within()
    if parts[0].type == "((":
        Expansion(walker, context, state).arithmetic(script, node)
        walker.emit(":", script, node, inner, state)
    elif node.type == "subshell":
        walk_sequence(walker, script, need_statement(parts[1:-1]), inner, state.copy())
    else:
        walk_sequence(walker, script, need_statement(parts[1:-1]), inner, state)


def walk_if(walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None) -> None:
    """`if … then … elif … else … fi`."""
    inner = walker.around(script, extra, context, state).within(zero=False, nonzero=False)
    ends = _branches(walker, script, script.children(node, lines=True), inner, state)
    _join(state, ends)


def _branches(walker: Walker, script: Script, parts: list[Any], context: Context, state: State) -> list[State]:
    """The states after each branch; `state` becomes that after the conditions."""
    place = next(number for number, part in enumerate(parts) if part.type == "then")
    before = state.copy()
    walk_sequence(walker, script, need_statement(parts[1:place]), context, state)
    rest = parts[place + 1 :]
    clauses = [part for part in rest if part.type in ("elif_clause", "else_clause")]
    taken = state.copy()
    body = [part for part in rest if part not in clauses and part.type != "fi"]
    walk_sequence(walker, script, need_statement(body), context, taken)
    ends = [taken]
    state.merge(before)
    for clause in clauses:
        inner = script.children(clause, lines=True)
        if clause.type == "else_clause":
            walk_sequence(walker, script, need_statement(inner[1:]), context, state)
            return ends
        ends += _branches(walker, script, inner, context, state)[:1]
    return ends


def _join(state: State, others: list[State]) -> None:
    for other in others:
        state.merge(other)


def walk_while(walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None) -> None:
    """`while … do … done`, `until`."""
    inner = walker.around(script, extra, context, state).within(zero=False, nonzero=False)
    parts = script.children(node, lines=True)
    body = parts[-1]
    condition = parts[1:-1]

    def once(current: State) -> None:
        walk_sequence(walker, script, need_statement(condition), inner, current)
        _do_group(walker, script, body, inner, current)

    if script.raw(parts[1]) in ("true", ":", "((1))", "[ 1 ]") and _only_starts(script, body):
        walker.emit("fork-bomb", script, node, inner, state)

    def leave(current: State) -> None:
        kept, walker.commands = walker.commands, []
        walk_sequence(walker, script, condition, inner, current)
        walker.commands = kept

    _loop(walker, state, once, [once], leave)


def _only_starts(script: Script, body: Any) -> bool:
    """Whether a loop starts processes in the background and never waits."""
    nodes = script.children(body, lines=True)[1:-1]
    starts = [place for place, node in enumerate(nodes) if node.type not in SEPARATORS]
    return bool(starts) and all(nodes[place + 1 : place + 2] and nodes[place + 1].type == "&" for place in starts)


def walk_for(walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None) -> None:
    """`for x in …; do … done`, `select`, and `for ((…))`."""
    inner = walker.around(script, extra, context, state).within(zero=False, nonzero=False)
    parts = script.children(node, lines=True)
    body = parts[-1]
    if node.type == "c_style_for_statement":
        Expansion(walker, inner, state).arithmetic(script, node)
        name, values = "", [""]
    else:
        name, values = shown(script.raw(parts[1])), _values(walker, script, parts, inner, state)
    rounds = values
    if parts[0].type == "select" or len(values) > _MOST_ROUNDS or any(not is_known(value) for value in values):
        rounds = [MANY if any(MANY in value for value in values) else ONE]
        if len(values) == 1 and parts[0].type != "select":
            rounds = values

    def once(current: State) -> None:
        if name:
            current.assign(name, ONE)
        _do_group(walker, script, body, inner, current)

    def one(value: str) -> Callable[[State], None]:
        def turn(current: State) -> None:
            if name:
                current.assign(name, value.replace(MANY, ONE))
            _do_group(walker, script, body, inner, current)

        return turn

    _loop(walker, state, once, [one(value) for value in rounds])


def _values(walker: Walker, script: Script, parts: list[Any], context: Context, state: State) -> list[str]:
    listed = parts[2:-1]
    if not listed or listed[0].type != "in":
        known = state.positional
        return [MANY] if known is None else list(known[1:])
    expansion = Expansion(walker, context, state)
    words = [part for part in listed[1:] if part.type not in SEPARATORS]
    return [word for group in words_between(script, words) for word in expansion.words(script, *group)]


def _do_group(walker: Walker, script: Script, node: Any, context: Context, state: State) -> None:
    parts = script.children(node, lines=True)
    if len(parts) < 2 or (parts[0].type, parts[-1].type) not in (("do", "done"), ("{", "}")):
        raise Undecided("a loop is not understood")
    walk_sequence(walker, script, need_statement(parts[1:-1]), context, state)


def _loop(
    walker: Walker,
    state: State,
    once: Callable[[State], None],
    rounds: list[Callable[[State], None]],
    leave: Callable[[State], None] | None = None,
) -> None:
    """The rounds of a loop, each of which may be the last; `once` is any of them, `leave` what is done after it."""
    before, exits = state.copy(), walker.exits
    walker.loops.append([])
    moves = walker.moves
    _widen(walker, state, once)
    if walker.moves != moves:
        _widen(walker, state, once)  # where it goes may depend on what the first round changes
    left: list[State] = []
    for turn in rounds:
        turn(state)
        left += walker.loops[-1]
        land(state, walker.loops[-1])
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
        state.variables[name] = ONE
    state.touched |= touched


def walk_case(walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None) -> None:
    """`case … in a|b) … ;; esac`: every branch may run, also after another one (`;&`)."""
    inner = walker.around(script, extra, context, state).within(zero=False, nonzero=False)
    expansion = Expansion(walker, inner, state)
    ends: list[State] = []
    for part in script.children(node, lines=True):
        if part.type == "case_item":
            taken = state.copy()
            for end in ends[-1:]:
                taken.merge(end)
            walk_sequence(walker, script, _item_body(script, part, expansion), inner, taken)
            ends.append(taken)
        elif part.type not in ("case", "in", "esac", "\n"):
            expansion.words(script, part.start_byte, part.end_byte, [part])
    _join(state, ends)


def _item_body(script: Script, item: Any, expansion: Expansion) -> list[Any]:
    parts = script.children(item, lines=True)
    close = next((number for number, part in enumerate(parts) if part.type == ")"), None)
    if close is None:
        raise Undecided("a `case` is not understood")
    for part in parts[:close]:
        if part.is_named:
            expansion.pattern(script, part)
    body = parts[close + 1 :]
    return body[:-1] if body and body[-1].type in (";;", ";&", ";;&") else body


def walk_function(
    walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None
) -> None:
    """`f() { … }`: nothing runs yet."""
    parts = script.children(node, lines=True)
    names = [part for part in parts if part.type == "word"]
    bodies = [part for part in parts if part.type in _BODIES]
    if len(names) != 1 or len(bodies) != 1:
        raise Undecided("a function is not understood")
    name = shown(script.raw(names[0]))
    if not name.isprintable() or any(char in name for char in "'\"\\$`*?[~"):
        raise Undecided("the name of a function is not understood")
    state.functions[name] = ((script, node),)
    walker.defined(script, node, context, state)


_BODIES = ("compound_statement", "subshell", "test_command", "if_statement", "while_statement", "for_statement",
           "c_style_for_statement", "case_statement")  # fmt: skip


def walk_body(walker: Walker, script: Script, node: Any, context: Context, state: State) -> None:
    """The body of a function, with the redirections of its definition."""
    from policy_engine.shell.redirects import Extra

    parts = script.children(node, lines=True)
    redirects = [part for part in parts if part.type in ("file_redirect", "herestring_redirect")]
    body = next(part for part in parts if part.type in _BODIES)
    walker.walk(script, body, context, state, Extra(redirects, [], None) if redirects else None)
