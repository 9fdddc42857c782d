"""Hookify rules: how a file is read, what is refused, what is listed."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from policy_engine.conversion.document import Refused
from policy_engine.conversion.hookify_file import Condition, read_rule
from policy_engine.conversion.regexes import matches, regex
from policy_engine.migrations.base import migrate
from policy_engine.model.source import Source
from tests.unit.migrations.sources import faults, lacking


def _file(*lines: str, body: str = "Say why.") -> str:
    return "\n".join(["---", "name: x", *lines, "---", "", body, ""])


def test_values_are_what_follows_the_first_colon() -> None:
    rule = read_rule(Source("s", _file("enabled: TRUE", 'pattern: "a: [b]+"  ', "event: bash", "action: block")))
    assert (rule.name, rule.enabled, rule.pattern, rule.event, rule.action) == ("x", True, "a: [b]+", "bash", "block")
    assert rule.message == "Say why."


def test_conditions_stand_on_one_line_or_on_several() -> None:
    lines = (
        "conditions:",
        "  - field: command, operator: contains, pattern: a,b",
        "  - field: content",
        "    pattern: 'c'",
    )
    assert read_rule(Source("s", _file(*lines))).conditions == (
        Condition(4, "command", "contains", "a,b"),
        Condition(5, "content", "regex_match", "c"),
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "s:1: the file does not begin with front matter between two lines of `---`"),
        ("---\nname: x\n", "s:1: the file does not begin with front matter between two lines of `---`"),
        ("---\npattern: x\n---\n", "s:1: the rule has no name"),
        (_file(), "s:1: the rule has neither a pattern nor conditions, and so never speaks"),
        (_file("event: tool", "pattern: x"), "s:3: unknown event `tool`; it is one of bash, file, stop, prompt, all"),
        (_file("action: deny", "pattern: x"), "s:3: unknown action `deny`; it is warn or block"),
        (_file("enabled: yes", "pattern: x"), "s:3: `enabled` is neither true nor false"),
        (_file("nonsense", "pattern: x"), "s:3: `nonsense` is no `key: value`"),
        (_file("conditions:", "- operator: like"), "s:4: a condition needs a field"),
    ],
)
def test_what_is_no_rule_is_refused(text: str, problem: str) -> None:
    with pytest.raises(Refused) as refused:
        migrate("hookify", text, "s")
    assert refused.value.messages[0] == problem


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (("event: bash", "pattern: a(?=b)"), "2: the regex `a(?=b)` is not one of RE2's: look-around is not part"),
        (("event: bash", r"pattern: (a)\1"), r"2: the regex `(a)\1` is not one of RE2's: back-references are not part"),
        (("event: bash", "pattern: a", "tool_matcher: Bash"), "2: `tool_matcher` chooses tools by name"),
        (("event: stop", "conditions:", "- field: transcript", "  pattern: x"), "2: a policy does not read the"),
        (("event: bash", "conditions:", "- field: file_path", "  pattern: x"), "2: the event `bash` has no field"),
        (("event: bash", "pattern: a", "color: red"), "5: the key `color` is not known"),
    ],
)
def test_what_cannot_be_said_is_listed(lines: tuple[str, ...], problem: str) -> None:
    assert [found.startswith(problem) for found in lacking("hookify", _file(*lines))] == [True]


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        ("a/b", r"/a\/b/"),
        (r"a\/b", r"/a\/b/"),
        ("a$", r"/a(?:\n?$)/"),
        ("[$]", "/[$]/"),
        (r"\$", r"/\$/"),
        ("(?m)a$", "/(?m)a$/"),
        (r"a\Z", r"/a\z/"),
        ("a{,3}", "/a{0,3}/"),
        ("", "/(?:)/"),
        ("a\tb", r"/a\x{9}b/"),
        ("e\u0301", r"/e\x{301}/"),
    ],
)
def test_a_regex_is_written_for_re2(pattern: str, literal: str) -> None:
    assert regex(pattern) == literal


def test_the_end_may_be_followed_by_a_line_end_as_in_python() -> None:
    assert (matches("a$", "a\n"), matches("a$", "a\nb"), matches("a$", "a")) == (True, False, True)


_PATTERNS = ("a+", "(x|y)z$", "[", "a/b", r"\bfoo\b", "a(?!b)", ".*", "{", "rm -rf", "é", "\u202e", r"\s+", "^src/")


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(("bash", "file", "stop", "prompt", "all")),
    st.one_of(st.sampled_from(_PATTERNS), st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=8)),
    st.sampled_from(("", "command", "file_path", "new_text", "old_text", "user_prompt", "transcript")),
    st.sampled_from(("regex_match", "contains", "equals", "not_contains", "starts_with", "ends_with")),
)
def test_whatever_a_rule_says_the_policy_is_good(event: str, pattern: str, field: str, operator: str) -> None:
    condition = ("conditions:", f"  - field: {field}", f"    operator: {operator}", f"    pattern: {pattern}")
    text = _file(f"event: {event}", *(condition if field else (f"pattern: {pattern}",)), body=pattern)
    try:
        made = migrate("hookify", text, "s")
    except Refused:
        return
    assert faults(made) == []
