"""`sed`: edits lines; with `-i` files in place, and its script can write, read and start programs."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.sed_script import read_script


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    scripts = arguments.values("-e", "--expression")
    files = list(arguments.operands)
    paths: list[PathValue] = []
    if arguments.has("-f", "--file"):
        analysis.doubt("*", "what the script of `sed` does is not read")
        paths += [analysis.path(text, "read") for text in arguments.values("-f", "--file")]
    elif not scripts and files:
        scripts = [files.pop(0)]
        if arguments.has("-i") and scripts == [""] and files:
            scripts = [files.pop(0)]  # `sed -i '' SCRIPT` of BSD
    if len(scripts) == 1 and not arguments.has("-f", "--file", "-i", "-I", "--in-place", "-z", "--null-data"):
        quiet = arguments.has("-n", "--quiet", "--silent")
        analysis.looks = _masks(scripts[0], quiet) and (quiet or all(_is_environment(text) for text in files))
    before = len(analysis.words), len(analysis.lines), len(paths)
    for script in scripts:
        paths += read_script(script, analysis)
    inplace = arguments.has("-i", "-I", "--in-place")
    if (
        inplace
        and before == (len(analysis.words), len(analysis.lines), len(paths))
        and not (analysis.doubts or analysis.put_in)
    ):
        # it changes the files and prints nothing of them
        analysis.looks = all(map(_is_environment, files)) and _shows_nothing(scripts, arguments)
    for text in files:
        if text not in ("-", ""):  # no file is called "": it is the suffix of `sed -i '' -e SCRIPT FILE` of BSD
            paths.append(analysis.path(text, "read"))
            if inplace:
                paths.append(analysis.path(text, "write"))
    return paths


def _shows_nothing(scripts: list[str], arguments: Arguments) -> bool:
    """Return whether scripts only put texts in the place of others, in files that keep their names."""
    copies = [value for value in arguments.values("-i", "-I", "--in-place") if "/" in value or "*" in value]
    plain = all(script[:1] in ("s", "/") and not {"\n", "{"} & set(script) and is_known(script) for script in scripts)
    return plain and not copies


def _masks(script: str, quiet: bool) -> bool:
    """Return whether a script shows names only: `s/=.*/=TEXT/`, with `-n` and `p` at its end, hides each value.

    A pattern from the first `=` to the end of the line leaves nothing of the value; the text takes nothing from it.
    """
    if script[:1] != "s" or script[2:5] != "=.*":
        return False
    import re

    return bool(re.fullmatch(r"s([/|#,])=\.\*\$?\1[^&\\\n\0/|#,]*\1" + ("p" if quiet else "g?"), script))


def _is_environment(text: str) -> bool:
    """Return whether a file is one of assignments, by its name: in any other a line without `=` may be the secret."""
    return text.rpartition("/")[2].startswith(".env")
