"""Sequences, `&&` and `||` lists, pipelines, negation and redirected statements of a script → their parts, in order.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided
from policy_engine.shell.redirects import heredoc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.shell.redirects import Extra
    from policy_engine.shell.script import Script
    from policy_engine.shell.state import Context, State
    from policy_engine.shell.walk import Walker

    Item = tuple[Any, Extra | None]

SEPARATORS = (";", "\n", "&")


def walk_sequence(walker: Walker, script: Script, nodes: list[Any], context: Context, state: State) -> None:
    """Statements one after the other, with the separators between them."""
    last = max((place for place, node in enumerate(nodes) if node.type not in SEPARATORS), default=-1)
    for place, node in enumerate(nodes):
        if node.type in SEPARATORS:
            if node.type != "\n" and (not place or nodes[place - 1].type in SEPARATORS):
                raise Undecided(f"`{node.type}` without a command before it")
            continue
        if place + 1 < len(nodes) and nodes[place + 1].type == "&":
            behind = context.but(zero=False, nonzero=False, background=True, forked=True)
            walker.walk(script, node, behind, state.copy(), None)
        elif place == last:
            walker.walk(script, node, context.unproven() if state.ended else context, state, None)
        else:
            # `set -e` ends the line for these, and only where nothing around them asks for their status
            stops = state.errexit and context.depth == 0 and node.type in ("command", "pipeline")
            zero = context.zero and stops and not state.ended
            walker.walk(script, node, context.but(zero=zero, nonzero=False), state, None)


def need_statement(nodes: list[Any]) -> list[Any]:
    """The nodes of a body. Raises Undecided if there is no statement: the shell refuses that."""
    if all(node.type in SEPARATORS for node in nodes):
        raise Undecided("a compound command is empty")
    return nodes


def walk_list(walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None) -> None:
    """`a && b || c`, left to right; the grammar nests them to the left."""
    items: list[tuple[str, Any]] = []
    while node.type == "list":
        parts = script.children(node, lines=True)
        if len(parts) != 3 or parts[1].type not in ("&&", "||"):
            raise Undecided("a list of commands is not understood")
        walker.budget.step()
        items.append((parts[1].type, parts[2]))
        node = parts[0]
    items.append(("", node))
    items.reverse()
    chain(walker, script, [(op, (item, None)) for op, item in items], context, state, extra)


def chain(
    walker: Walker,
    script: Script,
    items: list[tuple[str, Item]],
    context: Context,
    state: State,
    extra: Extra | None,
) -> None:
    """The parts of a list, each with the operator before it; `extra` belongs to the last."""
    places = [context]
    for operator, _ in reversed(items[1:]):
        outer = places[-1]
        places[-1] = outer.but(zero=outer.zero and operator == "&&", nonzero=outer.nonzero and operator == "||")
        places.append(places[-1])
    places.reverse()
    # `state` if all went well so far; `failed` where `||` goes on; `over` if the list ended before this part
    failed = over = state.copy()
    for number, (operator, (node, own)) in enumerate(items):
        after = own if number + 1 < len(items) or own is not None else extra
        start = failed.copy() if operator == "||" else state.copy()
        begun = start.copy()
        walker.walk(script, node, places[number], start, after)
        # a lone command that fails has changed nothing; for the rest of the line it is taken to succeed
        missed = begun if node.type in _LONE else _either(begun, start)
        if operator == "||":
            over, failed = _either(over, start), missed
            state.merge(start)
        else:
            over = start.copy() if not operator else _either(over, start)
            failed = missed if not operator else _either(failed, missed)
            state.take(start)
    state.merge(over)


_LONE = ("command", "redirected_statement", "test_command")


def _either(one: State, other: State) -> State:
    made = one.copy()
    made.merge(other)
    return made


def walk_pipeline(
    walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None
) -> None:
    """`a | b |& c`."""
    nodes = [part for part in script.children(node, lines=True) if part.type not in ("|", "|&")]
    pipe(walker, script, [(part, None) for part in nodes], context, state, extra)


def pipe(
    walker: Walker, script: Script, items: list[Item], context: Context, state: State, extra: Extra | None
) -> None:
    """The parts of a pipeline, each in a subshell; `extra` belongs to the last."""
    if len(items) == 1:
        walker.walk(script, items[0][0], context, state, items[0][1] or extra)
        return
    if any(node.type == "negated_command" or script.prefix(node)[:1] in ("!", "t") for node, _ in items[1:]):
        raise Undecided("`!` or `time` is not understood within a pipeline")
    if items[0][0].type == "negated_command":
        context = context.unproven()
    programs, sources, feed = context.piped_from, context.sources, context.feed
    for number, (node, own) in enumerate(items):
        last = number + 1 == len(items)
        place = context.but(
            zero=context.zero and (last or state.pipefail), nonzero=context.nonzero and last and not state.pipefail,
            piped_from=programs, sources=sources, feed=feed, forked=True,
        )  # fmt: skip
        before = len(walker.commands)
        walker.walk(script, node, place, state.copy(), own or (extra if last else None))
        if number:
            programs = (*programs, *walker.programs(before))
        else:
            programs = context.piped_from + walker.programs(before)
        sources = (*sources, script.shown(node.start_byte, node.end_byte))[-8:]
        feed = walker.output(before)


def walk_negated(
    walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None
) -> None:
    """`! a`."""
    parts = script.children(node, lines=False)
    if len(parts) != 2:
        raise Undecided("`!` is not understood here")
    walker.walk(script, parts[1], context.unproven(), state, extra)


def walk_redirected(
    walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None
) -> None:
    """A statement with redirections, and whatever the grammar hangs below its here-document."""
    from policy_engine.shell.redirects import Extra

    parts = script.children(node, lines=False)
    body = None if parts[0].type.endswith("_redirect") else parts[0]
    mine = Extra([], [], None) if extra is None else extra.copy()
    tail: list[Any] = []
    for part in parts[0 if body is None else 1 :]:
        if part.type == "heredoc_redirect":
            if tail:
                raise Undecided("a second here-document is not understood yet")
            tail = heredoc(walker, script, part, mine, context, state)
        elif part.type in ("file_redirect", "herestring_redirect"):
            mine.redirects.append(part)
        else:
            raise Undecided(f"`{script.shown(part.start_byte, part.end_byte)[:80]}` is not understood here")
    if not tail:
        walker.walk_extra(script, body, context, state, mine)
    elif tail[0].type in ("&&", "||"):
        items = [("", (_or_node(body, node), mine)), (tail[0].type, (tail[1], None))]
        chain(walker, script, items, context, state, None)
    else:
        parts = script.children(tail[0], lines=True)
        mine.piped = tuple(part for part in parts if part.type not in ("|", "|&"))
        walker.walk(script, _or_node(body, node), context, state, mine)


def _or_node(body: Any, node: Any) -> Any:
    if body is None:
        raise Undecided("a here-document without a command is not understood")
    return body
