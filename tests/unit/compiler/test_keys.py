"""A key is what an event must show for a rule to have anything to say; in doubt there is none."""

from __future__ import annotations

import pytest

from policy_engine.compiler.emit import Emitter
from policy_engine.compiler.history_forms import Monitors
from policy_engine.compiler.keys import rule_keys
from policy_engine.loading.loader import load_text


def keys(clauses: str, on: str = "before_tool(shell)") -> dict[tuple[str, str], list[list[object]]]:
    """The keys of a rule with these clauses: group → choices of values, sorted."""
    loaded = load_text(f"language 1\nmode m {{ enter when git.clean }}\nrule r {{ on {on} {clauses} deny }}")
    assert loaded.policy is not None and loaded.errors == ()
    found = rule_keys(loaded.policy.rules[0], Emitter(Monitors()))
    return {group: [sorted(values, key=str) for values in choices] for group, choices in found.items()}


def SIGNS(*signs: str) -> dict[tuple[str, str], list[list[object]]]:  # noqa: N802 -- stands in a table
    """The keys of a rule about what commands do."""
    return {("sign", "e.commands"): [list(signs)]}


ARGUMENT = "e.tool_args.get('k', ABSENT)"


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        ('when tool.name == "Bash"', {("equal", "e.tool_name"): [["Bash"]]}),
        ('when "Bash" == tool.name', {("equal", "e.tool_name"): [["Bash"]]}),
        ('when tool.name in ["a", "b"]', {("equal", "e.tool_name"): [["a", "b"]]}),
        ('unless tool.name != "Bash"', {("equal", "e.tool_name"): [["Bash"]]}),
        ('require tool.name not in ["a", "b"]', {("equal", "e.tool_name"): [["a", "b"]]}),
        ("when session.turn > 3", {(">", "e.session_turn"): [[3]]}),
        ("when 3 > session.turn", {("<", "e.session_turn"): [[3]]}),
        ("require session.turn <= 3", {(">", "e.session_turn"): [[3]]}),
        ('when tool.name starts_with "mcp"', {("prefix", "e.tool_name"): [["mcp"]]}),
        ('when tool.name contains "git"', {("literal", "e.tool_name"): [["git"]]}),
        ("when tool.name matches /git.*log/", {("literal", "e.tool_name"): [["log"], ["git"]]}),
        ("when tool.name matches /git/i", {("folded", "e.tool_name"): [["git"]]}),
        ('when any c in commands { c.program == "rm" }', {("program", "e.commands"): [["rm"]]}),
        ('when any c in commands { c matches "rm ..." and c.dynamic }', {("program", "e.commands"): [["rm"]]}),
        ('require every c in commands { not (c matches "rm ...") }', {("program", "e.commands"): [["rm"]]}),
        ('when any p in paths { p matches glob("src/**", "/etc/*") }', {("folder", "e.paths"): [["/etc", "src"]]}),
        ('when has tool.args["k"] and tool.args["k"] == 1', {("equal", ARGUMENT): [[1]]}),
        ('when tool.name == ""', {("equal", "e.tool_name"): [[""]]}),
        ('when "b" in ["a"] or tool.name in ["a"]', {}),
        ('when "a" contains tool.name', {}),
        ("when git.clean == true", {("equal", "e.git_clean"): [[True]]}),
        ('when tool.name matches "mcp__*"', {}),
        ('when tool.name matches glob("a/*", "b/c/**")', {("place", "e.tool_name"): [["a", "b/c"]]}),
        ('when tool.name matches glob("a/*", "*.py")', {}),
        ('when cwd matches "/srv/**"', {("place", "e.cwd"): [["/srv"]]}),
        ("when cwd matches /srv/", {}),
        ('when (any c in commands { c.program == "rm" }) == true', {}),
        ('unless not (any c in commands { c.program == "rm" })', {("program", "e.commands"): [["rm"]]}),
        ('unless every c in commands { c.program != "rm" }', {}),
        ('unless every c in commands { not (c.program == "rm") }', {("program", "e.commands"): [["rm"]]}),
        ('when any c in commands { c.program in ["a", "b"] and c.program == "a" }',
         {("program", "e.commands"): [["a"]]}),
        ('when any c in commands { c.program == "b" or c matches command("a x", "c") }',
         {("program", "e.commands"): [["a", "b", "c"]]}),
        ('when any c in commands { not (c.program != "rm" or c matches "x") }', {}),
        ('when any c in commands { not (not (c.program == "rm") or c.dynamic) }',
         {("program", "e.commands"): [["rm"]]}),
        ('when any c in commands { c.program == "rm" or c.dynamic }', {}),
        ('when any c in commands where c.program == "rm" { c.dynamic }', {("program", "e.commands"): [["rm"]]}),
        ('when any c in commands where c.dynamic { c.program == "rm" }', {("program", "e.commands"): [["rm"]]}),
        ('when any c in commands where c.program == "a" { c.program in ["b", "c"] }',
         {("program", "e.commands"): [["a"]]}),
        ('when any c in commands where c.program in ["a", "b"] { c.program in ["c", "d"] }',
         {("program", "e.commands"): [["c", "d"]]}),
        ('unless every c in commands where c.program == "rm" { c.dynamic }', {("program", "e.commands"): [["rm"]]}),
        ('when any c in commands { any d in commands { c.program == "a" and d.program == "b" } }', {}),
        ('when any p in paths where p matches "src/**" { p.recursive }', {("folder", "e.paths"): [["src"]]}),
        ('when any p in paths { p matches "src/**" and p matches "src/a/**" }', {("folder", "e.paths"): [["src"]]}),
        ('when any p in paths { p matches "src/**" or p matches "lib/*" }', {("folder", "e.paths"): [["lib", "src"]]}),
        ('when any p in paths { p matches "src/**" or p matches "*.py" }', {}),
        ('unless every p in paths { not (p matches "src/**") }', {("folder", "e.paths"): [["src"]]}),
        ('unless every p in paths { not (p matches "src/**") or p.recursive }', {("folder", "e.paths"): [["src"]]}),
        ('unless every c in commands { not (c.program == "a") or c.dynamic }', {("program", "e.commands"): [["a"]]}),
        ('unless every c in commands { not (c.program == "a") and not (c matches "b") }',
         {("program", "e.commands"): [["a", "b"]]}),
        ('unless every c in commands { not (c.program == "a") and c.dynamic }', {}),
        ('when any c in commands { c.effects contains "sends" }', SIGNS("effects/*", "effects/sends", "opaque/")),
        ('when any c in commands { not c.opaque and c.effects contains "sends" }',
         SIGNS("effects/*", "effects/sends")),
        ('when any c in commands where not c.opaque { c.effects contains "sends" or c.program == "nc" }',
         SIGNS("effects/*", "effects/sends", "nc")),
        ('unless every c in commands { c.opaque or not (c.effects contains "sends") }',
         SIGNS("effects/*", "effects/sends")),
        ('when any c in commands { c.opaque and c.effects contains "sends" }',
         SIGNS("effects/*", "effects/sends", "opaque/")),
        ("when any c in commands { c.waits }", SIGNS("waits/")),
        ("when any c in commands { any p in c.touches { p.recursive } }", SIGNS("touches/")),
        ('when any c in commands { any p in c.paths { p matches "a" } }', SIGNS("opaque/", "touches/")),
        ('when any c in commands { any p in c.touches where p.access != "read" { p.recursive } }', SIGNS("changes/")),
        ('when any c in commands { any p in c.touches { not (p.access == "read") and p.recursive } }',
         SIGNS("changes/")),
        ('when any c in commands { any p in c.touches where p.access == "delete" { p.recursive } }',
         SIGNS("touches/delete")),
        ('when any c in commands { any p in c.touches { p.access == "delete" or p.access == "write" } }',
         SIGNS("touches/delete", "touches/write")),
        ('when any c in commands { any p in c.touches { p.access != "write" } }', SIGNS("touches/")),
        ('unless every c in commands { every p in c.contents { not (p matches ".env") } }', SIGNS("contents/")),
        ('when any c in commands { any p in c.mentions { p matches "x" } or any p in c.searched { p matches "x" } }',
         SIGNS("mentions/", "searched/")),
        ('when any c in commands { any b in c.rewrites { b == "main" } }', SIGNS("opaque/", "rewrites/")),
        ('when any c in commands { c.effects contains "sends" and c.program == "curl" }',
         {("program", "e.commands"): [["curl"]]}),
    ],
)  # fmt: skip
def test_a_clause_that_discriminates_gives_a_key(
    clauses: str, expected: dict[tuple[str, str], list[list[object]]]
) -> None:
    assert keys(clauses) == expected


