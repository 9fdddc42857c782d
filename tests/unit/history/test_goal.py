"""Which commands a goal demands."""

from __future__ import annotations

import pytest

from policy_engine.history.goal import governed_commands, is_command
from policy_engine.model.world import Disk, Virtual


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("You are done only after `npm test` and `npm run build` succeed.", ("npm test", "npm run build")),
        ("Before you finish, `npm test` has to pass.", ("npm test",)),
        ("Run `npm ci` before you finish.", ("npm ci",)),
        ("Finish only after `npm ci` → `npm test` passed.", ("npm ci", "npm test")),
        ("Done when `npm ci → npm test → npm ci` is green.", ("npm ci", "npm test")),
        ("`make all`, `make check`", ("make all", "make check")),
        ("Acceptance:\n- `npm test`\n- `npm run lint`\n\nSee `README.md`.", ("npm test", "npm run lint")),
        ("验收命令：`pytest -q`。之后再看 `x`。", ("pytest -q",)),
        ("Completion condition: must run `cargo test`, `cargo clippy`.", ("cargo test", "cargo clippy")),
    ],
)
def test_code_spans_that_a_marker_governs_are_demands(text: str, commands: tuple[str, ...]) -> None:
    assert governed_commands(text) == commands


@pytest.mark.parametrize(
    "text",
    [
        "I usually check it with `npm start`.",
        "The acceptance criteria mention `npm test` here.",
        "Explain `only after` to me.",
        "Only after npm test.",
        "Acceptance: `bad\ncommand`",
        "",
    ],
)
def test_any_other_code_span_is_prose(text: str) -> None:
    assert governed_commands(text) == ()


def test_a_marker_that_announces_governs_what_follows() -> None:
    assert governed_commands("`src/app.ts`; acceptance: `npm test`.") == ("npm test",)


def test_a_single_command_is_a_wish_and_a_chain_a_demand() -> None:
    assert governed_commands("`npm test`") == ()
    assert governed_commands("`npm ci → npm test`") == ("npm ci", "npm test")


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
    world = Virtual()
    world.write(world.resolve("scripts/check.sh", "/workspace"), b"")
    world.write(world.resolve("src/a.py", "/workspace"), b"")
    assert is_command(span, world) is there


def test_a_name_that_no_program_bears_is_no_command() -> None:
    world = Disk("/", "/nonexistent")
    assert [span for span in ("kick the tires", "profile-title", "ls -l", "pytest") if is_command(span, world)] == [
        "ls -l", "pytest",
    ]  # fmt: skip
