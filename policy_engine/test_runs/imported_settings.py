"""Find what files say of tests that settings of a runner of JavaScript import: a plugin, a list in a file of its own.

The same is looked for as in the settings themselves, with the functions by which a plugin of vite gives tests other
code than the sources; only what the commit of the start does not say counts. Not on the hook path: it is imported
when a run of tests passed.
"""

from __future__ import annotations

import posixpath
import re

from policy_engine.filesystem.paths import PathValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.test_runs.session_changes import Changes

_IMPORTED = re.compile(
    r"(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\(|\b(?:preset|extends|config|plugins|projects|workspace)['\"]?\s*:\s*\[?)\s*"
    r"['\"](?:<rootDir>/)?((?<=/)[^'\"\n]+|\.{1,2}/[^'\"\n]+)['\"]"
)
_HOOKS = re.compile(
    r"\b(?:resolveId|load|transform)\b\s*(?:\([^)\n]*\)\s*\{|:\s*(?:async\b|function\b|\(|\w+\s*=>))[^\n]*"
)
"""Functions of a plugin that say what a module is, or what is in it."""
_ENDINGS = ("", ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", "/index.js", "/index.ts", ".json",
            *(f"/jest-preset.{end}" for end in ("js", "cjs", "mjs", "json")))  # fmt: skip
_MOST = 32


def imported_settings(
    changes: Changes, starts: tuple[str, ...], read: Callable[[str], Iterable[tuple[str, tuple[str, ...]]]],
    filesystem: FileSystem,
) -> Iterator[tuple[str, str]]:  # fmt: skip
    """Yield the files of the session that settings import, with what is new in them; `read` reads settings."""
    root = filesystem.real_workspace.rstrip("/")
    below = f"{root}/".removeprefix(f"{changes.root}/")
    names = filesystem.names(PathValue(root, root))
    waiting = [below + name for name in names if name.startswith(starts)]
    written: set[str] | None = None
    seen: set[str] = set()
    while waiting and len(seen) < _MOST:
        path = waiting.pop()
        for match in _IMPORTED.finditer(changes.now(path)):
            place = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[1]))
            file = next((place + end for end in _ENDINGS if place + end not in seen and changes.now(place + end)), "")
            if not file:
                continue
            seen.add(file)
            waiting.append(file)
            written = (
                set(changes.files(("js", "ts", "mjs", "cjs", "mts", "cts", "json"))) if written is None else written
            )
            if file in written:
                known = set(_said(changes.then(file), read))
                yield from ((file, text) for text in _said(changes.now(file), read) if text not in known)


def _said(text: str, read: Callable[[str], Iterable[tuple[str, tuple[str, ...]]]]) -> Iterator[str]:
    yield from (" ".join(match[0].split()) for match in _HOOKS.finditer(text))
    yield from (" ".join(choice.split()) for choice, folders in read(text) if not folders)
