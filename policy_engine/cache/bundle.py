"""Write the engine's modules that a hook process may need to one file of the cache, which `bundled` reads.

Finding and reading some forty files costs a hook process as much as all its work; one file, whose parts are read
when they are imported, half of that. Each module carries the size and time of its source, as Python's own cache does.
"""

from __future__ import annotations
import __future__

import ast
import marshal
import sys
from hashlib import blake2b
from pathlib import Path

import policy_engine
from policy_engine.state.own_file import replace_own
from policy_engine.state.places import make_folder

HEAD = 16  # bytes before the table: its length, and its digest
Entry = tuple[str, int, int, bool, int, int, bytes]
ROOMS = ("history", "shell", "effects", "evaluators", "protocol", "adapters")
MODULES = {
    "": "__init__",
    "audit": "__init__ chain display link log secret_signs",
    "cache": "__init__ reader",
    "filesystem": "__init__ expansion file_system glob_components globs hard_links paths walk",
    "hook_process": "__init__ continuing floor floor_records hook_entry host_record native origin pairing"
    " planned resident response_writer stopped workspace",
    "inline": "__init__ code effect_analysis marks texts values",
    "loading": "__init__ active live",
    "model": "__init__ bounds decision effects errors event event_parts field_names instant keys ladder layers limits"
    " own_entries partial points quoting regexes strict_json todo undecided",
    "programs": "__init__ _rows actions base find_expression invocation waiting",
    "runtime": "__init__ completion engine judge limits modes names resolve rule_results session stored_sessions"
    " verifying watching",
    "state": "__init__ commit_count lean_sqlite own_file places sealed session_file side_files",
    "stores": "__init__ base sqlite",
}


def write_bundle(folder: str) -> None:
    """Write `folder`/bundle unless the one there is of the same sources. Raises OSError."""
    root = Path(policy_engine.__file__).resolve().parent.parent
    modules, blobs, start = {}, [], 0
    for path in _sources(root / "policy_engine"):
        status, code = path.stat(), _code(path)
        relative, package = str(path.relative_to(root)), path.name == "__init__.py"
        modules[_name(path)] = (relative, status.st_mtime_ns, status.st_size, package, start, len(code), _digest(code))
        blobs.append(code)
        start += len(code)
    data = _head(root, modules) + b"".join(blobs)
    target = Path(folder) / "bundle"
    if target.is_file() and target.read_bytes() == data:
        return
    make_folder(folder)
    replace_own(str(target), data)


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
    return blake2b(data, digest_size=8).digest()


def _head(root: Path, modules: dict[str, Entry]) -> bytes:
    """The length and digest of the table and the table, with places counted from the start of the file."""
    size = 0
    while True:  # the places are part of the table whose length moves them
        placed = {name: (*entry[:4], entry[4] + HEAD + size, *entry[5:]) for name, entry in modules.items()}
        table = marshal.dumps((sys.implementation.cache_tag, str(root), placed))
        if len(table) == size:
            return len(table).to_bytes(8, "little") + _digest(table) + table
        size = len(table)
