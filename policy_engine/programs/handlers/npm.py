"""`npm`: installs, runs scripts and publishes packages; pnpm and yarn share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import analyse
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import (
    Arguments,
    Scene,
    find_program,
    is_registry_name,
    package_name,
    play_package,
)

_PUBLISHES = ("publish", "unpublish", "deprecate", "dist-tag", "dist-tags", "owner", "access", "star", "team", "stage")
_LOOKS = ("ls", "list", "ll", "la", "view", "info", "show", "outdated", "help", "why", "explain", "root", "prefix",
          "bin",
          "search", "docs", "repo", "bugs", "ping", "whoami", "fund", "audit", "query", "find-dupes", "pack", "version",
          "licenses")  # fmt: skip
_RUN_BY_SETTINGS = ("script-shell", "shell", "git", "node-options", "editor", "viewer", "browser", "onload-script")
_INSTALLS = ("install", "i", "add")
_EXECUTES = ("exec", "x", "dlx", "create", "init", "innit")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = [word for word in arguments.operands if word not in ("npm", "workspaces", "foreach")]
    if scene.name == "yarn" and words[:1] == ["workspace"]:
        words = words[2:]
    if scene.env.get("NODE_OPTIONS") or scene.env.get("npm_config_script_shell") or arguments.has("--script-shell"):
        scene.does("executes")
    for code in arguments.values("--eval", "--print", "-e") if scene.name == "bun" else ():
        analyse(code, scene)
    verb = words[0] if words else "install"
    if not is_known(verb):
        raise Undecided(f"which subcommand of `{scene.name}` is meant is not known")
    if _publishing(verb) and not _looks(verb, words):
        if not _trial(arguments, scene):
            scene.does("publishes", "network")
    elif verb == "version" and arguments.has("--no-commit-hooks"):
        scene.does("skips-hooks")
    elif verb in ("config", "c", "set", "get"):
        _settings(verb, words[1:], arguments, scene)
    elif verb == "token":
        scene.does("discloses")
    elif verb == "pkg" and words[1:2] != ["get"]:
        scene.doubt("skips-hooks", "scripts of package.json may install the hooks")
        return [scene.path("package.json", "write")]
    elif verb in _EXECUTES:
        if verb == "dlx" and not all(map(is_registry_name, words[1:2])):
            scene.doubt("executes-remote", "a package is fetched from somewhere else than the registry and run")
        return _packages(words[1:], arguments.values("--package", "-p"), scene)
    elif _script(words, scene.name).startswith(("publish", "release", "deploy")):
        scene.doubt("publishes", f"the script `{_script(words, scene.name)[:80]}` may publish")
    elif verb not in _LOOKS:
        scene.does("executes")
        if verb in _INSTALLS and not arguments.has("--ignore-scripts"):
            if any("://" in word and not word.startswith("git+") for word in words[1:]):
                scene.does("executes-remote")
            elif any(word.startswith("git+") for word in words[1:]):
                scene.doubt("executes-remote", "a package is fetched from a repository, and its set-up is run")
        _hooks(verb, words, scene)
        if scene.name in ("yarn", "pnpm", "bun"):
            _own_program(words, scene)
    places = arguments.values("--prefix", "--dir", "--cwd", "-C", "--pack-destination")
    if places and (verb not in _LOOKS or verb == "pack") and not _publishing(verb):
        return [scene.path(text, "write") for text in places]
    prefix = scene.env.get("npm_config_prefix") or scene.env.get("NPM_CONFIG_PREFIX")
    if prefix and arguments.has("-g", "--global"):
        return [scene.path(prefix, "write", True)]
    return []


def _settings(verb: str, words: list[str], arguments: Arguments, scene: Scene) -> None:
    """Settings are asked for, among which may be tokens, or changed."""
    if verb != "get" and (verb == "set" or words[:1] not in (["get"], ["list"], ["ls"], [])):
        scene.does("configures")
        if any(word.partition("=")[0] in _RUN_BY_SETTINGS for word in words):
            scene.doubt("*", "the setting names a program that is run later")
    if arguments.has("-l", "--long") or any("auth" in word.lower() or "token" in word.lower() for word in words):
        scene.does("discloses")


def _script(words: list[str], name: str) -> str:
    """The script that is run; npm needs to be told so, its kin do not."""
    if words[:1] in (["run"], ["run-script"], ["rum"]):
        return "".join(words[1:2])
    return "".join(words[:1]) if name != "npm" else ""


def _publishing(verb: str) -> bool:
    """npm takes the beginning of a verb for it."""
    return (
        verb in _PUBLISHES or verb == "tag" or (len(verb) > 2 and verb in ("pub", "publ", "publi", "publis", "unpub"))
    )


def _looks(verb: str, words: list[str]) -> bool:
    """Whether the verb is only asked for what there is."""
    shows = words[1:2] in (["ls"], ["list"], [])
    if verb in ("owner", "access", "team", "stage"):
        return shows or "".join(words[1:2]).startswith(("get", "ls-", "list-"))
    return shows and verb in ("tag", "dist-tag", "dist-tags")


def _trial(arguments: Arguments, scene: Scene) -> bool:
    wanted = (scene.env.get("npm_config_dry_run") or scene.env.get("NPM_CONFIG_DRY_RUN") or "") in ("true", "1")
    if not arguments.has("--dry-run", "--no-dry-run"):
        return wanted
    return arguments.on(("--dry-run",), ("--no-dry-run",)) and arguments.last("--dry-run") not in ("false", "0")


def _hooks(verb: str, words: list[str], scene: Scene) -> None:
    """Hook managers install their hooks when packages are installed."""
    removes = verb in ("uninstall", "remove", "rm", "un", "unlink", "r")
    if removes and any(word in ("husky", "lefthook", "simple-git-hooks", "lint-staged", "yorkie") for word in words):
        scene.doubt("skips-hooks", "the package installs and runs git hooks")
    if scene.env.get("HUSKY") == "0" or scene.env.get("HUSKY_SKIP_INSTALL") or scene.env.get("LEFTHOOK") == "0":
        scene.doubt("skips-hooks", "the hooks are not installed")


def _own_program(words: list[str], scene: Scene) -> None:
    """`yarn NAME`, `pnpm NAME`: a program of the project, where no script is called so."""
    program = find_program(package_name(words[0])) if words else None
    if program is not None and program.name in ("publisher", "twine", "rimraf"):
        scene.paths += play_package(words, scene)


def _packages(words: list[str], packages: list[str], scene: Scene) -> list[PathValue]:
    scene.does("network", "executes")
    if any("://" in word or word.startswith(("git+", "github:", "file:")) for word in words + packages):
        scene.does("executes-remote")
    while words and words[0][:1] == "-":
        words = words[1:]
    return play_package(words, scene)
