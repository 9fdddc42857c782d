"""A check with a memory: what did not change is not checked again, and all that depends on a change is."""

from __future__ import annotations

from policy_engine.checker.checker import check
from policy_engine.checker.memory import Memory
from policy_engine.model.source import Source
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse
from tests.unit.checker.build import WORDS, messages


def read(name: str, text: str) -> ast.File:
    file, found = parse(Source(f"{name}.policy", f"language 1\n{text}\n"))
    assert found == []
    return file


class Checks:
    """One check after the other; says which rules were checked anew."""

    def __init__(self) -> None:
        self.memory = Memory()
        self.before: set[int] = set()
        self.kept: list[object] = []

    def new(self, *files: ast.File) -> list[str]:
        policy, found = check(files, WORDS, memory=self.memory)
        assert found == []
        self.kept.append(policy)  # so that no other object takes the place of one of its rules
        anew = [rule.id for rule in policy.rules if id(rule) not in self.before]
        self.before = {id(rule) for rule in policy.rules}
        return anew


RULE = 'rule {0} "R" {{ on before_tool when {1} deny "No." }}'
A, B = read("a", RULE.format("a", "git.clean")), read("b", RULE.format("b", "git.clean"))


def test_only_a_file_that_changed_is_checked_again() -> None:
    checks = Checks()
    assert checks.new(A, B) == ["a", "b"]
    assert checks.new(A, B) == []
    assert checks.new(B, A) == []
    other = read("b", RULE.format("b", "not git.clean"))
    assert checks.new(A, other) == ["b"]
    assert checks.new(A, B) == ["b"]


def test_a_file_is_checked_again_when_one_that_it_imports_changed_came_or_went() -> None:
    checks = Checks()
    user = read("user", 'import "words.policy"\nimport "more.policy"\n' + RULE.format("u", "w"))
    words, more = read("words", "define w = git.clean"), read("more", "define w2 = git.clean")
    elsewhere = read("more", "define w = git.clean")
    assert checks.new(user, words, A) == ["u", "a"]
    assert checks.new(user, words, A) == []
    assert checks.new(user, read("words", "define w = not git.clean"), A) == ["u"]
    assert checks.new(user, words, A) == ["u"]
    assert checks.new(user, words, more, A) == [], "it names nothing of that file"
    assert checks.new(user, elsewhere, A) == ["u"]
    assert checks.new(user, words, A) == ["u"]


def test_a_file_is_checked_again_when_another_adds_to_what_it_names() -> None:
    checks = Checks()
    user = read("user", "define busy += [3]\n" + RULE.format("u", "git.ahead in busy"))
    assert checks.new(user, A) == ["u", "a"]
    assert checks.new(user, A, read("more", "define busy += [4]")) == ["u"]
    assert checks.new(user, A, read("more", "define busy += [5]")) == ["u"]
    assert checks.new(user, A) == ["u"]


def test_a_file_is_checked_again_when_the_set_declares_other_names_that_it_has() -> None:
    naming = read("a", "# n\n" + RULE.format("a", "git.clean"))
    kinds = [
        RULE.format("n", "git.clean"), 'limit n "N" { on after_tool counts called(shell) at 3 warn "No." }',
        'mode n "N" { enter when git.clean }', 'hook n "N" { on before_tool run ["x"] }',
        'verify n "N" { stage s run ["x"] }', 'verify n "N" { stage t run ["x"] }',
    ]  # fmt: skip
    for kind in kinds:
        checks = Checks()
        assert checks.new(naming, B) == ["a", "b"]
        assert {"a", "n"} >= set(checks.new(naming, B, read("n", kind))) >= {"a"}, kind
        assert checks.new(naming, B, read("n", f"# again\n{kind}")) in ([], ["n"]), kind
        assert checks.new(naming, B) == ["a"], kind


def test_what_a_file_declares_is_kept_with_it() -> None:
    text = """rule r "R" { on before_tool warn "No." }
    limit l "L" { on after_tool counts called(shell) at 3 warn "No." }
    mode m "M" { enter when git.clean }
    hook h "H" { on before_tool run ["x"] }
    verify v "V" { stage s run ["x"] }
    waive r "known" { until 2026-12-31 owner "dana" }
    define d = git.clean
    test "t" { finish }
    """
    memory, file = Memory(), read("all", text)
    first, second = (check((file, A), WORDS, memory=memory)[0] for _ in range(2))
    assert first == second
    for name in ("rules", "limits", "modes", "hooks", "verifies", "tests"):
        assert len(getattr(second, name)) == (2 if name == "rules" else 1), name
        if name != "hooks":  # they are numbered anew
            assert all(map(lambda one, two: one is two, getattr(first, name), getattr(second, name))), name


def test_a_file_with_a_mistake_is_complained_about_every_time() -> None:
    memory, wrong = Memory(), read("wrong", RULE.format("w", "nothing"))
    for _ in range(3):
        _, found = check((A, wrong), WORDS, memory=memory)
        assert messages(found) == ["wrong.policy:2 PE201 unknown name `nothing`"]


def test_one_file_twice_is_one_file_and_its_memory_is_of_the_last_check() -> None:
    checks = Checks()
    quiet = read("quiet", "define d = git.clean")
    assert checks.new(A, quiet) == ["a"]
    assert checks.new(A) == []
    assert [len(part) for part in (checks.memory._outcomes, checks.memory._items)] == [1, 1]


def test_a_file_is_checked_again_when_what_it_sees_through_another_changed() -> None:
    checks = Checks()
    user = read("user", 'import "middle.policy"\n' + RULE.format("u", "m"))
    middle = read("middle", 'import "words.policy"\ndefine m = not w')
    assert checks.new(user, middle, read("words", "define w = git.clean")) == ["u"]
    assert checks.new(user, middle, read("words", "define w = git.ahead > 1")) == ["u"]


def test_a_file_is_checked_again_when_its_parameters_are_set_otherwise() -> None:
    checks = Checks()
    pack = read("pack", "param most = 3\n" + RULE.format("p", "git.ahead > most"))
    user = read("user", 'import "pack.policy"\n' + RULE.format("u", "git.clean"))
    assert checks.new(pack, user) == ["p", "u"]
    sets = [read("sets", f'import "pack.policy" with {{ most = {most} }}') for most in ("4", "n")]
    assert checks.new(pack, user, sets[0]) == ["p"]
    assert checks.new(pack, user, sets[0]) == []
    named = read("sets", 'define n = 4\nimport "pack.policy" with { most = n }')
    assert checks.new(pack, user, named) == ["p"]
    assert checks.new(pack, user) == ["p"]


def test_the_uses_of_a_define_are_kept_with_what_uses_it() -> None:
    memory = Memory()
    user, words = read("user", 'import "words.policy"\n' + RULE.format("u", "w")), read("words", "define w = git.clean")
    for other in (A, read("a", RULE.format("a", "not git.clean"))):
        policy, _ = check((user, words, other), WORDS, memory=memory)
        assert [define.uses for define in policy.defines] == [1]


def test_a_count_of_another_key_is_complained_about_every_time() -> None:
    limit = 'limit l "L" { on after_tool counts called(shell) by (tool.name) at 3 warn "No." }'
    wrong = read("wrong", f"{limit}\n" + RULE.format("w", "limit.l.count(3) > 1"))
    memory = Memory()
    found = [messages(check((A, wrong), WORDS, memory=memory)[1]) for _ in range(2)]
    assert found[0] == found[1] != []
