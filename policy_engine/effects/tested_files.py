"""Find the files of tests that a call of a test runner starts: those it names, and those that the line has written.

Imported by the hook path when a line starts a program that runs code of its project.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

    AnalysisOf = Callable[[SimpleCommand], EffectAnalysis]

_RUNNERS = {"pytest": "python", "py.test": "python", "unittest": "python", "nose2": "python",
            "vitest": "node", "jest": "node", "mocha": "node", "ava": "node"}  # fmt: skip
MEASURES = ("coverage",)  # which start a module of Python as it does itself
_ENDINGS = {"python": (".py",), "node": (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")}


def tested_files(
    command: SimpleCommand, analysis: EffectAnalysis, analysis_of: AnalysisOf
) -> tuple[list[PathValue], str]:
    """Return the files, and their language: of named folders, and of none at all, those that the line has written."""
    words = command.argv
    module = (
        words[words.index("-m") + 1 :][:1] if "-m" in words and command.name.startswith(("python", *MEASURES)) else ()
    )
    language = _RUNNERS.get(command.name) or _RUNNERS.get("".join(module), "")
    if not language or analysis.informs:
        return [], ""
    named = [word.partition("::")[0] for word in words[1:] if is_known(word) and word[:1] != "-"]
    if "unittest" in module:
        named += [f"{word.replace('.', '/')}.py" for word in named if "/" not in word and not word.endswith(".py")]
    files = [analysis.path(word, "read") for word in named if word.endswith(_ENDINGS[language])]
    if not files or "unittest" in module:
        for one in command.before:
            try:
                files += [path for path in analysis_of(one).paths if path.access == "write" and path.known]
            except Undecided:
                continue
    return [path for path in files if path.known and is_of_tests(path.real, language)], language


def is_of_tests(file: str, language: str) -> bool:
    """Return whether a file holds tests by its name."""
    name = file.rpartition("/")[2]
    marked = name.startswith("test") or name.rpartition(".")[0].endswith(("_test", ".test", ".spec", "-test"))
    return name.endswith(_ENDINGS[language]) and (marked or (language == "node" and "/test" in file))


def stands_in(file: str, text: str) -> bool:
    """Return whether tests of JavaScript put something else in the place of what they call."""
    return is_of_tests(file, "node") and any(word in text for word in ("mock", "spyOn", "stub", "toThrow", "rejects"))
