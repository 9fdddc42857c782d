"""`History`: answer the history forms of rules about a session's past, in constant time each.

Order of use: `begin(event, filesystem)`, `observe(facts)` (recorder.py), then the questions, by number of a monitor
(see monitors.py for specs) or by exact path or command. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.history import tables, tested, windows
from policy_engine.history.marks import NEVER, either, every, happened, later
from policy_engine.history.monitors import EVENT, RECORD, SURE, TESTS, atom_mark
from policy_engine.history.record import Record
from policy_engine.history.recorder import Recorder
from policy_engine.history.suite import NAMESPACE
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.state.private_key import keyed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from policy_engine.history.marks import Mark
    from policy_engine.model.undecided import _Absent
    from policy_engine.shell.command import SimpleCommand


class KeptCommand(str):
    """A command of which only what may be shown was kept, and the digests of what it runs."""

    __slots__ = ("keys",)

    keys: list[tuple[str, str]] | None


def kept_command(kept: Any) -> str:
    """Return the command of which this was kept (`History.keep_command`)."""
    if type(kept) is not dict:
        return str(kept)
    command = KeptCommand(kept["shown"])
    command.keys = kept["keys"]
    return command


class History(Recorder):
    """The past of one session."""

    __slots__ = ()

    def doubt(self) -> str:
        """Return why something that happened before is in doubt."""
        state, rooms = self.state, self.state["rooms"]
        if (
            state["joining"]
            or not {tables.MISSED, tables.UNSETTLED}.isdisjoint(rooms)
            or "lost" in rooms.get("said", {})
        ):
            why = "events of this session are missing; `policy doctor` tells whether the hook is asked"
        elif any((*state["tables"]["path_floor"], state["tables"]["command_floor"])):
            why = "events were lost, or so much ran in this session that not all of it is kept"
        else:
            why = "a call could not be read, or ran without the engine being asked"
        return f"what happened before is not known: {why}"

    # ---- questions by number -------------------------------------------------------------------------------------

    def at(self, number: int, standing: bool = True) -> Mark:
        """Return when the monitor's atoms last happened; `standing` for conditions and left of `since`
        (marks.standing).
        """
        spec, state = self.specs[number], self.state
        if spec[0] not in state["monitors"] and state["joined"] is None and not state["joining"]:
            return NEVER
        atoms = zip(spec[2], self.state_of(number), strict=True)
        return either([atom_mark(atom, own, standing) for atom, own in atoms])

    def seen(self, number: int) -> bool:
        """At least once in this session."""
        return happened(self.at(number), self.doubt)

    def since(self, left: int, right: int) -> bool:
        """Evaluate `A since B`."""
        return later(self.at(left), self.at(right, False), self.doubt)

    def later(self, lefts: Iterable[Mark], rights: Iterable[Mark]) -> bool:
        """Evaluate `A or B since C or D` from marks of `at`, `path_at` and `command_at` (`standing=False` on the
        right).
        """
        return later(either(lefts), either(rights), self.doubt)

    def happened(self, marks: Iterable[Mark]) -> bool:
        """Evaluate `A or B` from marks."""
        return happened(either(marks), self.doubt)

    def now(self, number: int) -> bool:
        """Return whether the event at hand proved one of the atoms. Raises Undecided if it may have."""
        happened = self._happened.get(number)
        if happened is False:
            raise Undecided(self.doubt())
        return happened is True

    def count(self, number: int) -> int:
        """Return how many events made it happen, within its window and since its reset."""
        least, greatest = self.count_range(number)
        if least != greatest:
            raise Undecided(self.doubt())
        return least

    def count_range(self, number: int) -> tuple[int, int | None]:
        """Return the least and the greatest that the count can be; None: no bound."""
        within, rounds, _ = self.specs[number][3]
        return windows.bounds(self.state_of(number), within, rounds, *self.moment())

    def last(self, number: int) -> Record | _Absent:
        """Return the record of the latest ("last" monitors only); ABSENT if it never happened."""
        states = self.state_of(number)
        sure, possible = self.at(number, False)
        if possible > sure:
            raise Undecided(self.doubt())
        if not sure:
            return ABSENT
        latest = next(own for own in reversed(states) if own[SURE] == sure)
        if latest[RECORD] is None:
            raise Undecided("the record is from before the policy was loaded")
        return Record(latest[RECORD], latest[EVENT])

    def evidence(self, number: int) -> str:
        """Return the id of the event that proved it last; "" if none did or it is not known."""
        states = self.state_of(number)
        if self.specs[number][1] == "count":
            return str(states[windows.EVENT])
        latest = max(states, key=lambda own: own[SURE])
        return str(latest[EVENT])

    def missed(self, number: int, after: int = -1, advised: bool = False) -> str:
        """Return what a refusal says of the runs of tests that were seen and do not count for the atoms of the
        monitor; of those later than the latest of the monitor `after`, if one is given. `advised`: it says already what
        to run. Never raises.
        """
        asked = [pattern for kind, pattern, _ in self.specs[number][2] if kind == TESTS]
        since = 0 if after < 0 else max(self.at(after, False))
        return tested.missed(self.namespace(NAMESPACE), asked, since, advised)

    def unproven_run(self) -> str:
        """Return what is to be said, once, of the run of tests of the event at hand; "" for nothing."""
        return str(self.state["rooms"].get(NAMESPACE, {}).get("now", ""))

    def changed(self, number: int) -> tuple[PathValue, ...]:
        """Return the paths under the glob that were written in this session and exist now, sorted."""
        return tables.written(self.state["tables"], self.specs[number][3][0], self.known_filesystem)

    def keep_command(self, text: str) -> dict[str, Any] | str:
        """Return what is kept of a command that is asked for later; the command itself if it shows no secret."""
        from policy_engine.shell.parse import parse

        shown = self.shown(text)
        if shown == text:
            return text
        try:
            keys = self._keys_of(parse(text, self.known_filesystem.workspace, self.known_filesystem))
            return {"shown": shown, "keys": keys}
        except Undecided:
            return {"shown": shown, "keys": [("", "")]}  # it can never have run

    # ---- questions by exact path or command ----------------------------------------------------------------------

    def path_at(self, kind: str, path: PathValue | str) -> Mark:
        """Return when one path was last wrote, read or deleted; text is relative to the workspace."""
        if isinstance(path, str):
            path = self.known_filesystem.resolve(path, self.known_filesystem.workspace)
        return tables.path_mark(self.state["tables"], kind, path.real)

    def command_at(self, kind: str, text: str, standing: bool = True) -> Mark:
        """Return when an exact command line last ran (command_success: succeeded, command_failure: failed) from the
        root.

        Of a line of several commands each counts, but `cd`. Raises Undecided if the line is not understood.
        """
        from policy_engine.shell.parse import parse

        filesystem = self.known_filesystem
        if isinstance(text, KeptCommand):
            return self._line_at(kind, text.keys, standing)
        commands = parse(text, filesystem.workspace, filesystem)
        return self._line_at(kind, self._keys_of(commands), standing)

    def _keys_of(self, commands: Iterable[SimpleCommand]) -> list[tuple[str, str]] | None:
        """Digest and program of each command that must have run; None if one runs outside. Raises Undecided."""
        keys = []
        for command in commands:
            if command.via or command.name == "cd":
                continue
            key = tables.command_key(command, self.known_filesystem)
            if key is None:
                return None
            keys.append((keyed(self.key, key), key.split("\0")[1]))
        return keys

    def _line_at(self, kind: str, keys: Iterable[tuple[str, str]] | None, standing: bool) -> Mark:
        if keys is None:
            return NEVER
        known = self.state["tables"]
        return every(tables.command_mark(known, kind, key, program, standing) for key, program in keys)
