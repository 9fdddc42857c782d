"""Build the environment that a stage runs in from its own variables.

Of the engine's environment only what says who, where and in which language: names below, nothing else. So a stage
sees no token of the coding agent, and no variable that changes what a program is (PYTHONPATH, LD_*, NODE_OPTIONS, …)
unless the policy itself gives it. PATH loses its relative entries, which would name files of the workspace.
"""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.model.process import kept_environment

KEPT = tuple(
    (
        # who and where
        "PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP TZ SYSTEMROOT XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME"
        " XDG_RUNTIME_DIR"
        # the language of people
        " LANG LC_ALL LC_CTYPE LC_COLLATE LC_NUMERIC LC_TIME LC_MONETARY"
        # where toolchains are installed, and where they keep what they fetched
        " VIRTUAL_ENV CONDA_PREFIX PYENV_ROOT UV_CACHE_DIR PIP_CACHE_DIR NVM_DIR VOLTA_HOME PNPM_HOME npm_config_cache"
        " CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN GOROOT GOPATH GOCACHE GOMODCACHE JAVA_HOME MAVEN_HOME"
        " GRADLE_USER_HOME ANDROID_HOME DOTNET_ROOT GEM_HOME RBENV_ROOT SDKMAN_DIR"
        # the network of the machine
        " SSL_CERT_FILE SSL_CERT_DIR HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy"
    ).split()
)
"""Variables that a stage inherits."""

SET = {
    "CI": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LANGUAGE": "en",
    "NO_COLOR": "1",
    "PYTHONUNBUFFERED": "1",
    "TERM": "dumb",
}
"""Variables that a stage is given: nobody can answer it, its messages are read in English, its output as it comes."""


def environment(own: Iterable[str]) -> dict[str, str]:
    """Return what is kept, what is set, and the stage's own `NAME=value`, which win."""
    given = (item.partition("=") for item in own)
    return {**kept_environment(KEPT), **SET, **{name: value for name, _, value in given}}
