"""A checked policy becomes the same Program whatever the order and names of its parts."""

from __future__ import annotations

from hashlib import sha256

import pytest

from policy_engine.compiler.compiler import Compilation, source_digest
from policy_engine.evaluators.base import Program
from policy_engine.filesystem.file_system import Virtual
from policy_engine.loading.loader import load_text
from policy_engine.runtime.engine import Engine
from policy_engine.runtime.session import MemorySessions
from policy_engine.state.sealed import FORMAT
from tests.unit.compiler.asking import event


def program(*items: str) -> Program:
    return load_text("language 1\n" + "\n".join(items)).require_program()


RULE = 'rule {0} {{ on before_tool when tool.name == "{0}" deny }}'


def test_hooks_stand_in_their_order() -> None:
    made = program('hook y { on before_tool run ["x"] before x }', 'hook x { on before_tool run ["x"] }')
    bucket = made.bucket("before_tool", "shell")
    assert bucket is not None
    assert [made.rule(number).id for number in bucket.hooks] == ["y", "x"]


def test_the_order_of_items_changes_no_generated_code() -> None:
    items = [RULE.format(name) for name in "abc"]
    codes = []
    for made in (program(*items), program(*items[::-1])):
        codes.append({made.rule(number).id: made.spec(number)[-1] for number in range(made.rules)})
    assert codes[0] == codes[1]


def test_places_with_the_same_rules_share_one_bucket() -> None:
    made = program(RULE.format("a"), "rule s { on before_tool(shell) warn }")
    assert made.bucket("before_tool", "read") is made.bucket("before_tool", "write")
    assert made.bucket("before_tool", "shell") is not made.bucket("before_tool", "write")


def test_a_policy_is_stateful_only_if_something_reads_the_past() -> None:
    assert program(RULE.format("a")).stateful is False
    fields = ["goal.text", "goal.commands", "goal.digest", "plan.status", "plan.open_steps", "plan.created", "todos",
              "open_todos", "diff.files", "diff.lines",
              "session.turn", "session.steps", "session.rounds", "session.age",
              "session.resumed"]  # fmt: skip
    for field in fields:
        asked = program(f'rule p {{ on before_tool(shell) warn "{{{field}}}" }}', RULE.format("a"))
        there, elsewhere = (asked.bucket("before_tool", kind) for kind in ("shell", "write"))
        assert there is not None and elsewhere is not None
        assert (asked.stateful, there.uses_session, elsewhere.uses_session) == (True, True, False), field
    for field in ("git.branch", "prompt", "cwd", "time.now", "agent.kind", "host.name", "workspace"):
        assert program(f'rule p {{ on prompt warn "{{{field}}}" }}').stateful is False, field
    for item in ("limit l { on after_tool repeats (tool.name) at 2 warn }", "mode m { enter when git.clean }",
                 "rule p { on prompt when session.turn > 1 warn }", "rule q { on prompt when prompted() warn }",
                 "rule t { on prompt when open_todos != [] warn }"):  # fmt: skip
        assert program(RULE.format("a"), item).stateful is True


def test_the_digest_tells_names_and_bytes_apart_and_knows_no_order() -> None:
    one = source_digest([("a", b"x"), ("b", b"y")])
    assert source_digest([("b", b"y"), ("a", b"x")]) == one
    assert len({one, source_digest([("a", b"xb"), ("", b"y")]), source_digest([("a", b"y"), ("b", b"x")])}) == 3


def test_the_digest_is_that_of_every_name_and_content_in_the_order_of_the_names() -> None:
    one, two = sha256(b"x").digest(), sha256(b"y").digest()
    lines = one.hex().encode() + b" a\0" + two.hex().encode() + b" b\xff"
    expected = sha256(b"%d\n%s" % (FORMAT, lines)).hexdigest()
    assert source_digest([("b\udcff", two), ("a", one)]) == f"sha256:{expected}"
    assert source_digest([]) == f"sha256:{sha256(b'%d' % FORMAT + bytes([10])).hexdigest()}"


@pytest.mark.parametrize(("own", "expected"), [("", []), ("rule r { on before_tool warn }", ["builtin/r"])])
def test_a_waiver_means_the_rule_of_its_own_layer_if_there_is_one(own: str, expected: list[str]) -> None:
    waiver = 'waive r "known" { until 9999-12-31 owner "someone" }'
    texts = {"builtin": "rule r { on before_tool deny }", "organisation": own + waiver, "repository": ""}
    loaded = {layer: load_text(f"language 1\n{text}") for layer, text in texts.items()}
    program = Compilation().program(tuple((layer, found.policy) for layer, found in loaded.items()), "d")
    made = Engine(lambda: (program, ()), MemorySessions(), "/home/user", lambda: 0, filesystem=lambda _: Virtual())
    assert [one.rule for one in made.decide(event()).rules] == expected
