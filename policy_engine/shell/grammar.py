"""A bash script → its syntax tree; the only home of tree-sitter. Raises Undecided for what the grammar refuses.

The two extension modules are loaded by path, and only for lines that are more than plain words: the packages around
them need modules that a hook process does not have, and a process of its own should not pay for them. Imported by the
hook path.
"""

from __future__ import annotations

import posix
import sys

from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# The parser reports its progress after so many steps; repairing a hopeless script takes it time without bound.
_REPORTS = 1500
_READS = 1000  # of 4 KiB each; a text that parses is read at most about three times
_PIPES = 2000  # repairing a pipeline takes time in the square of its length

_parse: Callable[[bytes], Any] | None = None


def script_tree(source: bytes) -> Any:
    """The root node of the script's tree. Raises Undecided for a syntax error or if it takes too long."""
    global _parse
    if _parse is None:
        _parse = _load_parser()
    if source.count(b"|") - 2 * source.count(b"||") > _PIPES:
        raise Undecided("the command has too many pipes")
    root = _parse(source)
    if root is None:
        raise Undecided("the command takes the shell grammar too long")
    if root.has_error:
        raise Undecided("the command does not parse as a shell script")
    return root


def _load_parser() -> Callable[[bytes], Any]:
    binding = sys.modules.get("tree_sitter._binding") or _load_extension("tree_sitter")
    grammar = sys.modules.get("tree_sitter_bash._binding") or _load_extension("tree_sitter_bash")
    if binding is None or grammar is None:
        raise Undecided("the shell grammar (tree-sitter-bash) is not installed")
    language = binding.Language(grammar.language())
    parser = binding.Parser(language)

    def parse(source: bytes) -> Any:
        reports = reads = 0

        def progress(_offset: int, _wrong: bool) -> bool:
            nonlocal reports
            reports += 1
            return reports > _REPORTS or reads > _READS  # true stops it

        def read(offset: int, _point: Any) -> bytes:
            nonlocal reads
            reads += 1
            return source[offset : offset + 4096]

        try:
            tree = parser.parse(read, progress_callback=progress)
        except ValueError:
            tree = None  # stopped half-way
        if tree is None:
            parser.reset()
            return None
        return tree.root_node

    return parse


def _load_extension(package: str) -> Any:
    """The module `_binding` of an installed package, without the package; None if it is not installed."""
    import _imp
    from _frozen_importlib import ModuleSpec
    from _frozen_importlib_external import ExtensionFileLoader

    for folder in _package_folders(package):
        try:
            names = posix.listdir(folder)
        except OSError:
            continue
        for name in sorted(names):
            if name.startswith("_binding.") and name.endswith(tuple(_imp.extension_suffixes())):
                path = f"{folder}/{name}"
                full = f"{package}._binding"
                module = _imp.create_dynamic(ModuleSpec(full, ExtensionFileLoader(full, path), origin=path))
                _imp.exec_dynamic(module)
                sys.modules[full] = module
                return module
    return None


def _package_folders(package: str) -> list[str]:
    """Where an installed package may stand; a process started with `-I -S` has no site-packages on its path."""
    beside = __file__.rsplit("/", 3)[0]
    prefix = sys.executable.rsplit("/", 2)[0]
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    roots = [*sys.path, beside, f"{prefix}/lib/{version}/site-packages", f"{prefix}/lib64/{version}/site-packages"]
    return [f"{root or '.'}/{package}" for root in roots if root[:1] == "/" and not root.endswith(".zip")]
