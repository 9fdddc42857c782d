"""`pytest`: reads the files that it is pointed at and writes the reports that it is asked for.

What the tests themselves do is not seen: no analysis of a command line could.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_REPORTS = ("--junitxml", "--junit-xml", "--log-file")

_SETTINGS = ("cache_dir", "log_file")
_FILES = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_FILE_BYTES = 262_144


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
            paths += _places_in(value, analysis)
    return [*paths, *(path for file in _FILES for path in _places_in(file, analysis))]


def _places_in(file: str, analysis: EffectAnalysis) -> list[PathValue]:
    """Return what a file of settings has the run write: a log, a cache, reports."""
    text = analysis.text_in(analysis.path(file, "read"), _FILE_BYTES) or ""
    if not any(word in text for word in (*_SETTINGS, *_REPORTS, "--basetemp")):
        return []
    import re

    named = rf"""^\s*(?:{"|".join(_SETTINGS)})\s*=\s*["']?([^"'\n]+)"""
    asked = rf"""(?:{"|".join(_REPORTS)}|--basetemp)[= "',]+([^\s"',]+)"""
    found = re.findall(f"{named}|{asked}", text, re.MULTILINE)
    return [analysis.path(one.strip() or other, "write") for one, other in found]
