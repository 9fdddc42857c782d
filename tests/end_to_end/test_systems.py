"""What two earlier systems did, as data: played by the engine, and shown to be the engine's answers."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from policy_engine import Engine
from policy_engine.bootstrap import Engine as Deciding
from tests.end_to_end import systems

CASES = list(systems.cases())
ELSEWHERE: dict[str, str] = json.loads((systems.CASES / "elsewhere.json").read_text("utf-8"))
NEO, ICE = 235, 195
PACKS = "policy_engine_compat/rules"
SHARED = os.environ.get("POLICY_SEED_CASES", "")


def _name(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", CASES, ids=_name)
def test_a_case_is_decided_as_it_says(path: Path, tmp_path: Path) -> None:
    assert systems.play(path, tmp_path) == []


def test_every_case_that_is_no_data_has_a_reason() -> None:
    recorded = {path.stem for path in CASES if not path.stem.startswith("own-")}
    assert recorded.isdisjoint(ELSEWHERE)
    assert len(recorded) + len(ELSEWHERE) == NEO + ICE
    assert all(len(reason) > 20 for reason in ELSEWHERE.values())


def test_no_case_plays_its_own_copy_of_a_shipped_policy() -> None:
    """A copy stays as it is when the pack changes: a case names the pack."""
    shipped = {file.read_text("utf-8").split("\n")[2] for file in (systems.ROOT / PACKS).rglob("*.policy")}
    runs = [(path.stem, run) for path in CASES for run in json.loads(path.read_text("utf-8")).get("runs", ())]
    titles = {(name, text.split("\n")[2]) for name, run in runs for text in run.get("text", ()) if text.count("\n") > 2}
    assert [name for name, title in sorted(titles) if title.startswith("#") and title in shipped] == []


@pytest.mark.skipif(not SHARED, reason="POLICY_SEED_CASES names the folder of the cases as their authors wrote them")
def test_every_visible_case_is_data_or_has_a_reason() -> None:
    texts = [file.read_text("utf-8") for file in sorted(Path(SHARED).glob("*.jsonl"))]
    rows = [json.loads(line) for text in texts for line in text.splitlines()]
    known = {path.stem for path in CASES} | ELSEWHERE.keys()
    assert sorted(row["id"] for row in rows if row["id"] not in known) == []


def test_muted_the_engine_fails_what_expects_speech(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that always allows and says nothing: what still passes expects silence, or asks for no decision."""
    real: Callable[..., Any] = Deciding.decide
    silent = Engine.from_text("language 1\n")
    monkeypatch.setattr(Deciding, "decide", lambda self, event: real(silent, event))
    failed: set[str] = set()
    passed: dict[str, list[str]] = {}
    for number, path in enumerate(CASES):
        case = json.loads(path.read_text("utf-8"))
        folder = tmp_path / str(number)
        folder.mkdir()
        if systems.play(path, folder):
            failed.add(case["area"])
        elif "runs" in case:
            passed.setdefault(case["area"], []).append(path.stem)
    alone = {area: names for area, names in passed.items() if area not in failed}
    assert alone == {}, "cases that expect silence, without one beside them that expects speech"
    assert sum(map(len, passed.values())) <= len(CASES) * 0.15
