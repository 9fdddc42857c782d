"""Recordings decided by a Ray cluster of two nodes: the sums and rows of one process, also when a worker is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from ray.cluster_utils import Cluster

from policy_engine.replaying import Part, Replay, on_cluster, replayed
from tests.unit.commands.running import GOOD, event, lines

RECORDINGS = 40


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Two nodes of one processor each, on this machine."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    yield made
    made.shutdown()


@pytest.fixture
def replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Replay:
    """A policy, and recordings in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    (tmp_path / "a.policy").write_text(GOOD)
    for number in range(RECORDINGS):
        events = [event(at, "rm a" if at % 3 == number % 3 else "ls", session=f"s-{number}") for at in range(30)]
        (tmp_path / f"{number:02}.jsonl").write_bytes(lines(*events))
    return Replay(("a.policy",), keep=True, rows=True)


def _names() -> list[str]:
    return [f"{number:02}.jsonl" for number in range(RECORDINGS)]


def _kill_a_worker(cluster: Cluster) -> None:
    """Kill one process that decides, of those that the nodes of this cluster started."""
    nodes = {each.process.pid for node in cluster.list_all_nodes() for each in node.all_processes["raylet"]}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (entry / "cmdline").read_bytes().startswith((b"ray::_anywhere", b"ray::IDLE")):
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent in nodes:
                os.kill(int(entry.name), signal.SIGKILL)
                return
    raise AssertionError("there is no worker to kill")


def test_a_cluster_gives_what_one_process_gives(cluster: Cluster, replay: Replay) -> None:
    assert list(on_cluster(replay, _names(), cluster.address)) == list(replayed(replay, _names(), 1))


def test_a_killed_worker_loses_and_doubles_nothing(cluster: Cluster, replay: Replay) -> None:
    found: list[Part] = []
    for part in on_cluster(replay, _names(), cluster.address):
        found.append(part)
        if len(found) in (4, 12):
            _kill_a_worker(cluster)
    assert found == list(replayed(replay, _names(), 1))
