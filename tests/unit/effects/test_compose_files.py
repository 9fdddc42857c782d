"""What a compose file gives its services of the machine is asked about when they start, as for `docker run`."""

from __future__ import annotations

import pytest

from tests.unit.effects.test_scripts import decide

A = "services:\n  a:\n    image: alpine\n"


@pytest.mark.parametrize(
    ("line", "file", "text"),
    [
        ("docker compose -f v/c.yml up", "v/c.yml", f"{A}    privileged: true\n    command: id\n"),
        ("docker compose up", "compose.yaml", f'{A}    volumes: ["/:/h"]\n    command: chroot /h id\n'),
        ("docker compose run --rm a sh -c id", "compose.yaml", f'{A}    volumes: ["/var/run/docker.sock:/s"]\n'),
        (
            "docker compose up",
            "compose.yml",
            f"{A}    volumes:\n      - type: bind\n        source: /\n        target: /h\n",
        ),
        ("docker-compose up -d", "docker-compose.yml", f"{A}    pid: host\n"),
        ("docker compose create", "compose.yml", f"{A}    cap_add: [SYS_ADMIN]\n"),
        ("docker compose up b", "compose.yml", f"{A}    privileged: true\n  b:\n    image: x\n    depends_on: [a]\n"),
    ],
)
def test_rights_of_a_started_service_are_asked_about(line: str, file: str, text: str) -> None:
    assert decide(line, {file: text})[0] == "ask"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("docker compose -f v/c.yml up", f"{A}    env_file: ../.env\n    command: env\n"),
        ("docker compose -f v/c.yml up", f'{A}    env_file: [../.env]\n    command: ["sh", "-c", "printenv"]\n'),
        ("docker compose -f v/c.yml run a sh -c 'env | sort'", f"{A}    env_file:\n      - path: ../.env\n"),
    ],
)
def test_a_command_that_prints_a_file_of_variables_reads_it(line: str, text: str) -> None:
    assert decide(line, {"v/c.yml": text})[0] == "deny"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("docker compose up", f"{A}    env_file: .env\n    command: node server.js\n"),
        ("docker compose up", f"{A}    env_file: .env\n    command: env PORT=1 node server.js\n"),
        ("docker compose up", f"{A}    env_file: .env.example\n    command: env\n"),
        ("docker compose run a printenv PATH", f"{A}    env_file: .env\n"),
        ("docker compose up -d", f"{A}    privileged: false\n    volumes:\n      - ./data:/data\n      - cache:/c\n"),
        ("docker compose up b", f"{A}    privileged: true\n  b:\n    image: x\n"),
        ("docker compose logs a", f"{A}    privileged: true\n"),
        ("docker compose down", f"{A}    privileged: true\n"),
        ("docker compose build", f"{A}    privileged: true\n"),
        ("docker compose up", "services: [a]\n"),
    ],
)
def test_everyday_services_stay_silent(line: str, text: str) -> None:
    assert decide(line, {"compose.yml": text})[0] == "allow"
