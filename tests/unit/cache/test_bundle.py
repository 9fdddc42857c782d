"""The bundle holds what a hook imports; a source that changed since is imported the usual way."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from policy_engine.cache.bundle import write_bundle

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from policy_engine.hook_process import bundled
for name in [name for name in sys.modules if name.startswith("policy_engine")]:
    del sys.modules[name]
bundled.use_bundle(sys.argv[1])
import policy_engine.hook_process.hook_entry, policy_engine.adapters.claude_code, policy_engine.runtime.judge
import policy_engine.hook_process.native, policy_engine.hook_process.starting, policy_engine.hook_process.floor
from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.shell.parse import parse
line = "cd src && git add a | head -3; curl -s localhost > b; rm c; sed -i s/a/b/ d"
for command in parse(line, "/workspace", Virtual()):
    effects_of(command)
for name, module in sorted(sys.modules.items()):
    if name.startswith("policy_engine"):
        print(name, type(module.__spec__.loader).__name__)
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the package, so that a test may change a source."""
    shutil.copytree(ROOT / "policy_engine", tmp_path / "root" / "policy_engine", ignore=shutil.ignore_patterns("*.pyc"))
    return tmp_path / "root"


def _write(checkout: Path, home: Path) -> None:
    program = f"import sys; sys.path.insert(0, {str(checkout)!r})\n"
    program += (
        f"from policy_engine.cache.bundle import write_bundle; write_bundle({str(home / '.cache/policy-engine')!r})"
    )
    subprocess.run([sys.executable, "-I", "-c", program], check=True)


def _loaders(checkout: Path, home: Path) -> dict[str, str]:
    command = [sys.executable, "-I", "-S", "-c", PROGRAM, str(checkout)]
    done = subprocess.run(command, capture_output=True, text=True, env={"HOME": str(home)}, check=True)
    return dict(line.split() for line in done.stdout.splitlines())


def test_everything_that_a_hook_imports_comes_out_of_the_bundle(checkout: Path, tmp_path: Path) -> None:
    _write(checkout, tmp_path)
    assert set(_loaders(checkout, tmp_path).values()) == {"Bundle"}


def test_a_source_that_changed_is_read_again(checkout: Path, tmp_path: Path) -> None:
    _write(checkout, tmp_path)
    source = checkout / "policy_engine" / "model" / "ladder.py"
    source.write_text(source.read_text() + "\nCHANGED = True\n")
    assert _loaders(checkout, tmp_path)["policy_engine.model.ladder"] == "SourceFileLoader"


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\xff" * 64])
def test_a_damaged_bundle_costs_only_time(checkout: Path, tmp_path: Path, damage: bytes) -> None:
    _write(checkout, tmp_path)
    (tmp_path / ".cache" / "policy-engine" / "bundle").write_bytes(damage)
    assert set(_loaders(checkout, tmp_path).values()) == {"SourceFileLoader"}


def test_a_bundle_that_others_could_write_is_not_used(checkout: Path, tmp_path: Path) -> None:
    _write(checkout, tmp_path)
    (tmp_path / ".cache" / "policy-engine" / "bundle").chmod(0o666)
    assert set(_loaders(checkout, tmp_path).values()) == {"SourceFileLoader"}


def test_the_same_sources_are_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_bundle(str(tmp_path))
    before = (tmp_path / "bundle").stat()
    monkeypatch.setattr("policy_engine.cache.bundle._code", lambda path: pytest.fail(f"{path} was compiled again"))
    write_bundle(str(tmp_path))
    assert (tmp_path / "bundle").stat().st_ino == before.st_ino


def _cut(data: bytes) -> bytes:
    return data[:-1]


def _flipped(data: bytes) -> bytes:
    return data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


@pytest.mark.parametrize("damage", [_cut, _flipped, bytes.upper, lambda data: data[:20], lambda data: b""])
def test_a_damaged_bundle_is_written_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    write_bundle(str(tmp_path))
    whole = (tmp_path / "bundle").read_bytes()
    (tmp_path / "bundle").write_bytes(damage(whole))
    write_bundle(str(tmp_path))
    assert (tmp_path / "bundle").read_bytes() == whole


def test_a_bundle_that_another_name_leads_to_is_written_again(tmp_path: Path) -> None:
    write_bundle(str(tmp_path))
    (tmp_path / "other").hardlink_to(tmp_path / "bundle")
    write_bundle(str(tmp_path))
    assert (tmp_path / "bundle").stat().st_nlink == 1
