"""Find the files that git takes along, or prints, without their being named and without knowing them: git is asked.

`git add -A`, `git add FOLDER`, `git stash -u` and `-a`, `git grep --untracked`; of `git cat-file --batch` and `git show
$OBJECT` the other commands of the line say which files those may be. Imported by the hook path when such a
command is proposed.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue, under
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.git_pathspecs import files_fitted, is_asked_of
from policy_engine.programs.invocation import verb_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.command import SimpleCommand

_MOST = 2_048  # files that are looked at, hidden ones first
_EVERYTHING = {
    "add": ("-A", "--all", "--no-ignore-removal"),
    "stash": ("-u", "--include-untracked", "-a", "--all"),
    "grep": ("--untracked",),
}
_NOTHING_NEW = {
    "add": ("-u", "--update", "-n", "--dry-run", "--refresh", "-p", "--patch", "-i", "--interactive"),
    "stash": ("list", "show", "drop", "pop", "apply", "branch", "clear", "create", "store", "--no-include-untracked"),
    "grep": ("--no-index", "--no-exclude-standard", "-l", "--files-with-matches", "-c", "--count"),
}
_IGNORED_TOO = {"add": ("-f", "--force"), "stash": ("-a", "--all"), "grep": ()}
_PRINTS = ("cat-file", "show")
_BATCHES = ("--batch", "--batch-command")  # print objects, and not only what they are
_NAMING = frozenset("git echo printf grep egrep fgrep rg awk gawk sed".split())
_PERSONAL = ("~/.config/git/ignore", "~/.gitignore", "~/.gitignore_global")
_IGNORE_BYTES = 65_536


def added_files(command: SimpleCommand, folder: PathValue, env: dict[str, str]) -> list[PathValue]:
    """Return the files that git, where it runs, does not know, does not ignore, and would take; none where no
    repository can be asked, an unknown one where git does not answer.

    Args:
        command: a call of git.
        folder: where git runs.
        env: the variables that are set for it.
    """
    try:
        place = verb_place(command.argv) if command.name == "git" else None
        words = command.argv[place:] if place else ()
        verb = words[0] if words else ""
        if verb in _PRINTS:
            return _named_objects(command, words, folder)
        if verb not in _EVERYTHING or not all(map(is_known, words)):
            return []
        options = {f"-{char}" for word in words if word[:1] == "-" != word[1:2] for char in word[1:]}.union(words)
        long = [word for word in words if word[:2] == "--" and len(word) > 2]
        known = (*_EVERYTHING[verb], *_NOTHING_NEW[verb], *_IGNORED_TOO[verb])
        options.update(name for name in known for word in long if name.startswith(word))  # git takes a shortened name
        if not options.isdisjoint(_NOTHING_NEW[verb]):
            return []
        repository, filesystem = command.filesystem.repository(), command.filesystem
        behind = words[words.index("--") + 1 :] if "--" in words else ()
        names = [word for word in words[1:] if word[:1] != "-"] if verb == "add" else list(behind)
        if (verb != "add" or not names) and options.isdisjoint(_EVERYTHING[verb]):
            return []
        specs = [
            name for name in names if name[:1] != "/" or under(filesystem.resolve(name, None).real, repository.root)
        ]
        if names and not specs:
            return []
        personal = _PERSONAL if options.isdisjoint(_IGNORED_TOO[verb]) else ()
        ignored = "\n".join(filter(None, (_text(command, name) for name in personal)))
    except Undecided:
        return []
    try:
        if not is_asked_of(repository, folder, filesystem):
            return []
        left_out = ("--exclude-standard",) if options.isdisjoint(_IGNORED_TOO[verb]) else ()
        found = files_fitted(specs or [":/"], folder, filesystem, env, ("-o", *left_out))
    except Undecided as unknown:
        return [PathValue.unknown(".", f"what `git {verb}` takes along is not known: {unknown.reasons[0]}", "read")]
    paths = [PathValue(real.removeprefix(f"{repository.root}/"), real, "read") for real in found[:_MOST]]
    return [path for path in paths if path.text.rpartition("/")[2] not in ignored]


def _named_objects(command: SimpleCommand, words: tuple[str, ...], folder: PathValue) -> list[PathValue]:
    """Return the files whose earlier contents git prints by numbers of objects that the line looks up: those that the
    commands which do so name.
    """
    told = words[0] == "cat-file" and any(word.partition("=")[0] in _BATCHES for word in words)
    if not told and all(map(is_known, words)):
        return []
    if told and ("--batch-all-objects" in words or any(map(_lists_objects, command.line))):
        return [PathValue.unknown("the objects of git", "which files git prints is not known", "read")]
    commands = {id(one): one for one in (*command.line, *command.before) if one.name in _NAMING and one is not command}
    given = [word for one in commands.values() for word in one.argv[1:] if is_known(word) and word[:1] != "-"]
    pieces = " ".join([*given, command.feed if command.feed and is_known(command.feed) else ""])
    names = {name.rpartition(":")[2].replace("\\", "").strip("^$'\"/") for name in pieces.split()}
    places = (command.filesystem.resolve(name, folder.real) for name in sorted(names) if name)
    return [place.with_access("read") for place in places]


def _lists_objects(command: SimpleCommand) -> bool:
    """Return whether a command gives the numbers of all objects, of files that it does not name."""
    words = command.argv
    return command.name == "git" and "rev-list" in words and "--objects" in words and "--" not in words


def _text(command: SimpleCommand, name: str) -> str | None:
    """Return a file of names that a person has git ignore everywhere; git is asked without those."""
    file = command.filesystem.resolve(name, None)
    return command.filesystem.script(file, _IGNORE_BYTES) if command.filesystem.present(file) else None
