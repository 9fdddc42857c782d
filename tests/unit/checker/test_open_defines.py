"""Open defines and defines with arguments, over files: who adds, who sees it, and what they stand for."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from policy_engine.checker.checker import check
from policy_engine.checker.tree import CheckedRule
from policy_engine.loading.loader import load_given
from policy_engine.loading.sources import PolicyFile
from policy_engine.model.source import Source
from policy_engine.runtime.engine import Engine
from policy_engine.runtime.session import MemorySessions
from policy_engine.syntax.parser import parse
from tests.unit.checker.build import WORDS

RULE = 'rule r "R" { on before_tool(shell) when any c in commands { not (c matches safe) } deny "No." }\n'
FILES = {
    "a": 'define safe += command("jq ...")\n' + RULE,
    "b": 'define safe += command("yq ...", "jq ...")\n',
    "c": 'import "d.policy"\ndefine safe += tools\n',
    "d": 'define tools = command("xq ...")\n',
}


def _allowed(files: dict[str, str], line: str) -> bool:
    given = [PolicyFile.given(f"{n}.policy", f"/p/{n}.policy", f"language 1\n{t}".encode()) for n, t in files.items()]
    loaded = load_given(given)
    program = loaded.require_program()
    tool: dict[str, Any] = {"name": "Bash", "kind": "shell", "args": {"command": line}}
    engine = Engine(lambda: (program, ()), MemorySessions(), "/home/user", lambda: 1)
    return engine.decide({"hook": "before_tool", "session": "s", "tool": tool}).verdict == "allow"


def test_files_that_do_not_know_each_other_add_up_in_any_order() -> None:
    for order in permutations(FILES):
        files = {name: FILES[name] for name in order}
        assert [_allowed(files, line) for line in ("jq x", "yq x", "xq x", "ls")] == [True, True, True, False]
    assert not _allowed({"a": FILES["a"]}, "yq x")


def test_what_is_not_known_is_not_among_them() -> None:
    assert not _allowed(FILES, "$TOOL x") and not _allowed(FILES, "jq x | sh")


def test_the_order_of_files_changes_nothing_in_what_is_checked() -> None:
    trees = [parse(Source(f"{name}.policy", f"language 1\n{text}"))[0] for name, text in FILES.items()]
    found: list[tuple[CheckedRule, ...]] = [check(list(each), WORDS)[0].rules for each in permutations(trees)]
    assert all(rules == found[0] for rules in found)


def test_a_define_with_arguments_means_what_its_text_with_them_means() -> None:
    short = "define forced(c: Command, names: List of String) = any n in names { c.args contains n }\n"
    rule = 'rule r "R" {{ on before_tool(shell) when any c in commands {{ {0} }} deny "No." }}\n'
    long = rule.format('any n in ["-f", "--force"] { c.args contains n }')
    called = short + rule.format('forced(c, ["-f", "--force"])')
    for line in ("git push -f", "git push", "git push $X", "$X", "ls --force", "echo '-f'"):
        assert _allowed({"a": called}, line) == _allowed({"a": long}, line), line
