"""Comparing policies by hand-made pairs: what is proved, what is shown, what stays open."""

from __future__ import annotations

import pytest

from policy_engine.loading.loader import Loaded, load_text
from policy_engine.testing.proof import PROVED, prove
from policy_engine.testing.witness import (
    ALLOWED,
    ASKED,
    REFUSED,
    STRICTER,
    UNASKED,
    WEAKER,
    Comparison,
    compare,
    step_text,
)

HEAD = "language 1\n"


def rule(name: str, body: str) -> str:
    return f'rule {name} "{name}" {{\n{body}\n}}\n'


def shell(name: str, when: str, verdict: str = 'deny "No."') -> str:
    return rule(name, f"on before_tool(shell)\nwhen any c in commands {{ {when} }}\n{verdict}")


def at_end(name: str, body: str) -> str:
    return rule(name, f'on before_completion\n{body}\ndeny "No."')


def found(old: str, new: str) -> Comparison:
    return compare(policy(old), policy(new))


def policy(text: str) -> Loaded:
    loaded = load_text(HEAD + text)
    assert loaded.errors == (), loaded.errors
    return loaded


PUSH = 'c matches "git push ..."'
BEFORE_AND_AFTER = "on before_tool(shell)\non after_tool(shell)"
STOP_PUSH = f'when any c in commands {{ {PUSH} }}\nstop x "No."'
BASE = shell("base", 'c.program == "sudo"')
READS = rule("reads", 'on before_tool(shell)\nwhen every c in commands { c.read_only }\napprove "It reads."')

EQUAL = {
    "the same text": (BASE, BASE),
    "another name, title and message": (BASE, shell("other", 'c.program == "sudo"', 'deny "Never."')),
    "a limit for another control": (
        'limit l "l" {\n  on before_tool(shell)\n  repeats (tool.args)\n  at 3 deny "No."\n}\n',
        'limit l "l" {\n  control "A-1"\n  on before_tool(shell)\n  repeats (tool.args)\n  at 3 deny "No."\n}\n',
    ),
    "a step of a limit that its count never reaches": (
        'limit l "l" {\n  on before_tool(shell)\n  counts ran("x")\n  reset on ran("x")\n  at 1 warn "A."\n}\n',
        'limit l "l" {\n  on before_tool(shell)\n  counts ran("x")\n  reset on ran("x")\n  at 1 warn "A."\n'
        '  at 3 warn "B."\n}\n',
    ),
    "conditions in another order": (
        shell("a", f'{PUSH} and c.has_flag("--force")'),
        shell("a", f'c.has_flag("--force") and {PUSH}'),
    ),
    "one rule in two": (
        shell("a", f'{PUSH} or c.program == "sudo"'),
        shell("a", PUSH) + BASE,
    ),
    "a rule that another one covers": (
        shell("a", PUSH) + shell("b", 'c matches "git push --force ..."'),
        shell("a", PUSH),
    ),
    "a rule about the program of a pattern": (
        shell("a", 'c.program == "git"') + shell("b", PUSH),
        shell("a", 'c.program == "git"'),
    ),
    "double negation": (
        at_end("a", 'when wrote("src/**")\nrequire read("a")'),
        at_end("a", 'when not (not wrote("src/**"))\nrequire read("a")'),
    ),
    "a define": (BASE, 'define p = "sudo"\n' + shell("base", "c.program == p")),
    "the direction of a rule that cannot refuse": (
        rule("a", f"on after_tool(shell)\n{STOP_PUSH}"),
        rule("a", f"on after_tool(shell)\nfail open\n{STOP_PUSH}"),
    ),
    "a rule in shadow": (BASE, BASE + shell("s", PUSH, 'deny "No."\nshadow')),
}


@pytest.mark.parametrize("pair", EQUAL.values(), ids=EQUAL)
def test_what_says_the_same_is_proved_equal(pair: tuple[str, str]) -> None:
    for old, new in (pair, pair[::-1]):
        assert found(old, new).is_equal


