"""Variables that switch git hooks off: surely, perhaps, or not at all."""

from __future__ import annotations

import pytest

from policy_engine.programs.switches import switches_hooks_off


@pytest.mark.parametrize("env", [{"HUSKY": "0"}, {"LEFTHOOK": "false"}, {"HUSKY_SKIP_HOOKS": "1"}, {"SKIP": "mypy"}])
def test_they_are_switched_off(env: dict[str, str]) -> None:
    assert switches_hooks_off(env) is True


@pytest.mark.parametrize("env", [{}, {"HUSKY": "1"}, {"SKIP": ""}, {"CI": "0"}])
def test_they_run(env: dict[str, str]) -> None:
    assert switches_hooks_off(env) is False


def test_a_value_that_is_not_known_may_switch_them_off() -> None:
    assert switches_hooks_off({"HUSKY": "\0?"}) is None


def test_general_names_count_only_where_they_are_asked_for() -> None:
    assert switches_hooks_off({"SKIP": "mypy"}, general=False) is False
