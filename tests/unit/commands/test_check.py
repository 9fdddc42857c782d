"""`policy check`: what is wrong is found and reported in each format, with the exit status that says how bad it is."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.unit.commands.running import BROKEN, GOOD, Shell

WAIVED = GOOD + 'waive no-rm "until the clean-up is done" {\n  until 2026-12-31\n  owner "dev"\n}\n'


def test_a_good_policy_is_clean(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    done = policy("check")
    assert (done.status, done.out, done.err) == (0, "no findings in 1 file\n", "")


def test_a_broken_policy_is_status_3_with_every_mistake(policy: Shell) -> None:
    policy.write(".policy/main.policy", BROKEN + BROKEN.replace("language 1\n", "").replace("rule a", "rule b"))
    done = policy("check")
    assert done.status == 3
    assert done.out.count("unknown point `before_tol`") + done.out.count("`before_tol`") >= 2
    assert ".policy/main.policy:4:6: error[" in done.out


def test_advice_is_status_1_unless_it_is_only_a_note(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD.replace("rule no-rm", 'define unused = glob("src/**")\n\nrule no-rm'))
    advised = policy("check")
    assert (advised.status, "unused-define" in advised.out) == (1, True)
    assert policy("check", "--no-lint").status == 0


def test_strict_counts_notes_too(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD.split("\n  test {")[0] + "\n}\n")
    severities = {each["severity"] for each in policy("check", "--format", "json").json["diagnostics"]}
    assert policy("check").status == (1 if "warning" in severities else 0)
    assert policy("check", "--strict").status == (1 if severities else 0)


def test_the_day_decides_about_waivers(policy: Shell) -> None:
    policy.write(".policy/main.policy", WAIVED)
    assert "expired-waiver" not in policy("check", "--today", "2026-12-31").out
    late = policy("check", "--today", "2027-01-01")
    assert (late.status, "expired-waiver" in late.out) == (1, True)


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "github"])
def test_each_format_tells_of_the_error(policy: Shell, form: str) -> None:
    policy.write("a.policy", BROKEN)
    done = policy("check", "a.policy", "--format", form)
    assert (done.status, done.err) == (3, "")
    assert "before_tol" in done.out


def test_sarif_carries_the_page_of_the_code(policy: Shell) -> None:
    policy.write("a.policy", BROKEN)
    driver = policy("check", "a.policy", "--format", "sarif").json["runs"][0]["tool"]["driver"]
    assert driver["rules"][0]["help"]["text"]


def test_a_path_that_is_not_there_is_a_usage_error(policy: Shell) -> None:
    for arguments, advice in ((("nothing",), ""), ((), "`policy init` write a starter")):
        done = policy("check", *arguments)
        assert (done.status, done.out) == (2, "")
        assert "no such file or folder" in done.err and advice in done.err


@pytest.mark.parametrize("data", [b"\x00\x01\xff\xfe", b"\x7fELF" + b"\0" * 100, b"language 1\0\n"])
def test_a_binary_file_is_a_finding(policy: Shell, data: bytes) -> None:
    policy.write("a.policy", data)
    done = policy("check", "a.policy", "--format", "json")
    assert done.status == 3
    assert done.json["summary"]["errors"] >= 1


def test_an_empty_folder_is_a_finding_not_permission(policy: Shell) -> None:
    (policy.folder / ".policy").mkdir()
    done = policy("check")
    assert (done.status, "PE307" in done.out) == (3, True)


def test_a_file_that_cannot_be_read_is_a_finding(policy: Shell) -> None:
    target = policy.folder / ".policy"
    target.mkdir()
    os.mkfifo(target / "pipe.policy")
    (target / "dangling.policy").symlink_to("nowhere")
    done = policy("check")
    assert (done.status, done.out.count("PE301")) == (3, 2)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to the superuser")
def test_a_forbidden_file_is_a_finding(policy: Shell) -> None:
    policy.write("a.policy", GOOD).chmod(0)
    done = policy("check", "a.policy")
    assert (done.status, "permission denied" in done.out) == (3, True)


def test_a_name_that_nobody_can_type_is_shown_not_obeyed(policy: Shell) -> None:
    done = policy("check", "\x1b[31mred")
    assert (done.status, "\x1b" in done.err) == (2, False)
    assert policy("check", "a\0b").status == 2


def test_the_whole_command(policy: Shell) -> None:
    policy.write(".policy/main.policy", BROKEN)
    done = policy.process("check", "--format", "json")
    assert (done.status, done.err) == (3, "")
    assert json.loads(done.out)["files"] == [str(Path(".policy/main.policy"))]


def test_the_settings_of_the_folder_reach_the_lints(policy: Shell) -> None:
    hook = 'language 1\nhook slow "Slow" { on before_tool(write) run ["true"] timeout 30s fail closed }\n'
    policy.write(".policy/main.policy", hook)
    assert "timeout-sum" not in policy("check").out
    policy.write(".policy/policy.toml", "host_timeout_seconds = 20\n")
    assert "timeout-sum" in policy("check").out


def test_settings_that_cannot_be_used_are_an_error(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    policy.write(".policy/policy.toml", "host_timeout = 20\n")
    done = policy("check")
    assert done.status == 1
    assert "error[PE319]" in done.out and "did you mean `host_timeout_seconds`?" in done.out


def test_a_repository_does_not_say_where_its_sessions_are_kept(policy: Shell) -> None:
    policy.write(".policy/main.policy", GOOD)
    policy.write(".policy/policy.toml", 'store = "sqlite"\n')
    done = policy("check")
    assert done.status == 1
    assert "`store` is a setting of the organisation or the user" in done.out
