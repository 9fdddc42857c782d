"""Generated scripts of harmless words: what bash starts, the parser has found, and what bash refuses, it refuses.

`SHELL_CASES` sets how many scripts are tried. The only program that the scripts can reach prints its own words; they
run in an empty folder.
"""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from policy_engine.model.partial import GLOB, MANY, ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.model.world import Virtual
from policy_engine.shell.parse import grammar_commands, parse
from policy_engine.shell.short_cut import plain_commands

CASES = int(os.environ.get("SHELL_CASES", "60"))
SAME = "SHELL_CASES" not in os.environ  # the gate tries the same scripts each time
BASH = "/bin/bash"
HOME = "/home/user"
SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]

NAMES = st.sampled_from(["aa", "bb", "cc"])
LITERALS = st.sampled_from(
    ["x", "y1", "-f", "--long=v", "a/b", "'q r'", '"d e"', "''", '""', "e\\ f", "\\$x", "'a'\"b\"c", "$'t\\tb'",
     "$'\\x41'", "z\\\nz",
     "a=b", "#no", "x#y", "'$v'", '"\\$v"', "{", "}", "a{b}", "ü", "'ü ö'", "%1", "^", "+x", "a,b", "..", "!"]
)  # fmt: skip
EXPANSIONS = st.sampled_from(
    ["$v", '"$v"', "${v}", '"${v}w"', "$w", '"$w"', "{p,q}", "r{1..3}s", "{p,q}{r,s}", "~", "~/x", "$HOME", "${v:-d}",
     "${none:-d}", "$none", '"$none"', "{a..c}",
     "{,n}m", "$v$v", "x$IFS", "${w}z", "'{a,b}'", "{a\\,b,c}"]
)  # fmt: skip
SUBSTITUTIONS = st.deferred(
    lambda: st.builds(
        lambda inner, form: form % inner, SIMPLE, st.sampled_from(["$(%s)", '"$(%s)"', '"a$(%s)b"', "`%s`"])
    )
)
WORDS = st.one_of(LITERALS, LITERALS, EXPANSIONS, SUBSTITUTIONS)
REDIRECTS = st.sampled_from(
    ["", "", "", " >out", " 2>&1", " >>out", " </dev/null", " <<<here", " &>out", " 2>/dev/null", " >|out", " <>out"]
)
SIMPLE = st.builds(
    lambda name, words, redirect: " ".join([name, *words]) + redirect, NAMES,
    st.lists(LITERALS | EXPANSIONS, max_size=3), REDIRECTS,
)  # fmt: skip
COMMANDS = st.builds(
    lambda before, name, words, redirect: before + " ".join([name, *words]) + redirect,
    st.sampled_from(["", "", "k=1 ", "v=other ", "! ", "command ", "env ", "time "]),
    NAMES, st.lists(WORDS, max_size=4), REDIRECTS,
)  # fmt: skip
ASSIGNMENTS = st.sampled_from(["v=1", "v='a b'", "w=x{a,b}", "v=$w", "w+=z", "v=~", "export w=e", "unset v"])


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    heredoc = st.builds(lambda name, quote, line: f"{name} <<{quote}E{quote}\n{line}\nE\n", NAMES,
                        st.sampled_from(["'", ""]), st.sampled_from(["text", "a b", "", " E", "it's"]))  # fmt: skip
    return st.one_of(
        st.builds("{}; {}".format, inner, inner), st.builds("{} && {}".format, inner, inner),
        st.builds("{} || {}".format, inner, inner), st.builds("{} | {}".format, inner, inner),
        st.builds("{}\n{}".format, inner, inner), st.builds("{} &\n{}".format, inner, inner),
        st.builds("({})".format, inner), st.builds("{{ {}\n}}".format, inner),
        st.builds("if {}\nthen {}\nelse {}\nfi".format, inner, inner, inner),
        st.builds("for v in 1 'a b' {{x,y}}\ndo {}\ndone".format, inner),
        st.builds("while {}\ndo {}\nbreak\ndone".format, inner, inner),
        st.builds("case $v in a|b) {}\n;; *) {}\n;; esac".format, inner, inner),
        st.builds("ff() {{ {}\n}}\nff one 'two 2'".format, inner), st.builds("{} # note".format, inner), heredoc,
        st.builds("[[ -n $v ]] && {}".format, inner),
        st.builds("eval '{}'".format, SIMPLE.filter(lambda s: "'" not in s)),
        st.builds("cat_() {{ aa \"$@\" $1\n}}\ncat_ {}".format, WORDS),
    )  # fmt: skip


