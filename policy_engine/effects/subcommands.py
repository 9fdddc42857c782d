"""Add to a analysis what the texts do that its command hands on: surely where it runs them, perhaps where it may.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.effects.taint import trace
from policy_engine.inline.effect_analysis import EffectAnalysis
from policy_engine.inline.texts import texts_in
from policy_engine.model.partial import ONE, is_known, shown
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import VERBS
from policy_engine.programs.base import find_program
from policy_engine.shell.command import Nesting
from policy_engine.shell.names import RESERVED, RUNS_ANOTHER
from policy_engine.shell.parse import parse
from policy_engine.shell.printing import printed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.shell.command import SimpleCommand

    AnalysisOf = Callable[[SimpleCommand], EffectAnalysis]

PIPE = f"/dev/fd/{ONE}"  # the name of a process substitution's pipe
_DEPTH = 8  # lines that hand on lines
_MOST_GUESSES = 32
_PROSE = frozenset(VERBS["prose"].split())
_GUESS_CHARS = 4_096
_HARMLESS = frozenset(("executes", "executes-input", "decodes", "network", "sends", "deploys", "exposes"))
_PREFIXES = (
    "!",
    ":!",
    "+!",
    "+:!",
    "shell ",
    ".shell ",
    ".system ",
    "spawn ",
    "exec ",
    "exec=",
    "EXEC:",
    "1e ",
    "\\! ",
    "do shell script ",
)
_STARTING = ("pager", "exec", "command", "cmd", "run", "shell", "editor", "filter", "program", "script")
_SIGNS = tuple("$|;&(`{<>")  # of code, in a text that is surely run
_JOINTS = ("$(", "`", ";", "&&", "||", "|", "<(")  # of code, in a text that may be a note to people
# programs whose names begin sentences
_ENGLISH = frozenset(
    "true false test make find go sort cut join split head tail more less which who watch touch install at look write "
    "patch link kill wait type time set let read command do date open please local export import".split()
)
# parts of names by which languages write, delete, start and read
_ACTIONS = frozenset(
    "rm rmdir rmtree delete destroy remove unlink truncate drop cmd system exec execute spawn popen fork shell eval "
    "write chmod chown kill file files fileutils path read open env environ getenv http https httpoison net socket "
    "req".split()
)
_ASKING = ("system_info", "system_time", "system_version")  # names of calls that only tell something
_QUOTES = frozenset("'\"`")
_BARE = {ord(mark): None for mark in ("'", '"', "\\")}


def follow(line: str, command: SimpleCommand, analysis: EffectAnalysis, analysis_of: AnalysisOf) -> None:
    """Add what a line does that is handed to a shell."""
    if not is_known(line):
        unknown_line(shown(line), f"what `{shown(line)[:80]}` runs is not known", analysis)
        return
    try:
        analysis.absorb(_analyze_line(line, command, analysis, analysis_of))
    except Undecided as unknown:
        unknown_line(line, unknown.reasons[0], analysis)


def names_printed(line: str, analysis: EffectAnalysis) -> str:
    """Return the names, one a line, that a line prints which code starts; "" where they are not known."""
    if " -z" in line or "-print0" in line:
        return ""  # which code takes apart otherwise
    try:
        folder = analysis.cwd.real if analysis.cwd.known else None
        commands = [one for one in parse(line, folder, analysis.filesystem) if one.name != "cd"]
        piped = all(one.piped_from for one in commands[1:])
        names = printed(commands[-1]) if commands and piped else ""
    except Undecided:
        return ""
    return names if is_known(names) else ""


EffectAnalysis.names_printed = staticmethod(names_printed)


def texts_handed(command: SimpleCommand, analysis: EffectAnalysis) -> list[str]:
    """Return what process substitutions print that a command is given as files; none where one is not known."""
    inner = [text[2:-1] for text in command.sources if text[:2] == "<("]
    texts = [names_printed(line, analysis) for line in inner]
    return texts if all(texts) and len(texts) == sum(word.count(PIPE) for word in command.argv) else []


def weigh(text: str, command: SimpleCommand, analysis: EffectAnalysis, analysis_of: AnalysisOf) -> None:
    """Add what a text does that the command may run: a doubt if it harms, else the paths in it are mentions."""
    opaque = analysis.opaque
    begins = begins_a_command(text) or (not opaque and any(map(begins_a_command, text.split("(")[1:])))
    if not begins and (opaque or _begins_with_option(text)):
        return
    for line in _readings(text):
        reason = f"`{command.name[:80]}` may run `{line[:80]}`"
        try:
            outcome = _analyze_line(line, command, analysis, analysis_of)
        except Undecided:
            signs = _JOINTS if opaque else _SIGNS
            piped = not begins and "|>" in text and any(code.strip() == text.strip() for code in analysis.codes)
            if _starts_a_shell(line) or (not piped and (begins or _acts(line)) and any(mark in line for mark in signs)):
                unknown_line(line, reason, analysis)
            continue  # what no shell understands is some other text
        if (
            outcome.doubts
            or outcome.branches
            or outcome.branch_doubts
            or not _HARMLESS.issuperset(outcome.words)
            or any(path.access in ("write", "delete") and not _is_mention(path, command) for path in outcome.paths)
            or (opaque and any(path.access == "delete" and path.recursive for path in outcome.paths))
        ):
            unknown_line(line, reason, analysis)
        else:
            touched = (*outcome.paths, *outcome.contents, *outcome.mentions)
            analysis.mentions += [path.with_access("") for path in touched]


def begins_a_command(text: str) -> bool:
    """Return whether a text begins, or a part of it does, with a program that is known: other texts are prose."""
    if text.startswith(_PREFIXES) and text[:1] not in "!:":
        return True
    text = text.lstrip("!: ")
    for joint in _JOINTS:
        if joint != "`" or text[:1] == "`":  # in prose, they set a word off
            text = text.replace(joint, "\n")
    opened = text.split(None, 1)[:1] in (["if"], ["for"], ["while"], ["until"], ["case"], ["{"], ["("], ["!"])
    for line in text.split("\n"):
        words = line.split()
        if words[:1] in (["for"], ["select"], ["case"]):
            continue  # what follows is no program
        while words and (_assigns(words[0]) or (opened and words[0] in RESERVED)):
            words.pop(0)
        name = words[0].strip("({'\"").rpartition("/")[2] if words else ""
        if _is_sentence(words):
            continue
        if name and (name in RUNS_ANOTHER or find_program(name) is not None or not is_known(name)):
            return True
    return False


def _acts(text: str) -> bool:
    """Return whether a word of a text that is no shell line names an action, as calls in some language do."""
    for name in _ASKING:
        text = text.replace(name, "")
    words = "".join(char if char.isalnum() else " " for char in text).lower().split()
    return not _ACTIONS.isdisjoint(words)


def _begins_with_option(text: str) -> bool:
    """Return whether a text, behind its assignments, begins with an option: what a program is told, and no line."""
    words = text.split()
    while words and _assigns(words[0]):
        words.pop(0)
    return "".join(words[:1])[:1] == "-"


def _is_sentence(words: list[str]) -> bool:
    """Return whether words read as prose: a capital or a word of English begins them, and nothing is written like
    code.
    """
    first = "".join(words[:1])
    if len(words) < 3 or not (first in _ENGLISH or (first[:1].isupper() and first[1:].islower())):
        return False
    looked_at = words[1:4] if first in _ENGLISH else words[1:2]
    return not any(word[:1] in "-/~$.|&<>" or "=" in word or "$(" in word for word in looked_at)


def _assigns(word: str) -> bool:
    return "=" in word and word.partition("=")[0].isidentifier()


def _starts_a_shell(line: str) -> bool:
    """Return whether a text that is not understood begins like a command with code of its own."""
    words = line.split()
    return "-c" in words and words[0].rpartition("/")[2] in RUNS_ANOTHER


def unknown_line(line: str, reason: str, analysis: EffectAnalysis) -> None:
    """Nobody knows what the line does."""
    analysis.opaque = False
    analysis.fear_all(line, reason)


def texts_within(words: tuple[str, ...]) -> list[str]:
    """The words, and the values in them, that could be lines: they are several words themselves, or code; none that an
    option calls prose.
    """
    texts: list[str] = []
    for before, word in zip(("", *words), words, strict=False):
        if before in _PROSE or word.partition("=")[0] in _PROSE:
            continue
        several = " " in word.strip()
        if not (several or ("(" in word and not _QUOTES.isdisjoint(word))) or not is_known(word):
            continue
        if len(word) > _GUESS_CHARS:
            continue
        texts += [word] if several and word[:1] != "-" else []
        value = word.partition("=")[2]
        if word[:1] == "-" or word.partition("=")[0].isidentifier():
            texts += [value] if value else []
        texts += texts_in(word)
    return texts[:_MOST_GUESSES]


def commands_within(feed: str) -> list[str]:
    """The lines of an input that begin like the commands with which many programs start a shell."""
    if not is_known(feed) or len(feed) > _GUESS_CHARS:
        return []
    lines = [line for line in feed.split("\n") if line.startswith(_PREFIXES)]
    return [line for line in lines if line[:1] != "!" or begins_a_command(line[1:])][:_MOST_GUESSES]


def escapes(argv: tuple[str, ...]) -> list[str]:
    """Words that many programs take for a line: behind `!`, or as the value of an option that is called so."""
    whole = " ".join(argv)
    if not ("!" in whole or "|" in whole or "--" in whole):
        return []
    escaped = [word for word in argv[1:] if word.lstrip("+:")[:1] == "!" and begins_a_command(word.lstrip("+:!"))]
    escaped += piped_values(argv[1:])
    for place, word in enumerate(argv[:-1]):
        if word[:2] == "--" and word.endswith(_STARTING):
            escaped.append(argv[place + 1])
    for word in argv[1:]:
        option, equals, value = word.partition("=")
        if equals and option[:2] == "--" and option.endswith(_STARTING):
            escaped.append(value)
    return escaped


def piped_values(words: tuple[str, ...]) -> list[str]:
    """Lines behind `|`, which many programs take for a file that they write."""
    values = [value.lstrip() for word in words for value in (word, word.partition("=")[2])]
    lines = [value.lstrip("|! ") for value in values if value[:1] in ("|", "!") and " " in value.strip("|! ")]
    return [line for line in lines if begins_a_command(line)]


def _readings(text: str) -> list[str]:
    text = text.strip()
    name = text.rpartition("/")[2].translate(_BARE)
    several = any(char in text for char in " \t{;|&<$") or find_program(name) is not None
    readings = [text] if several and is_known(text) and len(text) <= _GUESS_CHARS else []
    for prefix in _PREFIXES:
        if text.startswith(prefix):
            readings.append(text[len(prefix) :].strip())
    return readings


def _is_mention(path: PathValue, command: SimpleCommand) -> bool:
    """Return whether what is changed there is said well enough by naming the place."""
    try:
        return path.known and (not path.recursive or bool(command.filesystem.relative(path)))
    except Undecided:
        return False


def ends_with_shell(command: SimpleCommand, analysis: EffectAnalysis) -> bool:
    """Return whether all that a command of a shell does is over when that shell ends: `set -e`.

    It is part of the shell, so that a search path before it chooses no other program.
    """
    return command.name in ("set", "unset", "shopt") and set(analysis.words) - {"executes"} == {"configures"}


def _analyze_line(
    line: str, command: SimpleCommand, analysis: EffectAnalysis, analysis_of: AnalysisOf
) -> EffectAnalysis:
    """Return what all commands of a line do together. Raises Undecided."""
    nesting = command.nesting or Nesting()
    if nesting.lines >= _DEPTH:
        raise Undecided("lines that hand on lines are nested too deep")
    folder = analysis.cwd
    filesystem = analysis.views.get(line, command.filesystem)
    whole = EffectAnalysis(folder, filesystem, command.name)
    commands = parse(line, folder.real if folder.known else None, filesystem)
    whole_line = (*command.before, *commands)  # what it starts may be what its line wrote or fetched
    for inner in commands:
        inner.line = whole_line
        inner.nesting = Nesting(nesting.lines + 1, nesting.files, nesting.read)
    for inner in commands:
        trace(inner, inner.line, analysis_of)
        inner_effects = analysis_of(inner)
        if not ends_with_shell(inner, inner_effects):
            whole.absorb(inner_effects)
        if inner.name == "git" and {"configures", "executes"} <= set(inner_effects.words):
            whole.doubt("controls-engine", f"`{inner.text[:80]}` configures what git runs")
    return whole
