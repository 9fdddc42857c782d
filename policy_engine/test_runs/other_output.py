"""Know the form of the lines that commands beside a run of tests print, so that no line of theirs is taken for its own.

Of each command in the table every line that it can print has this form, whatever files, branches and messages are
called: such lines are left out before the summary is read. Not on the hook path: imported when a line ran tests.
"""

from __future__ import annotations

import re

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy_engine.shell.command import SimpleCommand

_STATUS = (
    r"(?:(?! {2})[ MADRCTU?!#]{2} |\t|On branch |HEAD detached|Not currently on|Your branch|and have \d|Changes |"
    r"Untracked |Unmerged |No commits yet|You (?:have|are) |All conflicts|nothing |no changes|  \()"
)
_PATCH = (
    r"(?:[ +\-@\\]|diff --|index [0-9a-f]|new file mode|deleted file mode|old mode|new mode|similarity |"
    r"dissimilarity |rename |copy |Binary files )"
)
_LOG = rf"(?:commit [0-9a-f]{{40}}|[0-9a-f]{{7,40}} |Author: |Date: |Merge: |{_PATCH})"
_COUNTED = r" *(?:\d+ +){1,4}\S*$"
_FORMS = {
    "status": _STATUS,
    "diff": _PATCH,
    "log": _LOG,
    "commit": r"(?:\[| \d+ files? changed| (?:create|delete|mode|rename|rewrite|copy) )",
    "tag": r"(?:Updated tag |Deleted tag )",
    "push": r"(?:To | [ *+!=-] |remote: |hint: |error: |Everything up-to-date|Enumerating |Counting |Delta |"
    r"Compressing |Writing |Total |branch '|Branch ')",
    "switch": r"(?:Switched to |Already on |[MADRCTU]\t|Your branch |and have \d|  \(|branch '|Branch ')",
    "branch": r"(?:[*+ ] \S+$|Deleted branch |branch '|Branch ')",
}
"""How each line begins that a verb of git prints."""
_FREE = (
    "--format", "--pretty", "--name", "--output", "--word-diff", "--color", "--ext-diff", "--textconv", "--line-prefix",
    "--src-prefix", "--dst-prefix", "--graph", "--porcelain=v2", "--notes", "--show-notes", "--raw", "--tformat", "-z",
    "--encoding", "--show-signature", "--column", "--submodule", "--check", "--abbrev", "--no-index", "-L", "-v",
    "--verbose",
)  # fmt: skip
"""Beginnings of options with which git prints lines of another form."""
_MAKING = frozenset("-a --annotate -f --force -d --delete -m --message".split())
"""Options of `git tag` with which it makes or deletes tags, and shows none."""
_HOOKED = ("commit", "push", "switch")


def form_of(command: SimpleCommand) -> str:
    """Return the pattern with which each line begins that the command can print; empty if they may be any."""
    words = command.argv[1:]
    if not all(map(is_known, words)):
        return ""
    if command.name == "wc":
        return _COUNTED if all(word.isprintable() and " " not in word for word in words) else ""
    if command.name != "git" or command.env or not words or any(word.startswith(_FREE) for word in words):
        return ""
    form = _FORMS.get(words[0], "")  # options before the verb would configure what it prints
    says = any(word[:2] == "-m" or word.startswith(("--message", "-am", "-qm", "-qam")) for word in words)
    if words[0] == "tag":
        options = {word.partition("=")[0] for word in words[1:] if word[:1] == "-"}
        if len(words) < 2 or not options <= _MAKING or (options & {"-a", "--annotate"} and not says):
            return ""  # tags are listed, or an editor would be started
    elif words[0] == "commit" and not says:
        return ""  # the same
    return form if form and _is_usual(command, words[0] in _HOOKED) else ""


_SECTION = re.compile(rb"^\s*\[\s*([A-Za-z0-9.-]+)", re.MULTILINE)
_USUAL = frozenset(b"core remote branch user submodule lfs gui init".split())
_UNUSUAL = (b"hookspath", b"abbrev", b"pager", b"commentchar", b"quotepath", b"fsmonitor", b"editor")


def _is_usual(command: SimpleCommand, hooked: bool) -> bool:
    """Detect a repository, or none, whose settings give git's output no other form; `hooked`: nor hooks a part."""
    filesystem = command.filesystem
    try:
        at = command.cwd.real.rstrip("/")
        while not filesystem.present(PathValue(".git", f"{at}/.git")):
            if not at:
                return True
            at = at.rpartition("/")[0]
        hooks = PathValue("hooks", f"{at}/.git/hooks")
        if (
            hooked
            and filesystem.present(hooks)
            and any(not name.endswith(".sample") for name in filesystem.names(hooks))
        ):
            return False
        config = filesystem.read(PathValue("config", f"{at}/.git/config"))
    except Undecided:
        return False
    if not isinstance(config, bytes):
        return False
    sections = {name.lower() for name in _SECTION.findall(config)}
    return sections <= _USUAL and not any(word in config.lower() for word in _UNUSUAL)


def runs_no_hooks(command: SimpleCommand) -> bool:
    """Return whether git starts nothing of the repository when it commits or pushes."""
    return not command.env and all(map(is_known, command.argv)) and _is_usual(command, True)


def without_others(text: str, others: Sequence[SimpleCommand]) -> str:
    """Return a result without the lines that these commands may have printed."""
    forms = [form for form in map(form_of, others) if form]
    if not forms:
        return text
    theirs = re.compile("|".join(forms))
    return "\n".join(line for line in text.split("\n") if not theirs.match(line))
