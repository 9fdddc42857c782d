"""`perl`: runs a script or code; with `-i` it writes its operands."""

from __future__ import annotations

from policy_engine.model.inline_code import analyse
from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    if any(scene.env.get(name) for name in ("PERL5OPT", "PERL5LIB")):
        scene.does("configures")
    for code in arguments.values("-e", "-E"):
        analyse(code, scene, " ".join(arguments.values("-M", "-m")))
    if arguments.has("-i") or arguments.has("-n", "-p"):
        files = arguments.operands if arguments.has("-e", "-E") else arguments.operands[1:]
        access = ("read", "write") if arguments.has("-i") else ("read",)
        scripts = [] if arguments.has("-e", "-E") else [scene.run(text) for text in arguments.operands[:1]]
        return scripts + [scene.path(text, way) for text in files for way in access]
    for module in arguments.values("-M", "-m"):
        if not module.replace("::", "").replace("=", "").replace(",", "").replace("_", "").isalnum():
            scene.doubt("*", f"`-M{module[:80]}` is code")
    if arguments.has("-e", "-E"):
        return []
    if arguments.operands[:1] in ([], ["-"], ["/dev/stdin"]):
        scene.does("executes-input")
        return []
    if not is_known(arguments.operands[0]):
        scene.does("executes-input")
    return [scene.run(arguments.operands[0])]


PROGRAM = Program(
    "perl",
    short="acfhnpsStTuUvVwWX0123456789",
    short_values="eEIMmxCDF",
    short_optional="il",
    touched=_touched,
    stops=False,
    informs=("-v", "-V", "-h"),
    authors=True,
)