DIFFERENT = {
    "a rule is gone": (BASE + shell("a", PUSH), BASE, ALLOWED, "git push"),
    "a rule is new": (BASE, BASE + shell("a", PUSH), REFUSED, "git push"),
    "only what is dynamic and has known options": (
        shell("a", "c.dynamic") + shell("b", 'c.has_flag("--force")'),
        shell("b", 'c.has_flag("--force")'),
        ALLOWED,
        '"./$X',
    ),
    "a verdict is lower": (shell("a", PUSH), shell("a", PUSH, 'ask "May I?"'), WEAKER, "git push"),
    "a verdict is higher": (shell("a", PUSH, 'ask "May I?"'), shell("a", PUSH), STRICTER, "git push"),
    "a flag is left out": (
        shell("a", f'{PUSH} and c.has_flag("--force", "--force-with-lease")'),
        shell("a", f'{PUSH} and c.has_flag("--force")'),
        ALLOWED,
        "--force-with-lease",
    ),
    "a pattern is narrower": (shell("a", PUSH), shell("a", 'c matches "git push origin ..."'), ALLOWED, "git push"),
    "only what is unknown": (
        rule("a", 'on before_tool(write)\nwhen not git.clean\ndeny "No."'),
        rule("a", 'on before_tool(write)\nwhen not git.clean\nfail open\ndeny "No."'),
        ALLOWED,
        "write",
    ),
    "a number by one": (
        rule("a", 'on before_tool(shell)\nwhen diff.files > 10\ndeny "No."'),
        rule("a", 'on before_tool(shell)\nwhen diff.files > 11\ndeny "No."'),
        ALLOWED,
        "given diff.files = 11",
    ),
    "a folder of the past": (
        at_end("a", 'require tests_passed() since wrote("src/**")'),
        at_end("a", 'require tests_passed() since wrote("src/**/*.py")'),
        ALLOWED,
        'write "src/',
    ),
    "a run that a wider pattern takes back": (
        at_end("a", 'require command_success("pytest ...") since wrote("src/**")'),
        at_end("a", 'require command_success("pytest -q ...") since wrote("src/**")'),
        ALLOWED,
        'run "pytest -q" exit 0 ; run "pytest" exit 1 ; finish',
    ),
    "what is unknown before a call, of a rule that stops also after it": (
        rule("a", f"{BEFORE_AND_AFTER}\n{STOP_PUSH}"),
        rule("a", f"{BEFORE_AND_AFTER}\nfail open\n{STOP_PUSH}"),
        ALLOWED,
        "$",
    ),
    "todos that cannot be known": (
        at_end("a", 'when any t in todos { t.status == "failed" }'),
        at_end("a", 'when any t in todos { t.status == "failed" }\nfail open'),
        ALLOWED,
        "undecided todos",
    ),
    "an exception that is new": (
        shell("a", PUSH),
        rule(
            "a", f'on before_tool(shell)\nwhen any c in commands {{ {PUSH} }}\nunless git.branch == "topic"\ndeny "No."'
        ),
        ALLOWED,
        'given git.branch = "topic"',
    ),
    "a waiver": (BASE, BASE + 'waive base "why" {\n  until 9999-12-31\n  owner "me"\n}\n', ALLOWED, "sudo"),
    "a prompt": (
        "",
        rule("a", 'on prompt\nwhen prompt contains "deploy"\ndeny "No."'),
        REFUSED,
        'prompt "deploy"',
    ),
    "an argument of a tool": (
        "",
        rule("a", 'on before_tool(mcp)\nwhen tool.args["table"] else "" == "users"\ndeny "No."'),
        REFUSED,
        '"users"',
    ),
    "an argument of which several things are asked": (
        "",
        rule(
            "a",
            'on before_tool(write)\nwhen tool.args["file_path"] else "" starts_with "/db/" '
            'and tool.args["file_path"] else "" ends_with ".sql" and content contains "DROP"\ndeny "No."',
        ),
        REFUSED,
        'write "/db/.sql" content "DROP"',
    ),
    "a line of which the result is asked": (
        "",
        rule(
            "a",
            'on after_tool(shell)\nwhen result.exit_code == 2 and tool.args["command"] else "" starts_with "job-7 "\n'
            'warn "No."',
        ),
        STRICTER,
        'run "job-7 " exit 2',
    ),
    "a file that has to be there": (
        at_end("a", 'require file_exists("CHANGELOG.md")'),
        at_end("a", 'require file_exists("CHANGES.md")'),
        ALLOWED,
        "finish",
    ),
    "a folder that is left out": (
        shell("a", 'any p in c.paths where p.access == "delete" { not (p inside workspace) }'),
        shell(
            "a", 'any p in c.paths where p.access == "delete" { not (p inside workspace) and not (p inside "/tmp") }'
        ),
        ALLOWED,
        "/tmp/x",
    ),
    "a value in a JSON file": (
        at_end("a", 'require json_value("x.json", "/a/b") else "" == "1"'),
        at_end("a", 'require json_value("x.json", "/a/b") else "" == "2"'),
        ALLOWED,
        'file "x.json" content "{\\"a\\": {\\"b\\": \\"2\\"}}" ; finish',
    ),
    "a number in a YAML file": (
        at_end("a", 'when yaml_value("x.yaml", "a.b") else 0 > 3'),
        at_end("a", 'when yaml_value("x.yaml", "a.b") else 0 > 4'),
        ALLOWED,
        'file "x.yaml" content "{\\"a\\": {\\"b\\": 4}}" ; finish',
    ),
    "a setting in a TOML file": (
        at_end("a", 'when toml_value("x.toml", "a.b") else false == true'),
        BASE,
        ALLOWED,
        'file "x.toml" content "a.b = true" ; finish',
    ),
    "a number of writes": (
        at_end("a", 'when count(wrote("src/**")) > 3'),
        at_end("a", 'when count(wrote("src/**")) > 4'),
        ALLOWED,
        'content "text 3" ; finish',
    ),
    "the end of a freeze": (
        shell("a", 'c.program == "git" and time.now < 2026-12-20'),
        shell("a", 'c.program == "git" and time.now < 2026-12-20T12:00+01:00'),
        REFUSED,
        'given time.now = "2026-12-20T',
    ),
    "an approval": ("", READS, UNASKED, "shell"),
    "an approval less": (READS, "", ASKED, "shell"),
    "an approval in place of a refusal": (shell("a", "c.read_only"), READS, ALLOWED, "shell"),
    "a refusal of what is approved": (READS, READS + shell("a", "c.read_only"), REFUSED, "shell"),
    "a limit": (
        'limit l "l" {\n  on before_tool(shell)\n  repeats (tool.args)\n  at 3 deny "No."\n}\n',
        'limit l "l" {\n  on before_tool(shell)\n  repeats (tool.args)\n  at 4 deny "No."\n}\n',
        ALLOWED,
        "shell",
    ),
    "a limit that leaves out some calls": (
        'limit l "l" {\n  on before_tool(shell)\n  repeats (tool.args)\n  at 3 deny "No."\n}\n',
        'limit l "l" {\n  on before_tool(shell)\n  when not (any c in commands { c.program == "cargo" })\n'
        '  repeats (tool.args)\n  at 3 deny "No."\n}\n',
        ALLOWED,
        'shell "cargo x" ; shell "cargo x" ; shell "cargo x"',
    ),
    "a mode": (
        'mode m "m" {\n  enter when wrote("a.txt")\n}\n' + rule("a", 'on before_tool(shell)\nwhen mode.m\ndeny "No."'),
        'mode m "m" {\n  enter when wrote("b.txt")\n}\n' + rule("a", 'on before_tool(shell)\nwhen mode.m\ndeny "No."'),
        ALLOWED,
        'write "a.txt"',
    ),
}


