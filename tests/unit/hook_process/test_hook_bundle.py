"""The bundle as the script finds it: used if it is sound, this user's and of this engine; else only time is lost."""

from __future__ import annotations

import marshal
import os
import posix
import stat
import subprocess
import sys
from _imp import source_hash
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from policy_engine.hook_process import bundled
from policy_engine.hook_process.bundled import Bundle

ROOM, PLACE = "bundled_room", "bundled_room.place"


def digest(data: bytes) -> bytes:
    return source_hash(0, data)


class Made:
    """A package of two modules below `root`, and the file that bundles them."""

    def __init__(self, root: Path, file: Path) -> None:
        self.root, self.file = root, file
        self.tag = sys.implementation.cache_tag
        sources = {ROOM: f"{ROOM}/__init__.py", PLACE: f"{ROOM}/place.py"}
        self.modules: dict[str, Any] = {}
        self.codes = b""
        for name, below in sources.items():
            path = root / below
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"NAME = {name!r}\n")
            code, status = marshal.dumps(compile(f"NAME = 'bundled {name}'", below, "exec")), path.stat()
            place = (status.st_mtime_ns, status.st_size, name == ROOM, len(self.codes), len(code), digest(code))
            self.modules[name] = (below, *place)
            self.codes += code

    def write(self, home: str = "", damage: Callable[[bytes], bytes] = bytes) -> None:
        """Write the file; the codes stand before the table's end, so that their places are known."""
        size = 0
        while True:
            placed = {
                name: (*entry[:4], entry[4] + bundled.HEAD + size, *entry[5:]) for name, entry in self.modules.items()
            }
            table = marshal.dumps((self.tag, home or str(self.root), placed))
            if len(table) == size:
                break
            size = len(table)
        head = len(table).to_bytes(8, "little") + digest(table)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(damage(head + table) + self.codes)
        self.file.chmod(0o600)

    def use(self) -> Bundle | None:
        """What `use_bundle` put first among the finders, if anything; no descriptor may be left without one."""
        before = os.listdir("/proc/self/fd")
        bundled.use_bundle(str(self.root))
        found = sys.meta_path[0]
        assert isinstance(found, Bundle) or os.listdir("/proc/self/fd") == before
        return found if isinstance(found, Bundle) else None


