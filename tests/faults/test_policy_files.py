"""Policy files that are empty, cut off, or that somebody else may have written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.loading import debounce, ownership
from policy_engine.loading.loader import load
from policy_engine.model.errors import PolicyLoadError
from tests.end_to_end.engines import shell, verdict
from tests.end_to_end.host import NO_LS, POLICY, Host

STRANGER = 65534


def status(host: Host) -> dict[str, Any]:
    """What `policy status` says of the policy."""
    done = subprocess.run(
        [sys.executable, "-m", "policy_engine", "status", "--format", "json"],
        cwd=host.workspace,
        env={**host.environment, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        capture_output=True,
        check=False,
    )
    found: dict[str, Any] = json.loads(done.stdout)["policy"]
    return found


@pytest.mark.fault(55)
@pytest.mark.requirement("R7")
@pytest.mark.parametrize("text", ["", "# nothing yet\n", "language 1\n", "language 1\n# nothing yet\n"])
def test_an_empty_policy_is_a_set_without_rules_and_no_missing_one(host: Host, text: str) -> None:
    (host.workspace / ".policy").mkdir()
    missing = host.call(host.shell("ls"))
    assert missing.refused and "holds no policy file" in missing.err
    host.write_policy(text)
    assert host.call(host.shell("ls")).verdict == "allow"
    found = status(host)
    assert (found["state"], found["errors"]) == ("in force", [])
    assert found["digest"].startswith("sha256:")


@pytest.mark.fault(55, 58)
@pytest.mark.requirement("R7")
def test_rules_that_vanish_from_a_file_stay_until_somebody_says_so(engine: Engine, folder: Path) -> None:
    path, good = folder / "main.policy", engine.program.digest
    path.write_bytes(b"")
    for _ in range(3):
        assert not engine.reload()
        decision = engine.decide(shell("rm a"))
        assert (decision.verdict, decision.policy) == ("deny", good)
        assert "was emptied" in decision.errors[1]
    path.write_text("language 1\n")
    assert engine.reload()
    assert verdict(engine, "rm a") == "deny", "the session keeps what it began with"
    engine.adopt()
    assert (verdict(engine, "rm a"), engine.decide(shell("rm a")).errors) == ("allow", ())


@pytest.mark.fault(55, 58)
@pytest.mark.requirement("R7")
def test_a_hook_keeps_the_rules_of_a_file_that_was_emptied(host: Host) -> None:
    host.write_policy(POLICY)
    host.warm()
    digest = status(host)["digest"]
    host.write_policy("")
    for _ in range(2):
        done = host.call(host.shell("rm a"))
        assert done.refused and "stays in force" in done.err and "was emptied" in done.err
    found = status(host)
    assert (found["state"], found["digest"]) == ("broken", digest) and "was emptied" in found["errors"][0]
    host.write_policy("language 1\n")
    assert host.call({**host.shell("rm a"), "session_id": "s-2"}).verdict == "allow"


@pytest.mark.fault(58)
@pytest.mark.requirement("R7")
def test_no_part_of_a_file_that_is_being_written_is_ever_active(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor that writes in steps, some of which parse; what takes it long here are the pauses of the loader."""
    path, whole = folder / "main.policy", POLICY + NO_LS.removeprefix("language 1\n")
    steps = [whole, whole[:-40], f"{POLICY}\n", POLICY[:100], "language 1\n"]
    path.write_bytes(b"")
    monkeypatch.setattr(debounce, "RACY_NS", 10**13)  # whatever the machine's speed, each step is a recent one
    monkeypatch.setattr(debounce.time, "sleep", lambda _: path.write_text(steps.pop()) if steps else None)
    assert engine.reload()
    assert (steps, {rule.rule for rule in engine.decide(shell("rm a && ls")).rules}) == ([], {"no-rm", "no-ls"})


# ---- who may have written it ---------------------------------------------------------------------------------------


def _shared(folder: Path) -> None:
    (folder / "main.policy").chmod(0o666)


def _shared_folder(folder: Path) -> None:
    folder.chmod(0o777)


def _strange(folder: Path) -> None:
    _chown(folder / "main.policy")


def _strange_folder(folder: Path) -> None:
    _chown(folder)


def _link(folder: Path) -> None:
    outside = folder.parent / "outside.policy"
    (folder / "main.policy").rename(outside)
    (folder / "main.policy").symlink_to(outside)


def _folder_link(folder: Path) -> None:
    (folder.parent / "more").mkdir()
    (folder / "more").symlink_to(folder.parent / "more")


def _chown(path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(path, STRANGER, STRANGER)


UNSAFE = {
    "a file that all may write": (_shared, "chmod o-w"),
    "a folder that all may write": (_shared_folder, "chmod o-w"),
    "a file of a stranger": (_strange, "chown"),
    "a folder of a stranger": (_strange_folder, "chown"),
    "a link that leads out": (_link, "leads out of the policy folder"),
    "a link to a folder outside": (_folder_link, "leads out of the policy folder"),
}


@pytest.mark.fault(75)
@pytest.mark.requirement("R7", "R16", "R17")
@pytest.mark.parametrize("what", UNSAFE)
def test_a_policy_that_a_stranger_may_have_written_is_not_believed(engine: Engine, folder: Path, what: str) -> None:
    spoil, remedy = UNSAFE[what]
    good = engine.program.digest
    spoil(folder)
    assert not engine.reload()
    decision = engine.decide(shell("rm a"))
    assert (decision.verdict, decision.policy) == ("deny", good)
    assert remedy in "\n".join(decision.errors)
    with pytest.raises(PolicyLoadError):
        Engine.load(folder)


@pytest.mark.fault(75)
@pytest.mark.requirement("R17")
def test_a_hook_refuses_a_policy_that_all_may_write(host: Host) -> None:
    host.write_policy(POLICY).chmod(0o666)
    done = host.call(host.shell("ls"))
    assert done.refused and "chmod o-w" in done.err


@pytest.mark.fault(75)
def test_what_people_and_containers_really_have_is_believed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "main.policy"
    folder.chmod(0o775)
    path.chmod(0o664)  # an umask of 002
    assert load([folder]).errors == ()
    folder.chmod(0o1777)  # what others add to it is theirs
    assert load([folder]).errors == ()
    (folder / "inside.policy").symlink_to("main.policy")
    assert load([folder]).errors == ()
    if os.geteuid() == 0:  # a checkout that is mounted into a container where the agent is root
        for each in (folder.parent, folder, path):
            os.chown(each, 1000, 1000)
        assert load([folder]).errors == ()
    path.chmod(0o777)
    assert load([folder]).errors
    table = folder.parent / "mounts"
    device = path.stat().st_dev
    table.write_text(f"36 35 {os.major(device)}:{os.minor(device)} / /mnt rw - 9p C: rw,aname=drvfs;path=C:\\\n")
    monkeypatch.setattr(ownership, "MOUNTS", str(table))
    assert load([folder]).errors == ()  # on a disk of Windows everything looks so
