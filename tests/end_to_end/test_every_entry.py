"""What is wrong with an event is refused whichever way it comes in: as a hook's payload, as a line, as a dictionary."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from policy_engine import Engine
from policy_engine.loading.event_lines import event_lines
from policy_engine.model.errors import EventError
from policy_engine.model.strict_json import read_json
from policy_engine.runtime.engine import Engine as Core
from policy_engine.runtime.engine import failure
from tests.end_to_end.host import POLICY, Host

REFUSING = ("ask", "deny", "stop")
EVENT: dict[str, Any] = {
    "hook": "before_tool",
    "session": "s",
    "id": "e",
    "time": "2026-11-20T10:00:00Z",
    "cwd": "/",
    "workspace": "/",
    "agent": {"kind": "main", "name": "main"},
    "host": {"name": "generic", "interactive": True},
    "tool": {"name": "Bash", "kind": "shell", "args": {"command": "ls"}},
}
GOOD = json.dumps(EVENT).encode()


def put(where: str, value: Any) -> bytes:
    """The event with one value replaced, or taken away by `...`; `where` is a path with dots."""
    event = copy.deepcopy(EVENT)
    *above, last = where.split(".")
    at = event
    for key in above:
        at = at[key]
    if value is ...:
        del at[last]
    else:
        at[last] = value
    return json.dumps(event, ensure_ascii=False).encode("utf-8", "surrogatepass")


def twin(key: str, other: str, value: str = '"rm a"') -> bytes:
    """The event with another key beside one."""
    return GOOD.replace(f'"{key}":'.encode(), f'"{other}": {value}, "{key}":'.encode())


BYTES: dict[str, bytes] = {
    "a prefix": GOOD[:-1],
    "a second document": GOOD + GOOD,
    "text behind": GOOD + b" true",
    "a separator behind": GOOD + b"\x1e",
    "NUL behind": GOOD + b"\x00",
    "single quotes": GOOD.replace(b'"', b"'"),
    "a comment": GOOD[:-1] + b"/**/}",
    "a trailing comma": GOOD[:-1] + b",}",
    "a byte order mark": b"\xef\xbb\xbf" + GOOD,
    "UTF-16": GOOD.decode().encode("utf-16-le"),
    "UTF-32": GOOD.decode().encode("utf-32-be"),
    "a byte that is no text": GOOD.replace(b'"ls"', b'"ls \xff"'),
    "an overlong slash": GOOD.replace(b'"ls"', b'"ls \xc0\xaf"'),
    "a character cut off": GOOD.replace(b'"ls"', b'"ls \xe2\x82"'),
    "a surrogate as bytes": GOOD.replace(b'"ls"', b'"ls \xed\xa0\x80"'),
    "a raw control character": GOOD.replace(b'"ls"', b'"ls \x01"'),
    "a raw tab": GOOD.replace(b'"ls"', b'"ls\ta"'),
    "the tool twice": twin("tool", "tool", '{"name": "Read", "kind": "read", "args": {"file_path": "a"}}'),
    "the command twice": twin("command", "command", '"ls"'),
    "an escaped key twice": twin("command", "comm\\u0061nd", '"ls"'),
    "a text of 9 MB": put("x", "y" * 9_000_000),
    "a number of 5,000 digits": put("tool.args.timeout", 7).replace(b" 7", b" " + b"7" * 5000),
}
VALUES: dict[str, bytes] = {
    "a lone surrogate": put("tool.args.command", "ls \ud800").replace(b"\xed\xa0\x80", b"\\ud800"),
    "a lone surrogate in the folder": put("cwd", "/\udfff").replace(b"\xed\xbf\xbf", b"\\udfff"),
    "NUL in the command": put("tool.args.command", "ls \0 -a"),
    "NUL in the folder": put("cwd", "/a\0"),
    "NUL in the workspace": put("workspace", "/a\0"),
    "NaN": put("tool.args.timeout", 7).replace(b" 7", b" NaN"),
    "infinity": put("tool.args.timeout", 7).replace(b" 7", b" -Infinity"),
    "more than a float": put("tool.args.timeout", 7).replace(b" 7", b" 1e400"),
    "negative zero": put("tool.args.timeout", 7).replace(b" 7", b" -0.0"),
    "the command in capitals": twin("command", "COMMAND"),
    "the command with a blank": twin("command", "command "),
    "the command full width": twin("command", "ｃommand"),
    "the command in mathematical letters": twin("command", "𝐜ommand"),
    "the command with a joiner": twin("command", "com\u200dmand"),
    "the command with a tag": twin("command", "command\U000e0041"),
    "the tool in capitals": twin("tool", "Tool", "{}"),
    "the folder with a mark of direction": twin("cwd", "cwd\u200f", '"/etc"'),
    "the Kelvin sign": twin("hook", "hoo\u212a", '"after_tool"'),
    "too deep": put("x", json.loads("[" * 70 + "]" * 70)),
    "too wide": put("x", [0] * 100_001),
    "a command of 200 kB": put("tool.args.command", "ls " + "a" * 200_000),
    "no point": put("hook", ...),
    "an unknown point": put("hook", "before_tool_2"),
    "the point in capitals": put("hook", "Before_Tool"),
    "an empty point": put("hook", ""),
    "a list of points": put("hook", ["before_tool"]),
    "no session": put("session", ...),
    "an empty session": put("session", ""),
    "a numbered session": put("session", 1),
    "no tool": put("tool", ...),
    "no name": put("tool.name", ...),
    "no arguments": put("tool.args", ...),
    "an unknown kind": put("tool.kind", "Shell"),
    "no command": put("tool.args", {}),
    "another name for the command": put("tool.args", {"cmd": "ls"}),
    **{f"a command that is {value!r}": put("tool.args.command", value) for value in (None, 1, True, ["rm", "a"], {})},
    **{f"arguments that are {value!r}": put("tool.args", value) for value in (None, "rm a", ["rm", "a"], 1)},
    **{f"the folder {value!r}": put("cwd", value) for value in ("", "a", "./a", "/a\nb", "/" + "a/" * 4000, None, 1)},
}


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.from_text(POLICY)


def by_line(engine: Engine, line: bytes) -> list[str]:
    """The verdicts of `policy eval` on one line, without its process."""
    found = []
    for _, event in event_lines(io.BytesIO(line)):
        decision = failure({}, event.code, "", "") if isinstance(event, EventError) else engine.decide(event)
        found.append(decision.verdict)
    return found


def test_the_event_that_the_others_are_made_of_is_allowed(engine: Engine) -> None:
    assert by_line(engine, GOOD + b"\n") == ["allow"]
    assert engine.decide(read_json(GOOD)).verdict == "allow"


@pytest.mark.fault(5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 20, 21, 23, 27, 28, 29, 30)
@pytest.mark.requirement("R1", "R23")
@pytest.mark.parametrize("name", [*BYTES, *VALUES])
def test_a_line_with_it_is_refused(engine: Engine, name: str) -> None:
    line = (BYTES | VALUES)[name]
    verdicts = by_line(engine, line + b"\n")
    assert verdicts and set(verdicts) <= set(REFUSING)


@pytest.mark.fault(11, 12, 15, 18, 19, 21, 23, 27, 28, 29, 30)
@pytest.mark.requirement("R1", "R23")
@pytest.mark.parametrize("name", VALUES)
def test_a_dictionary_with_it_is_refused_by_both_readers(engine: Engine, name: str) -> None:
    event = json.loads(VALUES[name])  # the lenient reader of a framework
    plain = Core(lambda: (engine.program, ()), engine._sessions, "/", lambda: 0)
    assert (engine.decide(event).verdict in REFUSING, plain.decide(event).verdict in REFUSING) == (True, True)


@pytest.mark.fault(16)
def test_an_integer_of_a_million_digits_is_refused_in_a_dictionary(engine: Engine) -> None:
    event = read_json(GOOD)
    event["tool"]["args"]["timeout"] = 10**1_000_000
    assert engine.decide(event).verdict == "deny"


def _native(line: bytes) -> bytes:
    """The same mistake in a host's payload, as far as the names differ only in the head."""
    names = {b'"hook"': b'"hook_event_name"', b'"session"': b'"session_id"', b'"before_tool"': b'"PreToolUse"'}
    for ours, theirs in names.items():
        line = line.replace(ours, theirs)
    return line.replace(
        b'"tool": {"name": "Bash", "kind": "shell", "args": {', b'"tool_name": "Bash", "tool_input": {'
    ).replace(b"}}}", b"}}", 1)


