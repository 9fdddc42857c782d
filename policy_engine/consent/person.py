"""Detect whether a person is at the terminal of this process, and read their answer from it.

An agent that hides on purpose (a terminal of its own, a cleaned environment, parents that are gone) is the same user.
While its session runs, what its host started, and what was left alone since, is told from a person's terminal; after
that no program of the user can tell, and rules that keep agents from asking are for that.
"""

from __future__ import annotations

import os
import subprocess
import termios
from dataclasses import dataclass
from pathlib import PurePosixPath

from policy_engine.consent.agents import EDITORS, PROGRAMS, is_agents
from policy_engine.model.errors import ConfigurationError
from policy_engine.state.places import state_folder

ORIGINS = "origins"  # the folder of the records of which process holds a session
_MOST_SESSIONS = 256  # records that are looked at, the latest first
ANCESTORS = 64  # of a process are looked at
_READ = 1 << 20
_ELSEWHERE = "run it in a terminal that no agent started and that is in no editor"
_PACKAGES = ("node_modules", "site-packages", "dist-packages")
_PS = "/bin/ps"
_INTERPRETERS = ("node", "bun", "deno", "python", "ruby", "perl", "sh", "bash", "dash", "zsh", "ksh")
_OPTIONS = 8  # words before which an interpreter's script stands


@dataclass(frozen=True, slots=True)
class Process:
    """The visible part of a process: its name, its program and the script that it runs are `words`."""

    number: int
    parent: int
    words: tuple[str, ...]
    variables: frozenset[str] = frozenset()


def no_person() -> str:
    """Return why it cannot be a person who asks; empty if nothing speaks against it."""
    under = under_agent()
    if under:
        return under
    if not (os.isatty(0) and os.isatty(1)):
        return f"standard input and standard output are not both a terminal; {_ELSEWHERE}"
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
    except OSError:
        return f"there is no controlling terminal; {_ELSEWHERE}"
    return ""


def under_agent() -> str:
    """Return which trace of an agent this process has, and what to do; empty if none."""
    mine = sorted(name for name in os.environ if is_agents(name))
    if mine:
        return f"the variable {mine[0]} says that an agent started this; {_ELSEWHERE}"
    hosts = running_hosts()
    number, first = os.getppid(), os.getpid()
    for _ in range(ANCESTORS):
        if number <= 0:
            return ""
        if number == 1:
            return _left_alone(first, hosts)
        process = seen(number)
        if process is None:
            return ""  # another user's behind `hidepid`, or gone
        reason = _suspicion(process)
        if not reason and (number, start_of(number)) in hosts:
            reason = "an agent's session is held by a process"
        if reason:
            return f"{reason} (process {number}), which is above this one; {_ELSEWHERE}"
        number, first = process.parent, number
    return f"there are more than {ANCESTORS} processes above this one; {_ELSEWHERE}"


def _left_alone(first: int, hosts: list[tuple[int, int]]) -> str:
    """Return why a process without parents is no person's: whoever started it ended, after an agent had begun to
    run.
    """
    if any(start_of(first) > start > 0 for _, start in hosts):
        return (
            f"process {first}, above this one, was started and left alone while an agent runs; {_ELSEWHERE}, and that "
            "was open before the agent began, or end the agent first"
        )
    return ""


def running_hosts() -> list[tuple[int, int]]:
    """Return the processes that hold sessions of agents now, each with when it started, in ticks since the boot.

    The hook keeps one record per session (hook_process/origin.py); those of processes that have ended are left out.
    """
    hosts = []
    try:
        names = sorted(os.scandir(os.path.join(state_folder(), ORIGINS)), key=lambda one: -one.stat().st_mtime)
    except OSError:
        return []
    for name in names[:_MOST_SESSIONS]:
        number, _, start = _optional(name.path).partition(" ")
        if number.isdigit() and start.strip().isdigit() and start_of(int(number)) == int(start) > 0:
            hosts.append((int(number), int(start)))
    return hosts


def start_of(number: int) -> int:
    """Return when a process started, in ticks since the boot; 0 if that cannot be known."""
    fields = _optional(f"/proc/{number}/stat").rpartition(")")[2].split()
    return int(fields[19]) if len(fields) > 19 and fields[19].isdigit() else 0


def _suspicion(process: Process) -> str:
    names = names_of(process)
    for name in sorted(names & PROGRAMS):
        return f"`{name}` is an agent"
    for name in sorted(names & EDITORS):
        return f"agents can type into the terminals of `{name}`"
    for variable in sorted(process.variables):
        if is_agents(variable):
            return f"an agent set {variable} for a process"
    return ""


def names_of(process: Process) -> set[str]:
    """Return what a process could be called: its program, its script, the packages and hidden folders that these lie
    in.
    """
    names = set()
    for word in process.words:
        path = PurePosixPath(word.casefold())
        names |= {path.name, path.stem}
        names |= {part for part in path.parts if part.startswith(".")}
        for place, part in enumerate(path.parts[:-1]):
            if part in _PACKAGES:
                names.update(path.parts[place + 1 : place + 3])  # `@scope/name`, or `name`
    return names


def seen(number: int) -> Process | None:
    """Return the process of that number, or None if it cannot be seen."""
    if not os.path.exists("/proc/self/stat"):
        return _listed(number)
    try:
        status = _text(f"/proc/{number}/stat")
    except OSError:
        return None
    name, _, rest = status.partition("(")[2].rpartition(")")
    words = [name, *_started(_optional(f"/proc/{number}/cmdline").split("\0"))]
    try:
        words.append(os.readlink(f"/proc/{number}/exe").removesuffix(" (deleted)"))
    except OSError:
        pass  # another user's; its command line says enough
    variables = frozenset(entry.partition("=")[0] for entry in _optional(f"/proc/{number}/environ").split("\0"))
    return Process(number, int(rest.split()[1]), tuple(word for word in words if word), variables)


def _listed(number: int) -> Process | None:
    """Return the same from `ps`, on systems without /proc."""
    command = [_PS, "-o", "ppid=,args=", "-p", str(number)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=5, check=False)
        parent, *words = done.stdout.split()
        return Process(number, int(parent), tuple(_started(words)))
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


def _started(words: list[str]) -> list[str]:
    """Of a command line the program, and the script if that is an interpreter."""
    program = PurePosixPath(words[0]).name.lstrip("-") if words else ""
    scripts = [word for word in words[1:_OPTIONS] if word and not word.startswith("-")]
    return [*words[:1], *scripts[:1]] if program.startswith(_INTERPRETERS) else words[:1]


def _optional(path: str) -> str:
    try:
        return _text(path)
    except OSError:
        return ""


def _text(path: str) -> str:
    with open(path, "rb") as file:
        return file.read(_READ).decode("utf-8", "replace")


def answer(question: str) -> str:
    """Return what the person types at the controlling terminal, without blanks around it. Raises ConfigurationError."""
    try:
        with open("/dev/tty", "r+b", buffering=0) as terminal:
            termios.tcflush(terminal, termios.TCIFLUSH)  # what was there before the question is no answer to it
            terminal.write(question.encode("utf-8", "backslashreplace"))
            return terminal.readline(200).decode("utf-8", "replace").strip()
    except (OSError, termios.error) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ConfigurationError(f"the terminal cannot be asked: {reason}") from None
