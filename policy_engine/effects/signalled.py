"""Tell whether a command acts upon a process that keeps the session: the agent, what started it, the engine.

Which numbers those are the kernel says; a number that only running would tell is looked for in the commands that give
it. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import PARENT, is_known
from policy_engine.programs._rows import MODEL_OF, ROWS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_LISTS = ("pgrep", "pidof", "ps", "grep", "awk", "head", "cut")
_REASON = "one of the processes that it acts upon may keep this session"


def judge_signals(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """Tell the analysis that the command acts upon what keeps the session, surely or perhaps."""
    if command.name == "screen" and _ends_own_screen(command):
        analysis.doubts.pop("controls-engine", None)
    row = ROWS.get(MODEL_OF.get(command.name, command.name), {})
    if "pids" in row:
        given = _numbers(command.argv[1:], row["pids"].split())
        if given:
            analysis.does("kills")
            analysis.processes += given
    for target in analysis.processes:
        keeps = _keeps(target, command, analysis)
        if keeps:
            analysis.opaque = False
            analysis.does("controls-engine")
        elif keeps is None:
            analysis.opaque = False
            analysis.doubt("controls-engine", _REASON)


def _ends_own_screen(command: SimpleCommand) -> bool:
    """Return whether the session of `screen` that it ends is one that its line started before under the same name."""
    words = command.argv[1:]
    started = [one.argv[2:3] for one in command.before if one.name == "screen" and one.argv[1:2] == ("-dmS",)]
    ends = words[:1] == ("-S",) and words[2:] in (("-X", "quit"), ("-X", "kill"))
    return ends and words[1:2] in started


def _numbers(words: tuple[str, ...], options: list[str]) -> list[str]:
    """The numbers of processes among the words: where one of the options is given, or wherever they stand."""
    asked = "operands" in options
    for word in words:
        name = word.partition("=")[0]
        bundled = word[:1] == "-" and word[1:2] != "-" and any(f"-{letter}" in options for letter in word[1:])
        asked = asked or name in options or bundled
    if not asked:
        return []
    texts = [word.partition("=")[2] if "=" in word else word for word in words]
    bare = [text.lstrip("-+").lstrip("abcdefghijklmnopqrstuvwxyz") if text[:1] == "-" else text for text in texts]
    return [text for text in bare if text.isdigit() or not is_known(text)]


def _keeps(target: str, command: SimpleCommand, analysis: EffectAnalysis) -> bool | None:
    """Return whether the target keeps the session; None if it may."""
    number = target.lstrip("-")
    if PARENT in target or target in ("1", "-1"):
        return True
    if number == "0":  # the group of the shell itself, which may be the agent's
        return False if "trap" in command.via else None  # at its end a shell ends what it has started
    if number.isdigit():
        return any(str(one.number) == number for one in analysis.filesystem.keepers())
    if is_known(target):
        return False
    from policy_engine.programs.handlers.kill import lists_every, names_keeper, picks_hidden

    listing = command.sources or tuple(one.text for one in command.line if one.name in _LISTS)
    given = [one for one in command.before if one.substituted]  # to a variable, too
    sources = [*listing, *(one.text for one in given)]
    names = [names_keeper(text, analysis) for text in ("|".join(listing), *sources)]
    if lists_every(" ".join(listing)) or any(picks_hidden(one.name, one.argv[1:]) for one in given):
        names.append(None)
    return True if True in names else None if None in names else False
