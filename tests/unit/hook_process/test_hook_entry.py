"""The words of the command line and standard input → one answer; what cannot be read is refused with its reason."""

from __future__ import annotations

import json
import os
import posix
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from policy_engine import adapters
from policy_engine.adapters.base import Answer
from policy_engine.hook_process import hook_entry, native, resident
from policy_engine.hook_process.hook_entry import USAGE, find_adapter, main
from policy_engine.hook_process.hook_entry import serving as serving_folder
from policy_engine.hook_process.response_writer import ResponseWriter
from policy_engine.model import limits
from policy_engine.model.errors import ConfigurationError
from policy_engine.state import places
from tests.unit.hook_process.clockwork import Clockwork
from tests.unit.hook_process.plain import plain

Feed = Callable[[bytes], None]


@pytest.fixture
def standard_input(tmp_path: Path) -> Iterator[Callable[[int], None]]:
    """Puts a descriptor in the place of standard input, or closes that (-1)."""
    kept = os.dup(0)

    def put(descriptor: int) -> None:
        if descriptor < 0:
            os.close(0)
        else:
            os.dup2(descriptor, 0)
            os.close(descriptor)

    yield put
    os.dup2(kept, 0)
    os.close(kept)


@pytest.fixture
def feed(standard_input: Callable[[int], None], tmp_path: Path) -> Feed:
    """Puts bytes on standard input."""

    def put(data: bytes) -> None:
        (tmp_path / "payload").write_bytes(data)
        standard_input(os.open(tmp_path / "payload", os.O_RDONLY))

    return put


