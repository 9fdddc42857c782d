"""`[ … ]` and `[[ … ]]` of a script → a command of that name, with its words as far as they are constant.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided
from policy_engine.shell.expansion import Expansion
from policy_engine.shell.pieces import SUBSTITUTIONS
from policy_engine.shell.script import shown
from policy_engine.shell.walk_command import Simple, redirections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.shell.redirects import Extra
    from policy_engine.shell.script import Script
    from policy_engine.shell.state import Context, State
    from policy_engine.shell.walk import Walker

_OPERATORS = ("<", ">", "<<", ">>", "<<<", "&&", "||", "|", "|&", ";", "&", "file_redirect")


def walk_test(walker: Walker, script: Script, node: Any, context: Context, state: State, extra: Extra | None) -> None:
    """`[ … ]`, `[[ … ]]`: what is in it is looked at, not run."""
    parts = script.children(node, lines=True)
    kind = parts[0].type
    if kind == "[" and _divided(walker, parts):
        raise Undecided(f"`{script.shown(node.start_byte, node.end_byte)[:80]}` is divided or redirected")
    expansion = Expansion(walker, context, state)
    expansion.arithmetic(script, node)
    redirects = list(extra.redirects) if extra else []
    opened, context, behind = redirections(walker, script, redirects, expansion, context, state, extra, [])
    if behind or kind not in ("[", "[["):
        raise Undecided(f"`{script.shown(node.start_byte, node.end_byte)[:80]}` is not understood")
    text = script.shown(node.start_byte, node.end_byte)
    argv = ("[", *_test_words(walker, script, parts[1:-1], context, state), "]")
    walker.emit_simple(Simple(argv, (), tuple(opened), text, context, state))


def _divided(walker: Walker, nodes: list[Any]) -> bool:
    """Whether an operator stands in what `[` is given: to the shell it is a command like any other."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        walker.budget.step()
        if node.type in _OPERATORS:
            return True
        if node.type not in SUBSTITUTIONS and node.type not in ("string", "raw_string", "ansi_c_string"):
            stack += node.children
    return False


def _test_words(walker: Walker, script: Script, parts: list[Any], context: Context, state: State) -> tuple[str, ...]:
    """The words of a condition, a mark for what is not one."""
    words: list[str] = []
    quiet = Expansion(walker, context, state)
    for part in parts:
        if part.type in ("binary_expression", "unary_expression", "parenthesized_expression", "negated_expression"):
            words += _test_words(walker, script, part.children, context, state)
        elif not part.is_named or part.type == "test_operator":
            words.append(shown(script.raw(part)))
        else:
            words.append(quiet.constant(script, part))
    return tuple(words)
