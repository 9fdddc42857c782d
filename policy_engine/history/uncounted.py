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


def judge_uncounted(
    proof: Proof, configured: str, wrote: Callable[[str], bool], commit: str, filesystem: FileSystem
) -> None:
    """Take back the proof of a run after its configuration changed, unless it says of tests what it said before, or a
    count is shown that is no other program's."""
    from policy_engine.test_runs.unchanged_tasks import chooses_the_same

    if chooses_the_same(configured, proof.run, commit, filesystem):
        return
    name = configured.rpartition("/")[2]
    if not (proof.status and proof.shown):
        proof.refuse(f"this session changed `{name}`, and the result shows no count of tests",
                     "Run it so that its summary is in the result")  # fmt: skip
    elif told_beside(proof, wrote, filesystem):
        proof.refuse(f"this session changed `{name}`, and another program on the line may have printed the count",
                     "Run it on a line of its own")  # fmt: skip


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
