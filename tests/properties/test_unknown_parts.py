"""What is not known never turns a refusal into silence: the rule still refuses, or is undecided and fails so.

An event is decided as it is, and again with one part of it unknown: a word of its shell line, or a record that the host
owes and did not send. Of a rule that asks for the wording of a line only the other parts are tried: behind another word
the wording is known, and another one.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.loading.loader import Loaded, load_text
from policy_engine.model.decision import Decision
from policy_engine.model.ladder import RANK
from policy_engine.testing.spellings import spellings
from tests.generated.context import THEMES, one
from tests.generated.events import session
from tests.generated.play import answer, decided, loaded, referred
from tests.generated.policies import policy
from tests.properties.effort import seeds

RULES = Path(__file__).resolve().parents[2] / "rules"
OWED = ("git", "diff", "plan", "result", "prompt", "answer", "workspace")
OF_THE_WORDING = (".text", ".sources", "tool.args", ".dynamic", ".read_only", ".mentions")
"""What a rule reads of the words as they are written, or of what is known of them, which never is undecided; a word
that is not known names no path."""
OF_PROOF = (
    *("tests_passed", "command_success", "command_failure", "verified", "called", "result.unproven"),
    *("last(", "goal.", "plan.", "has result"),
)
"""What a rule reads that is a proof, which what is not known never gives, or empty where no host speaks of it."""


def unknown_parts(event: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the event with each of its parts unknown in turn, and the name of the part."""
    for name in OWED:
        if name in event:
            yield name, {key: value for key, value in event.items() if key != name}
    tool = event.get("tool", {})
    if tool.get("kind") == "shell":
        for spelling in spellings(tool["args"]["command"], Virtual("/workspace")):
            if spelling.hides:
                changed = copy.deepcopy(event)
                changed["tool"]["args"]["command"] = spelling.line
                yield spelling.line, changed


def refusing(decision: Decision) -> set[str]:
    """The rules that were violated, and asked, denied or stopped."""
    return {one.rule for one in decision.rules if one.outcome == "violated" and RANK[one.verdict] >= RANK["ask"]}


def silenced(text: str, found: Loaded, event: dict[str, Any], worded: frozenset[str]) -> list[tuple[str, str]]:
    """The rules that refuse the event, and say nothing of it with a part unknown, with that part.

    Those that are `worded` are let off behind another word of the line.
    """
    (plain,) = decided(found, [event])
    wanted = refusing(plain)
    if not wanted:
        return []
    lost = []
    for part, changed in unknown_parts(event):
        (decision,) = decided(found, [changed])
        let_off = worded if part not in OWED else frozenset()
        lost += [(rule, part) for rule in wanted - {one.rule for one in decision.rules} - let_off]
        assert found.policy is not None
        assert [answer(decision)] == referred(found.policy, [changed]), (text, part)
    return lost


@pytest.mark.parametrize("part", range(4))
def test_an_unknown_part_silences_no_generated_rule(part: int) -> None:
    refused = 0
    for seed in seeds(1600)[part::4]:
        rng = Random(seed)
        theme = THEMES[one(rng, ("tools", "tools", "any", "completion"))]
        made = policy(rng, theme, 4, (), False)
        worded, proving = (
            frozenset(item.name for item in made.items if any(word in item.text for word in words))
            for words in (OF_THE_WORDING, OF_PROOF)
        )
        text = made.text
        found = loaded(text)
        for event in session(rng, theme, 3):
            lost = [one for one in silenced(text, found, event, worded) if one[0] not in proving]
            refused += any(refusing(decision) for decision in decided(found, [event]))
            assert lost == [], f"seed {seed}\n{text}\n{event}"
    assert refused > 30


@pytest.mark.parametrize(
    "pack", ["no-force-push-protected", "no-git-discard", "no-hook-bypass", "no-package-publish", "no-disk-format"]
)
def test_an_unknown_word_silences_no_shipped_guard(pack: str) -> None:
    text = (RULES / "security" / f"{pack}.policy").read_text()
    found = load_text(text)
    rows = (RULES.parent / "tests" / "cases" / "packs" / f"{pack}.case").read_text().splitlines()
    lines = [line for verdict, _, line in (row.partition("\t") for row in rows) if verdict == "deny"]
    lost = []
    for line in lines:
        event = {"hook": "before_tool", "session": "s", "workspace": "/workspace", "cwd": "/workspace",
                 "host": {"name": "generic", "interactive": True},
                 "tool": {"name": "Bash", "kind": "shell", "args": {"command": line}}}  # fmt: skip
        changed = dict(unknown_parts(event))
        silent = [part for _, part in silenced(text, found, event, frozenset())]
        # another rule of the pack may refuse what one of them has nothing to say of
        lost += [(line, part) for part in silent if not refusing(decided(found, [changed[part]])[0])]
    assert lost == []
