"""Tell that a command writes a version of a file that git keeps over the file itself, as `git checkout -- FILE` does.

What `git show REV:FILE` or `git cat-file` prints goes there by a redirection, a pipe or a copy, and `git archive` is
unpacked there: what nobody committed of that file is gone. On the hook path when a command of a line with such a `git`
writes a file.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.invocation import verb_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_WORK = frozenset(("-o", "--others", "-m", "--modified"))
_PRINTS = ("show", "cat-file")
_COPIES = ("cp", "mv", "install", "rsync", "dd")
_UNPACKS = ("tar", "bsdtar", "gtar", "unzip", "cpio", "pax")


def overwrites_work(
    command: SimpleCommand, analysis: EffectAnalysis, of: Callable[[SimpleCommand], EffectAnalysis]
) -> bool | None:
    """Return whether a file that is there is overwritten by a version of it, None for perhaps.

    What git lists as changed, or as no file of its own, is thrown away by what deletes it, as by `git clean`.
    """
    if any(path.access == "delete" for path in analysis.paths) and any(map(_lists_work, _listing(command))):
        return True
    written = [path for path in analysis.paths if path.access == "write"]
    if not written:
        return False
    try:
        if command.name in _UNPACKS and (source := _feeding(command)) is not None and "archive" in source.argv:
            whole = not any(word.startswith(("--prefix", "--remote")) for word in source.argv)
            here = {command.cwd.real.rstrip("/"), _root(command).rstrip("/")}
            known = [path for path in written if path.known]
            if whole and any(path.real.rstrip("/") in here or _is_kept(path, source) for path in known):
                return True
            doubtful = (path for path in written if not path.known)
            return None if whole and any(_may_lie_below(path, _root(command)) for path in doubtful) else False
        versions = {real for source in _sources(command, analysis, of) for real in _versions(source)}
        there = [path.real for path in written if path.known and command.filesystem.present(path)]
        if any(real in versions for real in there):
            return True
        root = command.filesystem.real_workspace.rstrip("/") + "/"
        return None if "" in versions and any(real.startswith(root) for real in there) else False
    except Undecided:
        return False


def _listing(command: SimpleCommand) -> Iterator[SimpleCommand]:
    """Yield the calls of git that feed a command, or stand in its words."""
    for one in command.before:
        if one.name == "git" and ("git" in command.piped_from or (one.substituted and one.text in command.text)):
            yield one


def _lists_work(command: SimpleCommand) -> bool:
    place = verb_place(command.argv) or 0
    verb, words = command.argv[place], command.argv[place + 1 :]
    return (
        verb == "status"
        or (verb == "ls-files" and not _WORK.isdisjoint(words))
        or (verb == "diff" and "--name-only" in words and not any(word.startswith("--diff-filter=D") for word in words))
    )


def _sources(
    command: SimpleCommand, analysis: EffectAnalysis, of: Callable[[SimpleCommand], EffectAnalysis]
) -> Iterator[SimpleCommand]:
    """Yield the calls of git whose output a command writes: its own, one that feeds it, one whose file it copies."""
    if command.name == "git":
        yield command
    elif "git" in command.argv:  # something starts it
        yield from (other for other in command.line if other.name == "git" and other.text in command.text)
    elif (source := _feeding(command)) is not None:
        yield source
    elif command.name in _COPIES:
        taken = {path.real for path in (*analysis.paths, *analysis.contents) if path.known and path.access != "write"}
        made = (path for other in command.before for path in of(other).paths if path.known)
        if any(path.access == "write" and path.real in taken for path in made):
            yield from (other for other in command.before if other.name == "git")


def _feeding(command: SimpleCommand) -> SimpleCommand | None:
    if "git" not in command.piped_from:
        return None
    return next((one for one in reversed(command.before) if one.name == "git"), None)


def _versions(command: SimpleCommand) -> Iterator[str]:
    """Yield the files of which a call of git prints a version, "" for one that is not known."""
    if not any(verb in command.argv for verb in _PRINTS):
        return
    for word in command.argv[1:]:
        if not is_known(word.rpartition(":")[2]):
            yield ""
            continue
        revision, colon, path = word.partition(":")
        if colon and path and revision[:1] != "-":
            base = command.cwd.real if path.startswith(("./", "../")) else _root(command)
            yield command.filesystem.resolve(path, base).real


def _is_kept(path: PathValue, source: SimpleCommand) -> bool:
    """Return whether a written file is one that the archive names."""
    files = {source.filesystem.resolve(word, source.cwd.real).real for word in source.argv[1:] if is_known(word)}
    return path.real in files and source.filesystem.present(path)


def _may_lie_below(path: PathValue, root: str) -> bool:
    """Return whether a path of which parts of names are not known at most, may lie in a folder."""
    start = path.loose.partition("\0")[0]
    return start.startswith(root) or root.startswith(start)


def _root(command: SimpleCommand) -> str:
    """Return the folder that paths of a revision begin at, that of the workspace where git cannot be asked."""
    try:
        return command.filesystem.repository().root
    except Undecided:
        return command.filesystem.real_workspace
