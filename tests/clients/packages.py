"""A pinned npm package → where it is installed, in a folder that git ignores; `python -m tests.clients.packages`.

The ordinary npm of the machine fetches it, from the registry that it is set to. What cannot be had says why, and the
tests of that client are skipped with these words.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / ".clients"
OLDEST_NODE = 20
SECONDS = 900


class Absent(Exception):
    """Why a package is not there."""


def machine() -> str:
    """The machine in the words of npm's packages."""
    names = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
    found = platform.machine().lower()
    return f"{platform.system().lower()}-{names.get(found, found)}"


def installed(name: str, version: str) -> Path:
    """The folder `node_modules` that holds this version. Raises Absent."""
    modules = FOLDER / name.replace("/", "+") / "node_modules"
    try:
        found = json.loads((modules / name / "package.json").read_text())["version"]
    except (OSError, ValueError, KeyError):
        raise Absent(f"{name} is not installed: `make test-clients` says why") from None
    if found != version:
        raise Absent(f"{name} is there in version {found}, not {version}")
    return modules


def install(name: str, version: str) -> Path:
    """The same, fetched if it is not there. Raises Absent."""
    try:
        return installed(name, version)
    except Absent:
        _needs()
    place = FOLDER / name.replace("/", "+")
    place.mkdir(parents=True, exist_ok=True)
    (place / "package.json").write_text('{"private": true}\n')
    # install scripts of strangers are not run: the programs that they would fetch are packages of their own
    quiet = ("--no-fund", "--no-audit", "--no-update-notifier", "--loglevel=error", "--ignore-scripts", "--save-exact")
    command = ["npm", "install", f"--prefix={place}", *quiet, f"{name}@{version}"]
    try:
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise Absent(f"{name}: npm did not finish: {problem}") from None
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("npm error")]
        raise Absent(f"{name}@{version} could not be installed: {(errors or [done.stderr.strip()])[0]}")
    return installed(name, version)


def _needs() -> None:
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise Absent(f"there is no `{program}` on this machine")
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    number = re.match(r"v(\d+)", said)
    if number is None or int(number[1]) < OLDEST_NODE:
        raise Absent(f"node is {said or 'broken'}; the clients need {OLDEST_NODE} or later")


def main() -> int:
    """Install every client; 0 also if some cannot be had, for the tests say so too."""
    from tests.clients.hosts.base import clients

    for client in clients():
        try:
            install(client.package, client.version)
        except Absent as why:
            sys.stderr.write(f"{client.host} will not be tested: {why}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
