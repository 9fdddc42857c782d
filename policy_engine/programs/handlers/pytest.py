"""`pytest`: reads the files that it is pointed at and writes the reports that it is asked for.

What the tests themselves do is not seen: no analysis of a command line could.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_REPORTS = ("--junitxml", "--junit-xml", "--log-file")

_SETTINGS = ("cache_dir", "log_file")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    for text in arguments.operands:
        loaded = analysis.path(f"{text.partition('::')[0].rstrip('/')}/conftest.py", "read")
        if loaded.known and analysis.filesystem.present(loaded):
            analysis.runs.append(loaded)
    paths = [analysis.path(text.partition("::")[0] or ".", "read", True) for text in arguments.operands or ["."]]
    for name, value in arguments.options:
        if value is not None and name in _REPORTS:
            paths.append(analysis.path(value, "write"))
        elif value is not None and name == "--basetemp":
            paths.append(analysis.path(value, "delete", True))
        elif value is not None and name in ("-o", "--override-ini"):
            setting, _, place = value.partition("=")
            paths += [analysis.path(place, "write")] if setting.strip() in _SETTINGS else []
        elif value is not None and name in ("-c", "--config-file"):
            paths.append(analysis.path(value, "read"))
    return paths
