"""Open the Program in force in a workspace, with what is wrong with its policy files now. Imported by the hook path.

A fresh cache entry is opened as it is. Otherwise the whole pipeline runs (loading/refresh.py); a layer that fails stays
as it last was, and every decision says so.
"""

from __future__ import annotations

from policy_engine.cache.reader import Head, open_program, read_head, same_bytes, unchanged
from policy_engine.loading.active import Live, add_site_packages
from policy_engine.model.errors import EventError
from policy_engine.runtime.names import LazyNames
from policy_engine.state.places import cache_folder, has_policy, layer_folders, place_name, program_name, stands_alone
from policy_engine.state.sealed import CacheMiss

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.evaluators.base import Program


def _nothing() -> None:
    """Nobody waits."""


def live(workspace: str | None, compiling: Callable[[], None] = _nothing, starts: bool = False) -> Live:
    """The policies of a workspace, in all layers. Raises EventError if the workspace is no path of this system.

    `compiling` is called before the whole pipeline runs, which takes longer than reading the cache. `starts`: a session
    begins, so the bytes of the files are compared, not only what `stat` says of them.
    """
    # below a relative path nothing would be found, whatever is there
    if workspace is not None and workspace[:1] != "/":
        raise EventError("E-PATH", f"the workspace `{workspace[:80]}` is not an absolute path here")
    folders = layer_folders(workspace)
    active = place_name(folders)
    head = _head(program_name(folders))

    def repair() -> Program:
        compiling()
        add_site_packages()
        from policy_engine.loading.refresh import compiled_again

        return compiled_again(folders)

    if head is not None and unchanged(head) and (not starts or same_bytes(head)):
        return Live(open_program(head, LazyNames(), repair), head.errors, head.lacking, active, folders)
    compiling()
    add_site_packages()
    from policy_engine.loading.refresh import refresh

    refreshed = refresh(folders, active)
    _bundle()
    return refreshed


def _bundle() -> None:
    """Make the next processes start faster; a cache that cannot be written only costs them time."""
    from policy_engine.cache.bundle import write_bundle

    try:
        write_bundle(cache_folder())
    except Exception:  # of a source that is being edited, say; nobody waits for the bundle
        return


def repository(workspace: str) -> str:
    """Return the folder whose policy holds for a workspace: itself, or the nearest one above it that has one.

    A host may be started in a subfolder, or in a repository within the repository: the rules must not be lost for it.
    A folder whose policy is gone keeps it (loading/refresh.py), so that it is found as well. Above a folder that a
    person lets stand alone nothing is looked for.
    """
    at = workspace.rstrip("/")
    while at and not has_policy(at):
        if stands_alone(at):
            return at
        at = at.rpartition("/")[0]
    return at or workspace


def _head(name: str) -> Head | None:
    try:
        return read_head(f"{cache_folder()}/active/{name}")
    except CacheMiss:
        return None
