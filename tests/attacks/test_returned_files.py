"""Files that git moves away and brings back: a green run of just these counts on, and one of others does not."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_forged_runs import played
from tests.attacks.test_runs_of_tests import begun, finish, repository, write

GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b")
COMMIT = "git add -A && git commit -qm more"


@pytest.fixture
def branch(tmp_path: Path) -> Session:
    """A repository on a branch of the session, with a changed source."""
    session = repository(tmp_path)
    session.put("src/app.py", "x = 1\n")
    shutil.rmtree(session.workspace / ".git")
    session.environment |= {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
                            "GIT_COMMITTER_EMAIL": "a@b"}  # fmt: skip
    for line in (
        ["init", "-q", "-b", "main"],
        ["add", "-A"],
        ["commit", "-qm", "all"],
        ["checkout", "-q", "-b", "feat"],
    ):
        subprocess.run([*GIT, *line], cwd=session.workspace, check=True, env=session.environment)
    session.host.environment["PATH"] = session.environment["PATH"]
    return begun(session)


def do(session: Session, *lines: str) -> None:
    """Play lines without an output."""
    for line in lines:
        played(session, line, "")


def tested(session: Session) -> Session:
    """Run the tests green."""
    played(session, "pytest -q", does=False)
    assert finish(session) == "accepted"
    return session


RETURNS = {
    "merged": (COMMIT, "git checkout -q main", "git merge -q feat"),
    "merged by a commit": (COMMIT, "git switch -q main", "git merge -q --no-ff -m feat feat"),
    "merged after a look": (COMMIT, "git checkout -q main", "git log --oneline | head -3; ls src", "git merge -q feat"),
    "squashed": (COMMIT, "git checkout -q main", "git merge -q --squash feat", "git commit -qm squashed"),
    "stashed": ("git stash -q", "git checkout -q main", "git checkout -q -b other", "git stash pop -q"),
    "picked": (COMMIT, "git checkout -q main", "git cherry-pick feat"),
    "seen and left": (COMMIT, "git checkout -q main", "git checkout -q feat"),
}


@pytest.mark.parametrize("lines", RETURNS.values(), ids=RETURNS)
def test_a_green_run_counts_where_git_brings_back_what_was_tested(branch: Session, lines: tuple[str, ...]) -> None:
    do(tested(branch), *lines)
    assert (branch.workspace / "src/app.py").read_text() == "x = 2\n"
    assert finish(branch) == "accepted"
    do(branch, "sed -i s/2/3/ src/app.py")
    assert finish(branch) == "refused"


def test_new_files_and_documents_between_come_back_too(branch: Session) -> None:
    write(branch, "src/more.py", "y = 1\n")
    tested(branch)
    do(branch, "git checkout -q -b third")
    write(branch, "README.md", "# App\n")
    do(branch, COMMIT, "git checkout -q main", "git merge -q third", "git branch -d third")
    assert (branch.workspace / "src/more.py").exists()
    assert finish(branch) == "accepted"


AWAY = ("git checkout -q main",)
CHANGES = {
    "another branch": (COMMIT, *AWAY),
    "another merge": (COMMIT, *AWAY, "git checkout -q -b b", "echo 'x = 3' > src/app.py", COMMIT,
                      "git merge -q -s ours feat"),
    "a hidden change": (COMMIT, "git update-index --assume-unchanged src/app.py", "git branch b", "git checkout -q b",
                        "echo 'x = 3' > src/app.py", "git checkout -q feat"),
    "an edit behind it": (COMMIT, *AWAY, "git merge -q feat && echo 'x = 3' > src/app.py"),
    "another commit of the branch": (COMMIT, "git branch b", "git checkout -q main", "git branch -f feat main",
                                     "git merge -q feat"),
    "a link": (COMMIT, *AWAY, "git merge -q feat", "cp src/app.py /tmp/app.py; ln -sf /tmp/app.py src/app.py",
               "git checkout -q -b c"),
    "a part of it": (COMMIT, *AWAY, "git checkout -q feat -- src/app.py", "rm -f src/app.py"),
}  # fmt: skip


@pytest.mark.parametrize("lines", CHANGES.values(), ids=CHANGES)
def test_other_files_than_the_tested_ones_need_a_run(branch: Session, lines: tuple[str, ...]) -> None:
    do(tested(branch), *lines)
    assert finish(branch) == "refused"


def test_a_run_of_what_lies_there_meanwhile_does_not_count_for_what_comes_back(branch: Session) -> None:
    do(branch, "git stash -q")
    played(branch, "pytest -q", does=False)
    do(branch, "git stash pop -q")
    assert finish(branch) == "refused"
    tested(branch)
    write(branch, "src/app.py", "x = 5\n")
    do(branch, "git stash -q")
    played(branch, "pytest -q", does=False)
    do(branch, "git stash pop -q")
    assert finish(branch) == "refused"


def test_what_changed_unseen_before_git_moved_it_is_not_taken_for_tested(branch: Session) -> None:
    tested(branch)
    branch.put("src/app.py", "x = 6\n")  # by a program that still ran
    do(branch, COMMIT, *AWAY, "git merge -q feat")
    assert (branch.workspace / "src/app.py").read_text() == "x = 6\n"
    assert finish(branch) == "refused"


def test_a_reading_of_what_lies_there_meanwhile_forgets_the_moment(branch: Session) -> None:
    do(tested(branch), COMMIT, *AWAY, "cat src/app.py", "git merge -q feat")
    assert finish(branch) == "refused"


def test_a_moment_is_kept_again_after_one_was_forgotten(branch: Session) -> None:
    do(tested(branch), COMMIT, "git checkout -q main", "make tidy", "git checkout -q feat")
    assert finish(branch) == "refused"
    do(tested(branch), "git checkout -q main", "git merge -q feat")
    assert finish(branch) == "accepted"
