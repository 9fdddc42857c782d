"""Find sources that changed and keep a time of before: a tool that builds by time of files does not build them again.

`cargo`, `make`, `ninja`, Maven and their kin compare the times of sources with that of what they built. A source that
another one replaced with its time (`cp -p`, `mv`, `touch -d`, `tar x`) is older than the build, and a run shows the
build of before. It is so until the file is written or touched again. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.history.suite import NAMESPACE
from policy_engine.model.test_names import ecosystem_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.recorder import Recorder as History
    from policy_engine.test_runs.evidence import Proof

OLD = "old"
"""Within the room of runs of tests: the sources of that kind, by relative path; "" stands for those over _MOST."""
_MOST = 2_000
_BY_TIME = ("rust", "c", "jvm", "dotnet", "swift", "dart", "haskell", "zig")
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inc")
_SAME_NS = 250_000_000  # by which the times of a file may differ that was written and then renamed
_NS = 1_000_000  # in a millisecond


def note_times(wrote: Iterable[tuple[str, bool]], history: History, filesystem: FileSystem) -> None:
    """Look at the times of sources that a comparison found written, each with whether it was there before.

    One that was written or removed earlier in the session may have been there when something was built.
    """
    root, since = filesystem.real_workspace, history.state.get("last")
    for relative, known in wrote:
        if not _of(relative):
            continue
        old = history.namespace(NAMESPACE).setdefault(OLD, {})
        path = PathValue(relative, f"{root}/{relative}")
        times = filesystem.times(path)
        entry = history.state["tables"]["paths"].get(path.real)
        known = known or relative in old or (entry is not None and any(entry[at] for at in (0, 2, 3, 5)))
        if times is None or not known:
            continue
        if times[0] < times[1] - _SAME_NS or (since and times[0] < since * _NS - _SAME_NS):
            old[relative if len(old) < _MOST else ""] = True
        else:
            old.pop(relative, None)


def judge_times(proof: Proof, old: dict[str, bool]) -> bool:
    """Take back the proof of a run that may have gone by an earlier build; return whether it was."""
    run = proof.run
    kinds = (run.of,) if run.of in _BY_TIME else () if run.of else _BY_TIME
    files = [file for file in old if kinds and (not file or _of(file) in kinds)]
    if not files:
        return False
    named = sorted(filter(None, files))
    shown = f"`{named[0]}`" if named else "a source"
    more = f" (and {len(files) - 1} more)" if len(files) > 1 else ""
    proof.refuse(f"{shown}{more} changed and has a time of before, so that a build of before may have been tested",
                 f"Run `touch {' '.join(named[:8]) or 'FILE'}`, then the tests")  # fmt: skip
    return True


def _of(relative: str) -> str:
    """Return the ecosystem of a source that is built by time; "" of others."""
    of = "c" if relative.endswith(_HEADERS) else ecosystem_of(relative)
    return of if of in _BY_TIME else ""
