"""Tell which sources a line wrote before the tests that it ran: `ruff format . && pytest` tests what was formatted.

Within one event writes are later than all else, since nobody saw the order. They are earlier where a command before the
run may have written, none behind it may, and the times of the files say that the tests had not begun: the runner shows
how long they took, and the event came when they were over. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.evidence import PASSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.history.facts import Fact
    from policy_engine.model.event import Event
    from policy_engine.shell.command import SimpleCommand
    from policy_engine.test_runs.evidence import Proof

_STILL = frozenset("cd pushd popd export set unset true : exit test [ [[ wait echo printf tail head grep egrep cat "
                   "nproc command time date ls pwd which sleep".split())  # fmt: skip
"""Programs that leave files alone, but for what they are redirected to."""
_AFTERWARDS = frozenset(("trap", "coproc", "at", "batch", "watch", "nohup", "setsid", "disown"))
"""Programs after whose end something goes on."""
_UNITS = (("ms", 1), ("seconds", 1_000), ("secs", 1_000), ("sec", 1_000), ("s", 1_000), ("min", 60_000), ("m", 60_000))
_PRINTING = ("print", "std", "sys", "process", "exec", "eval", "getattr", "__", "logging", "warn", "/dev", "raise",
             "exit", "Exit", "spawn", "fork")  # fmt: skip
"""Parts of Python code that prints, or starts what does."""
_LAST = 4_000  # characters of a result, at its end
_STARTS_MS = 300
"""What a runner needs to start: longer than it needs to end behind its summary, and the host to report that. One that
starts faster is run once more."""
_NS = 1_000_000  # in a millisecond


def order_writes(found: Sequence[Fact], facts: Sequence[Fact], event: Event, filesystem: FileSystem) -> None:
    """Mark what was written before the runs of tests among the facts of an event; `found` are those of a comparison."""
    proofs = [fact.value for fact in facts if fact.kind == "tests"]
    if not proofs or event.time is None or not all(proof.outcome == PASSED for proof in proofs):
        return
    written = [fact for fact in (*found, *facts) if fact.late and fact.path is not None]
    if not written or not all(_comes_last(*proof.stands) for proof in proofs):
        return
    text = (event.result or {}).get("text")
    took = _took(text) if type(text) is str and all(map(_shows_end, proofs)) else None
    if took is None:
        return
    begun = (event.time - took - _STARTS_MS) * _NS
    for fact in written:
        times = filesystem.times(fact.path)  # type: ignore[arg-type]
        fact.early = times is None or times[1] <= begun


def _comes_last(commands: Sequence[SimpleCommand], number: int) -> bool:
    """Return whether something before a run may write, and nothing behind it or beside it."""
    for place, command in enumerate(commands):
        try:
            if command.background or command.in_function or command.name in _AFTERWARDS:
                return False
        except Undecided:
            return False
        if place > number and not command.via and not _is_still(command):
            return False
    return any(not _is_still(command) for command in commands[:number])


def _shows_end(proof: Proof) -> bool:
    """Return whether the summary in a result, with how long the tests took, is that of the run."""
    if proof.counted or not proof.status:
        return bool(proof.counted)
    from policy_engine.test_runs.evidence import hidden_text

    commands, number = proof.stands
    others = [one for one in commands if one is commands[number] or not _edits_silently(one)]
    place = next(at for at, one in enumerate(others) if one is commands[number])
    return not hidden_text(place, others, [proof.run if at == place else None for at in range(len(others))])


def _edits_silently(command: SimpleCommand) -> bool:
    """Return whether a command is Python code on the line that prints nothing and starts nothing."""
    try:
        code = command.feed if command.argv[1:] in ((), ("-",)) else command.argv[2] if len(command.argv) == 3 else None
        inline = command.argv[1:2] in ((), ("-",), ("-c",)) and code is not None and is_known(code)
    except Undecided:
        return False
    name = command.name.rstrip("0123456789.")
    return inline and name == "python" and not any(word in code for word in _PRINTING)  # type: ignore[operator]


def _is_still(command: SimpleCommand) -> bool:
    """Return whether a command certainly leaves the files of the workspace alone."""
    from policy_engine.effects.command import effects_of
    from policy_engine.test_runs.other_output import runs_no_hooks

    try:
        effects = effects_of(command)
        if command.name == "git" and command.argv[1:2] in (("add",), ("commit",), ("push",)):
            return runs_no_hooks(command)
        if any(path.access != "read" for path in effects.touches):
            return False
        return command.name in _STILL or effects.read_only
    except Undecided:
        return False


def _took(text: str) -> int | None:
    """Return the longest time that a result shows at its end, in ms; None if it shows none."""
    longest: int | None = None
    words = text[-_LAST:].replace("(", " ").replace(")", " ").replace(",", " ").replace(";", " ").split()
    for word, following in zip(words, [*words[1:], ""], strict=True):
        for unit, factor in _UNITS:
            number = word.removesuffix(unit) if word.endswith(unit) else word if following == unit else ""
            if number.replace(".", "", 1).isdecimal():
                longest = max(longest or 0, int(float(number) * factor))
                break
    for name, _, rest in (line.strip("# ℹ").partition(" ") for line in text[-_LAST:].splitlines()):
        if name in ("duration_ms", "duration_ms:") and rest.strip().replace(".", "", 1).isdecimal():
            longest = max(longest or 0, int(float(rest)))
    return longest
