"""An agent started in a folder below, or in a repository within the repository: the policies around it hold there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.end_to_end.host import POLICY, Done, Host
from tests.end_to_end.terminal import at_terminal
from tests.end_to_end.trusting import CHECK, environment, policy, put

NO_LS = POLICY.replace("no-rm", "no-ls").replace('"rm"', '"ls"').replace("rm a", "ls a")
EMPTY = "language 1\n"
VERIFY = EMPTY + 'verify checks "The checks pass" {\n  stage one run ["tools/check.sh"] timeout 20s\n}\n'


@pytest.fixture
def outer(tmp_path: Path) -> Host:
    """A repository in which `rm` is refused."""
    host = Host(tmp_path)
    (host.workspace / ".git").mkdir()
    host.write_policy(POLICY)
    return host


def nested(outer: Host, name: str = "sub", text: str | None = None) -> Path:
    """A repository below it, with a policy of its own or without one."""
    folder = outer.workspace / name
    (folder / ".git").mkdir(parents=True)
    if text is not None:
        (folder / ".policy").mkdir()
        (folder / ".policy/main.policy").write_text(text)
    return folder


def call(outer: Host, folder: Path, command: str = "rm a", session: str = "") -> Done:
    """A proposed shell call of an agent that was started in a folder."""
    payload = {**outer.shell(command), "cwd": str(folder), "session_id": session or f"in {folder}"}
    return outer.call(payload, cwd=folder)


def lets_alone(outer: Host, folder: Path, typed: str = "alone", *options: str) -> int:
    """The exit status of what a person says at a terminal."""
    words = policy("trust", *(options or ("--alone",)))
    return at_terminal(words, environment(outer), folder, lambda text: typed)[0]


@pytest.mark.parametrize("name", ["sub", "node_modules/thing", "a/b/c"])
def test_a_repository_within_has_the_rules_of_the_one_around(outer: Host, name: str) -> None:
    folder = nested(outer, name)
    assert call(outer, folder).refused
    assert call(outer, folder, "pwd").verdict == "allow"


def test_a_submodule_and_a_work_tree_without_a_policy_have_them_too(outer: Host) -> None:
    folder = outer.workspace / "vendor"
    folder.mkdir()
    (folder / ".git").write_text("gitdir: ../.git/modules/vendor\n")
    assert call(outer, folder).refused


def test_its_own_policy_only_tightens(outer: Host) -> None:
    folder = nested(outer, text=NO_LS)
    done = call(outer, folder)
    assert done.refused and "outer/no-rm" in done.err
    assert call(outer, folder, "ls").refused
    assert call(outer, outer.workspace, "ls").verdict == "allow"


def test_a_weak_policy_halfway_hides_nothing(outer: Host) -> None:
    nested(outer, text=EMPTY)
    assert call(outer, nested(outer, "sub/deeper", EMPTY)).refused
    assert call(outer, nested(outer, "sub/other")).refused


def test_it_waives_nothing_of_the_one_around(outer: Host) -> None:
    waiver = 'waive no-rm "In the way" {\n  until 2099-01-01\n  owner "me"\n}\n'
    assert call(outer, nested(outer, text=EMPTY + waiver)).refused


def test_the_same_policy_speaks_once(outer: Host) -> None:
    done = call(outer, nested(outer, ".worktrees/b", POLICY))
    assert done.refused and done.err.count("no-rm") == 1


def test_what_stood_around_a_session_holds_until_it_ends(outer: Host) -> None:
    folder = nested(outer, text=EMPTY)
    assert call(outer, folder, "pwd", "s").verdict == "allow"
    shutil.rmtree(outer.workspace / ".policy")
    shutil.rmtree(outer.cache)
    assert call(outer, folder, session="s").refused


def test_a_command_of_the_one_around_runs_nothing_here_that_nobody_trusted(outer: Host) -> None:
    outer.write_policy(VERIFY)
    folder = nested(outer, text=EMPTY)
    put(outer, "sub/tools/check.sh", CHECK)
    stop = {**outer.stop(), "cwd": str(folder), "session_id": "s"}
    assert call(outer, folder, "pwd", "s").verdict == "allow"
    assert outer.call(stop, cwd=folder).refused
    assert not (outer.home / "check-ran").exists()


@pytest.mark.parametrize("text", [None, EMPTY])
def test_a_person_lets_it_stand_alone(outer: Host, text: str | None) -> None:
    folder = nested(outer, text=text)
    assert lets_alone(outer, folder, "yes") == 1
    assert call(outer, folder, session="before").refused
    assert lets_alone(outer, folder) == 0
    assert call(outer, folder, session="after").verdict == "allow"
    assert call(outer, folder, session="before").refused, "a session keeps what it began with"
    assert call(outer, nested(outer, "other", text), session="other").refused
    assert lets_alone(outer, folder, "", "--revoke") == 0
    assert call(outer, folder, session="last").refused


def test_another_folder_in_its_place_does_not_stand_alone(outer: Host) -> None:
    folder = nested(outer)
    assert lets_alone(outer, folder) == 0
    folder.rename(outer.workspace / "kept")
    assert call(outer, nested(outer)).refused


def test_an_agent_lets_nothing_stand_alone(outer: Host) -> None:
    folder = nested(outer)
    assert outer.call(outer.shell("cd sub && policy trust --alone")).refused
    status, _ = at_terminal(
        policy("trust", "--alone"), environment(outer, CLAUDECODE="1"), folder, lambda text: "alone"
    )
    assert status == 2
    assert call(outer, folder).refused


@pytest.mark.parametrize(
    "line", ["cd sub && claude -p x", "codex exec -C sub x", "mkdir n && cd n && git init && gemini -p x"]
)
def test_an_agent_that_may_find_no_hook_there_is_asked_about(outer: Host, line: str) -> None:
    nested(outer)
    assert outer.call(outer.shell(line)).verdict == "ask"
    assert outer.call(outer.shell("claude -p x")).verdict == "allow"


def test_what_lies_beside_is_not_meant(outer: Host) -> None:
    folder = outer.workspace.parent / "beside"
    (folder / ".git").mkdir(parents=True)
    assert call(outer, folder).verdict == "allow"


EMBEDDED = {"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\tbare = false\n\tworktree = ..\n"}


def embed(session: Session, more: str = "", **files: str) -> None:
    """A repository among the files of the workspace, with settings of its own."""
    texts = {**EMBEDDED, "config": EMBEDDED["config"] + more, **files}
    for name, text in texts.items():
        session.put(f"vendor/fix/{name}", text)
    for name in ("objects", "refs"):
        (session.workspace / "vendor/fix" / name).mkdir(exist_ok=True)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return Session(tmp_path_factory.mktemp("embedded"), "no-sudo", "no-hook-bypass")


LINES = (
    "cd vendor/fix && git status",
    "git -C vendor/fix status",
    "git --git-dir=vendor/fix status",
    "GIT_DIR=vendor/fix git status",
    "git -C vendor/fix fetch",
)


@pytest.mark.parametrize("setting", ['fsmonitor = "sudo id; false"', 'sshCommand = "sudo id"', "hooksPath = /tmp/x"])
def test_what_the_settings_among_the_files_start_counts(session: Session, setting: str) -> None:
    embed(session, f"\t{setting}\n")
    assert {line: session.asked(line) for line in LINES} == dict.fromkeys(LINES, "deny")
    assert session.asked("git push ./vendor/fix HEAD:x") == "deny"


def test_settings_in_other_files_are_asked_about(session: Session) -> None:
    embed(session, "[include]\n\tpath = ../x\n")
    assert session.asked("git -C vendor/fix status") == "ask"


def test_the_hooks_of_what_is_pushed_to_count(session: Session) -> None:
    embed(session)
    session.put("vendor/fix/hooks/post-receive.sample", "#!/bin/sh\nsudo id\n")
    assert session.asked("git push ./vendor/fix HEAD:x") == "allow"
    hook = session.put("vendor/fix/hooks/post-receive", "#!/bin/sh\nsudo id\n")
    session.put(".git/config", '[core]\n[remote "fix"]\n\turl = ./vendor/fix\n')
    for line in ("git push ./vendor/fix HEAD:x", "git push fix HEAD:x", "git push file://$PWD/vendor/fix HEAD:x"):
        assert session.asked(line) == "deny", line
    hook.unlink()


def test_a_file_that_names_the_repository_leads_there(session: Session) -> None:
    embed(session, '\tfsmonitor = "sudo id; false"\n')
    session.put("lib/.git", "gitdir: ../vendor/fix\n")
    assert session.asked("cd lib && git status") == "deny"


def test_settings_that_start_nothing_are_free(session: Session) -> None:
    embed(session, "\tfsmonitor = false\n[user]\n\tname = x\n")
    for line in ("git -C vendor/fix log", "cd vendor/fix && git status", "git push ./vendor/fix HEAD:x", "git status"):
        assert session.asked(line) == "allow", line
