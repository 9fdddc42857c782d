"""rule-without-test: a rule that shows itself working nowhere

A rule, limit or verify that no test speaks of may load and never match: nobody notices until it was needed. A test in
the rule is best; one at top level that names it by `by` counts as well.

Avoid:

```policy
language 1
rule no-sudo "No sudo" {
  on before_tool(shell)
  when any c in commands { c.program == "sudo" }
  deny "Do not use sudo. Ask a person to run the command."
}
```

Prefer:

```policy
language 1
rule no-sudo "No sudo" {
  on before_tool(shell)
  when any c in commands { c.program == "sudo" }
  deny "Do not use sudo. Ask a person to run the command."
  test {
    shell "sudo ls" => deny
    shell "ls" => allow
  }
}
```

Rules that only set a time budget give no verdict that a test could expect; they are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.lints.base import Context, Finding, Lint


def _run(context: Context) -> Iterator[Finding]:
    policy = context.policy
    named = {step.by for test in policy.tests for step in test.steps if step.by}
    for rule in policy.rules:
        if rule.verdict and not rule.tests and rule.id not in named:
            yield Finding(rule.place, f"`{rule.id}` has no test", _advice(rule.verdict))
    for limit in policy.limits:
        if not limit.tests and limit.id not in named:
            yield Finding(
                limit.place, f"`{limit.id}` has no test", _advice(limit.steps[0].verdict if limit.steps else "")
            )


def _advice(verdict: str) -> str:
    return f"add `test {{ … => {verdict or 'deny'} … => allow }}` to it"


LINT = Lint("rule-without-test", "a rule that shows itself working nowhere", "note", _run)
