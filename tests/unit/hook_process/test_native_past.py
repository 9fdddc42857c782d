"""What an event leaves behind: its session's past, the log, and words where either cannot be had."""

from __future__ import annotations

from typing import Any

import pytest

from policy_engine.hook_process import native
from policy_engine.hook_process.native import Commands, Past, failed, log_failure
from policy_engine.hook_process.response_writer import ResponseWriter
from policy_engine.loading.active import Live
from policy_engine.loading.loader import load_text
from policy_engine.model.errors import StoreError
from policy_engine.runtime import stored_sessions
from policy_engine.runtime.external import Hooks
from policy_engine.runtime.stored_sessions import StoredSessions
from tests.unit.hook_process.desk import Desk
from tests.unit.hook_process.plain import plain


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sessions that are told to have lost an event."""
    found: list[str] = []
    lose = StoredSessions.lose

    def losing(self: StoredSessions, session: str, kind: bytes) -> None:
        found.append(session)
        lose(self, session, kind)

    monkeypatch.setattr(StoredSessions, "lose", losing)
    return found


@pytest.mark.parametrize(
    ("raw", "missed"),
    [
        ({"hook": "after_tool", "session": "s"}, ["s"]),
        ({"hook": "prompt", "session": "s"}, ["s"]),
        ({"hook": "before_tool", "session": "s"}, []),
        ({"hook": "after_tool", "session": 3}, []),
        ({"hook": "after_tool"}, []),
        ({"session": "s"}, []),
    ],
)
def test_what_was_not_recorded_is_missed_where_something_happened(
    desk: Desk, lost: list[str], raw: dict[str, Any], missed: list[str]
) -> None:
    Past(raw).lose_record()
    assert lost == missed
    settled = Past(raw)
    settled.settled = True
    settled.lose_record()
    assert lost == missed


def test_a_store_that_cannot_miss_an_event_is_told_of(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(self: StoredSessions, session: str, kind: bytes) -> None:
        raise StoreError("the disk is full \udcff")

    monkeypatch.setattr(StoredSessions, "lose", broken)
    Past({"hook": "prompt", "session": "s"}).lose_record()
    assert capfd.readouterr() == ("", "policy: the event is missing in its session: the disk is full \\udcff\n")


def test_the_store_is_opened_once_and_only_if_it_is_needed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    class Counting(StoredSessions):
        __slots__ = ()

        def __init__(self, store: Any, **given: Any) -> None:
            opened.append(store.path)
            super().__init__(store, **given)

    monkeypatch.setattr(stored_sessions, "StoredSessions", Counting)
    past: Any = Past({})
    assert (opened, (desk.home / ".local").exists()) == ([], False)
    methods = [past.open, past.close, past.abandon, past.lose, past.open]
    assert [method.__name__ for method in methods] == ["open", "close", "abandon", "lose", "open"]
    assert opened == [f"{desk.home}/.local/state/policy-engine/sessions.sqlite3"]
    folder = desk.home / ".local/state/policy-engine"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_cannot_be_made_is_the_stores_to_tell(desk: Desk) -> None:
    (desk.home / ".local").touch()
    past: Any = Past({})
    with pytest.raises(StoreError):
        past.lose("s")


@pytest.mark.parametrize(
    ("fields", "before", "missed"),
    [
        ({}, False, []),
        ({}, True, ["s"]),
        ({"changes": "odd"}, False, ["s"]),
        ({"changes": "odd"}, True, ["s", "s"]),
    ],
)
def test_an_event_is_missed_if_it_may_be_twice_or_cannot_be_read(
    desk: Desk, lost: list[str], fields: dict[str, Any], before: bool, missed: list[str]
) -> None:
    """What another process may have recorded already must not count twice."""
    desk.answer("After", desk.event("after_tool", **fields), lost=before)
    assert lost == missed


def test_what_is_decided_is_settled(desk: Desk, lost: list[str]) -> None:
    """After the decision nothing is missed any more, whatever fails in the answer."""

    def broken(*_given: Any) -> Any:
        raise RuntimeError("broken")

    answer = desk.answer("After", desk.event("after_tool"), plain(encode=broken))
    assert (answer.stderr, lost) == (b"After|E-INTERNAL|RuntimeError: broken\n", [])


def test_what_the_policy_calls_runs_for_this_answer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def hooks(workspace: str, response: ResponseWriter) -> Hooks:
        made.append((workspace, response is desk.response))
        return Hooks({"it": lambda raw: False})

    monkeypatch.setattr("policy_engine.hook_process.running.hooks", hooks)
    policy = "language 1\nhook h { on before_tool call it }"
    desk.live = Live(load_text(policy).require_program())
    assert [
        desk.decision("Before", desk.event(**more))["verdict"] for more in ({}, {"workspace": ..., "session": "other"})
    ] == ["deny"] * 2
    assert made == [(str(desk.work), True), ("", True)]
    desk.decision("Prompt", desk.event("prompt", prompt="x"))
    assert len(made) == 2  # only where a hook is called


def test_commands_are_made_for_the_event_when_they_are_needed(desk: Desk) -> None:
    found: Any = Commands(str(desk.work), desk.response)
    assert desk.response.kill is None
    assert (found.callables, found.rehearsed) == ({}, None)
    kill: Any = desk.response.kill
    assert (kill.__name__, callable(found.admit), found.stage.__name__) == ("kill_running", True, "stage_record")
    desk.response.kill = None
    assert (callable(found.admit), desk.response.kill) == (True, None)  # made once


@pytest.mark.parametrize(
    ("native_event", "point", "verdict"), [("Before", "before_tool", "deny"), ("After", "after_tool", "warn"),
                                           ("", "", "deny"), ("Odd", "", "deny")],
)  # fmt: skip
def test_a_failure_is_logged_with_all_that_is_known(desk: Desk, native_event: str, point: str, verdict: str) -> None:
    response = ResponseWriter(plain(), native_event)
    log_failure(plain(), response, "E-JSON", "it is no JSON")
    told = desk.record
    assert (told["host"], told["native"], told["hook"], told["verdict"]) == ("plain", native_event, point, verdict)
    assert (told["code"], told["errors"], "input" in told) == ("E-JSON", ["E-JSON: it is no JSON"], False)
    response.raw = desk.event()
    log_failure(plain(), response, "E-JSON", "it is no JSON")
    told = desk.record
    assert (told["event"], told["session"], told["hook"]) == ("e", "s", "before_tool")
    assert told["input"] == response.raw


def test_a_log_that_cannot_be_written_changes_no_answer(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def full(*_given: Any) -> None:
        raise OSError(28, "No space left on device \udcff")

    monkeypatch.setattr("policy_engine.audit.log.append", full)
    monkeypatch.setattr("policy_engine.audit.log.append_failure", full)
    said = "policy: the decision log cannot be written: [Errno 28] No space left on device \\udcff\n"
    assert desk.decision("Before", desk.event())["verdict"] == "allow"
    assert capfd.readouterr() == ("", said)
    log_failure(plain(), desk.response, "E-JSON", "it is no JSON")
    assert capfd.readouterr() == ("", said)


def test_what_fails_is_told_to_its_session_and_to_the_log_before_it_is_answered() -> None:
    told: list[object] = []
    response = ResponseWriter(plain(), "Before")
    response.unfinished = lambda: told.append("unfinished")
    response.failed = lambda code, text: told.append((code, text))
    answer = failed(response, "E-JSON", "it is no JSON")
    assert told == ["unfinished", ("E-JSON", "it is no JSON")]
    assert (answer.stderr, answer.exit_code) == (b"Before|E-JSON|it is no JSON\n", 2)
    response.named("Odd")
    assert failed(response, "E-JSON", "it is no JSON").stderr == b"Odd|E-JSON|it is no JSON\n"


@pytest.mark.parametrize(("session", "kept"), [("s", "s"), (3, ""), (None, "")])
@pytest.mark.parametrize("length", [5, 80, 81])
def test_what_is_no_lifecycle_point_is_passed_over_and_logged(desk: Desk, session: Any, kept: str, length: int) -> None:
    answer = desk.answer("N" * length, None, session_id=session)
    assert (answer.stdout, answer.stderr, answer.exit_code) == (b"", b"", 0)
    told = desk.record
    assert told["errors"] == [f"ignored: `{'N' * min(length, 80)}` is no lifecycle point here"]
    assert (told["verdict"], told["session"], told["host"], told["hook"]) == ("allow", kept, "plain", "")
    assert (told["event"], told["policy"], "input" in told) == ("", "", False)


@pytest.mark.parametrize("promised", [True, False])
def test_a_call_whose_record_cannot_be_read_is_told_where_it_was_promised(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, promised: bool
) -> None:
    given = []

    def broken(pairing: Any, refused: bool, stored: bool, asks: bool) -> None:
        given.append((pairing._event.id, refused))
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("policy_engine.hook_process.pairing.Pairing.keep", broken)
    adapter = plain() if promised else plain(capabilities={"Before": plain().capabilities["Before"]})
    decision = desk.decision("Before", desk.event(command="rm a"), adapter=adapter)
    said = "whether the call ran as it was judged cannot be known: Input/output error."
    assert [one["message"] for one in decision["rules"]] == ["No rm.", *([said] if promised else [])]
    desk.decision("Before", desk.event(), adapter=adapter)
    assert given == [("e", True), ("e", False)]


@pytest.mark.parametrize(("verdict", "refused"), [("deny", True), ("stop", True), ("ask", False), ("warn", False)])
def test_what_is_refused_is_kept_as_refused(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, verdict: str, refused: bool
) -> None:
    given = []
    monkeypatch.setattr(
        "policy_engine.hook_process.pairing.Pairing.keep", lambda pairing, was, stored, asks: given.append(was)
    )
    decide = native._decide

    def decided(*args: Any) -> Any:
        decision = decide(*args)
        decision.verdict = verdict
        return decision

    monkeypatch.setattr(native, "_decide", decided)
    desk.answer("Before", desk.event())
    assert given == [refused]
