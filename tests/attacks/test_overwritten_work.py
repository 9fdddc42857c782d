"""A version that git keeps, written over work that nobody committed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_tests_taken_out import GIT

LOSES = ("git show HEAD:src/app.py > src/app.py", "git cat-file blob HEAD:src/app.py | tee src/app.py",
         "cd src && git show HEAD:./app.py > app.py", "git archive HEAD src/app.py | tar x",
         "git show HEAD:src/app.py > /tmp/app.py; cp /tmp/app.py src/app.py")  # fmt: skip
KEEPS = ("git show HEAD:src/app.py > src/old.py", "git show HEAD:src/gone.py > src/gone.py",
         "git show HEAD:src/app.py | diff - src/app.py", "git show HEAD --stat > notes.txt")  # fmt: skip


@pytest.mark.parametrize(("lines", "verdict"), [(LOSES, "deny"), (KEEPS, "allow")], ids=["loses", "keeps"])
def test_a_version_over_the_file_itself_is_asked_as_a_checkout_is(
    tmp_path: Path, lines: tuple[str, ...], verdict: str
) -> None:
    session = Session(tmp_path, "no-git-discard")
    (session.workspace / ".git/config").unlink()
    session.put("src/gone.py", "x = 1\n")
    for line in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run([*GIT, *line], cwd=session.workspace, check=True, env=session.environment)
    session.put("src/app.py", "x = 2\n")
    (session.workspace / "src/gone.py").unlink()
    assert {line: session.asked(line) for line in lines} == dict.fromkeys(lines, verdict)


PUT_BACK = {
    "git restore src/gone.py": "allow",
    "git checkout -- src/gone.py": "allow",
    "git checkout HEAD -- src/gone.py": "allow",
    "cd src && git checkout -- gone.py": "allow",
    "sed -i s/x/y/ src/gone.py; git checkout -- src/gone.py": "allow",
    "git checkout -- src/app.py": "deny",
    "git checkout -- src": "deny",
    "git restore .": "deny",
    "git checkout -- src/staged.py": "allow",
    "git checkout HEAD -- src/staged.py": "deny",
    "git restore -SW src/staged.py": "deny",
    "git restore --source=HEAD src/staged.py": "deny",
    "git checkout HEAD src/new.py": "deny",
    "git checkout HEAD -- src/ignored.py": "deny",
    "cd inner && git checkout -- a.py": "deny",
    "git stash pop; git checkout -- src/gone.py": "deny",
    "mv src/new.py src/gone.py; git checkout -- src/gone.py": "deny",
    "GIT_DIR=/tmp/x git checkout -- src/gone.py": "deny",
    "git checkout -f -- src/gone.py": "deny",
}


def test_files_that_hold_what_git_has_kept_are_put_back(tmp_path: Path) -> None:
    session = Session(tmp_path, "no-git-discard")
    session.host.environment["PATH"] = os.environ["PATH"]
    (session.workspace / ".git/config").unlink()
    for name in ("gone", "staged"):
        session.put(f"src/{name}.py", "x = 1\n")
    session.put(".gitignore", "ignored.py\ninner\n")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run([*GIT, *words], cwd=session.workspace, check=True, env=session.environment)
    for name in ("app", "staged", "new", "ignored"):
        session.put(f"src/{name}.py", "x = 2\n")
    session.put("inner/a.py", "x = 1\n")
    inner = session.workspace / "inner"
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run([*GIT, *words], cwd=inner, check=True, env=session.environment)
    session.put("inner/a.py", "x = 2\n")
    subprocess.run([*GIT, "add", "src/staged.py"], cwd=session.workspace, check=True, env=session.environment)
    assert {line: session.asked(line) for line in PUT_BACK} == PUT_BACK
