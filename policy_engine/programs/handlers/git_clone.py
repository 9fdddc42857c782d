"""`git clone` and `git init`: make a repository, whose settings and hooks may be chosen by their options."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.git_programs import names_hooks, starts_program

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
    hooks = False
    waiting = list(reversed(arguments.operands))
    while waiting:
        word = waiting.pop()
        name, equals, value = word.partition("=") if word[:2] == "--" else (word, "", "")
        if name[:2] == "--" and len(name) > 2:
            name = next((full for full in _VALUES if full.startswith(name)), name)  # git takes shortened names
        if word[:2] == "-c" and len(word) > 2:
            name, value = "-c", word[2:]
        elif name in _VALUES and not equals:
            value = waiting.pop() if waiting else ""
        if name in ("-c", "--config"):
            _configure(value, analysis)
        elif name == "--template":
            hooks = bool(value)
            if value:
                analysis.doubt("skips-hooks", "a template brings hooks of its own, or none")
        elif word[:1] != "-":
            operands.append(word)
    if analysis.name == "git-init":
        places = operands[:1] or ["."]
        return [analysis.path(text + below, "write") for below in ("", "/.git/hooks")[: 1 + hooks] for text in places]
    if not _is_own(operands, arguments.operands, analysis):
        analysis.does("network")
    if len(operands) > 1:
        return [analysis.path(operands[1], "write", True)]
    name = operands[0].rstrip("/").removesuffix(".git").rpartition("/")[2].rpartition(":")[2] if operands else ""
    return [analysis.path(name, "write", True)] if name else []


def _configure(setting: str, analysis: EffectAnalysis) -> None:
    """One setting that the clone is given, and obeys while it is made."""
    key, _, line = setting.partition("=")
    if names_hooks(key.lower()) and (line or key.lower() != "init.templatedir"):
        analysis.does("skips-hooks")
        return
    analysis.doubt("executes", f"what `{setting[:80]}` configures is not known")
    if starts_program(key.lower()) and line not in ("", "true", "false"):
        analysis.shell(line.removeprefix("!"))


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
