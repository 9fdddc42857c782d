"""Find the files that `git add -A`, or `git add FOLDER`, takes along without naming them: git is asked.

Imported by the hook path when such a command is proposed.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.invocation import verb_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.command import SimpleCommand

_MOST = 2_048  # files that are looked at, hidden ones first
_ALL = ("-A", "--all", "--no-ignore-removal")
_NOTHING_NEW = ("-u", "--update", "-n", "--dry-run", "--refresh", "-p", "--patch", "-i", "--interactive")
_PERSONAL = ("~/.config/git/ignore", "~/.gitignore", "~/.gitignore_global")
_IGNORE_BYTES = 65_536


def added_files(command: SimpleCommand, folder: PathValue) -> list[PathValue]:
    """Return the files that git, where it runs, does not know, does not ignore, and would take; none where no
    repository can be asked, an unknown one where git does not answer.
    """
    try:
        place = verb_place(command.argv) if command.name == "git" else None
        words = command.argv[place:] if place else ()
        if words[:1] != ("add",) or not all(map(is_known, words)):
            return []
        options = {f"-{char}" for word in words if word[:1] == "-" != word[1:2] for char in word[1:]}.union(words)
        if not options.isdisjoint(_NOTHING_NEW):
            return []
        repository, filesystem = command.filesystem.repository(), command.filesystem
        names = [word for word in words[1:] if word[:1] != "-"]
        if not names and options.isdisjoint(_ALL):
            return []
        places = [filesystem.resolve(name, folder.real).real for name in names] or [repository.root]
        places = [place for place in places if f"{place}/".startswith(f"{repository.root}/")]
        ignored = "\n".join(filter(None, (_text(command, name) for name in _PERSONAL)))
    except Undecided:
        return []
    try:
        output = repository.ask("ls-files", "--others", "--exclude-standard", "-z", "--", *places) if places else b""
    except Undecided as unknown:
        return [PathValue.unknown(".", f"what `git add` takes along is not known: {unknown.reasons[0]}", "read")]
    found = sorted(output.decode("utf-8", "surrogateescape").split("\0")[:-1], key=lambda name: "/." not in f"/{name}")
    return [
        PathValue(name, f"{repository.root}/{name}", "read")
        for name in found[:_MOST]
        if name.rpartition("/")[2] not in ignored
    ]


def _text(command: SimpleCommand, name: str) -> str | None:
    """Return a file of names that a person has git ignore everywhere; git is asked without those."""
    file = command.filesystem.resolve(name, None)
    return command.filesystem.script(file, _IGNORE_BYTES) if command.filesystem.present(file) else None
