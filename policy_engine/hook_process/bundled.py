"""Import the engine's modules out of one file of the cache (cache/bundle.py), which halves what importing costs.

A module that is not in it, or whose source changed since, is imported the usual way. Imports nothing of the engine.
"""

import posix
import sys
from _imp import source_hash

from policy_engine.hook_process.hook_entry import in_repository


def use_bundle(root: str) -> None:
    """Import the engine out of the bundle, if there is a sound one of this installation; it only saves time."""
    try:
        import marshal

        place = posix.environ.get(b"XDG_CACHE_HOME", b"")
        if place[:1] != b"/":
            place = posix.environ[b"HOME"] + b"/.cache"
        if place[:1] != b"/":
            return  # never below the working folder, which is the repository's
        how = posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK
        folder = posix.open(place + b"/policy-engine", how | posix.O_DIRECTORY)
        try:
            # a descriptor below 3 stands in for a standard stream that is closed, and must not be taken for one
            if folder < 3 or not is_own(folder, 0o040000) or in_repository(folder):
                return
            file = posix.open(b"bundle", how, dir_fd=folder)
        finally:
            posix.close(folder)
        if is_own(file, 0o100000):
            head = posix.read(file, HEAD)
            table = posix.read(file, int.from_bytes(head[:8], "little"))
            if digest(table) == head[8:]:
                tag, home, modules = marshal.loads(table)
                if tag == sys.implementation.cache_tag and home == root:
                    sys.meta_path.insert(0, Bundle(root, file, modules))  # type: ignore[arg-type]
                    return
        posix.close(file)
    except Exception:
        return


def is_own(handle: int, kind: int) -> bool:
    """Detect whether only this user may write what is open, through this name only (state/own_file.py)."""
    status = posix.fstat(handle)
    one_name = kind == 0o040000 or status.st_nlink < 2
    return one_name and status.st_uid == posix.geteuid() and status.st_mode & 0o170022 == kind


HEAD = 16  # bytes: the length of the table, and its digest


def digest(data: bytes) -> bytes:
    """Eight bytes: `marshal` may end the interpreter over data that is damaged, and hosts take that for consent.

    It need not withstand anybody, since only this user may write the file; this one costs a seventh of BLAKE2.
    """
    return source_hash(0, data)


class Bundle:
    """Find and load modules by name: (path below the root, mtime in ns, size, is a package, start, length, digest)."""

    def __init__(self, root: str, file: int, modules: dict[str, tuple[str, int, int, bool, int, int, bytes]]) -> None:
        self.root = root
        self.file = file
        self.modules = modules
        self.codes: dict[str, bytes] = {}

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """The spec of a module whose source is as it was; None leaves it to the next finder."""
        module = self.modules.get(name)
        if module is None:
            return None
        below, time, size, package, start, length, check = module
        source = f"{self.root}/{below}"
        try:
            status = posix.stat(source)
            code = posix.pread(self.file, length, start)
        except OSError:
            return None
        if status.st_mtime_ns != time or status.st_size != size or digest(code) != check:
            return None
        from _frozen_importlib import ModuleSpec

        self.codes[name] = code
        spec = ModuleSpec(name, self, origin=source, is_package=package)  # type: ignore[arg-type]
        if package:
            spec.submodule_search_locations = [source.rsplit("/", 1)[0]]
        return spec

    def create_module(self, spec: object) -> None:
        """The usual module object."""

    def exec_module(self, module: object) -> None:
        """Run the module's code in it."""
        import marshal

        spec = module.__spec__  # type: ignore[attr-defined]
        # not before: else the import system works out for each module where its compiled file would lie
        spec.has_location, module.__file__ = True, spec.origin  # type: ignore[attr-defined]
        exec(marshal.loads(self.codes.pop(spec.name)), module.__dict__)