@pytest.mark.parametrize(("old", "new", "direction", "shown"), DIFFERENT.values(), ids=DIFFERENT)
def test_a_change_is_shown_by_a_session(old: str, new: str, direction: str, shown: str) -> None:
    comparison = found(old or BASE, new or BASE)
    texts = {one.direction: " ; ".join(map(step_text, one.steps)) for one in comparison.differences}
    assert direction in texts, (texts, [one[1].item for one in comparison.open])
    assert shown in texts[direction]


def test_what_is_no_longer_refused_is_shown_beside_what_is_refused_more_strictly() -> None:
    """The first session that tells them apart is refused by both: it does not stand for what only one refuses."""
    old = shell("a", f'{PUSH} and c.has_flag("--force", "-n")', 'ask "May I?"')
    new = shell("a", f'{PUSH} and c.has_flag("--force", "-x")')
    shown = {one.direction: [step_text(step) for step in one.steps] for one in found(old, new).differences}
    assert shown == {ALLOWED: ['shell "git push -n"'], REFUSED: ['shell "git push -x"']}


def test_each_rule_that_makes_a_difference_is_named() -> None:
    """What the one refuses no longer must not hide that the other does so too."""
    old = shell("a", PUSH) + rule("b", 'on before_tool(shell)\nwhen read("x")\ndeny "No."')
    new = shell("a", f'{PUSH} and c.has_flag("-f")') + shell("c", 'c.program != "git"')
    differences = found(old + BASE, new + BASE).differences
    assert {one.item.id for one in differences if one.direction == ALLOWED} == {"a", "b"}  # type: ignore[union-attr]


