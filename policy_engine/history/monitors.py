"""Advance monitors by the facts of one event; each state has a constant size.

A spec is `(key, form, atoms, extra)`, plain values that can be marshalled:

- `key`: a text that names the monitor across reloads (a digest of form, atoms and extra): its state is found by it.
- `form`: "latest" (extra `()`), "last" (as latest, and it keeps the record; extra: those of TEXTS
  that rules ask for), "count" (extra
  `(within_ms, rounds, reset_atoms)`, 0 and () for none) or "changed" (atoms `()`, extra `(glob_pattern,)`).
- `atoms`: one or more of `(kind, pattern, value)`; together they are `A or B`. `pattern` is a glob pattern (wrote,
  read, deleted), a command pattern (ran, command_success, command_failure), a text (called: tool name or kind;
  tool_fact, refused, verified: the name) or None (prompted); `value` is `(constant,)` for a tool_fact that must equal
  it, `(kind,)` for a called tool kind, else `()`. Of tests_passed the pattern is `(ecosystem, folder, strict)`.

The state of an atom is `[sure, possible, cancel, event, record]`: sequence numbers (history/marks.py), the id of the
event that proved it, and `None` or `(path_text, path_real, command, time, exit_code, text)`. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.globs import literal_prefix
from policy_engine.filesystem.paths import PathValue
from policy_engine.history.facts import BLOCKED
from policy_engine.history.marks import standing
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.patterns import command_matches
from policy_engine.shell.prefilter import may_match, may_run, prefilter
from policy_engine.test_runs.counting import counts_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.facts import Fact
    from policy_engine.history.marks import Mark

    AtomSpec = tuple[str, Any, tuple[Any, ...]]
    MonitorSpec = tuple[str, str, tuple[AtomSpec, ...], tuple[Any, ...]]
    Place = tuple[int, int]  # number of the monitor, number of the atom (resets of a count go on counting)

SURE, POSSIBLE, CANCEL, EVENT, RECORD = range(5)
PATH_KINDS = ("wrote", "read", "deleted")
TESTS = "tests_passed"
STANDING = ("command_success", TESTS)  # what a later run that failed takes back
TEXTS = ("command", "text")  # fields of a record that hold text
COMMAND_KINDS = ("ran", "command_success", "command_failure")
YES, MAYBE, CANCELS = 1, 2, 3  # 0: nothing
FOLLOWED = "followed"
"""The entry beside the monitors' states with the keys of those that were there from the session's beginning."""


def followed(specs: Iterable[MonitorSpec]) -> str:
    """Return the keys of these monitors as one text, to be kept: of what never happened there is no other trace."""
    return f" {' '.join(spec[0] for spec in specs)} "


def is_followed(key: str, monitors: Any) -> bool:
    """Return whether the monitor with this key was there from the session's beginning."""
    return f" {key} " in monitors.get(FOLLOWED, "")


def all_atoms(spec: MonitorSpec) -> tuple[AtomSpec, ...]:
    """Return the atoms of a spec, and after them the reset atoms of a count."""
    return spec[2] + spec[3][2] if spec[1] == "count" else spec[2]


def monitor_index(specs: tuple[MonitorSpec, ...]) -> dict[str, dict[str, list[Place]]]:
    """Index the atoms that a fact could concern: fact kind -> literal folder, program or name -> places. It can be
    marshalled.
    """
    index: dict[str, dict[str, list[Place]]] = {}
    for number, spec in enumerate(specs):
        for place, (kind, pattern, _) in enumerate(all_atoms(spec)):
            for group, word in _words(kind, pattern):
                index.setdefault(group, {}).setdefault(word, []).append((number, place))
    return index


def _words(kind: str, pattern: Any) -> set[tuple[str, str]]:
    if kind in PATH_KINDS:
        return {(kind, literal_prefix(text)) for text in pattern[0]}
    if kind in COMMAND_KINDS:
        return {("command", _program(tokens[0])) for tokens in pattern[0]}
    if kind == TESTS:
        return {("tests", "")}
    return {(kind, "" if pattern is None else pattern)}


def _program(token: str) -> str:
    """Return the base name that a command must have for this first token, "" if any will do."""
    name = token.rpartition("/")[2]
    return "" if "*" in name or token == "..." else name


def candidates(index: dict[str, dict[str, list[Place]]], fact: Fact, filesystem: FileSystem) -> list[Place]:
    """Return the atoms that the fact could concern, each once."""
    kind = fact.kind
    table = index.get(kind)
    if not table:
        return []
    words: list[str] = [""]
    if kind == "command":
        if fact.command is None:
            plain = prefilter(fact.name)
            words += [name for name in table if name and may_run(name, plain)]
        elif is_known(fact.command.name):
            words.append(fact.command.name)
        else:
            words += [name for name in table if name]
    elif kind in PATH_KINDS:
        words = _folders(fact, filesystem) or list(table)
    elif kind == "called":
        words = [fact.name, str(fact.value)]
    elif kind not in ("prompted", "tests"):
        words = [fact.name]
    return list(dict.fromkeys(place for word in words for place in table.get(word, ())))


