"""Many hook processes at once on one session → what each answered and how long it took; a limit counts their calls.

python -m tests.faults.crowd 100
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.end_to_end.host import COMMAND, Done, Host

POLICY = """\
language 1

limit calls "So many calls and no more" {{
  on before_tool(shell)
  counts tool.kind == "shell"
  at {most} deny "That is enough."

  test {{ shell "ls" => allow }}
}}
"""


HOOK = (*COMMAND, "claude-code")


@dataclass(frozen=True, slots=True)
class Answered:
    """One process: what it said, and the seconds from its start to its end."""

    done: Done
    seconds: float


def counting(host: Host, most: int) -> None:
    """A policy that denies call number `most`, compiled, in a store that exists; no call is counted so far."""
    host.write_policy(POLICY.format(most=most))
    while True:
        assert host.call(host.shell("ls", session_id="another")).verdict == "allow"
        if (host.cache / "bundle").exists():
            return


def crowd(
    host: Host, number: int, session: str = "s-1", command: tuple[str, ...] = HOOK, own: bool = False
) -> list[Answered]:
    """So many calls of one session at once, or each in its `own`, in the order of their ends."""
    folder = host.home / "crowd"
    folder.mkdir(exist_ok=True)
    started: dict[int, tuple[float, Path]] = {}
    answered = []
    for index in range(number):
        given, out, err = (folder / f"{session}-{index}.{kind}" for kind in ("in", "out", "err"))
        name = f"{session}-{index}" if own else session
        given.write_text(json.dumps(host.shell(f"ls {index}", session_id=name)))
        files = [
            (os.POSIX_SPAWN_OPEN, 0, given, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, out, os.O_WRONLY | os.O_CREAT, 0o600),
            (os.POSIX_SPAWN_OPEN, 2, err, os.O_WRONLY | os.O_CREAT, 0o600),
        ]
        begun = time.monotonic()
        process = os.posix_spawn(command[0], command, host.environment, file_actions=files)
        started[process] = begun, folder / f"{session}-{index}"
    while started:
        process, status = os.waitpid(-1, 0)
        if process not in started:  # another test's, in this process
            continue
        begun, name = started.pop(process)
        seconds = time.monotonic() - begun
        out, err = name.with_suffix(".out").read_bytes(), name.with_suffix(".err").read_text()
        answered.append(Answered(Done(os.waitstatus_to_exitcode(status), out, err), seconds))
    return answered


def main(number: int) -> None:
    """Print what came of it."""
    with TemporaryDirectory() as folder:
        host = Host(Path(folder).resolve())
        counting(host, number + 1)
        found = crowd(host, number)
        last = host.call(host.shell("ls"))
    seconds = sorted(one.seconds for one in found)
    said = Counter(one.done.err.partition("policy:")[2][:120] or one.done.err[:120] for one in found)
    lines = [
        f"verdicts {dict(Counter(one.done.verdict for one in found))}, call {number + 1}: {last.verdict}",
        f"p50 {seconds[number // 2]:.2f} s, p99 {seconds[number * 99 // 100]:.2f} s, longest {seconds[-1]:.2f} s",
        *(f"{count:4}  {text!r}" for text, count in said.most_common(5)),
        last.err[:200],
    ]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