@pytest.fixture
def asked(clock: Clockwork, home: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The host `plain`, and an engine that only remembers what it was asked: event, payload, lost."""
    found: list[tuple[Any, ...]] = []

    def answered(*given: Any) -> Answer:
        adapter, event_name, data, response, lost, process = given
        assert process == os.getpid()
        found.append((adapter.name, event_name, data, response.native, lost))
        return Answer(b"decided\n", b"why\n", 3)

    monkeypatch.setattr(hook_entry, "find_adapter", lambda host: plain() if host == "plain" else None)
    monkeypatch.setattr(native, "answered", answered)
    return found


def record(home: Path) -> dict[str, Any]:
    """The last record of the decision log."""
    found: dict[str, Any] = json.loads(
        (home / ".local/state/policy-engine/decisions.jsonl").read_text().splitlines()[-1]
    )
    return found


@pytest.mark.parametrize(
    ("words", "event"),
    [
        (["plain"], None),
        (["plain", "--event", "Before"], "Before"),
        (["--event", "Before", "plain"], "Before"),
        (["plain", "--event=Before"], "Before"),
        (["plain", "--event="], ""),
        (["plain", "--event", "After", "--event=Before"], "Before"),
        (["plain", "other"], None),  # the first word is the host
        (["plain", "--event"], None),
        (["plain", "--libraries=relative"], None),
    ],
)
def test_the_words_name_the_host_and_the_event(
    asked: list[tuple[Any, ...]], feed: Feed, capfd: pytest.CaptureFixture[str], words: list[str], event: str | None
) -> None:
    feed(b"payload")
    before = list(sys.path)
    assert main(words) == 3
    assert asked == [("plain", event, b"payload", event or "", False)]
    assert (capfd.readouterr(), sys.path) == (("decided\n", "why\n"), before)


def test_a_folder_of_libraries_comes_last(
    asked: list[tuple[Any, ...]], feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", ["/first"])
    feed(b"payload")
    assert main(["--libraries=/some/where", "plain"]) == 3
    assert (sys.path, asked[0][0]) == (["/first", "/some/where"], "plain")


@pytest.mark.requirement("R1")
@pytest.mark.parametrize(("words", "host"), [([], ""), (["nobody"], "nobody"), (["a\udcff"], "a\\udcff")])
def test_an_unknown_host_is_refused_and_told_how_to_call(
    asked: list[tuple[Any, ...]], clock: Clockwork, capfd: pytest.CaptureFixture[str], words: list[str], host: str
) -> None:
    assert main(words) == 2
    assert capfd.readouterr() == ("", f"{USAGE}\nunknown host `{host}`\n")
    assert (asked, clock.timers) == ([], [])
    assert USAGE.startswith("usage: policy hook HOST [--event NAME]")


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("claude-code", "claude-code"),
        ("claude_code", "claude-code"),
        ("codex", "codex"),
        ("base", None),
        ("_init", None),
        ("__init__", None),
        ("", None),
        ("../claude_code", None),
        ("a.b", None),
        ("claude code", None),
        ("nobody", None),
    ],
)
def test_a_host_is_found_by_its_name(host: str, name: str | None) -> None:
    found = find_adapter(host)
    assert (found.name if found is not None else None) == name


def test_an_adapter_that_cannot_be_imported_is_no_unknown_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "needy.py").write_text("import policy_engine.not_there\n")
    monkeypatch.setattr(adapters, "__path__", [*adapters.__path__, str(tmp_path)])
    with pytest.raises(ModuleNotFoundError, match="not_there"):
        find_adapter("needy")


@pytest.mark.parametrize("size", [0, 1, hook_entry.READ_CHUNK, hook_entry.READ_CHUNK + 1, 3 * hook_entry.READ_CHUNK])
def test_standard_input_is_read_to_its_end(asked: list[tuple[Any, ...]], feed: Feed, size: int) -> None:
    data = os.urandom(size)
    feed(data)
    assert (main(["plain"]), [one[2] for one in asked]) == (3, [data])


@pytest.mark.requirement("R23")
@pytest.mark.parametrize("more", [0, 1])
def test_a_payload_may_have_so_many_bytes_and_not_one_more(
    asked: list[tuple[Any, ...]],
    feed: Feed,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    more: int,
) -> None:
    most = hook_entry.READ_CHUNK + 100  # no event has more than one chunk without being counted
    monkeypatch.setattr(limits, "EVENT_BYTES", most)
    feed(b"x" * (most + more))
    assert (main(["plain"]), len(asked)) == ((2, 0) if more else (3, 1))
    said = "|E-LIMIT|the payload has more than EVENT_BYTES (65636) bytes\n" if more else "why\n"
    assert capfd.readouterr().err == said


def test_a_terminal_is_no_host(
    asked: list[tuple[Any, ...]], standard_input: Callable[[int], None], capfd: pytest.CaptureFixture[str], home: Path
) -> None:
    master, terminal = os.openpty()
    standard_input(terminal)
    assert (main(["plain", "--event", "Before"]), asked) == (2, [])
    os.close(master)
    text = "standard input is a terminal; a host writes the payload there"
    assert capfd.readouterr() == ("", f"Before|E-TTY|{text}\n")
    told = record(home)
    assert (told["host"], told["native"], told["hook"]) == ("plain", "Before", "before_tool")
    assert (told["code"], told["errors"], told["verdict"]) == ("E-TTY", [f"E-TTY: {text}"], "deny")


def test_a_standard_input_that_cannot_be_read_is_refused_with_the_reason(
    asked: list[tuple[Any, ...]], standard_input: Callable[[int], None], capfd: pytest.CaptureFixture[str], home: Path
) -> None:
    standard_input(os.open(home, os.O_RDONLY))
    assert (main(["plain"]), asked) == (2, [])
    assert capfd.readouterr() == ("", "|E-INPUT|standard input cannot be read: Is a directory\n")


def test_the_clock_runs_before_the_payload_is_read_and_stops_with_the_answer(
    asked: list[tuple[Any, ...]], feed: Feed, clock: Clockwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, seen = hook_entry._read_input, []

    def reading() -> bytes:
        seen.append(list(clock.timers))
        return read()

    monkeypatch.setattr(hook_entry, "_read_input", reading)
    feed(b"payload")
    main(["plain"])
    assert (seen, clock.timers) == ([[(3.0, 0.5)]], [(3.0, 0.5), (0, 0)])

    def broken() -> bytes:
        raise MemoryError

    monkeypatch.setattr(hook_entry, "_read_input", broken)
    with pytest.raises(MemoryError):  # for the handler around everything
        main(["plain"])
    assert clock.timers[-1] == (0, 0)


def test_a_fault_that_comes_too_late_for_an_answer_is_logged(
    asked: list[tuple[Any, ...]], feed: Feed, clock: Clockwork, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ringing() -> bytes:
        clock.handlers[clock.SIGALRM](clock.SIGALRM, None)
        raise AssertionError("the process has ended")

    monkeypatch.setattr(hook_entry, "_read_input", ringing)
    monkeypatch.setattr(posix, "_exit", lambda status: None)
    with pytest.raises(AssertionError):
        main(["plain", "--event=After"])
    told = record(home)
    assert (told["host"], told["native"], told["hook"]) == ("plain", "After", "after_tool")
    assert (told["code"], told["verdict"]) == ("E-DEADLINE", "warn")


@pytest.fixture
def serving(asked: list[tuple[Any, ...]], home: Path) -> Path:
    """The folder of a resident engine, as far as one system call can tell."""
    found = home / ".local/state/policy-engine/serve"
    found.mkdir(mode=0o700, parents=True)
    (found / "socket").touch()
    return found


@pytest.mark.parametrize(
    ("state", "home_is"),
    [("/x", "/h"), ("relative", "/h"), ("", "/h"), (None, "/h"), ("/x", ""), (None, "x"), (None, "")],
)
def test_the_folder_is_the_one_in_which_an_engine_listens(
    monkeypatch: pytest.MonkeyPatch, state: str | None, home_is: str
) -> None:
    """The client works it out without importing what does it elsewhere."""
    monkeypatch.delitem(posix.environ, b"XDG_STATE_HOME", raising=False)
    if state is not None:
        monkeypatch.setitem(posix.environ, b"XDG_STATE_HOME", state.encode())
    monkeypatch.setitem(posix.environ, b"HOME", home_is.encode())
    looked: list[str] = []
    monkeypatch.setattr(posix, "lstat", looked.append)
    try:
        folder = places.serve_folder()
    except ConfigurationError:
        assert (serving_folder(), looked) == ("", [])
    else:
        assert (serving_folder(), looked) == (folder, [f"{folder}/{places.SOCKET}"])


LOST = "policy: decided without `policy serve`: {}\n"


@pytest.mark.parametrize(
    ("outcome", "said", "lost"),
    [
        (None, "", False),
        (resident.Foreign("the folder is another user's"), LOST.format("the folder is another user's"), False),
        (resident.AnswerLost("it did not answer"), LOST.format("it did not answer"), True),
        (RuntimeError("odd \udcff"), LOST.format("odd \\udcff"), False),
    ],
)
def test_without_an_answer_of_the_resident_engine_this_process_decides(
    asked: list[tuple[Any, ...]],
    serving: Path,
    feed: Feed,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    outcome: Exception | None,
    said: str,
    lost: bool,
) -> None:
    given = []

    def resident_engine(
        folder: str, host: tuple[str, str | None], data: bytes, libraries: list[str], response: ResponseWriter
    ) -> None:
        given.append((folder, *host, data, libraries[:1], response.native))
        if outcome is not None:
            raise outcome

    monkeypatch.setattr(resident, "resident", resident_engine)
    feed(b"payload")
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert main(["plain", "--event=Before", "--libraries=/some/where"]) == 3
    assert given == [(str(serving), "plain", "Before", b"payload", ["/some/where"], "Before")]
    assert asked == [("plain", "Before", b"payload", "Before", lost)]
    assert capfd.readouterr() == ("decided\n", f"{said}why\n")


def test_the_answer_of_the_resident_engine_is_the_answer(
    asked: list[tuple[Any, ...]],
    serving: Path,
    feed: Feed,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resident, "resident", lambda *given: Answer(b"resident\n", b"", 5))
    feed(b"payload")
    assert (main(["plain"]), asked, capfd.readouterr()) == (5, [], ("resident\n", ""))


@pytest.mark.parametrize("there", ["nothing", "no home"])
def test_nobody_is_asked_where_nobody_listens(
    asked: list[tuple[Any, ...]], feed: Feed, monkeypatch: pytest.MonkeyPatch, there: str
) -> None:
    if there == "no home":
        monkeypatch.setitem(posix.environ, b"HOME", b"relative")
    monkeypatch.setattr(resident, "resident", lambda *given: Answer(b"resident\n", b"", 5))
    feed(b"payload")
    assert (main(["plain"]), len(asked)) == (3, 1)
