"""`npm`: installs, runs scripts and publishes packages; pnpm and yarn share it."""

from __future__ import annotations

from policy_engine.model.inline_code import analyse
from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene, find_program

_PUBLISHES = ("publish", "unpublish", "deprecate", "dist-tag", "dist-tags", "owner", "access", "star", "team", "stage")
_LOOKS = ("ls", "list", "ll", "la", "view", "info", "show", "outdated", "help", "why", "explain", "root", "prefix",
          "bin",
          "search", "docs", "repo", "bugs", "ping", "whoami", "fund", "audit", "query", "find-dupes", "pack", "version",
          "licenses")  # fmt: skip
_EXECUTES = ("exec", "x", "dlx", "create", "init", "innit")


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = [word for word in arguments.operands if word not in ("workspace", "npm", "workspaces", "foreach")]
    if scene.name == "yarn" and arguments.operands[:1] == ["workspace"]:
        words = arguments.operands[2:]
    if scene.env.get("NODE_OPTIONS") or scene.env.get("npm_config_script_shell") or arguments.has("--script-shell"):
        scene.does("executes")
    for code in arguments.values("--eval", "--print", "-e") if scene.name == "bun" else ():
        analyse(code, scene)
    verb = words[0] if words else "install"
    if not is_known(verb):
        raise Undecided(f"which subcommand of `{scene.name}` is meant is not known")
    dry = arguments.on(("--dry-run",), ("--no-dry-run",))
    if verb in _PUBLISHES and not dry and not (verb.startswith("dist-tag") and words[1:2] in (["ls"], ["list"], [])):
        if not (verb in ("owner", "access", "team", "stage") and words[1:2] in (["ls"], ["list"], ["get"], [])):
            scene.does("publishes", "network")
    elif verb == "release" and scene.name != "npm":
        scene.does("publishes", "network")
    elif verb in ("config", "c", "set", "get"):
        _settings(verb, words[1:], arguments, scene)
    elif verb == "token":
        scene.does("discloses")
    elif verb == "pkg" and words[1:2] != ["get"]:
        scene.doubt("skips-hooks", "scripts of package.json may install the hooks")
        return [scene.path("package.json", "write")]
    elif verb in _EXECUTES:
        if verb == "dlx":
            scene.doubt("executes-remote", "a package is fetched from the registry and run")
        _packages(words[1:] + arguments.values("--package"), scene)
    elif verb in ("run", "run-script", "rum") and words[1:] and words[1].startswith(("publish", "release", "deploy")):
        scene.doubt("publishes", f"the script `{words[1][:80]}` may publish")
    elif verb not in _LOOKS:
        scene.does("executes")
    places = arguments.values("--prefix", "--dir", "--cwd", "-C", "--pack-destination")
    if places and (verb not in _LOOKS or verb == "pack") and verb not in _PUBLISHES:
        return [scene.path(text, "write") for text in places]
    if arguments.has("-g", "--global", "--location") and verb in ("install", "i", "add", "uninstall", "rm", "link"):
        return [scene.unknown("global", "where global packages are kept is not known", "write")]
    return []


def _settings(verb: str, words: list[str], arguments: Arguments, scene: Scene) -> None:
    """Settings are asked for, among which may be tokens, or changed."""
    if verb != "get" and (verb == "set" or words[:1] not in (["get"], ["list"], ["ls"], [])):
        scene.does("configures")
    if arguments.has("-l", "--long") or any("auth" in word.lower() or "token" in word.lower() for word in words):
        scene.does("discloses")


def _packages(words: list[str], scene: Scene) -> None:
    scene.does("network", "executes")
    if any("://" in word or word.startswith(("git+", "github:", "file:")) for word in words):
        scene.does("executes-remote")
    names = [word.rpartition("@")[0] or word for word in words if word[:1] != "-"]
    program = find_program(names[0]) if names else None
    if program is not None and program.name == "publisher" and program.touched is not None:
        arguments = program.arguments(tuple(words[words.index(next(w for w in words if w[:1] != "-")) + 1 :]))
        scene.name = names[0]
        program.touched(arguments, scene)


PROGRAM = Program(
    "npm",
    short="gDESPfdsqhvyOBLlapr",
    short_values="wCFe",
    long={
        "workspace": VALUE, "prefix": VALUE, "registry": VALUE, "tag": VALUE, "access": VALUE, "otp": VALUE,
        "dry-run": FLAG, "no-dry-run": FLAG, "global": FLAG, "save": FLAG, "save-dev": FLAG, "save-exact": FLAG,
        "silent": FLAG, "loglevel": VALUE, "workspaces": FLAG, "include-workspace-root": FLAG,
        "ignore-scripts": FLAG, "force": FLAG, "json": FLAG, "production": FLAG, "omit": VALUE, "include": VALUE,
        "filter": VALUE, "recursive": FLAG, "dir": VALUE, "cwd": VALUE, "userconfig": VALUE, "globalconfig": VALUE,
        "cache": VALUE, "script-shell": VALUE, "pack-destination": VALUE,
        "eval": VALUE, "print": VALUE, "no-git-checks": FLAG,
        "frozen-lockfile": FLAG, "immutable": FLAG,
        "if-present": FLAG, "prefer-offline": FLAG, "no-audit": FLAG, "no-fund": FLAG, "legacy-peer-deps": FLAG,
        "yes": FLAG, "package": VALUE, "call": VALUE, "no-save": FLAG, "location": VALUE, "depth": VALUE,
        "all": FLAG, "long": FLAG, "parseable": FLAG, "parallel": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    tolerant=True,
    informs=("--help", "--version", "-v", "-h"),
)  # fmt: skip
