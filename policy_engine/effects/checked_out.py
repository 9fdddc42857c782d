"""Find the branch that a forced push without a name goes to: the one that is checked out, if git's settings say so.

Asked only where nothing else on the line may check out another one. On the hook path when such a push is proposed.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.command import SimpleCommand

_STAYING = frozenset(
    "add commit fetch push status log diff show rev-parse rebase merge pull tag blame ls-files ls-remote".split()
)
"""Verbs of git after which the same branch is checked out."""
_QUIET = ("cd", "echo", "printf", "true", "tail", "head", "cat", "grep", "sleep", "ls", "wc")
_OPTIONS = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path")
_SETTINGS = r"^(push\.default|remote\..*\.(push|mirror)|branch\..*\.(merge|pushremote))$"
_SAME = ("", "simple", "current")


def checked_out_branch(command: SimpleCommand) -> str:
    """Return the branch that `git push` of this command goes to, "" if that is not sure."""
    words = command.argv[1 : command.argv.index("push")] if "push" in command.argv else command.argv
    git = any(name.partition("=")[0].startswith("GIT_") for name in command.env)
    if git or any(word in _OPTIONS or not is_known(word) for word in words):
        return ""
    if any(other is not command and not _stays(other) for other in command.line):
        return ""
    try:
        filesystem = command.filesystem
        repository = filesystem.repository()
        if not command.cwd.known or command.cwd.real.rstrip("/") != repository.root.rstrip("/"):
            return ""
        branch = repository.branch()
        text = repository.ask("config", "--get-regexp", _SETTINGS, failing=True).decode("utf-8", "replace")
    except Undecided:
        return ""
    settings = [line.partition(" ") for line in text.splitlines()]
    default = next((value for key, _, value in reversed(settings) if key == "push.default"), "")
    if default not in _SAME or any(key.startswith("remote.") for key, _, _ in settings):
        return ""
    own = [(key, value) for key, _, value in settings if key.startswith(f"branch.{branch}.")]
    return branch if all(key.endswith(".merge") and value == f"refs/heads/{branch}" for key, value in own) else ""


def _stays(command: SimpleCommand) -> bool:
    """Return whether a command surely leaves the same branch checked out."""
    if command.name == "git":
        return len(command.argv) > 1 and command.argv[1] in _STAYING
    return command.name in _QUIET and not command.background
