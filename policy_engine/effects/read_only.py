"""Tell whether a command provably only reads. Imported by the hook path."""

from __future__ import annotations

from policy_engine.effects.asking import asks_only
from policy_engine.filesystem.paths import is_systems
from policy_engine.model.partial import GLOB, MANY, ONE, is_known
from policy_engine.programs.base import find_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_TRANSPARENT = ("time", "timeout", "nice", "command")
_READS_ALL = {"rg": 0, "grep": 0, "sort": 0, "sed": 1}
"""Programs that read all of their operands from that number on."""
MOST = 1_000
_EVALUATES = ("-v", "-R", "-eq", "-ne", "-lt", "-le", "-gt", "-ge")  # `[[` reads code in what it compares


def only_reads(command: SimpleCommand, analysis: EffectAnalysis) -> bool:
    """Tell whether the program is one that only reads, and nothing about this call says otherwise."""
    from policy_engine.shell.patterns import decides

    program = find_program(command.name)
    if "/" in command.argv[0] and not is_systems(command.argv[0]):
        return False
    if any(decides(item.partition("=")[0]) for item in command.env) or (command.env and command.argv[0] != ":"):
        return False
    if command.name == "git" and "--help" in command.argv:
        return False  # a viewer of manuals, which the settings name
    if analysis.informs or (command.name in _TRANSPARENT and not command.redirects and len(command.argv) > 1):
        return True  # what it starts is a command of its own
    if program is None or analysis.doubts:
        return False
    if program.reads and asks_only(command, program):
        return set(analysis.words) <= {"network", "executes"} and _looks_only(analysis)
    allowed = {"configures", "network"} if command.name == "git" else set()  # its words are looked at
    if command.name == "find" and any(one.via[-1:] == ("find",) for one in command.line):
        allowed = {"executes"}
    if set(analysis.words) - {"decodes"} - allowed:
        return False
    if not program.read_only and not (command.name == "git" and _git_reads(command, analysis)):
        return False
    if command.arguments().strange and not program.no_option_harms:
        return False
    if not all(is_known(word) or _names_files(word, command, program.name) for word in command.argv[1:]):
        if not (program.no_option_harms and _only_tells(command)):
            return False
    return _looks_only(analysis)


def _looks_only(analysis: EffectAnalysis) -> bool:
    return all(path.access == "read" and path.known for path in analysis.paths)


def _names_files(word: str, command: SimpleCommand, program: str) -> bool:
    """Return whether a word is a pattern of the shell for files that are read, none of which looks like an option."""
    head, mark, _ = word.partition(GLOB)
    if not mark or head[:1] in ("", "-") or ONE in word or MANY in word or not is_known(head):
        return False
    return word in command.arguments().operands[_READS_ALL.get(program, MOST) :]


def _git_reads(command: SimpleCommand, analysis: EffectAnalysis) -> bool:
    from policy_engine.effects.git_settings import starts_nothing

    arguments = command.arguments()
    if not all(map(is_known, command.argv)) or not arguments.operands or not analysis.cwd.known:
        return False
    return starts_nothing(tuple(arguments.operands), arguments.options, command.filesystem, analysis.cwd.real)


def _only_tells(command: SimpleCommand) -> bool:
    """Return whether what is unknown in the words is no more than values: nothing is assigned, evaluated or looked
    up.
    """
    text = command.text
    if (
        "${!" in text
        or "@" in text.replace("[@]", "")
        or "=}" in text
        or "((" in text
        or "=" in text.partition("${")[2]
    ):
        return False
    return not any(word in _EVALUATES for word in command.argv)
