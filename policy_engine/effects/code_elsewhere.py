"""Doubt a program that takes code from an address on its line and runs it, as the table `takes_code` says of it.

Imported by the hook path when such a program is proposed.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import TAKES_CODE
from policy_engine.programs.base import stays_here
from policy_engine.programs.invocation import verb_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_KINDS = ("", "git", "hg", "svn", "bzr")
_SCHEMES = ("http", "https", "git", "ssh", "ftp", "ftps", "sftp", "oci", "s3", "gs", "svn")
_SHORT = ("git@", "git::", "github:", "gitlab:", "bitbucket:", "gh:", "gl:", "bb:", "hg::", "s3::", "gcs::")
_FORGES = ("github.com/", "gitlab.com/", "bitbucket.org/", "codeberg.org/")


def judge_addresses(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """Doubt a command one of whose words or variables is an address of code that it takes."""
    if analysis.informs or "--help" in command.argv:
        return
    for word in _given(command):
        if is_elsewhere(word):
            reason = f"`{command.name[:80]}` runs what it takes from an address"
            analysis.doubt("executes-remote", reason)
            analysis.opaque = False  # this much is known of it


def is_elsewhere(word: str) -> bool:
    """Return whether a word is the address of a place on another machine: with a scheme, or as forges are written."""
    known = word.partition("\0")[0]
    kind, _, scheme = known.partition("://")[0].rpartition("+")
    if "://" in known and kind in _KINDS and scheme in _SCHEMES:
        return not stays_here([word])
    return known.startswith((*_SHORT, *_FORGES))


def _given(command: SimpleCommand) -> Iterator[str]:
    """Yield the values by which the program takes code with its verb: of options, settings, operands, or the first."""
    words = command.argv[1:]
    for form in TAKES_CODE[command.name].split(";"):
        verbs, targets = (text.split() for text in form.split("|"))
        behind = _behind(verbs, command)
        if behind is None:
            continue
        wanted = [one for one in targets if one[:1] == "-"]
        for place, word in enumerate(words):
            name, equals, value = word.partition("=")
            if name in targets:
                yield value if equals else "".join(words[place + 1 : place + 2])
            elif any(len(one) == 2 and word.startswith(one) for one in wanted):
                yield word[2:]
        for name, _, value in (item.partition("=") for item in command.env):
            yield from value.replace("=", " ").split() if name in targets else ()  # also options that it holds
        yield from behind if "operands" in targets else behind[:1] if "first" in targets else ()


def _behind(verbs: list[str], command: SimpleCommand) -> list[str] | None:
    """Return the operands behind one of the verbs, of which one without words is any; None if it has none of them."""
    try:
        start = verb_place(command.argv) or 1
    except Undecided:
        start = 1
    plain = [word for word in command.argv[start:] if word[:1] != "-"]
    if not verbs:
        return plain
    for verb in verbs:
        parts = verb.split(":")
        for names in ([verb], parts):  # a verb may have a colon of its own: `app:template`
            if plain[: len(names)] == names:
                return plain[len(names) :]
    return None