SAMPLE = [
    "a separator behind", "NUL behind", "a comment", "UTF-32", "a character cut off", "a surrogate as bytes",
    "an escaped key twice", "the command full width", "the command in mathematical letters",
    "the command with a joiner", "the command with a tag", "the folder '/a\\nb'",
]  # fmt: skip


@pytest.mark.fault(6, 7, 9, 10, 17, 18, 30)
@pytest.mark.requirement("R1", "R2")
@pytest.mark.parametrize("name", SAMPLE)
def test_a_payload_with_it_is_refused(ready: Host, name: str) -> None:
    good = _native(GOOD).replace(b'"cwd": "/"', f'"cwd": "{ready.workspace}"'.encode())
    assert ready.call(good).verdict == "allow"
    done = ready.call(_native((BYTES | VALUES)[name]))
    assert (done.verdict, bool(done.err)) == ("deny", True)


@pytest.mark.fault(30)
@pytest.mark.requirement("R1")
@pytest.mark.parametrize(
    "make",
    [
        lambda path: None,
        lambda path: path.touch(),
        lambda path: path.symlink_to(path),
        lambda path: path.symlink_to("/x"),
    ],
    ids=["missing", "a file", "a loop", "a dangling link"],
)
def test_a_working_folder_that_is_none_is_refused(ready: Host, tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / "at")
    environment = {"CLAUDE_PROJECT_DIR": str(ready.workspace)}
    for command in ("ls", "rm a"):
        done = ready.call(ready.shell(command, cwd=str(tmp_path / "at")), env=environment)
        assert (done.refused, "E-PATH" in done.err) == (True, True)
    assert ready.call(ready.shell("ls", cwd=str(tmp_path)), env=environment).verdict == "allow"


@pytest.mark.fault(27)
@pytest.mark.requirement("R9")
def test_an_event_that_only_observes_is_ignored_and_logged(host: Host) -> None:
    host.write_policy(POLICY)
    done = host.call(host.payload("Notification", message="x"))
    assert (done.status, done.out, done.err) == (0, b"", "")
    (line,) = (host.state / "decisions.jsonl").read_text().splitlines()
    assert "`Notification` is no lifecycle point" in line
