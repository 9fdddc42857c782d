"""Recognize a run of tests in a simple command: whose tests, which of them, and why it may prove nothing.

The table is runners.py. What starts other programs is peeled off first (`uv run`, `docker compose exec web`,
`npx`), then interpreters (`python3.12 -m`), then the runner's own options are read. Imported by the hook path.
"""

from __future__ import annotations

import sys

from policy_engine.model.partial import GLOB, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.containers import CONTAINERS, enter_container
from policy_engine.test_runs.environment import environment_files, harmful_assignment, harmful_option, is_personal
from policy_engine.test_runs.options import read_options
from policy_engine.test_runs.quiet import QUIET_VERBS
from policy_engine.test_runs.runners import (
    ALIASES,
    COVERAGE,
    ENVIRONMENT_PROGRAMS,
    FOLDER_OPTIONS,
    MANAGERS,
    MODULES,
    RUNNERS,
    SCRIPT_FOLDERS,
    SCRIPTS,
    STARTERS,
    TASKS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.shell.command import SimpleCommand

    Words = tuple[str, ...]

DEPTH = 8  # starters within starters
WHOLE = ("",)


class Run:
    """A run of tests.

    `of` is the ecosystem ("" any); `reads` the summaries that it prints (() any); `targets` the folders and files
    relative to the workspace whose tests it runs, "" is the workspace, `~NAME` a package of that name; `own` says that
    it does not look into packages below, `limited` why they are not the whole. `problem` says why it proves nothing,
    with `part` if it is a run of some tests; `counted` why only a count proves something, `idle` why an output without
    a count proves nothing, `stale` why only a build on the same line makes it prove something, `prebuilt` why only one
    since the last change. `files` are what decides what it runs, `programs` what it starts by path; `named` says that a
    task or script stands between the line and the runner. `usual` is the line that would count, `started` what starts
    it, each with the folder, `suites` the folders of tests that the line takes for the whole, `place` its options that
    say where it runs. `parts`: how many summaries it prints, 0 if unknown; `total`: the tool that ends with one.
    `searched`: folders in which the line lets Python look first; `image`: whose sources it tests alone."""

    __slots__ = ("of", "reads", "targets", "own", "problem", "part", "limited", "counted", "idle", "stale", "prebuilt",
                 "files", "programs", "named", "usual", "line", "started", "suites", "place", "parts", "total",
                 "searched", "image")  # fmt: skip

    def __init__(self, of: str = "", reads: tuple[str, ...] = ()) -> None:
        self.of = of
        self.reads = reads
        self.targets: tuple[str, ...] = WHOLE
        self.own = self.part = self.named = False
        self.problem = self.limited = self.counted = self.idle = self.stale = self.prebuilt = ""
        self.usual = self.line = self.place = self.total = self.image = ""
        self.parts = 1
        self.files: tuple[str, ...] = ()
        self.programs: tuple[str, ...] = ()
        self.suites: tuple[str, ...] = ()
        self.searched: tuple[str, ...] = ()
        self.started: tuple[tuple[str, str], ...] = ()

    def refuse(self, problem: str, part: bool = False) -> None:
        """Say why it proves nothing; the first reason stays."""
        if not self.problem:
            self.problem, self.part = problem, part


class Place:
    """The place where a command runs: its folder, the workspace, and what was peeled off before it."""

    __slots__ = ("folder", "filesystem", "env", "files", "programs", "started", "inside", "searched", "image")

    def __init__(self, folder: PathValue | None, filesystem: FileSystem, env: Words) -> None:
        self.folder = folder
        self.filesystem = filesystem
        self.env = list(env)
        self.files: list[str] = []
        self.programs: list[str] = []
        self.started: list[str] = []
        self.searched = False  # by Python, for modules, before its own folders
        self.image = ""  # of a container, where nothing else gives it sources
        self.inside = False  # a container: paths are another machine's

    def enter(self, folder: str) -> None:
        """Go into a folder that an option names."""
        if self.folder is None or not is_known(folder):
            self.folder = None
            return
        try:
            self.folder = self.filesystem.resolve(folder, self.folder.real)
        except Undecided:
            self.folder = None

    def at(self, text: str) -> str | None:
        """The real path of a word, None if it is not known."""
        if self.folder is None or not is_known(text):
            return None
        try:
            return self.filesystem.resolve(text, self.folder.real).real
        except Undecided:
            return None

    def kind(self, text: str) -> str:
        """Return what lies there: file, folder, link, other, or "" for nothing and where nobody can say."""
        real = self.at(text)
        if real is None:
            return ""
        try:
            status = self.filesystem.look(self.filesystem.resolve(real, None))
            return status[0] if isinstance(status, tuple) else ""
        except Undecided:
            return ""

    def relative(self, text: str = ".") -> str | None:
        """A word as a path below the workspace, None outside of it."""
        if self.folder is None or not is_known(text):
            return None
        try:
            return self.filesystem.relative(self.filesystem.resolve(text, self.folder.real))
        except Undecided:
            return None


def run_of(command: SimpleCommand) -> Run | None:
    """The run that a command is, None if it runs no tests. Never raises."""
    try:
        folder: PathValue | None = command.cwd
    except Undecided:
        folder = None
    place = Place(folder, command.filesystem, command.env)
    # no file is called `--filter=./packages/*`, so that the option is what is written
    words = [
        word if word[:2] != "--" or place.kind(word.partition("/")[0]) else _written(word) for word in command.argv
    ]
    run = classify(tuple(words), place)
    if run is not None:
        run.line = run.line or _line(command)
        if place.folder is not None:
            real = place.folder.real.rstrip("/")
            run.started = tuple((text, real) for text in place.started if text[:1] != "\0")
    return run


def _written(word: str) -> str:
    """Return an option with a pattern as it is written; a pattern without a folder may stand for names."""
    return word.replace(GLOB, "") if "/" in word.partition(GLOB)[0] else word


def _line(command: SimpleCommand) -> str:
    text = command.text
    for mark in (" >", " 2>", " &>", " |", " <", "\n"):
        text = text.partition(mark)[0]
    return text.strip()[:300]


def classify(words: Words, place: Place, depth: int = 0) -> Run | None:
    """The run that these words are in that place."""
    if not words or depth > DEPTH or not is_known(words[0]):
        return None
    program = words[0]
    name = _base(program)
    if name in MANAGERS:
        from policy_engine.test_runs.managers import manager_run

        managed = manager_run(name, words, place, depth)
        if managed is not None:
            return _finished(managed, place)
    if depth and name in ("sh", "bash", "zsh", "dash", "ash"):
        from policy_engine.test_runs.inner_shells import run_in_shell

        run = run_in_shell(words, place, depth)
        if run is not None:
            return run
    inner = _module(name, words, place) or _started(name, words, place)
    if inner is not None:
        if word := _informing(name, words[1 : len(words) - len(inner)]):
            place.started.append(f"\0`{name} {word}` only informs")
        if "/" in program and (real := place.at(program)) is not None:
            place.programs.append(real)
        return classify(inner, place, depth + 1)
    row, rest = _row(name, words[1:], place)
    if row is not None:
        run = read_options(row[1], rest, place)
        if run is None:
            return None
        if word := _informing(name, rest):
            run.refuse(f"`{name} {word}` only informs")
        _usual(run, row, place)
        place.started.append(row[0])
        first = row[0].partition(" ")[0]
        for folder in ENVIRONMENT_PROGRAMS:
            for file in dict.fromkeys((first, *_INTERPRETERS.get(run.of, ()))):
                if (real := place.at(f"{folder}/{file}")) is not None:
                    run.programs += (real,)
        if "/" in program:
            _by_path(program, row[0], run, place)
        return _finished(run, place)
    return _script(words, place)


_VERSION = dict.fromkeys(("npm", "pnpm", "yarn", "bun", "npx", "bunx", "cnpm", "bundle", "docker", "podman"), ("-v",))
_VERSION.update(dict.fromkeys(("uv", "poetry", "pdm", "mise", "deno", "hatch", "rye", "pixi"), ("-V",)))


def _informing(name: str, words: Words) -> str:
    """Return the word with which a program only tells something about itself; "" if there is none.

    Behind the verb, letters may mean something else (`docker run -v`); what follows `--` is not the program's.
    """
    short = _VERSION.get(name, ())
    for word in words:
        if word == "--":
            break
        if word in ("--version", "--help") or word in short:
            return word
        short = short if word[:1] == "-" else ()
    return ""


def _base(program: str) -> str:
    """The name of a program, without folder, version and ending."""
    name = program.rpartition("/")[2]
    for ending in (".exe", ".cmd", ".sh") if not name.endswith("test.sh") else ():
        name = name.removesuffix(ending)
    if name.startswith(("python", "pypy", "ruby", "php", "node")):
        bare = name.rstrip("0123456789.")
        name = bare if bare in ("python", "pypy", "ruby", "php", "node") else name
    return ALIASES.get(name, "python" if name == "pypy" else name)


def _row(name: str, rest: Words, place: Place) -> tuple[tuple[str, dict[str, str]], Words] | tuple[None, Words]:
    """The row of the table, by the program and the verbs behind its own options."""
    best: tuple[str, dict[str, str]] | None = None
    behind: Words = rest
    for key, verbs in _rows_of().get(name, ()):
        row = RUNNERS[key]
        if best is not None and len(best[0].split()) > len(verbs):
            continue
        rest_of_row = _behind(verbs, rest, (*_VALUED, *row.get("value", "").split()))
        if rest_of_row is not None:
            best, behind = (key, row), rest_of_row
    return (best, behind) if best is not None else (None, rest)


_by_program: dict[str, list[tuple[str, tuple[str, ...]]]] = {}


def _rows_of() -> dict[str, list[tuple[str, Words]]]:
    """Return the keys of the table with their verbs, by program; sorted out when the first command is looked at."""
    if not _by_program:
        for key in RUNNERS:
            first, *verbs = key.split()
            _by_program.setdefault(first, []).append((key, tuple(verbs)))
    return _by_program


_VALUED = ("-C", "--directory", "--cd", "--config", "-p")


def _behind(verbs: Words, rest: Words, valued: Words) -> Words | None:
    """The words behind the verbs, with the options before them kept, and the values of those that are `valued`; None
    if the verbs are not there.
    """
    kept: list[str] = []
    words = list(rest)
    for verb in verbs:
        while words and words[0] != verb:
            word = words.pop(0)
            if word[:1] not in "-+" or not word:
                return None
            kept.append(word)
            if word in valued and words and words[0] != verb:
                kept.append(words.pop(0))
        if not words:
            return None
        words.pop(0)
    return (*(word for word in kept if word[:1] != "+"), *words)


# ---- what starts other programs --------------------------------------------------------------------------------------


def _module(name: str, words: Words, place: Place) -> Words | None:
    """Return what `python -m pytest`, `python manage.py test`, `ruby bin/rails` or `coverage run -m pytest` starts."""
    rest = list(words[1:])
    if name == "go" and rest[:1] == ["run"] and len(rest) > 1:
        return (rest[1].partition("@")[0].rpartition("/")[2], *rest[2:])
    if name not in ("python", "ruby", "php", "coverage", "node", "bash", "sh"):
        return None
    if name == "coverage":
        if rest[:1] != ["run"]:
            return None
        rest.pop(0)
    while rest and rest[0][:1] == "-" and rest[0] != "-":
        word = rest.pop(0)
        if word[:2] != "-m" and _only_informs(name, word):
            return None
        if name == "python" and "O" in word and not word[1:].strip("OBIPSEbdqsuvx"):
            return None  # `-O` leaves assertions out
        if word in ("-m", "-mpytest", "-munittest") or (name == "coverage" and word == "--module"):
            module = word[2:] if len(word) > 2 and word[1] == "m" else (rest.pop(0) if rest else "")
            return _of_module(module, rest, place)
        if word in ("-c", "-e", "-n", "-h", "--help", "-V", "--version", "--test") or (name in ("bash", "sh")):
            return None
        if why := harmful_option(name, "".join((word, *rest[:1]))):
            place.started.append("\0" + why)
        if word in ("-W", "-X", "-I", "-d") or (name == "coverage" and word in COVERAGE.split()):
            if name != "ruby" and rest:
                rest.pop(0)
    if not rest or not is_known(rest[0]):
        return None
    if name in ("bash", "sh"):
        return None if rest[0].endswith((".py", ".js")) else (_as_path(rest[0]), *rest[1:])
    script = rest[0].rpartition("/")[2]
    if script in ("manage.py", "setup.py", "artisan", "rails", "phpunit", "pest", "rspec", "rake", "paratest") or (
        name == "python" and script in ("pytest", "py.test", "tox", "nox")
    ):
        return (_as_path(rest[0]) if "/" in rest[0] else script, *rest[1:])
    if script.partition(".")[0] in SCRIPTS - {"check", "ci", "verify"}:
        return (_as_path(rest[0]), *rest[1:])
    return None


def _only_informs(name: str, word: str) -> bool:
    """Return whether an option makes an interpreter print something about itself, check, or wait for input."""
    if word[:2] == "--":
        return word.startswith(("--help", "--version", "--syntax-check"))
    letters = {"python": "Vh?i", "php": "livmhsw", "ruby": "hc"}.get(name, "")
    return any(letter in word[1:] for letter in letters) and word[1:2] not in "XW"


def _as_path(word: str) -> str:
    return word if "/" in word else "./" + word


def _of_module(module: str, rest: list[str], place: Place) -> Words | None:
    program = MODULES.get(module)
    if not program or not is_known(module):
        return None
    _look_for_shadows(module, place)
    return (program, *rest)


def _look_for_shadows(module: str, place: Place) -> None:
    """Note what Python would run in the place of an installed module."""
    top = module.partition(".")[0]
    place.searched = True
    paths = [item.partition("=")[2] for item in place.env if item.startswith("PYTHONPATH=")]
    for folder in ("", *(part for text in paths for part in text.split(":") if is_known(part))):
        start = f"{folder}/" if folder else ""
        for shadow in (f"{start}{top}.py", f"{start}{top}/__init__.py", f"{start}{top}/__main__.py"):
            if place.kind(shadow):
                place.started.append(f"\0`{shadow}` is what `-m {module}` runs here")


def behind_starter(name: str, words: Words, place: Place) -> Words | None:
    """Return what a starter starts, and `python -m` of a program that prints no summary of tests; None if it is
    neither.
    """
    if _base(name) == "python" and words[1:2] == ("-m",) and words[2:3] and words[2] in QUIET_VERBS:
        _look_for_shadows(words[2], place)
        return words[2:]
    return _started(name, words, place)


def _started(name: str, words: Words, place: Place) -> Words | None:
    """Return what a starter of the table starts, None if it is none or starts nothing."""
    rows = STARTERS.get(name)
    if rows is None:
        return None
    for verb, values, between in rows:
        started = _command_behind(name, verb.split(), values.split(), between, list(words[1:]), place)
        if started:
            given = words[: len(words) - len(started)]
            if name in CONTAINERS:
                enter_container(name, verb, given, place)
            place.started.append(" ".join(given))
            return tuple(started)
    return None


_INFORMING = ("-h", "--help", "--version", "-V", "--list", "--dry-run")
_VERSION_BY_V = frozenset(
    "npx bundle docker docker-compose podman corepack volta nvm rbenv pyenv nodenv ddev bun pnpx uvx".split()
)
"""Starters whose `-v` prints their version; of others it makes them say more."""
_PACKAGES = ("--from", "--with", "--with-editable", "--spec", "-p", "--package")
_ELSEWHERE = ("./", "../", "/", "~", "git+", "file:", "http:", "https:")


def _command_behind(
    name: str, verbs: list[str], values: list[str], between: int, rest: list[str], place: Place
) -> list[str] | None:
    """The words of the command that a starter is given."""
    folders = FOLDER_OPTIONS.get(name, "").split()
    for verb in verbs:
        while rest and rest[0] != verb:
            word = rest.pop(0)
            option, equals, value = word.partition("=")
            if option in folders:
                place.enter(value if equals else rest.pop(0) if rest else ".")
            elif word[:1] != "-" or _informs(name, word):
                return None
            elif rest and rest[0][:1] != "-" and rest[0] != verb and option in ("-f", "--file", "-p", "--env-file"):
                rest.pop(0)
        if not rest:
            return None
        rest.pop(0)
    left = between
    while rest:
        word = rest[0]
        option, equals, value = word.partition("=")
        if word == "--":
            rest.pop(0)
            if not left:
                return rest
            continue
        if word[:1] == "-" and len(word) > 1:
            rest.pop(0)
            if _informs(name, word) and word not in values:
                return None
            if (name, word) in (("command", "-v"), ("command", "-V"), ("sudo", "-l"), ("sudo", "-v")):
                return None
            if option in _PACKAGES and (value if equals else "".join(rest[:1])).startswith(_ELSEWHERE):
                place.started.append(f"\0`{option}` brings a program of its own")
            if option in ("--cwd", "--chdir", "-C") and name in ("env", "conda", "mamba", "mise", "micromamba"):
                place.enter(value if equals else rest.pop(0) if rest else ".")
            elif name == "nix" and option in ("-c", "--command"):
                return rest
            elif name == "nix-shell" and option in ("--run", "--command"):
                return rest[0].split() if rest else None
            elif option in ("--entrypoint",):
                return None
            elif option in folders and (equals or rest):
                place.enter(value if equals else rest.pop(0))
            elif not equals and word in values and rest:
                rest.pop(0)
            continue
        if not left and "=" in word and word.partition("=")[0].isidentifier():
            place.env.append(rest.pop(0))  # env, cross-env, dotenv and others set variables
            continue
        if left:
            rest.pop(0)
            left -= 1
            continue
        if name in ("hatch", "pdm", "pipenv", "poetry", "rye", "pixi") and word not in STARTERS:
            return _environment_task(name, rest)
        return rest if name not in ("nix",) else None
    return None


def _informs(name: str, word: str) -> bool:
    """Return whether an option makes a starter print something about itself and start nothing."""
    return word in _INFORMING or (word == "-v" and name in _VERSION_BY_V)


def _environment_task(name: str, rest: list[str]) -> list[str]:
    """`hatch run dev:pytest` runs a program of an environment, `hatch run test` a script of the project."""
    environment, colon, task = rest[0].partition(":")
    if colon and task in RUNNERS:
        return [task, *rest[1:]]
    if rest[0] in TASKS and rest[0] not in RUNNERS:
        return ["poe", *rest]
    if colon and environment in TASKS and task in TASKS | {"run", "all"}:
        return ["poe", environment, *rest[1:]]
    return rest


# ---- what is called by a path ----------------------------------------------------------------------------------------

_ENVIRONMENTS = (".venv", "venv", "env", ".env", ".tox", ".nox", "node_modules", "vendor", ".virtualenv", "virtualenv")


def _by_path(program: str, name: str, run: Run, place: Place) -> None:
    """A runner that is named by its path must be one of an environment, of the system, or the repository's wrapper."""
    folder = program.rpartition("/")[0]
    parts = folder.split("/")
    real = place.at(program)
    if real is not None:
        run.programs += (real,)
    if name.partition(" ")[0] in ("gradlew", "mvnw", "rails", "rspec", "rake", "artisan", "manage.py", "setup.py"):
        return
    if parts[-1:] in (["bin"], [".bin"], ["Scripts"]) and any(part in _ENVIRONMENTS or "env" in part for part in parts):
        if folder[:1] != "/" or place.inside or place.relative(program) is not None or is_personal(folder, place):
            return
    if folder.startswith(("/usr/", "/bin", "/opt/", "/nix/", "/home/linuxbrew/")) or is_personal(folder, place):
        return
    if place.inside:
        return
    run.refuse(f"`{program}` is not known to be `{name.partition(' ')[0]}`")


def _script(words: Words, place: Place) -> Run | None:
    """A script of the repository that is called like its tests: `script/test`, `./scripts/run-tests.sh`."""
    program = words[0]
    if "/" not in program or not is_known(program):
        return None
    file = program.rpartition("/")[2]
    if file.partition(".")[0] not in SCRIPTS:
        return None
    relative = place.relative(program)
    if relative is None:
        return None
    above, _, _ = relative.rpartition("/")
    top, _, last = above.rpartition("/")
    if last not in SCRIPT_FOLDERS:
        return None
    run = Run()
    run.named, run.usual = True, program
    real = place.at(program)
    run.files = run.programs = () if real is None else (real,)
    run.targets = (top if last else above,)
    arguments = [word for word in words[1:] if word not in ("-q", "-v", "--quiet", "--verbose", "--ci", "-x")]
    if arguments:
        run.refuse(f"`{arguments[0]}` may make it run a part of the tests", part=True)
    for item in place.env:
        if problem := harmful_assignment(item, place):
            run.refuse(problem)
    return run


# ---- the end ---------------------------------------------------------------------------------------------------------


def _usual(run: Run, row: tuple[str, dict[str, str]], place: Place) -> None:
    """Say what to run instead: started as the run was, and where it was."""
    starters = [text for text in place.started if text[:1] != "\0"]
    usual = row[1].get("usual", "")
    if usual:
        if run.place:
            first, _, rest = usual.partition(" ")
            verbs = row[0] if usual.startswith(row[0]) else first
            usual = f"{verbs} {run.place}{usual[len(verbs) :]}" if rest or verbs == usual else usual
        plain = usual.removeprefix("npx ").removeprefix("bundle exec ") if starters else usual
        run.usual = " ".join([*starters, plain])


_INTERPRETERS = {"python": ("python", "python3"), "javascript": ("node",)}
_OWN_MODULES = frozenset("pytest _pytest pluggy iniconfig packaging exceptiongroup tomli py sitecustomize".split())
_OTHERS = frozenset(("test", "this", "antigravity", "turtle", "idlelib"))  # of Python's own, which no runner needs


def _shadows(place: Place) -> list[str]:
    """Return what Python would import from the folders of a line in the place of modules that a runner is made of."""
    folders = [""] if place.searched else []
    for item in place.env:
        if item.startswith("PYTHONPATH="):
            folders += [part for part in item.partition("=")[2].split(":") if part and is_known(part)]
    shadowing = []
    for folder in dict.fromkeys(folders):
        try:
            names = place.filesystem.names(place.filesystem.resolve(place.at(folder or ".") or ".", None))
        except Undecided:
            continue
        for name in names:
            stem = name.removesuffix(".py")
            if stem in _OWN_MODULES or (stem in sys.stdlib_module_names and stem not in _OTHERS):
                file = name if name != stem else f"{name}/__init__.py"
                if (real := place.at(f"{folder}/{file}" if folder else file)) is not None:
                    shadowing.append(real)
    return shadowing


def _finished(run: Run, place: Place) -> Run:
    """Return what environment and folder add to a run."""
    if run.of == "python":
        place.programs += _shadows(place)
        if any(item.startswith("PYTHONPATH=") for item in place.env):
            from policy_engine.test_runs.swapped import searched_by_line, why_doubled

            run.searched = tuple(searched_by_line(place))
            if why := why_doubled(place):
                run.refuse(why)
    for text in place.started:
        if text[:1] == "\0":
            run.refuse(text[1:])
        place.programs += filter(None, map(place.at, environment_files(text)))
    for item in place.env:
        if problem := harmful_assignment(item, place):
            run.refuse(problem)
    run.image = place.image
    run.files += tuple(place.files)
    run.programs += tuple(place.programs)
    if place.relative() is None:
        run.refuse("the folder that it ran in is not known" if place.folder is None else "it ran outside the workspace")
    return run
