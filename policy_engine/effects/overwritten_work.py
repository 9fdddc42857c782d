"""Tell that a command writes a version of a file that git keeps over the file itself, as `git checkout -- FILE` does.

What `git show REV:FILE` or `git cat-file` prints goes there by a redirection, a pipe or a copy, and `git archive` is
unpacked there: what nobody committed of that file is gone. On the hook path when a command of a line with such a `git`
writes a file.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import under
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.invocation import verb_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_PUTS_BACK = {
    "checkout": frozenset(("-q", "--quiet")),
    "restore": frozenset(("-q", "--quiet", "-W", "--worktree", "-S", "--staged", "--source")),
}
"""Verbs of git that write files as it keeps them, with the options that are followed."""
_KEEPS_WORK = frozenset("status diff log show add fetch rev-parse branch ls-files grep blame describe".split())
_WORK = frozenset(("-o", "--others", "-m", "--modified"))
_TRIES = frozenset(("--check", "--dry-run", "--stat", "--numstat", "--summary", "--cached"))
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
        if _takes_back(command):
            return True
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


def _takes_back(command: SimpleCommand) -> bool:
    """Return whether it applies backwards what `git diff` says that nobody has committed, and which nothing keeps."""
    backwards = "-R" in command.argv or "--reverse" in command.argv
    applies = command.name == "patch" or (command.name == "git" and _verb(command) == "apply")
    if not (backwards and applies and command.piped_from == ("git",)) or not _TRIES.isdisjoint(command.argv):
        return False
    source = _feeding(command)
    if source is None or _verb(source) != "diff":
        return False
    words = source.argv[(verb_place(source.argv) or 0) + 1 :]
    kinds = [word for word in words[: words.index("--") if "--" in words else len(words)] if word != "HEAD"]
    return not any(word in ("--cached", "--staged", "--no-index") or ".." in word for word in kinds) and all(
        word[:1] == "-" or command.filesystem.present(command.filesystem.resolve(word, command.cwd.real))
        for word in kinds
    )


def loses_nothing(command: SimpleCommand) -> bool:
    """Return whether files that `git checkout` or `git restore` writes hold nothing that git has
    not kept, by what git says now: what commands before it on the line make is not asked for.
    """
    verb, words = (command.argv[1:2] or ("",))[0], list(command.argv[2:])
    if verb not in _PUTS_BACK or command.env or not all(map(is_known, words)) or any(map(moves_work, command.before)):
        return False
    cut = words.index("--") if "--" in words else len(words)
    flags = [word for word in words[:cut] if word[:1] == "-"]
    operands = [word for word in words[:cut] if word[:1] != "-"]
    places = [*words[cut + 1 :], *(operands if cut == len(words) or verb == "restore" else ())]
    if not _PUTS_BACK[verb].issuperset(flag.partition("=")[0] for flag in flags):
        return False
    revision = len(operands) > (cut == len(words)) if verb == "checkout" else any(map(_not_index, flags))
    try:
        return bool(places) and not _differs(command, places, not revision)
    except Undecided:
        return False


def deletes_own_tags(command: SimpleCommand) -> bool:
    """Return whether the tags that `git tag -d` deletes are made by a command before it, and not there now."""
    words = command.argv[2:]
    names = [word for word in words if word[:1] != "-"]
    if command.argv[1:2] != ("tag",) or command.env or not names or set(words) - set(names) - {"-d", "--delete"}:
        return False
    others = [one for one in command.before if one.name == "git"]
    made = {word for one in others if _verb(one) == "tag" for word in one.argv[2:]}
    if not made.issuperset(names) or any(_verb(one) not in (*_KEEPS_WORK, "tag", "push") for one in others):
        return False
    try:
        return all(map(is_known, names)) and not command.filesystem.repository().ask("tag", "-l", *names)
    except Undecided:
        return False


def _not_index(flag: str) -> bool:
    return flag.startswith(("-S", "--s"))


def moves_work(command: SimpleCommand) -> bool:
    """Return whether a command before may bring work to the files that has no other copy."""
    if command.name != "git":
        return command.name in ("mv", "ln", "rsync")
    return _verb(command) not in _KEEPS_WORK


def _verb(command: SimpleCommand) -> str:
    place = verb_place(command.argv) or 0
    return command.argv[place] if place < len(command.argv) else ""


def _differs(command: SimpleCommand, places: list[str], from_index: bool) -> bool:
    """Ask git whether it has not kept what is in places: in its index, or a commit, with files it does not know. Where
    no commit has a place, nothing is known of what would come there.

    Raises Undecided where it cannot be asked.
    """
    repository, filesystem = command.filesystem.repository(), command.filesystem
    here, root = command.cwd.real, repository.root
    below = here[len(root) :].strip("/")
    if not under(here, root) or any(place[:1] in ("/", ":", "~") or ".." in place.split("/") for place in places):
        return True
    while here != root:
        if filesystem.present(filesystem.resolve(f"{here}/.git", None)):
            return True  # a repository of its own
        here = here.rpartition("/")[0]
    if filesystem.present(filesystem.resolve(f"{root}/.gitmodules", None)):
        return True
    asked = ("--untracked-files=no",) if from_index else ("--untracked-files=all", "--ignored")
    paths = [f"{below}/{place}".strip("/") for place in places]
    named = {path.removesuffix("/.") for path in paths} - {"."}
    kept = repository.ask("ls-tree", "-z", "--name-only", "HEAD", *(["--", *sorted(named)] if named else []))
    if kept.count(b"\0") < max(len(named), 1):
        return True
    output = repository.ask("status", "--porcelain=v1", "-z", "--no-renames", *asked, "--", *paths)
    lines = [line for line in output.split(b"\0") if line]
    return any(line[1:2] != b" " for line in lines) if from_index else bool(lines)


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
