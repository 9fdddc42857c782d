"""Trust in a repository's commands: nothing runs without it, and only a person can give it."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.end_to_end.host import Host
from tests.end_to_end.terminal import at_terminal
from tests.end_to_end.trusting import POLICY, environment, first_characters, policy, put, ran, record, untrusted


@pytest.mark.requirement("R13", "R14")
def test_nothing_of_a_repository_runs_before_a_person_trusts_it(repository: Host) -> None:
    assert "are not trusted" in untrusted(repository)
    assert repository.call(repository.shell("rmdir x")).refused, "rules hold all the same"


@pytest.mark.requirement("R14")
def test_a_person_at_a_terminal_sees_the_effects_and_lets_the_commands_run(repository: Host) -> None:
    seen: list[str] = []

    def typed(said: str) -> str:
        seen.append(said)
        return first_characters(said)

    status, _ = at_terminal(policy("trust"), environment(repository), repository.workspace, typed)
    assert status == 0
    for shown in (
        "1 deny", "no-rmdir", "before_tool(shell)", "hook guard", "/bin/sh tools/guard.sh --config=tools/guard.conf",
        "for up to 20 s", "only warns if that cannot be asked", "verify checks", "tools/check.sh", "before_completion",
        ".policy/main.policy",
    ):  # fmt: skip
        assert shown in seen[0]
    assert "the guard says no" in repository.call(repository.shell("rm a")).err
    assert repository.call(repository.shell("ls")).verdict == "allow"
    assert repository.call(repository.stop()).verdict == "allow"
    assert ran(repository) == {"guard", "check"}
    kept = record(repository)
    assert (kept.stat().st_mode & 0o777, kept.stat().st_uid) == (0o600, os.geteuid())


@pytest.mark.requirement("R14")
@pytest.mark.parametrize("typed", ["y", "", "00000000"])
def test_an_answer_that_nobody_needs_to_read_for_is_none(repository: Host, typed: str) -> None:
    status, _ = at_terminal(policy("trust"), environment(repository), repository.workspace, lambda said: typed)
    assert (status, record(repository).exists()) == (1, False)


@pytest.mark.requirement("R14")
@pytest.mark.parametrize("name", ["tools/check.sh", ".policy/main.policy", "tools/guard.conf"])
def test_what_changes_while_the_person_reads_is_not_what_they_trust(repository: Host, name: str) -> None:
    def typed(said: str) -> str:
        put(repository, name, f"{POLICY}# new\n")
        return first_characters(said)

    status, said = at_terminal(policy("trust"), environment(repository), repository.workspace, typed)
    assert (status, "changed while you read" in said, record(repository).exists()) == (1, True, False)


@pytest.mark.requirement("R14")
def test_a_pipe_is_no_person(repository: Host) -> None:
    done = subprocess.run(
        policy("trust"), env=environment(repository), cwd=repository.workspace, input=b"y\n", capture_output=True
    )
    assert done.returncode == 2 and b"nobody can be asked" in done.stderr
    assert not record(repository).exists()


@pytest.mark.requirement("R14")
@pytest.mark.parametrize("name", ["CLAUDECODE", "CODEX_SANDBOX", "AGENT"])
def test_who_runs_with_an_agents_variables_is_no_person(repository: Host, name: str) -> None:
    found = environment(repository, **{name: "1"})
    status, said = at_terminal(policy("trust"), found, repository.workspace, first_characters)
    assert (status, name in said, record(repository).exists()) == (2, True, False)


@pytest.mark.requirement("R14")
@pytest.mark.parametrize(
    ("place", "options"),
    [
        ("bin/claude", ()),
        ("bin/claude", ("--revoke",)),
        ("lib/node_modules/@openai/codex/bin/run.js", ()),
        ("bin/cursor", ()),
    ],
)
def test_below_an_agents_process_nobody_is_a_person(repository: Host, place: str, options: tuple[str, ...]) -> None:
    agent = repository.home / place
    agent.parent.mkdir(parents=True)
    agent.write_text('#!/bin/sh\n"$@"\nexit $?\n')
    agent.chmod(0o755)
    command = [str(agent), *policy("trust", *options)]
    status, said = at_terminal(command, environment(repository), repository.workspace, first_characters)
    assert (status, "above this one" in said, record(repository).exists()) == (2, True, False), said


@pytest.mark.requirement("R14")
def test_a_variable_that_was_taken_away_again_is_still_seen(repository: Host) -> None:
    shell = ["/bin/sh", "-c", 'env -u CLAUDECODE "$@"; exit $?', "sh", *policy("trust")]
    found = environment(repository, CLAUDECODE="1")
    status, said = at_terminal(shell, found, repository.workspace, first_characters)
    assert (status, "CLAUDECODE" in said, record(repository).exists()) == (2, True, False)


@pytest.mark.requirement("R14", "R15")
def test_commands_of_the_users_own_policies_need_no_trust(repository: Host) -> None:
    own = repository.home / ".config/policy-engine"
    own.mkdir(parents=True, mode=0o700)
    (own / "own.sh").write_text('#!/bin/sh\ntouch "$HOME/check-ran"\necho "my own guard says no"\nexit 1\n')
    run = f'run ["/bin/sh", "{own}/own.sh"]'
    (own / "own.policy").write_text(f'language 1\n\nhook own "Mine" {{ on before_tool(shell) {run} }}\n')
    for path in own.iterdir():
        path.chmod(0o600)
    said = repository.call(repository.shell("ls"))
    assert said.refused and "my own guard says no" in said.err and "user/own" in said.err
    assert ran(repository) == {"check"}  # and not the repository's guard
