"""Where a rule listens says which fields it may read: always, sometimes or never."""

from __future__ import annotations

import pytest

from policy_engine.checker.reach import ALWAYS, NEVER, SOMETIMES, Reach
from policy_engine.checker.tree import Listen
from tests.unit.checker.build import WORDS

SHELL, FILES = Listen("before_tool", ("shell",), ()), Listen("before_tool", ("write", "read"), ())
ANY, NAMED = Listen("before_tool", (), ()), Listen("before_tool", (), ("Bash",))
BOTH, MIXED = Listen("before_tool", ("shell", "read"), ()), Listen("after_tool", ("shell",), ("Bash",))
PROMPT, DONE = Listen("prompt", (), ()), Listen("before_completion", (), ())


@pytest.mark.parametrize(
    ("listens", "fields"),
    [
        ((SHELL,), {"commands": ALWAYS, "content": ALWAYS, "tool.name": ALWAYS, "prompt": NEVER, "git.clean": ALWAYS}),
        ((FILES,), {"commands": NEVER, "content": SOMETIMES, "tool.name": ALWAYS, "result.ok": NEVER}),
        ((ANY,), {"commands": SOMETIMES, "content": SOMETIMES, "tool.name": ALWAYS}),
        ((NAMED,), {"commands": SOMETIMES, "tool.name": ALWAYS}), ((BOTH,), {"commands": SOMETIMES}),
        ((MIXED,), {"commands": SOMETIMES, "result.ok": ALWAYS, "tool.name": ALWAYS}),
        ((SHELL, FILES), {"commands": SOMETIMES, "tool.name": ALWAYS, "prompt": NEVER}),
        ((SHELL, PROMPT), {"commands": SOMETIMES, "tool.name": SOMETIMES, "prompt": SOMETIMES, "answer": NEVER}),
        ((PROMPT, DONE), {"commands": NEVER, "prompt": SOMETIMES, "answer": SOMETIMES, "git.clean": ALWAYS}),
        ((), {"commands": ALWAYS, "prompt": ALWAYS}),
    ],
)  # fmt: skip
def test_a_field_is_there_always_sometimes_or_never(listens: tuple[Listen, ...], fields: dict[str, int]) -> None:
    reach = Reach(WORDS, listens)
    for _ in range(2):  # asked twice, since the answer is remembered
        assert {name: reach.has(WORDS.fields[name]) for name in fields} == fields
    known = reach.fields()
    assert known == [name for name in WORDS.fields if name in known]
    assert {name for name in fields if name in known} == {name for name, there in fields.items() if there != NEVER}


def test_the_points_that_lack_a_field_are_named_in_the_order_of_the_rule() -> None:
    reach = Reach(WORDS, (DONE, SHELL, PROMPT, FILES, DONE))
    assert reach.points == ("before_completion", "before_tool", "prompt")
    lacking = {name: reach.lacking(WORDS.fields[name]) for name in ("tool.name", "commands", "prompt", "cwd")}
    assert lacking == {
        "tool.name": ["before_completion", "prompt"], "commands": ["before_completion", "prompt"],
        "prompt": ["before_completion", "before_tool"], "cwd": [],
    }  # fmt: skip
