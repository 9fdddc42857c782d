"""Add a command line to every lifecycle event of a host's settings, and take it out again.

Pure: dictionaries in, new dictionaries out, everything that is not ours kept as it is and in its order. Hosts differ
in a few forms: `nested` is the one that Claude Code introduced (`{"hooks": {EVENT: [{"matcher": …, "hooks": [{"type":
"command", …}]}]}}`), `flat` lacks its inner list; of `scripts` and `plugin`, which are files of our own, a dictionary
holds the texts by name (hosts/own_files.py).
"""

from __future__ import annotations

import copy
import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from policy_engine.adapters.base import Adapter
from policy_engine.hosts.own_files import plugin_lines, plugin_text, script_line, script_text
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.points import COMPLETIONS

SCRIPT = "policy_engine/hook.py"  # a command that runs a file of this name is ours, wherever it lies
# Hosts take every status but 2 for consent: 127 of a shell whose interpreter is gone, 1 of an interpreter whose library
# is gone, 139 of a crash; some take a 2 without a word for consent too. The shell that the host starts anyway turns
# them into a refusal; a signal that reaches only this shell must not end it before the engine has answered (decision
# page `refusing-shell`).
REFUSING = (
    "trap 'echo policy: ended by a signal, refused >&2; exit 2' HUP INT TERM; ",
    " || { [ $? = 2 ] || echo policy: the engine did not answer, refused >&2; exit 2; }",
)
# The same at completions of a host that lets them be refused without end. An engine that is gone has not read the
# payload; if that says that the agent only goes on because it was refused, the run ends and a person takes over.
ENDING = (
    """ || { s=$?; case $(cat) in *'"stop_hook_active":true'*|*'"stop_hook_active": true'*) """
    """echo '{"continue":false,"stopReason":"policy: the engine did not answer; a person takes over"}'; """
    "exit 0;; esac; [ $s = 2 ] || echo policy: the engine did not answer, refused >&2; exit 2; }"
)
_JSON = ("nested", "flat")
_SHARED = ["&&", "policy", "hook"]
_TOLD = (
    "policy: in this repository coding agents act only under the rules in its folder .policy, and the program that"
    " reads them is not installed here, outside of the repository. Install it (",
    "), then try again.",
)


@dataclass(frozen=True, slots=True)
class Handler:
    """One of our handlers as it stands in settings: its event, its group's matcher, all its keys, its command line as
    the host hands it to the shell, and what the host runs, which may be a script around it."""

    event: str
    matcher: object
    settings: dict[str, Any]
    command: str
    runs: str


@dataclass(frozen=True, slots=True)
class Parts:
    """A registered command, taken apart: interpreter, its flags, our script; all empty if it finds `policy` by PATH."""

    interpreter: str
    flags: tuple[str, ...]
    script: str


def command_line(interpreter: str, script: str, host: str, *options: str) -> str:
    """The command for a host's settings: isolated, absolute paths, quoted for `sh -c`, refusing if nothing runs."""
    for path in (interpreter, script):
        if not path.startswith("/") or "\n" in path:
            raise ConfigurationError(
                f"`{path}` is not an absolute path on one line: a hook cannot be registered with it"
            )
    return shlex.join((interpreter, "-I", "-S", script, host, *options)).join(REFUSING)


def portable_line(host: str, obtain: str) -> str:
    """The command for settings that a team shares: the engine is the `policy` on the search path of each machine.

    Where there is none, or one in the repository, which the agent could have written, it refuses and says how to
    `obtain` the engine, to somebody who never heard of it.
    """
    if not obtain.isprintable():
        raise ConfigurationError("how the engine is obtained must be text on one line")
    message = shlex.quote(obtain.join(_TOLD))
    look = f"(case $(command -v policy) in (''|\"$PWD\"/*) echo {message} >&2; exit 2;; esac) && "
    return f"{look}policy hook {shlex.quote(host)}".join(REFUSING)


