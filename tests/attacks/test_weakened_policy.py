"""A policy that is weakened behind the engine's back: the running session keeps what it began with, and it is said."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from policy_engine.hook_process.pruning import drop_older
from tests.end_to_end.host import Done, Host
from tests.end_to_end.terminal import at_terminal
from tests.end_to_end.trusting import environment, policy

SUDO = """\
rule no-sudo "Nobody becomes root" {
  on before_tool(shell)
  when any c in commands { c.program == roots }
  deny "Leave root alone."
}
"""
ROOTS = 'define roots = "sudo"\n'
TESTS = """\
rule tests-pass "Tests pass after the last change" {
  on before_completion
  when wrote(glob("src/**"))
  require command_success("pytest -*") since wrote(glob("src/**"))
  deny "Run the tests."
}
"""
LIMIT = """\
limit few "Only a few fetches" {
  on before_tool(fetch)
  counts true
  at 3 deny "Enough."
}
"""
ASKS = """\
rule asks "A person agrees" {
  on before_tool(shell)
  when any c in commands { c.program == "make" }
  ask "Is that right?"
}
"""
WHOLE = f"language 1\n{ROOTS}{SUDO}{TESTS}{LIMIT}"
HOLDS = "holds until it ends"


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A session that began with WHOLE, and changed a file since."""
    found = Host(tmp_path)
    found.write_policy(WHOLE)
    found.call(found.payload("SessionStart", source="startup"))
    found.call(found.wrote("src/a.py", "w1"))
    return found


def away(host: Host) -> None:
    shutil.rmtree(host.workspace / ".policy")


def emptied(host: Host) -> None:
    host.write_policy("language 1\n")


def moved(host: Host) -> None:
    host.policy.rename(host.workspace / "main.policy")


def replaced(host: Host) -> None:
    """The same rules as words that do nothing."""
    host.write_policy(WHOLE.replace('"sudo"', '"nothing"').replace('glob("src/**")', 'glob("none/**")'))


def waived(host: Host) -> None:
    names = ("no-sudo", "tests-pass", "few")
    waivers = "".join(f'waive {name} "x" {{ until 2099-01-01 owner "a" }}\n' for name in names)
    host.write_policy(WHOLE + waivers)


def shadowed(host: Host) -> None:
    host.write_policy(
        WHOLE.replace('  deny "Leave root alone."\n', '  deny "Leave root alone."\n  shadow\n').replace(
            '  deny "Run the tests."\n', '  deny "Run the tests."\n  shadow\n'
        )
    )


def milder(host: Host) -> None:
    host.write_policy(WHOLE.replace("deny", "warn"))


def elsewhere(host: Host) -> None:
    host.write_policy(WHOLE.replace("before_tool(shell)", "before_tool(fetch)").replace("before_completion", "prompt"))


def checked_out(host: Host) -> None:
    git(host, "init", "-q", "-b", "main")
    git(host, "add", ".policy")
    git(host, "commit", "-qm", "strong")
    git(host, "checkout", "-q", "-b", "weak")
    emptied(host)
    git(host, "commit", "-qam", "weak")


def stashed(host: Host) -> None:
    git(host, "init", "-q", "-b", "main")
    git(host, "commit", "-qm", "nothing", "--allow-empty")
    git(host, "stash", "-qu")


def by_a_script(host: Host) -> None:
    script = host.workspace / "x.sh"
    script.write_text("printf 'language 1\\n' > .policy/main.policy\n")
    subprocess.run(["/bin/sh", str(script)], cwd=host.workspace, check=True)


def through_a_link(host: Host) -> None:
    other = host.workspace / "notes.txt"
    os.link(host.policy, other)
    other.write_text("language 1\n")


def without_cache(host: Host) -> None:
    emptied(host)
    shutil.rmtree(host.cache)


def without_record(host: Host) -> None:
    emptied(host)
    shutil.rmtree(host.state / "floors")


WAYS = (
    away, emptied, moved, replaced, waived, shadowed, milder, elsewhere, checked_out, stashed, by_a_script,
    through_a_link, without_cache, without_record,
)  # fmt: skip


