"""Names of the fields that rules read, and of the slots that hold them. Imported by the hook path."""

from __future__ import annotations

FIELDS = (
    "tool.name", "tool.kind", "tool.args", "tool.args.texts", "tool.args.size", "tool.digest", "tool.server",
    "tool.scope", "commands", "paths", "content", "replaced", "switched_off",
    "result.ok", "result.exit_code", "result.text", "result.value", "result.digest", "result.signature",
    "result.timed_out", "result.error_class", "result.unproven",
    "prompt", "answer", "goal.text", "goal.commands", "goal.steps", "goal.mentions",
    "goal.tests", "goal.digest", "todos", "open_todos", "agent.kind", "agent.name",
    "host.name", "host.interactive", "host.mode", "workspace", "home", "cwd", "session.id", "session.turn",
    "session.steps", "session.rounds", "session.age", "session.resumed", "round.digest", "usage.tokens", "usage.cents",
    "plan.open_steps", "plan.status", "plan.created", "diff.files", "diff.lines",
    "git.branch", "git.clean", "git.ahead", "time.now", "time.hour", "time.weekday", "verification.name",
    "verification.passed", "verification.stage", "verification.command", "verification.outcome",
    "verification.exit_code", "verification.error_class", "verification.file", "verification.line",
    "verification.summary",
)  # fmt: skip
"""Every field of language §4; the house tests hold this equal to the checker's vocabulary."""

PERMISSION_MODES = ("default", "plan", "accept_edits", "auto", "dont_ask", "bypass")
"""What `host.mode` says, in our words for all hosts."""


def slot(field: str) -> str:
    """Return the attribute name of a field: `result_exit_code` of `result.exit_code`."""
    return field.replace(".", "_")
