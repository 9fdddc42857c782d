"""Run the body of a function of the line with the words of its call.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import ONE, is_known
from policy_engine.shell.builtins import anything
from policy_engine.shell.jumps import land
from policy_engine.shell.walk_command import Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.state import Context, State
    from policy_engine.shell.tree import Function
    from policy_engine.shell.walk import Walker

_DECIDES = frozenset(("if", "case", "[", "[[", "test", "while", "until", "for", "return", "exit"))


def call(walker: Walker, simple: Simple) -> None:
    """A function that is called: its body, with the words of the call."""
    state = simple.state
    if simple.redirects:
        walker.emit_simple(
            Simple((":",), simple.env, simple.redirects, simple.text, simple.context.unproven().but(feed=ONE), state)
        )
    bodies = [body for body in state.functions[simple.argv[0]] if body is not None]
    context = simple.context.within(in_function=True)
    again = walker.calling.count(simple.argv[0])
    if again:
        _called_again(walker, simple, bodies[0].body.text)
    if again > 1:
        return  # the second time stood for every further one
    if len(state.functions[simple.argv[0]]) > 1:
        context = context.unproven()
    saved, before, outer = state.positional, dict(state.variables), walker.locals
    walker.locals = {item.partition("=")[0] for item in simple.env}
    for item in simple.env:
        state.assign(item.partition("=")[0], item.partition("=")[2])
    walker.calling.append(simple.argv[0])
    loops, walker.loops = walker.loops, []
    walker.calls.append([])
    ended, exits = state.ended, walker.exits
    ends = _program(walker, simple) if None in state.functions[simple.argv[0]] else []
    whole = not again and all(is_known(word) or "\0@" not in word for word in simple.argv)
    for node in bodies:
        ends.append(state.copy())
        ends[-1].positional = simple.argv if whole else None
        _body(walker, node, context, ends[-1])
    state.take(ends[0])
    for end in ends[1:]:
        state.merge(end)
    walker.calls.pop()
    walker.loops = loops
    walker.calling.pop()
    state.positional = saved
    _forget(state, walker.locals, before)
    walker.locals = outer
    state.ended = ended or (state.ended and (walker.poisoned or walker.exits != exits))


def _forget(state: State, names: set[str], before: dict[str, str | None]) -> None:
    """Variables of the function's own are what they were; whether they are exported is not known."""
    for name in names:
        state.lose(name)
        state.variables[name] = before.get(name, ONE)
    state.exported -= names


def _body(walker: Walker, node: Function, context: Context, state: State) -> None:
    """One of the bodies that the function may have."""
    walker.called.add(id(node))
    walker.walk(node.body, context, state)
    land(state, walker.calls[-1])


def _program(walker: Walker, simple: Simple) -> list[State]:
    """The function may never have been defined: then the word is what it is without it."""
    state = simple.state.copy()
    del state.functions[simple.argv[0]]
    walker.run(Simple(simple.argv, simple.env, simple.redirects, simple.text, simple.context.unproven(), state))
    return [state]


def _called_again(walker: Walker, simple: Simple, body: str) -> None:
    """A function within itself: nothing is known of what it was left with; with a process each, it is a bomb."""
    anything(simple.state)
    if not simple.context.forked:
        return
    words = set("".join(" " if char in "(){}|&;\n" else char for char in body).split())
    if words <= {simple.argv[0]}:
        text = f"{simple.argv[0]}() {body}"
        walker.emit_simple(Simple(("fork-bomb",), (), (), text, simple.context, simple.state))
    elif not words & _DECIDES:
        walker.unknown_command(f"`{simple.argv[0][:80]}` starts itself", simple.context, simple.state)