def _folders(fact: Fact, filesystem: FileSystem) -> list[str]:
    """Return every literal folder that could hold the path; none if all must be asked."""
    path = fact.path
    if path is None or path.recursive or filesystem.folds_case:
        return []
    try:
        relative = filesystem.relative(path)
    except Undecided:
        return []
    words = ["", "/"]
    for text in (path.real, relative):
        while text:
            words.append(text)
            text = text.rpartition("/")[0]
    return words


def verdict(atom: AtomSpec, fact: Fact, filesystem: FileSystem) -> int:
    """Return what a fact of the right name means for an atom: nothing (0), YES, MAYBE, or CANCELS an earlier
    success.
    """
    kind, pattern, value = atom
    if kind in COMMAND_KINDS:
        return _command_verdict(kind, pattern, fact, filesystem)
    if kind == TESTS:
        return {"passed": YES, "failed": CANCELS}.get(counts_for(fact.value, *pattern), 0)
    sure = YES if fact.sure else MAYBE
    if kind in PATH_KINDS:
        if fact.path is None:
            return MAYBE
        try:
            return sure if _touches(pattern, fact, fact.path, filesystem) else 0
        except Undecided:
            return MAYBE
    if value:
        return sure if _same(value[0], fact.value) else 0
    return sure if pattern is None or pattern == fact.name else 0


def _touches(pattern: Any, fact: Fact, path: PathValue, filesystem: FileSystem) -> bool:
    """Return whether a fact is about a path of a glob: of a folder that is read whole, one of the files that are there.

    Raises Undecided.
    """
    if not filesystem.may_match(pattern, path):
        return False
    if fact.kind != "read" or not path.recursive or filesystem.covers(pattern, path):
        return True
    return any(filesystem.may_match(pattern, PathValue(real, real)) for real in fact.files_below(filesystem))


def _same(left: Any, right: Any) -> bool:
    """Equality of JSON values without Python's `True == 1`."""
    return bool(left == right) and isinstance(left, bool) is isinstance(right, bool)


def _command_verdict(kind: str, pattern: Any, fact: Fact, filesystem: FileSystem) -> int:
    if fact.outcome == BLOCKED:
        return 0
    if fact.command is None:
        if not may_match(pattern[0], prefilter(fact.name)):
            return 0
        return MAYBE if fact.outcome != "pending" or kind == "command_success" else 0
    meaning = _meaning(kind, fact.outcome)
    if not meaning:
        return 0
    try:
        return meaning if command_matches(pattern, fact.command, filesystem, True) else 0
    except Undecided:
        return MAYBE


def _meaning(kind: str, outcome: str) -> int:
    """Return the meaning of a matching run: `ran` needs a run, a success or failure its proof; any other run cancels a
    success.
    """
    if kind == "ran":
        return 0 if outcome == "pending" else YES
    if kind == "command_failure":
        return YES if outcome == "failure" else 0
    return YES if outcome == "success" else CANCELS


def fresh() -> list[Any]:
    """Return the state of an atom that never happened."""
    return [0, 0, 0, "", None]


def enter(state: list[Any], meaning: int, sequence: int, event: str, record: tuple[Any, ...] | None) -> None:
    """Enter one fact into the state of one atom, with what is kept of it, if anything is."""
    if meaning == YES:
        if sequence > state[CANCEL]:
            state[CANCEL] = 0
        if sequence < state[SURE]:
            return  # true of a moment before another of its kind
        state[SURE], state[EVENT] = sequence, event
        if record is not None:
            state[RECORD] = record
    elif meaning == MAYBE:
        state[POSSIBLE] = sequence
    elif meaning == CANCELS:
        state[CANCEL] = sequence


def record_of(fact: Fact, fields: tuple[Any, ...], shown: Callable[[str], str]) -> tuple[Any, ...]:
    """Return what `last` keeps of a fact: of its texts only those that the rules name (`fields`), as they may be
    shown.
    """
    path = fact.path
    text, real = ("", "") if path is None else (path.text, path.real)
    line = None
    if fact.kind in ("command", "tests"):
        line = shown(fact.name) if TEXTS[0] in fields else ""
    return text, real, line, fact.time, fact.exit_code, shown(fact.text) if TEXTS[1] in fields else ""


def atom_mark(atom: AtomSpec, state: list[Any], standing_only: bool) -> Mark:
    """Return when an atom last happened; with `standing_only` a cancelled success is none (conditions, left of
    `since`).
    """
    sure, possible, cancel = state[SURE], state[POSSIBLE], state[CANCEL]
    if standing_only and atom[0] in STANDING:
        return standing(sure, cancel, possible)
    return sure, possible if possible > sure else 0
