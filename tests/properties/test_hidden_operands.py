"""A path that a line names stays a path, known or not, if the word that names it is not known.

Of each line of `tests/cases/programs` each word that names a file is hidden in turn; of each way in which a path is
touched there are as many as before, or it is not known how many.
"""

from __future__ import annotations

from pathlib import Path

from policy_engine.effects.command import effects_of
from policy_engine.filesystem.file_system import Virtual
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse
from policy_engine.testing.spellings import spellings

FOLDER = Path(__file__).resolve().parents[1] / "cases" / "programs"
LISTS = ("reads", "writes", "contents", "searched", "runs")
ENDLESS = float("inf")
OPEN = frozenset(('git diff "$UNKNOWN"', 'git show --output=../f "$UNKNOWN"'))
"""Lines of which the hidden word is a revision, as in `git diff "$BASE"`: a file that is not known stands behind `--`.
"""


def _paths(line: str) -> dict[str, tuple[float, set[str]]]:
    """How many paths each list has, without end where one stands for several, and the texts of them."""
    found: dict[str, tuple[float, set[str]]] = {}
    commands = parse(line, "/workspace", Virtual())
    for name in LISTS:
        try:
            paths = [path for command in commands for path in getattr(effects_of(command), name)]
        except Undecided:
            found[name] = (ENDLESS, set())
            continue
        several = any(path.number in ("some", "any") for path in paths)
        found[name] = (ENDLESS if several else len(paths), {path.text for path in paths})
    return found


def _lost(line: str) -> list[str]:
    """The spellings of a line with a word that names a path hidden of which a list loses a path by that."""
    try:
        before = _paths(line)
    except Undecided:
        return []
    lost: list[str] = []
    if not any(texts for _, texts in before.values()):
        return lost
    for spelling in spellings(line, Virtual("/workspace")):
        word = spelling.name.partition("`")[2].rstrip("`").strip("'\"")
        named = [name for name, (number, texts) in before.items() if word in texts and number < ENDLESS]
        if spelling.hides and named:
            after = _paths(spelling.line)
            if any(after[name][0] < before[name][0] for name in named):
                lost.append(spelling.line)
    return lost


def test_a_hidden_operand_stays_a_path() -> None:
    tried = 0
    lost: set[str] = set()
    for file in sorted(FOLDER.glob("*.case")):
        lines = [line[2:] for line in file.read_text().splitlines() if line.startswith("$ ")]
        tried += len(lines)
        lost.update(one for line in lines for one in _lost(line))
    assert tried > 1500
    assert lost == OPEN