def obtained_by(command: str) -> str | None:
    """Return how a portable line says that the engine is obtained; None of any other line."""
    words = shlex.split(command) if _TOLD[0] in command else []
    message = next((word for word in words if word.startswith(_TOLD[0]) and word.endswith(_TOLD[1])), None)
    return None if message is None else message.removeprefix(_TOLD[0]).removesuffix(_TOLD[1])


def line(adapter: Adapter, command: str, event: str) -> str:
    """The command line for one event: it names the event where the payload does not."""
    known = adapter.capabilities[event]
    endless = known.point in COMPLETIONS and adapter.continuation_cap == 0 and "halts" in known.form
    named = f" {shlex.quote(f'--event={event}')}" if adapter.registration.named else ""
    return f"{command.removesuffix(REFUSING[1])}{named}{ENDING if endless else REFUSING[1]}"


def register(settings: dict[str, Any], adapter: Adapter, command: str) -> dict[str, Any]:
    """`settings` with one handler of ours per event. Idempotent; an older handler of ours is replaced."""
    registration = adapter.registration
    lines = {event: line(adapter, command, event) for event, _ in registration.events}
    if registration.form == "scripts":
        return {**settings, **{event: _own_script(settings, adapter, event, text) for event, text in lines.items()}}
    if registration.form == "plugin":
        return _own_plugin(settings, adapter, lines)
    wanted = [(event, matcher, _handler(adapter, event, lines[event])) for event, matcher in registration.events]
    present = [
        (registered.event, registered.matcher, registered.settings) for registered in handlers(settings, adapter)
    ]
    complete = settings.items() >= registration.head.items() if registration.head else True
    if complete and sorted(present, key=lambda registered: registered[0]) == sorted(
        wanted, key=lambda registered: registered[0]
    ):
        return copy.deepcopy(settings)
    result = unregister(settings, adapter)
    result = {**result, **{key: value for key, value in registration.head.items() if key not in result}}
    hooks = result.setdefault("hooks", {})
    for event, matcher, handler in wanted:
        group: dict[str, Any] = {} if matcher is None else {"matcher": matcher}
        inner = {"hooks": [handler]} if registration.form == "nested" else handler
        hooks.setdefault(event, []).append({**group, **inner})
    return result


def unregister(settings: dict[str, Any], adapter: Adapter) -> dict[str, Any]:
    """`settings` without our handlers, and without the groups and lists that this leaves empty."""
    if adapter.registration.form not in _JSON:
        ours = {handler.event for handler in handlers(settings, adapter)}
        plugin = adapter.registration.form == "plugin"
        return {} if plugin and ours else {name: text for name, text in settings.items() if name not in ours}
    result = copy.deepcopy(settings)
    hooks = _hooks(result, adapter)
    for event, groups in list(hooks.items()):
        kept = [group for group in groups if not _strip(group, adapter)]
        if kept or not groups:
            hooks[event] = kept
        else:
            del hooks[event]
    if not hooks and _hooks(settings, adapter):
        del result["hooks"]
        if result == adapter.registration.head:
            return {}  # what a file of our own begins with
    return result


def handlers(settings: dict[str, Any], adapter: Adapter) -> Iterator[Handler]:
    """Our handlers, in the order of the settings. Raises ConfigurationError if the host cannot read them."""
    form, key = adapter.registration.form, adapter.registration.command
    if form == "scripts":
        for event, text in settings.items():
            command = script_line(text)
            if parts(command, adapter.name) is not None:
                yield Handler(event, None, {}, command, text)
    elif form == "plugin":
        for text in settings.values():
            for event, command in plugin_lines(text).items():
                if parts(command, adapter.name) is not None:
                    yield Handler(event, None, {}, command, command)
    else:
        for event, matcher, handler in entries(settings, adapter):
            if _is_ours(handler, adapter):
                yield Handler(event, matcher, handler, handler[key], handler[key])


def entries(settings: dict[str, Any], adapter: Adapter) -> Iterator[tuple[str, object, dict[str, Any]]]:
    """(event, matcher, keys) of every entry of a JSON file, whoever wrote it. Raises as `handlers`."""
    flat = adapter.registration.form == "flat"
    for event, groups in _hooks(settings, adapter).items():
        for group in groups:
            for entry in (group,) if flat else group["hooks"]:
                fields = {name: value for name, value in entry.items() if name != "matcher"} if flat else entry
                yield event, group.get("matcher"), fields


