"""A folder → a mounted file system in it that fails as told, or never answers; a real one, served by this process.

It speaks as much of FUSE's protocol as it takes to refuse everything.
"""

from __future__ import annotations

import ctypes
import os
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_INIT = 26
_LIBC = ctypes.CDLL(None, use_errno=True)
_DETACH = 2


@contextmanager
def broken_disk(folder: Path, error: int | None) -> Iterator[Path]:
    """Mounted on `folder`: every look fails with `error`, or hangs (None). Skips where nobody may mount."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        pytest.skip("there is no FUSE here")
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other".encode()
    if _LIBC.mount(b"broken", os.fsencode(folder), b"fuse", 0, options) != 0:
        os.close(device)
        pytest.skip("nobody may mount anything here")
    if error is not None:
        threading.Thread(target=_serve, args=(device, error), daemon=True).start()
    try:
        yield folder
    finally:
        _LIBC.umount2(os.fsencode(folder), _DETACH)
        os.close(device)


def _serve(device: int, error: int) -> None:
    while True:
        try:
            asked = os.read(device, 1 << 17)
        except OSError:
            return
        _, kind, number = struct.unpack_from("=IIQ", asked)
        if kind == _INIT:
            body = struct.pack("=IIIIHHIIHHI7I", 7, 31, 0, 0, 0, 0, 4096, 1, 0, 0, 0, *[0] * 7)
            os.write(device, struct.pack("=IiQ", 16 + len(body), 0, number) + body)
        else:
            os.write(device, struct.pack("=IiQ", 16, -error, number))
