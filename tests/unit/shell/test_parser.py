"""The parser takes what bash takes: samples of every form, here-documents in every arrangement, recorded lines.

Bash is asked with `-n`, which runs nothing.
"""

from __future__ import annotations

import itertools
import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.partial import DIGITS, MANY, NUMBER, ONE, may_be_option
from policy_engine.model.undecided import Undecided
from policy_engine.shell.dialects import parse_script
from policy_engine.shell.parse import parse
from policy_engine.shell.tree import AndOr, Pipeline, Sequence, Simple, Text
from tests.properties.effort import FACTOR
from tests.unit.shell.scripts import BROKEN, SCRIPTS

SAMPLES = json.loads((Path(__file__).parent / "syntax.json").read_text())

REDIRECTIONS = ("", " >f", " 2>&1", " <<<w", " &>>f", " 2>/dev/null >&2")
STARTS = ("cat <<E", "cat <<'E'", "cat <<-E -", "<<E cat", "cat - <<\\E x")
SEPARATORS = ("", " | tail", " && b", "; b", " &", " || b | c", " |& d")
NESTINGS = ("%s", "( %s )", "{ %s }", "if %s then c; fi", "x=$(%s)", "for i in 1; do %s done", "f() { %s }")
TOKENS = (
    "a,b,x=1, ,;,\n,&,|,&&,||,(,),{ , }, <f, >f, 2>&1, <<E\nx\nE\n, <<<w,if ,then ,fi,else ,for i in ,do ,done,while ,"
    "case x in ,esac,;;,a) ,$x,${x:-y},$(a),`b`,'q',\"d $x\",$((1+2)),[[ a ]],((1)),! ,time ,f() ,function g ,#c\n,"
    "\\\n,\\ ,<(a),a=(b c),a[1]=b,>&-,&>f,|&,*,~,coproc ,select i in ,until ,in ,=,+=,[,],]],$,2,9>,{fd}>f"
).split(",")
MUTATED = st.builds(
    lambda text, place, cut, added: text[: place % (len(text) + 1)] + added + text[place % (len(text) + 1) + cut :],
    st.sampled_from(SAMPLES),
    st.integers(0, 100),
    st.integers(0, 2),
    st.sampled_from(TOKENS),
)


def takes(script: str) -> bool:
    """Whether the parser understands the script."""
    try:
        parse_script(script)
    except Undecided:
        return False
    return True


