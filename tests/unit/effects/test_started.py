"""Commands that code on a line starts are commands of the line."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine import Engine

POLICY = """\
language 1

rule no-push "Nobody pushes" {
  on command git push
  deny "No."
}
"""


def decided(line: str, policy: str = POLICY, hook: str = "before_tool") -> Any:
    event = {"hook": hook, "session": "s", "workspace": "/workspace", "cwd": "/workspace",
             "tool": {"name": "Bash", "kind": "shell", "args": {"command": line}}}  # fmt: skip
    return Engine.from_text(policy).decide(event)


@pytest.mark.parametrize(
    "line",
    [
        "python3 -c 'import os; os.system(\"git push\")'",
        'python3 -c \'import subprocess; subprocess.run(["git", "-C", "x", "push"])\'',
        "python3 - <<'E'\nimport os\nos.system('cd x && git push')\nE",
        'python3 -c \'import os; os.system("python3 -c \\"import os; os.system(\\\\\\"git push\\\\\\")\\"")\'',
        'node -e \'require("child_process").execSync("git push")\'',
        "perl -e 'system(\"git push\")'",
        "ruby -e 'system(\"git push\")'",
        "awk 'BEGIN { system(\"git push\") }'",
        "sed '1e git push' x",
        "nix-shell --run 'git push'",
    ],
)
def test_what_code_starts_is_refused(line: str) -> None:
    assert decided(line).verdict == "deny"


@pytest.mark.parametrize(
    "line",
    [
        "python3 -c 'print(\"git push\")'",
        "python3 -c 'import os; os.system(\"git pull\")'",
        "node -e 'console.log(1)'",
        "nix-shell -p git --run 'git status'",
    ],
)
def test_what_code_only_says_is_none(line: str) -> None:
    assert decided(line).verdict == "allow"


def test_a_started_command_says_who_started_it() -> None:
    policy = POLICY.replace(
        "on command git push", "on command git push when c.via contains 'python3'".replace("'", '"')
    )
    assert decided("python3 -c 'import os; os.system(\"git push\")'", policy).verdict == "deny"
    assert decided("git push", policy).verdict == "allow"


def test_paths_are_told_once() -> None:
    condition = 'count p in paths { p.access == "delete" } > 1'
    policy = f'language 1\nrule one "One" {{ on before_tool(shell) when {condition} deny "No." }}'
    assert decided("python3 -c 'import os; os.system(\"rm a\")'", policy).verdict == "allow"


def test_a_finished_line_ran_what_stands_in_it() -> None:
    listens = 'on after_tool(shell) when any c in commands { c.program == "git" }'
    policy = POLICY.replace("on command git push", listens)
    assert decided("git push", policy.replace("deny", "warn"), "after_tool").verdict == "warn"
    line = "python3 -c 'import os; os.system(\"git push\")'"
    assert decided(line, policy.replace("deny", "warn"), "after_tool").verdict == "allow"
