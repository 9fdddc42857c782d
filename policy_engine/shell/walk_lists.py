"""Sequences, `&&` and `||` lists, pipelines, negation and redirected statements of a script → their parts, in order.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided
from policy_engine.shell.builtins import anything
from policy_engine.shell.redirects import heredoc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.shell.redirects import Extra
    from policy_engine.shell.script import Script
    from policy_engine.shell.state import Context, State
    from policy_engine.shell.walk import Walker

    Item = tuple[Any, Extra | None]  # a statement, None for redirections alone, and what belongs to it
    Part = tuple[str, Any, Extra | None]  # the same with the operator before it

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
    """`a && b | c > d || e`, left to right: the grammar nests lists and pipelines in more than one way."""
    groups: list[tuple[str, list[Item]]] = []
    for operator, part, own in _parts(walker, script, [node], context, state, extra):
        if operator in ("|", "|&"):
            groups[-1][1].append((part, own))
        else:
            groups.append((operator, [(part, own)]))
    if len(groups) == 1:
        pipe(walker, script, groups[0][1], context, state)
    else:
        chain(walker, script, groups, context, state)


def _parts(
    walker: Walker, script: Script, nodes: list[Any], context: Context, state: State, extra: Extra | None
) -> list[Part]:
    """The parts of a list with the operator before each; `extra` belongs to the last."""
    found: list[Part] = []
    operator, stack = "", list(reversed(nodes))
    while stack:
        node = stack.pop()
        walker.budget.step()
        if node.type in ("list", "pipeline"):
            stack += reversed(script.children(node, lines=True))
            continue
        if node.type in _OPERATORS:
            if operator:
                raise Undecided("a list of commands is not understood")
            operator = node.type
            continue
        if found and not operator:
            raise Undecided("a list of commands is not understood")
        inner: list[Part] = [("", node, None)]
        if node.type == "redirected_statement":
            inner = _redirected(walker, script, node, context, state)
        found += [(operator or inner[0][0], *inner[0][1:]), *inner[1:]]
        operator = ""
    if operator:
        raise Undecided("a list of commands is not understood")
    if extra is not None:
        last, node, own = found[-1]
        found[-1] = (last, node, extra if own is None else own.with_outer(extra))
    return found


def _redirected(walker: Walker, script: Script, node: Any, context: Context, state: State) -> list[Part]:
    """A statement with redirections, and whatever the grammar hangs below its here-document."""
    from policy_engine.shell.redirects import Extra

    parts = script.children(node, lines=False)
    body = [] if parts[0].type.endswith("_redirect") else parts[:1]
    found: list[Part] = _parts(walker, script, body, context, state, None) if body else [("", None, None)]
    mine = Extra([], [], None)
    tail: list[Any] = []
    for part in parts[len(body) :]:
        if part.type == "heredoc_redirect":
            if tail or mine.feed is not None:
                raise Undecided("a second here-document is not understood yet")
            here = state.copy() if len(found) > 1 else state
            if len(found) > 1:
                anything(here)  # the parts before it may change what is substituted in it
            tail = heredoc(walker, script, part, mine, context, here)
        elif part.type in ("file_redirect", "herestring_redirect"):
            mine.redirects.append(part)
        else:
            raise Undecided(f"`{script.shown(part.start_byte, part.end_byte)[:80]}` is not understood here")
    operator, last, own = found[-1]
    found[-1] = (operator, last, mine if own is None else own.with_outer(mine))
    if tail and last is None:
        raise Undecided("a here-document without a command is not understood")
    if tail and tail[0].type == "pipeline":
        tail = script.children(tail[0], lines=True)
    if tail:
        found += [(tail[0].type, *behind[1:]) if not number else behind
                  for number, behind in enumerate(_parts(walker, script, tail[1:], context, state, None))]  # fmt: skip
    return found


def chain(walker: Walker, script: Script, groups: list[tuple[str, list[Item]]], context: Context, state: State) -> None:
    """Pipelines that `&&` and `||` join, each with the operator before it."""
    places = [context]
    for operator, _ in reversed(groups[1:]):
        outer = places[-1]
        places[-1] = outer.but(zero=outer.zero and operator == "&&", nonzero=outer.nonzero and operator == "||")
        places.append(places[-1])
    places.reverse()
    # `state` if all went well so far; `failed` where `||` goes on; `over` if the list ended before this part
    failed = over = state.copy()
    for number, (operator, items) in enumerate(groups):
        start = failed.copy() if operator == "||" else state.copy()
        begun = start.copy()
        pipe(walker, script, items, places[number], start)
        # a lone command that fails has changed nothing; for the rest of the line it is taken to succeed
        lone = len(items) > 1 or items[0][0] is None or items[0][0].type in _LONE
        missed = begun if lone else _either(begun, start)
        if operator == "||":
            over, failed = _either(over, start), missed
            state.merge(start)
        else:
            over = start.copy() if not operator else _either(over, start)
            failed = missed if not operator else _either(failed, missed)
            state.take(start)
    state.merge(over)


_OPERATORS = ("&&", "||", "|", "|&")
_LONE = ("command", "test_command")


def _either(one: State, other: State) -> State:
    made = one.copy()
    made.merge(other)
    return made


def pipe(walker: Walker, script: Script, items: list[Item], context: Context, state: State) -> None:
    """The parts of a pipeline, each in a subshell; one alone is in this shell."""
    if len(items) == 1:
        walker.walk_extra(script, *items[0], context, state)
        return
    if any(node and (node.type == "negated_command" or script.prefix(node)[:1] in ("!", "t")) for node, _ in items[1:]):
        raise Undecided("`!` or `time` is not understood within a pipeline")
    for node, _ in items[1:]:
        if node and script.raw(node)[:4] == "time" and script.text[: node.start_byte].rstrip(" \t")[-1:] == "\n":
            raise Undecided("`time` is not understood on a line of its own within a pipeline")
    first = items[0][0]
    if first is not None and (first.type == "negated_command" or script.prefix(first)):
        context = context.unproven()
    context = context.within()
    programs, sources, feed = context.piped_from, context.sources, context.feed
    for number, (node, own) in enumerate(items):
        last = number + 1 == len(items)
        place = context.but(
            zero=context.zero and (last or state.pipefail), nonzero=context.nonzero and last and not state.pipefail,
            piped_from=programs, sources=sources, feed=feed, forked=True,
        )  # fmt: skip
        before = len(walker.commands)
        walker.walk_extra(script, node, own, place, state.copy())
        if number:
            programs = (*programs, *walker.programs(before))
        else:
            programs = context.piped_from + walker.programs(before)
        text = "" if node is None else script.shown(node.start_byte, node.end_byte)
        sources = (*sources, text)[-8:]
        feed = walker.output(before) if node is not None else ""


def walk_negated(
    walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None
) -> None:
    """`! a`."""
    parts = script.children(node, lines=False)
    if len(parts) != 2:
        raise Undecided("`!` is not understood here")
    walker.walk(script, parts[1], context.unproven(), state, extra)