def bash_takes(script: str) -> bool:
    """Whether bash understands it."""
    return subprocess.run(["bash", "-n", "-c", "--", script], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("script", SAMPLES)
def test_a_script_is_taken_if_bash_takes_it(script: str) -> None:
    assert takes(script) == bash_takes(script)


def arrangements() -> list[str]:
    """A here-document with redirections before and behind it, a separator, within compound commands."""
    found = []
    for start, before, behind, separator, nesting in itertools.product(
        STARTS, REDIRECTIONS[:3], REDIRECTIONS, SEPARATORS, NESTINGS
    ):
        first, _, rest = start.partition(" ")
        line = f"{first}{before} {rest}{behind}{separator}"
        text = "\tone $(two)\n\tE\n" if "<<-" in start else "one ';' $x\nE\n"
        inner = f"{line}\n{text}"
        found.append(nesting % inner + "\nlast")
    return found


def test_here_documents_in_every_arrangement_are_taken() -> None:
    scripts = arrangements()
    assert [script for script in scripts if not takes(script)] == []
    asked = "\0".join(scripts[:: max(1, len(scripts) // 60)]).split("\0")
    assert [script for script in asked if not bash_takes(script)] == []


def test_the_text_of_a_here_document_belongs_to_its_command() -> None:
    tree = parse_script("python3 - <<'EOF' 2>&1 | tail -20\nprint(1)\nEOF\nls")
    (pipeline, _), (last, _) = tree.items
    assert isinstance(pipeline, Pipeline)
    first = pipeline.commands[0]
    assert isinstance(first, Simple)
    assert first.text == "python3 - <<'EOF' 2>&1"
    document = first.redirections[0].document
    assert document is not None and document.text == "print(1)\n" and document.parts is None
    assert last.text == "ls"


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("a <<E\nb\\\nc\nE", "bc\n"), ("a <<'E'\nb\\\nc\nE", "b\\\nc\n"), ("a <<-E\n\tb\n\tE", "b\n"),
        ("a <<E\nb", "b\n"), ("a <<E", ""), ("a <<E; c\nb\nE", "b\n"), ("a <<E &\nb\nE", "b\n"),
        ("a <<'E F'\nb\nE F", "b\n"), ("a <<E # c\nb\nE", "b\n"), ('a <<E "x\ny"\nb\nE', "b\n"),
    ],
)  # fmt: skip
def test_a_here_document_has_the_text_that_bash_gives_it(script: str, text: str) -> None:
    command = parse_script(script).items[0][0]
    assert isinstance(command, Simple)
    document = command.redirections[0].document
    assert document is not None
    if document.parts is None:
        assert document.text == text
    else:
        assert "".join(part.text for part in document.parts if isinstance(part, Text)) == text


def test_a_node_says_where_it_stands() -> None:
    source = "a && b 'c d' >e | f # g"
    command = parse_script(source).items[0][0]
    assert isinstance(command, AndOr)
    assert [part.text for _, part in command.items] == ["a", "b 'c d' >e | f"]


def test_a_word_tells_what_is_quoted() -> None:
    command = parse_script("a\"b\"'c'\\d$'\\x65'").items[0][0]
    assert isinstance(command, Simple)
    parts = command.words[0].parts  # type: ignore[union-attr]
    assert [(part.text, part.quoted) for part in parts if isinstance(part, Text)] == [
        ("a", False), ("b", True), ("c", True), ("d", True), ("e", True),
    ]  # fmt: skip


@settings(max_examples=150 * (FACTOR or 1), derandomize=not FACTOR, deadline=None)
@given(st.one_of(SCRIPTS, BROKEN, st.lists(st.sampled_from(TOKENS), max_size=9).map("".join), MUTATED))
def test_what_the_parser_takes_bash_takes(script: str) -> None:
    if takes(script) and "(time" not in script:  # bash 5.2 refuses `$(time (a))`
        assert bash_takes(script)


def test_a_tree_covers_its_source_in_order() -> None:
    tree = parse_script("a; b & c\nd")
    assert isinstance(tree, Sequence)
    assert [(node.text, background) for node, background in tree.items] == [
        ("a", False), ("b", True), ("c", False), ("d", False),
    ]  # fmt: skip


def test_icons_of_private_fonts_are_ordinary_characters() -> None:
    command = parse("echo \ue0b0 'a\r\nb'", "/workspace", Virtual())[0]
    assert command.argv == ("echo", "\ue0b0", "a\r\nb")


@pytest.mark.parametrize("script", ["git status\r\nls", "cat <<E\r\na\r\nE\r\n", "a\rb"])
def test_a_carriage_return_in_code_is_undecided(script: str) -> None:
    assert not takes(script)


@pytest.mark.parametrize(
    ("line", "argv"),
    [
        ("kill $!", ("kill", DIGITS)), ("p=$!; kill -9 $p", ("kill", "-9", DIGITS)),
        ("a $$ $# $?", ("a", NUMBER, DIGITS, DIGITS)),
        ('a "x$$"', ("a", f"x{NUMBER}")), ("a ${#x}", ("a", DIGITS)), ("UID=b; a $UID", ("a", "b")),
        ("IFS=1; a $$", ("a", MANY)), ("a $((1+2))", ("a", NUMBER)), ("a $((b[1]))", ("a", ONE)),
    ],
)  # fmt: skip
def test_numbers_are_words_and_no_options(line: str, argv: tuple[str, ...]) -> None:
    assert parse(line, "/workspace", Virtual())[-1].argv == argv
    assert not may_be_option(DIGITS)


def test_a_word_for_a_variable_that_is_set_is_looked_at_with_and_without() -> None:
    words = [one.argv for one in parse('a "${K:+yes}" b', "/workspace", Virtual())]
    assert words == [("a", "yes", "b"), ("a", "", "b")]
    words = [one.argv for one in parse('a "${K:+yes}" "${L:+no}"', "/workspace", Virtual())]
    assert words == [("a", ONE, ONE)]


def test_backticks_and_documents_that_are_broken_are_one_unknown_command() -> None:
    for line in ("rm x; echo `a |`", "rm x; cat <<E\n$(a\nE"):
        found = parse(line, "/workspace", Virtual())
        assert found[0].argv == ("rm", "x")
        assert (MANY,) in [one.argv for one in found]
