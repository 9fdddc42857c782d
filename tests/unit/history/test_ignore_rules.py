"""Generated ignore files and paths: git and we ignore the same."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from policy_engine.history.ignore_rules import decide, rules

PIECES = st.sampled_from(
    ["a", "b", "ab", "*", "?", "**", "/", "/", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[[:alpha:]]", "[[:x:]]", "\\a",
     "\\*", "\\", "[", "]", "[a", "-", ".", " ", "!", "#", "a*b", "**/", "/**", "/**/", "[\\]]", "[b-a]", "*.b"]
)  # fmt: skip
LINES = st.builds("".join, st.lists(PIECES, min_size=1, max_size=4))
STARTS, ENDS = st.sampled_from(["", "", "", "!", "/"]), st.sampled_from(["", "", "/", " ", "\r"])
FILES = st.lists(st.builds("{}{}{}".format, STARTS, LINES, ENDS), min_size=1, max_size=3).map("\n".join)
# What git makes of `a**` depends on where its strings lie in memory.
ODD = re.compile(r"[^/\n]\*\*|\*\*[^/\n]")
NAMES = st.sampled_from(["a", "b", "ab", "a.b", "ba", "c", "*", "]", "-", "x b", "#", "!a", "aab"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is the judge")
@settings(max_examples=150, deadline=None, derandomize=True,
          suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])  # fmt: skip
@given(FILES.filter(lambda text: not ODD.search(text)), st.lists(PATHS, min_size=1, max_size=12, unique=True))
def test_git_ignores_the_same(tmp_path: Path, text: str, paths: list[str]) -> None:
    if not (tmp_path / ".git").exists():
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_bytes(text.encode())
    asked = "\0".join(paths).encode()
    command = ["git", "-c", "core.excludesFile=/dev/null", "check-ignore", "-z", "--no-index", "--stdin"]
    done = subprocess.run(command, cwd=tmp_path, input=asked, capture_output=True, check=False)
    theirs = set(done.stdout.decode().split("\0")) - {""}
    found = rules(text)
    assert {path for path in paths if _ignored(found, path)} == theirs


def _ignored(found: object, path: str) -> bool:
    """As git: a file below a folder that is ignored is ignored."""
    names = path.split("/")
    for depth in range(1, len(names)):
        if decide(found, "/".join(names[:depth]), True):  # type: ignore[arg-type]
            return True
    return bool(decide(found, path, False))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "ignored", "kept"),
    [
        ("*.log\n!kept.log", ["a.log", "x/a.log"], ["kept.log", "log"]),
        ("/build", ["build", "build/x"], ["src/build"]),
        ("docs/*.md", ["docs/a.md"], ["docs/x/a.md", "x/docs/a.md"]),
        ("a/**/z", ["a/z", "a/b/c/z"], ["z", "b/a/z"]),
        ("out/", ["out/x", "x/out/y"], ["out"]),
        ("\\#x\n\\!y\nkeep\\ ", ["#x", "!y", "keep "], ["x", "keep"]),
        ("\ufeffa\r\n# b\n\nc   ", ["a", "c"], ["b", "c   "]),
    ],
)
def test_the_usual_forms(text: str, ignored: list[str], kept: list[str]) -> None:
    found = rules(text)
    assert [path for path in ignored + kept if _ignored(found, path)] == ignored
