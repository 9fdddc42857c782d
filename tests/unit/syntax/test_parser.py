"""Text becomes the tree that the language page describes, with the right places."""

from __future__ import annotations

import pytest

from policy_engine.model.source import Source, Span
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse
from policy_engine.syntax.print_expressions import format_expression
from tests.unit.syntax.reading import expression, read, rule, text_of


@pytest.mark.parametrize("name", ["sample.policy", "forms.policy"])
def test_every_form_of_the_language_is_read_without_complaint(name: str) -> None:
    file, found = read(text_of(name))
    assert found == []
    assert file.language == 1


def test_items_keep_their_order_and_kind() -> None:
    file, _ = read(text_of("sample.policy"))
    kinds = [type(item).__name__ for item in file.items]
    assert kinds == ["Define"] * 3 + ["Rule"] * 4 + ["Limit", "Hook", "Hook", "Verify"]


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a or b and c", "a or (b and c)"),
        ("not a and b", "not a and b"),
        ("not a == b", "not (a == b)"),
        ("a else b == c else d", "a else b == c else d"),
        ("has a and b", "has a and b"),
        ("a except b else c", "a except b else c"),
        ("a else b except c", "a else b except c"),
        ("(a or b) since c", "(a or b) since c"),
        ("(((a)))", "a"),
        ("a not in b", "a not in b"),
        ("not a in b", "not (a in b)"),
        ("count x in xs { a } > 3", "count x in xs { a } > 3"),
        ("any x in xs where p { a or b }", "any x in xs where p { a or b }"),
        ('a.b.c(d)["e"].f', 'a.b.c(d)["e"].f'),
    ],
)
def test_operators_bind_as_specified(text: str, grouped: str) -> None:
    assert format_expression(expression(text)) == grouped


def test_chains_of_and_and_or_are_one_node() -> None:
    node = expression("a and b and c and d")
    assert isinstance(node, ast.And)
    assert len(node.operands) == 4


def test_else_binds_tighter_than_comparison() -> None:
    node = expression("a else 1 == b")
    assert isinstance(node, ast.Compare)
    assert isinstance(node.left, ast.Else)


def test_literals_have_their_values() -> None:
    node = expression('[10m, 500ms, 3 rounds, -7, true, /a\\/b/i, "\\"\\n\\t\\\\"]')
    assert isinstance(node, ast.ListLiteral)
    assert [getattr(item, "value", getattr(item, "pattern", None)) for item in node.items] == [
        600_000, 500, 3, -7, True, "a/b", '"\n\t\\',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value", "interpolated", "escaped"),
    [
        ('"a {b}"', "a {b}", True, ()),
        ('"a \\{b\\}"', "a {b}", False, (2, 4)),
        ('"\\{a\\} {b}"', "{a} {b}", True, (0, 2)),
        ('"plain"', "plain", False, ()),
    ],
)
def test_braces_in_strings_are_told_apart(text: str, value: str, interpolated: bool, escaped: tuple[int, ...]) -> None:
    node = expression(text)
    assert node == ast.StringLiteral(node.span, value, interpolated, escaped)


@pytest.mark.parametrize(
    "word", ["read", "prompt", "content", "exit", "run", "stage", "before", "todo", "open", "by-x"]
)
def test_words_of_clauses_and_steps_are_names_elsewhere(word: str) -> None:
    node = expression(f"{word}(x) and {word}.y and {word} == 1")
    assert format_expression(node) == f"{word}(x) and {word}.y and {word} == 1"


@pytest.mark.parametrize(
    "text", ["a.timeout", "a.in.not", "mode.x", "limit.x.count", "f(in: x)", "verified(test)", "count(a)"]
)
def test_reserved_words_may_follow_a_dot_or_label_an_argument(text: str) -> None:
    assert format_expression(expression(text)) == text


@pytest.mark.parametrize("head", ["rule test", "hook stop", "limit on", "mode when", "verify test", "waive deny"])
def test_reserved_words_name_items(head: str) -> None:
    file, found = read(f"language 1\n{head} {{\n}}\n")
    item = file.items[0]
    assert found == []
    assert getattr(item, "name", getattr(item, "rule", "")) == head.split()[1]


