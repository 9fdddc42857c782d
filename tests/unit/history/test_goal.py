"""What is a command, and which prompts only go on."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Disk, Virtual
from policy_engine.history.goal import is_command, is_resumption


@pytest.mark.parametrize(
    "text",
    ["continue", "Continue.", "please go on", "ok, continue", "yes, do it", "keep going", "继续", "好的，继续",
     "请继续吧", "Continue from where you left off.", "try again", "[Request interrupted by user]",
     "This session is being continued from a previous conversation that ran out of context. Summary: …"],
)  # fmt: skip
def test_a_prompt_that_only_goes_on_is_no_new_goal(text: str) -> None:
    assert is_resumption(text)


@pytest.mark.parametrize(
    "text",
    ["continue implementing the parser", "thanks", "谢谢", "继续实现解析器", "go on?", "next: the release notes",
     "ok, now rename the button", "", "commit"],
)  # fmt: skip
def test_a_prompt_that_asks_for_something_is_a_new_goal(text: str) -> None:
    assert not is_resumption(text)


@pytest.mark.parametrize(
    ("span", "there"),
    [
        ("npm test", True), ("pytest -q", True), ("CI=1 make check", True), ("./scripts/check.sh", True), ("ruff "
            "check", True),
        ("dd283666-3a94-43cd-8565-7dff030c01d1", False), ("kick the tires", True), ("LastInteractionAt", False),
        ("entire/checkpoints/v1", False), ("Entire-Checkpoint: random-id", False), ("-", False), ("npm run dev",
            False),
        ("bun run dev", False), ("from src.shared.logging import get_logger", False), ("go run .", False), ("npm "
            "start", False),
        ("claude -r abc", False), ("docker compose up", False), ("python manage.py runserver", False),
        ("src/missing.sh", False), ("evaluateImpact", False), ("docker compose run web pytest", True),
    ],
)  # fmt: skip
def test_a_span_is_a_command_if_it_can_be_run_and_ends(span: str, there: bool) -> None:
    filesystem = Virtual()
    filesystem.write(filesystem.resolve("scripts/check.sh", "/workspace"), b"")
    filesystem.write(filesystem.resolve("src/a.py", "/workspace"), b"")
    assert is_command(span, filesystem) is there


def test_a_name_that_no_program_bears_is_no_command() -> None:
    filesystem = Disk("/", "/nonexistent")
    spans = ("kick the tires", "profile-title", "ls -l", "pytest")
    assert [span for span in spans if is_command(span, filesystem)] == [
        "ls -l", "pytest",
    ]  # fmt: skip
