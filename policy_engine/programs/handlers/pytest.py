"""`pytest`: reads the files that it is pointed at and writes the reports that it is asked for.

What the tests themselves do is not seen: no analysis of a command line could.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_REPORTS = ("--junitxml", "--junit-xml", "--log-file")

_SETTINGS = ("cache_dir", "log_file")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    for text in arguments.operands:
        loaded = scene.path(f"{text.partition('::')[0].rstrip('/')}/conftest.py", "read")
        if loaded.known and scene.world.present(loaded):
            scene.runs.append(loaded)
    paths = [scene.path(text.partition("::")[0] or ".", "read", True) for text in arguments.operands or ["."]]
    for name, value in arguments.options:
        if value is not None and name in _REPORTS:
            paths.append(scene.path(value, "write"))
        elif value is not None and name == "--basetemp":
            paths.append(scene.path(value, "delete", True))
        elif value is not None and name in ("-o", "--override-ini"):
            setting, _, place = value.partition("=")
            paths += [scene.path(place, "write")] if setting.strip() in _SETTINGS else []
        elif value is not None and name in ("-c", "--config-file"):
            paths.append(scene.path(value, "read"))
    return paths
