"""regex-never-matches: a regex that no text contains

The language of the regex is empty: an anchor stands where it cannot hold, a class leaves nothing. A condition with it
is always false, a condition with its opposite always true. `$` is the end of the text and `^` its start, unless the
pattern says `(?m)`.

Avoid:

```policy
language 1
rule tagged "Tags have a number" { on prompt when prompt matches /v^[0-9]/ remind "Name the tag as `v1`. Then go on." }
```

Prefer:

```policy
language 1
rule tagged "Tags have a number" { on prompt when prompt matches /^v[0-9]/ remind "Name the tag as `v1`. Then go on." }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.analysis.conditions import below, conditions
from policy_engine.analysis.regex_language import matches_nothing
from policy_engine.checker.tree import Constant, Expr, Matches, Place, RegexPattern
from policy_engine.lints.base import Context, Finding, Lint


def _run(context: Context) -> Iterator[Finding]:
    seen = set[Place]()
    roots: list[Expr] = [condition.expr for condition in conditions(context.policy)]
    roots += [define.value for define in context.policy.defines]
    for node in (part for root in roots for part in below(root)):
        pattern = _pattern(node)
        if pattern is not None and node.place not in seen and matches_nothing(pattern):
            seen.add(node.place)
            message = f"no text contains `/{pattern.pattern}/`"
            advice = "an anchor stands where it cannot hold, or a class leaves nothing"
            yield Finding(node.place, message, advice)


def _pattern(node: Expr) -> RegexPattern | None:
    if isinstance(node, Matches) and isinstance(node.pattern, RegexPattern):
        return node.pattern
    if isinstance(node, Constant) and isinstance(node.value, RegexPattern):
        return node.value
    return None


LINT = Lint("regex-never-matches", "a regex that no text contains", "warning", _run)