def git(host: Host, *arguments: str) -> None:
    config = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    found = {"HOME": str(host.home), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *config, *arguments], cwd=host.workspace, env=found, check=True, capture_output=True)


def during(host: Host, line: str, call: str, way: Callable[[Host], None]) -> Done:
    """What is said after a call in which this happened."""
    host.call(host.shell(line, tool_use_id=call))
    way(host)
    return host.call(host.ran(line, call))


def writing(text: str) -> Callable[[Host], None]:
    def way(host: Host) -> None:
        host.write_policy(text)

    return way


def of(session: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {**payload, "session_id": session}


def said(done: Done) -> str:
    """What a person is shown."""
    return str(json.loads(done.out).get("systemMessage", "")) if done.out else ""


@pytest.mark.requirement("R15")
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_the_session_keeps_what_it_began_with(host: Host, way: Callable[[Host], None]) -> None:
    way(host)
    host.call(host.ran("make", "c1"))
    assert host.call(host.shell("sudo ls")).refused
    assert host.call(host.stop()).refused
    assert host.call(host.shell("ls")).verdict == "allow"
    host.call(host.ran("pytest -q", "c2"))
    assert host.call(host.stop()).verdict == "allow"


@pytest.mark.requirement("R15")
@pytest.mark.parametrize("way", [emptied, replaced, waived, checked_out], ids=lambda way: way.__name__)
def test_the_change_is_said_once_with_the_call_and_the_rules(host: Host, way: Callable[[Host], None]) -> None:
    first = during(host, "git checkout weak", "c1", way)
    for word in ("during `git checkout weak`", "no-sudo", "tests-pass", HOLDS, "`policy adopt`"):
        assert word in said(first)
    assert HOLDS in json.loads(first.out)["hookSpecificOutput"]["additionalContext"], "the model is told as well"
    assert HOLDS not in said(host.call(host.ran("ls", "c2")))
    log = (host.state / "decisions.jsonl").read_text()
    assert log.count("during `git checkout weak`") >= 1
    refusal = host.call(host.shell("sudo ls"))
    assert "no-sudo" in refusal.err and "main.policy:3" in refusal.err and "began with this rule" in refusal.err
    shown = subprocess.run(policy("status"), env=environment(host), cwd=host.workspace, capture_output=True, text=True)
    assert "1 session began with more" in shown.stdout and "no-sudo" in shown.stdout


@pytest.mark.requirement("R15")
def test_the_next_session_begins_with_what_is_there_and_hears_of_it(host: Host) -> None:
    emptied(host)  # a person does it in an editor
    host.call(host.ran("ls", "c1"))
    start = host.call(of("s-2", host.payload("SessionStart", source="startup")))
    assert "weaker than in the last session" in said(start)
    assert host.call(of("s-2", host.shell("sudo ls"))).verdict == "allow"
    assert host.call(host.shell("sudo ls")).refused, "the first session goes on as before"
    assert said(host.call(of("s-3", host.payload("SessionStart", source="startup")))) == ""


@pytest.mark.requirement("R15")
def test_what_a_call_took_away_unasked_holds_in_later_sessions_until_a_person_accepts(host: Host) -> None:
    during(host, "make tidy", "c1", emptied)
    host.call(of("other", host.shell("ls")))
    for session in ("s-2", "s-3"):
        start = said(host.call(of(session, host.payload("SessionStart", source="startup"))))
        assert "weaker than in the last session" in start and "during `make tidy`" in start and "still holds" in start
        assert host.call(of(session, host.shell("sudo ls"))).refused
        host.call(of(session, host.ran("ls", "c2")))
    assert at_terminal(policy("adopt"), environment(host), host.workspace, lambda text: "adopt")[0] == 0
    for session in ("s-2", "s-4"):
        assert host.call(of(session, host.shell("sudo ls"))).verdict == "allow"


@pytest.mark.requirement("R15")
def test_what_was_taken_away_unasked_and_put_back_leaves_nothing_behind(host: Host) -> None:
    during(host, "make tidy", "c1", emptied)
    host.write_policy(WHOLE)
    assert said(host.call(of("s-2", host.payload("SessionStart", source="startup")))) == ""
    assert "began with this rule" not in host.call(of("s-2", host.shell("sudo ls"))).err
    emptied(host)
    assert "still holds" not in said(host.call(of("s-3", host.payload("SessionStart", source="startup"))))
    assert host.call(of("s-3", host.shell("sudo ls"))).verdict == "allow"


@pytest.mark.requirement("R15")
def test_a_person_who_was_asked_about_the_call_has_accepted_for_the_next_session(host: Host) -> None:
    host.write_policy(WHOLE + ASKS)
    host.call(of("s-2", host.payload("SessionStart", source="startup")))
    call = of("s-2", host.shell("make tidy", tool_use_id="c1", permission_mode="default"))
    assert host.call(call).verdict == "ask"
    emptied(host)
    assert "to which a person agreed" in said(host.call(of("s-2", host.ran("make tidy", "c1"))))
    assert host.call(of("s-2", host.shell("sudo ls"))).refused
    assert "still holds" not in said(host.call(of("s-3", host.payload("SessionStart", source="startup"))))
    assert host.call(of("s-3", host.shell("sudo ls"))).verdict == "allow"


@pytest.mark.requirement("R15")
def test_a_session_that_starts_again_is_the_same_session(host: Host) -> None:
    emptied(host)
    for source in ("startup", "resume", "clear", "compact"):
        host.call(host.payload("SessionStart", source=source))
        assert host.call(host.shell("sudo ls")).refused


@pytest.mark.requirement("R15")
def test_a_sub_agent_is_held_to_what_its_session_began_with(host: Host) -> None:
    emptied(host)
    assert host.call(host.shell("sudo ls", agent_id="a-1", agent_type="helper")).refused


@pytest.mark.requirement("R15")
def test_a_person_at_a_terminal_lets_the_new_policy_decide(host: Host) -> None:
    during(host, "git checkout weak", "c1", replaced)
    status, shown = at_terminal(policy("adopt"), environment(host), host.workspace, lambda text: "adopt")
    assert status == 0 and "no-sudo" in shown and "tests-pass" in shown and "during `git checkout weak`" in shown
    assert host.call(host.shell("sudo ls")).verdict == "allow"
    assert host.call(host.stop()).verdict == "allow"
    assert "adopted by" in (host.state / "decisions.jsonl").read_text()
    status, shown = at_terminal(policy("adopt"), environment(host), host.workspace)
    assert status == 0 and "goes by the policy as it is" in shown


@pytest.mark.requirement("R15")
@pytest.mark.parametrize("typed", ["y", "", "Adopt"])
def test_another_answer_accepts_nothing(host: Host, typed: str) -> None:
    emptied(host)
    assert at_terminal(policy("adopt"), environment(host), host.workspace, lambda text: typed)[0] == 1
    assert host.call(host.shell("sudo ls")).refused


@pytest.mark.requirement("R15")
def test_what_changes_while_a_person_reads_is_not_what_they_accept(host: Host) -> None:
    host.write_policy(WHOLE.replace(SUDO, ""))

    def typed(shown: str) -> str:
        emptied(host)
        return "adopt"

    assert at_terminal(policy("adopt"), environment(host), host.workspace, typed)[0] == 1
    assert host.call(host.shell("sudo ls")).refused


@pytest.mark.requirement("R15")
def test_an_agent_accepts_nothing(host: Host) -> None:
    emptied(host)
    status, _ = at_terminal(policy("adopt"), environment(host, CLAUDECODE="1"), host.workspace, lambda text: "adopt")
    piped = subprocess.run(
        policy("adopt"), env=environment(host), cwd=host.workspace, input=b"adopt\n", capture_output=True
    )
    assert (status, piped.returncode) == (2, 2)
    assert host.call(host.shell("policy adopt")).refused, "nor does a rule let it try"
    assert host.call(host.shell(f"{sys.executable} -m policy_engine adopt")).refused
    assert host.call(host.shell("policy adopt --show")).verdict == "allow"
    assert host.call(host.shell("sudo ls")).refused


@pytest.mark.requirement("R15")
def test_what_is_added_holds_at_once_and_is_said(host: Host) -> None:
    more = WHOLE + SUDO.replace("no-sudo", "no-dd").replace("roots", '"dd"')
    done = during(host, "git pull", "c1", writing(more))
    assert "1 rule new (no-dd)" in said(done) and HOLDS not in said(done)
    assert host.call(host.shell("dd if=a of=b")).refused
    assert host.call(host.shell("sudo ls")).refused


@pytest.mark.requirement("R15")
def test_words_and_places_may_change_without_a_word(host: Host) -> None:
    moved_on = writing("# moved\n\n" + WHOLE.replace("Leave root alone.", "No root here."))
    assert "The policy" not in said(during(host, "git pull", "c1", moved_on))
    refusal = host.call(host.shell("sudo ls")).err
    assert "No root here." in refusal and "Leave root alone." not in refusal


@pytest.mark.requirement("R15")
def test_a_change_that_is_taken_back_leaves_nothing_behind(host: Host) -> None:
    for number in range(2):
        assert HOLDS in said(during(host, "git checkout weak", f"c{number}", emptied))
        back = during(host, "git checkout main", f"d{number}", writing(WHOLE))
        assert "again what this session began with" in said(back)
    assert "began with this rule" not in host.call(host.shell("sudo ls")).err


@pytest.mark.requirement("R15")
def test_a_count_goes_on_whatever_the_policy_says_meanwhile(host: Host) -> None:
    def fetched() -> bool:
        return host.call(host.payload("PreToolUse", tool_name="WebFetch", tool_input={"url": "https://a.b"})).refused

    assert [fetched(), fetched()] == [False, False]
    host.write_policy(WHOLE.replace("at 3", "at 300"))
    assert fetched()
    host.write_policy(WHOLE.replace(LIMIT, ""))
    assert fetched()
    host.write_policy(WHOLE)
    assert fetched()


@pytest.mark.requirement("R15")
@pytest.mark.parametrize("first", [emptied, replaced], ids=lambda way: way.__name__)
def test_a_set_that_breaks_after_it_was_weakened_changes_nothing(host: Host, first: Callable[[Host], None]) -> None:
    first(host)
    assert host.call(host.shell("sudo ls")).refused
    host.write_policy("language 1\nrule broken {\n")
    assert host.call(host.shell("sudo ls")).refused
    assert host.call(host.stop()).refused


@pytest.mark.requirement("R15")
def test_the_users_own_policy_is_a_floor_too(tmp_path: Path) -> None:
    host = Host(tmp_path)
    mine = host.home / ".config" / "policy-engine" / "mine.policy"
    mine.parent.mkdir(parents=True)
    mine.write_text(f"language 1\n{ROOTS}{SUDO}")
    host.call(host.payload("SessionStart", source="startup"))
    mine.write_text("language 1\n")
    refusal = host.call(host.shell("sudo ls"))
    assert refusal.refused and "user/retained/no-sudo" in refusal.err


@pytest.mark.requirement("R15")
def test_a_demand_that_is_withdrawn_is_still_made_of_the_session(tmp_path: Path) -> None:
    host = Host(tmp_path)
    settings = host.home / ".config" / "policy-engine" / "policy.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("require_repository_policy = true\n")
    assert host.call(host.shell("ls")).refused
    settings.unlink()
    assert host.call(host.shell("ls")).refused
    host.write_policy(WHOLE)
    assert host.call(host.shell("ls")).verdict == "allow"


@pytest.mark.requirement("R15")
def test_what_cannot_be_known_any_more_asks_until_a_person_accepts(host: Host) -> None:
    emptied(host)
    shutil.rmtree(host.state / "policies")
    asked = host.call(host.shell("ls", permission_mode="default"))
    assert asked.verdict != "allow" and "policy adopt" in asked.out.decode()
    assert host.call(host.stop()).refused
    assert host.call(host.payload("UserPromptSubmit", prompt="go on")).verdict == "allow"
    assert at_terminal(policy("adopt"), environment(host), host.workspace, lambda text: "adopt")[0] == 0
    assert host.call(host.shell("ls")).verdict == "allow"


@pytest.mark.requirement("R15")
def test_a_damaged_record_is_taken_from_the_other_copy(host: Host) -> None:
    for record in (host.state / "floors").iterdir():
        record.write_bytes(record.read_bytes()[:-1] + b"x")
    emptied(host)
    assert host.call(host.shell("sudo ls")).refused


@pytest.mark.requirement("R15")
@pytest.mark.parametrize("line", ["python /opt/policy_engine/hook.py claude-code", "policy hook claude-code"])
def test_settings_that_call_the_hook_no_more_are_missed_at_once(tmp_path: Path, line: str) -> None:
    host = Host(tmp_path)
    settings = host.workspace / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(f'{{"hooks": {{"Stop": [{{"hooks": [{{"command": "{line}"}}]}}]}}}}')
    host.write_policy(WHOLE)
    host.call(host.payload("SessionStart", source="startup"))
    settings.write_text(settings.read_text() + "\n")
    assert "called the policy engine" not in said(host.call(host.ran("touch", "c1")))
    git(host, "init", "-q", "-b", "main")
    git(host, "add", ".policy")
    git(host, "commit", "-qm", "policies")
    shown = said(during(host, "git stash -u", "c2", lambda host: git(host, "stash", "-qu")))
    assert ".claude/settings.json` called the policy engine" in shown and "during `git stash -u`" in shown
    assert "called the policy engine" not in said(host.call(host.ran("ls", "c3")))


@pytest.mark.requirement("R15")
def test_where_both_copies_are_damaged_it_asks_until_a_person_accepts(host: Host) -> None:
    for record in [*(host.state / "floors").iterdir(), *(host.cache / "floors").iterdir()]:
        record.write_bytes(record.read_bytes()[:-1] + b"x")
    assert "policy adopt" in host.call(host.shell("ls", permission_mode="default")).out.decode()
    assert at_terminal(policy("adopt"), environment(host), host.workspace, lambda text: "adopt")[0] == 0
    assert host.call(host.shell("ls")).verdict == "allow"


@pytest.mark.requirement("R15")
def test_what_the_last_session_came_to_is_what_the_next_one_is_compared_with(host: Host) -> None:
    host.write_policy(WHOLE + SUDO.replace("no-sudo", "no-dd").replace("roots", '"dd"'))
    host.call(host.ran("git pull", "c1"))
    host.write_policy(WHOLE)
    start = host.call(of("s-2", host.payload("SessionStart", source="startup")))
    assert "weaker than in the last session" in said(start) and "no-dd" in said(start)


def test_the_call_that_changed_a_policy_is_kept_and_said_without_its_secrets(host: Host) -> None:
    secret = "ghp_" + "a1B2" * 9
    line = f"curl -H 'Authorization: Bearer {secret}' localhost"
    host.call(host.shell(line, tool_use_id="c1"))
    emptied(host)
    done = host.call(host.ran(line, "c1"))
    assert "no-sudo" in done.out.decode() and secret not in done.out.decode()
    kept = [path for path in (host.state / "floors").iterdir() if secret.encode() in path.read_bytes()]
    assert not kept
    assert not [path for path in (host.cache / "floors").iterdir() if secret.encode() in path.read_bytes()]


def test_records_that_are_too_old_are_dropped_a_part_at_a_time(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("policy_engine.hook_process.pruning.PRUNE_LOOKS", 10)
    folder = host.home / "records"
    folder.mkdir()
    for number in range(25):
        (folder / str(number)).touch()
        os.utime(folder / str(number), (1, 1))
    drop_older(str(folder), 2)
    assert len(list(folder.iterdir())) == 15
