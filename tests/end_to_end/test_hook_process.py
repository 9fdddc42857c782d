"""The registered command as a process: what it answers, and that bad input is never consent (faults A and G)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from typing import Any

import pytest

from tests.end_to_end.host import COMMAND, POLICY, Host, closing


def test_a_cold_and_a_warm_cache_give_the_same_bytes(host: Host) -> None:
    host.write_policy(POLICY)
    for command in ("rm a", "ls"):
        shutil.rmtree(host.cache, ignore_errors=True)
        cold = host.call(host.shell(command))
        host.warm()
        assert host.call(host.shell(command)) == cold


@pytest.mark.requirement("R2")
def test_a_refusal_goes_out_on_both_channels(ready: Host) -> None:
    done = ready.call(ready.shell("rm a"))
    output = json.loads(done.out)["hookSpecificOutput"]
    assert (done.status, output["permissionDecision"]) == (2, "deny")
    assert output["permissionDecisionReason"] == done.err.strip()
    assert "`rm a` removes files." in done.err


def test_consent_is_silent(ready: Host) -> None:
    done = ready.call(ready.shell("ls"))
    assert (done.status, done.out, done.err) == (0, b"", "")


def test_a_repository_without_a_policy_asks_nothing(host: Host) -> None:
    done = host.call(host.shell("rm a"))
    assert (done.status, done.out, done.err) == (0, b"", "")


@pytest.mark.requirement("R1")
def test_a_host_that_is_not_known_is_refused(ready: Host) -> None:
    for name in ("nobody", "base", "../claude_code", "claude\udcff", ""):
        done = ready.call(ready.shell("ls"), os.fsencode(name).decode("utf-8", "surrogateescape"))
        assert (done.verdict, done.out) == ("deny", b"")
        assert "unknown host" in done.err


@pytest.mark.fault(5)
@pytest.mark.requirement("R1")
def test_every_beginning_of_a_payload_is_refused(ready: Host) -> None:
    whole = json.dumps(ready.shell("ls")).encode()
    assert ready.call(whole).verdict == "allow"
    assert [end for end in range(0, len(whole), 7) if ready.call(whole[:end]).verdict != "deny"] == []


def _payload(**fields: Any) -> bytes:
    found = {
        "session_id": "s",
        "hook_event_name": "PreToolUse",
        "cwd": "/nowhere",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        **fields,
    }
    return json.dumps({key: value for key, value in found.items() if value is not ...}).encode()


GOOD = _payload()
MALFORMED = {
    "empty": (b"", "E-EMPTY"),
    "blank": (b" \n", "E-EMPTY"),
    "two documents": (GOOD + b"\n" + GOOD, "E-TRAILING"),
    "trailing text": (GOOD + b"#", "E-TRAILING"),
    "single quotes": (GOOD.replace(b'"', b"'"), "E-JSON"),
    "trailing comma": (GOOD[:-1] + b",}", "E-JSON"),
    "byte order mark": (b"\xef\xbb\xbf" + GOOD, "E-BOM"),
    "UTF-16": (GOOD.decode().encode("utf-16"), "E-UTF8"),
    "invalid UTF-8": (GOOD.replace(b'"ls"', b'"l\xffs"'), "E-UTF8"),
    "overlong UTF-8": (GOOD.replace(b'"ls"', b'"\xc0\xaf"'), "E-UTF8"),
    "lone surrogate": (GOOD.replace(b'"ls"', b'"\\ud800"'), "E-SURROGATE"),
    "a control character": (GOOD.replace(b'"ls"', b'"l\x01s"'), "E-JSON"),
    "NUL in the command": (GOOD.replace(b'"ls"', b'"l\\u0000s"'), "E-NUL"),
    "a key twice": (GOOD[:-1] + b', "tool_input": {"command": "ls"}}', "E-DUPKEY"),
    "a key in two cases": (GOOD.replace(b'"command"', b'"Command": "rm a", "command"'), "E-DUPKEY"),
    "NaN": (GOOD[:-1] + b', "x": NaN}', "E-NUMBER"),
    "infinity": (GOOD[:-1] + b', "x": 1e999}', "E-NUMBER"),
    "5,000 digits": (GOOD[:-1] + b', "x": ' + b"1" * 5000 + b"}", "E-NUMBER"),
    "deep nesting": (GOOD[:-1] + b', "x": ' + b"[" * 100 + b"]" * 100 + b"}", "E-LIMIT"),
    "very deep nesting": (b"[" * 100_000, "E-LIMIT"),
    "too many keys": (b"{" + b",".join(b'"%d":1' % n for n in range(100_001)) + b"}", "E-LIMIT"),
    "9 MB": (_payload(tool_input={"command": "x" * (9 << 20)}), "E-LIMIT"),
    "a command of 200 kB": (_payload(tool_input={"command": "x" * 200_000}), "E-LIMIT"),
    "no object": (b"[]", "E-TYPE"),
    "a text": (b'"x"', "E-TYPE"),
    "no event": (_payload(hook_event_name=...), "E-POINT"),
    "an unknown event": (_payload(hook_event_name="PreToolUse2"), "E-POINT"),
    "an event in another case": (_payload(hook_event_name="pretooluse"), "E-POINT"),
    "an event of another type": (_payload(hook_event_name=["PreToolUse"]), "E-TYPE"),
    "no tool": (_payload(tool_name=...), "E-FIELD"),
    "no input": (_payload(tool_input=...), "E-FIELD"),
    "an input that is a list": (_payload(tool_input=["rm", "a"]), "E-TYPE"),
    "no command": (_payload(tool_input={}), "E-TYPE"),
    "a command that is null": (_payload(tool_input={"command": None}), "E-TYPE"),
    "a command that is a list": (_payload(tool_input={"command": ["rm", "a"]}), "E-TYPE"),
    "a command that is a number": (_payload(tool_input={"command": 1}), "E-TYPE"),
    "no session": (_payload(session_id=...), "E-FIELD"),
    "no folder": (_payload(cwd=...), "E-FIELD"),
    "an empty folder": (_payload(cwd=""), "E-FIELD"),
    "a relative folder": (_payload(cwd="work"), "E-PATH"),
    "a folder with NUL": (_payload(cwd="/a\0b"), "E-NUL"),
    "a folder of another system": (_payload(cwd="C:\\work"), "E-PATH"),
    "a very long folder": (_payload(cwd="/" + "a" * 5000), "E-PATH"),
}


@pytest.mark.fault(1, 6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 20, 21, 23, 27, 28, 29, 30)
@pytest.mark.requirement("R1", "R2", "R23")
@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_payload_is_refused_with_its_code(ready: Host, name: str) -> None:
    data, code = MALFORMED[name]
    done = ready.call(data)
    assert (done.verdict, code in done.err) == ("deny", True), done.err
    assert len(done.err) < 1000


@pytest.mark.fault(28)
@pytest.mark.requirement("R2")
def test_what_was_refused_is_said_in_the_words_of_the_event(ready: Host) -> None:
    assert ready.call(_payload(session_id=...)).refused
    after = ready.call(_payload(hook_event_name="PostToolUse", session_id=...))
    assert (after.status, json.loads(after.out)["systemMessage"]) == (0, after.err.strip())


@pytest.mark.fault(27)
def test_nothing_of_the_payload_reaches_a_terminal_as_it_is(ready: Host) -> None:
    done = ready.call(_payload(hook_event_name="\x1b[2J\u202e"))
    assert done.verdict == "deny"
    assert done.err.strip().isprintable()


@pytest.mark.fault(22)
@pytest.mark.requirement("R23")
def test_an_endless_payload_is_refused_at_the_limit(ready: Host) -> None:
    endless = subprocess.Popen(["/usr/bin/yes"], stdout=subprocess.PIPE)
    assert endless.stdout is not None
    done = ready.call(b"", input=None, stdin=endless.stdout)
    endless.stdout.close()
    assert endless.wait() == -signal.SIGPIPE
    assert (done.verdict, "EVENT_BYTES" in done.err) == ("deny", True)


@pytest.mark.fault(2, 108)
@pytest.mark.requirement("R1", "R3")
@pytest.mark.parametrize("descriptor", [0, 1, 2])
def test_a_closed_stream_is_not_consent(ready: Host, descriptor: int) -> None:
    options: dict[str, Any] = {"preexec_fn": closing(descriptor)}
    done = ready.call(ready.shell("rm a"), **options)
    assert done.status == 2
    assert "Traceback" not in done.err


@pytest.mark.fault(108)
@pytest.mark.requirement("R3", "R5")
def test_a_question_that_nobody_can_read_is_a_refusal(host: Host) -> None:
    host.write_policy(POLICY.replace("deny", "ask"))
    assert host.call(host.shell("rm a")).verdict == "ask"
    assert host.call(host.shell("rm a"), preexec_fn=closing(1)).status == 2
    with open("/dev/full", "wb") as full:
        done = host.call(host.shell("rm a"), capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.status, "standard output cannot be written" in done.err) == (2, True)
    read, write = os.pipe()
    os.close(read)
    done = host.call(host.shell("rm a"), capture_output=False, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert done.status == 2


@pytest.mark.fault(108)
@pytest.mark.requirement("R3")
def test_a_full_device_takes_no_refusal_away(ready: Host) -> None:
    with open("/dev/full", "wb") as full:
        done = ready.call(ready.shell("rm a"), capture_output=False, stdout=full, stderr=full)
    assert done.status == 2


HOSTILE = {
    "PYTHONPATH": "{cwd}",
    "PYTHONHOME": "{cwd}",
    "PYTHONSTARTUP": "{cwd}/json.py",
    "PYTHONWARNINGS": "error",
    "PYTHONOPTIMIZE": "2",
    "PYTHONUTF8": "0",
    "PYTHONIOENCODING": "ascii",
    "PYTHONHASHSEED": "1",
    "PYTHONINSPECT": "1",
    "PYTHONBREAKPOINT": "json.x",
    "LC_ALL": "C",
    "PATH": ".",
    "TZ": "Nowhere/None",
}


@pytest.mark.fault(105, 106, 107)
@pytest.mark.requirement("R18")
def test_a_hostile_folder_and_environment_change_nothing(host: Host) -> None:
    trap = host.workspace
    body = f"import os\nos.open({str(host.home / 'sprung')!r}, os.O_CREAT)\nraise SystemExit(0)\n"
    (trap / "policy_engine").mkdir()
    names = "json re os posix site sitecustomize usercustomize lark encodings policy_engine/__init__ marshal _json"
    for name in names.split():
        (trap / f"{name}.py").write_text(body)
    host.write_policy(POLICY)
    environment = {name: value.format(cwd=trap) for name, value in HOSTILE.items()}
    for _ in ("cold", "warm"):
        assert host.call(host.shell("rm a"), cwd=trap, env=environment).refused
        assert host.call(host.shell("ls"), cwd=trap, env=environment).verdict == "allow"
    assert not (host.home / "sprung").exists()


@pytest.mark.parametrize("value", [None, "", "relative"])
def test_without_a_home_the_action_is_refused_and_the_folder_stays_clean(ready: Host, value: str | None) -> None:
    environment = {} if value is None else {"HOME": value}
    before = sorted(ready.workspace.rglob("*"))
    done = subprocess.run(
        [*COMMAND, "claude-code"],
        input=json.dumps(ready.shell("ls")).encode(),
        capture_output=True,
        env=environment,
        cwd=ready.workspace,
        check=False,
    )
    assert (done.returncode, b"HOME" in done.stderr) == (2, True)
    assert sorted(ready.workspace.rglob("*")) == before


@pytest.mark.fault(30)
@pytest.mark.requirement("R18")
def test_a_deleted_working_folder_changes_nothing(ready: Host) -> None:
    line = 'mkdir "$HOME/gone" && cd "$HOME/gone" && rmdir "$HOME/gone" && exec "$@"'
    done = subprocess.run(
        ["/bin/sh", "-c", line, "sh", *COMMAND, "claude-code"],
        input=json.dumps(ready.shell("rm a")).encode(),
        capture_output=True,
        env=ready.environment,
        check=False,
    )
    assert done.returncode == 2 and b"removes files" in done.stderr


@pytest.mark.fault(110)
def test_an_agent_in_a_subfolder_is_under_the_policy_of_its_repository(host: Host) -> None:
    host.write_policy(POLICY)
    below = host.workspace / "src" / "deep"
    below.mkdir(parents=True)
    for _ in ("cold", "warm"):
        assert host.call(host.shell("rm a", cwd=str(below))).refused


def test_a_repository_within_one_is_under_its_policy(host: Host) -> None:
    host.write_policy(POLICY)
    below = host.workspace / "vendored"
    (below / ".git").mkdir(parents=True)
    assert host.call(host.shell("rm a", cwd=str(below))).refused


def test_a_prompt_and_a_result_that_were_cut_within_a_character_are_heard(ready: Host) -> None:
    done = ready.call(ready.payload("UserPromptSubmit", prompt="half \ud83d"))
    assert (done.status, done.err) == (0, "")
    call = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "a"}
    ready.call(ready.payload("PreToolUse", **call))
    shown = {"stdout": "\ude00 2 passed", "stderr": "", "interrupted": False}
    done = ready.call(ready.payload("PostToolUse", **call, tool_response=shown))
    assert (done.status, done.err) == (0, "")
