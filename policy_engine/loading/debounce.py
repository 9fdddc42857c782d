"""Load policy paths once the files stand still, and never a file that was only just emptied.

An editor empties a file before it fills it, `git checkout` writes one after the other; what is read in between may
parse.

Still means that nothing changed for RACY_NS, or that two looks so far apart saw the same bytes (a file that is touched
without end, a clock that was set back). The looks have an end, so that no storm of changes keeps a policy out for long.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from policy_engine.cache.reader import RACY_NS, signature
from policy_engine.loading import messages
from policy_engine.loading.loader import Loaded, load
from policy_engine.loading.sources import nowhere
from policy_engine.loading.stronger_layers import StrongerLayers
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.state.sealed import CacheMiss

LOOKS = 10  # half a second in all


def load_settled(
    paths: Iterable[str | Path],
    before: Loaded | None = None,
    sizes: Mapping[str, int] | None = None,
    stronger: StrongerLayers | None = None,
    reread: bool = False,
) -> tuple[Loaded, int]:
    """The outcome, and a time from which on a change may have been missed: 0 if there certainly was one.

    `before`, `stronger` and `reread` are as for `load`; `sizes` are those of the files, by path, with rules in force.
    """
    named = list(paths)
    last: Loaded | None = None
    for look in range(LOOKS):
        if look:
            time.sleep(RACY_NS / 1e9)
        taken = time.time_ns()
        loaded = load(named, before=before, stronger=stronger, reread=reread)
        if loaded is before:
            return loaded, taken
        whole = _whole(loaded, taken)
        same = last is not None and last.digest == loaded.digest and last.errors == loaded.errors
        if same or (whole and _quiet(loaded, taken)):
            return _not_emptied(loaded, sizes or {}), taken if whole else 0
        last = loaded
    return (loaded if whole else _refused(loaded, messages.never_still(nowhere(str(named[0])))), 0)


def sizes_of(loaded: Loaded) -> dict[str, int]:
    """The sizes of the files of a good set, by path."""
    return {item.path: item.origin.size for item in loaded.parsed}


def _whole(loaded: Loaded, taken: int) -> bool:
    """Return whether everything still is as it was when it was read."""
    files = all(_look(item.path) == item.origin.seen for item in loaded.parsed)
    return files and all(_changed(folder) < taken for folder in loaded.folders)


def _quiet(loaded: Loaded, taken: int) -> bool:
    """Return whether nothing changed just before; a file that cannot be read (PE3xx) may be there in a moment."""
    if any(error.code.startswith("PE3") for error in loaded.errors):
        return False
    paths = [*(item.path for item in loaded.parsed), *loaded.folders]
    return all(_changed(path) < taken - RACY_NS for path in paths)


def _look(path: str) -> tuple[object, ...]:
    """The signature of what is there now; empty if nothing is."""
    try:
        return signature(path)
    except CacheMiss:
        return ()


def _changed(path: str) -> int:
    """Return when it last changed, in ns since the epoch; now, if it is gone."""
    stamp = _look(path)
    return stamp[5] if stamp and isinstance(stamp[5], int) else time.time_ns()


def _not_emptied(loaded: Loaded, sizes: Mapping[str, int]) -> Loaded:
    """The same, refused if a file whose rules are in force has no bytes any more."""
    for item in loaded.parsed:
        if item.origin.size == 0 and sizes.get(item.path, 0) > 0:
            loaded = _refused(loaded, messages.emptied(nowhere(item.name)))
    return loaded


def _refused(loaded: Loaded, problem: Diagnostic) -> Loaded:
    return replace(loaded, program=None, diagnostics=(*loaded.diagnostics, problem))
