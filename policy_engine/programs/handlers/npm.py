"""`npm`: installs, runs scripts and publishes packages; pnpm and yarn share it."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import analyse
from policy_engine.model.partial import is_known, shown
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import (
    Arguments,
    EffectAnalysis,
    fetches_address,
    find_program,
    is_registry_name,
    package_name,
    play_package,
)
from policy_engine.programs.secret_values import hold_secrets

_PUBLISHES = ("publish", "unpublish", "deprecate", "dist-tag", "dist-tags", "owner", "access", "star", "team", "stage")
_LOOKS = ("ls", "list", "ll", "la", "view", "info", "show", "outdated", "help", "why", "explain", "root", "prefix",
          "bin",
          "search", "docs", "repo", "bugs", "ping", "whoami", "fund", "audit", "query", "find-dupes", "pack", "version",
          "licenses")  # fmt: skip
_RUN_BY_SETTINGS = ("script-shell", "shell", "git", "node-options", "editor", "viewer", "browser", "onload-script")
_SHELL_VARIABLES = ("npm_config_script_shell", "NPM_CONFIG_SCRIPT_SHELL")
_SETTINGS_BYTES = 16_384
_SCRIPTS = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")  # what bun runs itself
_INSTALLS = ("install", "i", "add")
_INSTALLING = ("pre", "post", "install", "dependencies")  # beginnings of scripts that nobody must call
_PLAIN_FIELDS = ("name", "version", "description", "license", "author", "type", "private", "main", "engines.node")
_EXECUTES = ("exec", "x", "dlx", "create", "init", "innit")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = [word for word in arguments.operands if word not in ("npm", "workspaces", "foreach")]
    if analysis.name == "yarn" and words[:1] == ["workspace"]:
        words = words[2:]
    if analysis.env.get("NODE_OPTIONS"):
        analysis.does("executes")
    for code in arguments.values("--eval", "--print", "-e") if analysis.name == "bun" else ():
        analyse(code, analysis)
    script = "".join(words[1:2] if words[:1] == ["run"] else words[:1]) if analysis.name == "bun" else ""
    if not is_known(script):  # of a package, or a file
        analysis.unread = f"what `{shown(script)[:80]}` stands for is not known"
    if not is_known(script) or script.endswith(_SCRIPTS):
        return [analysis.run(script)]
    if analysis.name == "bun" and words[-1:] in (["-"], ["/dev/stdin"]) and words[:-1] in ([], ["run"]):
        analysis.does("executes-input", "executes")
        return []
    verb = words[0] if words else "install"
    if not is_known(verb):
        raise Undecided(f"which subcommand of `{analysis.name}` is meant is not known")
    if _publishing(verb) and not _looks(verb, words):
        if not _trial(arguments, analysis):
            analysis.does("publishes", "network")
    elif verb == "version" and arguments.has("--no-commit-hooks"):
        analysis.does("skips-hooks")
    elif verb in ("config", "c", "set", "get"):
        _settings(verb, words[1:], arguments, analysis)
    elif verb == "token":
        analysis.does("discloses")
    elif verb == "pkg" and words[1:2] != ["get"]:
        _fields(words[2:], analysis)
        return [analysis.path("package.json", "write")]
    elif verb in _EXECUTES:
        if verb == "dlx" and not all(map(is_registry_name, words[1:2])):
            analysis.doubt("executes-remote", "a package is fetched from somewhere else than the registry and run")
        return _packages(words[1:], arguments.values("--package", "-p"), analysis)
    elif _script(words, analysis.name).startswith(("publish", "release", "deploy")):
        analysis.doubt("publishes", f"the script `{_script(words, analysis.name)[:80]}` may publish")
    elif verb not in _LOOKS:
        analysis.does("executes")
        _script_shell(arguments, analysis)
        if verb in _INSTALLS and not arguments.has("--ignore-scripts"):
            if any("://" in word and not word.startswith("git+") for word in words[1:]):
                analysis.does("executes-remote")
            elif any(word.startswith("git+") for word in words[1:]):
                analysis.doubt("executes-remote", "a package is fetched from a repository, and its set-up is run")
        _hooks(verb, words, analysis)
        if analysis.name in ("yarn", "pnpm", "bun"):
            _own_program(words, analysis)
    places = arguments.values("--prefix", "--dir", "--cwd", "-C", "--pack-destination")
    if verb in _LOOKS and arguments.unsure and any("://" in word for word in words[2:]):
        analysis.doubt("network", arguments.unsure)  # it may be `--registry`
    if places and (verb not in _LOOKS or verb == "pack") and not _publishing(verb):
        return [analysis.path(text, "write") for text in places]
    prefix = analysis.env.get("npm_config_prefix") or analysis.env.get("NPM_CONFIG_PREFIX")
    if prefix and arguments.has("-g", "--global"):
        return [analysis.path(prefix, "write", True)]
    return []


def _script_shell(arguments: Arguments, analysis: EffectAnalysis) -> None:
    """Tell of the file that runs the lines of scripts in the place of a shell, by option, variable or settings."""
    named = arguments.values("--script-shell", "--config.script-shell")
    named += [analysis.env[name] for name in _SHELL_VARIABLES if analysis.env.get(name)]
    settings = ("" if named else analysis.text_in(analysis.path(".npmrc", "read"), _SETTINGS_BYTES)) or ""
    pairs = (line.partition("=") for line in settings.split("\n"))
    named += [value.strip().strip("'\"") for name, _, value in pairs if name.strip() == "script-shell"]
    for shell in named[:1]:
        if is_known(shell) and "/" in shell:
            analysis.run(shell)


def _settings(verb: str, words: list[str], arguments: Arguments, analysis: EffectAnalysis) -> None:
    """Settings are asked for, among which may be tokens, or changed."""
    if verb != "get" and (verb == "set" or words[:1] not in (["get"], ["list"], ["ls"], [])):
        analysis.does("configures")
        if any(word.partition("=")[0] in _RUN_BY_SETTINGS for word in words):
            analysis.doubt("*", "the setting names a program that is run later")
    if arguments.has("-l", "--long") or any("auth" in word.lower() or "token" in word.lower() for word in words):
        analysis.does("discloses")
    elif analysis.name == "yarn" and words[:1] == ["list"] and hold_secrets([".npmrc", "~/.npmrc"], analysis):
        analysis.does("discloses")  # as it hides nothing of these files


def _script(words: list[str], name: str) -> str:
    """The script that is run; npm needs to be told so, its kin do not."""
    if words[:1] in (["run"], ["run-script"], ["rum"]):
        return "".join(words[1:2])
    return "".join(words[:1]) if name != "npm" else ""


def _fields(words: list[str], analysis: EffectAnalysis) -> None:
    """Tell what the fields that `npm pkg` sets may start: scripts that nobody must call, and lines that harm."""
    for word in words:
        field, equals, value = word.partition("=")
        script = field.removeprefix("scripts.")
        called = script != field and not script.startswith(_INSTALLING)
        if not equals or not is_known(word) or not (called or field in _PLAIN_FIELDS):
            analysis.doubt("skips-hooks", "scripts of package.json may install the hooks")
        elif called:
            analysis.guesses.append(value)


def _publishing(verb: str) -> bool:
    """npm takes the beginning of a verb for it."""
    return (
        verb in _PUBLISHES or verb == "tag" or (len(verb) > 2 and verb in ("pub", "publ", "publi", "publis", "unpub"))
    )


def _looks(verb: str, words: list[str]) -> bool:
    """Return whether the verb is only asked for what there is."""
    shows = words[1:2] in (["ls"], ["list"], [])
    if verb in ("owner", "access", "team", "stage"):
        return shows or "".join(words[1:2]).startswith(("get", "ls-", "list-"))
    return shows and verb in ("tag", "dist-tag", "dist-tags")


def _trial(arguments: Arguments, analysis: EffectAnalysis) -> bool:
    wanted = (analysis.env.get("npm_config_dry_run") or analysis.env.get("NPM_CONFIG_DRY_RUN") or "") in ("true", "1")
    if not arguments.has("--dry-run", "--no-dry-run"):
        return wanted
    return arguments.on(("--dry-run",), ("--no-dry-run",)) and arguments.last("--dry-run") not in ("false", "0")


def _hooks(verb: str, words: list[str], analysis: EffectAnalysis) -> None:
    """Hook managers install their hooks when packages are installed."""
    removes = verb in ("uninstall", "remove", "rm", "un", "unlink", "r")
    if removes and any(word in ("husky", "lefthook", "simple-git-hooks", "lint-staged", "yorkie") for word in words):
        analysis.doubt("skips-hooks", "the package installs and runs git hooks")
    if (
        analysis.env.get("HUSKY") == "0"
        or analysis.env.get("HUSKY_SKIP_INSTALL")
        or analysis.env.get("LEFTHOOK") == "0"
    ):
        analysis.doubt("skips-hooks", "the hooks are not installed")


def _own_program(words: list[str], analysis: EffectAnalysis) -> None:
    """`yarn NAME`, `pnpm NAME`: a program of the project, where no script is called so."""
    program = find_program(package_name(words[0])) if words else None
    if program is not None and program.name in ("publisher", "twine", "rimraf"):
        analysis.paths += play_package(words, analysis)


def _packages(words: list[str], packages: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network", "executes")
    if fetches_address(words) or any(map(fetches_address, ([package] for package in packages))):
        analysis.does("executes-remote")
    while words and words[0][:1] == "-":
        words = words[1:]
    return play_package(words, analysis)
