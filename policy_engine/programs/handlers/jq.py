"""`jq`: filters JSON files."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_ONE = ("--indent", "-L", "--tab-width")
_FILES = ("--slurpfile", "--rawfile", "--argfile")  # a name and a file
_PAIRS = ("--arg", "--argjson")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    waiting, words, paths = list(reversed(arguments.operands)), [], []
    script = ""
    while waiting:
        word = waiting.pop()
        if word in _FILES and len(waiting) > 1:
            waiting.pop()
            paths.append(analysis.path(waiting.pop(), "read"))
        elif word in _PAIRS:
            waiting[-2:] = []
        elif word in _ONE:
            waiting[-1:] = []
            analysis.doubt("executes", f"what `{word}` brings is not read")
        elif word in ("-f", "--from-file") or word.startswith("--from-file="):
            script = word.partition("=")[2] or (waiting.pop() if waiting else "")
            analysis.doubt("executes", "what the script of `jq` does is not read")
        elif word in ("--args", "--jsonargs"):
            break
        elif word[:1] != "-" or word == "-":
            words.append(word)
    code = "" if script or not words else words.pop(0)
    if "$ENV" in code or "env" in code.replace(".", " .").replace("|", " ").split():
        analysis.does("discloses")
    if "@base64d" in code or "@base32d" in code:
        analysis.does("decodes")
    return paths + [analysis.path(text, "read") for text in [script, *words] if text and text != "-"]
