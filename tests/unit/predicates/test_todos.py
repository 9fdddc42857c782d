"""todos_converged: every required todo is completed or canceled."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from policy_engine.predicates.todos import todos_converged


def todo(status: str, required: bool = True) -> SimpleNamespace:
    return SimpleNamespace(status=status, required=required)


def test_no_todos_have_converged() -> None:
    assert todos_converged(())


@pytest.mark.parametrize("status", ["pending", "in_progress", "blocked", "failed"])
def test_a_required_todo_that_is_not_done_stands_in_the_way(status: str) -> None:
    assert not todos_converged((todo("completed"), todo(status)))
    assert todos_converged((todo("completed"), todo("canceled"), todo(status, required=False)))
