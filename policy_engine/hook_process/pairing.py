"""Hold each result against the call that the engine was asked about, and find calls whose result never came.

A result proves something only if the call was proposed, was not refused, had the same input and has not been reported
before: whatever can write a payload can claim that the tests passed (attack class `evidence`). Hosts run the hooks of
one event side by side, and one that answers after us may rewrite the input that we judged (security R22); some do not
report every call before it runs (R9), or do not heed a refusal (R2).

Kept is a file per session, of one short record per call, outside the store: to open that before every call would cost
more than the decision. A record holds digests only: of the call's identity, of its input, and of the words of a shell
line, so that a result that is lost makes no other commands uncertain than the line may have run. Imported by the hook
path.
"""

from __future__ import annotations

from policy_engine.hook_process.planned import note_plan
from policy_engine.model.points import COMPLETIONS
from policy_engine.model.strict_json import write_json
from policy_engine.state.side_files import add, content, digest, forget, path_of, replace, split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.adapters.base import Adapter
    from policy_engine.model.event import Event

FOLDER = "proposals"
# The first byte of a record: a call was proposed, refused, ended, ended without having been proposed, or its end did
# not come and was made good for; a completion that told of unproposed calls; from here on the session has a past.
_PROPOSED, _REFUSED, _ENDED, _UNSEEN, _DOUBTED, _TOLD, _PAST = b"p", b"r", b"e", b"u", b"d", b"t", b"k"
_ASKED, _AGREED = b"a", b"y"  # a person is asked about the call; it ran, so the person agreed to what was asked
_QUESTION = b"w"  # a person was asked about the call, or approved it
_CALL_FOLDER = b"f"  # the folder in which a call was proposed that may change it
_SIZE = 128  # bytes of a record
_INPUT, _LINE = 9, 17  # where the digest of the input begins, after eight bytes of the identity, and the line
_LEAVING = ("cd", "pushd", "popd")  # words of lines after which hosts may report another folder
_OURS = "timeout"  # the argument that the engine itself sets, where a rule gives a call its time


class _Call:
    """Sum up the records of one identity: proposals without an end as [record, doubted, place], and what came last."""

    __slots__ = ("ended", "open", "refused")

    def __init__(self) -> None:
        self.open: list[list[Any]] = []
        self.refused = self.ended = False


class Pairing:
    """Describe the calls of an event's session before the event is decided; to make one raises OSError.

    `proven`: the event may prove something. `words` say what is wrong, in one sentence, or nothing. `lost` are lines of
    calls, as `glimpse.seal` gives them, whose end did not come although the session went on. `beside` names the first
    call that ended while this one ran. `asked` names what a person is asked about the call, if one is. `folder` is the
    one in which the call of a result was proposed, where its line may have led to another. `open`: at a pause, the end
    of some call did not come. `agreed`: a person was asked about the call of a result, or approved it.
    """

    __slots__ = (
        "_event", "_identity", "_lost", "_mark", "_past", "agreed", "asked", "beside", "folder", "lost", "open",
        "proven", "words",
    )  # fmt: skip

    def __init__(self, event: Event, adapter: Adapter) -> None:
        self._event = event
        self._identity, self._mark = b"", b""
        self._lost: list[bytes] = []
        self._past: bool | None = None  # whether the records say that the session has a past, if they were read
        self.proven, self.words, self.beside, self.asked, self.folder = True, "", "", b"", ""
        self.open = self.agreed = False
        if event.hook in ("before_tool", "after_tool") and (event.tool_id or not adapter.identifies_calls):
            self._identity = digest(event.tool_id.encode("utf-8", "surrogatepass")) if event.tool_id else _input(event)
        if event.hook == "before_tool" and self._identity:
            self._mark = _PROPOSED
        elif event.hook == "after_tool" and adapter.promised:
            self._result(self._records())
        elif event.hook == "prompt" or event.hook in COMPLETIONS:
            self._pause(self._records())
        self.lost = [record[_LINE + 1 : _LINE + 1 + record[_LINE]].decode() for record in self._lost]

    @property
    def call(self) -> str:
        """Return what names the call of a result, empty for any other event."""
        return self._identity.hex() if self._event.hook == "after_tool" else ""

    def keep(self, refused: bool, stored: bool = False, asks: bool = False) -> None:
        """Note the event once it is decided; `refused` is the answer, `stored`: it made its session known to the store,
        `asks`: a rule asks about the call.

        Raises OSError.
        """
        event = self._event
        path = path_of(FOLDER, event.session)
        for record in self._lost:
            add(path, _DOUBTED + record[1:])
        past = stored and (has_past(event.session) if self._past is None else self._past)
        if event.hook == "session_end":
            self._end(path)
        elif self._mark == _PROPOSED:
            add(path, _record(_REFUSED if refused else _PROPOSED, self._identity, _input(event), _line(event)))
            if not refused:
                note_plan(event)
            if folder := _folder(event):
                add(path, _record(_CALL_FOLDER, self._identity, line=folder))
            if self.asked:
                add(path, _record(_ASKED, self._identity, line=self.asked))
            if asks:
                add(path, _record(_QUESTION, self._identity))
        elif self._mark:
            add(path, _record(self._mark, self._identity))
            if self.asked and self.proven:
                add(path, _record(_AGREED, bytes(8), line=self.asked))
        if stored and not past:
            note_past(event.session)

    def has_agreed(self) -> bool:
        """Return whether a person agreed in this session to what is `asked`. Raises OSError."""
        agreed = _record(_AGREED, bytes(8), line=self.asked)
        return agreed in _records(self._event.session)

    @staticmethod
    def _end(path: str) -> None:
        """Nothing of the calls is needed any more; that the session has a past is, for it may be taken up again."""
        past = [record for record in split(content(path) or b"", _SIZE) if record[:1] == _PAST]
        if past:
            replace(path, past[0])
        else:
            forget(path)

    def _records(self) -> list[bytes]:
        """The records of calls."""
        records = _records(self._event.session)
        calls = [record for record in records if record[:1] != _PAST]
        self._past = len(calls) < len(records)
        return calls

    def _result(self, records: list[bytes]) -> None:
        """Hold a result against its proposal."""
        event, calls = self._event, _calls(records)
        call = calls.get(self._identity) or _Call()
        tool = f"`{event.tool_name}` ran" + (f" (call `{event.tool_id}`)" if event.tool_id else "")
        self.proven, self._mark = bool(call.open), _ENDED
        if call.open:
            if call.open[-1][0][_INPUT:_LINE] != _input(event):
                self.proven = False
                self.words = f"{tool} with another input than the engine was asked about: another hook rewrote it"
            place = call.open[0][2]
            self._lost = _unended(calls, records[:place])
            self.asked = _last(_ASKED, self._identity, records)
            self.agreed = any(one[:_INPUT] == _QUESTION + self._identity for one in records[place:])
            self.folder = _last(_CALL_FOLDER, self._identity, records).decode("utf-8", "surrogateescape")
            ended = (record[1:_INPUT] for record in records[place:] if record[:1] in (_ENDED, _UNSEEN))
            self.beside = next(ended, b"").hex()
        elif call.refused:
            self.words = f"{tool} although it was refused: the host does not heed the hook"
        elif call.ended and event.tool_id:
            self._mark = b""  # reported once more
        else:
            self._mark = _UNSEEN
            if records:  # else the hook or the policy may be younger than the call
                self.words = f"{tool} and the engine was not asked before: the host did not start the hook"
        if self.words:
            self.words += "; nothing is proved by it"

    def _pause(self, records: list[bytes]) -> None:
        """A person speaks, or an agent proposes to be done: no call that is waited for runs any more."""
        calls = _calls(records)
        self._lost, self.open = _unended(calls, records), any(call.open for call in calls.values())
        if self._event.hook == "prompt":
            return
        unseen = 0
        for record in reversed(records[1:]):
            if record[:1] == _TOLD:
                break
            unseen += record[:1] == _UNSEEN
        if unseen:
            self._identity, self._mark = bytes(8), _TOLD
            self.words = f"calls ran ({unseen}) without the engine being asked before: the host did not start the hook"


