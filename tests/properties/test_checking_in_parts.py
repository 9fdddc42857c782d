"""Findings by declaration are those of a whole check, whatever is typed into shipped and generated policies."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.rules import policy_text
from bench.workload import make_rules
from policy_engine.loading.loader import Loaded, load
from policy_engine.syntax import parts
from tests.properties.effort import effort

SHIPPED = sorted(Path(__file__).parents[2].joinpath("rules").rglob("*.policy"))
TYPED = (
    *"{}()\"\n#/'x,",
    *(
        "rule ",
        "define x = ",
        "/*",
        "*/",
        "on before_tool\n",
        "language 1\n",
        "=>",
        " and ",
        "param p = 1\n",
        "command ",
    ),
    *('test "t" {\n', 'import "pack:security/no-sudo"\n', "+="),
)


@pytest.fixture(autouse=True)
def _split_small_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "SMALL", 0)


def started(rng: random.Random) -> str:
    """Return a generated policy, or three shipped ones in one file."""
    if rng.random() < 0.3:
        return policy_text(make_rules(30))
    first, *others = (path.read_text("utf-8") for path in rng.sample(SHIPPED, 3))
    return "\n".join((first, *(text.replace("language 1", "") for text in others)))


def edited(text: str, rng: random.Random) -> str:
    """Return a text with one thing typed, deleted, repeated or moved."""
    at, chosen = rng.randrange(len(text) + 1), rng.random()
    if chosen < 0.35:
        return text[:at] + rng.choice(TYPED) + text[at:]
    lines = text.splitlines(keepends=True)
    if chosen < 0.6 or not lines:
        return text[:at] + text[at + rng.randrange(1, 12) :]
    line = lines.pop(rng.randrange(len(lines))) if chosen < 0.8 else rng.choice(lines)
    if chosen >= 0.7:
        lines.insert(rng.randrange(len(lines) + 1), line)
    return "".join(lines)


def shown(loaded: Loaded) -> list[Any]:
    """Return all that is said of findings, and where."""
    return [(one, one.location, [related.source.location(related.span) for related in one.related])
            for one in loaded.diagnostics]  # fmt: skip


@effort(8)
@given(seed=st.integers(0, 2**32))
def test_findings_by_declaration_are_those_of_the_whole(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    rng = random.Random(seed)
    path = tmp_path_factory.mktemp("parts") / "a.policy"
    path.touch()
    text = before = started(rng)
    known = None
    for _ in range(5):
        typed = {str(path): text.encode()}
        known = load([path], known, unsaved=typed, in_parts=True)
        whole = load([path], unsaved=typed, only_check=True)
        assert shown(known) == shown(whole), text
        text = before if whole.errors and rng.random() < 0.5 else text
        before, text = text, edited(text, rng)
