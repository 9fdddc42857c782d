"""Build the record of a stage's run that an `after_verification` event carries."""

from __future__ import annotations

from typing import Any

from policy_engine.model.limits import VERIFY_TIMEOUT_MS
from policy_engine.verification.runner import PASSED, Progress, Stage, run_stage


def stage_record(spec: tuple[Any, ...], folder: str, progress: Progress | None = None) -> dict[str, Any]:
    """Run the stage `(name, argv, timeout in ms, env, pending exit or -1, (pointer, value) or None)` in the folder.

    The record has `stage`, `command`, `outcome` and `seconds`, and as far as they are known `exit_code`, `error_class`,
    `file`, `line`, `summary` and `raw_excerpt` of the first failure.
    """
    name, argv, timeout, env, pending, expect = spec
    stage = Stage(name, argv, timeout or VERIFY_TIMEOUT_MS, env, pending if pending >= 0 else None, expect)
    result = run_stage(stage, folder, progress)
    record: dict[str, Any] = {
        "stage": name,
        "command": result.command,
        "outcome": result.outcome,
        "exit_code": result.exit_code,
        "seconds": round(result.seconds, 3),
    }
    if result.outcome != PASSED:
        record["raw_excerpt"] = result.output_excerpt
    if result.failures:
        first = result.failures[0]
        record.update(error_class=first.error_class, file=first.file, line=first.line, summary=first.summary)
        record["raw_excerpt"] = first.excerpt or result.output_excerpt
    return {key: value for key, value in record.items() if value is not None}
