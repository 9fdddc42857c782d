"""Tell files of tests, and the ecosystem of a source file, by their names. Imported by the hook path."""

from __future__ import annotations

_WORDS = frozenset(("test", "tests", "spec", "specs"))
_SIGNS = str.maketrans("_-", "..")
ENDINGS = {
    "python": ("py",), "javascript": ("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"), "go": ("go",),
    "rust": ("rs",), "jvm": ("java", "kt", "scala", "groovy", "clj", "cljc", "cljs"), "dotnet": ("cs", "fs", "vb"),
    "ruby": ("rb",), "php": ("php",), "c": ("c", "cc", "cpp", "cxx"), "swift": ("swift",), "dart": ("dart",),
    "elixir": ("exs", "ex"), "zig": ("zig",), "haskell": ("hs", "lhs"), "shell": ("bats",),
}  # fmt: skip
_OF = {ending: ecosystem for ecosystem, endings in ENDINGS.items() for ending in endings}


def ecosystem_of(relative: str) -> str:
    """Return the ecosystem of a source file, by its ending; "" of other files."""
    return _OF.get(relative.rpartition("/")[2].rpartition(".")[2], "")


def is_test(relative: str) -> bool:
    """Return whether a file is one of tests, by its name."""
    stem, _, ending = relative.rpartition("/")[2].rpartition(".")
    named = stem.endswith(("Test", "Tests", "Spec", "IT")) or not _WORDS.isdisjoint(stem.translate(_SIGNS).split("."))
    return ending in _OF and named
