"""Programs: what each would touch, in the terms of the workspace."""

from __future__ import annotations

import pytest

from policy_engine.model.undecided import Undecided
from policy_engine.model.world import Virtual
from policy_engine.programs.base import find_program
from policy_engine.shell.parse import parse


def touched(line: str) -> list[str]:
    world = Virtual()
    for name in ("src/a.py", "src/b.py", "docs/x.md"):
        world.write(world.resolve(name, "/workspace"), b"x")
    (command,) = parse(line, "/workspace", world)
    shown = []
    for path in command.paths:
        place = world.relative(path)
        shown.append(f"{path.access} {path.real if place is None else place}{'/**' if path.recursive else ''}")
    return shown


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rm -rf build /etc", ["delete build/**", "delete /etc/**"]),
        ("rm -f a", ["delete a"]),
        ("rm -- -r", ["delete -r"]),
        ("rm '~'", ["delete ~"]),
        ("rmdir -p a/b", ["delete a/b", "delete a"]),
        ("mv a b", ["delete a", "write b"]),
        ("mv src docs", ["delete src/**", "write docs/src/**"]),
        ("mv -t docs a b", ["delete a", "write docs/a", "delete b", "write docs/b"]),
        ("cp src/a.py docs", ["read src/a.py", "write docs/a.py"]),
        ("cp -r src new", ["read src/**", "write new/**"]),
        ("cp -T a docs", ["read a", "write docs"]),
        ("mkdir -p -m 700 a/b c", ["write a/b", "write c"]),
        ("touch -r src/a.py x", ["write x", "read src/a.py"]),
        ("cat -n src/a.py -", ["read src/a.py"]),
        ("ls -R", ["read /**"]),
        ("echo -n > x".replace(" > x", " x"), []),
        ("cd src", ["read src"]),
        ("pytest -q tests/test_a.py::test_b", ["read tests/test_a.py/**"]),
        ("pytest --junitxml=out.xml", ["read /**", "write out.xml"]),
    ],
)
def test_a_program_touches_its_operands(line: str, expected: list[str]) -> None:
    assert touched(line) == expected


@pytest.mark.parametrize(
    "line",
    ["git push", "python -m pytest", "rm -Z x", "mv a", "cp --parents a b", "mv .. docs", "rm --r=1 x", "ls --no-such"],
)
def test_what_is_not_modelled_is_undecided(line: str) -> None:
    with pytest.raises(Undecided):
        touched(line)


def test_a_program_is_found_by_its_file_name() -> None:
    found = find_program("python3.11")
    assert found is not None
    assert found.name == "python"
    assert [find_program(name) for name in ("base", "__init__", "no-such", "rm2", "a/b", "", "..")] == [None] * 7


def test_python_options_end_at_the_module() -> None:
    world = Virtual()
    (command,) = parse("python -B -m pytest -q", "/workspace", world)
    assert command.has_flag("-q") is False
    assert command.flag_values("-m") == ("pytest",)
