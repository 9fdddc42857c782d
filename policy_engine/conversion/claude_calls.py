"""Tell whether Claude Code takes a call for one that a permission is about: by its text, as its documentation says.

A line is split at `&&`, `||`, `;`, `|`, `&` and line ends outside of quotes, and each part is compared as text:
exactly, by what stands before a final `:*`, or with stars. Paths are compared as in `.gitignore`, addresses by their
host.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from policy_engine.conversion.gitignore import globs, matches_path
from policy_engine.conversion.permissions import EDITING, READING, Permission, domain
from policy_engine.conversion.writing import Played

_PATHS = ("file_path", "notebook_path", "path")
_NAMES = {"Skill": "skill", "SlashCommand": "command", "Agent": "subagent_type", "Task": "subagent_type"}
_TEXTS = ("", "x", "-x y", "x --y", "x/y z")
_READERS = (
    "ls", "cat", "echo", "pwd", "head", "tail", "grep", "find", "wc", "which", "diff", "stat", "du", "cd",
)  # fmt: skip
"""Commands about which Claude Code never asks, as its documentation lists them; there are more."""
_CHANGERS = ("mkdir", "touch", "rm", "rmdir", "mv", "cp", "sed")
_ASSIGNMENTS = re.compile(r"^(\w+=\S*\s+)+")
_END = re.compile(r"&&|\|\||[;|&\n]")


def speaks_of(one: Permission, played: Played) -> bool:
    """Return whether the permission applies to the call of the last event."""
    call = played.events[-1].get("tool", {})
    tool, arguments = call.get("name", ""), call.get("args", {})
    if one.tool == "*":
        return True
    match one.sort:
        case "shell":
            lines = _parts(str(arguments.get("command", "")))
            return tool == "Bash" and (one.unlimited or any(_is_described(one.limit or "", part) for part in lines))
        case "edit" | "read" as sort:
            tools = EDITING if sort == "edit" else READING
            if tool not in tools or (one.tool not in (tool, "Edit", "Read") and one.unlimited):
                return False
            path = next((arguments[name] for name in _PATHS if isinstance(arguments.get(name), str)), "")
            return one.unlimited or bool(path and matches_path(globs(one.limit or ""), path))
        case "fetch":
            if tool != one.tool or one.unlimited:
                return bool(tool == one.tool)
            host = urlsplit(str(arguments.get("url", ""))).hostname or ""
            return _has_stars(domain(one), host.rstrip("."))
        case "mcp":
            return _has_stars(one.tool, tool) or (one.tool.count("__") == 1 and tool.startswith(f"{one.tool}__"))
        case _:
            named = str(arguments.get(_NAMES.get(one.tool, ""), ""))
            same = tool == one.tool or {tool, one.tool} == {"Agent", "Task"}
            return same and (one.unlimited or _is_described(one.limit or "", named))


def asks_of(sort: str, allowed: Sequence[Permission], folders: Sequence[str], edits: bool, played: Played) -> bool:
    """Return whether Claude Code asks about the call of the last event, of one sort of tools, if nothing denies it.

    Args:
        allowed: What `allow` names of this sort.
        folders: The folders beside the workspace.
        edits: Whether files in these folders are changed unasked.
    """
    event = played.events[-1]
    call = event.get("tool", {})
    tool, arguments = call.get("name", ""), call.get("args", {})
    path = next((arguments[name] for name in _PATHS if isinstance(arguments.get(name), str)), "")
    match sort:
        case "shell":
            parts = _parts(str(arguments.get("command", "")))
            return tool == "Bash" and not all(_is_free(part, allowed, edits) for part in parts)
        case "edit":
            free = edits and _lies_in(path, event, folders)
            return tool in EDITING and not free and not any(speaks_of(one, played) for one in allowed)
        case "read":
            inside = not path or _lies_in(path, event, folders)
            return tool in READING and not inside and not any(speaks_of(one, played) for one in allowed)
        case "fetch":
            return tool in ("WebFetch", "WebSearch") and not any(speaks_of(one, played) for one in allowed)
        case "mcp":
            return tool.startswith("mcp__") and not any(speaks_of(one, played) for one in allowed)
        case _:
            return tool == "Skill" and not any(speaks_of(one, played) for one in allowed)


def _is_free(part: str, allowed: Sequence[Permission], edits: bool) -> bool:
    """Detect whether a part of a line is allowed; variables that are set before it count on neither side."""
    part = _ASSIGNMENTS.sub("", part)
    words = part.split()
    known = (*_READERS, *(_CHANGERS if edits else ()))
    limits = [_ASSIGNMENTS.sub("", one.limit or "") for one in allowed if not one.unlimited]
    free = not words or words[0] in known or any(one.unlimited for one in allowed)
    return free or any(_is_described(limit, part) for limit in limits)


def _lies_in(path: str, event: Mapping[str, Any], folders: Sequence[str]) -> bool:
    workspace = str(event.get("workspace", ""))
    full = posixpath.normpath(posixpath.join(str(event.get("cwd", workspace)), path))
    places = (posixpath.normpath(posixpath.join(workspace, folder)) for folder in (workspace, *folders))
    return path[:1] != "~" and any(full == place or full.startswith(f"{place.rstrip('/')}/") for place in places)


def lines_of(one: Permission) -> tuple[str, ...]:
    """Return shell lines that the limit of a permission describes, with several texts in the place of its stars."""
    if one.sort != "shell" or one.limit is None:
        return ()
    limit = one.limit.strip()
    limit = f"{limit.removesuffix(':*')} *" if limit.endswith(":*") else limit
    return tuple(dict.fromkeys(limit.replace("*", text).strip() for text in _TEXTS))


def _parts(line: str) -> Iterator[str]:
    """Yield the parts of a line between operators that stand outside of quotes."""
    quote, start, at = "", 0, 0
    while at < len(line):
        char = line[at]
        if quote:
            at += 2 if char == "\\" and quote == '"' else 1
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote, at = char, at + 1
        elif char == "\\":
            at += 2
        elif end := _END.match(line, at):
            yield line[start:at].strip()
            start = at = end.end()
        else:
            at += 1
    yield line[start:].strip()


def _is_described(limit: str, text: str) -> bool:
    stem = limit.strip()
    for end in (":*", " *"):
        if stem.endswith(end):
            head = stem.removesuffix(end)
            return _has_stars(head, text) or _has_stars(f"{head} *", text)
    return _has_stars(stem, text)


def _has_stars(pattern: str, text: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL) is not None