@pytest.mark.parametrize(
    "clauses",
    [
        'when tool.name != "Bash"',
        'unless tool.name == "Bash"',
        'require tool.name == "Bash"',
        'when not (tool.name contains "git")',
        "when tool.name matches /git|hg/",
        'when tool.name == "Bash" or session.turn > 3',
        'when every c in commands { c.program == "rm" }',
        'when any c in commands { c.program != "rm" }',
        'when any c in commands { c matches "* -q" }',
        'when any c in commands { c matches "./run" }',
        'when any p in paths { p matches "*.md" }',
        'when any p in paths { p matches "~/**" }',
        'when any p in paths { p under "src" }',
        'when cwd == "src"',
        'when paths contains "src/a.py"',
        'when count c in commands { c.program == "rm" } >= 0',
        "when tool.name == agent.name",
        'when tool.name in ["a", agent.name]',
        'when tool.name starts_with ""',
        'when tool.name contains ""',
        'when tool.name ends_with "x"',
        'unless tool.name starts_with "x"',
        'unless tool.name in ["x"]',
        "when tool.name matches /./",
        'unless tool.name matches "src/**"',
        "when limit.completion-budget.count > 1",
        "when mode.m == true",
        'when goal.commands == ["a"]',
        'when goal.commands contains "a"',
        'when wrote("a")',
        'unless any c in commands { c.program == "rm" }',
        'unless every c in commands { c.program == "rm" }',
        'when any c in commands { not (c.program == "rm") }',
        "when any c in commands { c.program == tool.name }",
        'when any c in commands { c.program in ["a", tool.name] }',
        'when any c in commands { c.path == "rm" }',
        'when any c in commands { c.program starts_with "rm" }',
        'when any c in commands { not (c matches "rm") }',
        'when any c in commands { c matches command("rm", "... x") }',
        'when any c in commands { c matches command("rm", "x* y") }',
        'when any t in todos { t.title == "x" }',
        "when any p in paths { p matches /x/ }",
        'when any p in paths { not (p matches "src/**") }',
        'when any p in paths { any q in paths { p matches "a/**" } }',
        'when any c in commands { not (c.effects contains "sends") }',
        'when any c in commands { c.effects contains "executes-remote" }',
        "when any c in commands { c.read_only }",
        "when any c in commands { not c.waits }",
        'when any c in commands { every p in c.touches { p matches "a" } }',
        'when any c in commands { any p in c.runs { p matches "a" } }',
        'when any c in commands { any d in commands { c.program == "a" or d.effects contains "sends" } }',
    ],
)
def test_a_clause_that_may_hold_without_its_literals_gives_none(clauses: str) -> None:
    assert keys(clauses) == {}


