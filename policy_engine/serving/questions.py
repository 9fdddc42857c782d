"""Ask the command line, in a process of its own, what the page cannot know: why, coverage, and what a change would do.

The process of the page also passes on what hooks ask; so whatever takes long is done in another, which is less urgent
and ends in time. None of these commands runs anything that a policy, a recording or a text of the page names.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from policy_engine.hook_process.approval import ID_CHARS
from policy_engine.hook_process.approval import waiting as requests

SECONDS = 60.0  # for one command
FILES, FILE_BYTES = 200, 1 << 20  # policy files of a folder that are shown, and the bytes of one
HITS = 25  # events of a change that are shown
_RECORDING = "sessions.jsonl"
_PROGRAM = (
    "import json, os, sys; os.nice(10); sys.path[:] = json.loads(sys.argv.pop(1));"
    "from policy_engine.cli import main; sys.exit(main())"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The JSON of a command's output, or why there is none."""

    value: Any
    error: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of a change: on recorded sessions (`replay`), and as far as it can be decided (`diff`)."""

    replay: Answer
    diff: Answer


def derivation_of(number: str) -> Answer:
    """Return the derivation of the decision with this number of the log, as `policy why` gives it."""
    return _asked("why", f"#{number}", "--format", "json")


def coverage_of(folder: str, lines: Iterable[bytes]) -> Answer:
    """Return what records of the log show of the rules in a folder, as `policy replay --coverage` gives it."""
    with TemporaryDirectory() as place:
        return _asked("replay", "-p", folder, "--coverage", "--format", "json", _recorded(place, lines))


def tried(folder: str, file: str, text: str, lines: Iterable[bytes]) -> Change:
    """Return what comes of a folder's policies if one of its files had another text.

    Args:
        folder: of the policies in force.
        file: its name in the folder, one of `sources`.
        text: what it would hold.
        lines: records of the log, decided by both.
    """
    with TemporaryDirectory() as place:
        changed = Path(place, "policies")
        for name, known in {**sources(folder), file: text}.items():
            (changed / name).parent.mkdir(parents=True, exist_ok=True)
            (changed / name).write_text(known, "utf-8")
        recording = _recorded(place, lines)
        replay = _asked("replay", "-p", str(changed), "--against", folder, "--format", "json", recording)
        diff = _asked("diff", folder, str(changed), "--format", "json") if not replay.error else replay
        return Change(_named(replay, f"{changed}", folder), _named(diff, f"{changed}", folder))


def sources(folder: str) -> dict[str, str]:
    """Return the policy files of a folder that can be read, by their names in it; links are left out."""
    found: dict[str, str] = {}
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(parent, name)
            if len(found) < FILES and name.endswith(".policy") and not path.is_symlink():
                try:
                    if path.stat().st_size <= FILE_BYTES:
                        found[str(path.relative_to(folder))] = path.read_text("utf-8")
                except (OSError, ValueError):
                    continue
    return found


def waiting() -> list[dict[str, Any]]:
    """Return the calls that wait for a person's word, the latest first."""
    try:
        kept = requests()
    except OSError:
        return []
    now = time.time_ns() // 1_000_000
    return [
        {"name": name, "id": name[:ID_CHARS], "seconds": max(now - one["at"], 0) // 1000, **one}
        for name, one in reversed(kept.items())
    ]


def _recorded(place: str, lines: Iterable[bytes]) -> str:
    path = Path(place, _RECORDING)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return str(path)


def _named(answer: Answer, place: str, folder: str) -> Answer:
    """Return an answer in which the folder of the policies in force stands for the one that was made for it."""
    text = json.dumps(answer.value, ensure_ascii=False).replace(place, folder)
    return Answer(json.loads(text), answer.error.replace(place, folder))


def _asked(*arguments: str) -> Answer:
    command = [sys.executable, "-I", "-S", "-c", _PROGRAM, json.dumps(sys.path), *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=SECONDS, cwd="/", check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return Answer(None, f"there was no answer within {SECONDS:.0f} s")
    except OSError as error:
        return Answer(None, f"it cannot be asked: {(error.strerror or '').lower()}")
    try:
        return Answer(json.loads(done.stdout))
    except ValueError:
        return Answer(None, done.stderr.decode("utf-8", "replace").strip() or f"it ended with {done.returncode}")
