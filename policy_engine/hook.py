"""The script that a host runs at every lifecycle point: `python -I -S …/policy_engine/hook.py HOST [--event NAME]`.

It imports nothing before the handler that turns any failure, its own imports included, into a refusal: exit status 2
with the reason on standard error is what the hosts understand without words (security R1, R2, R6).

The engine's modules come out of one file of the cache (loading/bundle.py), which halves what importing costs; a module
that is not in it, or whose source changed since, is imported the usual way.
"""

import gc
import posix
import sys


def run(arguments: list[str]) -> int:
    """One event from standard input to an exit status; never raises."""
    try:
        gc.disable()  # a process of one event ends before garbage matters
        # `-I -S` leaves neither the script's folder nor site-packages on the path; a repository cannot put itself there
        root = __file__.rsplit("/", 2)[0]
        sys.path.append(root)
        use_bundle(root)
        from policy_engine.loading.hook_entry import main

        return main(arguments)
    except BaseException as fault:
        text = f"E-START: the policy engine could not start ({type(fault).__name__}: {fault}); the action is refused.\n"
        try:
            posix.write(2, text.encode("utf-8", "backslashreplace"))
        except OSError:
            pass
        leave_record(f"{type(fault).__name__}: {fault}")
        return 2


def leave_record(text: str) -> None:
    """Log that the engine could not start, if what the log needs can start."""
    try:
        from policy_engine.audit.log import append_failure

        append_failure("", "", "", "E-START", text)
    except BaseException:  # the answer is given, and there is nowhere else to tell it
        return


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
    """Detect whether only this user may write what is open, through this name only (model/own_file.py)."""
    status = posix.fstat(handle)
    one_name = kind == 0o040000 or status.st_nlink < 2
    return one_name and status.st_uid == posix.geteuid() and status.st_mode & 0o170022 == kind


def in_repository(folder: int) -> bool:
    """Detect whether an open folder lies in the repository around the working folder, whatever its path looks like.

    What a repository brings along is not run.
    """
    at: bytes = posix.getcwdb()
    around = at
    while at:
        if present(at + b"/.git") or present(at + b"/.policy"):
            around = at
            break
        at = at.rpartition(b"/")[0]
    repository, above, before = posix.stat(around), b".", (0, 0)
    while True:
        found = posix.stat(above, dir_fd=folder)
        here = (found.st_dev, found.st_ino)
        if here == (repository.st_dev, repository.st_ino):
            return True
        if here == before:
            return False  # the root
        above, before = b"../" + above, here


def present(path: bytes) -> bool:
    """Whether something stands there, as far as can be seen."""
    try:
        posix.lstat(path)
    except OSError:
        return False
    return True


HEAD = 16  # bytes: the length of the table, and its digest


def digest(data: bytes) -> bytes:
    """Eight bytes: `marshal` may end the interpreter over data that is damaged, and hosts take that for consent."""
    from _blake2 import blake2b

    found: bytes = blake2b(data, digest_size=8).digest()
    return found


class Bundle:
    """A finder and loader: name → (path below the root, mtime in ns, size, is a package, start, length, digest)."""

    def __init__(self, root: str, file: int, modules: dict[str, tuple[str, int, int, bool, int, int, bytes]]) -> None:
        self.root = root
        self.file = file
        self.modules = modules
        self.codes: dict[str, bytes] = {}

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """The spec of a module whose source is as it was; None leaves it to the next finder."""
        found = self.modules.get(name)
        if found is None:
            return None
        below, time, size, package, start, length, check = found
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
        spec.has_location = True
        if package:
            spec.submodule_search_locations = [source.rsplit("/", 1)[0]]
        return spec

    def create_module(self, spec: object) -> None:
        """The usual module object."""

    def exec_module(self, module: object) -> None:
        """Run the module's code in it."""
        import marshal

        exec(marshal.loads(self.codes.pop(module.__name__)), module.__dict__)  # type: ignore[attr-defined]


if __name__ == "__main__":
    posix._exit(run(sys.argv[1:]))
