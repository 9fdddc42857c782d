"""Every fuzz target holds for what its corpus keeps, and for mutants of it: always the same in `make test`."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz.feeding import CORPUS, corpus, load, mutant, names
from tests.properties.effort import seeds

MUTANTS = 40
KEPT_BYTES = 500_000


@pytest.mark.parametrize("name", names())
def test_a_target_holds_for_its_corpus(name: str) -> None:
    for data in corpus(name):
        load(name).target(data)


@pytest.mark.parametrize("name", names())
def test_a_target_holds_for_mutants_of_its_corpus(name: str) -> None:
    known = corpus(name)
    for seed in seeds(MUTANTS):
        data = mutant(known, Random(seed))
        try:
            load(name).target(data)
        except Exception as fault:
            pytest.fail(f"seed {seed}, input {data!r}: {type(fault).__name__}: {fault}")


def test_the_corpus_is_small_and_every_folder_has_its_target() -> None:
    assert sum(path.stat().st_size for path in CORPUS.rglob("*") if path.is_file()) < KEPT_BYTES
    assert {path.name for path in CORPUS.iterdir()} <= set(names())
