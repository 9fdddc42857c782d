"""What stands where a predicate reads: whatever is no readable file of a bearable size leaves its rule undecided."""

from __future__ import annotations

import os
import socket
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.model.decision import Decision
from policy_engine.model.limits import READ_BYTES, SEARCH_BYTES
from tests.end_to_end.host import Host
from tests.end_to_end.test_hook_files import unprivileged

READERS = {
    "content_contains": 'content_contains("target", "needle")',
    "a regex": 'content_contains("target", /needle/)',
    "file_size": 'file_size("target") else 0 > 5',
    "json_value": 'json_value("target", "/a") else "" == "b"',
    "toml_value": 'toml_value("target", "a") else "" == "b"',
    "yaml_value": 'yaml_value("target", "a") else "" == "b"',
}
POLICY = "language 1\n" + "".join(
    f'rule r-{number} "{name}" {{ severity high on before_tool(shell) when {condition} deny "no" }}\n'
    for number, (name, condition) in enumerate(READERS.items())
)


@pytest.fixture(scope="module")
def reading() -> Engine:
    """An engine whose rules each look into the file `target` of the workspace, in their several ways."""
    return Engine.from_text(POLICY)


def decide(engine: Engine, workspace: Path) -> Decision:
    tool = {"name": "Bash", "kind": "shell", "args": {"command": "ls"}}
    place = str(workspace)
    return engine.decide({"hook": "before_tool", "session": "s", "cwd": place, "workspace": place, "tool": tool})


def outcomes(decision: Decision) -> dict[str, str]:
    return {list(READERS)[int(rule.rule[2:])]: rule.outcome for rule in decision.rules}


def _device(numbers: tuple[int, int], kind: int = stat.S_IFCHR) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        try:
            os.mknod(path, 0o666 | kind, os.makedev(*numbers))
        except PermissionError:
            pytest.skip("only root makes devices")

    return make


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))  # its whole path may be too long for an address


def _link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


KINDS: dict[str, Callable[[Path], Any]] = {
    "a FIFO": lambda path: os.mkfifo(path),
    "a folder": lambda path: path.mkdir(),
    "a socket": _socket,
    "/dev/zero": _device((1, 5)),
    "/dev/urandom": _device((1, 9)),
    "the terminal": _device((5, 0)),
    "a block device": _device((7, 0), stat.S_IFBLK),
    "a link to /dev/zero": _link("/dev/zero"),
    "a link to standard input": _link("/dev/stdin"),
    "a link to the kernel's messages": _link("/proc/kmsg"),
    "a link to a descriptor": _link("/proc/self/fd/0"),
    "a link to itself": _link("target"),
    "a link outside": _link("/etc/hostname"),
}


@pytest.mark.fault(40, 41, 43)
@pytest.mark.requirement("R11")
@pytest.mark.parametrize("what", KINDS)
def test_what_is_no_file_leaves_every_reader_undecided(
    reading: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    KINDS[what](tmp_path / "target")
    decision = decide(reading, tmp_path)
    assert (decision.verdict, outcomes(decision)) == ("deny", dict.fromkeys(READERS, "undecided"))


@pytest.mark.fault(40)
def test_a_hook_does_not_wait_for_the_writer_of_a_fifo(host: Host) -> None:
    host.write_policy(POLICY)
    os.mkfifo(host.workspace / "target")
    done = host.call(host.shell("ls"))
    assert done.refused and "not a regular file" in done.err and "E-DEADLINE" not in done.err


@pytest.mark.fault(43)
def test_a_file_where_a_folder_is_named_is_undecided(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("needle")
    engine = Engine.from_text(POLICY.replace('"target"', '"target/below/it"'))
    found = outcomes(decide(engine, tmp_path))
    assert found == {**dict.fromkeys(READERS, "undecided")}


@pytest.mark.fault(44)
@pytest.mark.requirement("R11")
@pytest.mark.parametrize("what", ["the file", "its folder", "a folder above"])
def test_what_may_not_be_read_refuses(host: Host, what: str) -> None:
    """`does not contain it` would be an answer to a question that nobody could ask."""
    host.write_policy(POLICY.replace('"target"', '"one/two/target"').replace("needle", "secret"))
    path = host.workspace / "one" / "two" / "target"
    path.parent.mkdir(parents=True)
    path.write_text("nothing of note")
    closed = {"the file": path, "its folder": path.parent, "a folder above": path.parent.parent}[what]
    closed.chmod(0)
    done = host.call(host.shell("ls"), preexec_fn=unprivileged)
    closed.chmod(0o700)
    assert done.refused and "EACCES" in done.err


@pytest.mark.fault(45)
@pytest.mark.requirement("R23")
def test_a_sparse_file_of_twenty_gigabytes_is_not_read(reading: Engine, tmp_path: Path) -> None:
    with (tmp_path / "target").open("wb") as file:
        file.truncate(20 << 30)
    decision = decide(reading, tmp_path)
    expected = {**dict.fromkeys(READERS, "undecided"), "file_size": "violated"}
    assert (decision.verdict, outcomes(decision)) == ("deny", expected)
    assert any("READ_BYTES" in rule.undecided[0] for rule in decision.rules if rule.undecided)


@pytest.mark.fault(45)
def test_a_file_that_grows_and_shrinks_while_it_is_read_is_decided(reading: Engine, tmp_path: Path) -> None:
    path = tmp_path / "target"
    path.write_bytes(b"needle" * 1000)
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            with path.open("r+b") as file:
                file.truncate(0)
                file.write(b"needle" * 200_000)
                file.truncate(READ_BYTES * 2)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        decisions = [decide(reading, tmp_path) for _ in range(60)]
    finally:
        stop.set()
        thread.join()
    assert {decision.errors for decision in decisions} == {()}
    assert {rule.outcome for decision in decisions for rule in decision.rules} <= {"violated", "undecided"}


@pytest.mark.fault(46)
def test_bytes_that_are_no_text_are_searched_as_bytes(reading: Engine, tmp_path: Path) -> None:
    path = tmp_path / "target"
    path.write_bytes(b"\x00\xff\xfe" * 1000 + b"needle\x00" + b"\x80" * 1000)
    found = outcomes(decide(reading, tmp_path))
    assert (found["content_contains"], found["a regex"], found["file_size"]) == ("violated",) * 3
    assert {found[name] for name in ("json_value", "toml_value", "yaml_value")} == {"undecided"}
    path.write_bytes("needle".encode("utf-16"))
    found = outcomes(decide(reading, tmp_path))
    assert "content_contains" not in found and found["json_value"] == "undecided"


@pytest.mark.fault(46)
@pytest.mark.requirement("R23")
def test_a_line_without_end_is_read_up_to_the_limit(reading: Engine, tmp_path: Path) -> None:
    path = tmp_path / "target"
    path.write_bytes(b"x" * (SEARCH_BYTES - 6) + b"needle")
    assert outcomes(decide(reading, tmp_path))["a regex"] == "violated"
    with path.open("r+b") as file:
        file.truncate(1 << 30)
    assert outcomes(decide(reading, tmp_path))["a regex"] == "undecided"
