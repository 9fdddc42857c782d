"""Shell lines: what is understood is understood exactly, everything else is undecided as a whole."""

from __future__ import annotations

import pytest

from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import Undecided
from policy_engine.shell.command import SimpleCommand
from policy_engine.shell.parse import parse

WORLD = Virtual()


def commands(line: str, cwd: str | None = "/workspace") -> tuple[SimpleCommand, ...]:
    return parse(line, cwd, WORLD)


def only(line: str) -> SimpleCommand:
    (command,) = commands(line)
    return command


@pytest.mark.parametrize(
    ("line", "argv"),
    [
        ("pytest -q", ("pytest", "-q")),
        ("  git  push\torigin main\n", ("git", "push", "origin", "main")),
        ("echo 'rm -rf /'", ("echo", "rm -rf /")),
        ('git commit -m "a; b && c"', ("git", "commit", "-m", "a; b && c")),
        ("r'm' \"-r\"f x", ("rm", "-rf", "x")),
        ("cat ~/x", ("cat", "/home/user/x")),
        ("git show HEAD~1 a^ b%c d#e", ("git", "show", "HEAD~1", "a^", "b%c", "d#e")),
        ("echo ''", ("echo", "")),
        ("echo 'zwei\nZeilen' grün", ("echo", "zwei\nZeilen", "grün")),
        ("echo '~' '#' \"=x\"", ("echo", "~", "#", "=x")),
    ],
)
def test_plain_and_quoted_words_are_understood(line: str, argv: tuple[str, ...]) -> None:
    assert only(line).argv == argv


@pytest.mark.parametrize(
    "line",
    [
        "", " ", "\n\n", "a &&& b", "&& a", "| a", "a | | b", "a\rb", "a\x0bb", "a\x85b", "if a", "while true",
        "f() { a; ", "( a", "a )", "'open", "\"open", "$(open", "`open", "${x", "a >", "echo a\u00a0b",
        "echo \u202ea", "echo \x1b", "echo '\x1b'", "r\u200bm x", "\u0440m x", "{ a; } }", "then a", "a; fi",
        "echo {1..100000000}", "echo {a..z}{a..z}{a..z}", "emulate sh -c a",
        "a\n)", "a | time { b; }", "a \"${x:-'$(rm y)'}\"", "coproc a ! b",
    ],
)  # fmt: skip
def test_what_is_not_understood_is_undecided_as_a_whole(line: str) -> None:
    with pytest.raises(Undecided):
        commands(line)


def test_another_shell_is_undecided() -> None:
    with pytest.raises(Undecided, match="fish"):
        parse("ls", "/workspace", WORLD, "fish")
    assert len(parse("ls", "/workspace", WORLD, "/bin/zsh")) == 1


def test_cd_is_followed_through_a_list() -> None:
    first, second, third = commands("cd a && X=1 ls && rm -r ../b")
    assert (first.program, second.env, third.argv) == ("cd", ("X=1",), ("rm", "-r", "../b"))
    assert [str(command.cwd.real) for command in (first, second, third)] == [
        "/workspace", "/workspace/a", "/workspace/a",
    ]  # fmt: skip
    assert [path.real for path in effects_of(third).paths] == ["/workspace/b"]
    assert commands("cd && ls")[1].cwd.real == "/home/user"
    for line in ("cd - && rm x", "cd $y && rm x", "cd a b && rm x", "CDPATH=/x; cd a && rm x", "$y; rm x"):
        last = commands(line)[-1]
        with pytest.raises(Undecided):
            _ = last.cwd


def test_only_a_list_of_one_proves_failure() -> None:
    assert [(c.zero_proves, c.nonzero_proves) for c in commands("pytest")] == [(True, True)]
    assert [(c.zero_proves, c.nonzero_proves) for c in commands("a && b")] == [(True, False)] * 2


