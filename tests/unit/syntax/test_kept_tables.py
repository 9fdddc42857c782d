"""The grammar's tables are kept: the language from the cache reads as the one from lark, and damage costs time only."""

from __future__ import annotations

import posix
from collections.abc import Callable
from pathlib import Path

import pytest

from policy_engine.model.shipped import shipped
from policy_engine.model.source import Source
from policy_engine.syntax import grammar, kept_tables
from policy_engine.syntax.parser import parse


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which the tables are kept."""
    monkeypatch.setitem(posix.environ, b"XDG_CACHE_HOME", bytes(tmp_path))
    return tmp_path / "policy-engine" / kept_tables.NAME


def language() -> grammar.Language:
    return grammar.language.__wrapped__()


def test_the_kept_tables_are_those_that_were_made(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = language()
    monkeypatch.delattr(grammar, "build_lark")  # what is kept needs no lark
    kept = language()
    assert (kept.tables.actions, kept.tables.gotos) == (made.tables.actions, made.tables.gotos)
    assert (kept.tables.starts, kept.tables.ends) == (made.tables.starts, made.tables.ends)
    assert kept.scanner.keywords == made.scanner.keywords
    monkeypatch.setattr(grammar, "language", lambda: kept)
    text = shipped("rules/builtin/no-tamper.policy").read_text()
    tree, found = parse(Source("a", text))
    assert found == [] and len(tree.items) > 5


DAMAGE: list[Callable[[Path], object]] = [
    lambda path: path.write_bytes(b""),
    lambda path: path.write_bytes(path.read_bytes()[:-3] + b"xyz"),
    lambda path: path.chmod(0o666),
    lambda path: path.unlink(),
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_not_read(cache: Path, damage: Callable[[Path], object]) -> None:
    text = shipped("grammar/policy.lark").read_text(encoding="utf-8")
    kept_tables.write(text, (1, 2))
    assert kept_tables.read(text) == (1, 2)
    assert kept_tables.read(text + " ") is None
    damage(cache)
    assert kept_tables.read(text) is None


def test_a_cache_that_cannot_be_written_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(posix.environ, b"XDG_CACHE_HOME", bytes(tmp_path))
    (tmp_path / "policy-engine").write_text("in the way")
    kept_tables.write("a", 1)
    assert kept_tables.read("a") is None
