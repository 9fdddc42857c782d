"""Tell how a file that a session wrote can change what a run of tests says.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem

_READ = (".py", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".php", ".rb", ".go",
         ".rs", ".ex", ".exs", ".swift", ".java", ".kt", ".scala", ".groovy", ".cs", ".fs", ".vb", ".dart", ".c", ".h",
         ".cc", ".cpp", ".cxx", ".hh", ".hpp", "/package.json", "/.cargo/config.toml", "/.cargo/config")  # fmt: skip
INSTALLED = ("-packages", "node_modules/", "env/", "/vendor/", "/pkg/mod/", "/go/src/", "/gems/",
              "/.cargo/registry/", "/.cargo/git/", "/.cargo/bin/", "/.m2/",
              "gradle/", "/lib/python", "/.yarn/", "/.pnp.", ".pyc", ".pyo", "/rustlib/")  # fmt: skip
PROGRAMS = (*INSTALLED, "/bin/", "/shims/")
"""The same with the folders in which the shell finds programs."""


def looked_at(real: str) -> bool:
    """Return whether a written file is looked at for what it does to runs of tests."""
    return real.endswith(_READ) or any(mark in real for mark in PROGRAMS)


def why_changes(real: str, filesystem: FileSystem) -> tuple[str, str]:
    """Return the ecosystem of a file, and how it can change what a run of tests says."""
    if any(mark in real for mark in PROGRAMS):
        from policy_engine.test_runs.installed import why_installed

        belongs = why_installed(real)
        if belongs[1]:
            return belongs if may_be_there(real, filesystem) else ("", "")
    from policy_engine.test_runs.outcome_changes import MOST, TOO_LARGE

    if not real.startswith(_start(real, filesystem)):
        return "", ""
    path = PathValue(real, real)
    try:
        text = filesystem.script(path, MOST)
        status = filesystem.look(path)
    except Undecided:
        return "", ""
    if text is None and real.endswith("/conftest.py") and isinstance(status, tuple) and status[0] == "file":
        return "python", TOO_LARGE
    return why_text(real, text, filesystem) if text else ("", "")


def why_text(real: str, text: str, filesystem: FileSystem) -> tuple[str, str]:
    """The same of a text of a file of the workspace."""
    from policy_engine.test_runs.outcome_changes import why_changes as why_outcome

    start = _start(real, filesystem)
    found = why_outcome(real[len(start) :], text)
    if found[1] or not real.endswith(".py"):
        return found
    from policy_engine.test_runs.replaced_sources import why_replaces

    return "python", why_replaces(real[len(start) :], text, start, filesystem)


def _start(real: str, filesystem: FileSystem) -> str:
    """Return the folder of the workspace; if the host did not say where that is, the file may lie in it."""
    try:
        return filesystem.real_workspace.rstrip("/") + "/"
    except Undecided:
        return real.rpartition("/")[0] + "/"


def may_be_there(real: str, filesystem: FileSystem) -> bool:
    """Return whether a file is there now, as far as can be seen."""
    try:
        return filesystem.present(PathValue(real, real))
    except Undecided:
        return True
