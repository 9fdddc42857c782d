"""Tell what git takes out of objects that its line fetched from an address, which are as foreign as a download.

A remote that was there before the line is part of the repository; an address, or a remote that the line adds, is not.
Imported by the hook path when a line fetches something and git is among its commands.
"""

from __future__ import annotations

from policy_engine.effects.code_elsewhere import is_elsewhere
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.invocation import verb_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.command import SimpleCommand

_FETCHES = ("fetch", "pull")
_NAMES = ("branch", "tag", "update-ref")
_WHOLE = frozenset("checkout switch merge reset rebase cherry-pick revert read-tree".split())
_NEW_BRANCH = ("-b", "-B", "-c", "-C", "--orphan")


class ForeignObjects:
    """The names of what a line fetched from addresses so far, and the remotes that it added."""

    __slots__ = ("_names", "_remotes")

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._remotes: set[str] = set()

    def takes(self, command: SimpleCommand) -> str:
        """Note what a call of git fetches; return `files` if it puts some of it among the files by their names, `all`
        if it may put any of it there, else "".
        """
        try:
            place = verb_place(command.argv)
        except Undecided:
            return "all" if self._names else ""
        verb, words = (
            (command.argv[place], command.argv[place + 1 :]) if place and place < len(command.argv) else ("", ())
        )
        plain = [word for before, word in zip(("", *words), words, strict=False)
                 if word[:1] != "-" and before not in _NEW_BRANCH]  # fmt: skip
        if verb == "remote" and words[:1] in (("add",), ("set-url",)):
            self._remotes.update(plain[-2:-1])
        elif verb in _FETCHES and self._is_foreign(plain):
            self._names.add("FETCH_HEAD")
            self._names.update(word.rpartition(":")[2].removeprefix("refs/heads/") for word in plain if ":" in word)
            return "all" if verb == "pull" else ""
        elif any(map(self._is_taken, words)):
            if verb in _NAMES:
                self._names.update(plain)
            elif verb in ("restore", "worktree") or (verb == "checkout" and ("--" in words or len(plain) > 1)):
                return "files"
            return "all" if verb in _WHOLE else ""
        return ""

    def _is_foreign(self, plain: list[str]) -> bool:
        known = [word for word in plain if is_known(word)]
        return any(map(is_elsewhere, known)) or not self._remotes.isdisjoint(known[:1])

    def _is_taken(self, word: str) -> bool:
        """Return whether a word names what was fetched, or a commit before it."""
        name = word.rpartition("=")[2].partition(":")[0].partition("~")[0].partition("^")[0]
        remote, slash, _ = name.partition("/")
        return name in self._names or (bool(slash) and "FETCH_HEAD" in self._names and remote in self._remotes)
