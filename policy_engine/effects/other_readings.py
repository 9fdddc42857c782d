"""Add what a command touches if a word that is not known is a file.

A model reads the words as they stand: it may skip one that is not known, or take it for an option. What the command
touches in the other reading is perhaps touched. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import MANY, is_known, may_be_option, shown
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import find_program
from policy_engine.programs.handlers.git_log import is_revision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_A_FILE = "file-that-is-not-known"
_LISTS = ("paths", "contents", "searched", "runs")


def add_other_reading(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """Add the paths of the other reading of a command with a known program, so far as the analysis lacks them."""
    program, words = find_program(command.name), command.argv[1:]
    places = [place for place, word in enumerate(words) if may_be_option(word)]
    if program is None or not is_known(command.argv[0]) or not places:
        return
    revisions = 0  # the word in front of which git takes them for revisions
    if command.name == "git" and {"show", "diff", "log"}.intersection(words):
        revisions = words.index("--") if "--" in words else len(words)
    reading = tuple(
        _A_FILE if may_be_option(word) and not (place < revisions and is_revision(word)) else word
        for place, word in enumerate(words)
    )
    try:
        arguments = program.arguments(reading)
        other = program.effects(arguments, analysis.cwd, command.filesystem, command.env, command.name)
    except Undecided:
        return
    _add(other, analysis, words[places[0]])


def _add(other: EffectAnalysis, analysis: EffectAnalysis, hidden: str) -> None:
    """Add the paths that the analysis lacks."""
    for name in _LISTS:
        mine: list[PathValue] = getattr(analysis, name)
        seen = set(map(_key, mine))
        for path in getattr(other, name):
            one = _hidden(path, hidden) if _A_FILE in path.text else path
            if _key(one) not in seen:
                mine.append(one)
                seen.add(_key(one))


def _hidden(path: PathValue, word: str) -> PathValue:
    """Return the path of the file that the word may be."""
    text = path.text.replace(_A_FILE, word)
    number = "any" if MANY in word else ""
    return PathValue.unknown(
        text, f"what `{shown(word)[:80]}` stands for is not known", path.access, path.recursive, number
    )


def _key(path: PathValue) -> tuple[str, str, bool]:
    return (path.real if path.known else "?", path.access, path.recursive)
