"""Settings of Claude Code: how permissions are read, what is refused, what is listed, and that the policy is good."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from policy_engine.conversion.document import Refused
from policy_engine.conversion.gitignore import globs, matches_path
from policy_engine.conversion.star_commands import command_patterns, matched_by
from policy_engine.conversion.writing import Inexpressible
from policy_engine.migrations.base import migrate, migrate_all
from policy_engine.model.source import Source
from tests.unit.migrations.sources import faults, lacking


def _permissions(**lists: Any) -> str:
    return json.dumps({"permissions": lists})


def _hook(event: str, command: str, **more: Any) -> str:
    group = {"matcher": more.pop("matcher", ""), "hooks": [{"type": "command", "command": command, **more}]}
    return json.dumps({"hooks": {event: [group]}})


@pytest.mark.parametrize(
    ("limit", "patterns"),
    [
        ("npm run build", ["npm run build"]),
        ("npm run test:*", ["npm run test ..."]),
        ("npm *", ["npm ..."]),
        ("npm run test*", ["npm run test* ..."]),
        ("git * main", ["git * ... main"]),
        ("* --version", ["* ... --version"]),
        ("git commit -m 'a b'", ["git commit -m 'a b'"]),
        ("A=1 npm test", ["npm test"]),
        ("ls '' x", ["ls '' x"]),
        ("cargo b*d", ["cargo b*d", "cargo b* ... *d"]),
    ],
)
def test_a_star_stands_for_any_text(limit: str, patterns: list[str]) -> None:
    assert command_patterns(limit) == patterns


@pytest.mark.parametrize("limit", ["a && b", "a | b", "-*x", "ls -*", "~/x", "PATH=/x ls", "$X", "a 'b *'"])
def test_what_is_no_single_command_is_no_pattern(limit: str) -> None:
    with pytest.raises(Inexpressible):
        command_patterns(limit)


@pytest.mark.parametrize(
    ("limit", "line", "matched"),
    [
        ("npm:*", "npm", True),
        ("npm:*", "npmx", False),
        ("npm:*", "cd a && npm ci", True),
        ("curl *", "sudo curl x", True),
        ("curl *", "echo curl x", False),
        ("curl *", "bash -c 'curl x'", True),
        ("ls*", "lsof -i", True),
        ("git * main", "git push -f main", True),
        ("git * main", "git main", False),
        ("npm test", "npm test -- x", False),
    ],
)
def test_a_permission_describes_each_command_of_a_line(limit: str, line: str, matched: bool) -> None:
    assert matched_by(line, command_patterns(limit)) == matched


@pytest.mark.parametrize(
    ("pattern", "path", "matched"),
    [
        (".env", ".env", True),
        (".env", "a/b/.env", True),
        ("./.env", ".env", True),
        ("./.env", "a/.env", False),
        ("/src/a", "src/a", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "x/src/a.py", False),
        ("src/*.py", "src/a/b.py", False),
        ("src/**", "src/a/b.py", True),
        ("build/", "build/x", True),
        ("build/", "build", False),
        ("docs/old", "docs/old/x.md", True),
        ("*.ts", "a/b.ts", True),
        ("**/*.key", "a.key", True),
        ("a**b/c", "axb/c", True),
        ("\\*.md", "*.md", True),
        ("\\*.md", "a.md", False),
        ("~/notes/**", "~/notes/a", True),
        ("~/notes/**", "notes/a", False),
        ("//etc/hosts", "/etc/hosts", True),
        ("//etc/hosts", "etc/hosts", False),
        ("src/{a,b}.py", "src/b.py", True),
        (".", "a", True),
    ],
)
def test_paths_are_read_as_in_an_ignore_file(pattern: str, path: str, matched: bool) -> None:
    assert matches_path(globs(pattern), path) == matched


@pytest.mark.parametrize("pattern", ["", "!src", "#x", "../x", "a/../../x", "~other/x", "a[", "a{b"])
def test_what_selects_nothing_is_no_glob(pattern: str) -> None:
    with pytest.raises(Inexpressible):
        globs(pattern)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (_permissions(deny=["Bash(a | b)"]), "1: `|` means something to a shell"),
        (_permissions(deny=["Bash(a && b)"]), "1: `a && b` is a line of several commands"),
        (_permissions(deny=["Ba*"]), "1: a star in a tool's name is understood for MCP tools only"),
        (_permissions(deny=["x (y"]), "1: it has not the form `Tool` or `Tool(limit)`"),
        (_permissions(ask=["Agent(model:opus)", "TodoWrite(x)"]), "1: what `TodoWrite` can be limited to is not known"),
        (_permissions(ask=["WebSearch(x)"]), "1: a search of the web has no limit that is known"),
        (_permissions(deny=["PowerShell(rm *)"]), "1: what a call of `PowerShell` would do is not read"),
        (_permissions(deny=["Skill(a*b)"]), "1: a star is understood at the end only"),
        (_permissions(defaultMode="plan"), "1: planning is a state of the session"),
        (_permissions(disableBypassPermissionsMode="disable"), "1: this is a switch of the host"),
        (json.dumps({"disableAllHooks": True}), "1: this is a switch of the host"),
        (_hook("Notification", "say"), "1: no lifecycle point corresponds to `Notification`"),
        (_hook("PreToolUse", "a | b"), "1: the command `a | b` needs a shell"),
        (_hook("PreToolUse", "x $HOME"), "1: the command `x $HOME` needs a shell"),
        (_hook("PreToolUse", "x", args=["${CLAUDE_PLUGIN_ROOT}/y"]), "1: the command `x` names a variable"),
        (_hook("PreToolUse", "x", once=True), "1: `once` has no counterpart"),
        (_hook("PreToolUse", "x", matcher="(?!Bash)"), "1: the regex `^(?:(?!Bash))$` is not one of RE2's"),
        (_hook("PreCompact", "x", matcher="manual"), "1: the matcher `manual` asks for what the event does not tell"),
        (_hook("PreToolUse", "x", **{"if": "Read(a)"}), "1: the `if` `Read(a)` means several sorts of calls"),
        (_hook("Stop", "x", **{"if": "Bash(a)"}), "1: `if` is a permission, at events of tools"),
        (
            json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "prompt"}]}]}}),
            "1: a hook of type `prompt` is no program",
        ),
    ],
)
def test_what_cannot_be_said_is_listed(text: str, problem: str) -> None:
    assert [found.startswith(problem) for found in lacking("claude-settings", text)] == [True]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[]", "s:1: settings are an object"),
        ('{"permissions": []}', "s:1: `permissions` is no object"),
        ('{"permissions": {\n"allow": "Bash"}}', "s:2: `allow` is no list"),
        ('{"permissions": {"deny": [\n\n1]}}', "s:3: an entry of `deny` is no text"),
        (_permissions(defaultMode="x"), "s:1: unknown `defaultMode` `x`; it is one of default, acceptEdits,"),
        ('{"hooks": []}', "s:1: `hooks` is no object"),
        ('{"hooks": {"Stop": {}}}', "s:1: `hooks.Stop` is no list"),
        ('{"hooks": {"Stop": [{}]}}', "s:1: an entry of an event has a list `hooks`"),
        (_hook("Stop", " "), "s:1: a command hook has a `command`"),
        (_hook("Stop", "x", timeout=-1), "s:1: `timeout` is no number of seconds above 0"),
    ],
)
def test_settings_of_another_shape_are_refused(text: str, problem: str) -> None:
    with pytest.raises(Refused) as refused:
        migrate("claude-settings", text, "s")
    assert str(refused.value).startswith(problem)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (_hook("PreToolUse", '"$CLAUDE_PROJECT_DIR"/.claude/a.sh x'), 'run ["./.claude/a.sh", "x"]'),
        (_hook("PreToolUse", '"$CLAUDE_PROJECT_DIR/.claude/a b.sh"'), 'run ["./.claude/a b.sh"]'),
        (_hook("PreToolUse", "python3 ${CLAUDE_PROJECT_DIR}/x.py"), 'run ["python3", "./x.py"]'),
        (_hook("PreToolUse", "x", timeout=1.5), "timeout 1500ms"),
        (_hook("PreToolUse", "x", onFailure="block"), "fail closed"),
        (_hook("PreToolUse", "x", **{"async": True}), "observe"),
        (_hook("PreToolUse", "x", matcher="Write, Edit"), 'on before_tool("Write", "Edit")'),
        (_hook("PreToolUse", "x", matcher="Ba.*"), "when tool.name matches /^(?:Ba.*)"),
        (_hook("PostToolUse", "x"), "when result.ok"),
        (_hook("PostToolUseFailure", "x"), "when not result.ok"),
        (_hook("SessionStart", "x", matcher="startup"), "when not session.resumed"),
        (_hook("UserPromptSubmit", "x"), "timeout 30s"),
        (_hook("PreToolUse", "x", **{"if": "Bash(git *)"}), 'when any c in commands { c matches command("git ...") }'),
    ],
)
def test_a_hook_is_declared(text: str, words: str) -> None:
    made = migrate("claude-settings", text, "s")
    assert (faults(made), made.problems, words in made.policy_text) == ([], (), True)


def test_several_files_are_in_force_together() -> None:
    user = Source("user", _permissions(allow=["Bash(npm test)"], defaultMode="dontAsk"))
    project = Source("project", _permissions(allow=["Bash(make)"], deny=["Bash(make x)"], defaultMode="default"))
    made = migrate_all("claude-settings", [user, project])
    assert (faults(made), made.problems) == ([], ())
    assert 'command("cd ...", "npm test", "make")' in made.policy_text
    assert "\n  ask " in made.policy_text


_LIMITS = (
    "",
    "*",
    "a:*",
    "a b*c",
    "x | y",
    "src/**",
    ".env",
    "~/x",
    "//e",
    "domain:a.example",
    "domain:*",
    "é{",
    "\u202e",
)
_TOOLS = (
    "Bash",
    "Read",
    "Edit",
    "Write",
    "Grep",
    "NotebookEdit",
    "WebFetch",
    "Skill",
    "Agent",
    "mcp__a",
    "mcp__*",
    "X",
)
_entries = st.one_of(
    st.sampled_from(_TOOLS),
    st.builds("{}({})".format, st.sampled_from(_TOOLS), st.one_of(st.sampled_from(_LIMITS), st.text(max_size=6))),
)
_lists = st.lists(_entries, max_size=4)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(_lists, _lists, _lists, st.sampled_from(("", "default", "acceptEdits", "dontAsk", "bypassPermissions")))
def test_whatever_the_settings_say_the_policy_is_good(
    deny: list[str], ask: list[str], allow: list[str], mode: str
) -> None:
    more = {"defaultMode": mode} if mode else {}
    assert faults(migrate("claude-settings", _permissions(deny=deny, ask=ask, allow=allow, **more), "s")) == []


@pytest.mark.parametrize("entry", ["Bash(eval:*)", "Bash(sudo *)", "Bash(find:*)", "Bash(xargs rm)", "Bash(bash -c *)"])
@pytest.mark.parametrize("verdict", ["deny", "ask", "allow"])
def test_what_starts_other_commands_can_be_named(verdict: str, entry: str) -> None:
    made = migrate("claude-settings", _permissions(**{verdict: [entry]}), "s")
    assert (faults(made), made.problems) == ([], ())
