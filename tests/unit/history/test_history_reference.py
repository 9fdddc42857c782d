"""History against a naive reference that keeps the whole log and tries every way in which the unknown may have gone."""

from __future__ import annotations

import itertools
import marshal
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from policy_engine.filesystem.file_system import Virtual
from policy_engine.history.facts import facts_of
from policy_engine.history.monitors import COMMAND_KINDS
from policy_engine.history.session import History
from policy_engine.model.event import Event
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.shell.parse import parse

Occurrence = tuple[int, str]  # phase (0 or 1: writes and deletes) and a tag
Menu = tuple[dict[str, object], list[list[Occurrence]]]  # an event and every way in which it may have gone


def shell(line: str, **result: object) -> dict[str, object]:
    return {
        "hook": "after_tool",
        "tool": {"name": "Bash", "kind": "shell", "args": {"command": line}},
        "result": {"status": "completed", **result},
    }


def tool(name: str, kind: str, status: str, **rest: object) -> dict[str, object]:
    return {"hook": "after_tool", "tool": {"name": name, "kind": kind, "args": rest}, "result": {"status": status}}


def wrote(path: str, status: str = "completed") -> dict[str, object]:
    return tool("Write", "write", status, file_path=path, content="x")


BASH: Occurrence = (0, "called Bash")
RUN_OK: list[Occurrence] = [(0, "ran pytest"), (0, "ok pytest")]
RUN_BAD: list[Occurrence] = [(0, "ran pytest"), (0, "cancel pytest")]
MENU: list[Menu] = [
    (wrote("src/a.py"), [[(1, "w src/a.py"), (0, "called Write")]]),
    (wrote("/workspace/src/b.py"), [[(1, "w src/b.py"), (0, "called Write")]]),
    (wrote("docs/x.md"), [[(1, "w docs/x.md"), (0, "called Write")]]),
    (wrote("src/a.py", "failed"), [[(0, "called Write")]]),
    (wrote("src/a.py", "blocked"), [[]]),
    (wrote("src/b.py", "unknown"), [[], [(0, "called Write")], [(0, "called Write"), (1, "w src/b.py")]]),
    (tool("Read", "read", "completed", file_path="src/a.py"), [[(0, "r src/a.py")]]),
    ({"hook": "after_round", "changes": [{"path": "src/a.py", "kind": "delete"}]}, [[(1, "d src/a.py")]]),
    (shell("pytest -q", exit_code=0), [[BASH, *RUN_OK]]),
    (shell("pytest -q", exit_code=1), [[BASH, *RUN_BAD, (0, "fail pytest")]]),
    (shell("pytest -q"), [[BASH, *RUN_BAD]]),
    (shell("pytest -q", exit_code=0, status="running"), [[(0, "cancel pytest")]]),
    (shell("pytest tests/test_one.py", exit_code=0), [[BASH]]),
    (shell("cd src && pytest", exit_code=0), [[BASH]]),
    (shell("make && pytest -q", exit_code=0), [[BASH, (0, "ran make"), (0, "ok make"), *RUN_OK]]),
    (shell("make && pytest -q", exit_code=2), [[BASH, (0, "ran make"), (0, "cancel make"), *RUN_BAD]]),
    (shell("pytest -q | tail -3", exit_code=0), [[BASH, *RUN_BAD]]),
    (shell("pytest -q | |", exit_code=0), [[BASH], [BASH, *RUN_OK], [BASH, *RUN_BAD]]),
    (shell("git log | head", exit_code=0), [[BASH]]),
    (shell("echo pytest", exit_code=0), [[BASH]]),
    ({"hook": "prompt", "prompt": "go"}, [[(0, "prompted")]]),
    ({"hook": "after_round"}, [[]]),
    ({"hook": "after_round", "facts": {"cov": 1}}, [[(0, "fact cov"), (0, "fact cov=1")]]),
    ({"hook": "after_round", "facts": {"cov": True}}, [[(0, "fact cov")]]),
]
SRC, DOCS = (("src/**",), ()), (("**/*.md",), ())
PYTEST, MAKE = ((("pytest", "-*"),), (), None), ((("make",),), (), None)
ATOMS = {
    ("wrote", SRC, ()): {"w src/a.py", "w src/b.py"},
    ("wrote", DOCS, ()): {"w docs/x.md"},
    ("read", (("src/a.py",), ()), ()): {"r src/a.py"},
    ("deleted", SRC, ()): {"d src/a.py"},
    ("ran", PYTEST, ()): {"ran pytest"},
    ("command_success", PYTEST, ()): {"ok pytest"},
    ("command_failure", PYTEST, ()): {"fail pytest"},
    ("command_success", MAKE, ()): {"ok make"},
    ("called", "Write", ()): {"called Write"},
    ("called", "shell", ("shell",)): {"called Bash"},
    ("tool_fact", "cov", ()): {"fact cov"},
    ("tool_fact", "cov", (1,)): {"fact cov=1"},
    ("prompted", None, ()): {"prompted"},
}
CANCELS = {"ok pytest": "cancel pytest", "ok make": "cancel make"}
Log = list[tuple[int, int, int, list[str]]]  # sequence, time, round, tags

