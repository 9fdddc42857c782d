"""Recognize the run that npm, pnpm, yarn and bun start: a script of `package.json`, a program of `node_modules`.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.errors import EventError
from policy_engine.model.partial import is_known
from policy_engine.model.strict_json import read_json
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.classify import Place, Run, classify
from policy_engine.test_runs.options import name_packages, read_options, why_renewing
from policy_engine.test_runs.parts import packages_with, prints_several
from policy_engine.test_runs.quiet import QUIET_VERBS
from policy_engine.test_runs.runners import (
    MANAGER_FOLDERS,
    MANAGER_PACKAGES,
    MANAGER_PARTS,
    MANAGER_SETTINGS,
    MANAGER_VALUES,
    RENEWING,
    RUNNERS,
    SCRIPT_FLAGS,
    TASKS,
)
from policy_engine.test_runs.task_files import changed_variable, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from policy_engine.shell.command import SimpleCommand

    Words = tuple[str, ...]

_LEADS = {  # settings that lead a run to other packages, by their files
    ".npmrc": r"(?m)^[\s\"']*(?:workspaces?|include-workspace-root|prefix|filter(?:-prod)?|recursive|dir|if-present)"
    r"[\"']?(?:\[\])?[ \t]*(?:=|$)",
    ".yarnrc": r"--cwd\b",
}
_RUN = ("run", "run-script", "rum", "urn")
_TEST = {"npm": ("test", "t", "tst"), "pnpm": ("test", "t", "tst"), "yarn": ("test",), "bun": (), "cnpm": ("test",)}
_SHOWING = frozenset(
    (
        "--silent -s -q --quiet --verbose -d -dd --color --no-color --no-fund --no-audit "
        "--foreground-scripts --yes -y --stream --parallel --bail --no-update-notifier --offline --prefer-offline "
        "--aggregate-output --sort --no-sort --bun -A -p -pt -t --topological --no-install "
        "--include-workspace-root -iwr --top-level -T --all"
    ).split()
)
_SCRIPTS_OF = dict.fromkeys(("npm", "pnpm", "yarn", "bun"), "package.json") | {"composer": "composer.json"}
"""Package managers, and the files with their scripts."""
_EXEC = ("exec", "x", "dlx")
_OTHER = frozenset(
    (
        "install i ci add remove rm publish pack init create link unlink update upgrade outdated audit login logout "
        "version view info why list ls config cache prune rebuild dedupe start stop restart help set get doctor pm "
        "build dev"
    ).split()
)


def manager_run(name: str, words: Words, place: Place, depth: int) -> Run | None:
    """The run, or None if the manager is asked for something else."""
    rest = list(words[1:])
    packages: list[str] = []
    everywhere, parts = False, ""
    flags: list[str] = []
    while rest and rest[0][:1] == "-":
        everywhere, parts = _option(rest, place, packages, flags, everywhere, parts)
    if not rest:
        return None
    verb = rest.pop(0)
    if verb == "workspaces" and rest[:1] in (["foreach"], ["run"]):
        everywhere = True
        verb = rest.pop(0)
        while rest and (rest[0][:1] == "-" or rest[0] not in _RUN) and verb == "foreach":
            rest.pop(0)
        verb = rest.pop(0) if verb == "foreach" and rest else "run"
    elif verb == "workspace" and rest:
        packages.append(rest.pop(0))
        verb = rest.pop(0) if rest else ""
    if name == "bun" and verb == "test":
        run = read_options(RUNNERS["bun test"], tuple(rest), place)
        if run is not None:
            run.usual = "bun test"
            if parts:
                run.refuse(f"`{parts}` may leave tests out", part=True)
        return run
    if verb in _EXEC:
        while rest and rest[0][:1] == "-":
            rest.pop(0)
        return classify(tuple(rest), place, depth + 1) if rest else None
    if verb in _RUN:
        while rest and rest[0][:1] == "-" and rest[0] != "--":
            everywhere, parts = _option(rest, place, packages, flags, everywhere, parts)
        script = rest.pop(0) if rest else ""
    elif verb in _TEST.get(name, ()):
        script = "test"
    elif name in ("yarn", "pnpm", "bun") and verb not in _OTHER:
        if verb not in (_scripts(place) or {}) and (verb not in TASKS or verb in RUNNERS or verb == "vitest"):
            return classify((verb, *rest), place, depth + 1)
        script = verb
    else:
        return None
    spread = everywhere or not {"--workspaces", "-ws"}.isdisjoint(rest[: rest.index("--")] if "--" in rest else rest)
    if spread and packages_with(script, place) and script in TASKS and script not in (_scripts(place) or {}):
        run = Run("javascript")  # the scripts of the packages
        run.named, run.usual = True, f"{name} run {script}"
    else:
        run = _script_run(name, script, place, depth)
    if run is None:
        return None
    _arguments(rest, run, place, packages, everywhere, parts)
    return run


def _option(
    rest: list[str], place: Place, packages: list[str], flags: list[str], everywhere: bool, parts: str
) -> tuple[bool, str]:
    word = rest.pop(0)
    name, equals, value = word.partition("=")
    if name in ("-r", "--recursive", "--workspaces", "-ws", "--if-present") and name != "--if-present":
        return True, parts
    if name in MANAGER_FOLDERS:
        place.enter(value if equals else rest.pop(0) if rest else ".")
    elif name in ("-w", "--workspace-root") and not equals and (not rest or rest[0] in ("test", "run", "t", "exec")):
        pass  # pnpm: the root of the workspace
    elif name in MANAGER_PACKAGES or f"{name}=" in MANAGER_PACKAGES or name == "-w":
        packages.append(value if equals else rest.pop(0) if rest else "")
    elif name in MANAGER_PARTS:
        parts = parts or name
    elif name in MANAGER_VALUES and (equals or rest):
        value = value or rest.pop(0)
    elif name in _SHOWING:
        flags.append(word)
    else:
        parts = parts or name
    return everywhere, parts


def _arguments(rest: list[str], run: Run, place: Place, packages: list[str], everywhere: bool, parts: str) -> None:
    """Return what stands behind the script's name."""
    words = list(rest)
    informing = False
    while words:
        word = words.pop(0)
        name, equals, _ = word.partition("=")
        if word == "--":
            informing = True
            continue
        if name in MANAGER_PACKAGES or f"{name}=" in MANAGER_PACKAGES or (name == "-w" and not informing):
            packages.append(word.partition("=")[2] if equals else words.pop(0) if words else "")
        elif name in ("--workspaces", "-ws", "-r", "--recursive"):
            everywhere = True
        elif name in ("--help", "-h", "--version", "--listTests", "--list", "--co", "--collect-only", "-V"):
            run.refuse(f"`{name}` only informs")
        elif name in ("--passWithNoTests", "--pass-with-no-tests"):
            run.counted = f"with `{name}` it succeeds without tests"
        elif name in MANAGER_FOLDERS:
            place.enter(word.partition("=")[2] if equals else words.pop(0) if words else ".")
        elif word in SCRIPT_FLAGS or (name in SCRIPT_FLAGS and f"{name}=false" not in SCRIPT_FLAGS):
            if (
                not equals
                and words
                and words[0][:1] != "-"
                and (words[0].isdigit() or name in ("--reporter", "--reporters", "--maxWorkers", "--pool", "--tb"))
            ):
                words.pop(0)
        elif name == "--if-present" or word in ("-s", "--loglevel", "--stream", "--parallel", "--no-bail="):
            parts = parts or (name if name == "--if-present" else "")
        elif word[:1] == "-" and name in MANAGER_PARTS:
            parts = parts or name
        elif name in RENEWING and informing:
            run.refuse(why_renewing(word), part=True)
        else:
            run.refuse(f"`{word}` may make it run a part of the tests", part=True)
    if parts == "--if-present" and everywhere and not packages:
        packages, parts = ["**"], ""
    if parts:
        run.refuse(f"`{parts}` may leave tests out", part=True)
    if everywhere:
        run.parts, run.total = packages_with(run.usual.rpartition(" ")[2], place), run.usual.partition(" ")[0]
    elif packages:
        run.parts = 0 if any("*" in one or "." in one for one in packages) else len(packages)
    if packages:
        name_packages(packages, run)
        run.limited = f"`{packages[0]}` is one package"
    else:
        run.targets = (place.relative() or "",)
    run.own = not everywhere


