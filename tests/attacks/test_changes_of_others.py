"""What a person or another session writes is no work of a session that only answers; what it may have left is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.session import Session
from tests.attacks.test_runs_of_tests import finish, ran, repository


def asked(folder: Path) -> Session:
    """A session that is asked a question."""
    session = repository(folder)
    plain = session.host.payload  # of a session in which no call has been proposed yet
    setattr(session.host, "payload", lambda native, **fields: plain(native, **{"session_id": "s-2", **fields}))  # noqa: B010
    session.host.call(session.host.payload("SessionStart", source="startup"))
    session.host.call(session.host.payload("UserPromptSubmit", prompt="Explain x."))
    return session


def read(session: Session, name: str = "src/app.py") -> None:
    given = {"file_path": str(session.workspace / name)}
    for event, more in (("PreToolUse", {}), ("PostToolUse", {"tool_response": {"type": "text"}})):
        payload = session.host.payload(event, tool_name="Read", tool_input=given, tool_use_id=f"r-{name}", **more)
        session.host.call(payload)


def test_a_session_that_only_answers_owes_nothing_for_what_others_write(tmp_path: Path) -> None:
    session = asked(tmp_path)
    read(session)
    ran(session, "git log --oneline -3; ls src | head -3", "abc x")
    session.put("src/app.py", "x = 3\n")
    assert finish(session) == "accepted"
    read(session)
    assert finish(session) == "accepted"


@pytest.mark.parametrize(
    "line",
    ["python3 tools/late.py &", "make serve", "sleep 9 && cp a src/app.py", "nohup ./x > /dev/null", "cat a > out.txt"],
)
def test_after_a_call_that_may_write_every_change_counts(tmp_path: Path, line: str) -> None:
    session = asked(tmp_path)
    ran(session, line)
    session.put("src/app.py", "x = 3\n")
    assert finish(session) == "refused"


@pytest.mark.parametrize("tool", ["Write", "Task", "mcp__x__y", "Bash"])
def test_a_call_whose_end_did_not_come_may_have_written(tmp_path: Path, tool: str) -> None:
    session = asked(tmp_path)
    given = {"file_path": str(session.workspace / "src/app.py"), "content": "x = 3\n", "command": "make", "prompt": "x"}
    session.host.call(session.host.payload("PreToolUse", tool_name=tool, tool_input=given, tool_use_id="c1"))
    session.put("src/app.py", "x = 3\n")
    assert finish(session) == "refused"


def test_a_change_of_another_does_not_hide_one_of_the_session(tmp_path: Path) -> None:
    session = asked(tmp_path)
    session.put("src/app.py", "x = 3\n")
    assert finish(session) == "accepted"
    ran(session, "python3 tools/make.py")
    session.put("src/app.py", "x = 4\n")
    assert finish(session) == "refused"


def test_what_another_wrote_before_a_call_that_only_reads_or_a_prompt_is_not_the_sessions(tmp_path: Path) -> None:
    session = asked(tmp_path)
    session.put("src/app.py", "x = 3\n")
    ran(session, "git log --oneline -3", "abc x")
    assert finish(session) == "accepted"
    session.put("src/app.py", "x = 4\n")
    session.host.call(session.host.payload("UserPromptSubmit", prompt="Explain y."))
    assert finish(session) == "accepted"


def test_what_came_with_a_call_that_may_write_is_found_after_one_that_only_reads(tmp_path: Path) -> None:
    session = asked(tmp_path)
    given = {"command": "make"}
    session.host.call(session.host.payload("PreToolUse", tool_name="Bash", tool_input=given, tool_use_id="c1"))
    session.put("src/app.py", "x = 3\n")
    ran(session, "git log --oneline -3", "abc x")
    assert finish(session) == "refused"