def note_past(session: str) -> None:
    """Note that a session has a past: a store that does not know it has lost it. Raises OSError."""
    add(path_of(FOLDER, session), _record(_PAST, bytes(8)))


def has_past(session: str) -> bool:
    """Return whether that was noted. Raises OSError."""
    return any(record[:1] == _PAST for record in _records(session))


def _calls(records: list[bytes]) -> dict[bytes, _Call]:
    """Return the records by identity; of calls without one, one proposal is open for each that did not end."""
    calls: dict[bytes, _Call] = {}
    for place, record in enumerate(records):
        kind, identity = record[:1], record[1:_INPUT]
        call = calls.get(identity)
        if call is None:
            call = calls[identity] = _Call()
        if kind == _PROPOSED:
            call.open.append([record, False, place])
            call.refused = False
        elif kind == _REFUSED:
            call.refused = True
        elif kind in (_ENDED, _UNSEEN):
            del call.open[:1]
            call.ended = True
        elif kind == _DOUBTED:
            for entry in call.open:
                if not entry[1]:
                    entry[1] = True
                    break
    return calls


def _unended(calls: dict[bytes, _Call], records: list[bytes]) -> list[bytes]:
    """Those among the records that propose a shell call which neither ended nor was doubted before."""
    among = set(records)
    opened = [entry for call in calls.values() for entry in call.open]
    return [record for record, doubted, _ in opened if not doubted and record in among and record[_LINE]]


def _input(event: Event) -> bytes:
    given = event.tool_args or {}
    return digest(write_json([event.tool_name, {key: given[key] for key in sorted(given) if key != _OURS}]))


def _line(event: Event) -> bytes:
    """The sealed line that a call gives to a shell; empty for any other call: what that writes is seen afterwards."""
    line = event.shell_line
    if line is None:
        return b""
    from policy_engine.shell.prefilter import seal

    return seal(line, _SIZE - _LINE - 1).encode()


def _folder(event: Event) -> bytes:
    """The folder of a call whose line may lead to another one; empty if there is none, or it is too long to be kept."""
    line = event.shell_line
    if line is None or event.cwd is None or not any(word in line for word in _LEAVING):
        return b""
    folder = event.cwd.encode("utf-8", "surrogateescape")
    return folder if len(folder) < _SIZE - _LINE else b""


def _last(kind: bytes, identity: bytes, records: list[bytes]) -> bytes:
    """The text of the last record of a kind for a call."""
    record = next((one for one in reversed(records) if one[:_INPUT] == kind + identity), None)
    return record[_LINE + 1 :][: record[_LINE]] if record is not None else b""


def _record(kind: bytes, identity: bytes, given: bytes = b"", line: bytes = b"") -> bytes:
    record = kind + identity + given.ljust(_LINE - _INPUT, b"\0") + bytes((len(line),)) + line
    return record.ljust(_SIZE, b"\0")


def _records(session: str) -> list[bytes]:
    return split(content(path_of(FOLDER, session)) or b"", _SIZE)