def test_a_session_has_no_step_that_it_does_not_need() -> None:
    blocking = rule("clean", 'on before_tool(write)\nwhen not git.clean\nask "May I?"')
    old = blocking + at_end("a", 'when wrote("src/**")\nrequire false')
    (one,) = found(old, blocking).differences
    assert [step_text(step).split()[0] for step in one.steps] == ["given", "write", "finish"]


def test_what_can_be_neither_shown_nor_proved_is_open() -> None:
    old = rule("a", 'on before_compact\ndeny "No."')
    comparison = found(old + BASE, BASE)
    assert comparison.differences == () and not comparison.is_equal
    assert [(side, point) for side, _, point, _ in comparison.open] == [("old", "before_compact")]


def limit(body: str) -> str:
    return f'limit l "l" {{\n  on {body}\n}}\n'


def in_mode(body: str) -> str:
    return f'mode m "m" {{\n  enter when wrote("a")\n  {body}\n}}\n' + rule(
        "a", 'on before_tool(shell)\nwhen mode.m\ndeny "No."'
    )


FAILING = 'count(command_failure("make ..."), within: %) >= 3'
CALLS, STOP = 'counts called("Bash")', 'stop too_often "No."'
NPM = 'counts any c in commands { c.program == "npm" } % at 3 deny "No."'
COUNTING = {
    "a window in time": (limit(f"after_tool {CALLS} within % at 3 {STOP}"), "10m", "20m"),
    "a window in rounds": (limit(f"after_tool {CALLS} within % at 3 {STOP}"), "4 rounds", "5 rounds"),
    "a window of a count": (rule("a", f'on before_tool(shell)\nwhen {FAILING}\ndeny "No."'), "10m", "11m"),
    "what starts the count again": (
        limit(f"after_tool {CALLS} % at 5 {STOP}"), 'reset on wrote("src/**")', "",
    ),
    "what is the same again": (limit('before_tool repeats (%) at 3 deny "No."'), "tool.name, tool.args", "tool.name"),
    "longer cycles": (limit('before_tool repeats (tool.args) period % at 3 deny "No."'), "2", "3"),
    "one count for each line": (limit(f"before_tool(shell) {NPM}"), 'by (tool.args["command"])', ""),
    "many times": (limit('before_tool(shell) repeats (tool.args) at % deny "No."'), "30", "25"),
    "how long a mode cannot be left": (in_mode('exit when wrote("b") lock % rounds'), "2", "5"),
    "how long a mode goes on": (in_mode('exit when wrote("b") since wrote("a") dwell % rounds'), "2", "3"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "mild", "strict"), COUNTING.values(), ids=COUNTING)
