"""Acceptance checks: how a list is read and normalised, what is refused, what is listed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from policy_engine.conversion.document import Refused
from policy_engine.migrations.base import migrate
from policy_engine.model.source import Source
from policy_engine_compat.migrations.accept_checks import Check, checks
from tests.unit.migrations.sources import faults, lacking


def _read(*items: Any) -> list[Check]:
    return checks(Source("s", json.dumps(list(items))))


def _kinds(*texts: str) -> list[str]:
    return [check.kind for check in _read(*texts)]


def test_texts_are_trimmed_and_the_kind_is_folded() -> None:
    (check,) = _read({"kind": " Command ", "target": " go vet ", "match": " Exact "})
    assert (check.kind, check.target, check.match, check.required) == ("command_success", "go vet", "exact", True)


def test_what_asks_for_nothing_is_dropped_and_an_empty_list_asks_for_an_answer() -> None:
    assert [check.kind for check in _read({"id": "x", "params": {"a": "b"}}, {"kind": "tool_fact"})] == ["tool_fact"]
    assert [check.kind for check in _read()] == ["output_only"]


def test_twins_are_one_check_whatever_their_ids() -> None:
    same = {"kind": "tool_fact", "params": {"tool": "bash", "scope": "a"}}
    turned = {"id": "other", "kind": "tool_fact", "params": {"scope": "a", "tool": "bash"}, "required": True}
    others = [{**same, "params": {"tool": "bash"}}, {**same, "required": False}, {**same, "target": "a"}]
    assert len(_read(same, turned, *others)) == 4


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("go test ./...", "command_success"),
        ("GO\tbuild", "output_only"),
        ("go\tbuild", "command_success"),
        ("make sure the README is updated", "output_only"),
        ("please run the build now", "command_success"),
        ("eslint", "command_success"),
        ("gofmt -l .", "output_only"),
        ("docs/a.md", "file_exists"),
        ("docs\\a.md", "file_exists"),
        ("README.md", "file_exists"),
        (".env", "output_only"),
        (".env.local", "file_exists"),
        ("v1.2", "output_only"),
        ("Answer is correct.", "output_only"),
    ],
)
def test_an_old_text_says_by_its_looks_what_it_is(text: str, kind: str) -> None:
    if text.startswith("GO"):
        kind = "command_success"  # letters are folded first
    assert _kinds(text) == [kind]


def test_old_texts_lose_blanks_and_repeats() -> None:
    assert [check.target for check in _read(" go vet ./... ", "", "go vet ./...")] == ["go vet ./..."]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('["a",\n {"kind": "output_only"}]', "s:2: a list holds objects or strings, not both"),
        ('[{"kind": "x",\n "params": {"a":\n 5}}]', "s:3: the parameter `a` is no text"),
        ('[{"kind": "x", "params": []}]', "s:1: `params` is no object"),
        ('[{"kind": 5}]', "s:1: `kind` is no text"),
        ('[{"kind": "x", "required": "no"}]', "s:1: `required` is neither true nor false"),
        ("[5]", "s:1: a check is an object"),
        ('{"kind": "x"}', "s:1: the checks are a list of objects, or of strings"),
        ('[{"kind": "x", "kind": "y"}]', "s:1: the key stands twice: `kind`"),
        ('[{"kind": "x"},]', "s:1: this is no JSON: `,` or `]` is expected"),
        ('[{"kind" "x"}]', "s:1: this is no JSON: `:` is missing"),
        ("[NaN]", "s:1: this is no JSON: `nan` is no number"),
        ("[]\n[]", "s:2: something follows the first JSON value"),
        ("", "s:1: this is no JSON: expecting value"),
        ("[" * 100, "s:1: nested deeper than EVENT_DEPTH (64)"),
    ],
)
def test_what_its_own_system_could_not_read_is_refused_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(Refused) as refused:
        migrate("accept-checks", text, "s")
    assert str(refused.value) == problem


@pytest.mark.parametrize(
    ("check", "problem"),
    [
        ({"kind": "command_success", "target": "go test | tee x"}, "1: `|` means something to a shell"),
        ({"kind": "command_success", "target": "cd /x && go test"}, "1: the folder of `cd /x && go test` is not known"),
        ({"kind": "command_success", "target": "cd x"}, "1: `cd x` runs no command"),
        ({"kind": "command_success", "target": "a\nb"}, "1: it has several lines"),
        ({"kind": "command_success", "target": "ls '*'"}, "1: the word `*` would mean more than itself"),
        ({"kind": "command_success", "target": "~/x"}, "1: `~` is expanded by a shell"),
        ({"kind": "command_success", "target": "-x"}, "1: a command pattern starts with a program"),
        ({"kind": "command_success", "target": "ls", "match": "glob"}, "1: the match `glob` is not known"),
        ({"kind": "file_exists", "target": "/etc/x"}, "1: the file is not in the workspace"),
        ({"kind": "file_exists", "target": "a\u202eb"}, "1: a policy may not hold its characters"),
        ({"kind": "x"}, "1: unknown required accept check kind"),
        ({"target": "x"}, "1: it has no kind"),
        ({"kind": "output_only", "color": 1}, "1: the key `color` is not known"),
    ],
)
def test_what_cannot_be_said_is_listed(check: dict[str, Any], problem: str) -> None:
    assert [found.startswith(problem) for found in lacking("accept-checks", json.dumps([check]))] == [True]


_texts = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ("go test", "cd a && b", "a'b", 'a"b', "x{y}", "\\", "a\u202eb", "e\u0301", "README.md", "*", "...")
    ),
)
_checks = st.fixed_dictionaries(
    {"kind": st.sampled_from(("output_only", "command", "file_exists", "content_contains", "tool_fact", "x"))},
    optional={
        "id": _texts,
        "target": _texts,
        "match": st.sampled_from(("exact", "prefix", "odd")),
        "required": st.booleans(),
        "params": st.dictionaries(st.sampled_from(("contains", "tool", "scope")), _texts, max_size=3),
    },
)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(st.lists(_checks, max_size=3), st.lists(_texts, max_size=3)))
def test_whatever_is_declared_the_policy_is_good(items: list[Any]) -> None:
    assert faults(migrate("accept-checks", json.dumps(items), "s")) == []
