"""A shell line of plain and literally quoted words, alone or joined by `&&` → its simple commands, without a grammar.

Everything else raises Undecided and is left to the grammar; a test holds the two answers equal. Words mean the same in
sh, bash, dash, ksh and zsh as long as only these forms occur. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.limits import SHELL_WORDS
from policy_engine.model.paths import PathValue, absolute_text, components
from policy_engine.model.undecided import Undecided
from policy_engine.shell.command import SimpleCommand
from policy_engine.shell.names import CHANGES_SHELL, RESERVED, RUNS_ANOTHER, STARTS
from policy_engine.shell.patterns import decides
from policy_engine.shell.plain import Word, segments
from policy_engine.shell.wrappers import RUNNERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.world import World


def plain_commands(line: str, cwd: str | None, world: World) -> tuple[SimpleCommand, ...]:
    """The simple commands of a plain line, at least one. Raises Undecided for all that is not plain."""
    parts = segments(line, world)
    if len(line) > SHELL_WORDS and sum(len(words) for _, words in parts) > SHELL_WORDS:
        raise Undecided(f"the command has more than SHELL_WORDS ({SHELL_WORDS}) words")
    folder = folder_of(cwd, world)
    commands: list[SimpleCommand] = []
    for text, words in parts:
        found = _simple_command(text, words, folder, world, len(parts) > 1)
        commands.append(found)
        if found.program == "cd" and len(parts) > 1:
            folder = _followed(found, cwd, world)
            cwd = folder.real
    return tuple(commands)


def folder_of(cwd: str | None, world: World) -> PathValue | str:
    """The folder a line starts in, or why it is not known."""
    if cwd is None:
        return "`cwd` was not sent"
    try:
        return world.resolve(cwd, None)
    except Undecided as unknown:
        return unknown.reasons[0]


def _simple_command(text: str, words: list[Word], folder: PathValue | str, world: World, joined: bool) -> SimpleCommand:
    env: list[str] = []
    while words and words[0].assigns:
        env.append(words.pop(0).text)
        if env[-1].partition("=")[0] == "_" or env[-1].partition("=")[0][-1] == "+":
            raise Undecided("`+=` before a command is not plain, nor is `_`")
    if not words:
        raise Undecided("a line without a command is not plain")
    argv = tuple(word.text for word in words)
    _refuse(argv, words[0], joined, env)
    place = folder if isinstance(folder, PathValue) else None
    unknown = None if isinstance(folder, PathValue) else {"cwd": folder}
    return SimpleCommand(argv, text, place, world, tuple(env), (), True, not joined, unknown)


def _refuse(argv: tuple[str, ...], first: Word, joined: bool, env: list[str]) -> None:
    """Raise Undecided for programs that run others, and for what changes the shell under later commands."""
    name = argv[0].rpartition("/")[2]
    if not name:
        raise Undecided("a command without a name is not plain")
    if name in RESERVED and not first.quoted:
        raise Undecided(f"`{name}` is not plain")
    if name in RUNS_ANOTHER and not (name == "find" and _only_finds(argv)):
        raise Undecided(f"`{name}` may run other commands, which is not plain")
    if joined and name in CHANGES_SHELL:
        raise Undecided(f"`{name}` before or after `&&` is not plain")
    if any("[" in word and ("$(" in word or "`" in word) for word in argv):
        raise Undecided(f"`{name}` may run what is in a subscript")
    if not name.isascii() or not argv[0].isprintable():
        raise Undecided(f"`{name[:80]}` has characters that do not show what it is")
    if name in RUNNERS and (RUNNERS[name][0] in argv or "dlx" in argv or "x" in argv or "tool" in argv):
        raise Undecided(f"`{name}` may run another command")
    if argv[0][0] in "-%!^" or "=" in argv[0] or "]" in argv[0] or argv.count("]") > 1:
        raise Undecided(f"`{argv[0][:80]}` as a command is not plain")
    if any(item.partition("=")[0] in STARTS for item in env):
        raise Undecided("an assignment may name another command")
    if name == "cd" and any(decides(item.partition("=")[0]) for item in env):
        raise Undecided("`cd` under assignments is not plain")


def _only_finds(argv: tuple[str, ...]) -> bool:
    return not any(word in ("-exec", "-execdir", "-ok", "-okdir") for word in argv)


def _followed(command: SimpleCommand, cwd: str | None, world: World) -> PathValue:
    """The folder after `cd`: by names for the shell, by links for the system. Raises Undecided if they differ."""
    words = command.args
    if len(words) > 1 or (words and words[0][:1] == "-"):
        raise Undecided("`cd` with options is not plain")
    target = absolute_text(words[0] if words else "~", cwd, world.home)
    names: list[str] = []
    for name in components(target):
        if name == "..":
            names[-1:] = []
        else:
            names.append(name)
    place = world.resolve("/" + "/".join(names), None)
    if ".." in target.split("/") and world.resolve(target, None) != place:
        raise Undecided(f"`{command.text[:80]}` goes up from a link, which is not plain")
    return place
