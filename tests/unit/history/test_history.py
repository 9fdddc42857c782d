"""History at its edges: reloads, lost pasts, rounds, replays, overflow, records."""

from __future__ import annotations

import marshal
from itertools import count

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.history import recorder, tables
from policy_engine.history.facts import facts_of, refusals
from policy_engine.history.monitors import FOLLOWED, TEXTS
from policy_engine.history.session import History
from policy_engine.model.event import Event
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.shell.parse import parse

SRC = ("wrote", (("src/**",), ()), ())
TESTS = ("command_success", ((("pytest", "-*"),), (), None), ())
PROMPTED = ("prompted", None, ())
SPECS = (
    ("w", "last", (SRC,), TEXTS),
    ("t", "last", (TESTS,), TEXTS),
    ("p", "latest", (PROMPTED,), ()),
    ("cw", "count", (SRC,), (0, 0, ())),
    ("cr", "count", (SRC,), (0, 2, ())),
    ("ct", "count", (SRC,), (60_000, 0, ())),
    ("cs", "count", (SRC,), (0, 0, (PROMPTED,))),
    ("ch", "changed", (), ((("src/**",), ()),)),
)
W, T, P, CW, CR, CT, CS, CH = range(8)
NUMBERS = count()


def play(history: History, filesystem: Virtual | None = None, **raw: object) -> Event:
    filesystem = filesystem or Virtual()
    base = {"session": "s", "id": f"e{next(NUMBERS)}", "cwd": "/workspace", "workspace": "/workspace"}
    event = Event.from_dict({**base, **raw})
    commands = None
    if event.tool_kind == "shell" and event.tool_args is not None:
        commands = parse(event.tool_args["command"], event.cwd, filesystem)
    history.begin(event, filesystem)
    history.observe(facts_of(event, filesystem, commands))
    return event


def write(history: History, path: str = "src/a.py", **raw: object) -> Event:
    tool = {"name": "Write", "kind": "write", "args": {"file_path": path, "content": "x"}, **raw.pop("tool", {})}  # type: ignore[dict-item]
    return play(history, hook="after_tool", tool=tool, result={"ok": True}, **raw)


def run(history: History, line: str, **result: object) -> Event:
    tool = {"name": "Bash", "kind": "shell", "args": {"command": line}}
    return play(history, hook="after_tool", tool=tool, result=result, time="2026-11-20T10:00:00Z")


def test_an_empty_history_says_no() -> None:
    history = History(SPECS)
    assert [history.seen(W), history.since(T, W), history.count(CW), history.last(W)] == [False, False, 0, ABSENT]


def test_a_record_tells_what_when_and_which_event() -> None:
    history = History(SPECS)
    event = run(history, "pytest -q", exit_code=0, text="2 passed")
    record = history.last(T)
    assert record is not ABSENT
    assert (record.command, record.exit_code, record.text, record.event) == ("pytest -q", 0, "2 passed", event.id)  # type: ignore[union-attr]
    assert record.time == event.time  # type: ignore[union-attr]
    assert record.path is ABSENT  # type: ignore[union-attr]
    assert history.evidence(T) == event.id
    write(history)
    wrote = history.last(W)
    assert str(wrote) == "src/a.py"
    with pytest.raises(Undecided, match="`time`"):
        _ = wrote.time  # type: ignore[union-attr]


def test_an_event_without_id_is_named_by_its_number() -> None:
    history = History(SPECS)
    write(history, id="")
    assert history.evidence(W) == "#1"


def test_rounds_end_after_their_event_and_are_counted_per_agent() -> None:
    history = History(SPECS)
    write(history)
    play(history, hook="after_round", agent={"kind": "sub", "name": "x"})
    for _ in range(2):
        play(history, hook="after_round")
        assert history.count(CR) == 1
    play(history, hook="prompt", prompt="x", agent={"kind": "sub", "name": "x"})
    assert history.count(CR) == 0
    assert (history.round_of("main"), history.round_of("sub\0x"), history.round_of("none")) == (2, 1, 0)


def test_a_window_in_time_moves_with_the_event() -> None:
    history = History(SPECS)
    for second in (0, 30, 59):
        write(history, time=f"2026-11-20T10:00:{second:02}Z")
    assert history.count(CT) == 3
    play(history, hook="prompt", prompt="x", time="2026-11-20T10:01:01Z")
    assert history.count(CT) == 2
    play(history, hook="prompt", prompt="x", time="2026-11-20T09:00:00Z")
    assert history.count_range(CT) == (0, 3), "a clock that goes backwards forgets nothing, and knows no times"
    play(history, hook="prompt", prompt="x")
    with pytest.raises(Undecided, match="`time`"):
        history.count(CT)


def test_a_reported_call_counts_once() -> None:
    history = History(SPECS)
    for _ in range(2):
        write(history, id="e-1", tool={"id": "call-1"})
    assert history.count(CW) == 1
    write(history, id="e-2", tool={"id": "call-1"})
    assert history.count(CW) == 2


def test_now_is_about_the_event_at_hand() -> None:
    history = History(SPECS)
    write(history)
    assert (history.now(W), history.now(P)) == (True, False)
    play(history, hook="prompt", prompt="x")
    assert (history.now(W), history.now(P)) == (False, True)


def test_refusals_are_later_than_the_facts_of_their_event() -> None:
    specs = (("r", "latest", (("refused", "rule", ()),), ()), ("p", "latest", (PROMPTED,), ()))
    history = History(specs)
    event = play(history, hook="prompt", prompt="x")
    history.observe(refusals(event, ("rule",)))
    assert history.since(0, 1) is True