def test_a_change_of_what_counts_or_lasts_is_shown_by_a_session(text: str, mild: str, strict: str) -> None:
    mild, strict = text.replace("%", mild), text.replace("%", strict)
    assert REFUSED in {one.direction for one in found(mild, strict).differences}
    assert ALLOWED in {one.direction for one in found(strict, mild).differences}


@pytest.mark.parametrize("fail", ["fail closed", ""])
def test_a_step_that_the_count_never_reaches_speaks_where_nothing_is_known(fail: str) -> None:
    text = 'before_tool(shell)\n  when git.branch == "main"\n  counts ran("x")\n  {}\n  at 2 warn "A."\n  {}'
    comparison = found(limit(text.format(fail, "")), limit(text.format(fail, 'at 3 deny "B."')))
    assert [one.direction for one in comparison.differences] == [REFUSED]


def test_a_limit_at_a_point_that_no_step_reaches_is_open() -> None:
    text = "before_compact counts true at {} deny"
    comparison = found(limit(f'{text.format(2)} "No."'), limit(f'{text.format(3)} "No."'))
    assert {side for side, *_ in comparison.open} == {"old"} and not comparison.differences


LIMIT = 'limit l "l" {{\n  on before_tool(edit)\n  counts tool.kind == "edit"\n  {}\n}}\n'


@pytest.mark.parametrize(
    ("strict", "mild"),
    [
        ('at 3 ask "A."', 'at 4 ask "A."'),
        ('at 3 deny "A."', 'at 3 ask "A."'),
        ('at 3 ask "A."', 'at 3 warn "A."\n  at 5 ask "B."'),
        ('at 2 ask "A."', 'at every 2 ask "A."'),
        ('at every 2 ask "A."', 'at every 4 ask "A."'),
    ],
)
def test_a_limit_that_counts_the_same_covers_what_it_refuses_as_strictly(strict: str, mild: str) -> None:
    comparison = found(LIMIT.format(strict), LIMIT.format(mild))
    assert [one.side for one in comparison.differences] == ["old"] and comparison.open == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('at 3 ask "A."', 'at 2 warn "A."\n  at 5 deny "B."'),
        ('at every 3 ask "A."', 'at every 2 ask "A."'),
        ('at 3 stop first_reason "A."', 'at 3 stop second_reason "A."'),
    ],
)
def test_of_limits_of_which_neither_covers_the_other_both_are_asked_about(one: str, other: str) -> None:
    comparison = found(LIMIT.format(one), LIMIT.format(other))
    asked = {difference.side for difference in comparison.differences} | {side for side, _, _, _ in comparison.open}
    assert asked == {"old", "new"}


def test_a_setting_has_its_value_in_both_policies() -> None:
    old, new = (f"define strict = {value}\n" + shell("a", f"strict and {PUSH}") for value in ("true", "false"))
    assert [one.direction for one in found(old, new).differences] == [ALLOWED]


@pytest.mark.parametrize(
    ("weak", "strong", "equal"),
    [
        ("any c in commands { false }", 'any c in commands { c.program == "sudo" }', True),
        ("any c in commands { c.program in [] }", 'any c in commands { c.program == "sudo" }', False),
        ("any p in paths { false }", 'any c in commands { c.program == "sudo" }', False),
    ],
)
def test_a_list_that_cannot_be_known_is_covered_by_a_rule_about_it(weak: str, strong: str, equal: bool) -> None:
    base = rule("strong", f'on before_tool(shell)\nwhen {strong}\ndeny "No."')
    more = rule("weak", f'on before_tool(shell)\nwhen {weak}\ndeny "No."')
    loaded = load_text(HEAD + base + more)
    if loaded.program is not None:
        assert found(base, base + more).is_equal is equal


def test_a_rule_without_a_verdict_is_compared() -> None:
    """A time budget is no verdict, so that no rule makes up for it, and none is asked whether it does."""
    budget = rule("b", "on before_tool(shell)\ntimeout 5s")
    assert [side for side, *_ in found(BASE + budget, BASE).open] == ["old"]


