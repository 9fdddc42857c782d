"""`git clone` and `git init`: make a repository, whose settings and hooks may be chosen by their options."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.git_programs import starts_program

_VALUES = ("-c", "--config", "--template", "-b", "--branch", "-o", "--origin", "-u", "--upload-pack", "--depth",
           "--reference", "--separate-git-dir", "-j", "--jobs", "--filter", "--initial-branch", "--object-format",
           "--shallow-since", "--bundle-uri", "--revision", "--server-option")  # fmt: skip

_PLAIN = frozenset(
    (
        "-q --quiet -v --verbose -l --local --no-hardlinks --no-local -s --shared -b --branch --depth --single-branch "
        "--no-single-branch --no-tags -n --no-checkout --progress --bare --shallow-since --"
    ).split()
)
"""Options that leave it at the source that is named."""


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    operands: list[str] = []
    waiting = list(reversed(arguments.operands))
    while waiting:
        word = waiting.pop()
        name, equals, value = word.partition("=") if word[:2] == "--" else (word, "", "")
        if name in _VALUES and not equals:
            value = waiting.pop() if waiting else ""
        if name in ("-c", "--config") and value.lower().startswith("core.hookspath"):
            analysis.does("skips-hooks")
        elif name in ("-c", "--config"):
            analysis.doubt("executes", f"what `{value[:80]}` configures is not known")
            key, _, line = value.partition("=")
            if starts_program(key.lower()) and line not in ("", "true", "false"):
                analysis.shell(line.removeprefix("!"))
        elif name == "--template":
            analysis.doubt("skips-hooks", "a template brings hooks of its own, or none")
        elif word[:1] != "-":
            operands.append(word)
    if analysis.name == "git-init":
        hooks = [analysis.path(f"{text}/.git/hooks", "write") for text in operands[:1] or ["."]]
        templates = any(word.startswith("--template") for word in arguments.operands)
        return [*(analysis.path(text, "write") for text in operands[:1] or ["."]), *(hooks if templates else [])]
    if not _is_own(operands, arguments.operands, analysis):
        analysis.does("network")
    if len(operands) > 1:
        return [analysis.path(operands[1], "write", True)]
    name = operands[0].rstrip("/").removesuffix(".git").rpartition("/")[2].rpartition(":")[2] if operands else ""
    return [analysis.path(name, "write", True)] if name else []


def _is_own(operands: list[str], words: list[str], analysis: EffectAnalysis) -> bool:
    """Return whether what is cloned is the repository that is worked in, and nothing else comes with it."""
    options = {word.partition("=")[0] for word in words if word[:1] == "-"}
    if not operands or not options <= _PLAIN or analysis.settings or any(name[:4] == "GIT_" for name in analysis.env):
        return False
    source, filesystem = analysis.path(operands[0].removeprefix("file://"), ""), analysis.filesystem
    try:
        root = filesystem.repository().root
    except Undecided:
        root = filesystem.real_workspace
    return source.known and source.real == root
