"""Generated scripts of harmless words: what bash starts, the parser has found, and what bash refuses, it refuses.

`POLICY_FUZZ` or `SHELL_CASES` sets how many scripts each property tries. The only program that the scripts can make
anything with prints its own words; they run in a folder of empty folders. A property whose scripts are mostly undecided
would hold of nothing, so the share is bounded; `--log-cli-level=INFO` shows it.
"""

from __future__ import annotations

import fcntl
import logging
import os
import select
import signal
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from policy_engine.filesystem.file_system import Virtual
from policy_engine.filesystem.paths import below
from policy_engine.model.partial import DIGITS, GLOB, MANY, NUMBER, ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.command import SimpleCommand
from policy_engine.shell.parse import parse
from tests.properties.effort import FACTOR
from tests.unit.shell.scripts import BROKEN, SCRIPTS, SEQUENCES

CASES = int(os.environ.get("SHELL_CASES", 60 * (FACTOR or 1)))
SAME = "SHELL_CASES" not in os.environ and not FACTOR  # the gate tries the same scripts each time
BASH = "/bin/bash"
SETTINGS = settings(
    max_examples=CASES, derandomize=SAME, deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)  # fmt: skip
# one write for each start: parts of a pipeline write at the same time
STAND_IN = '#!/bin/sh\nprintf \'%s\\0\' "${0##*/}" "$@" "$PWD" \'\1\' >>"$LOG_OF_WORDS"\n'
USED = ("env", "xargs", "nice", "timeout", "nohup", "sh", "bash", "cat", "find", "basename")
Started = tuple[tuple[str, ...], str]  # the words, and the folder


