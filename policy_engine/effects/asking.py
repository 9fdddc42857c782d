"""Tell whether a client of a service only asks: by its verb, its options, and the settings that it reads.

The verbs and options stand in the table of programs (`reads`, `reads_unless`). An option that names another host,
settings of its own or a file, and settings that name a program, are no proof. Imported by the hook path when a rule
asks whether such a command only reads.
"""

from __future__ import annotations

from policy_engine.model.limits import READ_BYTES
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.programs.invocation import options_before_verb, without_options_before_verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.programs.base import Program
    from policy_engine.shell.command import SimpleCommand

_STARTED_BY_SETTINGS = {
    "kubectl": ("~/.kube/config", "exec"),
    "helm": ("~/.kube/config", "exec"),
    "docker": ("~/.docker/config.json", "currentContext"),
}
"""A file, and a word in it with which the program starts another one, or asks elsewhere by one."""
_GH_SENDS = ("-X", "--method", "-f", "-F", "--field", "--raw-field", "--input")


def asks_only(command: SimpleCommand, program: Program) -> bool:
    """Return whether the words ask for what a service says, and change nothing there or here."""
    if not all(map(is_known, command.argv)) or any("/" in word for word in command.argv[:1]):
        return False
    first = command.argv
    if options_before_verb(command.name) is not None:
        try:
            first = next(iter(without_options_before_verb(first)), first)
        except Undecided:
            return False
    words = (command.name, *first[1:])
    if not any(verbs in (words[: len(verbs)], words[1 : len(verbs) + 1]) for verbs in program.reads):
        return False
    if any(_is_option(word, program.reads_unless) for word in command.argv[1:]):
        return False
    if command.name == "gh":
        return _forge_only_tells(command, words)
    file, word = _STARTED_BY_SETTINGS.get(command.name, ("", ""))
    return not file or _lacks(command.filesystem, file, word)


def _is_option(word: str, names: tuple[str, ...]) -> bool:
    """Return whether a word is one of these options, abbreviates one, or may hold a letter of one in a bundle."""
    given = word.partition("=")[0]
    if word[:1] != "-" or len(word) < 2:
        return False
    if word[:2] == "--":
        return any(name.startswith(given) for name in names)
    return any(given.startswith(name) or (len(name) == 2 and name[1] in given) for name in names)


def _forge_only_tells(command: SimpleCommand, words: tuple[str, ...]) -> bool:
    """`gh`: of the forge that it is set up for, by a request that carries nothing, in a repository whose git starts
    nothing.
    """
    from policy_engine.effects.git_settings import starts_nothing

    if any(
        "://" in word or "env" in word.lower() or (word.count("/") > 1 and words[1] != "api") for word in command.argv
    ):
        return False  # another host; a filter that prints a variable
    if words[1] == "api" and (any(_is_option(word, _GH_SENDS) for word in words) or "graphql" in words):
        return False
    try:
        return starts_nothing(("status",), [], command.filesystem, command.cwd.real)
    except Undecided:
        return False


def _lacks(filesystem: FileSystem, file: str, word: str) -> bool:
    """Return whether a file of settings is not there, or does not hold a word."""
    place = filesystem.resolve(file, None)
    try:
        if filesystem.look(place) is ABSENT:
            return True
        text = filesystem.script(place, READ_BYTES)
    except Undecided:
        return False
    return text is not None and word not in text