def parts(command: str, host: str) -> Parts | None:
    """The parts of a command that runs our script for `host`; None if it does not."""
    command = command.removeprefix(REFUSING[0]).removesuffix(REFUSING[1]).removesuffix(ENDING)
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if _SHARED in (words[at : at + 3] for at in range(len(words))) and words[words.index("hook") + 1 :][:1] == [host]:
        return Parts("", (), "")
    for place, word in enumerate(words[:-1]):
        if place and (word == SCRIPT or word.endswith(f"/{SCRIPT}")) and words[place + 1] == host:
            return Parts(words[0], tuple(words[1:place]), word)
    return None


def _own_script(settings: dict[str, Any], adapter: Adapter, event: str, command: str) -> str:
    before = settings.get(event)
    if before is not None and parts(script_line(before), adapter.name) is None:
        raise ConfigurationError(f"there is a hook `{event}` of another hand; a host runs one: call ours from it")
    closed = json.dumps(adapter.registration.closed) if event in adapter.registration.fail_closed_events else ""
    return script_text(command, closed)


def _own_plugin(settings: dict[str, Any], adapter: Adapter, lines: dict[str, str]) -> dict[str, Any]:
    name = adapter.registration.user_settings.rpartition("/")[2]
    if settings and not list(handlers(settings, adapter)):
        raise ConfigurationError(f"there is a file `{name}` of another hand; it stays as it is")
    return {name: plugin_text(lines, {event: adapter.registration.seconds(event) for event in lines})}


def _handler(adapter: Adapter, event: str, command: str) -> dict[str, Any]:
    registration = adapter.registration
    handler = {**registration.handler, registration.command: command}
    key, units = registration.clock
    if key:
        handler[key] = registration.seconds(event) * units
    if event in registration.fail_closed_events:
        handler.update(registration.closed)
    return handler


def _is_ours(handler: dict[str, Any], adapter: Adapter) -> bool:
    command = handler.get(adapter.registration.command)
    return type(command) is str and parts(command, adapter.name) is not None


def _strip(group: dict[str, Any], adapter: Adapter) -> bool:
    """Take our handlers out of a group; true if that leaves it empty."""
    if adapter.registration.form == "flat":
        return _is_ours(group, adapter)
    before = group["hooks"]
    group["hooks"] = [handler for handler in before if not _is_ours(handler, adapter)]
    return bool(before) and not group["hooks"]


def _hooks(settings: dict[str, Any], adapter: Adapter) -> dict[str, list[dict[str, Any]]]:
    """`settings["hooks"]`, every level of it checked: what the host cannot read, it may drop as a whole."""
    hooks = settings.get("hooks", {})
    _expect(hooks, dict, "hooks")
    for event, groups in hooks.items():
        if type(groups) is bool and event not in adapter.capabilities:
            continue  # a switch of the host among its hooks
        _expect(groups, list, f"hooks.{event}")
        for place, group in enumerate(groups):
            if type(group) is str and event not in adapter.capabilities:
                continue
            _expect(group, dict, f"hooks.{event}[{place}]")
            if adapter.registration.form == "flat":
                continue
            _expect(group.get("hooks"), list, f"hooks.{event}[{place}].hooks")
            for number, handler in enumerate(group["hooks"]):
                _expect(handler, dict, f"hooks.{event}[{place}].hooks[{number}]")
    entries_by_event: dict[str, list[dict[str, Any]]] = {
        event: groups for event, groups in hooks.items() if type(groups) is list and str not in map(type, groups)
    }
    return hooks if len(entries_by_event) == len(hooks) else entries_by_event


def _expect(value: object, kind: type, where: str) -> None:
    if type(value) is not kind:
        name = "an object" if kind is dict else "a list"
        raise ConfigurationError(f"`{where}` is not {name}; the host cannot read these settings")
