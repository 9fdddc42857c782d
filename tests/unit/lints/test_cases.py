"""`.case` files → one test for each policy in them: the lint speaks on the marked lines, and nowhere else.

A file bears its lint's name. Lines that begin so say what the lint is told: `# repository:` the files of the
repository, `# today:` the day, `# host waits:` the host's limit in seconds.
"""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from policy_engine.checker.checker import check
from policy_engine.checker.vocabulary import Vocabulary, vocabulary
from policy_engine.hosts.layers import adapter_named
from policy_engine.lints.base import Context, Lint, lints
from policy_engine.model.source import Source
from policy_engine.syntax.parser import parse

CASES = Path(__file__).parents[2] / "cases" / "lints"
_EXPECTED = re.compile(r'"((?:[^"`]|`[^`]*`)*)"')
_TOLD = re.compile(r"^# (repository|today|host waits|host): (.*)$", re.MULTILINE)


def _sections() -> list[tuple[str, str, str]]:
    found = []
    for path in sorted(CASES.glob("*.case")):
        _, *parts = re.split(r"^=== (.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        found += [(path.stem, title, text) for title, text in zip(parts[::2], parts[1::2], strict=True)]
    return found


SECTIONS = _sections()
MEMBERS = {lint.code: lint for lint in lints()}


@pytest.fixture(scope="session")
def words() -> Vocabulary:
    return vocabulary()


@pytest.mark.parametrize(("name", "title", "text"), SECTIONS, ids=[f"{name}: {title}" for name, title, _ in SECTIONS])
def test_a_lint_speaks_on_the_lines_that_cause_it(
    name: str, title: str, text: str, words: Vocabulary, tmp_path: Path
) -> None:
    source = Source("case.policy", f"language 1\n{text}")
    actual = [
        (source.position(found.span.start)[0], found.message)
        for found in MEMBERS[name.replace("_", "-")].diagnostics(_context(source, words, tmp_path))
    ]
    wanted = []
    for number, line in enumerate(source.text.split("\n"), 1):
        for part in _EXPECTED.findall(line.partition("###")[2]):
            wanted.append((number, part))
    shown = [(line, _part_of(message, line, wanted)) for line, message in sorted(actual)]
    assert shown == sorted(wanted)


def _part_of(message: str, line: int, wanted: list[tuple[int, str]]) -> str:
    """The expected part if the message has it, so that a failing comparison shows the whole message."""
    parts = [part for number, part in wanted if number == line and part in message]
    return parts[0] if parts else message


def _context(source: Source, words: Vocabulary, folder: Path) -> Context:
    file, syntax = parse(source)
    policy, found = check([file], words)
    assert [(d.location, d.message) for d in [*syntax, *found]] == []
    told = dict(_TOLD.findall(source.text))
    for name in told.get("repository", "").split():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    today = date.fromisoformat(told.get("today", "2026-06-01"))
    limit = int(told.get("host waits", "60 s").split()[0]) * 1000
    host = adapter_named(told["host"]) if "host" in told else None
    return Context(policy, folder if "repository" in told else None, today, limit, host)


def test_every_lint_has_a_line_where_it_speaks() -> None:
    speaking = {name.replace("_", "-") for name, _, text in SECTIONS if "###" in text}
    assert sorted(MEMBERS) == sorted(speaking)


@pytest.mark.parametrize("lint", MEMBERS.values(), ids=MEMBERS)
def test_every_lint_has_lines_where_it_is_silent(lint: Lint) -> None:
    texts = [text for name, _, text in SECTIONS if name.replace("_", "-") == lint.code]
    assert any(
        line.startswith(("rule", "limit", "hook")) and "###" not in line for text in texts for line in text.split("\n")
    )
