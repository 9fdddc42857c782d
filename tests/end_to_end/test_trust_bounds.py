"""What trust in a repository's commands is bound to, and what a repository brings of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.end_to_end.host import Host
from tests.end_to_end.terminal import at_terminal
from tests.end_to_end.trusting import CHECK, POLICY, ROOT, environment, policy, put, ran, record, trust, untrusted


def _edit(name: str) -> Callable[[Host], None]:
    return lambda host: put(host, name, (host.workspace / name).read_text() + "# more\n")


def _link(host: Host) -> None:
    """The same content somewhere else."""
    path = host.workspace / "tools/check.sh"
    path.rename(host.workspace / "elsewhere.sh")
    path.symlink_to("../elsewhere.sh")


CHANGES: dict[str, Callable[[Host], None]] = {
    "a script is edited": _edit("tools/check.sh"),
    "a policy is edited": _edit(".policy/main.policy"),
    "a policy is added": lambda host: put(host, ".policy/more.policy", "language 1\n"),
    "settings are added": lambda host: put(host, ".policy/policy.toml", "host_timeout_seconds = 60\n"),
    "a named file that was missing is made": lambda host: put(host, "tools/guard.conf", ""),
    "a script is removed": lambda host: (host.workspace / "tools/check.sh").unlink(),
    "a script becomes a link": _link,
    "a policy does not load": lambda host: put(host, ".policy/more.policy", "language 1 rule {"),
}


@pytest.mark.fault(76)
@pytest.mark.requirement("R12", "R14")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_any_change_takes_trust_back_at_the_next_event_and_rules_stay(
    repository: Host, change: Callable[[Host], None]
) -> None:
    trust(repository)
    assert repository.call(repository.stop()).verdict == "allow" and ran(repository) == {"check"}
    change(repository)
    said = repository.call(repository.shell("rm a"))
    assert ran(repository) == set() and "did not run" in said.err + said.out.decode()
    assert repository.call(repository.stop()).refused and ran(repository) == set()
    assert repository.call(repository.shell("rmdir x")).refused


@pytest.mark.fault(76)
@pytest.mark.requirement("R14")
def test_what_comes_back_byte_for_byte_is_what_was_trusted_and_the_difference_is_shown(repository: Host) -> None:
    trust(repository)
    put(repository, "tools/check.sh", '#!/bin/sh\ntouch "$HOME/check-ran" # stolen\n')
    repository.write_policy(POLICY.replace("--config=tools/guard.conf", "--fast"))
    done = subprocess.run(
        policy("trust", "--show"), env=environment(repository), cwd=repository.workspace, capture_output=True, text=True
    )
    assert done.returncode == 1 and "changed since it was trusted" in done.stdout
    assert "~ tools/check.sh" in done.stdout and "~ command guard" in done.stdout
    repository.write_policy(POLICY)
    put(repository, "tools/check.sh", CHECK)
    assert repository.call(repository.stop()).verdict == "allow" and ran(repository) == {"check"}


@pytest.mark.requirement("R14")
def test_a_link_out_of_the_workspace_is_bound_by_what_it_leads_to(repository: Host) -> None:
    outside = repository.home / "check.sh"
    (repository.workspace / "tools/check.sh").rename(outside)
    (repository.workspace / "tools/check.sh").symlink_to(outside)
    trust(repository)
    assert repository.call(repository.stop()).verdict == "allow" and ran(repository) == {"check"}
    outside.write_text(CHECK + "# more\n")
    assert "`tools/check.sh` changed" in json.loads(repository.call(repository.shell("rm a")).out)["systemMessage"]
    assert ran(repository) == set()


@pytest.mark.requirement("R14")
def test_trust_that_was_taken_back_is_gone(repository: Host) -> None:
    trust(repository)
    status, said = at_terminal(policy("trust", "--revoke"), environment(repository), repository.workspace)
    assert (status, "no longer trusted" in said) == (0, True)
    untrusted(repository)


def _forged(path: Path, **changes: object) -> None:
    value = json.loads(path.read_bytes())
    path.write_text(json.dumps({**value, **changes}, separators=(",", ":")) + "\n")


def _linked(path: Path) -> None:
    path.rename(path.with_suffix(".kept"))
    path.symlink_to(path.with_suffix(".kept"))


DEFECTS: dict[str, Callable[[Path], None]] = {
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-40]),
    "grown": lambda path: path.write_bytes(path.read_bytes() + b"\n"),
    "no JSON": lambda path: path.write_bytes(b"\x00" * 300),
    "another digest": lambda path: _forged(path, digest="sha256:" + "0" * 64),
    "other files": lambda path: _forged(path, files={}),
    "another folder": lambda path: _forged(path, folder="/"),
    "a list": lambda path: path.write_bytes(b"[]\n"),
    "for all to read": lambda path: path.chmod(0o644),
    "a link": _linked,
    "a folder": lambda path: (path.unlink(), path.mkdir())[0],  # type: ignore[func-returns-value]
    "a pipe": lambda path: (path.unlink(), os.mkfifo(path, 0o600))[0],  # type: ignore[func-returns-value]
    "a folder that others may write": lambda path: path.parent.chmod(0o777),
}


@pytest.mark.fault(89)
@pytest.mark.requirement("R14", "R17")
@pytest.mark.parametrize("damage", DEFECTS.values(), ids=DEFECTS)
def test_a_defect_of_the_record_is_no_trust_and_nothing_mends_it(
    repository: Host, damage: Callable[[Path], None]
) -> None:
    trust(repository)
    damage(record(repository))
    before = sorted(path.lstat().st_ino for path in record(repository).parent.iterdir())
    untrusted(repository)
    assert sorted(path.lstat().st_ino for path in record(repository).parent.iterdir()) == before


@pytest.mark.requirement("R13")
def test_a_repository_that_brings_its_own_trust_gets_none(repository: Host) -> None:
    """A sound record and settings that point to it, wherever a repository could put them."""
    trust(repository)
    sound, name = record(repository).read_bytes(), record(repository).name
    record(repository).unlink()
    workspace = repository.workspace
    for below in (".policy/trust", ".local/state/policy-engine/trust", ".state/policy-engine/trust", "trust"):
        put(repository, f"{below}/{name}", "")
        (workspace / below / name).write_bytes(sound)
        (workspace / below / name).chmod(0o600)
        (workspace / below).chmod(0o700)
    for settings in (".env", ".envrc", ".policy/.env"):
        put(repository, settings, f"XDG_STATE_HOME={workspace}/.state\nHOME={workspace}\nPOLICY_TRUST=1\n")
    assert "are not trusted" in untrusted(repository)


@pytest.mark.requirement("R13")
@pytest.mark.parametrize("value", [".state", "WORKSPACE/.state", "WORKSPACE/tools/../.state"])
def test_a_state_folder_in_the_workspace_is_not_believed(repository: Host, value: str) -> None:
    """As where something loads a repository's `.env` into the variables of the agent."""
    trust(repository)
    put(repository, f".state/policy-engine/trust/{record(repository).name}", "")
    planted = repository.workspace / ".state/policy-engine/trust" / record(repository).name
    planted.write_bytes(record(repository).read_bytes())
    planted.chmod(0o600)
    planted.parent.chmod(0o700)
    record(repository).unlink()
    repository.environment["XDG_STATE_HOME"] = value.replace("WORKSPACE", str(repository.workspace))
    said = repository.call(repository.shell("rm a"))
    assert "did not run" in said.out.decode() or (said.refused and "leads into the repository" in said.err)
    assert repository.call(repository.stop()).refused
    assert ran(repository) == set()


@pytest.mark.requirement("R13")
def test_no_environment_file_of_a_repository_is_even_opened(repository: Host) -> None:
    trust(repository)
    for name in (".env", ".envrc", "json.py", "sitecustomize.py"):
        put(repository, name, "raise SystemExit(0)\n")
    program = (
        "import sys\n"
        "opened = []\n"
        "sys.addaudithook(lambda name, given: opened.append(str(given[0])) if name == 'open' else None)\n"
        f"sys.path.append({str(ROOT)!r})\n"
        "from policy_engine.hook_process.hook_entry import main\n"
        "main(['claude-code'])\n"
        "sys.stderr.write('\\n'.join(opened))\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        input=json.dumps(repository.shell("ls")).encode(),
        env=repository.environment,
        cwd=repository.workspace,
        capture_output=True,
    )
    opened = [line for line in done.stderr.decode().splitlines() if line.startswith(str(repository.workspace))]
    assert ran(repository) == {"guard"}
    below = {str(Path(path).relative_to(repository.workspace)) for path in opened}
    assert ".policy/main.policy" in below
    below -= {".claude/settings.json", ".claude/settings.local.json"}  # do they call the hook? nothing else is read
    assert {name for name in below if not name.startswith((".policy/", "tools/"))} == set()
