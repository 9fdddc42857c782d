"""Several files → one checked policy: visibility, ids, order of hooks, and what the tree holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from policy_engine.checker import tree
from policy_engine.checker.checker import check
from policy_engine.loading.loader import load_given
from policy_engine.loading.sources import PolicyFile
from policy_engine.model.source import Source
from policy_engine.model.types import BOOL
from policy_engine.model.undecided import ABSENT
from tests.unit.checker.build import WORDS, checked, messages, rule_of


def test_a_define_is_visible_in_its_file_and_in_files_that_import_it() -> None:
    _, found = checked(
        common='define source = glob("src/**")',
        one='import "common.policy"\nrule a "A" { on before_completion when wrote(source) deny "No." }',
        two='rule b "B" { on before_completion when wrote(source) deny "No." }',
    )
    assert messages(found) == ["two.policy:2 PE201 unknown name `source`"]
    assert found[0].help == "`source` is defined in `common.policy`: import that file"


def test_an_import_does_not_pass_on_what_it_imports() -> None:
    _, found = checked(
        a='define source = glob("src/**")',
        b='import "a.policy"',
        c='import "b.policy"\nrule r "R" { on before_completion when wrote(source) deny "No." }',
    )
    assert [d.code for d in found] == ["PE201"]


def test_two_files_may_define_one_name_but_none_may_import_both() -> None:
    _, found = checked(a='define x = glob("a")', b='define x = glob("b")', c='import "a.policy"\nimport "b.policy"\n')
    assert messages(found) == ["c.policy:3 PE210 `x` is already defined"]
    assert found[0].related[0].source.name == "a.policy"


def test_imports_are_read_from_the_folder_of_the_importing_file() -> None:
    from policy_engine.checker.defines import imported_name

    assert imported_name("other.policy", "/etc/p/main.policy") == "/etc/p/other.policy"
    assert imported_name("../x/./y.policy", "a/b/main.policy") == "a/x/y.policy"
    assert imported_name("other.policy", "main.policy") == "other.policy"
    assert imported_name("../../x.policy", "a/main.policy") == "../x.policy"
    assert imported_name("pack:security/shell", "a/main.policy") == "pack:security/shell"


def test_ids_are_unique_over_all_files() -> None:
    _, found = checked('rule a "A" { on prompt warn "No." }', 'rule a "A" { on prompt warn "No." }')
    assert messages(found) == ["1.policy:2 PE215 the id `a` is already used"]
    assert found[0].help == "at 0.policy:2:6"


def test_rules_of_any_file_may_be_waived_refused_and_counted() -> None:
    policy, found = checked(
        'waive a "Release day" { until 2026-12-31 owner "dana" when prompt == "x" }',
        'rule a "A" { on prompt warn "No." }\nlimit n "N" { on prompt counts refused(a) at 2 warn "Twice." }',
        'rule b "B" { on prompt when limit.n.count > 1 warn "No." }',
    )
    assert found == []
    assert policy.waivers[0].when == tree.Comparison(*_parts(policy.waivers[0].when))


@pytest.mark.parametrize("item", ['verify v "V" { stage s run ["x"] }', 'hook v "V" { on before_tool run ["x"] }'])
def test_what_runs_programs_cannot_be_waived_so_none_is_skipped_unseen(item: str) -> None:
    _, found = checked(f'{item}\nwaive v "Release day" {{ until 2026-12-31 owner "dana" }}')
    assert messages(found) == ["0.policy:3 PE216 unknown rule `v`"]


def _parts(node: tree.Expr | None) -> tuple[object, ...]:
    assert isinstance(node, tree.Comparison)
    return (node.place, BOOL, "==", node.left, node.right)


def test_hooks_run_by_constraint_then_priority_then_id() -> None:
    text = "\n".join(
        f'hook {name} "H" {{ on before_tool(write) run ["x"] {rest} }}'
        for name, rest in (("a", ""), ("b", "priority 5"), ("c", "priority 9 after a"), ("d", "before b"), ("e", ""))
    )
    policy, found = checked(text)
    assert found == []
    assert [hook.id for hook in policy.hooks] == ["a", "c", "d", "b", "e"]
    assert [hook.order for hook in policy.hooks] == [0, 1, 2, 3, 4]


def test_the_order_of_hooks_does_not_depend_on_files() -> None:
    one, two = 'hook a "A" { on prompt run ["x"] after b }', 'hook b "B" { on prompt run ["x"] }'
    assert [h.id for h in checked(one, two)[0].hooks] == [h.id for h in checked(two, one)[0].hooks] == ["b", "a"]


def test_the_fail_direction_follows_the_verdict() -> None:
    text = 'rule a "A" {{ on before_tool {} }}'
    directions = {
        clause: rule_of(text.format(clause)).fail
        for clause in (
            'warn "M"',
            'remind "M"',
            'ask "M"',
            'deny "M"',
            'stop s "M"',
            "timeout 3s",
            'deny "M" fail open',
        )
    }
    assert directions == {
        'warn "M"': "open",
        'remind "M"': "open",
        'ask "M"': "closed",
        'deny "M"': "closed",
        'stop s "M"': "closed",
        "timeout 3s": "open",
        'deny "M" fail open': "open",
    }


def test_patterns_are_parsed_and_defines_put_in_place() -> None:
    rule = rule_of(
        'define source = glob("src/{a,b}/**") except glob("src/a/x/**")\n'
        'define tests = command("pytest -*", "tox", in: "web/**") except command("pytest --co")\n'
        'rule a "A" { on before_completion require command_success(tests) since wrote(source) deny "No." }'
    )
    since = rule.require
    assert isinstance(since, tree.Since)
    assert since.left[0].pattern == tree.CommandPattern(
        (("pytest", "-*"), ("tox",)), (("pytest", "--co"),), tree.GlobPattern(("web/**",))
    )
    assert since.right[0].pattern == tree.GlobPattern(("src/a/**", "src/b/**"), ("src/a/x/**",))
    assert since.right[0].place.text == "wrote(source)"


def test_a_tool_by_kind_and_a_tool_by_name_are_told_apart() -> None:
    rule = rule_of('rule a "A" { on before_completion when called(read) or called("read") deny "No." }')
    assert isinstance(rule.when, tree.Or)
    atoms = [part.atoms[0] for part in rule.when.operands if isinstance(part, tree.Happened)]
    assert [(atom.pattern, atom.value) for atom in atoms] == [("read", "kind"), ("read", "name")]


def test_a_fact_may_have_a_value() -> None:
    rule = rule_of('rule a "A" { on prompt when tool_fact(ok) or tool_fact("n", 3) deny "No." }')
    assert isinstance(rule.when, tree.Or)
    atoms = [part.atoms[0] for part in rule.when.operands if isinstance(part, tree.Happened)]
    assert [(atom.pattern, atom.value) for atom in atoms] == [("ok", ABSENT), ("n", 3)]


def test_workspace_changed_is_changed_and_not_empty() -> None:
    rule = rule_of('rule a "A" { on before_completion when workspace_changed("src/**") deny "No." }')
    assert isinstance(rule.when, tree.Comparison)
    assert isinstance(rule.when.left, tree.Changed)
    assert (rule.when.op, rule.when.left.glob, rule.when.right) == (
        "!=",
        tree.GlobPattern(("src/**",)),
        tree.ListOf(rule.when.place, rule.when.left.type, ()),
    )


def test_a_message_names_the_witnesses_of_when_and_require_only() -> None:
    rule = rule_of(
        'rule a "A" { on before_tool(shell) when any c in commands { any p in c.paths { p inside home } } '
        'deny "{c.text} touches {p} in {cwd}." }'
    )
    assert rule.message is not None
    shown = [part if isinstance(part, str) else part.place.text for part in rule.message.parts]
    assert shown == ["c.text", " touches ", "p", " in ", "cwd", "."]
    _, found = checked('rule a "A" { on before_tool unless any p in paths { p inside home } deny "{p}" }')
    assert [d.message for d in found] == ["unknown name `p`"]


def test_one_name_in_two_quantifiers_prints_the_first_that_is_bound() -> None:
    rule = rule_of(
        'rule a "A" { on before_tool '
        'when any p in paths { p inside home } or any p in paths { p under cwd } deny "{p}" }'
    )
    assert rule.message is not None
    either = rule.message.parts[0]
    assert isinstance(either, tree.Else)
    assert isinstance(either.value, tree.Variable)
    assert isinstance(either.default, tree.Variable)
    assert (either.value.binding, either.default.binding) == (1, 2)


def test_steps_of_a_limit_are_sorted_and_its_strictest_verdict_decides_how_it_fails() -> None:
    policy, found = checked(
        'limit a "A" { on before_tool counts called(shell) within 3 rounds by (tool.name) '
        'at 9 deny "N." at every 2 warn "E." at 3 warn "T." }'
    )
    limit = policy.limits[0]
    assert found == []
    assert [(step.count, step.every) for step in limit.steps] == [(3, False), (9, False), (2, True)]
    assert (limit.fail, limit.rounds, limit.within, limit.measure) == ("closed", 3, 0, "counts")


def test_uses_of_defines_are_counted_by_place() -> None:
    policy, _ = checked(
        'define source = glob("src/**")\ndefine idle = glob("x")\ndefine touched = wrote(source)\n'
        'rule a "A" { on before_completion when touched and wrote(source) deny "{last(wrote(source)).path}" }'
    )
    assert {define.name: define.uses for define in policy.defines} == {"source": 3, "idle": 0, "touched": 1}


@pytest.mark.parametrize(
    ("define", "condition"),
    [
        ('"x"', "tool.name == d and tool.kind == d"), ('"x"', "tool_fact(d) or tool_fact(d)"), ("git.clean", "d or d"),
        ('"x"', "wrote(d) or tool.name matches d"), ("/x/", "tool.name matches d or tool.name matches d"),
        ('command("x")', "ran(d) or command_success(d) since prompted()"), ("prompted()", "d since d"),
        ('glob("x")', "changed(d) == [] or tool.name matches (d except d)"), ("[paths]", "d == d"),
        ('"/a"', 'json_value(d, d) else 1 == 1 or tool.name == d'), ("prompted()", "count(d, since: d) > 1"),
    ],
)  # fmt: skip
def test_every_place_that_names_a_define_is_a_use(define: str, condition: str) -> None:
    policy, _ = checked(f'define d = {define}\nrule a "A" {{ on before_tool when {condition} deny "No." }}')
    assert policy.defines[0].uses == len(re.findall(r"\bd\b", condition))


def test_a_finding_in_a_define_is_shown_where_it_is_used() -> None:
    _, found = checked('define x = tool.name == "y"\nrule a "A" { on prompt when x deny "No." }')
    assert [(d.location, d.related[0].message) for d in found] == [("0.policy:3:29", "in this define")]


def test_what_the_parser_complained_about_is_not_called_missing() -> None:
    from policy_engine.syntax.parser import damaged, parse

    file, syntax = parse(Source("x.policy", 'language 1\nrule a "A" {\n  on prompt\n  deni "No."\n}\n'))
    assert [d.code for d in syntax] == ["PE121"]
    assert check([file], WORDS, damaged(file, syntax))[1] == []


def test_findings_are_sorted_and_limited_per_file() -> None:
    from policy_engine.model.limits import POLICY_DIAGNOSTICS

    text = "\n".join(f'rule a{number} "A" {{ on prompt when nothing deny "No." }}' for number in range(300))
    _, found = checked(text)
    assert len(found) == POLICY_DIAGNOSTICS
    assert [d.span.start for d in found] == sorted(d.span.start for d in found)


def test_a_file_with_far_too_many_mistakes_is_not_read_to_its_end() -> None:
    from policy_engine.model.limits import POLICY_DIAGNOSTICS

    wrong = "\n".join(f'rule a{number} "A" {{ on prompt when nothing deny "No." }}' for number in range(600))
    policy, found = checked(wrong, 'rule b "B" { on prompt when nothing deny "No." }')
    assert [rule.id for rule in policy.rules] == [*(f"a{number}" for number in range(2 * POLICY_DIAGNOSTICS + 1)), "b"]
    assert [one.source.name for one in found] == ["0.policy"] * POLICY_DIAGNOSTICS + ["1.policy"]


def test_the_sample_of_the_language_page_has_no_mistake() -> None:
    sample = re.search(r"```policy\n(language 1.*?)```", SAMPLE, re.DOTALL)
    assert sample is not None
    _, found = checked(sample[1].removeprefix("language 1\n"))
    assert found == []


SAMPLE = (Path(__file__).parent / "sample.md").read_text(encoding="utf-8")


def test_a_define_of_a_file_that_is_not_imported_is_named_with_its_file() -> None:
    given = {
        "a.policy": 'language 1\ndefine big = 3\ndefine docs = glob("docs/**")\n',
        "b.policy": "language 1\nrule r { on prompt when session.turn > big and wrote(docs) deny }\n",
    }
    found = load_given(PolicyFile.given(name, f"/nowhere/{name}", text.encode()) for name, text in given.items())
    assert [error.help for error in found.errors] == [
        "`big` is defined in `a.policy`: import that file", "`docs` is defined in `a.policy`: import that file",
    ]  # fmt: skip