def test_a_reload_keeps_what_is_still_watched_and_drops_the_rest() -> None:
    history = History(SPECS, "one")
    write(history)
    kept = History.restore(SPECS[:1], marshal.loads(marshal.dumps(history.snapshot())), "two")
    assert kept.dirty is True
    assert str(kept.last(0)) == "src/a.py"
    assert set(kept.state["monitors"]) == {"w", FOLLOWED}


def test_what_never_happened_is_still_known_after_a_reload() -> None:
    """Of what ran only digests are kept: a monitor that saw nothing knows more than the tables do."""
    specs = (("f", "count", (("command_failure", ((("pytest", "-*"),), (), None), ()),), (0, 2, ())), *SPECS)
    history = History(specs, "one")
    run(history, "pytest -k one", exit_code=1)
    for number in range(2):  # and a second time, though nothing was stored meanwhile
        history = History.restore(specs, marshal.loads(marshal.dumps(history.snapshot())), f"two{number}")
        run(history, "make", exit_code=1)
        assert history.count(0) == 0
    fresh = History.restore((("g", *specs[0][1:]),), history.snapshot(), "three")
    run(fresh, "make", exit_code=1)
    with pytest.raises(Undecided):
        fresh.count(0)
    again = History.restore(specs, fresh.snapshot(), "four")
    run(again, "make", exit_code=1)
    with pytest.raises(Undecided):  # it was not there for a while
        again.count(0)


def test_a_count_that_joins_knows_only_whether_it_missed_anything() -> None:
    quiet, busy = History((), "one"), History((), "one")
    play(quiet, hook="prompt", prompt="x")
    write(busy)
    for before, expected in ((quiet, (1, 1)), (busy, (1, None))):
        history = History.restore(SPECS, before.snapshot(), "two")
        write(history, time="2026-11-20T10:00:00Z")
        assert history.count_range(CW) == expected
    with pytest.raises(Undecided):
        history.count(CW)
    play(history, hook="prompt", prompt="x")
    assert history.count(CS) == 0


def test_a_lost_past_is_undecided_until_the_present_decides() -> None:
    history = History.restore(SPECS, None)
    play(history, hook="session_end")
    questions = ((history.seen, (W,)), (history.since, (T, W)), (history.count, (CW,)), (history.changed, (CH,)))
    for ask, numbers in questions:
        with pytest.raises(Undecided):
            ask(*numbers)  # type: ignore[operator]
    run(history, "pytest", exit_code=0)
    assert history.since(T, W) is True
    write(history)
    assert (history.seen(W), history.since(T, W)) == (True, False)


def test_a_state_of_another_format_is_a_lost_past() -> None:
    state = History(SPECS).snapshot()
    with pytest.raises(Undecided):
        History.restore(SPECS, {**state, "format": 0}).seen(W)


def test_changed_lists_what_exists_now() -> None:
    filesystem = Virtual()
    history = History(SPECS)
    for name in ("src/b.py", "src/a.py", "docs/x.md", "src/gone.py"):
        tool = {"name": "Write", "kind": "write", "args": {"file_path": name, "content": "x"}}
        play(history, filesystem, hook="after_tool", tool=tool, result={"ok": True})
        if "gone" not in name:
            filesystem.write(filesystem.resolve(name, "/workspace"), b"x")
    assert [path.text for path in history.changed(CH)] == ["src/a.py", "src/b.py"]


def test_a_folder_that_was_moved_in_leaves_its_files_unknown() -> None:
    filesystem = Virtual()
    filesystem.write(filesystem.resolve("old/x.py", "/workspace"), b"x")
    history = History(SPECS)
    tool = {"name": "Bash", "kind": "shell", "args": {"command": "mv old src"}}
    play(history, filesystem, hook="after_tool", tool=tool, result={"exit_code": 0})
    assert history.seen(W) is True
    with pytest.raises(Undecided, match="below"):
        history.changed(CH)


def test_more_paths_than_are_tracked_are_undecided_and_never_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "TRACKED_PATHS", 3)
    history = History(SPECS)
    for number in range(5):
        write(history, f"src/{number}.py")
    assert len(history.state["tables"]["paths"]) == 3
    with pytest.raises(Undecided):
        history.changed(CH)
    assert history.happened((history.path_at("wrote", "src/4.py"),)) is True
    with pytest.raises(Undecided):
        history.happened((history.path_at("wrote", "src/0.py"),))


def test_more_commands_than_are_tracked_are_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "TRACKED_COMMANDS", 2)
    history = History(SPECS)
    for name in ("a", "b", "c"):
        run(history, name, exit_code=0)
    assert history.happened((history.command_at("command_success", "c"),)) is True
    with pytest.raises(Undecided):
        history.happened((history.command_at("command_success", "a"),))


def test_an_exact_command_needs_its_folder_and_all_its_parts() -> None:
    history = History(SPECS)
    write(history)
    run(history, "cd web && npm test", exit_code=0)
    assert (
        history.later((history.command_at("command_success", "cd web && npm test"),), (history.at(W, False),)) is True
    )
    assert history.happened((history.command_at("command_success", "npm test"),)) is False
    assert history.happened((history.command_at("ran", "npm test && make"),)) is False
    with pytest.raises(Undecided):
        history.happened((history.command_at("ran", "npm test |"),))


def test_a_state_without_facts_is_not_dirty() -> None:
    history = History(SPECS)
    play(history, hook="before_completion", answer="x")
    assert history.dirty is False
    write(history)
    assert history.dirty is True
    history.snapshot()
    assert history.dirty is False


def test_sub_agents_are_told_apart_by_name() -> None:
    raw = {"hook": "session_end", "session": "s"}
    main, sub = Event.from_dict(raw), Event.from_dict({**raw, "agent": {"kind": "task", "name": "a"}})
    assert (recorder.agent_key(main), recorder.agent_key(sub)) == ("main", "task\0a")