def _script_run(name: str, script: str, place: Place, depth: int) -> Run | None:
    """The run that a script is, by its name, and by what it says if it is there to be read."""
    if not is_known(script):
        return None
    scripts = _scripts(place)
    inner, changed = None, ""
    if scripts is not None:
        text = scripts.get(script)
        if type(text) is not str:
            if script not in TASKS:
                return None
            run = Run("javascript")
            run.refuse(f"`package.json` has no script `{script}`")
            return run
        inner = _resolved(text, place, depth)
        changed = changed_variable(text, place.env, place.filesystem)
    if script not in TASKS or (script in ("check", "ci", "verify", "coverage") and scripts is not None and not inner):
        if inner is None or not script.startswith("test"):
            return None
        inner.refuse(f"`{script}` is a part of the tests", part=True)
    run = Run("javascript" if inner is None or not inner.of else inner.of)
    if inner is not None and inner.problem and script not in TASKS:
        run.refuse(inner.problem, inner.part)
    run.named, run.usual = True, f"{name} test" if script == "test" and name != "bun" else f"{name} run {script}"
    if type(scripts) is dict and prints_several(str(scripts.get(script))):
        run.parts = 0
    if inner is not None:
        if inner.parts != 1:
            run.parts, run.total = inner.parts, inner.total
        run.counted = inner.counted
        run.named = bool(inner.problem) or inner.named
    if changed:
        run.refuse(f"`{changed}=…` may change what the script `{script}` runs")
    real = place.at("package.json")
    run.files = () if real is None else (real,)
    run.programs += tuple(_settings(place))
    return run


