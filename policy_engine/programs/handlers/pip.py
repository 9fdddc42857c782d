"""`pip`: installs and removes Python packages."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis, stays_here
from policy_engine.programs.invocation import verb_place
from policy_engine.programs.secret_values import hold_secrets

_SETTINGS = ["~/.config/pip/pip.conf", "~/.pip/pip.conf", "/etc/pip.conf", ".venv/pip.conf", "venv/pip.conf"]
_SOURCES = ("-i", "index-url", "-f", "--find-links", "--proxy", "index")  # options that name a place to look in


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    """Each word with the one before it."""
    return [(words[place - 1] if place else "", word) for place, word in enumerate(words)]


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = list(arguments.operands)
    words[: (verb_place((analysis.name, *words)) or 1) - 1] = []
    words = [word for word in words if word not in ("pip", "tool")]
    verb = next((word for word in words if word[:1] != "-"), "")
    if verb in ("install", "download", "wheel", "add", "sync", "run"):
        analysis.does("network", "executes")
        for word in words[words.index(verb) + 1 :]:
            script = analysis.path(f"{word.partition('[')[0].rstrip('/')}/setup.py", "read")
            if word[:1] != "-" and script.known and analysis.filesystem.present(script):
                analysis.runs.append(script)
        if any(word.startswith("git+") for word in words):
            analysis.doubt("executes-remote", "a package is fetched from a repository, and its set-up is run")
        if any(
            "://" in word and not word.startswith("git+") and word[:1] != "-" and not before.endswith(_SOURCES)
            for before, word in _pairs(words)
        ):
            analysis.does("executes-remote")
        named = [word[word.find("http://") :] for before, word in _pairs(words) if "--proxy" not in (before, word[:7])]
        if any(word[:7] == "http://" and not stays_here([word]) for word in named):
            analysis.doubt("executes-remote", "packages come from an index that nobody vouches for")
    if verb in ("install", "uninstall", "remove") and any("policy_engine" in word.replace("-", "_") for word in words):
        analysis.does("controls-engine")
    if analysis.name == "pipx" and verb == "run":
        analysis.runs += [analysis.path(word, "read") for word in words if word.endswith(".py") and "://" not in word]
    paths: list[PathValue] = []
    for place, word in enumerate(words):
        follows = words[place + 1] if place + 1 < len(words) else ""
        if word in ("-t", "--target", "--prefix", "--root", "-d", "--dest", "-w", "--wheel-dir", "--src"):
            paths.append(analysis.path(follows, "write", True))
        elif word.startswith(("--target=", "--prefix=", "--root=", "--dest=", "--wheel-dir=")):
            paths.append(analysis.path(word.partition("=")[2], "write", True))
        elif word == "--user" and verb == "install":
            paths.append(analysis.path(f"{analysis.filesystem.home}/.local/lib", "write"))
        elif word == "--break-system-packages" and verb == "install":
            paths.append(analysis.unknown("site", "where packages of the user are kept is not known", "write"))
    if verb == "config":
        if not any(word in ("list", "get", "debug") for word in words):
            analysis.does("configures")
        elif "debug" in words or hold_secrets(_SETTINGS, analysis):  # variables too, whatever the files hold
            analysis.does("discloses")
    return paths
