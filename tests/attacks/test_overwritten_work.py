"""A version that git keeps, written over work that nobody committed."""

from __future__ import annotations

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
