"""Same input, same bytes: twice, in another process, from the cache, from a store, after formatting."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hypothesis import given, settings

from policy_engine.cache import reader as cache
from policy_engine.cache import writer as cache_writer
from policy_engine.model.source import Source
from policy_engine.model.strict_json import write_json
from policy_engine.runtime.names import LazyNames
from policy_engine.runtime.stored_sessions import StoredSessions, open_store
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file
from tests.generated.events import Worlds
from tests.generated.play import answer, decided, engine, loaded
from tests.generated.policies import Case, cases
from tests.properties.effort import effort
from tests.unit.syntax.reading import tree

ROOT = Path(__file__).resolve().parents[2]


def lines(policy: Any, events: list[dict[str, Any]], **options: Any) -> list[bytes]:
    return [write_json(decision.to_dict()) for decision in decided(policy, events, **options)]


@effort(40)
@given(cases(length=10))
def test_deciding_again_gives_the_same_bytes(case: Case) -> None:
    policy, events = case
    assert lines(policy.text, events) == lines(policy.text, events)


PROGRAM = """
import json, sys
from tests.properties.test_same_bytes import lines
for text, events in json.load(sys.stdin):
    print(*(line.decode() for line in lines(text, events)), sep="\\n")
"""


def test_another_process_gives_the_same_bytes() -> None:
    collected: list[Any] = []

    @settings(effort(25), max_examples=25)
    @given(cases(length=9))
    def collect(case: Case) -> None:
        policy, events = case
        collected.append((policy.text, events))

    collect()
    printed = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=json.dumps(collected),
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(printed) == 1 and printed != {""}


@effort(30)
@given(cases(length=9))
def test_a_program_from_the_cache_gives_the_same_bytes(tmp_path_factory: Any, case: Case) -> None:
    policy, events = case
    found = loaded(policy.text)
    assert found.program is not None
    root: Path = tmp_path_factory.mktemp("cache")
    head = cache_writer.write_program(root, "it", found.program, found.program.buckets(), (), 0)
    reopened = cache.open_program(cache.read_head(str(head)), LazyNames())
    assert lines(found, events, program=reopened) == lines(found, events)


@effort(25)
@given(cases(length=10))
def test_a_store_keeps_everything_between_processes(tmp_path_factory: Any, case: Case) -> None:
    policy, events = case
    found = loaded(policy.text)
    path = str(tmp_path_factory.mktemp("store") / "state.db")
    worlds = Worlds()
    stored = []
    for raw in events:
        worlds.happened(raw)
        sessions = StoredSessions(open_store(path))
        stored.append(write_json(engine(found, worlds, sessions=sessions).decide(raw).to_dict()))
        close(sessions)
    assert stored == lines(found, events)


def close(sessions: StoredSessions) -> None:
    store = sessions._store
    if store is not None:
        store.close()


@effort(60)
@given(cases(length=8))
def test_formatting_keeps_the_tree_and_every_decision(case: Case) -> None:
    policy, events = case
    file, found = parse(Source("policy", policy.text))
    assert found == []
    text = format_file(file)
    again, found = parse(Source("policy", text))
    assert found == []
    assert tree(again) == tree(file)
    assert format_file(again) == text
    assert list(map(answer, decided(text, events))) == list(map(answer, decided(policy.text, events)))
