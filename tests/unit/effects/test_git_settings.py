"""Which calls of git only read: told from their words and the settings on the disk, and played with git itself, whose
settings name a program wherever git takes one.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from policy_engine.effects.analysis import analysis_of
from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Disk, Virtual
from policy_engine.model.effects import ANY
from policy_engine.shell.parse import parse

READING = """
git status
git status --short --branch
git log --oneline -5
git log -p -- a.py
git log --encoding=utf-8
git diff
git diff --stat HEAD~1
git diff --cached -- a.py
git show HEAD
git blame a.py
git grep -n x
git rev-parse --abbrev-ref HEAD
git rev-list --count HEAD
git ls-files -o --exclude-standard
git ls-tree HEAD
git branch
git branch -a
git branch --show-current
git branch --list 'x*'
git tag
git tag -l 'v*'
git stash list
git worktree list
git --no-pager log -1
git cat-file -p HEAD
git describe --tags
git for-each-ref refs/heads
git merge-base HEAD HEAD
git log --exclude=x --all
git diff --exit-code
""".strip().splitlines()
OTHERS = """
git branch x
git branch -D x
git tag v1
git stash
git stash pop
git worktree add ../x
git remote add o u
git remote show origin
git commit -m x
git add a.py
git fetch
git checkout -b x
git log --output=x
git diff --ext-diff
git show --textconv HEAD:a.py
git cat-file --filters HEAD:a.py
git grep -Oless x
git grep --open-files-in-pager=x y
git log --show-signature
git log --format=%G?
git -c core.fsmonitor=./x status
git --exec-path=. status
git -p log
git log --help
git lg
git $X
git diff "$X"
git diff --text --textc
GIT_PAGER=./x git log
git status > x
""".strip().splitlines()
PROGRAMS = (
    "[core]\n\tfsmonitor = {0}\n", "[core] fsmonitor={0}\n", "[CORE]\n\tFsMonitor={0} # x\n",
    '[core]\n\tfsmonitor="{0}"\n',
    "[diff]\n\texternal = {0}\n", '[diff "x"]\n\tcommand = {0}\n', '[diff "x"]\n\ttextconv = {0}\n',
    '[filter "x"]\n\tclean = {0}\n', '[filter "x"]\n\tprocess = {0}\n', "[diff.x]\n\ttextconv = {0}\n",
    "[core]\n\tpager = {0}\n",
    "[pager]\n\tlog = {0}\n", "[include]\n\tpath = more\n", '[includeIf "gitdir:/"]\n\tpath = more\n',
    "[core]\n\thooksPath = hooks\n", "[a]\n\tb = \\\n[diff]\n\tfsmonitor = {0}\n", "[core]\n\tpager = less; {0}\n",
    "[core]\n\ta = b \\\n[x]\n\tfsmonitor = {0}\n", '[remote "origin"]\n\tpromisor = true\n',
    "[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {0}\n",
)  # fmt: skip
HARMLESS = (
    "[core]\n\tbare = false\n\tfsmonitor = true\n\tpager = delta -n\n[user]\n\tname = A\n[push]\n\tdefault = current\n",
    '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n',
    "[alias]\n\tlg = !./x\n[credential]\n\thelper = store\n[commit]\n\tgpgsign = true\n[merge]\n\ttool = vimdiff\n",
)


def only_reads(line: str, folder: Path) -> bool:
    """Return whether every command of a line provably only reads, in a repository on the disk."""
    filesystem = Disk(str(folder), str(folder.parent / "home"))
    return all(effects_of(one).read_only for one in parse(line, str(folder), filesystem))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "a.py").write_text("x = 1\n")
    (folder / ".gitattributes").write_text("a.py diff=x filter=x\n")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one")
    git(folder, "remote", "add", "origin", "nowhere")
    (folder / "a.py").write_text("x = 2\n")
    return folder


def git(folder: Path, *words: str) -> None:
    """Run git as its settings say, as a coding agent would, in a terminal of nobody."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder.parent / "home"), "LC_ALL": "C"}
    subprocess.run(["git", *words], cwd=folder, env=environment, capture_output=True, check=False)


@pytest.mark.parametrize("line", READING)
def test_a_call_that_asks_only_reads(line: str, repository: Path) -> None:
    assert only_reads(line, repository)


@pytest.mark.parametrize("line", OTHERS)
def test_another_call_is_not_known_to_only_read(line: str, repository: Path) -> None:
    assert not only_reads(line, repository)


