"""`rg`: searches below folders for a pattern; it leaves out what git ignores and what is hidden."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known, shown
from policy_engine.programs.base import Arguments, EffectAnalysis

_NARROWS = "-g --glob --iglob -t --type -T --type-not -l --files-with-matches --files -c --count".split()


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("--pre", "--hostname-bin", "-z", "--search-zip"):
        analysis.does("executes")
    paths: list[PathValue] = []
    for text in arguments.values("--pre", "--hostname-bin"):
        analysis.doubt("*", f"`{shown(text)[:80]}` is run with every file")
        if "/" in text or not is_known(text):  # any other name is looked up among the programs
            paths.append(analysis.run(text))
    given = arguments.has("-e", "-f", "--regexp", "--file", "--files")
    files = list(arguments.operands) if given else arguments.operands[1:]
    everything = arguments.has("-u", "--hidden", "-.", "--no-ignore", "--unrestricted", "--skip-vcs-ignores")
    if analysis.name in ("ag", "ack"):
        everything = everything or arguments.has("-U", "-a", "-t", "--all-text", "--all-types")
    narrowed = arguments.has(*_NARROWS)
    for text in files or ["."]:
        path = analysis.path(text, "read")
        paths.append(path.with_access("read", everything and analysis.may_hold(path)))
        if not everything and not narrowed and path.known and path.real != analysis.filesystem.workspace:
            paths += analysis.first_below(path)
    return paths