class Sandbox:
    """A folder of stand-ins, and one to run scripts in."""

    def __init__(self, root: Path) -> None:
        self.programs = root / "programs"
        self.log = root / "log"
        self.place = root / "work"
        self.home = root / "home"
        self.home.mkdir()
        self.programs.mkdir()
        program = self.programs / "aa"
        program.write_text(STAND_IN)
        program.chmod(0o755)
        for name in ("bb", "cc"):
            (self.programs / name).symlink_to(program)
        for name in USED:
            found = next(Path(folder, name) for folder in ("/usr/bin", "/bin") if Path(folder, name).exists())
            (self.programs / name).symlink_to(found)
        for one in "de":
            for two in "de":
                for three in "de":
                    (self.place / one / two / three).mkdir(parents=True)
        self.environment = {
            "PATH": str(self.programs), "HOME": str(self.home), "LC_ALL": "C.UTF-8", "LOG_OF_WORDS": str(self.log),
            "TMPDIR": "/tmp",
        }  # fmt: skip

    def valid(self, script: str) -> bool:
        """Whether bash takes the script."""
        done = subprocess.run([BASH, "-n", "-c", script], capture_output=True, check=False)
        return done.returncode == 0

    def run(self, script: str) -> tuple[list[Started], set[Path]]:
        """What bash starts, and the files that it leaves, which are deleted."""
        self.log.write_bytes(b"")
        # whoever is left in the background holds the end of a pipe as long as it lives
        waiting, held = os.pipe()
        high = fcntl.fcntl(held, fcntl.F_DUPFD, 200)  # no script redirects this one
        os.close(held)
        process = subprocess.Popen(
            [BASH, "-c", script], cwd=self.place, env=self.environment, start_new_session=True, pass_fds=(high,),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(high)
        ended = bool(select.select([waiting], [], [], 5)[0])
        os.close(waiting)
        if not ended:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        files = {Path(folder, name) for folder, _, names in os.walk(self.place) for name in names}
        for file in files:
            file.unlink()
        if not ended:
            reject()  # a loop without an end starts more than can be listed
        rows = [row.decode("utf-8", "surrogateescape").split("\0")[:-1] for row in self.log.read_bytes().split(b"\1\0")]
        return [(tuple(row[:-1]), row[-1]) for row in rows if row], files


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    return Sandbox(tmp_path_factory.mktemp("shell"))


class Tally(Counter[str]):
    """How many scripts were judged, and why the others were not."""

    def analysed(self, script: str, sandbox: Sandbox) -> tuple[SimpleCommand, ...] | None:
        """What the parser finds; None if it is undecided."""
        self["tried"] += 1
        try:
            found = parse(script, str(sandbox.place), Virtual(str(sandbox.place), str(sandbox.home)))
        except Undecided as unknown:
            self["undecided"] += 1
            self[f"undecided: {unknown.reasons[0][:60]}"] += 1
            return None
        self["judged"] += 1
        self["anything"] += any(not is_known(command.argv[0]) for command in found)
        return found

    def show(self, what: str) -> None:
        """Into the log."""
        logging.getLogger("shell").info("%s: %s", what, ", ".join(f"{n} {key}" for key, n in self.most_common(24)))


def may_be(found: tuple[str, ...], real: tuple[str, ...]) -> bool:
    """Whether an argv with marks covers one that ran."""
    if not found:
        return not real
    head = found[0]
    if MANY in head or GLOB in head:
        return True
    if not real:
        return False
    if is_known(head):
        return head == real[0] and may_be(found[1:], real[1:])
    head = head.replace(DIGITS, ONE).replace(NUMBER, ONE)
    first, last = head.split(ONE)[0], head.split(ONE)[-1]
    return real[0].startswith(first) and real[0].endswith(last) and may_be(found[1:], real[1:])


def covers(command: SimpleCommand, real: Started, folders: bool = True) -> bool:
    """Whether a command is the one that ran, as far as it is known."""
    if command.argv[0] in ("bash", "sh", ".", "source") and real[0][0] in command.argv[1:]:
        return True  # a script by its name
    if not may_be(command.argv, real[0]):
        return False
    if not folders:
        return True
    try:
        return command.cwd.real == real[1]
    except Undecided:
        return True


def written(command: SimpleCommand, file: Path) -> bool:
    """Whether one of the command's redirections may have made the file."""
    if not is_known(command.argv[0]):
        return True
    paths = [redirect.path for redirect in command.redirects]  # type: ignore[attr-defined]
    return any(
        not path.known or path.real == str(file) or (path.recursive and below(str(file), path.real))
        for path in paths
        if path.access != "read"
    )


def check_found(found: tuple[SimpleCommand, ...], ran: list[Started], files: set[Path], folders: bool = True) -> None:
    """`folders`: every `cd` succeeds, as it does in scripts that are whole."""
    missing = [real for real in ran if not any(covers(command, real, folders) for command in found)]
    assert missing == []
    if folders:
        assert [file for file in files if not any(written(command, file) for command in found)] == []


def for_all(scripts: st.SearchStrategy[str], check: Callable[[str], None]) -> None:
    """Try the check on so many scripts."""

    @SETTINGS
    @given(scripts)
    def judge(script: str) -> None:
        check(script)

    judge()


def test_whatever_bash_starts_was_found(sandbox: Sandbox) -> None:
    tally = Tally()

    def check(script: str) -> None:
        valid = sandbox.valid(script)
        tally["valid"] += valid
        found = tally.analysed(script, sandbox)
        if found is None:
            tally["undecided of valid"] += valid
            return
        assert valid, "bash refuses what the parser accepts"
        check_found(found, *sandbox.run(script))

    for_all(SCRIPTS, check)
    tally.show("scripts")
    assert tally["undecided of valid"] <= 0.1 * tally["valid"]


def test_of_a_sequence_each_start_was_found_on_its_own(sandbox: Sandbox) -> None:
    tally = Tally()

    def check(script: str) -> None:
        valid = sandbox.valid(script)
        found = tally.analysed(script, sandbox)
        if found is None:
            return
        assert valid, "bash refuses what the parser accepts"
        ran, files = sandbox.run(script)
        check_found(found, ran, files)
        names = [command.argv[0] for command in found]
        assert sum(name in ("aa", "bb", "cc") for name in names) >= len(ran) or not all(map(is_known, names))

    for_all(SEQUENCES, check)
    tally.show("sequences")
    assert tally["undecided"] <= 0.1 * tally["tried"]


def test_of_a_broken_script_whatever_still_starts_was_found(sandbox: Sandbox) -> None:
    """The grammar takes some scripts that bash refuses, which starts what stands before the mistake."""
    tally = Tally()

    def check(script: str) -> None:
        found = tally.analysed(script, sandbox)
        if found is not None:
            check_found(found, *sandbox.run(script), folders=False)

    for_all(BROKEN, check)
    tally.show("broken scripts")
    assert tally["judged"] >= 0.3 * tally["tried"]
