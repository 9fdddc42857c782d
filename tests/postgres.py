"""A PostgreSQL server for tests: its own data, on a socket in a folder of its own, as a user without rights."""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import subprocess
import tempfile
from functools import cache
from itertools import count
from pathlib import Path

import pytest

from tests.end_to_end.host import Host

USER = "sessions"
_SETTINGS = ("-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=250", "-c", "shared_buffers=16MB")
_numbers = count()


def binaries() -> str:
    """Return the folder of the server's programs, empty where they are not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    path = str(found[-1]) if found else shutil.which("pg_ctl") or ""
    return os.path.dirname(path)


def keep_in(host: Host, address: str) -> None:
    """Make this the setting of the host's user."""
    folder = host.home / ".config/policy-engine"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "policy.toml").write_text(f'store = "{address}"\n')


class Server:
    """One server, started; `databases` that are made for a test are empty."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="policy-postgres-")
        self._as: list[str] = []
        if os.geteuid() == 0:  # the server refuses to run as root
            other = pwd.getpwnam("postgres")
            os.chown(self.folder, other.pw_uid, other.pw_gid)
            rights = [f"--reuid={other.pw_uid}", f"--regid={other.pw_gid}", "--clear-groups"]
            self._as = ["setpriv", *rights]
        self._run("initdb", "-D", f"{self.folder}/data", "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync")
        atexit.register(self.remove)
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = " ".join((*_SETTINGS, "-k", self.folder))
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-l", f"{self.folder}/log", "-w", "-o", options, "start")

    def stop(self) -> None:
        """End it without a word to whoever is connected."""
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")

    @property
    def process(self) -> int:
        """The first process of the server."""
        return int(Path(self.folder, "data/postmaster.pid").read_text().split()[0])

    def database(self) -> str:
        """Make a database; return its address."""
        name = f"policy{next(_numbers)}"
        self._run("createdb", "-h", self.folder, "-U", USER, name)
        return f"postgresql://{USER}@/{name}?host={self.folder}"

    def sql(self, address: str, statement: str) -> str:
        """Run a statement with a client that is not ours."""
        return self._run("psql", "-X", "-A", "-t", "-c", statement, address)

    def remove(self) -> None:
        """Stop it and remove what it kept."""
        subprocess.run(
            [*self._as, f"{binaries()}/pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "stop"],
            capture_output=True, check=False, cwd="/",
        )  # fmt: skip
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *words: str) -> str:
        command = [*self._as, f"{binaries()}/{program}", *words]
        with tempfile.TemporaryFile("w+") as out:  # a pipe would be held by the server
            done = subprocess.run(command, stdout=out, stderr=out, check=False, cwd="/")
            out.seek(0)
            text = out.read()
        assert done.returncode == 0, text
        return text.strip()


@cache
def _started() -> Server:
    return Server()


def server() -> Server:
    """Return the server of this test process; skips the test where there are no programs for one."""
    if not binaries():
        pytest.skip("the programs of a PostgreSQL server are not installed")
    return _started()
