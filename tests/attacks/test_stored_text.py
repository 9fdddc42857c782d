"""What a session says never stands in its store: neither commands nor prompts nor values, secret or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.host import Done, Host

RULES = Path(__file__).resolve().parents[2] / "rules"
WORD = "zq7Wxv93Kd0ordinaryPrivateWord"
LINES = (
    f"export X={WORD}",
    f"git clone https://u:{WORD}@example.test/a.git",
    f"echo {WORD} | docker login --password-stdin",
    f"pytest -q --thing={WORD}",
    f"pytest -q -k {WORD}",
    f"$RUN {WORD}",
    f"psql -c \"select '{WORD}'\"",
)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    found = Host(tmp_path)
    for pattern in ("starter/general", "starter/pytest", "acceptance/*", "loops/*", "security/no-*"):
        for path in sorted(RULES.glob(f"{pattern}.policy")):
            found.write_policy(path.read_text(), f"{pattern[:4]}-{path.name}")
    found.warm()
    return found


def stored(host: Host) -> list[str]:
    """The files of the store in which the word stands."""
    return [
        path.name
        for folder in (host.state, host.cache)
        for path in folder.rglob("*")
        if path.is_file() and "decisions" not in path.name and WORD.encode() in path.read_bytes()
    ]


def test_no_text_of_a_session_stands_in_its_store(host: Host) -> None:
    def event(native: str, **fields: object) -> Done:
        return host.call(host.payload(native, **fields))

    event("SessionStart", source="startup")
    event("UserPromptSubmit", prompt=f"The word is {WORD}. `pytest -q` must pass.")
    for number, line in enumerate(LINES):
        host.call(host.shell(line, tool_use_id=f"c{number}", description=WORD))
        ended = host.ran(line, f"c{number}")
        ended["tool_response"]["stdout"] = f"{WORD}\n1 passed in 0.1s"
        host.call(ended)
    call = {"tool_name": "mcp__x__send", "tool_input": {"text": WORD}, "tool_use_id": "m"}
    event("PreToolUse", **call)
    event("PostToolUse", **call, tool_response={"content": [{"type": "text", "text": WORD}]})
    host.call({**host.stop(), "last_assistant_message": WORD})
    assert stored(host) == []


def test_without_its_key_a_past_is_lost_and_never_clean(host: Host) -> None:
    (host.workspace / "src").mkdir()
    (host.workspace / "src" / "a.py").write_text("x = 1\n")
    for payload in (host.shell("pytest -q", tool_use_id="t"), host.ran("pytest -q", "t")):
        host.call(payload)
    key = host.state / "sessions.sqlite3.key"
    assert key.stat().st_mode & 0o777 == 0o600
    key.unlink()
    assert host.call(host.stop()).verdict == "deny"
    assert key.stat().st_mode & 0o777 == 0o600
