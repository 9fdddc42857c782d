"""Find the branch that a push with a lease and without a name goes to: the one that is checked out, if settings say so.

Asked only where nothing else on the line may check out another one. On the hook path when such a push is proposed.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.shell.command import SimpleCommand

_STAYING = frozenset(
    "add commit fetch push status log diff show rev-parse merge pull tag blame ls-files ls-remote".split()
)
"""Verbs of git after which the same branch is checked out."""
_QUIET = ("cd", "echo", "printf", "true", "tail", "head", "cat", "grep", "sleep", "ls", "wc")
_PERSONAL = ("~/.gitconfig", "~/.config/git/config", "/etc/gitconfig")
_SECTIONS = (
    "[push",
    "[remote",
    "[include",
)  # of settings that may name other branches; git is asked without these files
_CONFIG_BYTES = 65_536
_SETTINGS = r"^(push\.default|remote\..*\.(push|mirror)|branch\..*\.(merge|pushremote))$"
_SAME = ("", "simple", "current")


def checked_out_branch(command: SimpleCommand) -> str:
    """Return the branch that `git push` of this command goes to, "" if that is not sure."""
    if command.argv[1:2] != ("push",) or command.env:
        return ""
    if any(other is not command and not _stays(other) for other in command.line):
        return ""
    try:
        filesystem = command.filesystem
        repository = filesystem.repository()
        if not command.cwd.known or command.cwd.real.rstrip("/") != repository.root.rstrip("/"):
            return ""
        if any(_may_name_others(filesystem.resolve(name, None), filesystem) for name in _PERSONAL):
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


def branch_of_line(command: SimpleCommand) -> str:
    """Return the branch that an earlier command of the line checks out, and none behind it another one; "" if there is
    none.
    """
    for other in reversed(command.before):
        if branch := _taken(other):
            return branch
        if not (_stays(other) or other.argv[:2] == ("git", "reset")):
            return ""
    return ""


def _taken(command: SimpleCommand) -> str:
    """Return the branch that a call of git checks out, or gives the one that is, "" for other commands."""
    verb, words = "".join(command.argv[1:2]), command.argv[2:]
    if command.name != "git" or verb not in ("switch", "checkout", "rebase", "branch") or not all(map(is_known, words)):
        return ""
    names = [word for word in words if word[:1] != "-"]
    flags = {word for word in words if word[:1] == "-"}
    match verb:
        case "rebase":
            return names[1] if len(names) == 2 and not flags else ""
        case "branch":
            return names[0] if len(names) == 1 and flags and flags <= _RENAMES else ""
    made = [word for before, word in zip(words, words[1:], strict=False) if before in _MAKES]  # noqa: RUF007
    if "--" in flags or flags & _DETACHES or not (made or len(names) == 1):
        return ""
    name = (made or names)[0]
    name = name.partition("/")[2] if flags & {"-t", "--track"} and not made else name
    try:
        is_file = verb == "checkout" and not made and command.filesystem.present(
            command.filesystem.resolve(name, command.cwd.real)
        )  # fmt: skip
    except Undecided:
        is_file = False
    return "" if is_file or name in ("HEAD", "@") else name


_MAKES = frozenset("-b -B -c -C --create --force-create --orphan".split())
_RENAMES = frozenset("-m -M --move".split())
_DETACHES = frozenset("-d --detach -p --patch".split())


def _may_name_others(file: PathValue, filesystem: FileSystem) -> bool:
    """Return whether a file of settings, if it is there, may say that a push goes to other branches."""
    if not filesystem.present(file):
        return False
    text = filesystem.script(file, _CONFIG_BYTES)
    return text is None or any(section in text for section in _SECTIONS)


def _stays(command: SimpleCommand) -> bool:
    """Return whether a command surely leaves the same branch checked out."""
    opened = [redirect.path for redirect in command.redirects]  # type: ignore[attr-defined]
    if command.background or any(path.access != "read" and path.real != "/dev/null" for path in opened):
        return False
    words = command.argv[1:]
    if command.name != "git" or not words or not all(map(is_known, words)):
        return command.name in _QUIET
    if words[0] == "rebase":  # a second operand is checked out, and `--exec` runs anything
        return len(words) == 2 and words[1][:1] != "-"
    return words[0] in _STAYING
