"""Bytes as the words of a decision → the host's answer: JSON it may read, no control characters, never an approval."""

from __future__ import annotations

from policy_engine.adapters.base import Answer
from policy_engine.adapters.claude_code import ADAPTER, CAPABILITIES
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.event import Event
from policy_engine.model.ladder import RANK
from tests.fuzz.targets.event_reader import answered

SEEDS = (
    b"\x00\x00plain words",
    b"\x05\x02\x1b[31mred\x1b[0m",
    b"\x03\x01\xe2\x80\xae\xed\xa0\x80",
    b"\x02\x03" + b"x" * 300,
    b"\x07\x04\r\n\x00\xff",
    b'\x01\x05"}],{"',
)
VERDICTS = tuple(RANK)
NATIVE = (*CAPABILITIES, "Notification", "Unheard", "")


def target(data: bytes) -> None:
    native = NATIVE[data[0] % len(NATIVE)] if data else ""
    verdict = VERDICTS[data[1] % len(VERDICTS)] if len(data) > 1 else "deny"
    text = data[2:].decode("utf-8", "surrogateescape")
    _check(ADAPTER.failure(native, "E-INTERNAL", text), native, "deny")
    results = tuple(
        RuleResult(
            text[:20] or "r", "violated", word, text, text[:9], ((text, {text: text}),), (text,), (text,), (text,)
        )
        for word in VERDICTS[1 : RANK[verdict] + 1]
    )
    stop = text if verdict == "stop" else None
    timeout = len(text) * 1000 or None
    decision = Decision("e", "before_tool", "s", verdict, "sha256:0", results, (text,) * (len(data) % 2), stop, timeout)
    raw = {
        "hook": "before_tool",
        "session": "s",
        "host": {"interactive": len(data) % 3 == 0},
        "tool": {"name": "Bash", "kind": "shell", "args": {"command": "ls"}},
    }
    for event in (None, Event.from_dict(raw)):
        _check(ADAPTER.encode(decision, native, event), native, verdict)


def _check(answer: Answer, native: str, verdict: str) -> None:
    answered(answer, native, verdict)
    for line in answer.stderr.decode("utf-8").split("\n"):
        assert line.replace("\t", "").isprintable(), line
