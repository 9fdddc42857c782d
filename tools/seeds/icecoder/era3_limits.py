"""Era 3: failure streaks, edit budgets, saved state."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from policy_engine.runtime.stored_sessions import StoredSessions
from tools.seeds.base import ROOT, Area, Skip, UnknownShape, quoted
from tools.seeds.icecoder.host import Given, Host, Mapping, areas, shaped

LIMITS = "compat/icecoder/e3-limits"
COUNTED = """\
language 1
define seen = count(command_failure({command}))
rule counted "How often it failed" {{
  on after_round
  when seen > 0
  warn "{{seen}}"
}}
"""
_PROMPT = "the task"


def streak(given: Given, expect: Given) -> Given:
    shaped(given, "", "cmd fails sequence events n mark_at")
    command = given.get("cmd", "npm test")
    words = given.get("sequence") or given.get("events", []) * given.get("n", 1) or ["fail"] * given["fails"]
    host = Host(LIMITS)
    host.prompt(_PROMPT)
    told, failures = [], 0
    for word in words:
        failures += word in ("fail", "blocked")
        if "e3-streak" in _one(host, word, command):
            told.append(failures)
    count = int(host.round().get("e3-streak-count", "0"))
    return {"trigger": bool(told) and told[-1] == failures, "triggers_at": told, "count": count, "command": command}


def _one(host: Host, word: str, command: str) -> dict[str, str]:
    match word.partition(" ")[0]:
        case "blocked":
            return host.result("run_command", {"command": command}, False, status="blocked")
        case "fail":
            return host.run(command, False)
        case "pass" | "ok" | "success":
            return host.run(command)
        case "write" | "edit":
            return host.write("src/a.ts", "edit_file")
        case "background_start" | "start":
            return host.result("run_command", {"command": command}, True, '{"mode": "background"}')
        case "background_running" | "running":
            return host.result("run_command", {"command": command, "action": "check"}, True, '{"status": "running"}')
    raise UnknownShape(f"an event `{word}`")


def budget(given: Given, expect: Given) -> Given:
    if "failed" in given:
        return _retries(given, expect)
    shaped(given, "", "edits max new_user_message bypass snapshot path")
    text = (ROOT / f"rules/{LIMITS}.policy").read_text("utf-8")
    most = int(given.get("max", 3))
    text = re.sub(r"at 4 deny", f"at {most + 1} deny", text)
    with tempfile.TemporaryDirectory(prefix="seed-") as folder:
        state = str(Path(folder, "sessions.db"))
        host = Host(text=text, sessions=StoredSessions(state))
        host.prompt(_PROMPT)
        for _ in range(int(given.get("edits", most))):
            _edit(host)
        if given.get("new_user_message"):
            host.prompt("go on")
        if given.get("bypass"):
            host.facts(bypass=True)
        if given.get("snapshot"):
            again = Host(text=text, sessions=StoredSessions(state))
            again.world = host.world
            host = again
        blocked = _edit(host)
        if given.get("bypass") and not _edit(host):
            raise UnknownShape("the bypass did not end after one attempt")
    return {"would_block": blocked, "would_block_after_restore": blocked}


def _edit(host: Host) -> bool:
    """One more edit of the same file, if it may be made; whether it may not."""
    if "e3-edits" in host.propose("edit_file", path="src/a.ts"):
        return True
    host.write("src/a.ts", "edit_file")
    return False


def _retries(given: Given, expect: Given) -> Given:
    """Blanks are the parser's business: each command as `expect` names it, counted as a pattern."""
    shaped(given, "failed", "max")
    counts, most = {}, int(given.get("max", 2))
    for command in expect.get("count", {given["failed"][0]: 0}):
        host = Host(text=COUNTED.format(command=quoted(command)))
        for one in given["failed"]:
            host.run(one, False)
        counts[command] = int(host.round().get("counted", "0"))
    return {"count": counts, "would_block": max(counts.values()) >= most}


def checkpoint(given: Given, expect: Given) -> Given:
    raise Skip("the layout of iceCoder's own save files; ours keeps a session in its store and takes no other's state")


MAPPINGS: dict[str, Mapping] = {"e3.streak": streak, "e3.budget": budget, "e3.checkpoint": checkpoint}
AREAS: dict[str, Area] = areas(MAPPINGS)
