"""Secrets of many forms, through every kind of event, stand in no file that the engine keeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from policy_engine.audit.redaction import redacted
from tests.attacks.secret_forms import FORMS, KNOWN_LEAKS, LATER, made
from tests.end_to_end.host import Host

RULES = Path(__file__).resolve().parents[2] / "rules"
PACKS = ("starter/general", "starter/pytest", "acceptance/*", "loops/*", "security/*")
TOGETHER = 56  # forms in one text of an event
ALL = made(FORMS + LATER)


@pytest.mark.parametrize(("form", "text", "needles"), ALL, ids=[form for form, _, _ in ALL])
def test_a_form_leaves_nothing_in_a_record(form: str, text: str, needles: list[str]) -> None:
    kept = str(redacted({"input": {"text": text}}, "/nowhere/redaction.salt"))
    assert not [needle for needle in needles if needle in kept] or form in KNOWN_LEAKS


def _events(host: Host, text: str, number: int) -> Iterator[dict[str, Any]]:
    call = f"c{number}"
    yield host.payload("UserPromptSubmit", prompt=f"{text}\n`pytest -q` must pass.")
    yield host.shell(text, tool_use_id=call, description=text)
    ended = host.ran(text, call)
    ended["tool_response"]["stdout"] = f"{text}\n1 passed in 0.1s"
    yield ended
    todos = [{"content": line, "status": "pending", "activeForm": line} for line in text.splitlines()]
    for tool, given in (
        ("TodoWrite", {"todos": todos}),
        ("mcp__x__send", {"text": text, "more": {"lines": text.splitlines()}}),
        ("Write", {"file_path": str(host.workspace / "a.py"), "content": text}),
        ("ExitPlanMode", {"plan": text}),
        ("Task", {"description": text, "prompt": text, "subagent_type": "x"}),
    ):
        one = {"tool_name": tool, "tool_input": given, "tool_use_id": f"{call}{tool}"}
        yield host.payload("PreToolUse", **one)
        yield host.payload("PostToolUse", **one, tool_response={"content": [{"type": "text", "text": text}]})
    yield {**host.stop(), "last_assistant_message": text}
    yield {**host.payload(text.splitlines()[0]), "message": text}


def test_no_file_of_the_engine_holds_one(tmp_path: Path) -> None:
    host = Host(tmp_path)
    paths = [path for pattern in PACKS for path in sorted(RULES.glob(f"{pattern}.policy"))]
    imports = [f'import "pack:{path.parent.name}/{path.stem}"\n' for path in paths]
    host.write_policy("language 1\n" + "".join(imports))
    host.warm()
    host.asks = False
    for start in range(0, len(ALL), TOGETHER):
        text = "\n".join(text for _, text, _ in ALL[start : start + TOGETHER])
        for payload in _events(host, text, start):
            host.call(payload)
    files = [path for folder in (host.state, host.cache) for path in folder.rglob("*") if path.is_file()]
    kept = {path: path.read_bytes() for path in files}
    found = [
        (form, path.name)
        for form, _, needles in ALL
        for needle in needles
        for path, data in kept.items()
        if needle.encode() in data and form not in KNOWN_LEAKS
    ]
    assert found == [], found
    assert b"redacted:" in (host.state / "decisions.jsonl").read_bytes()
