"""Read YAML hooks of neo-code and fill in their defaults; one that is not valid refuses the whole file.

Two forms: a user's configuration (`runtime.hooks`, whose other keys are no hooks) and a repository's file
(`hooks.items` and nothing else). Disabled items are passed over before anything else of them is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from policy_engine.conversion.document import Located, Refused, read_yaml
from policy_engine.conversion.writing import quoted
from policy_engine.model.source import Source

# The points of neo-code; whether a block holds there; whether users and repositories may attach to it.
POINTS = {
    "session_start": (False, True),
    "user_prompt_submit": (True, True),
    "before_tool_call": (True, True),
    "before_permission_decision": (True, False),
    "after_tool_result": (False, True),
    "after_tool_failure": (False, True),
    "before_completion_decision": (False, True),
    "accept_gate": (True, True),
    "pre_compact": (True, False),
    "post_compact": (False, True),
    "subagent_start": (True, False),
    "subagent_stop": (False, True),
    "session_end": (False, True),
}
BUILTINS = ("require_file_exists", "warn_on_tool_call", "add_context_note")
_ITEM_KEYS = frozenset("id enabled point scope kind mode handler priority timeout_sec failure_policy params".split())
_POLICIES = {"warn_only": False, "fail_open": False, "fail_closed": True}
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_DEFAULT_SECONDS = 2


@dataclass(frozen=True, slots=True)
class SeedHook:
    """One enabled hook. `params` are as written, `closed` is its failure policy."""

    where: str
    id: str
    point: str
    kind: str
    handler: str
    priority: int
    seconds: int
    closed: bool
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def blocks(self) -> bool:
        """Return whether a block holds at its point."""
        return POINTS[self.point][0]

    def text(self, *keys: str) -> str:
        """Return the first of these parameters that is a text and not blank, trimmed; empty if none is."""
        values = (self.params.get(key) for key in keys)
        return next((value.strip() for value in values if isinstance(value, str) and value.strip()), "")


@dataclass(frozen=True, slots=True)
class SeedHooks:
    """The hooks of one file; `off` says why none of them was in force, and is empty if they were."""

    hooks: tuple[SeedHook, ...]
    disabled: tuple[str, ...] = ()
    off: str = ""


def read_hooks(source: Source) -> SeedHooks:
    """Return the hooks of a file. Raises Refused with everything that is wrong with it."""
    root = read_yaml(source)
    if root is None or not isinstance(root.value, dict):
        raise Refused([f"{source.name}:1: the file is blank, or no mapping"])
    if root.below("runtime") is not None or root.below("hooks") is None:
        return _user(root.below("runtime", "hooks"))
    extra = [key for key in root.entries if key != "hooks"]
    if extra:
        raise Refused([f"{root.where_key(extra[0])}: unknown key {quoted(extra[0])}"])
    return _items(root.entries["hooks"], ("items",), "repo", _DEFAULT_SECONDS, False)


def _user(hooks: Located | None) -> SeedHooks:
    if hooks is None or hooks.value is None:
        return SeedHooks(())
    known = ("enabled", "user_hooks_enabled", "default_timeout_sec", "default_failure_policy", "items")
    seconds = hooks.get("default_timeout_sec") if isinstance(hooks.value, dict) else None
    seconds = _DEFAULT_SECONDS if seconds is None else seconds
    if not _is_whole(seconds) or seconds <= 0:
        raise hooks.entries["default_timeout_sec"].refused("`default_timeout_sec` is no whole number above 0")
    policy = hooks.get("default_failure_policy") if isinstance(hooks.value, dict) else None
    if policy is not None and policy not in _POLICIES:
        raise hooks.entries["default_failure_policy"].refused(f"unknown failure policy {quoted(str(policy))}")
    hooks_read = _items(hooks, known, "user", seconds, _POLICIES[policy or "warn_only"])
    switches = [key for key in known[:2] if _switch(hooks, key) is False]
    off = f"`{switches[0]}: false` switched these hooks off" if switches else ""
    return SeedHooks(hooks_read.hooks, hooks_read.disabled, off)


def _switch(located: Located, key: str) -> bool:
    value = located.get(key)
    if value is not None and not isinstance(value, bool):
        raise located.entries[key].refused(f"`{key}` is neither true nor false")
    return value is not False


def _items(hooks: Located, known: tuple[str, ...], scope: str, seconds: int, closed: bool) -> SeedHooks:
    if not isinstance(hooks.value, dict):
        raise hooks.refused("`hooks` is no mapping")
    messages = [f"{hooks.where_key(key)}: unknown key {quoted(key)}" for key in hooks.entries if key not in known]
    items = hooks.entries.get("items")
    if items is not None and items.value is not None and not isinstance(items.value, list):
        raise items.refused("`items` is no list")
    hooks_read: list[SeedHook] = []
    disabled: list[str] = []
    seen: set[str] = set()
    for item in items.items if items is not None else ():
        if not isinstance(item.value, dict):
            messages.append(f"{item.where}: a hook is a mapping")
        elif item.get("enabled") is False:
            disabled.append(str(item.get("id") or "without a name"))
        else:
            wrong = list(_complaints(item, scope, seen))
            messages += wrong
            if not wrong:
                hooks_read.append(_hook(item, seconds, closed))
    if messages:
        raise Refused(messages)
    return SeedHooks(tuple(hooks_read), tuple(disabled))


def _hook(item: Located, seconds: int, closed: bool) -> SeedHook:
    policy = item.get("failure_policy")
    return SeedHook(
        item.where,
        item.value["id"].strip(),
        item.value["point"].strip(),
        _word(item, "kind", "builtin"),
        _word(item, "handler", ""),
        item.get("priority") or 0,
        item.get("timeout_sec") or seconds,
        closed if not policy else _POLICIES[policy],
        item.get("params") or {},
    )


def _word(item: Located, key: str, default: str) -> str:
    value = item.get(key)
    return value.strip().lower() if isinstance(value, str) and value.strip() else default


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _complaints(item: Located, scope: str, seen: set[str]) -> Iterator[str]:
    """Everything that is wrong with an item, a line each."""
    for key, message in _wrong(item, scope, seen):
        where = item.entries[key].where if key in item.entries else item.where
        name = item.get("id")
        yield f"{where}: hook {quoted(name)}: {message}" if isinstance(name, str) and name else f"{where}: {message}"


def _wrong(item: Located, scope: str, seen: set[str]) -> Iterator[tuple[str, str]]:
    for key in item.entries:
        if key not in _ITEM_KEYS:
            yield key, f"unknown key {quoted(key)}"
    yield from _wrong_types(item)
    name = item.get("id")
    if not isinstance(name, str) or not name.strip():
        yield "id", "a hook needs an id"
    elif name.strip().lower() in seen:
        yield "id", "the id duplicates that of an earlier hook"
    else:
        seen.add(name.strip().lower())
    point = item.get("point")
    if not isinstance(point, str) or point.strip() not in POINTS:
        yield "point", f"unknown point {quoted(str(point or ''))}"
    elif not POINTS[point.strip()][1]:
        yield "point", f"only the system itself may attach to `{point.strip()}`"
    if _word(item, "scope", scope) != scope:
        yield "scope", f"the scope is `{scope}` here"
    policy = item.get("failure_policy")
    if policy and policy not in _POLICIES:
        yield "failure_policy", f"unknown failure policy {quoted(str(policy))}"
    yield from _wrong_kind(item, scope)


def _wrong_types(item: Located) -> Iterator[tuple[str, str]]:
    enabled, priority, timeout = item.get("enabled"), item.get("priority"), item.get("timeout_sec")
    if enabled is not None and not isinstance(enabled, bool):
        yield "enabled", "`enabled` is neither true nor false"
    if priority is not None and not _is_whole(priority):
        yield "priority", "the priority is no whole number"
    if timeout is not None and (not _is_whole(timeout) or timeout <= 0):
        yield "timeout_sec", "the timeout is no whole number of seconds above 0"
    params = item.get("params")
    if params is not None and not isinstance(params, dict):
        yield "params", "`params` is no mapping"


def _wrong_kind(item: Located, scope: str) -> Iterator[tuple[str, str]]:
    kind, mode = _word(item, "kind", "builtin"), _word(item, "mode", "")
    params = item.get("params")
    params = params if isinstance(params, dict) else {}
    if kind in ("prompt", "agent") or (kind == "http" and scope == "repo"):
        yield "kind", f"the kind `{kind}` is not supported in current stage"
    elif kind not in ("builtin", "command", "http"):
        yield "kind", f"unknown kind {quoted(kind)}"
    elif mode not in ("", "observe" if kind == "http" else "sync"):
        yield "mode", f"the mode {quoted(mode)} is not possible for the kind `{kind}`"
    if kind == "builtin":
        yield from _wrong_builtin(_word(item, "handler", ""), params)
    elif kind in ("command", "http") and item.get("handler"):
        yield "handler", f"the kind `{kind}` has no handler"
    if kind == "command":
        yield from _wrong_command(params)
    if kind == "http":
        if item.get("failure_policy") == "fail_closed":
            yield "failure_policy", "an http hook observes, and cannot fail closed"
        yield from _wrong_http(params)


def _wrong_builtin(handler: str, params: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if handler not in BUILTINS:
        yield "handler", f"unknown builtin handler {quoted(handler)}"
    elif handler == "warn_on_tool_call" and not tool_names(params):
        yield "params", "`warn_on_tool_call` needs `tool_name` or `tool_names`"


def _wrong_command(params: dict[str, Any]) -> Iterator[tuple[str, str]]:
    command = params.get("command")
    if isinstance(command, list):
        if not command or not all(isinstance(word, str) and "\0" not in word for word in command) or not command[0]:
            yield "params", "`params.command` is no list of texts that begins with a program"
    elif not isinstance(command, str) or not command.strip():
        yield "params", "a command hook needs `params.command`"


def _wrong_http(params: dict[str, Any]) -> Iterator[tuple[str, str]]:
    url = params.get("url")
    try:
        parts = urlsplit(url.strip() if isinstance(url, str) else "")
        host = parts.hostname or ""
    except ValueError:
        parts, host = urlsplit(""), ""
    if parts.scheme not in ("http", "https") or not host:
        yield "params", "an http hook needs an absolute `params.url` with http or https"
    elif host not in _LOOPBACK and not host.startswith("127."):
        yield "params", f"an http hook may call this machine only, not {quoted(host)}"
    if str(params.get("method") or "POST").upper() not in _METHODS:
        yield "params", f"the method is one of {', '.join(_METHODS)}"
    headers = params.get("headers")
    if headers is not None and not isinstance(headers, dict):
        yield "params", "`headers` is no mapping"
    elif any(value is None or not name.strip() or not str(value).strip() for name, value in (headers or {}).items()):
        yield "params", "a header has a blank name or value"


def tool_names(params: dict[str, Any]) -> tuple[str, ...]:
    """Return the tools that `warn_on_tool_call` looks for, each once."""
    several = params.get("tool_names")
    names = [params.get("tool_name"), *(several if isinstance(several, list) else [several])]
    return tuple(dict.fromkeys(name.strip() for name in names if isinstance(name, str) and name.strip()))
