"""A shell line → its simple commands, for lines of plain and literally quoted words, alone or joined by `&&`.

Everything else raises Undecided for the whole line: a rule that reads `commands` is then undecided, never wrong.
Words mean the same in sh, bash, dash, ksh and zsh as long as only these forms occur. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.limits import COMMAND_BYTES
from policy_engine.model.paths import PathValue, absolute_text, components
from policy_engine.model.undecided import Undecided
from policy_engine.shell.command import SimpleCommand
from policy_engine.shell.names import CHANGES_SHELL, RESERVED, RUNS_ANOTHER
from policy_engine.shell.patterns import decides
from policy_engine.shell.words import Word, segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.world import World

DIALECTS = ("bash", "sh", "dash", "ksh", "zsh")
# PROJECT run WORD…: the word is started in the project's environment, and its exit status is passed on.
_PREFIXES = {
    "uv": "run",
    "poetry": "run",
    "pipenv": "run",
    "pdm": "run",
    "hatch": "run",
    "rye": "run",
    "bundle": "exec",
}


def parse(line: str, cwd: str | None, world: World, dialect: str | None = None) -> tuple[SimpleCommand, ...]:
    """The simple commands of a line, at least one. Raises Undecided for all that is not understood.

    `cwd` is the absolute folder the line starts in (None: unknown until a `cd` to an absolute folder); `dialect` the
    shell's name, if the host tells it.
    """
    if dialect is not None and dialect.rpartition("/")[2] not in DIALECTS:
        raise Undecided(f"the shell `{dialect[:80]}` is not understood yet")
    if len(line) > COMMAND_BYTES:
        raise Undecided(f"the command is longer than COMMAND_BYTES ({COMMAND_BYTES})")
    parts = segments(line, world)
    folder = _start(cwd, world)
    commands: list[SimpleCommand] = []
    for text, words in parts:
        found = _simple_commands(text, words, folder, world, len(parts) > 1)
        commands += found
        if found[0].program == "cd" and len(parts) > 1:
            folder = _followed(found[0], cwd, world)
            cwd = folder.real
    return tuple(commands)


def _start(cwd: str | None, world: World) -> PathValue | str:
    """The folder a line starts in, or why it is not known."""
    if cwd is None:
        return "`cwd` was not sent"
    try:
        return world.resolve(cwd, None)
    except Undecided as unknown:
        return unknown.reasons[0]


def _simple_commands(
    text: str, words: list[Word], folder: PathValue | str, world: World, joined: bool
) -> list[SimpleCommand]:
    env: list[str] = []
    while words and words[0].assigns:
        env.append(words.pop(0).text)
    if not words:
        raise Undecided("a line without a command is not understood yet")
    argv = tuple(word.text for word in words)
    _refuse(argv, words[0], joined, env)
    place = folder if isinstance(folder, PathValue) else None
    unknown = None if isinstance(folder, PathValue) else {"cwd": folder}
    outer = SimpleCommand(argv, text, place, world, tuple(env), (), True, not joined, unknown)
    program = outer.program
    if program not in _PREFIXES or argv[1:2] != (_PREFIXES[program],):
        return [outer]
    inner = argv[2:]
    if not inner or inner[0][:1] == "-":
        raise Undecided(f"`{program} {argv[1]}` with options is not understood yet")
    _refuse(inner, words[2], True, env)
    via = (f"{program} {argv[1]}",)
    return [outer, SimpleCommand(inner, text, place, world, tuple(env), via, True, False, unknown)]


def _refuse(argv: tuple[str, ...], first: Word, joined: bool, env: list[str]) -> None:
    """Raise Undecided for programs that run others, and for what changes the shell under later commands."""
    name = argv[0].rpartition("/")[2]
    if not name:
        raise Undecided("a command without a name is not understood yet")
    if name in RESERVED and not first.quoted:
        raise Undecided(f"`{name}` is not understood yet")
    if name in RUNS_ANOTHER and not (name == "find" and _only_finds(argv)):
        raise Undecided(f"`{name}` may run other commands, which is not understood yet")
    if joined and name in CHANGES_SHELL:
        raise Undecided(f"`{name}` before or after `&&` is not understood yet")
    if argv[0][0] in "%=!^":
        raise Undecided(f"`{argv[0][:80]}` as a command is not understood yet")
    if name == "cd" and any(decides(item.partition("=")[0]) for item in env):
        raise Undecided("`cd` under assignments is not understood yet")


def _only_finds(argv: tuple[str, ...]) -> bool:
    return not any(word in ("-exec", "-execdir", "-ok", "-okdir") for word in argv)


def _followed(command: SimpleCommand, cwd: str | None, world: World) -> PathValue:
    """The folder after `cd`: by names for the shell, by links for the system. Raises Undecided if they differ."""
    words = command.args
    if len(words) > 1 or (words and words[0][:1] == "-"):
        raise Undecided("`cd` with options is not understood yet")
    target = absolute_text(words[0] if words else "~", cwd, world.home)
    names: list[str] = []
    for name in components(target):
        if name == "..":
            names[-1:] = []
        else:
            names.append(name)
    place = world.resolve("/" + "/".join(names), None)
    if ".." in target.split("/") and world.resolve(target, None) != place:
        raise Undecided(f"`{command.text[:80]}` goes up from a link, which is not understood yet")
    return place
