"""Rights that a compose file gives its services: those that the session wrote are asked about, agreed ones are not."""

from __future__ import annotations

import os
from pathlib import Path

from tests.attacks.test_weakened_policy import git
from tests.end_to_end.host import Host

POLICY = 'language 1\nimport "pack:security/no-tamper"\nimport "pack:security/no-sudo"\n'
RIGHTS = "services:\n  a:\n    image: localstack\n    volumes: ['/var/run/docker.sock:/var/run/docker.sock']\n"


def test_rights_that_are_committed_are_agreed_on(tmp_path: Path) -> None:
    host = Host(tmp_path)
    host.environment["PATH"] = os.environ["PATH"]
    host.write_policy(POLICY)
    git(host, "init", "-q", "-b", "main")
    place = Path(host.workspace) / "compose.yaml"
    place.write_text(RIGHTS)
    host.call(host.payload("SessionStart", source="startup"))
    assert host.call(host.shell("docker compose up -d")).verdict == "ask", "it is not committed"
    git(host, "add", "compose.yaml")
    git(host, "commit", "-qm", "Add services")
    assert host.call(host.shell("docker compose up -d")).verdict == "allow"
    place.write_text(RIGHTS.replace("    volumes", "    privileged: true\n    volumes"))
    assert host.call(host.shell("docker compose up -d")).verdict == "ask", "it is changed since"
    git(host, "update-index", "--assume-unchanged", "compose.yaml")
    assert host.call(host.shell("docker compose up -d")).verdict == "ask", "git is told not to look"
    inner = Path(host.workspace) / "inner"
    inner.mkdir()
    git(host, "init", "-q", "inner")
    (inner / "compose.yaml").write_text(RIGHTS)
    assert host.call(host.shell("docker compose -f inner/compose.yaml up -d")).verdict == "ask", "of another repository"
