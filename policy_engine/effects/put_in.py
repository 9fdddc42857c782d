"""Values that a substitution puts into a script of `sed`: whether they are data, or may go on as its next command.

They are where each program that a substitution of the line runs prints a fact, or a field of a file, that no word of
the line spells, and where nothing on the line gives the value. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_FACTS = frozenset("basename dirname date hostname nproc uname id whoami pwd wc realpath readlink".split())
_FIELDS = frozenset("jq yq grep cut sort uniq".split())
_WHOLE = frozenset("cat head tail".split())
_TEXT_BYTES = 4096
_ODD = frozenset('"\\\n;`')  # a word with these may be a text that the program prints
_WORDS = {
    "tr": r"-d .{1,4}",
    "git": r"(?:describe|rev-parse|branch|rev-list|symbolic-ref|log|tag)"
    r"(?: --(?:format|pretty)=(?:%\w{1,2}[ .,:-]?)+| --[\w-]+=[\w.*-]+| (?!--(?:format|pretty)\b)[\w.@{}^~:*/-]+)*",
    "node": r"-p require\(['\"]\./[\w./-]+\.json['\"]\)(?:\.\w+)+",
}
"""By program: the words with which it prints no text of its own."""
_READS_VALUES = ("read", "mapfile", "readarray")


def judge_put_in(command: SimpleCommand, analysis: EffectAnalysis, look: Callable[..., EffectAnalysis]) -> None:
    """Doubt a script for the values in its texts, where they are not known to be data."""
    if not analysis.put_in:
        return
    before = command.before
    printers = [one for one in before if one.substituted]
    read = any(one.name in _READS_VALUES for one in before)
    if read or not all(_prints_data(one, analysis.put_in, look(one)) for one in printers):
        analysis.doubt("*", next(iter(analysis.put_in.values())))


def _prints_data(command: SimpleCommand, marks: Iterable[str], analysis: EffectAnalysis) -> bool:
    """Return whether a program prints a fact, or what stands in files of the workspace that the line leaves alone."""
    import re

    name, words = command.name, command.argv[1:]
    if name in _WORDS:
        return re.fullmatch(_WORDS[name], " ".join(words)) is not None
    if name not in _FACTS | _FIELDS | _WHOLE or any(_ODD & set(word) for word in words if is_known(word)):
        return False
    if any(word.startswith(("--output-d", "--arg", "-n", "--null-input", "@")) for word in words) and name in _FIELDS:
        return False
    files = [path for path in analysis.contents if path.access == "read"]
    if not all(path.known and analysis.filesystem.relative(path) is not None for path in files):
        return False
    if any(analysis.written(path) for path in files):
        return False
    return name not in _WHOLE or all(_is_one_value(analysis.text_in(path, _TEXT_BYTES), marks) for path in files)


def _is_one_value(text: str | None, marks: Iterable[str]) -> bool:
    """Return whether a text is a line without the marks that end texts of the script."""
    return text is not None and not any(mark in text.strip() for mark in (*marks, "\n"))
