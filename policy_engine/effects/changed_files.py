"""Tell which files a command replaces as a whole, and what it changes in the texts of files where that can be computed.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known, shown
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import INTERPRETERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_REPLACES = {  # programs that put another content into a file, and options with which what is there is kept
    "tee": "-a --append",
    "sponge": "-a",
    "dd": "oflag=append conv=notrunc",
    "truncate": "",
    "curl": "",
    "wget": "-nc --no-clobber -N --timestamping",
    "scp": "",
    **dict.fromkeys(("cp", "mv", "install", "rsync"), "-n -u -i -b --no-clobber --update --interactive --backup "
                    "--ignore-existing --dry-run"),
}  # fmt: skip
_CHANGING = ("sed", "gsed", "perl", "ed", "ex", *_REPLACES)
_OVER = (">", ">|", "&>", ">&")
_ADDS = ("'a'", '"a"', "'a+'", '"a+"', "append", "'r+'", '"r+"')  # how code says that it keeps what is there
_TEXT_BYTES = 262_144


class Edit:
    """Hold what a command changes in the text of a file: the lines that it takes away, and those that it adds."""

    __slots__ = ("path", "_removed", "_added")

    def __init__(self, path: PathValue, removed: str, added: str) -> None:
        self.path = path
        self._removed = removed
        self._added = added

    @property
    def removed(self) -> str:
        """The lines that it takes away. Raises Undecided if a part of them is not known."""
        return _known(self._removed)

    @property
    def added(self) -> str:
        """The lines that it puts in their place. Raises Undecided if a part of them is not known."""
        return _known(self._added)

    def __repr__(self) -> str:
        return f"Edit({self.path!r}, {self._removed!r}, {self._added!r})"


def _known(text: str) -> str:
    if not is_known(text):
        raise Undecided(f"what `{shown(text)[:80]}` stands for is not known")
    return text


def may_edit(command: SimpleCommand) -> bool:
    """Return whether a command may be one that replaces or edits files."""
    return bool(command.redirects) or command.name in _CHANGING


def replaced_files(command: SimpleCommand, analysis: EffectAnalysis) -> Iterator[PathValue]:
    """Yield the files that are there and whose whole content the command replaces; of a path not known, that path."""
    opened = [item for item in command.redirects if item.op in _OVER]  # type: ignore[attr-defined]
    paths: list[PathValue] = [item.path for item in opened if item.path.access == "write"]  # type: ignore[attr-defined]
    if not is_known(command.argv[0]):  # it may be a program that does
        paths += [path for path in analysis.paths if path.access == "write" and not path.known]
    elif command.name in _REPLACES:
        keeps = _REPLACES[command.name].split()
        given = [name for word in command.argv[1:] for name in (word.partition("=")[0], word)]
        letters = "".join(word[1:] for word in command.argv[1:] if word[:1] == "-" and word[:2] != "--")
        if not any(one in given or (len(one) == 2 and one[1] in letters) for one in keeps):
            paths += [path for path in analysis.paths if path.access == "write" and not path.recursive]
    elif command.name == "ln" and command.has_flag("-f", "--force"):
        paths += [path for path in analysis.paths if path.access == "write"]
    elif analysis.codes and not any(mark in code for code in analysis.codes for mark in _ADDS):
        if command.model is not None and command.model.name in INTERPRETERS:
            written = [path for path in analysis.paths if path.access == "write"]
            paths += [path for path in written if not path.recursive or (path.known and analysis.is_file(path))]
    for path in paths:
        if not path.known or (path.real not in command.missing and _may_be_there(path, command)):
            yield path


def _may_be_there(path: PathValue, command: SimpleCommand) -> bool:
    try:
        return command.filesystem.present(path)
    except Undecided:
        return True  # the place cannot be looked at


def edits_of(
    command: SimpleCommand, analysis: EffectAnalysis, of: Callable[[SimpleCommand], EffectAnalysis]
) -> Iterator[Edit]:
    """Yield what the command changes in the texts of files; of a file that is not known, what its script says."""
    if not may_edit(command):
        return
    from policy_engine.effects.edited_texts import EDITORS, removed_and_added
    from policy_engine.effects.script_sources import text_before, texts_given

    before = command.before
    for path in [path for path in analysis.paths if path.access == "write"]:
        texts = list(texts_given(command, path, before, of)) if path.known and not path.recursive else []
        if len(texts) == 1 and is_known(texts[0][0]):
            old = text_before(path, command, before, of)
            if old is not None:
                yield _compared(path, old, old + texts[0][0] if texts[0][1] else texts[0][0])
                continue
        if command.name in EDITORS:
            for removed, added in removed_and_added(command.argv, command.feed):
                yield Edit(path, removed, added)


def _compared(path: PathValue, old: str, new: str) -> Edit:
    """Return the lines that only one of two texts has."""
    left, right = old.split("\n"), new.split("\n")
    there, here = set(left), set(right)
    removed = [line for line in left if line not in here]
    added = [line for line in right if line not in there]
    return Edit(path, "\n".join(removed), "\n".join(added))
