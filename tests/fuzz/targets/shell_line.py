"""Bytes as a shell line → bounded commands that answer every question or say Undecided; no question changes another."""

from __future__ import annotations

from typing import Any

from policy_engine.effects.command import effect
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.limits import SHELL_WORDS
from policy_engine.model.records import COMMAND
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse
from policy_engine.shell.patterns import command_matches, pattern_tokens
from policy_engine.shell.prefilter import may_run, prefilter
from tests.generated.context import LINES

SEEDS = (
    *(line.encode() for line in dict.fromkeys(LINES)),
    b"a() { rm $1; }; a x",
    b"case $x in a|b) ls;; *) rm;; esac",
    b"echo $((1+2)) ${x:-y} ${#z} ${a[1]}",
    b"cat <<-'E'\n\tx\nE\n",
    b"diff <(ls a) >(cat)",
    b"bash -c \"$(printf 'rm -rf x')\"",
    b'while read l; do echo "$l"; done < f',
    b"$'\\x72m' x",
    b"find . -exec sh -c 'rm \"$1\"' _ {} +",
    b"[[ -f a && b =~ c ]] && (cd d; ! e) || { f; }",
    b'x=(a b); rm "${x[@]}"',
    b"select a in b; do c; done",
    b"coproc a { b; }",
    b"trap 'rm x' EXIT",
    b"ssh h 'rm x'",
    b"python -c 'import os; os.remove(\"a\")'",
    b"a=1 b=$(c) d",
    b"echo {a,b}{1..3}",
    b"exec 3<>f; cat <&3",
    b"sudo -u a env -i B=c timeout 5 nice -n 3 rm x",
    b"\xff\xfe",
)
PATTERN = ((pattern_tokens("rm -* ..."),), (), None)
NAMES = [attribute.name for attribute in COMMAND.attributes if not attribute.method]
DERIVED = frozenset(attribute.name for attribute in COMMAND.attributes if attribute.derived)
_WORLD = Virtual()
_WORLD.write(_WORLD.resolve("src/a.py", "/workspace"), b"x")


def target(data: bytes) -> None:
    line = data.decode("utf-8", "surrogateescape")
    may_run("rm", prefilter(line))
    first = _answers(line, NAMES)
    assert first == _answers(line, NAMES[::-1]), line


def _answers(line: str, names: list[str]) -> Any:
    try:
        commands = parse(line, "/workspace", _WORLD)
    except Undecided as unknown:
        assert unknown.reasons
        return unknown.reasons
    assert len(commands) > 0 and sum(len(command.argv) for command in commands) <= SHELL_WORDS
    found = []
    for command in commands:
        command.line = commands
        said = {name: _said(lambda command=command, name=name: _plain(_ask(command, name))) for name in names}
        said["flag"] = _said(lambda command=command: command.has_flag("-r", "--force"))
        said["values"] = _said(lambda command=command: command.flag_values("-o"))
        said["matches"] = _said(lambda command=command: command_matches(PATTERN, command, _WORLD))
        found.append(said)
    return found


def _ask(command: Any, name: str) -> Any:
    return effect(command, name) if name in DERIVED else getattr(command, name)


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if hasattr(value, "op"):
        return value.op, _plain(value.path)
    return repr(value)


def _said(ask: Any) -> Any:
    try:
        return ask()
    except Undecided as unknown:
        return unknown.reasons
