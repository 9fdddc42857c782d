"""`policy diff`: two policies, or a revision of git and a folder; formats, exit statuses, what is refused."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ET

import pytest

from tests.unit.commands.running import Shell, event, lines

OLD = """language 1

rule no-force "No force push" {
  on before_tool(shell)
  when any c in commands { c matches "git push ..." and c.has_flag("--force", "--force-with-lease") }
  deny "Do not rewrite history."
}
"""
NEW = (
    OLD.replace(', "--force-with-lease"', "")
    + """
rule no-net "No network" {
  on before_tool(shell)
  when any c in commands { c matches "npm install ..." }
  deny "No installation."
}
"""
)
TEXT = """\
before_tool(shell)
  + newly allowed   deny → allow   by no-force before (old.policy:3:6)
      shell "git push --force-with-lease"
      Do not rewrite history.
  - newly refused   allow → deny   by no-net now (new.policy:9:6)
      shell "npm install"
      No installation.
2 differences
"""


@pytest.fixture
def both(policy: Shell) -> Shell:
    (policy.folder / "old.policy").write_text(OLD)
    (policy.folder / "new.policy").write_text(NEW)
    return policy


def test_differences_are_shown_with_their_sessions(both: Shell) -> None:
    done = both("diff", "old.policy", "new.policy")
    assert (done.status, done.out, done.err) == (1, TEXT, "")


def test_equal_policies_end_with_zero(both: Shell) -> None:
    done = both("diff", "old.policy", "old.policy")
    assert (done.status, done.out) == (0, "equal: every session is decided alike, as was proved\n")


def test_breaking_is_only_what_is_refused_less(both: Shell) -> None:
    stricter = OLD + NEW.partition("\n\n")[2].partition("}\n\n")[2]
    (both.folder / "stricter.policy").write_text(stricter)
    assert both("diff", "old.policy", "stricter.policy").status == 1
    assert both("diff", "old.policy", "stricter.policy", "--breaking").status == 0
    assert both("diff", "stricter.policy", "old.policy", "--breaking").status == 1


def test_a_condition_selects_sessions(both: Shell) -> None:
    done = both("diff", "old.policy", "new.policy", "--where", 'any c in commands { c.program == "npm" }')
    assert 'shell "npm install"\n' in done.out
    assert 'shell "git push --force-with-lease && npm x"\n' in done.out
    there = both("diff", "old.policy", "new.policy", "--where", 'git.branch == "main"')
    assert there.status == 1 and there.out.count('given git.branch = "main"') == 2


def test_a_condition_on_the_kind_of_tool_chooses_the_calls(both: Shell) -> None:
    limit = 'limit l "l" {{\n  on before_tool\n  repeats (tool.args)\n  at {} deny "No."\n}}\n'
    for name, count in (("old", 3), ("new", 4)):
        (both.folder / f"{name}.policy").write_text("language 1\n" + limit.format(count))
    done = both("diff", "old.policy", "new.policy", "--where", 'tool.kind == "read"')
    assert done.status == 1 and done.out.count('      read "') == 3 and "shell" not in done.out


def test_what_a_condition_leaves_out_is_equal(both: Shell) -> None:
    done = both("diff", "old.policy", "new.policy", "--where", 'tool.kind == "read"')
    assert (done.status, done.out) == (
        0,
        'equal: every session that ends where `tool.kind == "read"` is decided alike, as was proved\n',
    )
    other = both("diff", "old.policy", "new.policy", "--where", 'tool.kind == "mcp"')
    assert other.status != 0, "an MCP tool may carry a command"


def test_a_condition_that_is_not_known_is_not_met(both: Shell) -> None:
    done = both("diff", "old.policy", "new.policy", "--where", 'not any c in commands { c.text contains "t" }')
    assert done.status == 4 and "difference" not in done.out


def test_what_was_proved_equal_is_named(both: Shell) -> None:
    ends = 'rule ends "ends" {\n  on before_completion\n  when git.ahead > 1\n  deny "No."\n}\n'
    for name in ("old.policy", "new.policy"):
        (both.folder / name).write_text((both.folder / name).read_text() + ends)
    assert "\nequal, as was proved: before_completion\n2 differences\n" in both("diff", "old.policy", "new.policy").out
    listed = json.loads(both("diff", "old.policy", "new.policy", "--format", "json").out)["equal"]
    assert listed == [{"point": "before_completion", "tool_kind": None}]


def test_the_layers_above_decide_beside_both(both: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    above = both.folder / "config" / "policy-engine"
    above.mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(both.folder / "config"))
    mine = OLD.replace("no-force", "mine").replace("deny", "stop pushed")
    (above / "mine.policy").write_text(mine)
    (both.folder / "new.policy").write_text("language 1\n")
    assert both("diff", "old.policy", "new.policy", "--breaking").status == 1
    done = both("diff", "old.policy", "new.policy", "--layers")
    assert (done.status, done.out) == (0, "equal: every session is decided alike, as was proved\n")
    broken = both("diff", "old.policy", "new.policy", "--where", "nonsense ==")
    assert broken.status == 3 and "error[" in broken.err


def test_what_was_not_compared_ends_with_four(both: Shell) -> None:
    (both.folder / "new.policy").write_text(OLD + 'rule c "c" {\n  on before_compact\n  deny "No."\n}\n')
    done = both("diff", "old.policy", "new.policy")
    assert done.status == 4
    assert "? not compared   c of the new policy (new.policy:8:6)\n      everything at this point\n" in done.out
    (open_,) = both("diff", "old.policy", "new.policy", "--format", "json").json["not_compared"]
    assert open_["why"].startswith("everything at this point: no session was found")


def test_what_recordings_show_is_counted(both: Shell) -> None:
    commands = ("npm install a", "git push --force-with-lease", "npm install b", "ls")
    both.write("a.jsonl", lines(*(event(number, command) for number, command in enumerate(commands))))
    both.write("b.jsonl", lines(event(1, "npm install a", session="s-2")))
    text = both("diff", "old.policy", "new.policy", "--replay", "a.jsonl", "--replay", "b.jsonl")
    assert (text.status, text.err) == (1, "")
    assert "      1 time in recordings, first at a.jsonl:2: git push --force-with-lease\n" in text.out
    assert "      3 times in recordings, first at a.jsonl:1: npm install a\n" in text.out
    assert text.out.endswith("2 differences\nrecorded: 5 events of 2 recordings\n")
    plain = both("diff", "old.policy", "new.policy", "--replay", "*.jsonl", "--format", "json").json
    assert [one["recorded"]["times"] for one in plain["differences"]] == [1, 3]
    both.write("b.jsonl", lines(event(1, "ls")))
    assert both("diff", "old.policy", "new.policy", "--replay", "b.jsonl").out.count("not in the recordings") == 2


def test_a_difference_that_only_recordings_show_is_one(both: Shell) -> None:
    rule = (
        'rule c "c" {\n  on before_tool(shell)\n  when count c in commands { c.program != "x" } > 6\n  deny "No."\n}\n'
    )
    (both.folder / "new.policy").write_text(OLD + rule)
    both.write("a.jsonl", lines(event(1, "; ".join("abcdefgh")), event(2, "ls")))
    assert both("diff", "new.policy", "old.policy", "--breaking").status == 4
    done = both("diff", "new.policy", "old.policy", "--breaking", "--replay", "a.jsonl")
    assert done.status == 1
    assert "  + newly allowed   deny → allow   by c at before_tool(shell), in recordings only\n" in done.out
    both.write("b.jsonl", "nonsense\n")
    for wrong in (("--replay", "nowhere.jsonl"), ("--replay", "b.jsonl"), ("--replay", "a.jsonl", "--where", "true")):
        assert both("diff", "old.policy", "new.policy", *wrong).status == 2


def test_a_revision_is_read_from_git(both: Shell) -> None:
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c")
    (both.folder / ".policy").mkdir()
    (both.folder / ".policy/main.policy").write_text(OLD)
    for words in (("init", "-q"), ("add", ".policy"), ("commit", "-qm", "x")):
        subprocess.run([*git, *words], cwd=both.folder, check=True)
    (both.folder / ".policy/main.policy").write_text(NEW)
    done = both("diff", "HEAD:.policy")
    assert done.status == 1 and "(HEAD:.policy/main.policy:3:6)" in done.out and "(.policy/main.policy:9:6)" in done.out
    assert both("diff", "HEAD:.policy/main.policy", "HEAD:.policy").status == 0
    for wrong, why in (
        ("HEAD:nowhere", "has no policy"),
        ("HEAD:../x", "lies outside"),
        ("nope:.policy", "git: "),
        ("--x:.policy", "No such option"),
        ("HEAD", "of a revision of git write `HEAD:.policy`"),
    ):
        refused = both("diff", wrong, ".policy")
        assert refused.status == 2 and why.lower() in refused.err.lower(), refused.err


def test_a_policy_that_does_not_load_is_told(both: Shell) -> None:
    (both.folder / "new.policy").write_text("language 1\nrule x {")
    done = both("diff", "old.policy", "new.policy")
    assert done.status == 3 and "new.policy:2" in done.err


def test_the_tests_pass_now_and_failed_before(both: Shell) -> None:
    (both.folder / "diff.policy").write_text(both("diff", "old.policy", "new.policy", "--format", "test").out)
    assert both("test", "diff.policy").status == 0
    (both.folder / "new.policy").write_text(OLD)
    assert both("test", "diff.policy").status == 5


def test_tests_may_be_written_into_the_folder_that_is_compared(both: Shell) -> None:
    """The shell makes the file before it is compared: it is empty then, and no part of the policy."""
    (both.folder / ".policy/more").mkdir(parents=True)
    (both.folder / ".policy/more/main.policy").write_text(NEW)
    (both.folder / ".policy/diff.policy").write_text("")
    tests = both("diff", "old.policy", ".policy", "--format", "test").out
    assert 'import "more/main.policy"' in tests and "diff.policy" not in tests
    (both.folder / ".policy/diff.policy").write_text(tests)
    assert both("test").status == 0


@pytest.mark.parametrize("wrong", ["", "nonsense ==", 'true deny "x"', 'tool.name == "x" and ('])
def test_a_condition_that_is_none_is_shown_as_it_was_written(both: Shell, wrong: str) -> None:
    done = both("diff", "old.policy", "new.policy", "--where", wrong)
    assert done.status == 3 and f"2 | define condition = {wrong}".rstrip() in done.err


def test_every_format_says_the_same(both: Shell) -> None:
    def told(name: str) -> str:
        return both("diff", "old.policy", "new.policy", "--format", name).out

    found = json.loads(told("json"))
    assert [(one["direction"], one["rule"], one["session"]) for one in found["differences"]] == [
        ("newly allowed", "no-force", ['shell "git push --force-with-lease"']),
        ("newly refused", "no-net", ['shell "npm install"']),
    ]
    assert found["not_compared"] == [] and found["proved_equal"] is False
    results = json.loads(told("sarif"))["runs"][0]["results"]
    assert sorted(one["ruleId"] for one in results) == ["newly-allowed", "newly-refused"]
    assert "::warning file=new.policy,line=3" in told("github") and "::notice file=new.policy,line=9" in told("github")
    places = [one["location"]["path"] for one in json.loads(told("rdjson"))["diagnostics"]]
    assert places == ["new.policy", "new.policy"]
    assert [one["check_name"] for one in json.loads(told("gitlab"))] == ["newly-allowed", "newly-refused"]
    suites = ET.fromstring(told("junit"))
    assert len(list(suites.iter("failure"))) == 2


def test_findings_stand_in_the_new_policy_also_for_a_rule_that_is_gone(both: Shell) -> None:
    folder = both.folder / ".policy"
    folder.mkdir()
    (folder / "a.policy").write_text(OLD)
    for words in (("init", "-q"), ("add", "."), ("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first")):
        subprocess.run(["git", *words], cwd=both.folder, check=True, capture_output=True)
    (folder / "a.policy").write_text("language 1\n")
    told = both("diff", "HEAD:.policy", ".policy", "--format", "github").out
    assert "::warning file=.policy/a.policy,line=1," in told and "newly allowed by `no-force`" in told
    assert 'file=".policy/a.policy" line="1"' in both("diff", "HEAD:.policy", ".policy", "--format", "junit").out


COMPARED = """language 1

rule ahead "ahead" {{
  on before_completion
  when {}
  deny "No."
}}
"""


def test_a_solver_proves_what_compares_two_terms(both: Shell) -> None:
    (both.folder / "old.policy").write_text(COMPARED.format("git.ahead < session.turn or git.ahead > session.turn"))
    (both.folder / "new.policy").write_text(COMPARED.format("git.ahead != session.turn"))
    assert both("diff", "old.policy", "new.policy").status == 4
    done = both("diff", "old.policy", "new.policy", "--solver")
    assert (done.status, done.out) == (0, "equal: every session is decided alike, as was proved\n")


def test_two_terms_that_are_compared_are_told_apart(both: Shell) -> None:
    (both.folder / "old.policy").write_text(COMPARED.format("git.ahead > session.turn"))
    (both.folder / "new.policy").write_text(COMPARED.format("git.ahead != session.turn"))
    done = both("diff", "old.policy", "new.policy", "--solver")
    assert (done.status, "newly refused   allow → deny   by ahead now" in done.out) == (1, True)
