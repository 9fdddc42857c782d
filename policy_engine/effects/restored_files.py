"""Find which files `git restore`, `git checkout` and `git reset --hard` put back: git is asked what differs now.

Imported by the hook path when such a command is proposed.
"""

from __future__ import annotations

from policy_engine.effects.overwritten_work import moves_work
from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.invocation import verb_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.command import SimpleCommand

_QUIET = frozenset(("-q", "--quiet"))
_FORCES = frozenset(("-f", "--force", "--discard-changes"))
_FLAGS = {
    "restore": _QUIET | {"-W", "--worktree", "-S", "--staged"},
    "checkout": _QUIET | _FORCES,
    "switch": _QUIET | _FORCES,
    "reset": _QUIET | {"--hard"},
}
"""Verbs of git that put files back, with the options that are followed."""
_MOST = 2_048  # files that are named one by one


def restored_files(command: SimpleCommand) -> list[PathValue] | None:
    """Return the files that git would write as it keeps them; None for another command, or where git does not say."""
    place = verb_place(command.argv)
    verb, *words = command.argv[place:] if place else ("",)
    if verb not in _FLAGS or place != 1 or command.env or not all(map(is_known, words)):
        return None
    if any(map(moves_work, command.before)):
        return None  # something else may differ by then
    try:
        asked = _asked(verb, words)
        repository = command.filesystem.repository()
        if asked is None or command.cwd.real != repository.root:
            return None
        names = repository.ask("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", *asked)
    except Undecided:
        return None
    found = names.decode("utf-8", "surrogateescape").split("\0")[:-1]
    if len(found) > _MOST:
        return None
    return [PathValue(name, f"{repository.root}/{name}", "write") for name in found]


def _asked(verb: str, words: list[str]) -> list[str] | None:
    """Return what to ask `git diff` for: a revision, if it is not the index that files come from, and the places."""
    cut = words.index("--") if "--" in words else len(words)
    flags = [word for word in words[:cut] if word[:1] == "-"]
    before, places = [word for word in words[:cut] if word[:1] != "-"], words[cut + 1 :]
    sources = [flag for flag in flags if flag.startswith("--source=")]
    if not _FLAGS[verb].issuperset(set(flags) - set(sources)) or len(sources) > (verb == "restore"):
        return None
    if verb == "restore":
        places = [*before, *places]
        staged = not {"-S", "--staged"}.isdisjoint(flags)
        if staged and {"-W", "--worktree"}.isdisjoint(flags):
            return None
        tree = [sources[0].partition("=")[2]] if sources else ["HEAD"] if staged else []
        return [*tree, "--", *places] if places else None
    if verb == "reset":
        return None if "--hard" not in flags or places or len(before) > 1 else [*(before or ["HEAD"]), "--"]
    if places:
        return [*before, "--", *places] if verb == "checkout" and len(before) < 2 else None
    if not _FORCES.isdisjoint(flags):
        return ["HEAD", "--"]  # what nobody committed is thrown away
    return ["--", before[0]] if verb == "checkout" and before in (["."], [":/"]) else None
