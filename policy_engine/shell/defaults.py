"""Tell of which variables a default (`${NAME:-word}`) may be taken: those that the environment of people hardly has.

Imported by the hook path.
"""

from __future__ import annotations

_USUAL = frozenset(
    (
        "HOME USER LOGNAME SHELL PWD OLDPWD TMPDIR TMP TEMP TERM LANG LANGUAGE EDITOR VISUAL PAGER BROWSER HOSTNAME "
        "HOST MAIL DISPLAY PATH CDPATH MANPATH ENV IFS CI WORKSPACE VIRTUAL_ENV GOPATH GOROOT GOBIN GOCACHE GOMODCACHE "
        "NVM_DIR SDKMAN_DIR KUBECONFIG SHLVL UID EUID PPID TZ PREFIX DESTDIR"
    ).split()
)
_BEGINNINGS = (
    "XDG_", "LC_", "SSH_", "GIT_", "GITHUB_", "GITLAB_", "CI_", "RUNNER_", "npm_", "NPM_", "AWS_", "CONDA_", "BASH",
    "PYENV_", "VSCODE_", "CLAUDE", "CODEX", "GEMINI", "OPENCODE", "CURSOR", "POLICY_", "DOCKER_", "PIP_", "UV_",
)  # fmt: skip
_ENDS = ("_HOME", "_ROOT", "_PREFIX", "_CACHE_DIR", "_CONFIG_DIR", "_DATA_DIR", "_INSTALL_DIR")
MAKES = ("mkdir", "touch", "tee")
"""Programs that only make what they are named: of those the default is taken, as of a redirection."""
NAMES = ("dirname", "basename", "echo", "printf")
"""Programs that print such a name where their output stands for it."""


def usually_set(name: str) -> bool:
    """Return whether the environment of people often has such a variable, or nobody can say since it is no name."""
    return not name.isidentifier() or name in _USUAL or name.startswith(_BEGINNINGS) or name.endswith(_ENDS)


def names_program(name: str, default: str) -> bool:
    """Return whether a variable is called as the program that is its default: `PYTHON` of `python3`."""
    called = name.lower().replace("_", "").removesuffix("bin").removesuffix("cmd").removesuffix("exe")
    return len(called) > 1 and called in "".join(char for char in default.rpartition("/")[2] if char.isalnum())
