"""Migrated rules beside their originals: none of the cases is weaker, and one that is made so is found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from policy_engine.conversion.claude_calls import speaks_of
from policy_engine.conversion.permissions import read_permission
from policy_engine.conversion.writing import Played
from policy_engine.migrations.base import migrate
from policy_engine.testing.migrated import EQUAL, STRICTER, WEAKER, Compared, compare_with_source

CASES = Path(__file__).resolve().parents[2] / "cases" / "migrations"
FORMATS = ("claude_settings", "hookify", "accept_checks", "hooks_yaml")
SOURCES = [path for name in FORMATS for path in sorted(CASES.glob(f"{name}/*.in"))]
HOOKIFY = "---\nname: a\nevent: {}\npattern: {}\naction: block\n---\nNo.\n"


def compared(format_name: str, text: str) -> dict[str, Compared]:
    return {one.original.rule: one for one in compare_with_source(migrate(format_name, text))}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_rule_is_weaker_than_its_source(source: Path) -> None:
    made = compared(source.parent.name.replace("_", "-"), source.read_text("utf-8"))
    assert [one for one in made.values() if one.state == WEAKER and not one.meant] == []


def test_each_state_has_its_call() -> None:
    made = compared(
        "claude-settings", '{"permissions": {"deny": ["Bash(curl:*)", "WebFetch(domain:a.com)", "mcp__x"]}}'
    )
    assert {name: one.state for name, one in made.items()} == {
        "deny-bash-curl": STRICTER, "deny-webfetch-domain-a-com": EQUAL, "deny-mcp-x": EQUAL,
    }  # fmt: skip
    stricter = made["deny-bash-curl"]
    assert (stricter.verdict, stricter.witness.startswith("shell ")) == ("deny", True)
    assert all(one.tried for one in made.values())


@pytest.mark.parametrize(("event", "pattern"), [("bash", r"rm\s+-rf"), ("prompt", "secret")])
def test_a_hookify_rule_is_equal(event: str, pattern: str) -> None:
    assert {one.state for one in compared("hookify", HOOKIFY.format(event, pattern)).values()} == {EQUAL}


def test_a_weaker_rule_is_found() -> None:
    made = migrate("claude-settings", '{"permissions": {"deny": ["Bash(git push:*)"]}}')
    weak = replace(made, policy_text=made.policy_text.replace("git push ...", "git push origin ..."))
    (one,) = compare_with_source(weak)
    assert (one.state, one.verdict, one.witness.startswith('shell "git push')) == (WEAKER, "allow", True)


ALLOWING = """{"permissions": {"allow": ["Bash(npm run test:*)", "Edit(src/**)", "Read(~/notes/**)", "mcp__x",
"WebFetch(domain:a.example)", "Skill(a)"], "defaultMode": "MODE", "additionalDirectories": ["/srv/other"]}}"""


@pytest.mark.parametrize("mode", ["default", "acceptEdits", "dontAsk"])
def test_what_asks_before_all_else_is_compared(mode: str) -> None:
    made = compared("claude-settings", ALLOWING.replace("MODE", mode))
    assert {name: one.state for name, one in made.items()} == {
        "other-commands": STRICTER, "other-edits": EQUAL, "reading-elsewhere": EQUAL, "other-addresses": EQUAL,
        "other-mcp-tools": EQUAL, "other-skills": EQUAL,
    }  # fmt: skip
    assert all(one.tried for one in made.values())


@pytest.mark.parametrize(
    ("right", "wrong", "rule"),
    [
        ('"cd ...", "npm run test ..."', '"cd ...", "npm ..."', "other-commands"),
        ('p matches glob("src/**")', 'p matches glob("**")', "other-edits"),
        ("a\\.example", ".*", "other-addresses"),
        ("^mcp__x__.*$", "^mcp__.*$", "other-mcp-tools"),
        ("p outside workspace and not (", "p outside workspace and not (p outside workspace or ", "reading-elsewhere"),
    ],
)
def test_what_asks_about_less_is_found_weaker(right: str, wrong: str, rule: str) -> None:
    made = migrate("claude-settings", ALLOWING.replace("MODE", "default"))
    assert right in made.policy_text
    weak = compare_with_source(replace(made, policy_text=made.policy_text.replace(right, wrong)))
    assert {one.original.rule: (one.state, one.meant) for one in weak}[rule] == (WEAKER, "")


def test_what_only_reads_is_weaker_on_purpose() -> None:
    made = migrate("claude-settings", ALLOWING.replace("MODE", "default"))
    original = replace(made.originals[0], lines=("sort a.txt",))
    (one,) = compare_with_source(replace(made, originals=(original,)))
    assert (one.state, one.witness, one.verdict) == (WEAKER, 'shell "sort a.txt"', "allow") and "only read" in one.meant


@pytest.mark.parametrize(
    ("permission", "line", "speaks"),
    [
        ("Bash(git push:*)", "git push", True),
        ("Bash(git push:*)", "ls && git push -f; ls", True),
        ("Bash(git push:*)", "git pushed", False),
        ("Bash(git push:*)", "echo 'x && git push'", False),
        ("Bash(git push:*)", 'echo "a \\" && git push"', False),
        ("Bash(git push:*)", "git -C . push", False),
        ("Bash(npm * --force)", "npm i x --force", True),
        ("Bash(npm publish)", "npm publish --tag a", False),
        ("Bash", "ls", True),
        ("Read(./.env)", "cat .env", False),
    ],
)
def test_commands_are_read_as_claude_code_reads_them(permission: str, line: str, speaks: bool) -> None:
    event = {"hook": "before_tool", "tool": {"name": "Bash", "kind": "shell", "args": {"command": line}}}
    assert speaks_of(read_permission(permission), Played((event,), (frozenset(),), frozenset())) is speaks


CHECKS = """[{"id": "tests", "kind": "command_success", "target": "go test ./..."},
  {"id": "change", "kind": "workspace_change"}, {"id": "readme", "kind": "file_exists", "target": "README.md"},
  {"id": "verified", "kind": "tool_fact", "params": {"tool": "gopls"}}]"""


def test_checks_are_compared_over_sessions() -> None:
    made = compared("accept-checks", CHECKS)
    assert {name: one.state for name, one in made.items()} == {
        "tests": STRICTER, "change": EQUAL, "readme": WEAKER, "verified": EQUAL,
    }  # fmt: skip
    assert made["tests"].witness.endswith('run "go test ./..." exit 0; write "x" content "text"; answer "done"; finish')
    assert made["readme"].meant


@pytest.mark.parametrize(
    ("rule", "right", "wrong"),
    [
        ("tests", 'command_success(command("go test ./... ..."))', 'ran(command("go test ./... ..."))'),
        ("change", 'wrote("**")', 'read("**") or wrote("**")'),
        ("verified", 'tool_fact("verification_tool", "gopls")', 'tool_fact("verification_tool")'),
    ],
)
def test_a_check_that_was_made_weaker_is_found(rule: str, right: str, wrong: str) -> None:
    made = migrate("accept-checks", CHECKS)
    head, name, rest = made.policy_text.partition(f"rule {rule} ")
    assert right in rest
    weak = replace(made, policy_text=head + name + rest.replace(right, wrong, 1))
    assert [one.state for one in compare_with_source(weak) if one.original.rule == rule] == [WEAKER]


def test_a_hook_that_spoke_at_every_prompt_is_found_weaker() -> None:
    item = "{id: note, point: user_prompt_submit, handler: add_context_note, params: {note: Be careful.}}"
    made = migrate("hooks-yaml", f"hooks: {{items: [{item}]}}")
    weak = replace(made, policy_text=made.policy_text.replace("on prompt", 'on prompt\n  when prompt contains "x"'))
    assert [one.state for one in compare_with_source(made)] == [EQUAL]
    assert [one.state for one in compare_with_source(weak)] == [WEAKER]
