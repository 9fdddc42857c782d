"""A value of a type, as text → a generated comparison with it."""

from __future__ import annotations

from typing import Any

from policy_engine.model.types import BOOL, DURATION, INT, EnumType
from tests.generated.context import GLOBS, LINES, REGEXES, TEXTS, TOOLS, Draw, number, one


def scalar_test(draw: Draw, value: str, kind: Any) -> str:
    if kind is BOOL:
        value = f"({value})" if " else " in value else value
        return one(draw, (value, f"not {value}", f"{value} == true", f"{value} != true"))
    if kind is INT:
        bound, op = number(draw, 0, 3), one(draw, ("<", "<=", ">", ">=", "==", "!="))
        return one(draw, (f"{value} {op} {bound}", f"{bound} {op} {value}"))
    if kind is DURATION:
        return f"{value} {one(draw, ('<', '<=', '>', '>='))} {one(draw, ('1s', '10s', '90s', '5m'))}"
    if isinstance(kind, EnumType):
        words = [f'"{one(draw, kind.members)}"' for _ in range(2)]
        return one(draw, (f"{value} == {words[0]}", f"{value} != {words[0]}", f"{value} in [{', '.join(words)}]"))
    return text_test(draw, value)


def text(draw: Draw) -> str:
    escaped = one(draw, (*TEXTS, *TOOLS.values(), *LINES[:4])).replace("\n", "\\n")
    return f'"{escaped}"'


def text_test(draw: Draw, value: str) -> str:
    op = one(draw, ("==", "!=", "contains", "starts_with", "ends_with", "matches", "in", "not in", "matches"))
    if op == "matches":
        return f"{value} matches {one(draw, REGEXES)}"
    if op.endswith("in"):
        return f"{value} {op} [{text(draw)}, {text(draw)}]"
    return f"{value} {op} {text(draw)}"


def number_test(draw: Draw, value: str) -> str:
    bound, op = number(draw, 0, 3), one(draw, ("<", "<=", ">", ">=", "==", "!="))
    return one(draw, (f"{value} {op} {bound}", f"{value} {op} {bound}", f"{value} in [{bound}, 9]"))


def flag_test(draw: Draw, value: str) -> str:
    return f"{value} {one(draw, ('==', '!='))} {one(draw, ('true', 'false'))}"


def glob_test(draw: Draw, value: str) -> str:
    return f"{value} matches {one(draw, GLOBS)}"


def path_test(draw: Draw, value: str) -> str:
    other = one(draw, ("workspace", "home", "cwd", '"src"', '"/etc"', *('"src/a.py"',) * 3, '"~"'))
    op = one(draw, ("under", "inside", "outside", "==", "==", "!=", "matches", "matches", "in"))
    if op == "matches":
        touched = value[0] in "vq" and "." not in value  # a member of a list; a folder of the event has no such part
        part = one(draw, ("", "", ".any_part", ".every_part")) if touched else ""
        return f"{value}{part} matches {one(draw, (*GLOBS, *GLOBS, *REGEXES))}"
    return f"{value} in [{other}, workspace]" if op == "in" else f"{value} {op} {other}"
