"""Settings that a program prints hold secrets where the files say so that they are read from."""

from __future__ import annotations

import pytest

from policy_engine.effects.analysis import analysis_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.shell.command import SimpleCommand

PIP, UNIT, NPM = "/home/user/.config/pip/pip.conf", "/etc/systemd/system/app.service", ".npmrc"


@pytest.mark.parametrize(
    ("line", "file", "text", "discloses"),
    [
        ("pip config list", PIP, "[global]\nindex-url = https://u:pw@pypi.example.com/simple\n", True),
        ("pip config get global.index-url", PIP, "[global]\nindex-url = https://u:pw@pypi.example.com/simple\n", True),
        ("pip config list", PIP, "[global]\nindex-url = https://pypi.example.com/simple\n", False),
        ("pip config list", PIP, "[global]\n# index-url = https://u:pw@pypi.example.com/simple\n", False),
        ("systemctl cat app", UNIT, "[Service]\nEnvironment=LANG=C DB_PASSWORD=x\n", True),
        ("systemctl cat app.service", UNIT, "[Service]\nEnvironment=URL=https://u:pw@db.example.com\n", True),
        ("pip config list", PIP, "a = 1\n" * 20_000, True),  # too large to be read
        ("systemctl cat app", UNIT, "[Service]\nEnvironment=LANG=C PORT=80\nExecStart=/usr/bin/app\n", False),
        ("systemctl cat app", f"{UNIT}.d/override.conf", "[Service]\nEnvironment=API_TOKEN=x\n", True),
        ("yarn config list", NPM, "//npm.example.com/:_authToken=x\n", True),
        ("yarn config list", NPM, "save-exact=true\n", False),
        ("yarn config get registry", NPM, "//npm.example.com/:_authToken=x\n", False),
    ],
)
def test_what_is_printed_counts(line: str, file: str, text: str, discloses: bool) -> None:
    filesystem = Virtual()
    filesystem.write(filesystem.resolve(file, "/workspace"), text.encode())
    command = SimpleCommand(tuple(line.split()), line, filesystem.resolve("/workspace", None), filesystem, ())
    assert ("discloses" in analysis_of(command).words) is discloses
