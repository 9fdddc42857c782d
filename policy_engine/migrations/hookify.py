"""Migrate hookify rules (markdown files with front matter) to rules that match the same text.

`block` refuses, `warn` warns; the body is the message. Regexes ignore letter case, as hookify's do. What it matches is
text, so that `echo 'rm -rf /'` is caught and `r''m -rf /` is not: a comment says how the rule would read commands. A
`stop` rule that looks into the transcript is listed: here history answers such questions.

    ---
    name: no-force
    event: bash
    pattern: git\\s+push\\s+--force
    action: block
    ---
    Push without force.

An event `all` becomes a rule for each point at which its fields are there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from policy_engine.conversion.hookify_file import Condition, HookifyRule, read_rule
from policy_engine.conversion.regexes import example, matches, regex
from policy_engine.conversion.writing import (
    Inexpressible,
    Migrated,
    Original,
    Page,
    Played,
    block,
    literal,
    message,
    quoted,
)
from policy_engine.migrations.base import Migration
from policy_engine.model.source import Source


@dataclass(frozen=True, slots=True)
class _Event:
    """The point of a rule, the names of its fields here, and the field that a bare pattern is about."""

    point: str
    fields: dict[str, str]
    default: str


_COMMAND = 'tool.args["command"]'
_OLD = 'tool.args["old_string"]'
_FILE = {
    "file_path": 'tool.args["file_path"]',
    "new_text": "content",
    "new_string": "content",
    "content": "content",
    "old_text": _OLD,
    "old_string": _OLD,
}
_PROMPT = {"user_prompt": "prompt", "prompt": "prompt", "content": "prompt"}
_EVENTS = {
    "bash": _Event("before_tool(shell)", {"command": _COMMAND, "content": _COMMAND}, "command"),
    "file": _Event("before_tool(write, edit)", _FILE, "new_text"),
    "prompt": _Event("prompt", _PROMPT, "user_prompt"),
    "stop": _Event("before_completion", {"answer": "answer"}, "answer"),
}
_TRANSCRIPT = """# what the transcript was searched for is a fact of the session; for a command:
require command_success(command("npm test ...")) since prompted()
# or, if it only had to run:
require ran(command("npm test ...")) since prompted()"""
_AS_TEXT = "It matches the text of the line, as hookify did. `any c in commands { … }` would read its commands instead."


def convert(sources: Sequence[Source]) -> Migrated:
    """Return the policy of all files. Raises Refused for a file that is no rule."""
    page = Page([f"Made by `policy migrate --from hookify` from {', '.join(one.name for one in sources)}."])
    for source in sources:
        rule = read_rule(source)
        if not rule.enabled:
            page.remark(f"{source.name}: {quoted(rule.name)} is not enabled, and left out.")
            continue
        where = f"{source.name}:{rule.line}"
        for line, key in rule.unknown:
            page.lack(f"{source.name}:{line}", f"rule {quoted(rule.name)}", f"the key {quoted(key)} is not known")
        events = [rule.event] if rule.event != "all" else _events_of(rule)
        for event in events:
            with page.item(where, f"rule {quoted(rule.name)}"):
                _declare(page, rule, event, several=len(events) > 1)
    return page.finish()


def _events_of(rule: HookifyRule) -> list[str]:
    """Return the events that have every field of a rule for all events, or one to complain about."""
    if not rule.conditions:
        return ["bash", "file", "prompt"]
    fields = {condition.field for condition in rule.conditions}
    return [name for name, event in _EVENTS.items() if fields <= set(event.fields)] or ["stop"]


def _declare(page: Page, rule: HookifyRule, event: str, several: bool) -> None:
    if rule.tool_matcher:
        raise Inexpressible('`tool_matcher` chooses tools by name; say them in `on before_tool("NAME")`')
    there = _EVENTS[event]
    conditions = rule.conditions or (_pattern(rule, event),)
    when = " and ".join(_condition(one, there, event) for one in conditions)
    always = event == "stop" and not rule.conditions and matches(rule.pattern or "", "", True)
    tests = ["finish => VERDICT"] if always else _tests(event, conditions)
    verdict = "deny" if rule.action == "block" else "warn"
    text_of_rule = rule.message or f"The rule {quoted(rule.name)} speaks."
    clauses = [f"on {there.point}", *([] if always else [f"when {when}"])]
    clauses.append(f"{verdict} {message(text_of_rule)}")
    name = page.name(f"{rule.name}-{event}" if several else rule.name)
    steps = [step.replace("VERDICT", verdict) for step in tests]
    page.declare(block("rule", name, rule.name, clauses, steps), *([_AS_TEXT] if event == "bash" else []))
    page.originals.append(Original(name, rule.name, partial(_speaks, conditions, event)))


def _pattern(rule: HookifyRule, event: str) -> Condition:
    return Condition(rule.line, _EVENTS[event].default, "regex_match", rule.pattern or "")


def _condition(one: Condition, there: _Event, event: str) -> str:
    if one.field in ("transcript", "reason"):
        why = f"a policy does not read the {quoted(one.field)}; history and `answer` say what happened"
        raise Inexpressible(why, _TRANSCRIPT if one.field == "transcript" else "")
    if one.field not in there.fields:
        raise Inexpressible(f"the event `{event}` has no field {quoted(one.field)}, so that the rule never spoke")
    field = there.fields[one.field]
    optional = field.startswith("tool.args")
    subject = f'{field} else ""' if optional else field
    match one.operator:
        case "regex_match":
            return f"{subject} matches {regex(one.pattern, True)}"
        case "equals":
            return f"{subject} == {literal(one.pattern)}"
        case "not_contains":
            negated = f"not ({subject} contains {literal(one.pattern)})"
            return f"has {field} and {negated}" if optional else negated
        case _:
            return f"{subject} {one.operator} {literal(one.pattern)}"


def _speaks(conditions: Sequence[Condition], event: str, played: Played) -> bool:
    """Return whether hookify finds its conditions in what is proposed, said or answered."""
    canonical = played.events[-1]
    given = {**canonical, **canonical.get("tool", {}).get("args", {})}
    kind = canonical.get("tool", {}).get("kind", canonical["hook"])
    if kind not in {"bash": ("shell",), "file": ("write", "edit"), "stop": ("before_completion",)}.get(event, (event,)):
        return False
    return all(_found(one, _given(one.field, given)) for one in conditions)


def _given(field: str, given: Mapping[str, Any]) -> object:
    """Return a field of hookify's from what an event holds; None if it has none."""
    own = {"user_prompt": ("prompt",), "content": ("content", "new_string", "command", "prompt"),
           "new_text": ("content", "new_string"), "old_text": ("old_string",)}  # fmt: skip
    return next((given[name] for name in own.get(field, (field,)) if name in given), None)


