"""A number and a seed → rules, and a stream of canonical events of which about one in ten matches a rule.

Twelve families of rules in fixed rotation, each as people write them; every rule has a number in its literals, so the
number of rules that one event matches does not grow with the number of rules. Events that match nothing are near
misses on purpose: they carry the words that all rules of a family share (`--force-with-lease`, `--purge`), unknown
numbers, usual folders. The stream depends on the seed alone; only the matching events know the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from bench.rules import WORKSPACE, Rule, Test

Event = dict[str, Any]
SIZES = (10, 100, 1_000, 10_000)
MATCHING = 0.1
_VERDICTS = {
    "before_tool": ("warn", "ask", "deny"),
    "after_tool": ("warn", "remind"),
    "prompt": ("warn", "deny"),
    "before_completion": ("warn", "remind"),
}
_CHAT = ("mcp__chat__post", "mcp__chat__edit")
_DROP = Test("content", "contains", "DROP")
_SENTENCE = (
    "add the new check to the parser and update every caller that still reads the old field before the release notes "
    "are written then run the small suite again with verbose output so that the failing case prints its input value"
)
_WORDS = _SENTENCE.split()
_PROGRAMS = ("git status --short", "ls -la src", "pytest -q tests/unit", "rg -n 'def load' src", "npm run build")

Family = tuple[str, str, tuple[str, ...], Callable[[int, str], tuple[Test, ...]]]
FAMILIES: tuple[Family, ...] = (
    ("command-text", "before_tool", ("shell",), lambda i, n: (Test("command", "contains", f"tool-{n} --purge"),)),
    ("folder", "before_tool", ("write", "edit"), lambda i, n: (_below(f"src/area_{n}", ""),)),
    ("tool-name", "before_tool", ("mcp",), lambda i, n: (Test("tool", "eq", f"mcp__service_{n}__delete"),)),
    ("command-regex", "before_tool", ("shell",), lambda i, n: (_sequence(f"migrate-{n} ", "--force-with-lease"),)),
    ("prompt-text", "prompt", (), lambda i, n: (Test("prompt", "contains", f"project {n} key"),)),
    ("file-set", "before_tool", ("read",), lambda i, n: (_one_of(f"/etc/{n}.conf", f"/etc/{n}.key"),)),
    ("content-text", "before_tool", ("write", "edit"), lambda i, n: (Test("content", "contains", f"SECRET_{n}="),)),
    ("address", "before_tool", ("fetch",), lambda i, n: (Test("url", "prefix", f"https://host-{n}.example/"),)),
    ("exit-code", "after_tool", ("shell",), lambda i, n: (_exit(2 + i % 7), Test("command", "prefix", f"job-{n} "))),
    ("diff-size", "before_completion", (), lambda i, n: (Test("lines", "above", 1000 + i),)),
    ("argument", "before_tool", ("mcp",), lambda i, n: (Test("tool", "in", _CHAT), Test("channel", "eq", f"ops-{n}"))),
    ("folder-kind", "before_tool", ("write", "edit"), lambda i, n: (_below(f"db/part_{n}", ".sql"), _DROP)),
)


def _sequence(first: str, second: str) -> Test:
    return Test("command", "sequence", (first, second))


def _one_of(*paths: str) -> Test:
    return Test("file_path", "in", paths)


def _exit(code: int) -> Test:
    return Test("exit_code", "eq", code)


def _below(folder: str, suffix: str) -> Test:
    return Test("file_path", "folder", (f"{WORKSPACE}/{folder}/", suffix))


def make_rules(count: int) -> list[Rule]:
    """The first `count` rules; a smaller set is a prefix of a larger one."""
    rules = []
    for number in range(count):
        family, hook, kinds, tests_of = FAMILIES[number % len(FAMILIES)]
        tests = tests_of(number, f"{number:05d}")
        verdicts = _VERDICTS[hook]
        verdict = verdicts[number // len(FAMILIES) % len(verdicts)]
        rules.append(Rule(f"rule-{number:05d}", family, hook, kinds, tests, verdict))
    return rules


def with_parsed_values(rules: list[Rule]) -> list[Rule]:
    """The same rules as the engine's own users would write them: parsed commands and real paths instead of text.

    No peer can express these; they serve the whole-process table and rows of their own beside a limit that resolves
    paths too.
    """
    changed = []
    for rule in rules:
        if rule.family == "command-text":
            tests: tuple[Test, ...] = (Test("program", "eq", rule.tests[0].value.split()[0]),)
        else:
            tests = tuple(replace(t, field="paths") if t.op == "folder" else t for t in rule.tests)
        changed.append(replace(rule, tests=tests))
    return changed


def make_events(rules: list[Rule], count: int, seed: int = 62) -> list[Event]:
    """`count` canonical events for these rules; every tenth or so is made to match one of them."""
    random = Random(seed)
    events = []
    for index in range(count):
        draw, pick = random.random(), random.random()
        event = _plain_event(random, index)
        if draw < MATCHING and rules:
            event = matching_event(rules[int(pick * len(rules))], index, rules)
        events.append(event)
    return events


def _head(index: int, hook: str) -> Event:
    minute, second = divmod(index, 60)
    return {
        "hook": hook,
        "session": f"session-{index % 8}",
        "id": f"event-{index}",
        "time": f"2026-11-20T{10 + minute // 60 % 12:02d}:{minute % 60:02d}:{second:02d}Z",
        "cwd": WORKSPACE,
        "workspace": WORKSPACE,
        "agent": {"kind": "main", "name": "main"},
        "host": {"name": "generic", "interactive": True},
    }


def _tool_event(index: int, kind: str, name: str, args: dict[str, Any], hook: str = "before_tool") -> Event:
    event = _head(index, hook)
    event["tool"] = {"name": name, "kind": kind, "args": args}
    return event


def _text(random: Random, words: int) -> str:
    start = random.randrange(len(_WORDS))
    return " ".join(_WORDS[(start + position) % len(_WORDS)] for position in range(words))


def _path(random: Random, suffix: str = ".py") -> str:
    return f"{WORKSPACE}/src/{random.choice(('core', 'area_x', 'api'))}/{random.choice(_WORDS)}{suffix}"


def _plain_event(random: Random, index: int) -> Event:
    """An event that matches no rule, by the shares in which a coding agent's session has them."""
    share = random.random()
    if share < 0.34:
        return _tool_event(index, "shell", "Bash", {"command": _plain_command(random)})
    if share < 0.46:
        args = {"file_path": _path(random), "old_string": "value", "new_string": _text(random, random.randint(5, 60))}
        return _tool_event(index, "edit", "Edit", args)
    if share < 0.55:
        return _tool_event(index, "write", "Write", {"file_path": _path(random), "content": _text(random, 80)})
    if share < 0.71:
        return _tool_event(index, "read", "Read", {"file_path": _path(random)})
    if share < 0.78:
        args = {"channel": "general", "text": _text(random, 12)}
        return _tool_event(index, "mcp", random.choice(("mcp__chat__post", "mcp__issues__list")), args)
    if share < 0.82:
        return _tool_event(index, "fetch", "WebFetch", {"url": f"https://docs.example/{random.choice(_WORDS)}"})
    if share < 0.95:
        return _after(random, index)
    if share < 0.98:
        return {**_head(index, "prompt"), "prompt": _text(random, 30)}
    return _completion(index, random.randint(0, 900))


