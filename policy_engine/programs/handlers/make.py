"""`make`: runs a target of the makefile; a target called like publishing may do so."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.trials import shows_only

_FLAGS = frozenset("bBdehikLmnpqrRsStvw")
_PUBLISHING = ("publish", "deploy", "upload", "push")
_BUILDING = ("build", "compile", "test", "check", "lint")
_INCLUDES = ("include ", "-include ", "sinclude ")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    shows = shows_only(analysis.name, arguments.operands)
    if analysis.name in ("make", "gmake") and any(
        word == "--print-data-base" or _has_letter(word, "p") for word in arguments.operands
    ):
        analysis.does("discloses")  # with the variables of the environment
    analysis.paths += _file(arguments.operands, analysis)
    for word in arguments.operands:
        name, equals, value = word.partition("=")
        parts = word.replace("_", "-").replace(":", "-").split("-")
        built = any(part in _BUILDING for part in parts)  # `build-release` builds one
        if not shows and any(part in _PUBLISHING or (part == "release" and not built) for part in parts):
            analysis.doubt("publishes", f"the target `{word[:80]}` may publish")
        if equals and value.rpartition("/")[2] in ("sudo", "doas", "su"):
            analysis.doubt("elevates", f"the makefile may use `{word[:80]}`")
        elif equals and name in ("SHELL", ".SHELLFLAGS"):
            analysis.doubt("*", f"`{word[:80]}` chooses what runs the recipes")
        elif equals and name in ("DESTDIR", "prefix", "PREFIX"):
            analysis.paths.append(analysis.path(value, "write", True))
    return []


def _has_letter(word: str, letter: str) -> bool:
    """Return whether a word is a bundle of options without values, with this one among them."""
    return word[:1] == "-" and letter in word and set(word[1:]) <= _FLAGS


def _file(words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """The folder that it works in, and the makefile that it runs."""
    folder, file, paths = "", "", []
    for place, word in enumerate(words):
        follows = "".join(words[place + 1 : place + 2])
        if word in ("-C", "--directory") or word.startswith("--directory="):
            folder = word.partition("=")[2] or follows
        elif word in ("-f", "--file", "--makefile") or word.startswith(("--file=", "--makefile=")):
            file = word.partition("=")[2] or follows
        elif word in ("-f-", "-f/dev/stdin"):
            file = word[2:]
    if folder:
        paths.append(analysis.path(folder, "write"))
    if file in ("-", "/dev/stdin") or not is_known(file):
        analysis.does("executes-input")
        if not is_known(file):
            raise Undecided("which makefile is run is not known")
        for line in (analysis.feed or "").split("\n") if is_known(analysis.feed or "") else ():
            if line.lstrip().startswith(_INCLUDES):  # its recipes may print what it says
                paths += [analysis.path(word, "read") for word in line.split()[1:]]
    elif analysis.name in ("make", "gmake"):
        for name in (file,) if file else ("GNUmakefile", "makefile", "Makefile"):
            text = f"{folder}/{name}" if folder and name[:1] != "/" else name
            analysis.runs.append(analysis.path(text, "read"))
    if file and file not in ("-", "/dev/stdin") and analysis.name in ("make", "gmake"):
        paths.append(analysis.path(file, "read"))
    return paths
