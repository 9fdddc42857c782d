"""regex-not-anchored: a list of words that is searched for anywhere

`matches` with a regex searches: `/rm|dd/` is also found in `farm` and `add`. For a program, a tool or a branch, a list
of plain words is meant to be compared as a whole.

Avoid:

```policy
language 1
rule disks "Disks are left alone" {
  on before_tool(shell)
  when any c in commands { c.program matches /dd|mkfs/ }
  deny "Do not write to disks. Ask a person to do it."
}
```

Prefer:

```policy
language 1
rule disks "Disks are left alone" {
  on before_tool(shell)
  when any c in commands { c.program in ["dd", "mkfs"] }
  deny "Do not write to disks. Ask a person to do it."
}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.analysis.conditions import below, conditions
from policy_engine.checker.tree import AttributeRef, Expr, FieldRef, Matches, Place, RegexPattern
from policy_engine.lints.base import Context, Finding, Lint

_FIELDS = ("tool.name", "tool.server", "agent.kind", "agent.name", "host.name", "git.branch", "result.error_class")
_ATTRIBUTES = ("program", "subcommand", "status", "op")
_WORDS = re.compile(r"\(?[\w-]+(\|[\w-]+)+\)?", re.ASCII)


def _run(context: Context) -> Iterator[Finding]:
    seen = set[Place]()
    for condition in conditions(context.policy):
        for node in below(condition.expr):
            if isinstance(node, Matches) and _is_name(node.subject) and node.place not in seen:
                pattern = node.pattern
                if isinstance(pattern, RegexPattern) and _WORDS.fullmatch(pattern.pattern):
                    seen.add(node.place)
                    yield _finding(node, pattern)


def _finding(node: Matches, pattern: RegexPattern) -> Finding:
    words = pattern.pattern.strip("()").split("|")
    listed = ", ".join(f'"{word}"' for word in words)
    subject = " ".join(node.subject.place.text.split())
    message = f"`/{pattern.pattern}/` is found within longer names too"
    advice = f"write `{subject} in [{listed}]`, or anchor it: `/^({'|'.join(words)})$/`"
    return Finding(node.place, message, advice, f'`{subject}` = "x{words[0]}"')


def _is_name(subject: Expr) -> bool:
    if isinstance(subject, FieldRef):
        return subject.name in _FIELDS
    return isinstance(subject, AttributeRef) and subject.name in _ATTRIBUTES


LINT = Lint("regex-not-anchored", "a list of words that is searched for anywhere", "warning", _run)
