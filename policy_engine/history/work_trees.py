"""Keep in which work tree of the repository sources changed: only the tests of that tree say something of them.

A host gives a task a linked work tree below the workspace (`.claude/worktrees/fix`); the agent edits and tests there.
Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.history.changing_files import may_be_there
from policy_engine.model.test_names import ecosystem_of
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.facts import Fact
    from policy_engine.test_runs.evidence import Proof

APART = "apart"
"""Within the room of runs of tests: by ecosystem, the trees in which sources changed since a run of all tests passed;
"" is the workspace itself."""
_LEVELS = 6  # folders above a file that are looked at
_MOST = 16  # trees; a run in a further one never stands for the whole
_LINKED = b"/worktrees/"


def note_trees(facts: Iterable[Fact], namespace: dict[str, Any], filesystem: FileSystem) -> None:
    """Enter the trees of the sources that changed at one event."""
    for fact in facts:
        if fact.kind in ("wrote", "deleted") and fact.path is not None and (of := ecosystem_of(fact.path.real)):
            tree = _tree_of(fact.path, filesystem)
            trees = namespace.get(APART, {}).get(of, [])
            if tree is not None and tree not in trees and (not tree or len(trees) < _MOST):
                namespace.setdefault(APART, {})[of] = [*trees, tree]


def judge_trees(proofs: Iterable[Proof], passed: str, namespace: dict[str, Any], filesystem: FileSystem) -> None:
    """Let a run that passed stand for the whole where only its tree changed, and refuse one of another tree."""
    for proof in proofs:
        run = proof.run
        for of in [run.of] if run.of else list(namespace.get(APART, {})):
            trees = [one for one in namespace.get(APART, {}).get(of, ()) if not one or _is_there(one, filesystem)]
            if proof.outcome != passed or not trees:
                continue
            if "" in run.targets and "" not in trees:
                proof.refuse(f"`{trees[-1]}` changed, and it ran the tests of another work tree",
                             f"Run them in `{trees[-1]}`")  # fmt: skip
            elif "" in run.targets or (trees == [run.targets[0]] and len(run.targets) == 1):
                run.targets, run.limited = ("", *(one for one in run.targets if one)), ""
                del namespace[APART][of]


def _is_there(tree: str, filesystem: FileSystem) -> bool:
    real = f"{filesystem.real_workspace.rstrip('/')}/{tree}"
    return may_be_there(real, filesystem)


def _tree_of(path: PathValue, filesystem: FileSystem) -> str | None:
    """Return the linked work tree below the workspace in which a file lies, "" for none; None outside."""
    try:
        relative = filesystem.relative(path)
        folder = (relative or "").rpartition("/")[0]
        for _ in range(_LEVELS if folder else 0):
            mark = f"{filesystem.real_workspace.rstrip('/')}/{folder}/.git"
            status = filesystem.look(PathValue(mark, mark))
            if isinstance(status, tuple) and status[0] == "file":
                text = filesystem.read(PathValue(mark, mark))
                return folder if isinstance(text, bytes) and _LINKED in text else ""
            folder = folder.rpartition("/")[0]
            if not folder:
                break
    except Undecided:
        return ""
    return None if relative is None else ""
