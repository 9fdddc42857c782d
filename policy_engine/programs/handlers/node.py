"""`node`: runs a script or code."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import analyse
from policy_engine.inline.texts import code_of_address
from policy_engine.inline.values import Start
from policy_engine.programs.base import Arguments, EffectAnalysis


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    if any(analysis.env.get(name) for name in ("NODE_OPTIONS", "NODE_PATH")):
        analysis.does("configures")
    loaded = arguments.values("--env-file", "--env-file-if-exists")
    for name in loaded:
        analysis.mention(name)  # the script has what is in it
    for code in arguments.values("-e", "--eval", "-p", "--print"):
        analyse(code, analysis, start=Start("", tuple(arguments.operands)))
    paths: list[PathValue] = []
    for name in arguments.values("-r", "--require", "--import", "--loader", "--experimental-loader"):
        held = code_of_address(name)
        if held is not None:
            analyse(held, analysis)
        elif name.startswith((".", "/", "file:")):
            paths.append(analysis.run(name.removeprefix("file:").removeprefix("//")))
    printed = arguments.values("-p", "--print")
    for code in arguments.operands[:1] if printed == ["e"] else printed:  # `-pe CODE` is `-p -e CODE`
        analyse(f"console.log({code.rstrip().rstrip(';')})", analysis)
    if printed and "discloses" in analysis.words:
        paths += [analysis.path(name, "read") for name in loaded]  # what is printed stands there
    if arguments.has("-e", "--eval", "-p", "--print", "--run"):
        return paths
    return paths + analysis.script(arguments.operands)
