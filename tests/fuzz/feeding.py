"""The fuzz targets and their corpora, and mutants of what is in them."""

from __future__ import annotations

import importlib
from pathlib import Path
from random import Random
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "fuzz" / "corpus"
_PIECES = (
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b")",
    b"\\",
    b"\n",
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"/",
    b"..",
    b"*",
    b"$",
    b"`",
    b"'",
    b";",
    b"|",
    b"&",
    b"-1",
    b"1e400",
    b"null",
    b"true",
    b"~",
    b"\xe2\x80\xae",
    b" ",
    b",",
    b":",
)


def names() -> list[str]:
    """The targets, by the names of their files."""
    return sorted(path.stem for path in (ROOT / "tests/fuzz/targets").glob("*.py") if path.stem != "__init__")


def load(name: str) -> ModuleType:
    """The module of a target: `target` and `SEEDS`."""
    return importlib.import_module(f"tests.fuzz.targets.{name}")


def corpus(name: str) -> list[bytes]:
    """The inputs of a target: those in its file and those kept beside it."""
    return [*load(name).SEEDS, *(path.read_bytes() for path in sorted((CORPUS / name).glob("*")))]


def mutant(known: list[bytes], rng: Random) -> bytes:
    """One of the inputs after a few changes: bytes set, left out, doubled, pieces put in, two inputs joined."""
    data = rng.choice(known)
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        start, end = sorted(rng.randint(0, len(data)) for _ in range(2))
        match rng.randrange(7):
            case 0:
                data = data[:start] + bytes((rng.randrange(256),)) + data[start + 1 :]
            case 1:
                data = data[:start] + data[min(end, start + rng.randint(1, 8)) :]
            case 2:
                data = data[:end] + data[start:end] + data[end:]
            case 3:
                data = data[:start] + rng.choice(_PIECES) + data[start:]
            case 4:
                other = rng.choice(known)
                data = data[:start] + other[rng.randint(0, len(other)) :]
            case 5:
                data = data[:start] + bytes(rng.randrange(256) for _ in range(rng.randint(1, 6))) + data[start:]
            case _:
                data = data[:start]
    return data[:65536]
