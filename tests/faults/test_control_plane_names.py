"""Names that mean the files of the engine and of git although they are spelled otherwise, or are not there yet."""

from __future__ import annotations

import pytest

from tests.end_to_end.host import POLICY, Host


def _verdict(host: Host, path: str) -> str:
    given = {"file_path": f"{host.workspace}/{path}", "content": "x"}
    return host.call(host.payload("PreToolUse", tool_name="Write", tool_input=given)).verdict


@pytest.mark.fault(50)
@pytest.mark.requirement("R11")
def test_protected_names_are_seen_through_the_spellings_of_other_systems(host: Host) -> None:
    host.write_policy(POLICY)
    names = (
        ".git::$INDEX_ALLOCATION/hooks/pre-commit",
        "GIT~1/hooks/pre-commit",
        ".git./hooks/pre-commit",
        ".git /hooks/pre-commit",
        ".git/hooks/pre-commit::$DATA",
        ".policy./main.policy",
        ".policy/main.policy::$DATA",
        ".POLICY/main.policy",
        ".po\u200blicy/main.policy",
    )
    assert {name: _verdict(host, name) for name in names if _verdict(host, name) == "allow"} == {}


@pytest.mark.requirement("R12")
def test_to_make_a_missing_file_of_the_control_plane_is_to_change_it(host: Host) -> None:
    host.write_policy(POLICY)
    names = (".policy/new.policy", ".policy/deep/new.policy", ".claude/settings.json", ".git/hooks/pre-commit")
    assert {name: _verdict(host, name) for name in names if _verdict(host, name) != "deny"} == {}
    for line in (
        "echo x > .policy/new.policy",
        "mkdir .policy/deep",
        "ln -s /tmp .claude",
        "touch .git/hooks/pre-push",
    ):
        assert host.call(host.shell(line)).verdict == "deny"
    assert not (host.workspace / ".policy" / "new.policy").exists()
