"""What a person is shown before they trust: everything in its place, untrusted text escaped."""

from __future__ import annotations

from policy_engine.reports.base import Style
from policy_engine.reports.trust_text import trust_text

EFFECTS = {
    "folder": "/home/dev/p\x1b[31m",
    "state": "changed",
    "digest": "sha256:0123456789",
    "problem": "",
    "rules": [
        {"rule": "b", "title": "B\u202e", "verdicts": ["warn", "deny"], "at": ["prompt"], "shadow": False},
        {"rule": "only-time", "title": "T", "verdicts": ["timeout"], "at": ["before_tool(shell)"], "shadow": True},
    ],
    "commands": [
        {
            "kind": "hook", "name": "h", "title": "H", "at": ["before_tool(\"\x07\")"],
            "condition": "when a == \"\x1b\"",
            "fail": "closed", "observe": True, "call": "",
            "runs": [{"stage": "", "run": ["sh", "a b\x1b"], "env": [], "timeout_ms": 1500}],
        }
    ],
    "files": {"a\x1b": "f" * 64 + " ../x\x1b", "b": "missing", ".policy": "folder"},
    "changes": {"a\x1b": "changed", "c": "added", "d": "removed"},
}  # fmt: skip


def test_every_part_has_its_place_and_untrusted_text_is_escaped() -> None:
    text = trust_text(EFFECTS, "then by \x1b", Style(color=False, width=80))
    assert text == "\n".join(
        (
            "/home/dev/p\\x1b[31m  changed",
            "trusted then by \\x1b",
            "",
            "rules  1 deny, 1 warn; they hold without trust, and can only tighten",
            "  deny, warn  b          prompt              B\\u202e",
            "  timeout     only-time  before_tool(shell)  T  (shadow)",
            "",
            "1 command  run with your rights, when they are trusted",
            "  hook h  H",
            '    at before_tool("\\x07")  when a == "\\x1b"',
            "    runs  sh 'a b\\x1b'  for up to 1.5 s",
            "    only observes",
            "",
            "1 file  bound by their content; what they start or read themselves is not",
            "  a\\x1b  ffffffffffff  a link to ../x\\x1b, out of the folder",
            "",
            "changed since it was trusted",
            "  ~ a\\x1b",
            "  + c",
            "  - d",
            "",
            "digest  sha256:0123456789",
            "",
        )
    )
