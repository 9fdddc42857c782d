"""Commits of repositories, played as writes, one session for each file: who is asked about honest edits.

`python -m bench.commits POLICY COUNT SEED REPOSITORY...` takes COUNT of the last 2,500 commits of each clone. The file
as it was before the commit lies in a workspace with the policy, and the call writes it as the commit has it. Nothing of
the repository is run. Each question is printed, and the number of each verdict.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any

from policy_engine.bootstrap import Engine

COMMITS = 2_500
FILES = 10  # of a commit
BYTES = 150_000  # of a file


def _git(repository: str, *words: str) -> bytes:
    return subprocess.run(["git", "-C", repository, *words], capture_output=True, check=False).stdout


def _changed(repository: str, commit: str) -> Iterator[tuple[str, bytes, bytes | None]]:
    """Yield the path, the new and the old content of each file that a commit writes."""
    words = ("diff-tree", "-r", "-z", "--no-commit-id", "--name-status", "--no-renames", commit)
    parts = _git(repository, *words).decode("utf-8", "surrogateescape").split("\0")
    for status, path in list(zip(parts[::2], parts[1::2], strict=False))[:FILES]:
        if status in ("A", "M"):
            old = _git(repository, "cat-file", "blob", f"{commit}^:{path}") if status == "M" else None
            yield path, _git(repository, "cat-file", "blob", f"{commit}:{path}"), old


def _write(session: str, workspace: str, place: Path, content: str) -> Any:
    arguments = {"file_path": str(place), "content": content}
    return {
        "hook": "before_tool",
        "session": session,
        "cwd": workspace,
        "workspace": workspace,
        "host": {"name": "claude-code", "interactive": True},
        "tool": {"name": "Write", "kind": "write", "args": arguments},
    }


def play(policy: str, count: int, seed: int, repository: str) -> Counter[str]:
    """Play commits of one repository, and return how often each verdict was given."""
    verdicts: Counter[str] = Counter()
    commits = _git(repository, "rev-list", "--no-merges", "-n", str(COMMITS), "HEAD").decode().split()
    with TemporaryDirectory() as workspace:
        Path(workspace, ".policy").mkdir()
        copy(policy, Path(workspace, ".policy", "main.policy"))
        engine = Engine.load(f"{workspace}/.policy", log=False)
        for commit in Random(seed).sample(commits, min(count, len(commits))):
            for path, new, old in _changed(repository, commit):
                place = Path(workspace, path)
                try:
                    content = new.decode()
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.unlink(missing_ok=True)
                    if old is not None:
                        place.write_bytes(old)
                except (UnicodeDecodeError, OSError):
                    continue
                if "\0" in content or len(new) > BYTES:
                    continue
                decision = engine.decide(_write(f"{commit}-{path}", workspace, place, content))
                verdicts[decision.verdict] += 1
                for rule in decision.rules:
                    if rule.verdict in ("ask", "deny", "stop"):
                        print(f"{rule.verdict} {rule.rule} {commit[:10]} {path}: {rule.message}")
    return verdicts


def main() -> None:
    policy, count, seed, *repositories = sys.argv[1:]
    for repository in repositories:
        print(f"{repository}: {dict(play(policy, int(count), int(seed), repository))}", flush=True)


if __name__ == "__main__":
    main()
