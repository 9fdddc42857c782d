"""always-true: a condition that can never be false

The condition asks for nothing: as `when` it can be left out, as `require` it is met by everything, as `unless` it
silences its rule for good. Only what is certain is reported. `true` and `false` in a define are settings: nothing is
assumed of them.

Avoid:

```policy
language 1
rule careful "Careful with other tools" {
  on before_tool
  when tool.name != "Bash" or tool.name != "Read"
  ask "May the agent call {tool.name}? Answer yes or no."
}
```

Prefer:

```policy
language 1
rule careful "Careful with other tools" {
  on before_tool
  when tool.name != "Bash" and tool.name != "Read"
  ask "May the agent call {tool.name}? Answer yes or no."
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.analysis.constants import constant_parts, proof_text
from policy_engine.lints.base import Context, Finding, Lint, shorten

_ADVICE = {
    "when": "leave the part out, or say what was meant",
    "unless": "the rule never applies",
    "require": "the requirement is met by everything",
}


def _run(context: Context) -> Iterator[Finding]:
    for part in context.once(constant_parts):
        if part.value:
            whole = part.expr is part.condition.expr
            advice = _ADVICE.get(part.condition.word, _ADVICE["when"]) if whole else _ADVICE["when"]
            message = f"`{shorten(part.expr.place.text)}` is always true"
            yield Finding(part.expr.place, message, advice, proof_text(part.proof))


LINT = Lint("always-true", "a condition that can never be false", "warning", _run)