def test_a_runner_of_the_project_gives_both_commands() -> None:
    outer, inner = commands("uv run pytest -q")
    assert (outer.argv, outer.via) == (("uv", "run", "pytest", "-q"), ())
    assert (inner.argv, inner.via, inner.nonzero_proves) == (("pytest", "-q"), ("uv run",), False)
    assert only("uv sync").program == "uv"
    assert only("uv").program == "uv"


def test_an_unknown_folder_is_undecided_only_where_it_is_read() -> None:
    command = commands("rm x", None)[0]
    assert command.program == "rm"
    with pytest.raises(Undecided, match="`cwd`"):
        _ = command.cwd
    with pytest.raises(Undecided, match="`cwd`"):
        _ = effects_of(command).paths[0].real
    assert commands("cd /a && ls", None)[1].cwd.real == "/a"


@pytest.mark.parametrize(
    ("line", "flags", "expected"),
    [
        ("rm -fr x", ("-r",), True),
        ("rm --rec x", ("--recursive",), True),
        ("rm x -- -r", ("-r",), False),
        ("mv -S -f a b", ("-f",), False),
        ("git -C -x push --force", ("--force",), True),
        ("git -C --force push", ("--force",), False),
        ("git commit --amend", ("--amend",), True),
        ("git commit -m --amend", ("--amend",), False),
        ("docker run --privileged x", ("--privileged",), True),
        ("kubectl -n prod delete --all pods", ("--all",), True),
        ("tar -x -f a", ("-x",), True),
        ("python x.py --force", ("--force",), False),
        ("foo x --all", ("--all",), True),
        ("foo --all=1", ("--all",), True),
        ("foo x", ("-r", "--all"), False),
    ],
)
def test_flags_are_found_as_the_program_reads_them(line: str, flags: tuple[str, ...], expected: bool) -> None:
    assert only(line).has_flag(*flags) is expected


@pytest.mark.parametrize("line", ["foo -rf", "foo --al", "foo -o --all", "rm -rZ", "$X -r", "git push $X"])
def test_flags_that_only_a_model_could_tell_are_undecided(line: str) -> None:
    with pytest.raises(Undecided):
        only(line).has_flag("-r", "--all")


def test_values_and_subcommands_are_found() -> None:
    assert only("mkdir -m 700 x").flag_values("-m", "--mode") == ("700",)
    assert only("mkdir --mode=700 x").flag_values("-m", "--mode") == ("700",)
    assert only("foo --a=1 --a=2").flag_values("--a") == ("1", "2")
    assert only("git -C x push --force").subcommand == "push"
    assert only("npm test").subcommand == "test"
    assert only("npm").subcommand == ""
    for read in (lambda: only("foo -a x").subcommand, lambda: only("foo --a 1").flag_values("--a")):
        with pytest.raises(Undecided):
            read()


def test_effects_of_an_unknown_program_are_undecided() -> None:
    with pytest.raises(Undecided, match="effects of `foo-make` are not modelled"):
        _ = effects_of(only("foo-make all")).paths
    assert only("foo-make -j2 all").flags == ("-j2",)


@pytest.mark.parametrize(
    ("line", "verb"),
    [
        ("kubectl -n prod delete ns x", "delete"),
        ("docker -H x rm y", "rm"),
        ("pip --proxy x install y", "install"),
        ("helm --namespace=x delete y", "delete"),
        ("gh -Rx pr merge", "pr"),
        ("cargo +nightly publish", "publish"),
        ("git -C x", ""),
    ],
)
def test_the_verb_stands_behind_the_options_of_its_program(line: str, verb: str) -> None:
    assert only(line).subcommand == verb


@pytest.mark.parametrize("attribute", ["subcommand", "program"])
@pytest.mark.parametrize("line", ["$X y", 'eval "$X"', 'sh -c "$X"', '"${X[@]}"'])
def test_what_an_unknown_program_is_given_is_undecided(line: str, attribute: str) -> None:
    with pytest.raises(Undecided):
        [getattr(command, attribute) for command in parse(line, "/workspace", Virtual())]
