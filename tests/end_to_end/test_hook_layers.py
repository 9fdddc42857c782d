"""Hook processes under an organisation's, a user's and a repository's policies (faults C and F, security R10–R15)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.end_to_end.host import BROKEN, NO_LS, POLICY, STATEFUL, Host

DENY_ALL = (
    'language 1\nrule stop-all "Nobody works now" { on before_tool deny "The organisation has stopped all work." }\n'
)
READS = 'language 1\nrule reads "R" { on before_tool(shell) when every c in commands { c.read_only } approve "R." }\n'
NAMES = """language 1
define safe += command("npm test ...")
rule mine "M" { on before_tool(shell) when every c in commands { c.read_only or c matches safe } approve "M." }
"""
REQUIRED = "require_repository_policy = true\n"


def write(folder: Path, text: str, name: str = "main.policy") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text)
    return path


def user(host: Host) -> Path:
    return host.home / ".config" / "policy-engine"


@pytest.mark.requirement("R15")
def test_the_strictest_of_three_layers_decides(host: Host) -> None:
    write(host.organisation, POLICY)
    write(user(host), NO_LS.replace("deny", "ask"))
    host.write_policy(POLICY.replace("deny", "warn"))
    assert host.organised(host.shell("rm a")).verdict == "deny"
    assert host.organised(host.shell("ls")).verdict == "ask"
    assert host.organised(host.shell("pwd")).verdict == "allow"


@pytest.mark.requirement("R8")
@pytest.mark.fault(104)
def test_a_kill_switch_reaches_the_next_event_of_a_session(host: Host) -> None:
    host.write_policy(POLICY)
    write(host.organisation, NO_LS.replace('"ls"', '"never"'))
    for _ in range(2):
        assert host.organised(host.shell("ls")).verdict == "allow"
    switch = write(host.organisation, DENY_ALL, "stop.policy")
    assert "The organisation has stopped all work." in host.organised(host.shell("ls")).err
    host.write_policy(BROKEN)
    assert "The organisation has stopped all work." in host.organised(host.shell("ls")).err
    switch.unlink()
    assert host.organised(host.shell("ls")).verdict == "allow"


@pytest.mark.fault(57)
def test_each_layer_keeps_its_own_last_good_state(host: Host) -> None:
    write(host.organisation, POLICY)
    path = host.write_policy(NO_LS)
    host.organised(host.shell("pwd"))
    write(host.organisation, BROKEN)
    path.write_text(NO_LS.replace('"ls"', '"who"').replace("rm", "ls"))
    assert host.organised(host.shell("rm a")).verdict == "deny"
    assert host.organised(host.shell("who")).verdict == "deny"
    said = host.organised({**host.shell("ls"), "session_id": "s-2"})  # the first session keeps what it began with
    assert (said.verdict, f"{host.organisation} does not load" in said.err) == ("allow", True)


@pytest.mark.fault(55, 56)
def test_where_a_repository_must_have_a_policy_none_refuses(host: Host) -> None:
    assert host.organised(host.shell("ls")).verdict == "allow"
    write(host.organisation, REQUIRED, "policy.toml")
    refused = host.organised(host.shell("ls"))
    assert refused.refused and "requires a policy in every repository" in refused.err
    host.write_policy(POLICY)
    assert host.organised(host.shell("ls")).verdict == "allow"
    write(host.organisation, "require_repository_policy = maybe\n", "policy.toml")
    assert host.organised(host.shell("ls")).refused


@pytest.mark.requirement("R10", "R12")
def test_without_any_policy_the_guards_are_guarded(host: Host) -> None:
    for command in ("mkdir .policy", "touch .claude/settings.json", f"rm -r {host.state}", "policy trust"):
        assert host.call(host.shell(command)).refused, command
    for name in (".policy/a.policy", ".git/hooks/pre-commit", f"{host.home}/.claude/settings.json"):
        path = str(host.workspace / name)
        payload = host.payload("PreToolUse", tool_name="Write", tool_input={"file_path": path, "content": "x"})
        assert host.call(payload).refused, name
    assert host.call(host.shell("cat .policy/a.policy")).verdict == "allow"


@pytest.mark.requirement("R10", "R15")
def test_a_repository_cannot_waive_what_guards_it_but_its_user_can(host: Host) -> None:
    waiver = 'language 1\nwaive no-tamper "Policies are written here." { until 2126-01-01 owner "me" }\n'
    host.write_policy(waiver)
    refused = host.call(host.shell("touch .policy/b.policy"))
    assert refused.refused and "PE309" in refused.err
    write(user(host), waiver)
    assert host.call(host.shell("touch .policy/b.policy")).refused, "the session goes on as it began"
    assert host.call({**host.shell("touch .policy/b.policy"), "session_id": "s-2"}).verdict == "allow"


@pytest.mark.requirement("R13")
@pytest.mark.parametrize("name", ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"])
def test_a_repository_does_not_say_where_the_engine_keeps_its_own(host: Host, name: str) -> None:
    (host.workspace / ".git").mkdir()
    below = host.workspace / "sub" / "x"
    below.mkdir(parents=True)
    for folder in (below, host.workspace / "sub" / ".." / "sub" / "x"):
        done = host.call(host.shell("ls"), env={name: str(folder)})
        assert done.refused and f"{name} leads into the repository" in done.err


@pytest.mark.requirement("R15")
def test_the_state_of_a_stronger_layer_survives_changes_of_the_repository(host: Host) -> None:
    write(host.organisation, STATEFUL)
    host.write_policy(POLICY)
    assert host.organised(host.wrote("src/a.py", "w1")).verdict == "allow"
    host.write_policy(NO_LS)
    refused = host.organised(host.stop())
    assert refused.verdict == "deny" and "Run the tests." in refused.err


@pytest.mark.requirement("R15")
def test_what_a_session_did_not_begin_with_approves_nothing_in_it(host: Host) -> None:
    def allowed(session: str) -> bool:
        out = host.organised({**host.shell("ls"), "session_id": session}).out
        return bool(out) and json.loads(out)["hookSpecificOutput"].get("permissionDecision") == "allow"

    write(user(host), POLICY)
    assert not allowed("s-1")
    write(user(host), READS, "more.policy")
    assert [allowed(session) for session in ("s-1", "s-1", "s-2", "s-2", "s-1")] == [False, False, True, True, False]
    write(user(host), "language 1\n", "more.policy")
    assert not allowed("s-2"), "what is taken out approves nothing any more"


@pytest.mark.requirement("R15")
def test_a_pattern_is_approved_by_those_who_own_it_and_as_the_session_began(host: Host) -> None:
    def allowed(line: str, session: str = "s-1") -> bool:
        out = host.organised({**host.shell(line), "session_id": session}).out
        return bool(out) and json.loads(out)["hookSpecificOutput"].get("permissionDecision") == "allow"

    write(user(host), NAMES)
    assert allowed("npm test")
    host.write_policy(NAMES.replace("mine", "theirs").replace("npm test", "git add"))
    assert not allowed("git add a", "s-2")
    host.write_policy('language 1\ndefine safe += command("git add ...")\n')
    assert not allowed("git add a", "s-4"), "what a repository adds to a define is its own"
    assert allowed("npm test", "s-4")
    write(user(host), NAMES + 'define safe += command("git add ...")\n')
    assert [allowed("git add a", session) for session in ("s-1", "s-3")] == [False, True]
    assert allowed("npm test", "s-3")
