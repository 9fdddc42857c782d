"""Trees that tools make: what the parser lets no text say gets its complaint from the checker."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from policy_engine.checker.checker import check
from policy_engine.model.source import Source
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse
from tests.unit.checker.build import WORDS, messages

TEXT = """language 1
define thing = diff.files
rule a "A" { on prompt when any p in todos { p.required } stop tired "No." test { prompt "x" => warn by a wait 3m } }
waive a "Known" { until 2026-12-31 owner "dana" }
"""


def changed(node: Any, old: object, new: object) -> Any:
    """The tree with one value in the place of another, wherever it stands."""
    if type(node) is type(old) and node == old:
        return new
    if type(node) is tuple:
        return tuple(changed(part, old, new) for part in node)
    if not is_dataclass(node) or isinstance(node, Source):
        return node
    return replace(node, **{part.name: changed(getattr(node, part.name), old, new) for part in fields(node)})  # type: ignore[type-var]


@pytest.mark.parametrize(
    ("old", "new", "complaints"),
    [
        ("stop", "halt", ["3 PE245 `halt` takes no reason", "3 PE263 unknown verdict `halt`"]),
        ("stop", "deny", ["3 PE245 `deny` takes no reason"]),
        ("warn", "wran", ["3 PE263 unknown verdict `wran`"]),
        ("wait", "sleep", ["3 PE262 unknown step `sleep`"]),
        ("p", "limit", ["3 PE213 `limit` is a word of the language"]),
        ("thing", "rule", ["2 PE213 `rule` is a word of the language"]),
        ("2026-12-31", "2026-12-32", ["4 PE259 the waiver has no end that the calendar has"]),
        ("2026-12-31", "soon", ["4 PE259 the waiver has no end that the calendar has"]),
        (180_000, -1, ["3 PE262 a wait is longer than nothing"]),
    ],
)
def test_what_no_text_can_say_is_complained_about(old: object, new: object, complaints: list[str]) -> None:
    file, syntax = parse(Source("x.policy", TEXT))
    assert syntax == [] and check([file], WORDS)[1] == []
    made: ast.File = changed(file, old, new)
    assert sorted(messages(check([made], WORDS)[1])) == [f"x.policy:{one}" for one in complaints]


@pytest.mark.parametrize(
    ("old", "new", "advice"),
    [
        ("stop", "halt", ["only `stop` does", "did you mean `stop`?"]),
        ("warn", "wran", ["did you mean `warn`?"]),
        ("wait", "sleep", [
            "it is one of `prompt`, `call`, `shell`, `run`, `write`, `edit`, `read`, `delete`, `file`, `todo`, `fact`, "
            "`answer`, `finish`, `wait`, `undecided` or `given`",
        ]),
        ("2026-12-31", "2026-12-32", ["write `until YYYY-MM-DD`"]),
    ],
)  # fmt: skip
def test_the_complaint_says_what_could_be_meant(old: object, new: object, advice: list[str]) -> None:
    file, _ = parse(Source("x.policy", TEXT))
    assert [one.help for one in check([changed(file, old, new)], WORDS)[1]] == advice
