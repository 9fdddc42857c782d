"""unused-define: a define that nothing names

A define that no condition, pattern or message names changes nothing. Mostly it was meant to be used and another one
stands in its place, or the rule that needed it is gone.

Avoid:

```policy
language 1
define source = glob("src/**")
define tests = glob("tests/**")
rule small "Small changes" { on before_completion when wrote(tests) and diff.lines > 500 warn "Split the change." }
```

Prefer:

```policy
language 1
define tests = glob("tests/**")
rule small "Small changes" { on before_completion when wrote(tests) and diff.lines > 500 warn "Split the change." }
```

A file that holds nothing but defines is a vocabulary for others to import; it is left alone. So is `noise`, which names
the folders that no snapshot of the workspace looks at.
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.analysis.conditions import Item
from policy_engine.checker.tree import NOISE, CheckedTest
from policy_engine.lints.base import Context, Finding, Lint


def _run(context: Context) -> Iterator[Finding]:
    policy = context.policy
    items: tuple[Item | CheckedTest, ...] = (
        *policy.rules, *policy.limits, *policy.modes, *policy.hooks, *policy.verifies, *policy.waivers, *policy.tests,
        *(claim.rule for claim in policy.claims),
    )  # fmt: skip
    acting = {item.place.source.name for item in items}
    for define in policy.defines:
        if not define.uses and define.name != NOISE and define.place.source.name in acting:
            yield Finding(define.place, f"`{define.name}` is never used", "delete it, or use it where it was meant")


LINT = Lint("unused-define", "a define that nothing names", "warning", _run)
