"""Shell lines as agents write them → µs to know what they run, beside parsers that are asked for a tree only.

Each line has the names of the programs that it starts: if ours misses one, the run ends. A peer that cannot read a
line, or is not installed, has no figure there. All contestants take turns on one line, in ROUNDS rounds of CALLS calls
each, and a line's figure is the median of its rounds.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.shell.dialects import parse_script
from policy_engine.shell.parse import parse

ROUNDS, CALLS = 15, 30
OURS = "policy-engine"
WORLD = Virtual("/workspace", "/home/user")
Reader = Callable[[str], object]
_MARKS = frozenset("|;<>$`\"'*?()[]{}\n")

LINES: tuple[tuple[str, str], ...] = (
    ("git status", "git"),
    ("git diff --stat HEAD~1", "git"),
    ("git log --oneline -20", "git"),
    ("git add -A && git commit -m 'Fix the parser'", "git git"),
    ("pytest -q", "pytest"),
    ("python -m pytest tests/unit/test_parser.py -x -q", "python"),
    ("cd frontend && npm test", "cd npm"),
    ("npm run build", "npm"),
    ("npm install --save-dev typescript", "npm"),
    ("cargo test --all-features", "cargo"),
    ("go test ./internal/...", "go"),
    ("ls -la src/", "ls"),
    ("cat src/main.py", "cat"),
    ("mkdir -p build/out", "mkdir"),
    ("rm -rf build", "rm"),
    ("sed -n 1,80p src/main.py", "sed"),
    ('grep -rn "def parse" src/', "grep"),
    ('rg "TODO|FIXME" src -l', "rg"),
    ("git diff | head -50", "git head"),
    ("pytest -q 2>&1 | tail -30", "pytest tail"),
    ("grep -rn 'import os' --include='*.py' . | wc -l", "grep wc"),
    ("find . -name '*.py' -not -path './node_modules/*' | xargs grep -l async | sort | head -20",
     "find xargs grep sort head"),
    ("ps aux | grep node | awk '{print $2}'", "ps grep awk"),
    ("for f in src/*.py; do wc -l \"$f\"; done", "wc"),
    ("if [ -f package.json ]; then npm test; else echo none; fi", "[ npm echo"),
    ("cat > src/new.py <<'EOF'\nimport os\n\n\ndef main() -> None:\n    print(os.getcwd())\nEOF", "cat"),
    ("git commit -m \"$(cat <<'EOF'\nAdd the cache\n\nIt keeps what was read.\nEOF\n)\"", "cat git"),
    ("export NODE_ENV=test && npx jest --runInBand src/cache.test.ts", "export npx jest"),
    ("curl -s localhost:8080/health || echo down", "curl echo"),
    ("cd /tmp/x && tar xzf a.tgz && cd a && ./configure --prefix=\"$HOME/.local\" && make -j4 && make install",
     "cd tar cd configure make make"),
)  # fmt: skip


class Missed(RuntimeError):
    """A program that a line starts was not found."""


@dataclass(frozen=True, slots=True)
class Row:
    """A contestant: how many lines it read, its p50 over plain and over other lines in µs (0: it read none), the
    largest, and the median over its lines of its time to shlex's and to ours."""

    name: str
    what: str
    read: int
    plain: float
    other: float
    most: float
    floor: float
    ours: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def _effects(line: str) -> object:
    commands = parse(line, "/workspace", WORLD)
    return [(did.touches, did.opaque or did.effects) for did in map(effects_of, commands)]


def _tree_sitter() -> Reader | None:
    try:
        import tree_sitter
        import tree_sitter_bash
    except ImportError:
        return None
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    return lambda line: parser.parse(line.encode()).root_node


def _bashlex() -> Reader | None:
    try:
        import bashlex  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    read: Reader = bashlex.parse
    return read


def contestants() -> list[tuple[str, str, Reader | None]]:
    """Name, what it is asked for, and how; None if it is not installed."""
    return [
        ("shlex", "words", shlex.split),
        ("tree-sitter-bash", "tree", _tree_sitter()),
        ("bashlex", "tree", _bashlex()),
        (f"{OURS}, parser", "tree", parse_script),
        (OURS, "commands", lambda line: parse(line, "/workspace", WORLD)),
        (f"{OURS}, effects", "commands, paths and effects", _effects),
    ]


def _check() -> None:
    for line, programs in LINES:
        found = sorted(command.name for command in parse(line, "/workspace", WORLD) if command.name != ":")
        missing = [name for name in programs.split() if found.count(name) < programs.split().count(name)]
        if missing:
            raise Missed(f"{missing} of `{line}` was not found, only {found}")


def _time(reader: Reader, line: str, calls: int) -> float | None:
    """µs of a call; None if it cannot read the line."""
    try:
        reader(line)
    except Exception:  # a peer's own way to say that it cannot
        return None
    start = time.perf_counter_ns()
    for _ in range(calls):
        reader(line)
    return (time.perf_counter_ns() - start) / calls / 1e3


def measure(tell: Callable[[str], None], rounds: int = ROUNDS, calls: int = CALLS) -> list[Row]:
    """A row for each contestant that can run. Raises Missed."""
    _check()
    running = [(name, what, reader) for name, what, reader in contestants() if reader is not None]
    figures: dict[str, dict[str, float]] = {name: {} for name, _, _ in running}
    for line, _ in LINES:
        tell(f"shell: {line.splitlines()[0][:40]}")
        times: dict[str, list[float]] = {name: [] for name, _, _ in running}
        for _ in range(rounds):
            for name, _, reader in running:
                took = _time(reader, line, calls)
                if took is not None:
                    times[name].append(took)
        for name, found in times.items():
            if found:
                figures[name][line] = median(found)
    return [_row(name, what, figures) for name, what, _ in running if figures[name]]


def _row(name: str, what: str, figures: dict[str, dict[str, float]]) -> Row:
    mine, floor, ours = figures[name], figures["shlex"], figures[OURS]
    plain = [took for line, took in mine.items() if _is_plain(line)]
    other = [took for line, took in mine.items() if not _is_plain(line)]
    return Row(
        name, what, len(mine), median(plain or [0.0]), median(other or [0.0]), max(mine.values()),
        median(took / floor[line] for line, took in mine.items() if line in floor),
        median(took / ours[line] for line, took in mine.items()),
    )  # fmt: skip


def _is_plain(line: str) -> bool:
    """Whether no character of the line but those of `&&` means more than itself."""
    return _MARKS.isdisjoint(line)
