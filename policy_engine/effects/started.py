"""Find the commands that code on a line starts: `python -c "os.system('git push')"` pushes.

What programs do with the lines that they hand on, `effects.subcommands` says. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.effects.analysis import analysis_of
from policy_engine.model.partial import MANY, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.command import SimpleCommand
from policy_engine.shell.parse import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis

_CODE = frozenset(" \t\n('\"`!")
_DEPTH = 4  # code that starts code


def with_started(commands: tuple[SimpleCommand, ...], depth: int = 0) -> tuple[SimpleCommand, ...]:
    """Return the commands of a line, each followed by those of the lines that its code hands to a shell."""
    if depth == _DEPTH or not any(_may_start(command) and analysis_of(command).lines for command in commands):
        return commands
    found: list[SimpleCommand] = []
    for command in commands:
        found.append(command)
        if not _may_start(command):
            continue
        analysis = analysis_of(command)
        for line in dict.fromkeys(analysis.lines):
            found += [_started(one, command) for one in with_started(_parsed(line, command, analysis), depth + 1)]
    return tuple(found)


def _may_start(command: SimpleCommand) -> bool:
    """Return whether a word could be code: others need not be looked into."""
    return command.feed is not None or any(not _CODE.isdisjoint(word) for word in command.argv[1:])


def _parsed(line: str, command: SimpleCommand, analysis: EffectAnalysis) -> tuple[SimpleCommand, ...]:
    """The commands of a line; one that is not known for a line that is not understood."""
    folder = analysis.cwd
    try:
        if is_known(line):
            return parse(line, folder.real if folder.known else None, command.filesystem)
    except Undecided:
        pass
    return (SimpleCommand((MANY,), command.text, folder if folder.known else None, command.filesystem),)


def _started(inner: SimpleCommand, command: SimpleCommand) -> SimpleCommand:
    """The same as its starter has it: what is remembered of a line belongs to nobody."""
    made = SimpleCommand(inner.argv, inner.text, None, inner.filesystem)
    for slot in SimpleCommand.__slots__:
        try:
            setattr(made, slot, object.__getattribute__(inner, slot))
        except AttributeError:
            continue  # what is not known of it is not known of the copy
    made.via = (*command.via, command.name, *inner.via)
    made.zero_proves = made.nonzero_proves = False
    made.line = made.line or (command,)
    return made