def test_spans_point_at_the_text_of_each_node() -> None:
    text = 'language 1\nrule r "R" {\n  when any c in commands { c.program == "rm" }\n  deny "x"\n}\n'
    source = Source("p", text)
    file, _ = parse(source)
    found = file.items[0]
    assert isinstance(found, ast.Rule)
    quantified = found.when[0]
    assert isinstance(quantified, ast.Quantified)
    comparison = quantified.body
    assert isinstance(comparison, ast.Compare)
    assert isinstance(comparison.left, ast.Member)
    excerpts = [
        source.excerpt(span)
        for span in (
            found.name_span, quantified.span, quantified.variable_span, quantified.source.span, comparison.span,
            comparison.op_span, comparison.left.name_span, found.verdicts[0].span, found.clauses[0].span,
        )
    ]  # fmt: skip
    assert excerpts == [
        "r", 'any c in commands { c.program == "rm" }', "c", "commands", 'c.program == "rm"', "==", "program",
        'deny "x"', 'when any c in commands { c.program == "rm" }',
    ]  # fmt: skip
    assert source.excerpt(found.span) == text[11:-1]


def test_second_clauses_are_kept_for_the_checker() -> None:
    found = rule("when a\nwhen b\ndeny\nwarn\nfail open\nfail closed\non prompt\non after_tool")
    assert [len(part) for part in (found.when, found.verdicts, found.fail, found.points)] == [2, 2, 2, 2]
    assert [clause.word for clause in found.clauses] == [
        "when", "when", "verdict", "verdict", "fail", "fail", "on", "on",
    ]  # fmt: skip


def test_timeouts_are_milliseconds() -> None:
    found = rule("timeout 60s\ntimeout 300s..3600s\ntimeout 60s backoff to 160s by (tool.name)")
    assert [(each.at_least, each.at_most, each.backoff_to, len(each.key)) for each in found.timeouts] == [
        (60_000, 0, 0, 0), (300_000, 3_600_000, 0, 0), (60_000, 0, 160_000, 1),
    ]  # fmt: skip


def test_steps_carry_their_arguments() -> None:
    file, _ = read(text_of("forms.policy"))
    steps = [step for item in file.items if isinstance(item, ast.Rule) for test in item.tests for step in test.steps]
    labels = {step.kind: [label for label, _ in step.arguments] for step in reversed(steps)}
    assert labels == {
        "prompt": [""], "call": ["tool", "path", "Content-Type", "n", "flag"], "shell": [""], "run": ["", "exit"],
        "called": ["tool", "ok", "output", "args"],
        "write": ["", "content"], "edit": [""], "read": [""], "delete": [""], "file": ["", "content"],
        "todo": ["", "status", "required"], "fact": ["", "value"], "answer": [""], "finish": [], "wait": [""],
        "undecided": [""], "given": ["", "value"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ["1:1 PE143 the file does not say which language it is written in"]),
        ("# nothing\n", ["1:1 PE143 the file does not say which language it is written in"]),
        ("language 1", []),
        ("language 2\n", ["1:10 PE144 the file needs language 2"]),
        ("define a = 1\nlanguage 1\n", ["2:1 PE145 `language` stands once, before everything else"]),
        ("language 1\nlanguage 1\n", ["2:1 PE145 `language` stands once, before everything else"]),
    ],
)
def test_the_language_line_comes_first(text: str, found: list[str]) -> None:
    assert read(text)[1] == found


def test_a_missing_language_line_is_a_warning_and_the_file_is_read() -> None:
    file, found = parse(Source("p", "define a = 1\n"))
    assert [d.severity for d in found] == ["warning"]
    assert len(file.items) == 1


def test_keywords_need_word_boundaries() -> None:
    assert [each.split()[1] for each in read("language 1\nrule r {\n  severitycritical\n  deny\n}\n")[1]] == ["PE120"]
    assert format_expression(expression("notin")) == "notin"


def test_comments_are_kept_with_their_places() -> None:
    file, _ = read("# one\nlanguage 1 # two\n  # three  \n")
    assert [(c.text, c.own_line, c.span) for c in file.comments] == [
        ("# one", True, Span(0, 5)), ("# two", False, Span(17, 22)), ("# three", True, Span(25, 34)),
    ]  # fmt: skip
