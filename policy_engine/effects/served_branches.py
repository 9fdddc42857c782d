"""Tell which branches git rewrites for others: those that a push without a name goes to, and those that it deletes or
moves in a repository that others push to, on another machine or without files.

There a branch is not the session's own: `git branch -D` does what a push that deletes it does. On the hook path.
"""

from __future__ import annotations

from policy_engine.effects.checked_out import branch_of_line, checked_out_branch
from policy_engine.model.effects import OF_HEAD, OF_HEAD_NOW
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import CARRIES
from policy_engine.programs.base import find_program, is_scratch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.programs.base import Arguments
    from policy_engine.shell.command import SimpleCommand

_MACHINES = frozenset(("ssh", "vagrant", *CARRIES))
_PLUMBING = ("update-ref", "symbolic-ref")  # which nobody uses on a folder of work whose name a variable holds
_MOVES = ("-m", "-M", "--move", "-c", "-C", "--copy")


def judge_branches(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """Add the branches of others that a call of git rewrites, which its own words do not say."""
    _judge_served(command, analysis)
    reasons = analysis.branch_doubts.values()
    if OF_HEAD in reasons and (branch := checked_out_branch(command)):
        analysis.branch_doubts.clear()
        analysis.rewrites(branch)
    elif (OF_HEAD in reasons or OF_HEAD_NOW in reasons) and (branch := branch_of_line(command)):
        analysis.rewrites(branch)  # unless an earlier command fails, or a setting names another one


def _judge_served(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """Add the branches that a call of git changes in a repository that it does not share with the session's files."""
    try:
        arguments = command.arguments()
        verb, words = "".join(arguments.operands[:1]), arguments.operands[1:]
        elsewhere = _on_other_machine(command)
        unknown = verb in _PLUMBING and not analysis.cwd.known and not elsewhere
        if verb not in _CHANGED or not (unknown or elsewhere or _is_bare(arguments, analysis)):
            return
        program = find_program(f"git-{verb}")
        given = program.arguments(tuple(words)) if program is not None else None
    except Undecided:
        return
    flags = {word for word in words if word[:1] == "-"} if given is None else {name for name, _ in given.options}
    names = [word for word in words if word[:1] != "-"] if given is None else given.operands
    for name in _CHANGED[verb](flags, names, command.feed or ""):
        if unknown or not is_known(name):
            analysis.may_rewrite(f"which branch `{command.text[:80]}` changes is not known")
        elif not name.startswith(("refs/tags/", "refs/remotes/", "refs/notes/")):
            analysis.rewrites(name.removeprefix("+").removeprefix("refs/heads/").removeprefix("heads/"))


def _on_other_machine(command: SimpleCommand) -> bool:
    return any(via.partition(" ")[0] in _MACHINES for via in command.via)


def _is_bare(arguments: Arguments, analysis: EffectAnalysis) -> bool:
    """Return whether it works on a repository without files of its own (`x.git`), outside of the workspace."""
    path = analysis.cwd
    for name, value in arguments.options:
        if name == "--git-dir" and value:
            path = analysis.path(value, "read")
    name = path.real.rpartition("/")[2] if path.known else ""
    try:
        inside = not path.known or analysis.filesystem.relative(path) is not None
    except Undecided:
        inside = False  # for all that is known
    return name.endswith(".git") and name != ".git" and not inside and not is_scratch(path, analysis.filesystem)


def _of_update(flags: set[str], names: list[str], feed: str) -> list[str]:
    """`git update-ref`: the words name one, or each line of the input."""
    if "--stdin" not in flags:
        return names[:1]
    lines = [line.split() for line in feed.split("\n")]
    return [line[1] for line in lines if len(line) > 1 and line[0] in ("update", "delete", "create", "symref-update")]


def _of_branch(flags: set[str], names: list[str], _feed: str) -> list[str]:
    """`git branch`: those that are deleted, put elsewhere or renamed."""
    if flags & {"-d", "-D", "--delete"}:
        return names
    if flags & {"-f", "--force"}:
        return names[:1]
    return names if not flags.isdisjoint(_MOVES) and len(names) > 1 else []


def _of_link(flags: set[str], names: list[str], _feed: str) -> list[str]:
    """`git symbolic-ref`: one that is deleted, or that becomes another's second name; `HEAD` is no branch."""
    changes = len(names) > 1 or flags & {"-d", "--delete"}
    return names[:1] if changes and names[:1] != ["HEAD"] else []


def _of_fetch(_flags: set[str], names: list[str], _feed: str) -> list[str]:
    """`git fetch`: those that a forced refspec puts elsewhere, unless it mirrors all."""
    return [name.rpartition(":")[2] for name in names[1:] if name[:1] == "+" and ":" in name and "*" not in name]


_CHANGED = {"update-ref": _of_update, "branch": _of_branch, "symbolic-ref": _of_link, "fetch": _of_fetch}
