"""Find the files whose variables a command prints that another one has given it: `docker run --env-file .env x env`.

On the hook path when a command prints its environment.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_OPTION = "--env-file"
_OF_DOTENV = (_OPTION, "-f", "--file", "-e", "--env")


def given_environment(command: SimpleCommand, analysis: EffectAnalysis) -> list[PathValue]:
    """Return the files of variables that a command is started with, where it prints its environment."""
    if "discloses" not in analysis.words and not _reads_own(command):
        return []
    starters = {via.partition(" ")[0] for via in command.via}
    files: list[PathValue] = []
    own = command.name.startswith("dotenv")  # which prints what it is asked for
    for one in (*command.before, command):
        for name in _files(one) if one.name in starters or (one is command and not own) else ():
            try:
                files.append(one.filesystem.resolve(name, one.cwd.real).with_access("read", False))
            except Undecided:
                continue
    return files


def _reads_own(command: SimpleCommand) -> bool:
    """Return whether it reads the environment of a process as a file."""
    return any(word.startswith("/proc/") and word.endswith("/environ") for word in command.argv[1:])


def _files(command: SimpleCommand) -> Iterator[str]:
    """Yield the files of variables that the words of a command name, or that it takes by itself."""
    dotenv = command.name.startswith("dotenv")
    options, found = _OF_DOTENV if dotenv else (_OPTION,), False
    for word, behind in zip(command.argv[1:], (*command.argv[2:], ""), strict=False):
        option, equals, value = word.partition("=")
        if option in options:
            found = True
            yield value if equals else behind
    if dotenv and not found:
        yield ".env"
