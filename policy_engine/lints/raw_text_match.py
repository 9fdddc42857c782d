"""raw-text-match: shell text that is searched where parsed commands exist

The text of a shell line says little about what it runs: `echo 'rm -rf /'` contains `rm -rf` and deletes nothing,
`rm -r -f` deletes and does not contain it, and quotes, variables and wrappers make any number of other spellings.
`commands` holds what the line would run, parsed.

Avoid:

```policy
language 1
rule no-recursive-delete "No recursive delete" {
  on before_tool(shell)
  when has tool.args["command"] and tool.args["command"] matches /rm -rf/
  deny "Do not delete recursively. Name the files."
}
```

Prefer:

```policy
language 1
rule no-recursive-delete "No recursive delete" {
  on before_tool(shell)
  when any c in commands { c.program == "rm" and c.has_flag("-r", "-R", "--recursive") }
  deny "Do not delete recursively. Name the files."
}
```

The text of one parsed command (`c.text`) is still text: that it is searched is noted.
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.analysis.conditions import below, conditions
from policy_engine.checker.tree import (
    ArgumentRef,
    AttributeRef,
    Comparison,
    Else,
    Expr,
    FieldRef,
    Listen,
    Matches,
    Place,
)
from policy_engine.lints.base import Context, Finding, Lint

_ARGUMENTS = ("command", "cmd", "script")
_SEARCHING = ("contains", "starts_with", "ends_with")
_POINTS = ("before_tool", "after_tool", "before_permission")
_ADVICE = 'ask the parsed commands: `any c in commands { c matches "git push ..." }`, or `.program`, `.has_flag(…)`'


def _run(context: Context) -> Iterator[Finding]:
    seen = set[Place]()
    for condition in conditions(context.policy):
        for node in below(condition.expr):
            if node.place in seen:
                continue
            text = _searched(node)
            if text is not None and _is_line(text, condition.listens):
                seen.add(node.place)
                message = f"`{' '.join(text.place.text.split())}` is searched as text"
                yield Finding(node.place, message, _ADVICE)
            elif isinstance(text, AttributeRef) and text.name == "text" and text.base.type.name == "Command":
                seen.add(node.place)
                message = f"`{' '.join(text.place.text.split())}` is searched as text"
                yield Finding(node.place, message, _ADVICE, severity="note")


def _searched(node: Expr) -> Expr | None:
    """Return the text that a pattern or a part is looked for in."""
    if isinstance(node, Matches):
        subject = node.subject
    elif isinstance(node, Comparison) and node.op in _SEARCHING:
        subject = node.left
    else:
        return None
    return subject.value if isinstance(subject, Else) else subject


def _is_line(text: Expr, listens: tuple[Listen, ...]) -> bool:
    """Return whether the text is that of a shell line, where `commands` could be asked."""
    shell = [listen for listen in listens if listen.point in _POINTS and _may_be_shell(listen)]
    if isinstance(text, ArgumentRef):
        return text.key in _ARGUMENTS and bool(shell)
    if isinstance(text, FieldRef) and text.name == "content":
        return bool(shell) and all(listen.kinds == ("shell",) and not listen.names for listen in listens)
    return False


def _may_be_shell(listen: Listen) -> bool:
    return "shell" in listen.kinds or bool(listen.names) or not listen.kinds


LINT = Lint("raw-text-match", "shell text that is searched where parsed commands exist", "warning", _run)
