"""`policy suggest`: what agents did, as rules that ask, waivers with an owner, and tests of honest work."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from typing import Any

import pytest

from tests.unit.commands.running import GOOD, ROOT, Shell, event, lines

SECRET = "ghp_" + "1f8KzQ0aWc7LrT2yXb9NvEo5HdJm3UsPi6Gq"  # drawn by lot for this test
CALLS = (
    "npm run build", "npm run build -- --watch", "npm run build | tail -3", "git push origin main", "git push",
    "rm -r build", "rm old.txt", "git status --short", "frobnicate --all", f"npm publish --otp {SECRET}",
    "aws s3 rb s3://backups --force", "ls -la",
)  # fmt: skip


@pytest.fixture
def recorded(policy: Shell) -> str:
    """Two sessions of the same calls, below a policy that refuses `rm`."""
    policy.write(".policy/main.policy", GOOD)
    calls = [event(number, line, session=f"s-{number % 2}") for number, line in enumerate(CALLS * 2)]
    return str(policy.write("calls.jsonl", lines(*calls)))


def suggestions(policy: Shell, *arguments: str) -> dict[tuple[str, str], dict[str, Any]]:
    """What is suggested, by pattern and kind."""
    done = policy("suggest", *arguments, "--least", "2", "--format", "json")
    assert done.status == 0, done.err
    return {(each["pattern"], each["kind"]): each for each in done.json["suggestions"]}


def test_what_reaches_others_is_to_be_asked_about_and_what_passes_is_kept(policy: Shell, recorded: str) -> None:
    found = suggestions(policy, recorded)
    assert found["git push", "unguarded"]["answer"] == "ask"
    assert (found["git push", "unguarded"]["calls"], found["git push", "unguarded"]["sessions"]) == (4, 2)
    assert found["npm run build", "honest"]["answer"] == "allow"
    assert found["rm", "interrupted"]["rules"] == ["no-rm"]


@pytest.mark.parametrize("pattern", ["aws s3", "npm publish", "git push"])
def test_what_destroys_publishes_or_sends_is_never_suggested_to_be_allowed(
    policy: Shell, recorded: str, pattern: str
) -> None:
    kinds = {kind for name, kind in suggestions(policy, recorded) if name.startswith(pattern)}
    assert kinds == {"unguarded"}


def test_what_nobody_knows_is_counted_and_not_suggested(policy: Shell, recorded: str) -> None:
    done = policy("suggest", recorded, "--least", "1")
    assert "frobnicate" not in done.out
    assert "2 commands left out: what they do cannot be known" in done.err


def test_the_file_passes_beside_the_policies_and_holds_no_secret(policy: Shell, recorded: str) -> None:
    done = policy("suggest", recorded, "--least", "2", "--out", ".policy/suggested.policy")
    assert done.status == 0, done.err
    text = (policy.folder / ".policy/suggested.policy").read_text()
    assert "rule ask-git-push " in text and 'shell "npm run build" ' in text
    assert SECRET not in text and "waive" not in text
    assert policy("check").status == 0 and policy("test").status == 0 and policy("fmt", "--check").status == 0
    judged = policy("eval", "-p", ".policy", stdin=lines(event(1, "git -C lib push")))
    assert judged.lines[0]["verdict"] == "ask"


def test_a_waiver_needs_an_owner_and_a_person_who_wants_it(policy: Shell, recorded: str) -> None:
    typed = {"`rm`": "allow", "`git push`": "skip"}
    status, shown = at_terminal(
        policy, typed, "suggest", recorded, "--least", "2", "--owner", "ada", "--out", "x.policy"
    )
    assert status == 0, shown
    text = (policy.folder / "x.policy").read_text()
    assert 'owner "ada"' in text and "waive no-rm " in text and "git push" not in text


def test_a_pattern_is_widened_word_by_word(policy: Shell, recorded: str) -> None:
    typed = {"`npm run build`": "widen", "`npm run`": "deny", "": "skip"}
    status, shown = at_terminal(policy, typed, "suggest", recorded, "--least", "2", "--out", ".policy/s.policy")
    assert status == 0, shown
    assert "rule deny-npm-run " in (policy.folder / ".policy/s.policy").read_text()


def test_quitting_keeps_what_was_answered(policy: Shell, recorded: str) -> None:
    typed = {"`git push`": "deny", "": "quit"}
    status, shown = at_terminal(policy, typed, "suggest", recorded, "--least", "4", "--out", ".policy/s.policy")
    assert status == 0, shown
    assert (policy.folder / ".policy/s.policy").read_text().count("rule ") == 1


def test_nothing_is_overwritten(policy: Shell, recorded: str) -> None:
    before = (policy.folder / ".policy/main.policy").read_bytes()
    done = policy("suggest", recorded, "--out", ".policy/main.policy", "--least", "2")
    assert done.status != 0 and "is there already" in done.err
    assert (policy.folder / ".policy/main.policy").read_bytes() == before


def test_a_log_without_records_suggests_nothing(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    assert policy("suggest").out == "nothing to suggest: no group of commands was seen so often\n"


def at_terminal(policy: Shell, typed: dict[str, str], *arguments: str) -> tuple[int, str]:
    """Run at a terminal; each question is answered by the first entry whose key is in it, others with return."""
    master, slave = os.openpty()
    environment = {**os.environ, **policy.environment, "PYTHONPATH": str(ROOT), "TERM": "dumb"}
    command = [sys.executable, "-m", "policy_engine", *arguments]
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=policy.folder, env=environment)
    os.close(slave)
    shown = question = ""
    while select.select([master], [], [], 60)[0]:
        try:
            part = os.read(master, 1 << 16).decode("utf-8", "replace")
        except OSError:
            break
        shown, question = shown + part, question + part
        if question.endswith("> "):
            asked = question.rpartition(" of ")[2]
            word = next((answer for key, answer in typed.items() if key in asked), "")
            os.write(master, f"{word}\n".encode())
            question = ""
    os.close(master)
    return process.wait(60), shown
