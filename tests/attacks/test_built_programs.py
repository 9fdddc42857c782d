"""Programs of tests that `make` builds: they are proof where make made them, and none where somebody put them there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_forged_runs import played
from tests.attacks.test_runs_of_tests import finish, repository, write

GREEN = "./calc_test\n1 test passed\n"
BUILT = "cp calc.c calc_test && chmod +x calc_test\n" + GREEN
SOURCES = {
    "Makefile": "all: calc_test\ncalc_test: calc.c\n\tcp calc.c $@ && chmod +x $@\ntest: calc_test\n\t./calc_test\n"
    ".PHONY: all test\n",
    "calc.c": "echo 1 test passed\n",  # a script stands for a program that a compiler would make
}


@pytest.fixture
def project(tmp_path: Path) -> Session:
    """A project whose `make test` builds the program with its tests; its source has just changed."""
    session = repository(tmp_path, SOURCES)
    session.host.call(session.host.payload("SessionStart", source="startup"))
    write(session, "calc.c", "echo 1 test passed # once more\n")
    assert finish(session) == "refused"
    return session


@pytest.mark.parametrize(
    "lines",
    [
        ["make test"],
        ["make -j4 test"],
        ["make -s -j2", "make test"],
        ["make all 2>&1 | tail -5", "make test"],
        ["rm -rf calc_test && make test"],
        ["make calc_test && ./calc_test", "make test"],
        ["mkdir -p out && make all > out/log", "make test"],
    ],
)
def test_a_program_that_make_built_is_proof(project: Session, lines: list[str]) -> None:
    for line in lines:
        played(project, line, BUILT)
    assert finish(project) == "accepted"
    write(project, "calc.c", "echo 1 test passed # twice more\n")
    assert finish(project) == "refused"
    played(project, "make test", BUILT)
    assert finish(project) == "accepted"


@pytest.mark.parametrize(
    "lines",
    [
        ["cp /bin/true calc_test", "make test"], ["make; cp /bin/true calc_test", "make test"],
        ["make all", "cp /bin/true calc_test", "make test"], ["make all", "touch calc_test", "make test"],
        ["make -o calc.c test"], ["cp /bin/true calc_test; make test"],
        ["python3 -c 'open(\"calc_test\", \"w\")'", "make test"],
        ["make all; cat /bin/true > calc_test", "make test"], ["make all; cat /bin/true | tee calc_test", "make test"],
        ["mkdir b; cp /bin/true b/calc_test; make all; cp -r b/. .", "make test"], ["make all; ./other", "make test"],
        ["make CC=x all", "make test"], ["make --eval='calc_test:;cp /bin/true $@' test"],
    ],
)  # fmt: skip
def test_a_program_that_came_from_elsewhere_is_none(project: Session, lines: list[str]) -> None:
    for line in lines:
        played(project, line, GREEN)
    assert finish(project) == "refused"


def test_a_program_that_make_built_with_variables_is_built_anew(project: Session) -> None:
    played(project, "make test CFLAGS=-g", BUILT)
    assert finish(project) == "refused"
    played(project, "make test", GREEN)
    assert finish(project) == "refused"
    played(project, "make -B test", BUILT)
    played(project, "make test", GREEN)
    assert finish(project) == "accepted"