GIT_OR_NPM = 'any c in commands { c.program in ["git", "npm"] }'
FOUND: dict[str, tuple[str, str, str]] = {
    "a line of the only program that another rule leaves": (
        'any c in commands { c.program != "npm" }', "git.branch matches /^(main|other)$/", "fail closed",
    ),
    "a verb of a program that no condition names": (
        'any c in commands { c.subcommand == "push" and not c.has_flag("--force", "-f") }',
        'every c in commands { c.program != "npm" } and not (git.branch matches /^(main|other)$/)'
        ' and every c in commands { c.subcommand == "push" }',
        "fail ask",
    ),
    "two commands that each do a part": (
        'not any c in commands { c matches "git push --force ..." }',
        'any c in commands { c matches "npm install ..." and not c.program != "npm" }',
        "",
    ),
    "a rule that is undecided where another one is": (
        f'not every c in commands {{ c.dynamic }} or not (git.ahead == 2) or {GIT_OR_NPM}',
        'not (git.branch != "dev") and not (git.ahead >= 1) and not any c in commands { c.dynamic }',
        "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FOUND)
def test_a_session_past_another_rule_is_found(what: str) -> None:
    other, when, fail = FOUND[what]
    base = rule("a", f'on before_tool(shell)\nwhen {other}\nfail ask\nask "No."')
    assert found(base, base + rule("b", f'on before_tool(shell)\nwhen {when}\n{fail}\ndeny "No."')).differences


def test_a_session_is_found_past_the_rule_that_is_gone() -> None:
    unless = 'wrote("b") and any c in commands { c.program != "npm" } and any c in commands { c.dynamic }'
    old = rule("a", f'on before_tool(shell)\nwhen git.branch in ["main", "dev"] or true\nunless {unless}\ndeny "No."')
    new = rule("b", 'on before_tool(shell)\nwhen read("a") or not read("a")\ndeny "No."')
    assert found(old, new).differences


def test_a_session_is_found_where_only_what_is_unknown_passes_the_other_rules() -> None:
    """Three rules refuse what is known; the changed one asks where the number is not known, and two commands run."""
    base = "".join((
        rule("a", 'on before_tool(shell)\nwhen not any c in commands { c matches "npm install ..." }\nask "No."'),
        rule("b", 'on before_tool(shell)\nwhen (git.branch != "dev")\ndeny "No."'),
        rule("c", 'on before_tool(shell)\nwhen git.ahead == 2 and any c in commands { c.subcommand == "push" }\n'
                  'fail open\ndeny "No."'),
        rule("d", 'on before_tool(shell)\nwhen every c in commands { c.program == "git" }\nfail ask\nask "No."'),
    ))  # fmt: skip
    forced = 'any c in commands { c matches "git push --force ..." }'
    new = rule("e", f'on before_tool(shell)\nwhen wrote("b") and git.ahead == 2 and {forced}\nask "No."')
    assert found(base, base + new).differences


def test_lines_that_miss_different_parts_are_joined() -> None:
    """A claim that a call is possible is shown only by sessions in which it is known to hold."""
    flags = 'every c in commands { c.has_flag("--force", "-f") and not c matches "npm install ..." }'
    none = 'not any c in commands { c.has_flag("--force", "-f") }'
    branch = "git.branch matches /^(main|other)$/"
    loaded = load_text(
        HEAD
        + rule("a", f'on before_tool(shell)\nwhen {flags} or {branch} or {none}\nfail open\nask "No."')
        + 'claim b "b" {\non before_tool(shell)\n'
        'when any c in commands { c.has_flag("--force") and c.subcommand == "push" }\n'
        'unless wrote("b") or every c in commands { c matches "git push ..." and c.program == "git" }\n'
        "expect possible allow\n}\n"
    )
    assert loaded.policy is not None, loaded.errors
    (answer,) = prove(loaded.policy, loaded.policy.claims, loaded.require_program())
    assert answer.state == PROVED