SCRIPTS = st.recursive(COMMANDS | ASSIGNMENTS, _compound, max_leaves=5)


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a program under three names that adds its words to a file and prints nothing."""
    folder = tmp_path_factory.mktemp("programs")
    program = folder / "aa"
    # one write for each start: parts of a pipeline write at the same time
    program.write_text('#!/bin/sh\nprintf \'%s\\0\' "${0##*/}" "$@" "$(printf \'\\001\')" >>"$LOG_OF_WORDS"\n')
    program.chmod(0o755)
    (folder / "bb").symlink_to(program)
    (folder / "cc").symlink_to(program)
    (folder / "env").symlink_to("/usr/bin/env")
    return folder


def started(script: str, programs: Path, folder: Path, valid: bool = True) -> list[tuple[str, ...]] | None:
    """The argvs that bash starts, None if it refuses the script and `valid` asks for one that it takes."""
    place = folder / "work"
    if valid and subprocess.run([BASH, "-n", "-c", script], capture_output=True, check=False).returncode != 0:
        return None
    log = folder / "log"
    log.write_bytes(b"")
    place.mkdir(exist_ok=True)
    environment = {"PATH": str(programs), "HOME": HOME, "LC_ALL": "C.UTF-8", "LOG_OF_WORDS": str(log), "TMPDIR": "/tmp"}
    process = subprocess.Popen(
        [BASH, "-c", script + "\nwait"], cwd=place, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        reject()  # a loop without an end starts more than can be listed
    for item in place.iterdir():
        item.unlink()
    return [tuple(run.decode().split("\0")[:-1]) for run in log.read_bytes().split(b"\1\0")[:-1]]


def may_be(found: tuple[str, ...], real: tuple[str, ...]) -> bool:
    """Whether an argv with marks covers one that ran."""
    if not found:
        return not real
    head = found[0]
    if MANY in head or GLOB in head:
        return True
    if not real:
        return False
    if is_known(head):
        return head == real[0] and may_be(found[1:], real[1:])
    first, last = head.split(ONE)[0], head.split(ONE)[-1]
    return real[0].startswith(first) and real[0].endswith(last) and may_be(found[1:], real[1:])


@settings(max_examples=CASES, derandomize=SAME, deadline=None, suppress_health_check=SLOW)
@given(SCRIPTS)
def test_whatever_bash_starts_was_found(stand_in: Path, tmp_path: Path, script: str) -> None:
    ran = started(script, stand_in, tmp_path)
    try:
        found = parse(script, "/workspace", Virtual("/workspace", HOME))
    except Undecided:
        return
    assert ran is not None, "bash refuses what the parser accepts"
    missing = [argv for argv in ran if not any(may_be(command.argv, argv) for command in found)]
    assert missing == []


@settings(max_examples=CASES, derandomize=SAME, deadline=None, suppress_health_check=SLOW)
@given(st.lists(COMMANDS.filter(lambda text: "!" not in text), min_size=1, max_size=3).map("; ".join))
def test_of_a_plain_sequence_all_words_are_known(stand_in: Path, tmp_path: Path, script: str) -> None:
    ran = started(script, stand_in, tmp_path)
    try:
        found = parse(script, "/workspace", Virtual("/workspace", HOME))
    except Undecided:
        return
    assert ran is not None, "bash refuses what the parser accepts"
    argvs = [command.argv for command in found if command.argv[0] in ("aa", "bb", "cc")]
    assert len(argvs) == len(ran) and all(may_be(one, other) for one, other in zip(argvs, ran, strict=True))


BROKEN = st.builds(
    lambda text, place, cut, added: text[: place % (len(text) + 1)] + added + text[place % (len(text) + 1) + cut :],
    SCRIPTS, st.integers(0, 200), st.integers(0, 2),
    st.sampled_from(["", "'", '"', "(", ")", ";", "&", "|", "`", "$(", "{", "}", "<", ">", "\n", "fi", "do "]),
)  # fmt: skip


@settings(max_examples=CASES, derandomize=SAME, deadline=None, suppress_health_check=SLOW)
@given(BROKEN)
def test_of_a_broken_script_whatever_still_starts_was_found(stand_in: Path, tmp_path: Path, script: str) -> None:
    """The grammar takes some scripts that bash refuses, which starts what stands before the mistake."""
    try:
        found = parse(script, "/workspace", Virtual("/workspace", HOME))
    except Undecided:
        return
    ran = started(script, stand_in, tmp_path, valid=False) or []
    missing = [argv for argv in ran if not any(may_be(command.argv, argv) for command in found)]
    assert missing == []


PLAIN = st.lists(
    st.lists(LITERALS | st.sampled_from(["ls", "git", "cd", "X=1", "~/a", "rm"]), min_size=1, max_size=4).map(" ".join),
    min_size=1, max_size=3,
).map(" && ".join)  # fmt: skip


@settings(max_examples=CASES, derandomize=SAME, deadline=None)
@given(PLAIN)
def test_the_short_cut_gives_the_answer_of_the_grammar(line: str) -> None:
    world = Virtual("/workspace", HOME)
    try:
        short = plain_commands(line, "/workspace", world)
    except Undecided:
        return
    whole = grammar_commands(line, "/workspace", world)
    assert [_shown(command) for command in short] == [_shown(command) for command in whole]


def _shown(command: object) -> dict[str, object]:
    names = (
        "argv",
        "text",
        "env",
        "via",
        "zero_proves",
        "nonzero_proves",
        "dynamic",
        "background",
        "redirects",
        "sources",
    )
    shown = {name: getattr(command, name) for name in names}
    try:
        shown["cwd"] = command.cwd.real  # type: ignore[attr-defined]
    except Undecided:
        shown["cwd"] = None
    return shown