def _found(one: Condition, value: object) -> bool:
    if not isinstance(value, str):
        return False
    if one.operator == "regex_match":
        return re.search(one.pattern, value, re.IGNORECASE) is not None
    return _holds(one, value)


# ---- tests ---------------------------------------------------------------------------------------------------------


def _tests(event: str, conditions: Sequence[Condition]) -> list[str]:
    """Steps that meet all conditions, and steps that do not; only such as are known to."""
    if any(_EVENTS[event].fields[one.field] == _OLD for one in conditions):
        return []  # no step of a test replaces a text
    meeting = {one.field: _meeting([each for each in conditions if each.field == one.field]) for one in conditions}
    if any(text is None for text in meeting.values()):
        return []
    other = dict.fromkeys(meeting, "zq")
    missed = not all(_holds(one, other[one.field]) for one in conditions)
    steps = _steps(event, {name: text or "" for name, text in meeting.items()}, "VERDICT")
    return [*steps, *(_steps(event, other, "allow") if missed else [])]


def _steps(event: str, texts: dict[str, str], verdict: str) -> list[str]:
    try:
        written = {name: literal(text) for name, text in texts.items()}
    except Inexpressible:
        return []
    value = next(iter(written.values()))
    if event == "bash":
        return [f"shell {value} => {verdict}"]
    if event == "prompt":
        return [f"prompt {value} => {verdict}"]
    if event == "stop":
        return [f"answer {value}", f"finish => {verdict}"]
    content = next((text for name, text in written.items() if name != "file_path"), '"zq"')
    if len({name for name in texts if name != "file_path"}) > 1 or not texts.get("file_path", "src/a.txt"):
        return []
    return [f"write {written.get('file_path', literal('src/a.txt'))} content {content} => {verdict}"]


def _meeting(conditions: Sequence[Condition]) -> str | None:
    """Return a text that meets all conditions of one field, if one is easily made."""
    wanted: list[str] = []
    for kind in ("starts_with", "equals", "regex_match", "contains", "ends_with"):
        for one in conditions:
            if one.operator == kind:
                sample = example(one.pattern, True) if kind == "regex_match" else one.pattern
                if sample is None:
                    return None
                wanted.append(sample)
    for text in ("".join(wanted), " ".join(wanted), "zq"):
        if all(_holds(one, text) for one in conditions):
            return text
    return None


def _holds(one: Condition, text: str) -> bool:
    match one.operator:
        case "regex_match":
            return matches(one.pattern, text, True)
        case "contains":
            return one.pattern in text
        case "not_contains":
            return one.pattern not in text
        case "equals":
            return one.pattern == text
        case "starts_with":
            return text.startswith(one.pattern)
        case _:
            return text.endswith(one.pattern)


HOOKIFY = Migration("hookify", "hookify rules: markdown files with front matter", convert)
