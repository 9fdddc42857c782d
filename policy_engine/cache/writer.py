"""Write a Program and its sources to files of the cache folder, each whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from policy_engine.cache.reader import OFFSET
from policy_engine.evaluators.base import Bucket, Program
from policy_engine.state.own_file import replace_own
from policy_engine.state.places import make_folder
from policy_engine.state.sealed import sealed

Place = tuple[str, str]
ALWAYS = ("test",)
COUNTING = ("trace", "key", "condition", "reset", "enter", "exit")
"""What limits, modes, hooks and pipelines are asked for at every event that they listen to."""


def write_program(
    root: Path,
    active: str,
    program: Program,
    buckets: Mapping[Place, Bucket],
    sources: Iterable[tuple[Any, ...]],
    taken: int,
    errors: tuple[str, ...] = (),
    lacking: tuple[str, ...] = (),
    contents: tuple[tuple[str, bytes], ...] = (),
) -> Path:
    """Write the program below `root` and make it the active one of `active`; returns the head's path.

    `sources` are the signatures (cache/reader.py) of the files and folders whose change makes the entry stale, as they
    were when they were read; `taken` is a time, in ns since the epoch, before the first of them was read: what changed
    after it may not be in the program. `errors`, `lacking` and `contents` go into the head. Raises OSError.
    """
    folder = root / "programs" / program.digest.replace(":", "-")
    make_folder(str(folder))
    numbers: dict[int, int] = {}
    bucket_of: dict[Place, int] = {}
    for place, bucket in sorted(buckets.items()):
        number = numbers.setdefault(id(bucket), len(numbers))
        bucket_of[place] = number
        replace_own(f"{folder}/bucket.{number}", sealed(_bucket_parts(bucket)))
    replace_own(f"{folder}/specs", _specs(program))
    modes = tuple(_compiled(mode) for mode in program.modes)
    parts = (
        program.digest, str(folder), program.rules, program.monitors, program.monitor_digest, program.monitor_index,
        modes, tuple(sorted(program.facts)), program.stateful, program.effects, program.budgets, program.watch,
        tuple(_compiled(verify) for verify in program.verifies), bucket_of, tuple(sources), taken, errors,
        lacking, contents, program.retained,
    )  # fmt: skip
    head = root / "active" / active
    make_folder(str(head.parent))
    replace_own(str(head), sealed(parts))
    return head


def write_kept(root: Path, name: str, files: Iterable[tuple[str, str, bytes]]) -> None:
    """Keep the last good sources of a folder: (name, path, bytes) of each file. Raises OSError."""
    path = root / "kept" / name
    make_folder(str(path.parent))
    replace_own(str(path), sealed(tuple(files)))


def _bucket_parts(bucket: Bucket) -> tuple[object, ...]:
    code = compile(bucket.source, "<policy index>", "exec")
    return (code, bucket.tables, bucket.limits, bucket.hooks, bucket.uses_session)


def _specs(program: Program) -> bytes:
    blobs = [sealed(_compiled(program.spec(number))) for number in range(program.rules)]
    start = OFFSET * (len(blobs) + 1)
    table = bytearray(start.to_bytes(OFFSET, "little"))
    for blob in blobs:
        start += len(blob)
        table += start.to_bytes(OFFSET, "little")
    return bytes(table) + b"".join(blobs)


def _compiled(spec: object) -> tuple[object, ...]:
    """Compile what every event needs; the parts that only a speaking rule needs stay text, a third of the size."""
    assert isinstance(spec, tuple)
    needed = ALWAYS if spec[1] == "rule" else (*ALWAYS, *COUNTING)
    code = {part: _code(source) if part in needed else source for part, source in spec[-1].items()}
    return (*spec[:-1], code)


def _code(source: object) -> object:
    return compile(source, "<policy rule>", "eval") if isinstance(source, str) else source
