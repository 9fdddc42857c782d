"""`git config`: reads or changes settings; some of them name programs and hooks."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.limits import READ_BYTES
from policy_engine.model.partial import is_known, shown
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.git_programs import names_hooks, starts_program
from policy_engine.programs.git_settings import settings_of

_READS = ("--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list", "-l", "--get-color", "--get-colorbool")
_RUNS = (
    "core.pager core.editor core.sshcommand core.fsmonitor core.askpass diff.external sequence.editor gpg.program "
    "credential.helper interactive.difffilter core.gitproxy core.hookspath"
).split()
_PLACES = ("core.worktree", "core.bare", "extensions.worktreeconfig")  # settings that name other files as the work tree
_RUN_STARTS = ("alias.", "pager.", "include", "filter.", "url.", "protocol.ext", "hook.")
_RUN_ENDS = (".textconv", ".command", ".driver", ".cmd", ".program", ".uploadpack", ".receivepack", ".helper")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = list(arguments.operands)
    files = arguments.values("-f", "--file")
    verb = words[0] if words and words[0] in _VERBS else ""
    if verb:
        words.pop(0)
    if arguments.has(*_READS) or verb in ("list", "get", "get-color", "get-colorbool"):
        _shows(words, analysis)
        return [analysis.path(text, "read") for text in files]
    changes = arguments.has("--unset", "--unset-all", "--add", "--replace-all", "--edit", "-e", "--remove-section",
                            "--rename-section")  # fmt: skip
    if not changes and not verb and len(words) < 2:
        _shows(words, analysis)
        return [analysis.path(text, "read") for text in files]
    analysis.does("configures")
    key = (words or [""])[0].lower()
    if key == "init.templatedir" and (not any(words[1:]) or arguments.has("--unset", "--unset-all") or verb == "unset"):
        pass  # no folder is copied any more
    elif names_hooks(key) or (key == "core" and changes):
        analysis.does("skips-hooks", "executes")
    elif key.startswith("include"):
        if len(words) > 1 and _brings_hooks(words[1], analysis):
            analysis.does("skips-hooks", "executes")
        analysis.doubt("skips-hooks", f"what `{key[:80]}` brings with it is not known")
    elif not is_known(key) or not key or verb == "edit" or arguments.has("-e", "--edit"):
        analysis.doubt("skips-hooks", "which setting is changed is not known")
        analysis.doubt("executes", "which setting is changed is not known")
    if key.startswith("alias.") and len(words) > 1 and not arguments.has("--unset", "--unset-all"):
        value = words[1]
        if value[:1] == "!" or not is_known(value):
            analysis.shell(value.removeprefix("!"))
        else:
            analysis.lines.append(f"git {value}")
    elif key in _RUNS or key.startswith(_RUN_STARTS) or key.endswith(_RUN_ENDS):
        analysis.does("executes")  # at some later call of git
    if key.endswith(".vcs") and len(words) > 1:
        analysis.doubt("*", f"the program that `{key[:80]}` names reads the address as it likes")
    if starts_program(key) and len(words) > 1 and " " in words[1]:
        analysis.lines.append(words[1].removeprefix("!"))
    if key.startswith("remote.") and key.endswith((".push", ".mirror")) and len(words) > 1:
        if shown(words[1])[:1] == "+" or key.endswith(".mirror"):
            analysis.rewrites("*")
    if files:
        return [analysis.path(text, "write") for text in files]
    if arguments.has("--global"):
        return [analysis.path(f"{analysis.filesystem.home}/.gitconfig", "write")]
    if arguments.has("--system"):
        return [analysis.path("/etc/gitconfig", "write")]
    return [analysis.path(".git/config", "write")] if key in _PLACES else []


def _brings_hooks(file: str, analysis: EffectAnalysis) -> bool:
    """Return whether a file that is included, which is named from the settings, is known to name hooks."""
    text = analysis.text_in(analysis.path(file if file[:1] in "/~" else f".git/{file}", "read"), READ_BYTES)
    try:
        return any(names_hooks(key) for key, _ in settings_of(text, file))
    except Undecided:
        return False


def _shows(words: list[str], analysis: EffectAnalysis) -> None:
    """Tell that a setting is shown that holds a token, which automation leaves there for its fetches."""
    if any("extraheader" in word.lower() for word in words[:2] if is_known(word)):
        analysis.does("discloses")


_VERBS = ("list", "get", "set", "unset", "rename-section", "remove-section", "edit", "get-color", "get-colorbool")
