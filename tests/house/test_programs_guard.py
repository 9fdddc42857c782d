"""What the table says of options holds for every program: where they write, and however they are arranged."""

from __future__ import annotations

import pytest

from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import ROWS
from policy_engine.programs.base import Program, find_program
from policy_engine.shell.parse import parse

PLACE = "/etc/house"
ELSEWHERE = frozenset(
    "-o --output --out --outfile --output-file --output-dir --output-directory --output-document --directory-prefix "
    "--dest --destination --target --target-directory --log --log-file --prefix --dir --directory --chdir --root "
    "--dump-bin".split()
)
# Options of these names that stand for no place.
OTHERWISE = {
    "gdb": "-o is a command", "git-push": "-o is sent to the server",
    "git-read-tree": "--prefix is a folder of the index",
    "install": "-o is an owner", "pytest": "-o is a setting", "scp": "-o is a setting", "sh": "-o is a setting",
    "ssh": "-o is a setting", "wipefs": "-o is an offset, --output are columns", "xxd": "-o is an offset",
}  # fmt: skip
MODELS = [key for key, row in ROWS.items() if "effects" in row or "handler" in row]


def _values(key: str) -> list[str]:
    """The options of a row that take a value in a word of their own or glued to them."""
    given = ROWS[key].get("options", "").split()
    return [option[:-1] for option in given if option.endswith("=") and not option.endswith("[=]")]


def _is_guarded(line: str) -> bool:
    """Whether what rules ask of the line leads to the place, or is undecided."""
    try:
        commands = parse(line, "/workspace", Virtual())
        for command in commands:
            command.line = commands
            did = effects_of(command)
            if any(
                not path.known or path.real.startswith(PLACE) for path in (*did.paths, *did.contents, *did.mentions)
            ):
                return True
    except Undecided:
        return True
    return False


def test_a_program_without_a_model_is_guarded_wherever_a_place_stands() -> None:
    lines = [f"strange {option} {PLACE} x" for option in ELSEWHERE] + [f"strange --x={PLACE}", f"strange x {PLACE}"]
    assert [line for line in lines if not _is_guarded(line)] == []


@pytest.mark.parametrize("key", [key for key in MODELS if ELSEWHERE & set(_values(key)) and key not in OTHERWISE])
def test_no_model_is_weaker_than_none_where_a_program_writes_elsewhere(key: str) -> None:
    options = sorted(ELSEWHERE & set(_values(key)))
    glue = {option: "=" if option[:2] == "--" else "" for option in options}
    lines = [
        f"{name} {words}"
        for name in (key, *ROWS[key].get("names", "").split())
        for option in options
        for words in (f"{option} {PLACE} x", f"x {option} {PLACE}", f"{option}{glue[option]}{PLACE} x")
    ]
    assert [line for line in lines if not _is_guarded(line)] == []


def _spellings(program: Program, option: str) -> list[tuple[str, ...]]:
    """The arrangements of an option and its value beside an operand."""
    found: list[tuple[str, ...]] = [(option, "value", "x")]
    if option[:2] == "--" and not program.single_dash:
        found.append((f"{option}=value", "x"))
    elif len(option) == 2 and not program.single_dash:
        found += [(f"{option}value", "x"), *((f"-{flag}{option[1]}", "value", "x") for flag in program.short[:1])]
    if not program.stops:
        found += [(*words[-1:], *words[:-1]) for words in tuple(found)]
    return found


@pytest.mark.parametrize("key", [key for key in MODELS if not ROWS[key].get("raw") and _values(key)])
def test_options_are_read_alike_in_every_order_bundled_and_glued(key: str) -> None:
    program = find_program(key)
    assert program is not None
    wrong = []
    for option in _values(key):
        for words in _spellings(program, option):
            arguments = program.arguments(words)
            if arguments.values(option) != ["value"] or arguments.operands != ["x"]:
                wrong.append((option, words))
    assert wrong == []
