"""Replay the finishes of recorded sessions under what `policy init` writes: `python -m tools.finishes SESSIONS PLACES`.

SESSIONS holds canonical events, `HOST/REPOSITORY__ID.jsonl`; PLACES a folder for each REPOSITORY (or
REPOSITORY__ID, for a session of another time) with what tells how it is tested. Prints one row of a table for each
finish: the session, what was said, what its turn wrote and ran after, the verdict. `--count PAGE` computes precision
and recall of the rows of a page that a person judged. Recordings and what is in them stay where they are.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

CLI = (sys.executable, "-m", "policy_engine")
REFUSED = ("deny", "stop", "ask")
_PATCHED = re.compile(r"\*\*\* (?:Add|Update|Delete) File: ([^\s\\]+)")
_RUNS = re.compile(r"\b(test|tests|pytest|unittest|jest|vitest)\b")
_MOST = 46


def main(arguments: list[str]) -> int:
    """Print the rows, or count those of a page."""
    if arguments[:1] == ["--count"]:
        print(counted(Path(arguments[1]).read_text("utf-8")))
        return 0
    sessions, places = map(Path, arguments)
    print("| session | what was said | what was seen | verdict | right? |\n| --- | --- | --- | --- | --- |")
    for path in sorted(sessions.rglob("*.jsonl")):
        for row in rows(path, places):
            print(f"| {' | '.join(row)} | |")
    return 0


def rows(path: Path, places: Path) -> list[tuple[str, ...]]:
    """One row for each finish of a session: its name, what was said, what was seen, the verdict."""
    repository, _, name = path.stem.partition("__")
    place = places / path.stem
    found, turn, number = [], [], 0
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve()
        text = path.read_text("utf-8")
        root = next(event["workspace"] for event in map(json.loads, text.splitlines()) if event.get("workspace"))
        workspace = home / "work"
        shutil.copytree(place if place.is_dir() else places / repository, workspace)
        events = [_sent(json.loads(line)) for line in text.replace(root, str(workspace)).splitlines()]
        for event, verdict in zip(events, _verdicts(events, workspace, home), strict=True):
            turn = [] if event["hook"] == "prompt" else [*turn, event]
            if event["hook"] == "before_completion":
                number += 1
                said = _short(str(event.get("answer") or "").replace(f"{workspace}/", ""))
                found.append((f"{name[:8]} {number}", said, _seen(turn, str(workspace)), verdict))
    return found


def _sent(event: dict[str, Any]) -> dict[str, Any]:
    """Return the event as the adapter gives it: Codex sends a patch as `command`."""
    arguments = (event.get("tool") or {}).get("args") or {}
    if event.get("tool", {}).get("name") == "apply_patch" and "command" in arguments:
        arguments["patch"] = arguments["command"]
    return event


def _verdicts(events: list[dict[str, Any]], workspace: Path, home: Path) -> list[str]:
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    subprocess.run(["git", "init", "-q", "."], cwd=workspace, env=environment, check=True)
    subprocess.run([*CLI, "init"], cwd=workspace, env=environment, check=True, capture_output=True)
    lines = "".join(json.dumps(event) + "\n" for event in events)
    done = subprocess.run(
        [*CLI, "eval", "--events", "-"], cwd=workspace, env=environment, input=lines, text=True, capture_output=True
    )
    return [json.loads(line)["verdict"] for line in done.stdout.splitlines()]


def _seen(turn: list[dict[str, Any]], workspace: str) -> str:
    """What a turn wrote, and what it ran after its last write that names tests, with the exit status."""
    wrote: list[str] = []
    ran: list[str] = []
    for event in turn:
        tool, arguments = event.get("tool") or {}, (event.get("tool") or {}).get("args") or {}
        if event["hook"] != "after_tool" or (event.get("result") or {}).get("ok") is False:
            continue
        if tool["kind"] in ("edit", "write"):
            named = arguments.get("file_path") or arguments.get("path")
            for path in [named] if named else _PATCHED.findall(str(arguments.get("patch", ""))):
                wrote.append(str(path).removeprefix(workspace + "/").rpartition("/")[2])
                ran = []
        line = str(arguments.get("command") or arguments.get("cmd") or "").replace(workspace, ".")
        if tool["kind"] == "shell" and _RUNS.search(line):
            ran.append(f"`{_short(line)}` {(event.get('result') or {}).get('exit_code', '?')}")
    kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(Path(name).suffix for name in wrote).items())
    return f"wrote {kinds or 'nothing'}" + (f"; then {', '.join(ran[-2:])}" if ran else "")


def _short(text: str) -> str:
    """The beginning of a text as a cell of a table."""
    words = " ".join(text.split()).replace("|", "¦").replace("`", "'")
    return words if len(words) <= _MOST else words[:_MOST] + " …"


def counted(page: str) -> str:
    """Precision and recall of the judged rows: of the refusals how many are right, of what should be refused how much
    was.
    """
    tally: Counter[tuple[bool, bool]] = Counter()
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and cells[4].startswith(("yes", "no")):
            tally[cells[3] in REFUSED, cells[4].startswith("yes")] += 1
    hits, false, missed, passed = tally[True, True], tally[True, False], tally[False, False], tally[False, True]
    return (
        f"{hits + false + missed + passed} finishes: refused {hits + false}, of them right {hits}; missed {missed}; "
        f"precision {_share(hits, hits + false)}, recall {_share(hits, hits + missed)}"
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} % ({part} of {whole})" if whole else "of nothing"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
