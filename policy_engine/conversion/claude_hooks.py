"""Convert `hooks` of Claude Code's settings to `hook` declarations.

A command there is a line for a shell; here it is an argv, run in the workspace, so that `$CLAUDE_PROJECT_DIR/` before a
path falls away. The program is given the canonical event instead of the host's payload.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from policy_engine.conversion.document import Located
from policy_engine.conversion.lines import argv_of, argv_text
from policy_engine.conversion.permissions import call_step, guards, read_permission
from policy_engine.conversion.regexes import regex
from policy_engine.conversion.writing import Inexpressible, Page, block, layout, literal, quoted


@dataclass(frozen=True, slots=True)
class _Event:
    """The lifecycle point of an event, whether a block holds there, and steps of a test that reach it."""

    point: str
    blocks: bool = False
    tools: bool = False
    when: str = ""
    reach: tuple[str, ...] = ()
    seconds: int = 600


_EVENTS = {
    "SessionStart": _Event("session_start"),
    "UserPromptSubmit": _Event("prompt", True, reach=('prompt "Repair it."',), seconds=30),
    "PreToolUse": _Event("before_tool", True, True),
    "PermissionRequest": _Event("before_permission", True, True),
    "PostToolUse": _Event("after_tool", False, True, "result.ok", ('read "a.txt"',)),
    "PostToolUseFailure": _Event("after_tool", False, True, "not result.ok", ('run "make all" exit 2',)),
    "PostToolBatch": _Event("after_round"),
    "Stop": _Event("before_completion", True, reach=("finish",)),
    "SubagentStart": _Event("subagent_start"),
    "SubagentStop": _Event("subagent_completion", True, reach=('given agent.kind = "subagent"', "finish")),
    "PreCompact": _Event("before_compact", True),
    "PostCompact": _Event("after_compact"),
    "SessionEnd": _Event("session_end", seconds=2),
}
_NAMES = re.compile(r"\s*[\w-]+(\s*[|,]\s*[\w-]+)*\s*")
_PLAIN_KEYS = frozenset("type command args timeout statusMessage async asyncRewake if onFailure".split())
_STARTERS = frozenset("sh bash zsh python python3 node bun deno npx bunx uv uvx run env".split())
_FOLDER = re.compile(r"\$(CLAUDE_PROJECT_DIR|\{CLAUDE_PROJECT_DIR\})/")


def declare_hooks(page: Page, hooks: Located) -> None:
    """Declare every handler. Raises Refused for hooks of another shape."""
    if not isinstance(hooks.value, dict):
        raise hooks.refused("`hooks` is no object")
    for event, groups in hooks.entries.items():
        if not isinstance(groups.value, list):
            raise groups.refused(f"`hooks.{quoted(event)[1:-1]}` is no list")
        for group in groups.items:
            handlers = group.entries.get("hooks")
            if handlers is None or not isinstance(handlers.value, list):
                raise group.refused("an entry of an event has a list `hooks`")
            matcher = group.get("matcher") or ""
            if not isinstance(matcher, str):
                raise group.entries["matcher"].refused("`matcher` is no text")
            for handler in handlers.items:
                if not isinstance(handler.value, dict):
                    raise handler.refused("a hook is an object")
                with page.item(handler.where, f"{event} hook {_label(handler)}"):
                    _declare(page, event, matcher, handler)


def _label(handler: Located) -> str:
    value = handler.get("command") or handler.get("url") or handler.get("prompt") or handler.get("type")
    return quoted(str(value))


def _declare(page: Page, event: str, matcher: str, handler: Located) -> None:
    there = _EVENTS.get(event)
    if there is None:
        raise Inexpressible(f"no lifecycle point corresponds to {quoted(event)}; it stays a hook of the host")
    kind = handler.get("type")
    if kind != "command":
        raise Inexpressible(f"a hook of type {quoted(str(kind))} is no program; it stays a hook of the host")
    unknown = [key for key in handler.entries if key not in _PLAIN_KEYS]
    if unknown:
        raise Inexpressible(f"{quoted(unknown[0])} has no counterpart")
    command = handler.get("command")
    if not isinstance(command, str) or not command.strip():
        raise handler.refused("a command hook has a `command`")
    filters, condition, tests = _chosen(event, there, matcher)
    if handler.get("if") is not None:
        filters, condition, tests = _limited(handler.entries["if"], there, condition)
    clauses = [f"on {there.point}{filters}", f"when {condition}" if condition else ""]
    name = page.name(f"{event} {_program(' '.join([command, *map(str, handler.get('args') or ())]))} hook")
    rest = _rest(there, handler)
    closed = "fail closed" in rest
    steps = [step.replace("VERDICT", "deny" if closed else "warn") for step in tests]
    try:
        words = _words(command, handler)
    except Inexpressible as needed:
        run = f"run {argv_text(['sh', '-c', _FOLDER.sub('./', command.strip())])}"
        rewrite = block("hook", name, event, filter(None, [*clauses, run, *rest]))
        raise Inexpressible(needed.why, layout(rewrite)) from None
    page.declare(block("hook", name, event, filter(None, [*clauses, f"run {argv_text(words)}", *rest]), steps))


def _program(command: str) -> str:
    """Return a short word for what the command runs."""
    words = [word.rpartition("/")[2].partition(".")[0] for word in re.split(r"[\s\"']+", command)]
    return next((word for word in words if word and word not in _STARTERS and "$" not in word), "")


def _rest(there: _Event, handler: Located) -> list[str]:
    seconds = handler.get("timeout")
    seconds = there.seconds if seconds is None else seconds
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 < seconds < 86_400:
        raise handler.entries["timeout"].refused("`timeout` is no number of seconds above 0")
    observes = not there.blocks or handler.get("async") is True or handler.get("asyncRewake") is True
    closed = handler.get("onFailure") == "block" and not observes
    timeout = f"timeout {seconds}s" if isinstance(seconds, int) else f"timeout {max(round(seconds * 1000), 1)}ms"
    return [timeout, "observe" if observes else "", "fail closed" if closed else "fail open"]


def _chosen(event: str, there: _Event, matcher: str) -> tuple[str, str, list[str]]:
    """Filter, condition and test of a matcher, which chooses tools; at other events only some can be said."""
    text = matcher.strip()
    reach = [*there.reach[:-1], f"{there.reach[-1]} => VERDICT"] if there.reach else []
    if text in ("", "*"):
        tests = ['call "Zq" => VERDICT', *reach] if event == "PreToolUse" else reach
        return "", there.when, tests
    if event == "SessionStart" and text in ("startup", "resume"):
        return "", "session.resumed" if text == "resume" else "not session.resumed", []
    if not there.tools:
        raise Inexpressible(f"the matcher {quoted(text)} asks for what the event does not tell")
    if _NAMES.fullmatch(text):
        names = list(dict.fromkeys(re.split(r"[\s|,]+", text.strip())))
        steps = [f"{call_step(names[0])} => VERDICT", 'call "Zq" => allow'] if event == "PreToolUse" else []
        return f"({', '.join(map(literal, names))})", there.when, steps
    match = f"tool.name matches {regex(f'^(?:{text})$')}"
    return "", f"{there.when} and {match}" if there.when else match, []


def _limited(located: Located, there: _Event, condition: str) -> tuple[str, str, list[str]]:
    """As `_chosen`, for a handler that has an `if`."""
    value: Any = located.value
    if not isinstance(value, str) or not there.tools:
        raise Inexpressible("`if` is a permission, at events of tools")
    ways = guards(read_permission(value))
    if len(ways) > 1:
        raise Inexpressible(f"the `if` {quoted(value)} means several sorts of calls; declare a hook for each")
    both = " and ".join(part for part in (condition, ways[0].when) if part)
    tests = [*(f"{step} => VERDICT" for step in ways[0].meets), *(f"{step} => allow" for step in ways[0].misses)]
    return ways[0].filter, both, tests if there.point == "before_tool" and "tool.name matches" not in condition else []


def _words(command: str, handler: Located) -> list[str]:
    """Return the argv. Raises Inexpressible with the reason why there is none."""
    arguments = handler.get("args")
    if arguments is not None:
        if not isinstance(arguments, list) or not all(isinstance(word, str) for word in arguments):
            raise handler.entries["args"].refused("`args` is no list of texts")
        words = [_FOLDER.sub("./", word) for word in (command, *arguments)]
    else:
        line = re.sub(r'"\$(CLAUDE_PROJECT_DIR|\{CLAUDE_PROJECT_DIR\})"/', "./", command.strip())
        words = argv_of(_FOLDER.sub("./", line))
    if any("$" in word for word in words):
        raise Inexpressible(f"the command {quoted(command)} names a variable that only the host knows")
    return words