@pytest.mark.parametrize("text", PROGRAMS)
@pytest.mark.parametrize("place", [".git/config", "../home/.gitconfig", "../home/.config/git/config"])
def test_settings_that_start_a_program_are_seen(text: str, place: str, repository: Path) -> None:
    file = repository / place
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a") as settings:
        settings.write(text.format("./program"))
    (repository / "hooks").mkdir()
    (repository / "hooks" / "post-index-change").touch()
    assert not only_reads("git status", repository)
    assert not only_reads("cd /tmp; git -C " + str(repository) + " log -1", repository)


@pytest.mark.parametrize("text", HARMLESS)
def test_settings_that_people_have_are_harmless(text: str, repository: Path) -> None:
    with (repository / ".git/config").open("a") as settings:
        settings.write(text)
    assert only_reads("git status && git log -3 | head", repository)


@pytest.mark.parametrize("text", [one for one in PROGRAMS if "{0}" in one])
def test_git_starts_no_program_where_it_is_said_to_only_read(text: str, repository: Path) -> None:
    program = repository.parent / "program"
    program.write_text(f"#!/bin/sh\ntouch {repository.parent}/started\ncat\n")
    program.chmod(0o755)
    with (repository / ".git/config").open("a") as settings:
        settings.write(text.format(program))
    for line in READING:
        if only_reads(line, repository):
            git(repository, *line.replace("'", "").split()[1:])
            assert not (repository.parent / "started").exists(), line


def test_a_hook_of_the_index_counts(repository: Path) -> None:
    (repository / ".git/hooks").mkdir(exist_ok=True)
    hook = repository / ".git/hooks/post-index-change"
    hook.write_text(f"#!/bin/sh\ntouch {repository.parent}/started\n")
    hook.chmod(0o755)
    os.utime(repository / "a.py", (1, 1))
    (repository / "a.py").write_text("x = 1\n")
    git(repository, "status")
    assert (repository.parent / "started").exists()
    assert not only_reads("git status", repository)


def test_submodules_and_odd_repositories_are_no_proof(repository: Path) -> None:
    (repository / ".gitmodules").touch()
    assert not only_reads("git status", repository)
    (repository / ".gitmodules").unlink()
    other = repository / "other"
    other.mkdir()
    (other / ".git").write_text("gitdir: /elsewhere\n")
    assert not only_reads("git -C other status", repository)
    assert only_reads("git status", repository)


def test_a_work_tree_has_the_settings_of_its_repository(repository: Path) -> None:
    git(repository, "worktree", "add", "-q", "../tree")
    tree = repository.parent / "tree"
    assert only_reads("git status", tree)
    with (repository / ".git/config").open("a") as settings:
        settings.write("[core]\n\tfsmonitor = ./x\n")
    assert not only_reads("git status", tree)


def test_what_cannot_be_looked_at_is_no_proof(repository: Path) -> None:
    (repository / ".git/config").write_bytes(b"[core]\0")
    assert not only_reads("git status", repository)
    assert all(effects_of(one).read_only for one in parse("git status", "/workspace", Virtual()))


@pytest.mark.parametrize(
    ("alias", "line", "doubted", "discards"),
    [
        ("lg = log --oneline -5", "git lg", False, False),
        ("lg = log --oneline -5", "git lg -- a.py", False, False),
        ("st = status -sb", "cd . && git st", False, False),
        ("undo = reset --hard", "git undo", False, True),
        ("undo = !git reset --hard", "git undo HEAD~1", False, True),
        ("x = log", "git y", True, False),
        ("x = log # all", "git x", True, False),
        ("x = log\n[include]\n\tpath = more", "git x", True, False),
        ("x = log", "echo '[alias] x = reset --hard' >> .git/config; git x", True, False),
        ("x = log", "GIT_CONFIG_GLOBAL=y git x", True, False),
        ("x = y\n\ty = x", "git x", True, False),
    ],
)
def test_an_alias_is_what_the_settings_say(
    alias: str, line: str, doubted: bool, discards: bool, repository: Path
) -> None:
    with (repository / ".git/config").open("a") as settings:
        settings.write(f"[alias]\n\t{alias}\n")
    commands = tuple(parse(line, str(repository), Disk(str(repository), str(repository.parent / "home"))))
    for command in commands:
        command.line = commands
    did = analysis_of(commands[-1])
    assert (ANY in did.doubts, "discards" in did.words) == (doubted, discards)
