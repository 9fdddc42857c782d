"""Forms of zsh that are read where they are clear, and those that are not: what runs code, or changes names."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.partial import GLOB, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse

WORLD = Virtual()


def run(line: str) -> list[str]:
    """The words of the commands of a line, with patterns as written; `?` where something is not known."""
    commands = parse(line, "/workspace", WORLD, "zsh")
    words = [" ".join(word.replace(GLOB, "") for word in command.argv) for command in commands]
    return [text if is_known(text) else "?" for text in words]


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("ls -t src/*.py(.Nom[1,5])", ["ls -t src/*.py"]),
        ("rm -rf build/*(/)", ["rm -rf build/*"]),
        ("rm -rf ../*(^@L+10mh-2)", ["rm -rf ../*"]),
        ("a=(/x/*(N)); rm -rf $a", [":", "rm -rf /x/*"]),
        ("noglob grep -rn -e TODO.* src", ["grep -rn -e TODO.* src"]),
        ("noglob rm -rf ~/x {a,b}", ["rm -rf /home/user/x a b"]),
        ("nocorrect noglob sudo x", ["sudo x", "x"]),
        ("for f (a 'b c') rm $f; ls", ["rm a", "ls"]),
        ("for f (a b) { rm $f }", ["rm a", "rm b"]),
        ("for f (a b); do rm $f; done", ["rm a", "rm b"]),
        ("for f in a b; rm $f && c; d", ["rm a", "c", "rm b", "c", "d"]),
        ("for f (/x/*(N)) rm -rf $f", ["rm -rf /x/*"]),
        ("repeat 2 rm x; ls", ["rm x", "rm x", "ls"]),
        ("repeat 2 { rm x }", ["rm x", "rm x"]),
        ("repeat 1 do rm x; done", ["rm x"]),
        ("repeat $n rm x", ["rm x"]),
        ("if [[ -d a ]] { rm x }", ["[ -d a ]", "rm x"]),
        ("if [[ -d a ]] { b } elif (( 1 )) { c } else { rm x }", ["[ -d a ]", "b", ":", "c", "rm x"]),
        ("if [[ -d a ]]; then b; else { rm x }; fi", ["[ -d a ]", "b", "rm x"]),
        ("while [[ -d a ]] { rm x }", ["[ -d a ]", "rm x"]),
        ("f() { rm x }; f", ["rm x"]),
        ("x=a-b; rm $x", [":", "rm a-b"]),
        ("x='a b'; rm $x", [":", "?"]),
        ("a=(x y); rm ${a[2]}", [":", "rm y"]),
        ("print -rl -- a", ["printf %s\n a"]),
        ("$(print rm) x", ["echo rm", "rm x"]),
        ("print -z 'rm x'", ["print -z rm x"]),
    ],
)
def test_a_form_of_zsh_is_read(line: str, commands: list[str]) -> None:
    found = run(line)
    assert [one for place, one in enumerate(found) if one != "?" or "?" in commands] == commands or found == commands


@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ("cd workspace x && rm y", "/x"),
        ("cd nowhere x && rm y", "?"),
        ("repeat 2 cd ..; rm y", "/"),
        ("repeat 200 cd a; rm y", "?"),
        ("repeat $n cd a; rm y", "?"),
    ],
)
def test_the_folder_is_followed(line: str, folder: str) -> None:
    last = parse(line, "/workspace", WORLD, "zsh")[-1]
    assert (folder if "cwd" in last.unknown else last.cwd.real) == folder
    assert ("cwd" in last.unknown) == (folder == "?")


@pytest.mark.parametrize(
    "line",
    [
        "ls *(e:'rm x':)", "ls *(+f)", "ls *(.+f)", "ls *(oe:f:)", "ls *(:h)", "ls *(.:t)", "cat *(D)", "ls *(Pf)",
        "ls *(a|b)", "ls *(abc)", "rm x(N)", "x=*(N)", "f(N) x", "ls *(N)x", "noglob ls *(N)", "noglob A=1 ls",
        "noglob { ls }", "noglob if a; then b; fi", "echo a }", "{ a } b", "() { rm $1 } x", "for a b (1 2) c",
        "for f (a", "if a { b }", "if [[ a ]] { b", "repeat", "repeat 2", "foreach f (a b); c; end", "- rm x",
        "select f (a b) c", "{ a } always { b }",
    ],
)  # fmt: skip
def test_other_forms_are_undecided(line: str) -> None:
    with pytest.raises(Undecided):
        parse(line, "/workspace", WORLD, "zsh")


@pytest.mark.parametrize(
    "line", ["ls *(N)", "for f (a b) c", "repeat 2 { a }; b", "if [[ a ]] { b }", "{ a }", "while [[ a ]] { b }"]
)
def test_bash_reads_none_of_them_so(line: str) -> None:
    try:
        found = [one.argv for one in parse(line, "/workspace", WORLD, "bash")]
    except Undecided:
        return
    assert found[0] == ("repeat", "2", "{", "a", "}")
