"""The neutral form of a benchmark rule, its plain meaning, and the policy text that says the same.

Every peer's rules are made from this form, so a difference in an answer is a difference in an engine. The form keeps
to what all peers can say: equality, membership, prefix, folder with a suffix, substring, two literals in order, an
integer threshold. Fields are those of a `Record`: one flat dictionary per event, absent texts "" and numbers -1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Record = dict[str, Any]
TEXT_FIELDS = ("hook", "kind", "tool", "command", "file_path", "content", "url", "channel", "prompt")
NUMBER_FIELDS = ("exit_code", "lines")
WORKSPACE = "/workspace"
LADDER = ("allow", "warn", "remind", "ask", "deny", "stop")

_FIELD_TEXT = {
    "tool": "tool.name",
    "command": 'tool.args["command"] else ""',
    "file_path": 'tool.args["file_path"] else ""',
    "url": 'tool.args["url"] else ""',
    "channel": 'tool.args["channel"] else ""',
    "content": "content",
    "prompt": "prompt",
    "exit_code": "result.exit_code",
    "lines": "diff.lines",
}


@dataclass(frozen=True, slots=True)
class Test:
    """One condition on one field.

    `op` and `value`: eq (str or int) · in (tuple of str) · prefix (str) · contains (str) · above (int) ·
    folder (absolute folder ending in a slash, suffix: the path lies below and ends so) ·
    sequence (two literals, the second later on the same line).
    """

    field: str
    op: str
    value: Any


@dataclass(frozen=True, slots=True)
class Rule:
    """`id` gives `verdict` at lifecycle point `hook` for one of the tool `kinds` (empty: no tool) if all tests hold."""

    id: str
    family: str
    hook: str
    kinds: tuple[str, ...]
    tests: tuple[Test, ...]
    verdict: str


def holds(test: Test, record: Record) -> bool:
    """The plain meaning of one test."""
    actual, value = _value(test.field, record), test.value
    match test.op:
        case "eq":
            return bool(actual == value)
        case "in":
            return actual in value
        case "prefix":
            return bool(actual.startswith(value))
        case "contains":
            return value in actual
        case "above":
            return bool(actual > value)
        case "folder":
            return bool(actual.startswith(value[0]) and actual.endswith(value[1]))
        case "sequence":
            return any(_in_order(line, value[0], value[1]) for line in actual.split("\n"))
    raise ValueError(test.op)


def _value(field: str, record: Record) -> Any:
    if field == "program":  # the workload's commands are plain words
        return record["command"].partition(" ")[0]
    return record["file_path" if field == "paths" else field]


def _in_order(line: str, first: str, second: str) -> bool:
    start = line.find(first)
    return start >= 0 and line.find(second, start + len(first)) >= 0


def applies(rule: Rule, record: Record) -> bool:
    """The plain meaning of one rule."""
    if rule.hook != record["hook"] or (rule.kinds and record["kind"] not in rule.kinds):
        return False
    return all(holds(test, record) for test in rule.tests)


def record_of(event: dict[str, Any]) -> Record:
    """Canonical event → flat record, which is what the peers are given."""
    tool = event.get("tool", {})
    args = tool.get("args", {})
    return {
        "hook": event["hook"],
        "kind": tool.get("kind", ""),
        "tool": tool.get("name", ""),
        "command": args.get("command", ""),
        "file_path": args.get("file_path", ""),
        "content": args.get("content", args.get("new_string", "")),
        "url": args.get("url", ""),
        "channel": args.get("channel", ""),
        "prompt": event.get("prompt", ""),
        "exit_code": event.get("result", {}).get("exit_code", -1),
        "lines": event.get("diff", {}).get("lines", -1),
    }


def strictest(verdicts: list[str]) -> str:
    """The maximum on the ladder; allow if there is none."""
    return max(verdicts, key=LADDER.index, default="allow")


def quoted(text: str) -> str:
    """A string literal that our language, Cedar, CEL, Rego and the expression languages all read alike."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def escaped(text: str) -> str:
    """A literal inside a regular expression (RE2, Rust and Python syntax alike)."""
    return "".join(letter if letter.isalnum() or letter in " _-/:=" else "\\" + letter for letter in text)


def policy_text(rules: list[Rule]) -> str:
    """Neutral rules → one policy file in the engine's own language."""
    return "language 1\n\n" + "\n".join(_rule_text(rule) for rule in rules)


def _rule_text(rule: Rule) -> str:
    point = f"{rule.hook}({', '.join(rule.kinds)})" if rule.kinds else rule.hook
    return _framed(rule, point, " and ".join(_test_text(test) for test in rule.tests), "")


def _framed(rule: Rule, point: str, condition: str, words: str) -> str:
    return (
        f'rule {rule.id} "Benchmark rule of family {rule.family}" {{\n{words}'
        f"  on {point}\n"
        + (f"  when {condition}\n" if condition else "")
        + f'  {rule.verdict} "Rule {rule.id} speaks. Choose another way."\n}}\n'
    )


_SHARED = """language 1

param chats "Tools that post" = ["mcp__chat__post"]
define edits += ["mcp__chat__edit"]
define says(text: String, word: String) = text contains word
define posts = tool.name in chats or tool.name in edits

"""


def short_text(rules: list[Rule], told: bool = False) -> str:
    """The same rules over parsed commands as `policy_text`, in the forms that spare words: `on command`, defines with
    arguments, parameters, open defines; `told` with the incident and the control that every denial names.
    """
    return _SHARED + "\n".join(_short_rule(rule, told) for rule in rules)


def told_text(rules: list[Rule]) -> str:
    return short_text(rules, told=True)


def _short_rule(rule: Rule, told: bool) -> str:
    words = f'  incident "Job {rule.id} went wrong once"\n  control "bench:{rule.family}"\n' if told else ""
    tests = rule.tests
    if tests[0].field == "program":
        return _framed(rule, f"command {tests[0].value}", "", words)
    point = f"{rule.hook}({', '.join(rule.kinds)})" if rule.kinds else rule.hook
    return _framed(rule, point, " and ".join(_short_test(test) for test in tests), words)


def _short_test(test: Test) -> str:
    value = test.value
    if test.op == "contains":
        return f"says({_FIELD_TEXT[test.field]}, {quoted(value)})"
    if test.op == "in" and test.field == "tool":
        return "(posts)"
    return _test_text(test)


def _glob(value: tuple[str, str]) -> str:
    folder = value[0].removeprefix(WORKSPACE + "/")
    return folder + ("**/*" + value[1] if value[1] else "**")


def _test_text(test: Test) -> str:
    value = test.value
    if test.field == "program":
        return f"any c in commands {{ c.program == {quoted(value)} }}"
    if test.field == "paths":
        return f"any p in paths {{ p matches {quoted(_glob(value))} }}"
    field = _FIELD_TEXT[test.field]
    match test.op:
        case "eq":
            return f"{field} == {value if isinstance(value, int) else quoted(value)}"
        case "in":
            return f"{field} in [{', '.join(quoted(item) for item in value)}]"
        case "prefix":
            return f"{field} starts_with {quoted(value)}"
        case "contains":
            return f"{field} contains {quoted(value)}"
        case "above":
            return f"{field} > {value}"
        case "folder":
            ends = f" and {field} ends_with {quoted(value[1])}" if value[1] else ""
            return f"{field} starts_with {quoted(value[0])}{ends}"
        case "sequence":
            pattern = (escaped(value[0]) + ".*" + escaped(value[1])).replace("/", "\\/")
            return f"{field} matches /{pattern}/"
    raise ValueError(test.op)
