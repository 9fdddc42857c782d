"""Judge runs of tests after a file changed that configures them, where no count shows that tests ran.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.test_runs.evidence import Proof


def judge_uncounted(proof: Proof, configured: str, commit: str, filesystem: FileSystem) -> None:
    """Take back the proof of a run after its configuration changed, unless it says of tests what it said before, or the
    line shows a count from the run's own log."""
    from policy_engine.test_runs.unchanged_tasks import chooses_the_same

    if (proof.status and proof.logged) or chooses_the_same(configured, proof.run, commit, filesystem):
        return
    name = configured.rpartition("/")[2]
    proof.refuse(f"this session changed `{name}`, and the result shows no count of tests",
                 "Run it so that its summary is in the result")  # fmt: skip


def told_beside(proof: Proof, wrote: Callable[[str], bool], filesystem: FileSystem) -> str:
    """Return why the summary may be that of a program beside the run, whose code the session wrote; "" if it is not."""
    for name, start in proof.beside:
        folder, _, first = start.rpartition("/")
        try:
            names = filesystem.names(PathValue(folder, folder))
        except Undecided:
            continue
        for file in names:
            if file.startswith(first) and wrote(f"{folder}/{file}"):
                return f"this session wrote `{file}`, which `{name}` beside it runs code from"
    return ""
