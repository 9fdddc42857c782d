"""Write the engine's modules that a hook process may need to one file of the cache, which `bundled` reads.

Finding and reading some forty files costs a hook process as much as all its work; one file, whose parts are read
when they are imported, half of that. Each module carries the size and time of its source, as Python's own cache does.
"""

from __future__ import annotations
import __future__

import ast
import marshal
import sys
from _imp import source_hash
from pathlib import Path

import policy_engine
from policy_engine.state.own_file import read_own, replace_own
from policy_engine.state.places import make_folder

HEAD = 16  # bytes before the table: its length, and its digest
_TAG = sys.implementation.cache_tag
Source = tuple[str, int, int, bool]
"""A module's path below the root, the time and size of its source, and whether it is a package."""
Entry = tuple[str, int, int, bool, int, int, bytes]
ROOMS = (
    "history",
    "test_runs",
    "shell",
    "effects",
    "evaluators",
    "protocol",
    "adapters",
    "programs",
    "programs/handlers",
)
MODULES = {
    "": "__init__",
    "audit": "__init__ chain display link log secret_signs",
    "cache": "__init__ reader",
    "filesystem": "__init__ changes expansion file_system glob_components globs hard_links left_out overlay paths walk",
    "hook_process": "__init__ continuing floor floor_records hook_entry host_record native origin pairing"
    " planned resident response_writer starting stopped workspace",
    "inline": "__init__ code effect_analysis loops marks texts values",
    "loading": "__init__ active live",
    "model": "__init__ addresses ancestors bounds decision effects errors event event_parts field_names instant keys"
    " ladder layers lazy_regex limits own_entries partial points quoting regexes store_address strict_json test_names"
    " todo undecided",
    "runtime": "__init__ completion engine judge limits modes names resolve rule_results session stored_sessions"
    " verifying watching",
    "state": "__init__ commit_count lean_sqlite own_file places sealed session_file side_files",
    "stores": "__init__ base sqlite",
}


def write_bundle(folder: str) -> None:
    """Write `folder`/bundle unless the one there is of the same sources. Raises OSError."""
    root = Path(policy_engine.__file__).resolve().parent.parent
    sources = {path: _source(root, path) for path in _sources(root / "policy_engine")}
    target = f"{folder}/bundle"
    if _holds(_written(target), root, {_name(path): one for path, one in sources.items()}):
        return
    modules, blobs, start = {}, [], 0
    for path, source in sources.items():
        code = _code(path)
        modules[_name(path)] = (*source, start, len(code), _digest(code))
        blobs.append(code)
        start += len(code)
    make_folder(folder)
    replace_own(target, _head(root, modules) + b"".join(blobs))


def _written(path: str) -> bytes:
    """Return the bundle that is there, empty if it is not the engine's own: that of others is not unpacked."""
    try:
        return read_own(path)
    except OSError:
        return b""


def _source(root: Path, path: Path) -> Source:
    status = path.stat()
    return str(path.relative_to(root)), status.st_mtime_ns, status.st_size, path.name == "__init__.py"


def _holds(data: bytes, root: Path, sources: dict[str, Source]) -> bool:
    """Detect whether a bundle is whole and made of these sources by this interpreter: compiling them takes seconds."""
    size = int.from_bytes(data[:8], "little")
    table = data[HEAD : HEAD + size]
    if _digest(table) != data[8:HEAD]:
        return False
    tag, home, modules = marshal.loads(table)
    if (tag, home, {name: entry[:4] for name, entry in modules.items()}) != (_TAG, str(root), sources):
        return False
    parts = ((data[start : start + length], mark) for *_, start, length, mark in modules.values())
    return all(_digest(part) == mark for part, mark in parts)


def _sources(package: Path) -> list[Path]:
    files = [package / room / f"{name}.py" for room, names in MODULES.items() for name in names.split()]
    for room in ROOMS:
        files += sorted((package / room).glob("*.py"))
    return files


def _name(path: Path) -> str:
    parts = path.with_suffix("").parts
    parts = parts[len(parts) - parts[::-1].index("policy_engine") - 1 :]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _code(path: Path) -> bytes:
    """Without docstrings, which are half of it, and without `__future__`, a file that only its flag is wanted of."""
    tree = ast.parse(path.read_bytes(), str(path))
    tree.body = [node for node in tree.body if not (isinstance(node, ast.ImportFrom) and node.module == "__future__")]
    flag = __future__.annotations.compiler_flag
    return marshal.dumps(compile(tree, str(path), "exec", flag, dont_inherit=True, optimize=2))


def _digest(data: bytes) -> bytes:
    """As bundled.py, which imports nothing, works it out again."""
    return source_hash(0, data)


def _head(root: Path, modules: dict[str, Entry]) -> bytes:
    """The length and digest of the table and the table, with places counted from the start of the file."""
    size = 0
    while True:  # the places are part of the table whose length moves them
        placed = {name: (*entry[:4], entry[4] + HEAD + size, *entry[5:]) for name, entry in modules.items()}
        table = marshal.dumps((_TAG, str(root), placed))
        if len(table) == size:
            return len(table).to_bytes(8, "little") + _digest(table) + table
        size = len(table)