@pytest.mark.parametrize(
    ("one", "other", "kept"),
    [
        ("/abcdef.*xyz/", "/def/", ["abcdef", "def"]),
        ("/xqz.*the/", "/a+bc.*zzz/", ["xqz", "zzz"]),
    ],
)
def test_or_keeps_the_rarest_literal_of_each_branch(one: str, other: str, kept: list[str]) -> None:
    found = keys(f"when tool.name matches {one} or tool.name matches {other}")
    assert found == {("literal", "e.tool_name"): [kept]}


def test_or_keeps_the_choice_with_the_fewest_values() -> None:
    found = keys('when (tool.name in ["a", "b"] and tool.name in ["c"]) or tool.name == "d"')
    assert found == {("equal", "e.tool_name"): [["c", "d"]]}


def test_and_offers_every_key_and_or_only_what_all_branches_share() -> None:
    both = keys('when tool.name == "a" and session.turn > 3')
    assert both == {("equal", "e.tool_name"): [["a"]], (">", "e.session_turn"): [[3]]}
    either = keys('when (tool.name == "a" and session.turn > 3) or tool.name == "b"')
    assert either == {("equal", "e.tool_name"): [["a", "b"]]}


def test_not_turns_and_into_or() -> None:
    assert keys('when not (tool.name != "a" or session.turn <= 3)') == keys(
        'when tool.name == "a" and session.turn > 3'
    )
    assert keys('when not (tool.name != "a" and tool.name != "b")') == {("equal", "e.tool_name"): [["a", "b"]]}


def test_a_default_is_read_like_any_value() -> None:
    found = keys('when tool.args["k"] else "x" == "x"')
    assert found == {("equal", "e.tool_args.get('k', 'x')"): [["x"]]}
    found = keys('when tool.scope else "x" == "x"')
    assert found == {("equal", "otherwise(e.tool_scope, lambda: 'x')"): [["x"]]}


MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@pytest.mark.parametrize("op", sorted(MIRRORED))
def test_a_comparison_has_the_same_keys_the_other_way_round_and_denied_twice(op: str) -> None:
    found = keys(f"when session.turn {op} 3")
    assert keys(f"when 3 {MIRRORED[op]} session.turn") == found
    assert keys(f"unless session.turn {OPPOSITE[op]} 3") == found
    assert keys(f"require 3 {MIRRORED[OPPOSITE[op]]} session.turn") == found
