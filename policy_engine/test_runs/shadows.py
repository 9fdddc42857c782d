"""Say why the program that a line starts under a runner's name may be another one: functions, aliases, start files.

What defines a name in the shell of the line, or in the shells that it starts, stands for the runner without any file of
it being written. Imported by the hook path when a line ran tests.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from policy_engine.shell.command import SimpleCommand

_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "ash"))
_DECLARES = frozenset(("declare", "typeset", "local", "readonly", "export"))
_TABLES = ("BASH_ALIASES", "BASH_CMDS", "BASH_FUNC_", "command_not_found_handle", "galiases[", "aliases[", "functions[",
           "commands[")  # fmt: skip
"""Variables and functions of shells that say what a name starts."""
_GIVEN = ("BASH_ENV=", "ENV=", "ZDOTDIR=")
"""Assignments by which a shell takes functions, aliases or commands."""
_STARTS = (".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile",
           ".zlogin", ".kshrc")  # fmt: skip
"""Files in the home folder that a shell reads when it starts."""


def why_shadowed(line: str, commands: Sequence[SimpleCommand]) -> str:
    """Return why a name on the line may start another program than the one of that name; empty if nothing says so."""
    for table in _TABLES:
        if table in line or any(table in word for command in commands for word in command.argv):
            return f"the line sets `{table.rstrip('[_')}`, which says what names start"
    traps = any(command.name == "trap" for command in commands)
    for command in commands:
        name, words = command.name, command.argv[1:]
        words = words[: words.index("--")] if "--" in words else words
        letters = "".join(word[1:] for word in words if word[:1] == "-" and word[:2] != "--")
        if name in _DECLARES and "f" in letters:
            return f"`{command.text[:80]}` hands functions of the line to the programs that it starts"
        if name == "set" and ("a" in letters or "allexport" in words) and _defines(commands):
            return f"`{command.text[:80]}` hands functions of the line to the programs that it starts"
        given = [*command.env, *(words if command.env or name in _DECLARES or name == "env" else ())]
        if item := next((item for item in given if item.startswith(_GIVEN)), ""):
            return f"`{item.partition('=')[0]}` says what names start"
        if name == "alias" or (name == "shopt" and "expand_aliases" in words):
            return f"`{command.text[:80]}` says what a name starts"
        if (name == "hash" and "p" in letters) or (name == "enable" and "f" in letters):
            return f"`{command.text[:80]}` says what a name starts"
        if name == "set" and ("n" in letters or "noexec" in words):
            return f"`{command.text[:80]}` makes the shell run nothing"
        if name in _SHELLS and (why := _why_odd(command)):
            return why
        if traps and name in ("exit", "exec") and "trap" in command.via:
            return "a trap of the line decides how it ends"
    return ""


def started_from(commands: Sequence[SimpleCommand]) -> Iterator[str]:
    """Yield the files in the home folder that shells of the line read when they start."""
    for command in commands:
        if command.name not in _SHELLS or not command.filesystem.home:
            continue
        options = list(_options(command))
        if command.name == "zsh" or any(
            word == "--login" or (word[:2] not in ("--", "-o") and ("i" in word or "l" in word)) for word in options
        ):
            for name in _STARTS:
                yield f"{command.filesystem.home.rstrip('/')}/{name}"


def _defines(commands: Sequence[SimpleCommand]) -> bool:
    return any(command.in_function for command in commands)


def _options(command: SimpleCommand) -> Iterator[str]:
    """Yield the options of a shell, before its script or the text that it runs."""
    words = iter(command.argv[1:])
    for word in words:
        if word[:1] not in "-+" or not word:
            return
        yield word
        if word in ("-o", "+o", "-O", "+O") or (word[:2] != "--" and word[-1:] == "o"):
            yield f"-o {next(words, '')}"
        elif word in ("--rcfile", "--init-file"):
            next(words, "")


def _why_odd(command: SimpleCommand) -> str:
    """Return why a shell that the line starts runs nothing, or reads definitions first."""
    for word in _options(command):
        if not is_known(word):
            return f"not every option of `{command.name}` is known"
        if word.startswith(("--rcfile", "--init-file")):
            return f"`{word}` defines what names start"
        if word == "-o noexec" or (word[:1] == "-" and word[1:2] not in ("-", "o", "") and "n" in word):
            return f"`{word}` makes the shell run nothing"
    return ""
