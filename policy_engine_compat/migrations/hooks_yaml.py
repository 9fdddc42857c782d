"""Migrate YAML hooks of neo-code, of a user or a repository, to rules for the builtins and `hook` declarations.

`require_file_exists` refuses if it failed closed where a block held, and else warns; `warn_on_tool_call` warns;
`add_context_note` reminds. A command becomes an argv; one that needs a shell is listed with what to write instead, and
so is every http hook: here a hook is a program that is given the whole event, which there only metadata left the
process.

    hooks: {items: [{id: readme, point: accept_gate, handler: require_file_exists, failure_policy: fail_closed,
      params: {path: README.md}}]}

`accept_gate` was asked only after something was written in the run, and so is what is made of it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from policy_engine.conversion.lines import argv_of, argv_text
from policy_engine.conversion.writing import (
    Inexpressible,
    Migrated,
    Original,
    Page,
    Played,
    block,
    exactly,
    layout,
    literal,
    message,
    quoted,
)
from policy_engine.migrations.base import Migration
from policy_engine.model.source import Source
from policy_engine_compat.judged import run_of
from policy_engine_compat.neocode_hooks import SeedHook, read_hooks, tool_names


@dataclass(frozen=True, slots=True)
class _Point:
    """The point of a hook, a condition, the steps of a test that reach it and those that do not."""

    name: str
    when: str = ""
    reach: tuple[str, ...] = ()
    miss: tuple[str, ...] = ()
    reminds: bool = True


_CHANGED = '(wrote("**") or deleted("**")) since prompted()'
_WRITE = 'write "src/a.txt"'
_POINTS = {
    "session_start": _Point("session_start"),
    "user_prompt_submit": _Point("prompt", "", ('prompt "Repair it."',), ('read "a.txt"',)),
    "before_tool_call": _Point("before_tool", "", ('read "a.txt"',), ("finish",)),
    "after_tool_result": _Point("after_tool", "", ('read "a.txt"',), ("finish",)),
    "after_tool_failure": _Point("after_tool", "not result.ok", ('run "make all" exit 2',), ('run "make all" exit 0',)),
    "before_completion_decision": _Point("before_completion", "", ("finish",), ('read "a.txt"',)),
    "accept_gate": _Point("before_completion", _CHANGED, (_WRITE, "finish"), ("finish",)),
    "post_compact": _Point("after_compact"),
    "subagent_stop": _Point("subagent_completion", "", ('given agent.kind = "subagent"', "finish"), ("finish",)),
    "session_end": _Point("session_end", reminds=False),
}
_NEVER_FIRED = "There this point was never reached in later versions; here it is, and warns. To enforce, say `deny`."
_FAILED_OPEN = (
    "It failed open there: what does not end within {seconds} s refuses nothing. "
    "`timeout` and `fail closed` change that."
)


def convert(sources: Sequence[Source]) -> Migrated:
    """Return the policy of all files. Raises Refused for a file that its own system would refuse."""
    page = Page([f"Made by `policy migrate --from hooks-yaml` from {', '.join(one.name for one in sources)}."])
    for source in sources:
        hooks = read_hooks(source)
        if hooks.off:
            page.remark(f"{source.name}: {hooks.off}; they are left out: {_names([one.id for one in hooks.hooks])}.")
            continue
        if hooks.disabled:
            page.remark(f"{source.name}: disabled there, left out here: {_names(hooks.disabled)}.")
        for hook in hooks.hooks:
            with page.item(hook.where, f"hook {quoted(hook.id)}"):
                _KINDS[hook.handler if hook.kind == "builtin" else hook.kind](page, hook)
    return page.finish()


def _names(ids: Sequence[str]) -> str:
    return ", ".join(map(quoted, ids)) or "none"


def _remarks(hook: SeedHook) -> list[str]:
    return [_NEVER_FIRED] if hook.point == "before_completion_decision" else []


def _tests(point: _Point, verdict: str) -> list[str]:
    """Return the steps that show both directions; none where no step of a test leads to the point."""
    if not point.reach:
        return []
    return [*(f"{step} => allow" for step in point.miss), *point.reach[:-1], f"{point.reach[-1]} => {verdict}"]


def _clauses(point: _Point, *more: str) -> list[str]:
    return [f"on {point.name}", *([f"when {point.when}"] if point.when else []), *filter(None, more)]


def _declare(page: Page, hook: SeedHook, text: str, name: str, speaks: Callable[[Played], bool], *remarks: str) -> None:
    page.declare(text, *remarks)
    page.originals.append(Original(name, f"hook {quoted(hook.id)}", partial(_reached, _POINTS[hook.point], speaks)))


def _reached(point: _Point, speaks: Callable[[Played], bool], played: Played) -> bool:
    """Return whether the hook was called for the last event, and spoke."""
    event = played.events[-1]
    if event["hook"] != point.name or (point is _POINTS["after_tool_failure"] and event["result"]["ok"]):
        return False
    if point is _POINTS["accept_gate"] and not run_of(played).written:
        return False
    return speaks(played)


# ---- builtins ------------------------------------------------------------------------------------------------------


def _require_file_exists(page: Page, hook: SeedHook) -> None:
    point, path = _POINTS[hook.point], hook.text("path")
    verdict = "deny" if hook.closed and hook.blocks else "warn"
    if not path:
        page.lack(hook.where, f"hook {quoted(hook.id)}", "it names no path and always failed, as the rule does")
        text_of_rule = hook.text("message") or f"The hook {quoted(hook.id)} names no file. Ask a person to correct it."
        clauses = _clauses(point, f"{verdict} {message(text_of_rule)}")
        name = page.name(hook.id)
        text = block("rule", name, hook.id, clauses, _tests(point, verdict))
        _declare(page, hook, text, name, lambda played: True, *_remarks(hook))
        return
    text_of_rule = hook.text("message") or f"There is no file {quoted(path)} in the workspace. Create it."
    written = literal(path)
    clauses = _clauses(
        point, f"require file_exists({written}) and has file_size({written})", f"{verdict} {message(text_of_rule)}"
    )
    if path.startswith(("/", "..", "~")):
        page.lack(hook.where, f"hook {quoted(hook.id)}", "its path may leave the workspace, and then is never found")
        tests: list[str] = []
    else:
        tests = _tests(point, verdict)
        tests += [f'file {written} content "x"', f"{point.reach[-1]} => allow"] if tests else []
    note = [] if verdict == "deny" or not hook.blocks else ["It failed open there, and so refuses nothing here."]
    name, there = page.name(hook.id), posixpath.normpath(path)
    text = block("rule", name, f"{path} is there", clauses, tests)
    _declare(page, hook, text, name, lambda played: there not in played.files, *note, *_remarks(hook))


def _warn_on_tool_call(page: Page, hook: SeedHook) -> None:
    point, names = _POINTS[hook.point], tool_names(hook.params)
    if point.name not in ("before_tool", "after_tool"):
        raise Inexpressible(f"at `{hook.point}` no tool is called, so that it never warned")
    match = f"tool.name matches /^({'|'.join(map(exactly, names))})$/i"
    text_of_rule = hook.text("message") or f"The tool was called that {quoted(hook.id)} watches."
    when = f"{point.when} and {match}" if point.when else match
    reach = point.reach[0] if point.name == "after_tool" else 'call "any_tool"'
    tests = [f"given tool.name = {literal(names[0])}", f"{reach} => warn"]
    tests += ['given tool.name = "other_tool"', f"{reach} => allow"]
    clauses = [f"on {point.name}", f"when {when}", f"warn {message(text_of_rule)}"]
    name, known = page.name(hook.id), {one.lower() for one in names}
    text = block("rule", name, hook.id, clauses, tests)
    _declare(page, hook, text, name, lambda played: played.events[-1]["tool"]["name"].lower() in known)


def _add_context_note(page: Page, hook: SeedHook) -> None:
    point = _POINTS[hook.point]
    verdict = "remind" if point.reminds else "warn"
    note = hook.text("note", "message")
    if not note:
        raise Inexpressible("it has neither `note` nor `message`, and so says nothing")
    clauses = _clauses(point, f"{verdict} {message(note)}")
    remark = "There the note reached no model; here it does." if verdict == "remind" else ""
    name = page.name(hook.id)
    text = block("rule", name, hook.id, clauses, _tests(point, verdict))
    _declare(page, hook, text, name, lambda played: True, remark, *_remarks(hook))


# ---- commands ------------------------------------------------------------------------------------------------------


def _command(page: Page, hook: SeedHook) -> None:
    command = hook.params["command"]
    name = page.name(hook.id)
    if isinstance(command, str):
        try:
            words = argv_of(command)
        except Inexpressible as needed:
            rewrite = _hook_text(hook, name, ["sh", "-c", command.strip()], False)
            raise Inexpressible(needed.why, f"{layout(rewrite)}\n# or run a script that holds the command") from None
    else:
        words = command
    opens = [_FAILED_OPEN.format(seconds=hook.seconds)] if hook.blocks and not hook.closed else []
    page.declare(_hook_text(hook, name, words), *opens, *_remarks(hook))


def _hook_text(hook: SeedHook, name: str, words: list[str], tested: bool = True, observe: bool = False) -> str:
    """Return a `hook` declaration; where a block did not hold, it observes."""
    point = _POINTS[hook.point]
    observe = observe or not hook.blocks
    clauses = _clauses(
        point,
        f"run {argv_text(words)}",
        f"timeout {hook.seconds}s",
        f"priority {hook.priority}" if hook.priority else "",
        "observe" if observe else "",
        "fail closed" if hook.closed and not observe else "fail open",
    )
    tests = _tests(point, "deny" if hook.closed and not observe else "warn") if tested else []
    return block("hook", name, hook.id, clauses, tests)


def _http(page: Page, hook: SeedHook) -> None:
    headers = hook.params.get("headers") or {}
    words = ["curl", "--silent", "--show-error", "--fail", "--max-time", str(hook.seconds)]
    words += ["--request", str(hook.params.get("method") or "POST").upper()]
    for key, value in headers.items():
        words += ["--header", f"{key.strip()}: {str(value).strip()}"]
    words += ["--data-binary", "@-", hook.text("url")]
    rewrite = _hook_text(hook, page.name(hook.id), words, False, True)
    raise Inexpressible("a hook calls no address; a program can, and then sends the whole event to it", layout(rewrite))


_KINDS = {
    "require_file_exists": _require_file_exists,
    "warn_on_tool_call": _warn_on_tool_call,
    "add_context_note": _add_context_note,
    "command": _command,
    "http": _http,
}

HOOKS_YAML = Migration("hooks-yaml", "YAML hooks of neo-code, of a user or a repository", convert)
