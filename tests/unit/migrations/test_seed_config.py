"""A configuration with removed keys: what changes, stays, is refused; the file is replaced whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from policy_engine.conversion.document import Refused
from policy_engine.loading.files import replace_with_backup
from policy_engine.migrations.base import migrate
from policy_engine.model.errors import ConfigurationError
from tests.unit.migrations.sources import CASES


def _migrated(text: str) -> str:
    made = migrate("seed-config", text, "s")
    assert made.problems == ()
    return made.policy_text


def _refused(text: str) -> str:
    with pytest.raises(Refused) as refused:
        migrate("seed-config", text, "s")
    return str(refused.value)


@pytest.mark.parametrize("source", sorted(CASES.glob("seed_config/*.in")), ids=lambda path: str(path.stem))
def test_a_configuration_becomes_this_one_and_then_stays(source: Path) -> None:
    text = _migrated(source.read_text("utf-8"))
    assert text == source.with_suffix(".out").read_text("utf-8")
    assert _migrated(text) == text


def test_the_budget_takes_over_under_new_names() -> None:
    old = "context: {auto_compact: {input_token_threshold: 1, reserve_tokens: 2, fallback_input_token_threshold: 3}}"
    budget = {"prompt_budget": 1, "reserve_tokens": 2, "fallback_prompt_budget": 3}
    assert yaml.safe_load(_migrated(old)) == {"generate_start_timeout_sec": 90, "context": {"budget": budget}}


def test_both_blocks_are_an_error() -> None:
    text = "context:\n  budget: {}\n  auto_compact: {}\n"
    assert _refused(text) == "s:3: `context.auto_compact` and `context.budget` cannot both exist"


@pytest.mark.parametrize(("enabled", "noted"), [("enabled: false", True), ("enabled: true", False), ("x: 1", False)])
def test_only_a_compaction_that_was_off_is_noted(enabled: str, noted: bool) -> None:
    assert ("switched off" in _migrated(f"context: {{auto_compact: {{{enabled}}}}}")) == noted


@pytest.mark.parametrize("command", ["sh -c 'go test'", "a | b", "a && b", "a; b", "a > b", "$(a)", "a\\b", "''"])
def test_a_command_with_shell_syntax_is_refused(command: str) -> None:
    text = f"runtime:\n  verification:\n    verifiers:\n      t:\n        command: {yaml.safe_dump(command)}"
    assert _refused(text).startswith("s:5: the command ") and _refused(text).endswith("rewrite it as argv")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- a\n", "s:1: a configuration is a mapping"),
        ("context: {auto_compact: 5}", "s:1: `context.auto_compact` is no mapping"),
        ("a: 1\na: 2\n", "s:2: the key stands twice: `a`"),
    ],
)
def test_what_is_no_configuration_is_refused(text: str, problem: str) -> None:
    assert _refused(text) == problem


def test_a_blank_file_gets_the_start_timeout() -> None:
    assert _migrated("# nothing\n") == "generate_start_timeout_sec: 90\n"


def test_one_file_at_a_time() -> None:
    from policy_engine.migrations.base import migrate_all
    from policy_engine.model.source import Source

    with pytest.raises(ConfigurationError, match="one configuration at a time"):
        migrate_all("seed-config", [Source("a", ""), Source("b", "")])


def test_what_is_replaced_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "below" / "config.yaml"
    assert replace_with_backup(path, b"old") is None
    assert replace_with_backup(path, b"new") == path.with_name("config.yaml.bak")
    assert (path.read_bytes(), path.with_name("config.yaml.bak").read_bytes()) == (b"new", b"old")


@pytest.mark.parametrize("failing", ["config.yaml.bak", "config.yaml"])
def test_a_failure_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    import os

    path = tmp_path / "config.yaml"
    path.write_bytes(b"old")
    replace = os.replace

    def refuse(source: Path, target: Path) -> None:
        if target.name == failing:
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(ConfigurationError, match=f"cannot write `.*{failing}`: no space left on device"):
        replace_with_backup(path, b"new")
    assert path.read_bytes() == b"old"
    assert not [found for found in tmp_path.iterdir() if found.name.startswith(".")]