@pytest.fixture
def made(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """A bundle in the cache of this home, not yet written, and a working folder that is no repository."""
    (tmp_path / "root").mkdir()
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    for name in (ROOM, PLACE):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return Made(tmp_path / "root", home / ".cache/policy-engine/bundle")


def test_modules_come_out_of_a_sound_bundle(made: Made) -> None:
    made.write()
    found = made.use()
    assert found is not None and os.get_inheritable(found.file) is False
    try:
        place, room = import_module(PLACE), import_module(ROOM)
    finally:
        for name in (ROOM, PLACE):
            sys.modules.pop(name, None)
    assert (f"bundled {PLACE}", f"bundled {ROOM}") == (place.NAME, room.NAME)
    assert (place.__file__, room.__file__) == (f"{made.root}/{ROOM}/place.py", f"{made.root}/{ROOM}/__init__.py")
    assert (room.__path__, hasattr(place, "__path__"), found.codes) == ([f"{made.root}/{ROOM}"], False, {})
    assert room.__spec__ is not None and room.__spec__.loader is found and room.__spec__.has_location
    posix.close(found.file)


@pytest.mark.parametrize(
    ("variable", "folder"),
    [("{home}/other", "other"), ("relative", ".cache"), ("", ".cache"), (None, ".cache")],
)
def test_the_cache_is_where_the_environment_says_if_that_is_absolute(
    made: Made, home: Path, monkeypatch: pytest.MonkeyPatch, variable: str | None, folder: str
) -> None:
    if variable is not None:
        monkeypatch.setitem(posix.environ, b"XDG_CACHE_HOME", os.fsencode(variable.format(home=home)))
    made.file = home / folder / "policy-engine/bundle"
    made.write()
    found = made.use()
    assert found is not None
    posix.close(found.file)


@pytest.mark.requirement("R13")
@pytest.mark.parametrize("value", [b"relative", b"", None])
def test_without_an_absolute_home_nothing_is_opened(
    made: Made, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: bytes | None
) -> None:
    made.file = tmp_path / "work" / (value or b"").decode() / ".cache/policy-engine/bundle"
    made.write()
    monkeypatch.delitem(posix.environ, b"HOME")
    if value is not None:
        monkeypatch.setitem(posix.environ, b"HOME", value)
    assert made.use() is None


@pytest.mark.requirement("R13")
def test_a_bundle_in_the_repository_is_not_used(made: Made, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made.write()
    monkeypatch.chdir(home)
    assert made.use() is None


def _spoil(at: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize(
    "change",
    [
        lambda made: made.write(damage=_spoil(0)),  # the length
        lambda made: made.write(damage=_spoil(8)),  # the digest
        lambda made: made.write(damage=_spoil(16)),  # the table
        lambda made: made.write(damage=lambda data: b""),
        lambda made: made.write(damage=lambda data: data[:20]),
        lambda made: made.write(home="/somewhere/else"),
        lambda made: (setattr(made, "tag", "cpython-27"), made.write()),
        lambda made: (setattr(made, "modules", {}), setattr(made, "tag", None), made.write()),
        lambda made: None,
        lambda made: made.file.mkdir(parents=True),
        lambda made: (made.file.parent.mkdir(parents=True), os.mkfifo(made.file)),
        lambda made: (made.write(), made.file.rename(made.file.with_name("x")), made.file.symlink_to("x")),
    ],
)
def test_a_bundle_that_is_damaged_or_of_another_engine_is_not_used(made: Made, change: Callable[[Made], Any]) -> None:
    change(made)
    assert made.use() is None


@pytest.mark.requirement("R13")
@pytest.mark.parametrize(
    ("mode", "used"), [(0o600, True), (0o644, True), (0o620, False), (0o602, False), (0o666, False), (0o755, True)]
)
def test_a_bundle_that_others_could_write_is_not_used(made: Made, mode: int, used: bool) -> None:
    made.write()
    made.file.chmod(mode)
    found = made.use()
    assert (found is not None) is used
    if found is not None:
        posix.close(found.file)


def test_a_bundle_of_another_user_is_not_used(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    made.write()
    user = posix.geteuid()
    monkeypatch.setattr(posix, "geteuid", lambda: user + 1)
    assert made.use() is None


@pytest.mark.parametrize(("closed", "used"), [(-1, True), (0, False), (2, False)])
def test_a_descriptor_that_stands_in_for_a_standard_stream_is_not_kept(made: Made, closed: int, used: bool) -> None:
    made.write()
    code = (
        "import posix, sys; sys.path.insert(0, sys.argv[2])\n"
        "from policy_engine.hook_process import bundled\n"
        "closed = int(sys.argv[3]); closed >= 0 and posix.close(closed)\n"
        "bundled.use_bundle(sys.argv[1]); posix._exit(7 if type(sys.meta_path[0]) is bundled.Bundle else 8)\n"
    )
    root = Path(bundled.__file__).parents[2]
    environment = {"HOME": str(made.file.parents[2])}
    assert environment["HOME"] + "/.cache/policy-engine/bundle" == str(made.file)
    command = [sys.executable, "-I", "-S", "-c", code, str(made.root), str(root), str(closed)]
    done = subprocess.run(command, env=environment, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == (7 if used else 8)


def _stale(made: Made) -> None:
    path = made.root / ROOM / "place.py"
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))


def _longer(made: Made) -> None:
    path = made.root / ROOM / "place.py"
    before = path.stat()
    path.write_bytes(path.read_bytes() + b"\n")
    os.utime(path, ns=(0, before.st_mtime_ns))


def _spoilt(made: Made) -> None:
    data = made.file.read_bytes()
    made.file.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))


@pytest.mark.parametrize("change", [_stale, _longer, _spoilt, lambda made: (made.root / ROOM / "place.py").unlink()])
def test_a_module_whose_source_or_code_changed_is_left_to_the_next_finder(
    made: Made, change: Callable[[Made], None]
) -> None:
    made.write()
    found = made.use()
    assert found is not None
    change(made)
    assert [found.find_spec(name) is None for name in (ROOM, PLACE, "bundled_room.other", "os")] == [
        False, True, True, True,
    ]  # fmt: skip
    posix.close(found.file)


def test_what_a_finder_is_told_beside_the_name_changes_nothing(made: Made) -> None:
    made.write()
    found = made.use()
    assert found is not None and stat.S_ISREG(os.fstat(found.file).st_mode)
    spec: Any = found.find_spec(PLACE, ["/elsewhere"], None)
    assert (spec.name, spec.origin, spec.submodule_search_locations) == (PLACE, f"{made.root}/{ROOM}/place.py", None)
    assert found.create_module(spec) is None
    posix.close(found.file)
