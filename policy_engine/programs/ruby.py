"""`ruby`: runs a script or code."""

from __future__ import annotations

from policy_engine.model.inline_code import analyse
from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    if any(scene.env.get(name) for name in ("RUBYOPT", "RUBYLIB")):
        scene.does("configures")
    for code in arguments.values("-e"):
        analyse(code, scene)
    if arguments.has("-i", "-n", "-p"):
        files = arguments.operands if arguments.has("-e") else arguments.operands[1:]
        scripts = [] if arguments.has("-e") else [scene.run(text) for text in arguments.operands[:1]]
        access = ("read", "write") if arguments.has("-i") else ("read",)
        return scripts + [scene.path(text, way) for text in files for way in access]
    if arguments.has("-e"):
        return []
    if arguments.operands[:1] in ([], ["-"], ["/dev/stdin"]):
        scene.does("executes-input")
        return []
    if not is_known(arguments.operands[0]):
        scene.does("executes-input")
    return [scene.run(arguments.operands[0])]


PROGRAM = Program(
    "ruby",
    short="acdhlnpsSvwWy",
    short_values="eErICFKT",
    short_optional="ix0",
    long={
        "copyright": FLAG, "enable": VALUE, "disable": VALUE, "external-encoding": VALUE, "verbose": FLAG,
        "yjit": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    stops=True,
    informs=('--help', '--version', '-v', '-h'),
    authors=True,
)  # fmt: skip
