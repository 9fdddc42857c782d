"""The script that a host runs at every lifecycle point: `python -I -S …/policy_engine/hook.py HOST [--event NAME]`.

It imports nothing before the handler that turns any failure, its own imports included, into a refusal: exit status 2
with the reason on standard error is what the hosts understand without words (security R1, R2, R6).

The engine's modules come out of one file of the cache (loading/bundle.py), which halves what importing costs; a module
that is not in it, or whose source changed since, is imported the usual way.
"""

import posix
import sys


def run(arguments: list[str]) -> int:
    """One event from standard input to an exit status; never raises."""
    try:
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
        return 2


def use_bundle(root: str) -> None:
    """Import the engine out of the bundle, if there is one of this installation; it only saves time."""
    try:
        import marshal

        folder = posix.environ.get(b"XDG_CACHE_HOME", b"")
        if folder[:1] != b"/":
            folder = posix.environ[b"HOME"] + b"/.cache"
        file = posix.open(folder + b"/policy-engine/bundle", posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW)
        status = posix.fstat(file)
        if status.st_uid == posix.geteuid() and status.st_mode & 0o170022 == 0o100000:
            length = int.from_bytes(posix.read(file, 8), "little")
            tag, home, modules = marshal.loads(posix.read(file, length))
            if tag == sys.implementation.cache_tag and home == root:
                sys.meta_path.insert(0, Bundle(root, file, modules))  # type: ignore[arg-type]
    except Exception:
        return


class Bundle:
    """A finder and loader: module name → (path below the root, mtime in ns, size, is a package, start, length)."""

    def __init__(self, root: str, file: int, modules: dict[str, tuple[str, int, int, bool, int, int]]) -> None:
        self.root = root
        self.file = file
        self.modules = modules

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """The spec of a module whose source is as it was; None leaves it to the next finder."""
        found = self.modules.get(name)
        if found is None:
            return None
        source = f"{self.root}/{found[0]}"
        status = posix.stat(source)
        if status.st_mtime_ns != found[1] or status.st_size != found[2]:
            return None
        from _frozen_importlib import ModuleSpec

        spec = ModuleSpec(name, self, origin=source, is_package=found[3])  # type: ignore[arg-type]
        spec.has_location = True
        if found[3]:
            spec.submodule_search_locations = [source.rsplit("/", 1)[0]]
        return spec

    def create_module(self, spec: object) -> None:
        """The usual module object."""

    def exec_module(self, module: object) -> None:
        """Run the module's code in it."""
        import marshal

        *_, start, length = self.modules[module.__name__]  # type: ignore[attr-defined]
        exec(marshal.loads(posix.pread(self.file, length, start)), module.__dict__)


if __name__ == "__main__":
    posix._exit(run(sys.argv[1:]))