UNION = st.lists(st.sampled_from(list(ATOMS)), min_size=1, max_size=2, unique=True).map(tuple)
EVENTS = st.lists(st.sampled_from(range(len(MENU))), max_size=9)


def played(numbers: list[int], history: History, filesystem: Virtual, start: int = 0) -> None:
    for place, number in enumerate(numbers, start):
        raw = {"session": "s", "id": f"e{place}", "cwd": "/workspace", "workspace": "/workspace", **MENU[number][0]}
        event = Event.from_dict({**raw, "time": f"2026-11-20T10:{place:02}:00Z"})
        commands: object = None
        if event.tool_kind == "shell":
            assert event.tool_args is not None
            try:
                commands = parse(event.tool_args["command"], event.cwd, filesystem)
            except Undecided as unknown:
                commands = unknown
        history.begin(event, filesystem)
        history.observe(facts_of(event, filesystem, commands))  # type: ignore[arg-type]


def logs(numbers: list[int]) -> list[Log]:
    found = []
    for ways in itertools.product(*(MENU[number][1] for number in numbers)):
        log: Log = []
        rounds = 0
        for place, (number, way) in enumerate(zip(numbers, ways, strict=True)):
            for phase in (0, 1):
                log.append((2 * place + phase + 1, place, rounds, [tag for at, tag in way if at == phase]))
            rounds += MENU[number][0]["hook"] == "after_round"
        found.append(log)
    return found


def latest(log: Log, atoms: tuple[object, ...], standing: bool) -> int:
    found = 0
    for atom in atoms:
        (*others,) = ATOMS[atom]  # type: ignore[index]
        own = 0
        for sequence, _, _, tags in log:
            for tag in tags:
                if tag in others:
                    own = sequence
                elif standing and CANCELS.get(others[0]) == tag:
                    own = 0
        found = max(found, own)
    return found


def counted(log: Log, atoms: tuple[object, ...], resets: tuple[object, ...], within: int, rounds: int) -> int:
    wanted = set().union(*(ATOMS[atom] for atom in atoms))  # type: ignore[index]
    start = latest(log, resets, False) if resets else 0
    now, round_ = (log[-1][1], log[-1][2]) if log else (0, 0)
    events = set()
    for sequence, place, in_round, tags in log:
        inside = (not within or now - place <= within) and (not rounds or in_round > round_ - rounds)
        if sequence > start and inside and wanted & set(tags):
            events.add(place)
    return len(events)


def answer(ask: Callable[[], object]) -> object:
    try:
        return ask()
    except Undecided:
        return "undecided"


def agrees(found: object, expected: list[object]) -> None:
    """Decided answers hold in every world; where there is only one, the answer is decided."""
    if found != "undecided":
        assert set(expected) == {found}
    else:
        assert len(expected) > 1


