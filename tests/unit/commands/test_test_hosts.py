"""`policy test` says which rules rest on what no coding agent that is guarded here sends."""

from __future__ import annotations

from tests.unit.commands.running import Shell

PLAN = """language 1

rule plan-done "The plan is done" {
  on before_completion
  require plan.open_steps == 0
  deny "Finish the plan."

  test {
    given plan.open_steps = 1
    finish  => deny
  }
}
"""


def test_a_field_that_no_installed_host_sends_is_named(policy: Shell) -> None:
    policy.write(".policy/main.policy", PLAN)
    assert policy("test").err == ""
    policy("install", "windsurf", "--scope", "project")
    policy("install", "kiro", "--scope", "project")
    done = policy("test", "--format", "json")
    assert done.status == 0
    assert done.err == (
        "note: `plan-done` reads `plan.open_steps`, which never comes here: it sends no plan (kiro, windsurf)\n"
    )