def _settings(place: Place) -> Iterator[str]:
    """The files of settings that may change what a script is, of the folder, the workspace and the home folder."""
    import re

    for folder in ("", f"{place.filesystem.workspace or '.'}/", "~/"):
        for name, keys in MANAGER_SETTINGS.items():
            real = place.at(folder + name)
            text = "" if real is None else text_of(real, place.filesystem)
            if real is not None and (any(key in text for key in keys) or re.search(_LEADS.get(name, r"(?!)"), text)):
                yield real


def _resolved(text: str, place: Place, depth: int) -> Run | None:
    """The run among the commands of a script's text."""
    from policy_engine.shell.parse import parse

    if depth > 3:
        return None
    try:
        commands = parse(text, place.folder.real if place.folder else None, place.filesystem)
    except Undecided:
        return None
    for command in commands:
        words = command.argv
        if not command.via:
            words = ("vitest", "run", *words[1:]) if words[0] == "vitest" and words[1:2] != ("run",) else words
            run = classify(words, Place(place.folder, place.filesystem, command.env), depth + 1)
            if run is not None:
                return run
    return None


def script_commands(name: str, words: Words, place: Place) -> tuple[SimpleCommand, ...]:
    """Return the commands of the script that a package manager is called for; none where that is unknown."""
    from policy_engine.shell.parse import parse

    file = _SCRIPTS_OF.get(name)
    words = tuple(word for word in words if word not in ("-s", "--silent", "run", "run-script"))
    if file is None or len(words) != 1 or place.folder is None:
        return ()
    text = (_scripts(place, file) or {}).get(words[0])
    lines: list[Any] = text if type(text) is list else [text]
    if not all(type(line) is str and line[:1] != "@" for line in lines):
        return ()  # composer: another script, or a function of PHP
    return tuple(command for line in lines for command in parse(line, place.folder.real, place.filesystem))


def starts_program(name: str, words: Words, place: Place) -> bool:
    """Return whether `pnpm eslint` starts a program of a package that prints no summary, since no script is called
    so.
    """
    if name not in ("pnpm", "yarn", "bun") or not words or words[0] not in QUIET_VERBS:
        return False
    scripts = _scripts(place)
    return scripts is not None and words[0] not in scripts


def _scripts(place: Place, file: str = "package.json") -> dict[str, Any] | None:
    """The scripts of the folder's package.json or its like, None if it cannot be read."""
    real = place.at(file)
    if real is None:
        return None
    try:
        content = place.filesystem.read(place.filesystem.resolve(real, None))
        parsed = read_json(content) if isinstance(content, bytes) else None
    except (Undecided, EventError):
        return None
    scripts = parsed.get("scripts") if type(parsed) is dict else None
    return scripts if type(scripts) is dict else ({} if type(parsed) is dict else None)
