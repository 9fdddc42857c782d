"""Judge assignments to variables of the environment: which make programs start, find or load other code.

Imported by the hook path.
"""

from __future__ import annotations

import posix

from policy_engine.model.partial import is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.programs.base import EffectAnalysis, Program

STARTS = frozenset(
    (
        "PAGER MANPAGER GIT_PAGER LESSOPEN EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR SUDO_EDITOR HGEDITOR "
        "GIT_SSH_COMMAND GIT_SSH GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS RSYNC_RSH "
        "PROMPT_COMMAND KUBE_EDITOR GH_PAGER GH_EDITOR BROWSER GH_BROWSER LESSCLOSE BAT_PAGER DELTA_PAGER AWS_PAGER "
        "SYSTEMD_PAGER PSQL_PAGER PSQL_EDITOR SYSTEMD_EDITOR FCEDIT HGMERGE P4EDITOR SVN_EDITOR SVN_SSH CVS_RSH "
        "RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CARGO_BUILD_RUSTC_WRAPPER FZF_DEFAULT_COMMAND"
    ).split()
)
"""Variables whose value is a shell line that some programs start."""
WRITES = ("SSLKEYLOGFILE", "LLVM_PROFILE_FILE", "GCOV_PREFIX", "MALLOC_TRACE", "LD_DEBUG_OUTPUT")
"""Variables that name a file, which programs of many kinds write."""
PRELOADED = ("LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES")
"""Variables that name libraries whose code every program runs when it starts."""
INTERPRETED = {"NODE_OPTIONS": "node", "RUBYOPT": "ruby", "PERL5OPT": "perl"}
"""Variables with options of an interpreter, whichever program starts it."""
_LOADS = frozenset(
    (
        "BASH_ENV ENV LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_FRAMEWORK_PATH PYTHONSTARTUP PYTHONHOME PERL5DB "
        "GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_DIR GIT_WORK_TREE"
    ).split()
)
"""Variables of which any value makes programs run other code than their own, or work on another repository."""
_OPTIONS = {
    "NODE_OPTIONS": ("-r", "--require", "--import", "--loader", "--experimental-loader"),
    "RUBYOPT": ("-r", "-I"),
    "PERL5OPT": ("-M", "-m", "-I", "-d"),
    "JAVA_TOOL_OPTIONS": ("-javaagent", "-agent"),
}
"""Variables that hold options, with the beginnings of those that load code."""
_SEARCHED = ("PYTHONPATH", "PERL5LIB", "RUBYLIB", "NODE_PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_VIEWERS = frozenset(": true false echo cat less more most bat delta vi vim nvim nano emacs code micro".split()) | {""}
"""Programs that people name in variables such as PAGER and EDITOR."""
_PROGRAMS = ("bin", "sbin", "shims")  # folders that installers put programs into
_PROJECT = ("node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin")  # the same, of a project
_SCRATCH = ("/tmp/", "/var/tmp/", "/private/tmp/", "/dev/shm/", "/run/shm/", "/var/folders/")


def option_words(program: Program, env: tuple[str, ...]) -> tuple[str, ...]:
    """Return the options that the program takes from variables, those that are known."""
    words: list[str] = []
    for item in env if program.options_in else ():
        name, _, value = item.partition("=")
        if name in program.options_in:
            words += [word for word in _split(value) if is_known(word)]
    return tuple(words)


def _split(value: str) -> list[str]:
    """Divide a text at blanks that no quote and no backslash protects."""
    words: list[str] = []
    word, quote, place = "", "", 0
    while place < len(value):
        char = value[place]
        if char == "\\" and quote != "'":
            place += 1
            word += value[place : place + 1]
        elif quote or char in "'\"":
            word += "" if char == quote or not quote else char
            quote = "" if char == quote else quote or char
        elif char.isspace():
            words += [word] if word else []
            word = ""
        else:
            word += char
        place += 1
    return [*words, word] if word else words


def loads_code(name: str, value: str) -> bool:
    """Detect options in a variable that load code."""
    return name in _OPTIONS and any(option.startswith(_OPTIONS[name]) for option in value.split())


def starts_code(word: str, analysis: EffectAnalysis) -> bool:
    """Detect an assignment after which programs start, find or load other code than they would without it."""
    name, equals, value = word.partition("=")
    if not equals:
        return False
    if name == "PATH":
        return not extends_path(word, analysis)
    if name in _SEARCHED:
        return any(entry.startswith(_SCRATCH) and not _in_workspace(entry, analysis) for entry in value.split(":"))
    if name in STARTS:
        return value.partition(" ")[0].rpartition("/")[2] not in _VIEWERS
    if name in _OPTIONS:
        return not is_known(value) or loads_code(name, value)
    return bool(value) and (name in _LOADS or name.startswith("GIT_CONFIG"))


def extends_path(word: str, analysis: EffectAnalysis) -> bool:
    """Detect a search path that is only extended, by folders that hold installed programs."""
    name, _, value = word.partition("=")
    if name != "PATH":
        return False
    present = posix.environ.get(b"PATH", b"").decode("utf-8", "surrogateescape").split(":")
    return all(entry in present or _holds_programs(entry, analysis) for entry in value.split(":"))


def _in_workspace(entry: str, analysis: EffectAnalysis) -> bool:
    path = analysis.path(entry, "read")
    return path.known and analysis.filesystem.workspace is not None and analysis.filesystem.relative(path) is not None


def _holds_programs(entry: str, analysis: EffectAnalysis) -> bool:
    """Detect an entry that is the old search path, or a folder that installers put programs into."""
    if not is_known(entry):
        return entry.endswith("/bin") or not entry.strip("\0?@")
    path = analysis.path(entry, "read")
    home = analysis.filesystem.home
    if _in_workspace(entry, analysis):
        return entry.rstrip("/").endswith(_PROJECT)
    if not path.known or (path.real.startswith(_SCRATCH) and not (home and path.real.startswith(f"{home}/."))):
        return False
    return entry[:1] == "/" and entry.rstrip("/").rpartition("/")[2] in _PROGRAMS
