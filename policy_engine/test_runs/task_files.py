"""Say why a task that a task runner ran may not be the one that the repository describes.

A file of the task's name makes `make` succeed at once, a variable before it or a file that it includes changes what its
recipe runs. Imported by the hook path when a task runner ran.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.test_runs.runners import TASKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.shell.command import SimpleCommand

    Wrote = Callable[[str], bool]

FILES = {
    "make": ("GNUmakefile", "makefile", "Makefile"), "gmake": ("GNUmakefile", "makefile", "Makefile"),
    "just": ("justfile", ".justfile", "Justfile"),
    "task": ("Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"),
}  # fmt: skip
"""The task runners whose files are looked at, with the names of these files, the first that is there being the one."""
PARTS = (".mk", ".mak", ".make", ".just")
"""How the names of files end that other task files include."""
_MAKE = ("make", "gmake")
_VERBS = TASKS | frozenset("lint format fmt typecheck types style static audit security smoke e2e integration".split())
_KEPT = frozenset("CI V VERBOSE J COLOR Q QUIET DEBUG JOBS NO_COLOR TERM LANG TZ HOME USER TMPDIR PATH".split())
_KEPT_ENDS = ("ENV", "_URL", "_HOST", "_PORT", "_LEVEL", "_LOG", "_USER", "_NAME", "_TOKEN", "_KEY", "_REGION")
_IDLE = frozenset("true echo printf cat test date pwd env sleep whoami".split())
_MOST = 65_536
_DEPTH = 3
_INCLUDES = ("include ", "-include ", "sinclude ", "import ", "mod ", "set dotenv")


def changed_variable(text: str, assignments: Iterable[str], filesystem: FileSystem) -> str:
    """The variable of the line that a task's text names and whose value may be a program or options, "" if none is."""
    for item in assignments:
        name, _, value = item.partition("=")
        if name in _KEPT or name.endswith(_KEPT_ENDS) or not name.isidentifier():
            continue
        if _names(text, name) and _may_run(value, filesystem):
            return name
    return ""


def _names(text: str, name: str) -> bool:
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        before, after = text[at - 1 : at] if at else "", text[end : end + 1]
        if not (before.isalnum() or before == "_" or after.isalnum() or after == "_"):
            return True
        at = text.find(name, end)
    return False


def _may_run(value: str, filesystem: FileSystem) -> bool:
    """Return whether a value may name a program or add words to a command: no number, no address, no plain word."""
    if not is_known(value):
        return True
    if value == "" or value.isdigit() or "://" in value:
        return False
    if not value.isidentifier() or value in _IDLE:
        return True
    try:
        return filesystem.program(value) is not None
    except (Undecided, NotImplementedError):
        return True


def lies_there(goal: str, folder: PathValue, text: str, filesystem: FileSystem) -> bool:
    """Return whether something of a task's name lies in the folder, so that make need not run its recipe."""
    if goal not in _VERBS or _is_phony(goal, text):
        return False
    try:
        return filesystem.look(PathValue(goal, f"{folder.real.rstrip('/')}/{goal}")) is not ABSENT
    except Undecided:
        return False


def _is_phony(goal: str, text: str) -> bool:
    for line in text.replace("\\\n", " ").split("\n"):
        head, colon, rest = line.partition(":")
        if colon and ".PHONY" in head and (goal in rest.split() or "$" in rest or "%" in rest):
            return True
        if colon and goal in head.split() and rest[:1] == ":":
            return True  # a rule with two colons and no prerequisites always runs
    return False


def goals_of(real: str, filesystem: FileSystem) -> frozenset[str]:
    """Return the goals that the rules of a Makefile make from others, as they are spelled there."""
    lines = text_of(real, filesystem).replace("\\\n", " ").split("\n")
    heads = (line.partition(":") for line in lines if line[:1] not in ("\t", "#", " ", "."))
    return frozenset(goal for head, _, rest in heads if rest.strip() and rest[:1] != "=" for goal in head.split())


# ---- files that a task file reads ------------------------------------------------------------------------------------


