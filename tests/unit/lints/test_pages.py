"""A lint's page shows it at work: it speaks about what to avoid, and not about what to prefer."""

from __future__ import annotations

import re
import sys
from datetime import date
from pathlib import Path

import pytest

from policy_engine.adapters.droid import ADAPTER
from policy_engine.checker.checker import check
from policy_engine.checker.vocabulary import vocabulary
from policy_engine.lints.base import Context, Lint, lints
from policy_engine.model.source import Source
from policy_engine.syntax.parser import parse

_EXAMPLE = re.compile(r"(Avoid|Prefer):\n\n```policy\n(.*?)```", re.DOTALL)


def _examples(lint: Lint) -> list[tuple[str, str]]:
    return _EXAMPLE.findall(sys.modules[lint.run.__module__].__doc__ or "")


@pytest.mark.parametrize("lint", lints(), ids=lambda lint: lint.code)
def test_the_examples_are_what_they_say(lint: Lint, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("x")
    spoke = []
    for word, text in _examples(lint):
        file, syntax = parse(Source("page.policy", text))
        policy, found = check([file], vocabulary())
        assert [d.message for d in [*syntax, *found]] == []
        spoke.append((word, bool(lint.diagnostics(Context(policy, tmp_path, date(2026, 1, 1), host=ADAPTER)))))
    assert spoke == [("Avoid", True), ("Prefer", False)]
