"""Random work with git: a finish is accepted only where the sources hold what a green run saw, and nothing else."""

from __future__ import annotations

import os
import random

import pytest

from tests.attacks.session import Session
from tests.attacks.test_forged_runs import played
from tests.attacks.test_returned_files import branch  # noqa: F401 -- a fixture
from tests.attacks.test_runs_of_tests import finish, write

SOURCES = ("src/app.py", "src/more.py")
GIT = (
    "git add -A && git commit -qm more", "git checkout -q main", "git checkout -q feat", "git stash -q -u",
    "git stash pop -q", "git stash -q", "git stash pop -q", "git merge -q feat", "git merge -q main",
    "git checkout -q -b b{n}", "git rebase -q main", "git cherry-pick feat", "git reset -q --soft HEAD~1",
    "git merge -q --squash feat", "git checkout -q -", "git log -1", "git commit -q --amend --no-edit",
    "git update-index --assume-unchanged src/app.py",
)  # fmt: skip


def held(session: Session) -> tuple[str | None, ...]:
    """Return what the sources hold."""
    files = (session.workspace / name for name in SOURCES)
    return tuple(file.read_text() if file.exists() else None for file in files)


def step(session: Session, choose: random.Random, number: int, tested: set[tuple[str | None, ...]]) -> None:
    """Do one thing: a run of the tests, a write by a tool, by the shell or by nobody, or a command of git."""
    kind = choose.random()
    text = f"x = {choose.randrange(3)}\n"
    if kind < 0.25:
        played(session, "pytest -q", does=False)
        tested.add(held(session))
    elif kind < 0.35:
        write(session, choose.choice(SOURCES), text)
    elif kind < 0.42:
        played(session, f"printf '{text[:-1]}\\n' > {choose.choice(SOURCES)}", "")
    elif kind < 0.45:
        session.put(choose.choice(SOURCES), text)
    else:
        played(session, choose.choice(GIT).format(n=number), "")


@pytest.mark.parametrize("seed", range(int(os.environ.get("RETURNED_SEEDS", "8"))))
def test_an_accepted_finish_has_seen_these_sources(branch: Session, seed: int) -> None:  # noqa: F811
    choose, tested = random.Random(seed), set[tuple[str | None, ...]]()
    for number in range(choose.randrange(4, 14)):
        step(branch, choose, number, tested)
    if finish(branch) == "accepted":
        assert held(branch) in tested