def read_by(real: str, filesystem: FileSystem, start: str = "", depth: int = _DEPTH) -> Iterator[str]:
    """The files that a task file includes, or whose shell script it runs, as far as its text names them; `start` is
    the folder that it runs in, its own where none is given."""
    text = text_of(real, filesystem)
    folder = start or real.rpartition("/")[0]
    for line in text.split("\n") if depth else ():
        words = line.replace("'", " ").replace('"', " ").replace(";", " ").split()
        included = line.lstrip().startswith(_INCLUDES)
        for word in words:
            if "$" in word or not (included or word.endswith((".sh", ".bash")) or word.startswith("./")):
                continue
            try:
                path = filesystem.resolve(word, folder)
            except Undecided:
                continue
            yield path.real
            if included or word.endswith((".sh", ".bash")):
                yield from read_by(path.real, filesystem, folder, depth - 1)


def text_of(real: str, filesystem: FileSystem) -> str:
    """The text of a file, "" if it has none that can be read."""
    try:
        return filesystem.script(PathValue(real, real), _MOST) or ""
    except Undecided:
        return ""


def lies_at(real: str, filesystem: FileSystem) -> bool:
    """Return whether a file with a text that can be read lies there."""
    try:
        return filesystem.script(PathValue(real, real), _MOST) is not None
    except Undecided:
        return False


# ---- commands of task runners ----------------------------------------------------------------------------------------


def why_hollow(command: SimpleCommand, wrote: Wrote, parts: Iterable[str]) -> str:
    """Return why the success of a task runner says nothing of the task that the repository describes, "" if it does.

    `wrote` tells whether the session wrote a file, `parts` are the parts of task files that it wrote.
    """
    try:
        filesystem, folder = command.filesystem, command.cwd
    except Undecided:
        return ""
    there = _task_files(command.name, folder.real, filesystem)
    if not there:
        return ""
    if len(there) > 1 and wrote(there[0]):
        return f"this session wrote `{_last(there[0])}`, which takes the place of `{_last(there[1])}`"
    text = text_of(there[0], filesystem)
    if name := changed_variable(text, command.env, filesystem):
        return f"`{name}=…` may change what `{_last(there[0])}` runs"
    for word in command.argv[1:] if command.name in _MAKE else ():
        if is_known(word) and lies_there(word, folder, text, filesystem):
            return f"something named `{word}` lies beside `{_last(there[0])}`, so that make need not run the task"
    return written_part(there[0], wrote, parts, filesystem)


def task_file(name: str, folder: str, filesystem: FileSystem) -> str:
    """Return the file that a task runner reads in a folder, "" if there is none."""
    return next(iter(_task_files(name, folder, filesystem)), "")


def _task_files(name: str, folder: str, filesystem: FileSystem) -> list[str]:
    places = (f"{folder.rstrip('/')}/{file}" for file in FILES.get(name, ()))
    return [place for place in places if _is_file(place, filesystem)]


def written_part(real: str, wrote: Wrote, parts: Iterable[str], filesystem: FileSystem) -> str:
    """Return why a part of a task file that the session wrote matters, "" if there is none."""
    kind = real.rpartition(".")[2]
    for part in parts if "akefile" in real else ():
        return f"this session wrote `{_last(part)}`, which `{_last(real)}` may include"
    if kind in ("json", "toml"):
        return ""
    for part in read_by(real, filesystem):
        if wrote(part):
            return f"this session wrote `{_last(part)}`, which `{_last(real)}` reads or runs"
    return ""


def advice_on(why: str, line: str, files: Iterable[str], filesystem: FileSystem) -> str:
    """Return what to do about a part of a task file that the session wrote: what `make` makes is built anew."""
    goals = (goal for real in files if "akefile" in real for goal in goals_of(real, filesystem))
    if line.startswith("make ") and any(f"wrote `{_last(goal)}`" in why for goal in goals):
        return f"Build it anew with `{line.replace('make', 'make -B', 1)}`, and from then on run"
    return "Run the tests without it"


def _is_file(real: str, filesystem: FileSystem) -> bool:
    try:
        status = filesystem.look(PathValue(real, real))
    except Undecided:
        return False
    return isinstance(status, tuple) and status[0] in ("file", "link")


def _last(real: str) -> str:
    return real.rpartition("/")[2]
