"""one-sided-test: tests that only ever fire, or never do

A rule whose tests all expect a verdict may refuse everything, one whose tests all expect `allow` may refuse nothing:
the tests would not notice. Show one event of each side.

Avoid:

```policy
language 1
rule no-sudo "No sudo" {
  on before_tool(shell)
  when any c in commands { c.program == "sudo" }
  deny "Do not use sudo. Ask a person to run the command."
  test {
    shell "sudo ls" => deny
    shell "sudo -u root id" => deny
  }
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
    shell "ls sudo" => allow
  }
}
```

Rules that only set a time budget never give a verdict; they are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.checker.tree import CheckedLimit, CheckedRule
from policy_engine.lints.base import Context, Finding, Lint


def _run(context: Context) -> Iterator[Finding]:
    policy = context.policy
    fired = {step.by for test in policy.tests for step in test.steps if step.by and step.expect != "allow"}
    items: tuple[CheckedRule | CheckedLimit, ...] = (*policy.rules, *policy.limits)
    for item in items:
        if isinstance(item, CheckedRule) and not item.verdict:
            continue
        expected = {step.expect for test in item.tests for step in test.steps if step.expect}
        if item.id in fired:
            expected.add("fired")
        if not expected or not item.tests:
            continue
        if "allow" not in expected:
            advice = "add an event that is close and must pass: `… => allow`"
            yield Finding(item.tests[0].place, f"the tests of `{item.id}` never show it silent", advice)
        elif expected == {"allow"}:
            yield Finding(
                item.tests[0].place, f"the tests of `{item.id}` never show it speaking", "add one that it stops"
            )


LINT = Lint("one-sided-test", "tests that only ever fire, or never do", "note", _run)