def _completion(index: int, lines: int) -> Event:
    return {**_head(index, "before_completion"), "answer": "Done.", "diff": {"files": 3, "lines": lines}}


def _plain_command(random: Random) -> str:
    if random.random() < 0.2:
        return f"run-{random.choice(_WORDS)} migrate-next --force-with-lease --purge"
    return random.choice(_PROGRAMS)


def _after(random: Random, index: int) -> Event:
    event = _tool_event(index, "shell", "Bash", {"command": random.choice(_PROGRAMS)}, "after_tool")
    code = random.choice((0, 0, 0, 1, 2))
    event["result"] = {"ok": code == 0, "exit_code": code, "text": _text(random, 20), "status": "completed"}
    return event


def matching_event(rule: Rule, index: int, rules: list[Rule]) -> Event:
    """An event that this rule (and few or no others of `rules`) matches."""
    value = rule.tests[0].value
    kind = rule.kinds[-1] if rule.kinds else ""
    match rule.family:
        case "command-text":
            return _tool_event(index, kind, "Bash", {"command": f"{value} --yes"})
        case "command-regex":
            return _tool_event(index, kind, "Bash", {"command": f"{value[0]}--table users {value[1]}"})
        case "folder":
            return _tool_event(index, kind, "Edit", {"file_path": value[0] + "one/two.py", "new_string": "x = 1"})
        case "folder-kind":
            args = {"file_path": value[0] + "two" + value[1], "new_string": "DROP TABLE users;"}
            return _tool_event(index, kind, "Edit", args)
        case "content-text":
            args = {"file_path": f"{WORKSPACE}/src/core/a.py", "new_string": f'key = "{value}abc"\nprint(key)\n'}
            return _tool_event(index, kind, "Edit", args)
        case "tool-name":
            return _tool_event(index, kind, value, {"id": "7"})
        case "argument":
            return _tool_event(index, kind, value[0], {"channel": rule.tests[1].value, "text": "hello"})
        case "file-set":
            return _tool_event(index, kind, "Read", {"file_path": value[1]})
        case "address":
            return _tool_event(index, kind, "WebFetch", {"url": value + "index.html"})
        case "prompt-text":
            return {**_head(index, "prompt"), "prompt": f"please rotate the {value} today"}
        case "exit-code":
            event = _tool_event(index, kind, "Bash", {"command": rule.tests[1].value + "--all"}, "after_tool")
            event["result"] = {"ok": False, "exit_code": value, "text": "failed", "status": "completed"}
            return event
    thresholds = sorted(r.tests[0].value for r in rules if r.family == "diff-size")
    return _completion(index, thresholds[index % min(3, len(thresholds))] + 1)
