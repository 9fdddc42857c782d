"""Find what a session set outside of the repository that runners, build tools and shells read by themselves.

Files of shells and environments set variables and name programs; files of build tools are those of runner_files.py, in
the home folder and the folders around the workspace. Not on the hook path: it is imported when a run of tests passed.
"""

from __future__ import annotations

import posix
import re

from policy_engine.filesystem.paths import decoded
from policy_engine.test_runs.classify import Place
from policy_engine.test_runs.environment import harmful_assignment, set_by_go
from policy_engine.test_runs.runners import MANAGERS, RUNNERS
from policy_engine.test_runs.task_files import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.test_runs.classify import Run

    Found = Iterator[tuple[str, str, str]]

_SETS, _RUNS = "sets variables for what runs tests", "names another program in the place of a runner"
_OF_SHELLS = (".bashrc", ".bash_profile", ".bash_login", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile",
              ".zlogin", ".config/fish/config.fish", ".pam_environment", ".mavenrc")  # fmt: skip
_OF_GO = ("~/.config/go/env", "~/Library/Application Support/go/env", "$XDG_CONFIG_HOME/go/env", "$GOENV")
_AROUND = (".gradle", ".gradle/init.d", ".m2")
_ASSIGNED = re.compile(
    r"(?<![\w$/.-])([A-Za-z_]\w*)=(\"[^\"\n]*\"|'[^'\n]*'|[^\s;&#\"']*)|^\s*set\s+(?:-\w+\s+)+(\w+)\s+([^\n;]*)",
    re.MULTILINE,
)
_NAMED = re.compile(r"(?:^|[;&\s])(?:alias\s+([\w.-]+)=|function\s+([\w.-]+)|([\w.-]+)\s*\(\s*\))", re.MULTILINE)
_COMMENT = re.compile(r"^\s*#[^\n]*", re.MULTILINE)


def folders_around(filesystem: FileSystem) -> list[str]:
    """Return the folders around the workspace, and those of the home folder, in which tools look for settings."""
    folders, above = [], filesystem.real_workspace.rstrip("/").rpartition("/")[0]
    while above:
        folders.append(above)
        above = above.rpartition("/")[0]
    home = (filesystem.home or "").rstrip("/")
    return folders + [f"{home}/{name}".rstrip("/") for name in ("", *_AROUND) if home]


def set_outside(run: Run, wrote: Callable[[str], bool], filesystem: FileSystem) -> Found:
    """Yield the files of shells and environments that the session wrote, with what they set against a run."""
    home = (filesystem.home or "").rstrip("/")
    for name in _OF_SHELLS if home else ():
        if wrote(real := f"{home}/{name}"):
            yield from _against(real, filesystem)
    for folder in (filesystem.real_workspace.rstrip("/"), *folders_around(filesystem)):
        if wrote(real := f"{folder}/.envrc"):
            yield from _against(real, filesystem)
    if run.of in ("", "go") and home:
        yield from _of_go(home, wrote, filesystem)


def _of_go(home: str, wrote: Callable[[str], bool], filesystem: FileSystem) -> Found:
    """Yield what `go env -w` set."""
    known = {decoded(name): decoded(value) for name, value in posix.environ.items()}
    reals = [one.replace("~", home) for one in _OF_GO[:2]]
    reals += [
        f"{known[name]}{one[1 + len(name) :]}" for one in _OF_GO[2:] if known.get(name := one[1:].partition("/")[0])
    ]
    for real in filter(wrote, reals):
        found = set_by_go(text_of(real, filesystem), Place(None, filesystem, ()))
        yield from ((real, line, _SETS) for line, _ in found)


def _against(real: str, filesystem: FileSystem) -> Found:
    home, place = (filesystem.home or "").rstrip("/"), Place(None, filesystem, ())
    text = _COMMENT.sub("", text_of(real, filesystem))
    for match in _ASSIGNED.finditer(text):
        name, value = match[1] or match[3], (match[2] or match[4] or "").strip("\"'")
        for mark in ("$HOME", "${HOME}", "~"):
            value = value.replace(mark, home)
        if name == "PATH":
            parts = [one for one in value.split(":") if one and (one[0] != "$" or one.startswith(("$PWD", "$OLDPWD")))]
            value = ":".join(parts)
        if (name != "PATH" or value) and harmful_assignment(f"{name}={value}", place):
            yield real, match[0], _SETS
    runners = {key.partition(" ")[0] for key in RUNNERS} | set(MANAGERS)
    for match in _NAMED.finditer(text):
        if (match[1] or match[2] or match[3]) in runners:
            yield real, match[0], _RUNS