@settings(max_examples=150, deadline=None)
@given(EVENTS, UNION, UNION, st.integers(0, 9))
def test_latest_and_since_agree_with_the_whole_log(
    numbers: list[int], left: tuple[object, ...], right: tuple[object, ...], cut: int
) -> None:
    filesystem = Virtual()
    specs = (("l", "last", left, ()), ("r", "latest", right, ()))
    history = History(specs, "d")  # type: ignore[arg-type]
    played(numbers[:cut], history, filesystem)
    history = History.restore(specs, marshal.loads(marshal.dumps(history.snapshot())), "d")  # type: ignore[arg-type]
    played(numbers[cut:], history, filesystem, cut)
    known = logs(numbers)
    if not numbers:
        return
    agrees(answer(lambda: history.seen(0)), [latest(log, left, True) > 0 for log in known])
    agrees(answer(lambda: history.since(0, 1)), [latest(log, left, True) > latest(log, right, False) for log in known])
    record = answer(lambda: history.last(0))
    event = record if record in ("undecided", ABSENT) else record.event  # type: ignore[attr-defined]
    agrees(event, [f"e{(latest(log, left, False) - 1) // 2}" if latest(log, left, False) else ABSENT for log in known])


@settings(max_examples=150, deadline=None)
@given(EVENTS, UNION, st.one_of(st.just(()), UNION), st.sampled_from([(0, 0), (2, 0), (0, 2), (0, 1)]))
def test_counts_agree_with_the_whole_log(
    numbers: list[int], atoms: tuple[object, ...], resets: tuple[object, ...], window: tuple[int, int]
) -> None:
    specs = (("c", "count", atoms, (window[0] * 60_000, window[1], resets)),)
    history = History(specs)  # type: ignore[arg-type]
    played(numbers, history, Virtual())
    if not numbers:
        return
    expected = [counted(log, atoms, resets, *window) for log in logs(numbers)]
    agrees(answer(lambda: history.count(0)), list(expected))
    least, greatest = history.count_range(0)
    assert least <= min(expected)
    assert greatest is None or greatest >= max(expected)


@settings(max_examples=200, deadline=None)
@given(EVENTS, UNION, UNION, st.integers(0, 9))
def test_a_monitor_that_joins_later_knows_what_it_missed(
    numbers: list[int], left: tuple[object, ...], right: tuple[object, ...], cut: int
) -> None:
    filesystem = Virtual()
    before = History((), "old")
    played(numbers[:cut], before, filesystem)
    specs = (("l", "latest", left, ()), ("r", "latest", right, ()), ("c", "count", left, (0, 0, right)))
    history = History.restore(specs, before.snapshot(), "new")  # type: ignore[arg-type]
    played(numbers[cut:], history, filesystem, cut)
    known = logs(numbers)
    if len(numbers) <= cut:
        return
    of_commands = any(kind in COMMAND_KINDS for kind, _, _ in (*left, *right))  # of what ran only digests are kept
    for found, expected in (
        (answer(lambda: history.seen(0)), [latest(log, left, True) > 0 for log in known]),
        (answer(lambda: history.since(0, 1)), [latest(log, left, True) > latest(log, right, False) for log in known]),
    ):
        if found != "undecided" or not of_commands:
            agrees(found, expected)
    found = answer(lambda: history.count(2))
    assert found == "undecided" or {found} == {counted(log, left, right, 0, 0) for log in known}


@settings(max_examples=150, deadline=None)
@given(EVENTS)
def test_paths_and_commands_agree_with_the_whole_log(numbers: list[int]) -> None:
    filesystem = Virtual()
    for name in ("src/a.py", "src/b.py"):
        filesystem.write(filesystem.resolve(name, "/workspace"), b"")
    specs = (("ch", "changed", (), (SRC,)), ("w", "latest", (("wrote", SRC, ()),), ()))
    history = History(specs)  # type: ignore[arg-type]
    played(numbers, history, filesystem)
    known = logs(numbers)
    if not numbers:
        return

    def last(log: Log, tag: str) -> int:
        return max([0, *(sequence for sequence, _, _, tags in log if tag in tags)])

    agrees(
        answer(lambda: tuple(str(path) for path in history.changed(0))),
        [tuple(name for name in ("src/a.py", "src/b.py") if last(log, f"w {name}")) for log in known],
    )
    agrees(
        answer(lambda: history.later((history.path_at("read", "src/a.py"),), (history.path_at("wrote", "src/a.py"),))),
        [last(log, "r src/a.py") > last(log, "w src/a.py") for log in known],
    )
    agrees(
        answer(lambda: history.later((history.command_at("command_success", "pytest -q"),), (history.at(1, False),))),
        [
            latest(log, (("command_success", PYTEST, ()),), True) > latest(log, (("wrote", SRC, ()),), False)
            for log in known
        ],
    )
