"""Bytes as a path and a folder, split at the first line end → where the kernel's path leads, or Undecided."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

from policy_engine.filesystem.file_system import Disk, Virtual
from policy_engine.model.limits import PATH_BYTES
from policy_engine.model.undecided import Undecided

SEEDS = tuple(
    text.encode()
    for text in (
        "a/b\n.",
        "../x\na",
        "link/../c\n.",
        "loop/x\n.",
        "/etc/../etc/passwd\n",
        "~/x\n",
        "~root/x\n",
        "a//b/./c\n.",
        "up/a\n.",
        "missing/../a\na",
        "\x00\n",
        "x\n\x00",
        "dangling/x\n.",
        "a/file/x\n.",
        "C:\\x\n",
        "/proc/self/cwd\n",
        "\\\\h\n",
        "chain1\n.",
        ".\n",
        "/\n",
        "\n",
        "link/\n",
        "deep/" * 50 + "x\n.",
    )
)


@cache
def place() -> str:
    """A folder with what makes paths hard."""
    root = Path(os.path.realpath(tempfile.mkdtemp(prefix="fuzz-paths-")))
    for folder in ("work/a/b", "home", "other/c"):
        (root / folder).mkdir(parents=True)
    (root / "work/a/file").write_text("x")
    links = {
        "link": "../other",
        "loop": "loop",
        "up": "..",
        "dangling": "nowhere/at/all",
        "chain1": "chain2/c",
        "chain2": "link",
        "a/back": "../a/b",
        "abs": str(root / "other"),
    }
    for name, to in links.items():
        (root / "work" / name).symlink_to(to)
    return str(root)


def target(data: bytes) -> None:
    text, _, folder = data.decode("utf-8", "surrogateescape").partition("\n")
    work = f"{place()}/work"
    cwd = f"{work}/{folder}" if folder else None
    virtual = Virtual()
    for filesystem in (Disk(work, f"{place()}/home"), virtual):
        for follow in (True, False):
            try:
                found = filesystem.resolve(text, cwd, follow)
            except Undecided as unknown:
                assert unknown.reasons
                continue
            assert found.real[:1] == "/" and "\0" not in found.real, found.real
            names = found.real.split("/")[1:]
            assert names == [""] or not {"", ".", ".."} & set(names), found.real
            filesystem.relative(found)
            if (
                follow
                and filesystem is not virtual
                and len(os.fsencode(text)) + len(os.fsencode(cwd or "")) < PATH_BYTES // 2
            ):
                full = f"{place()}/home{text[1:]}" if text[0] == "~" else os.path.join(cwd or "/", text)
                assert found.real == os.path.realpath(full), (text, cwd, found.real)
