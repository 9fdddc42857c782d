"""Short forms for a generated policy, and the same policy in its long form, written out here and not by the checker.

What a short form stands for is text in the place of its name. The reference interpreter reads the long form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.generated.context import COMMANDS, GLOBS, LINES, TEXTS, Context, Draw, number, one
from tests.generated.operands import glob_test, text_test

OPEN_GLOBS = ('"src/**"', '"docs/**"', '"README.md"', 'glob("/etc/**", "src/*.py")')
OPEN_COMMANDS = ('command("pytest ...")', 'command("rm ...")', 'command("make", "git push ...")')
_PYTEST = " or ".join(
    f'c matches "{way} ..."' for way in ("pytest", "py.test", "python -m pytest", "python3 -m pytest")
)
_WORDS = {
    "rm": "c matches \"rm ...\"",
    "git push": '(c matches "git push ..." or c matches "git ..." and c.subcommand == "push")',
    "git push --force": '(c matches "git push ..." or c matches "git ..." and c.subcommand == "push")'
                        ' and c.has_flag("--force")',
    "rm -rf": 'c matches "rm ..." and (c.has_flag("-rf") or c.has_flag("-r") and c.has_flag("-f"))',
    "rm build": '(c matches "rm build ..." or c matches "rm ..." and c.subcommand == "build")',
    "pytest -q src": f'({_PYTEST}) and c.has_flag("-q") and c.args contains "src"',
    "make": 'c matches "make ..." or c matches "gmake ..."',
    "pytest -q": f'({_PYTEST}) and c.has_flag("-q")',
}  # fmt: skip
"""What stands behind `on command`, and what it asks of a command by docs/language.md."""


@dataclass(frozen=True)
class Short:
    """A short form by its name: the lines that declare it, and the text that it stands for."""

    sort: str
    name: str
    declared: tuple[str, ...]
    means: str
    arguments: tuple[str, ...] = ()

    @property
    def call(self) -> str:
        return rf"\b{self.name}\b" + (r"\(([^()]*)\)" if self.arguments else "")


def shorts(draw: Draw) -> tuple[Short, ...]:
    """Draw what a policy may name: constants of each type, united patterns, conditions on arguments."""
    found = [
        _param(draw, "glob_param", [text if text.startswith("glob") else f"glob({text})" for text in GLOBS]),
        _param(draw, "command_param", [text if text[0] == "c" else f"command({text})" for text in COMMANDS]),
        _param(draw, "number_param", [str(number(draw, 1, 3))]),
        _param(draw, "text_param", [_quoted(one(draw, (*TEXTS, *LINES[:4])))]),
        _param(draw, "texts_param", [f"[{_quoted(one(draw, TEXTS))}, {_quoted(one(draw, TEXTS))}]"]),
        _open(draw, "glob_open", OPEN_GLOBS),
        _open(draw, "command_open", OPEN_COMMANDS),
    ]
    kinds = (("of_command", "Command", command_texts), ("of_path", "Path", glob_test), ("of_text", "String", text_test))
    for name, kind, test in kinds:
        found.append(_with_arguments(name, (("subject", kind),), test(draw, "subject")))
    order = f"subject {one(draw, ('<', '<=', '=='))} second"
    found.append(_with_arguments("of_numbers", (("subject", "Int"), ("second", "Int")), order))
    member = f"any q in subject {{ {text_test(draw, 'q')} }}"
    found.append(_with_arguments("of_texts", (("subject", "List of String"),), member))
    return tuple(found)


def command_texts(draw: Draw, name: str) -> str:
    """A test of a command that reads it more than once."""
    return f"({name} matches {one(draw, COMMANDS)} or {text_test(draw, f'{name}.program')})"


def of_short(draw: Draw, at: Context) -> str:
    """A condition that names a short form."""
    text, count = one(draw, _readable(at, "tool.name", "prompt", "answer", "agent.name")), "session.turn"
    left, right = one(draw, ((count, number(draw, 0, 2)), (number(draw, 0, 3), count), (count, "number_param")))
    choices = [
        f"{count} {one(draw, ('<', '>=', '=='))} number_param", f"of_numbers({left}, {right})",
        f"{text} {one(draw, ('==', 'contains', 'starts_with'))} text_param", f"{text} in texts_param",
        f"of_text({text})", "of_text(text_param)", f"of_texts({one(draw, ('texts_param', 'goal.commands'))})",
        f"{one(draw, ('wrote', 'read', 'deleted'))}({one(draw, ('glob_param', 'glob_open'))})",
        f"{one(draw, ('ran', 'command_success'))}({one(draw, ('command_param', 'command_open'))})",
        f"count(ran({one(draw, ('command_param', 'command_open'))})) >= number_param",
        "of_path(workspace)", "of_path(home)",
    ]  # fmt: skip
    for name, tests in (
        ("commands", ("of_command({0})", "{0} matches command_param", "{0} matches command_open",
                      "of_text({0}.program)", "of_texts({0}.args)")),
        ("paths", ("of_path({0})", "{0} matches glob_param", "{0} matches glob_open")),
    ):  # fmt: skip
        may, needs = at.status(name)
        if may:
            variable = f"v{len(at.variables)}"
            test = one(draw, tests).format(variable)
            every = f"{one(draw, ('any', 'every'))} {variable} in {name} {{ {test} }}"
            choices += [f"(has {name} and {every})" if needs else every] * 4
    chosen = str(one(draw, choices))
    if f" v{len(at.variables)} in " in chosen:
        at.variable()
    return chosen


def _readable(at: Context, *names: str) -> list[str]:
    return [name for name in names if at.status(name) == (True, False)]


def on_command(draw: Draw) -> tuple[str, str]:
    """Draw what an `on command` names, and what it asks of the command `c`."""
    names = [one(draw, tuple(_WORDS)) for _ in range(number(draw, 1, 2))]
    return ", ".join(names), " or ".join(f"({_WORDS[name]})" for name in names)


def written_out(text: str, declared: tuple[Short, ...]) -> str:
    """The text of a body with what each short form in it stands for."""
    for short in sorted(declared, key=lambda short: not short.arguments):  # an argument may be a parameter
        text = re.sub(short.call, lambda call, short=short: _meaning(short, call), text)  # type: ignore[misc]
    return text


def _meaning(short: Short, call: re.Match[str]) -> str:
    found = short.means
    for name, given in zip(short.arguments, call[1].split(", ") if short.arguments else (), strict=True):
        found = re.sub(rf"(?<![\w\"]){name}(?![\w\"])", given, found)
    return found


def _param(draw: Draw, name: str, values: list[str]) -> Short:
    value = one(draw, values)
    return Short("param", name, (f"= {value}\n",), value)


def _open(draw: Draw, name: str, values: tuple[str, ...]) -> Short:
    parts = [one(draw, values) for _ in range(number(draw, 1, 3))]
    inner = [part[part.index("(") + 1 : -1] if part.endswith(")") else part for part in parts]
    sort = "command" if name.startswith("command") else "glob"
    return Short("define", name, tuple(f"+= {sort}({part})\n" for part in inner), f"{sort}({', '.join(inner)})")


def _with_arguments(name: str, arguments: tuple[tuple[str, str], ...], body: str) -> Short:
    declared = ", ".join(f"{one}: {kind}" for one, kind in arguments)
    return Short("define", name, (f"({declared}) = {body}\n",), f"({body})", tuple(one for one, _ in arguments))


def _quoted(text: str) -> str:
    return '"' + text.replace("\n", "\\n") + '"'
