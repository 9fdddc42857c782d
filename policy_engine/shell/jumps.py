"""Follow `exit`, `return`, `break` and `continue`: where a line is left, and what is known where it goes on.

Imported by the hook path.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.state import State
    from policy_engine.shell.walk import Walker
    from policy_engine.shell.walk_command import Simple


def ends(walker: Walker, simple: Simple) -> None:
    """`exit`, `logout`."""
    walker.emit_simple(simple)
    walker.exits += 1
    simple.state.gone = simple.state.ended = True


def jumps(walker: Walker, simple: Simple) -> None:
    """`break`, `continue`, `return`: the state is kept for where the line goes on; they do nothing outside."""
    walker.emit_simple(simple)
    state, words = simple.state, simple.argv[1:]
    targets = walker.calls if simple.argv[0] == "return" else walker.loops
    if simple.argv[0] == "return":
        targets = targets[-1:]
    elif not words or words[0].isdecimal():
        level = max(1, int(words[0])) if words else 1
        targets = targets[-level:][:1]
    for target in targets:
        target.append(state.copy())
    state.gone, state.ended = bool(targets), True


def land(state: State, left: list[State]) -> None:
    """The line goes on from the jumps, too."""
    for jump in left:
        state.merge(jump)
    left.clear()
