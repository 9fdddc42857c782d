"""Settings of a host and a command line → settings in which every lifecycle event calls that command; and back.

Pure: dictionaries in, new dictionaries out, everything that is not ours kept as it is and in its order. The form is
the one Claude Code introduced: `{"hooks": {EVENT: [{"matcher": …, "hooks": [{"type": "command", …}]}]}}`.
"""

from __future__ import annotations

import copy
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from policy_engine.adapters.base import Registration
from policy_engine.model.errors import ConfigurationError

SCRIPT = "policy_engine/hook.py"  # a command that runs a file of this name is ours, wherever it lies
# Hosts take every status but 2 for consent: 127 of a shell whose interpreter is gone, 1 of an interpreter whose library
# is gone, 139 of a crash. The shell that the host starts anyway turns them into a refusal; a signal that reaches only
# this shell must not end it before the engine has answered (decision page `refusing-shell`).
REFUSING = ("trap 'exit 2' HUP INT TERM; ", " || exit 2")


@dataclass(frozen=True, slots=True)
class Handler:
    """One of our handlers as it stands in settings: its event, its group's matcher, and all its keys."""

    event: str
    matcher: object
    settings: dict[str, Any]

    @property
    def command(self) -> str:
        """The command line, as the host hands it to the shell."""
        return str(self.settings.get("command"))


@dataclass(frozen=True, slots=True)
class Parts:
    """A registered command, taken apart: interpreter, its flags, our script."""

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


def register(settings: dict[str, Any], registration: Registration, command: str, host: str) -> dict[str, Any]:
    """`settings` with one handler of ours per event. Idempotent; an older handler of ours is replaced."""
    wanted = [(event, matcher, _handler(registration, event, command)) for event, matcher in registration.events]
    present = [(found.event, found.matcher, found.settings) for found in handlers(settings, host)]
    if sorted(present, key=lambda found: found[0]) == sorted(wanted, key=lambda found: found[0]):
        return copy.deepcopy(settings)
    result = unregister(settings, host)
    hooks = result.setdefault("hooks", {})
    for event, matcher, handler in wanted:
        group: dict[str, Any] = {} if matcher is None else {"matcher": matcher}
        hooks.setdefault(event, []).append({**group, "hooks": [handler]})
    return result


def unregister(settings: dict[str, Any], host: str) -> dict[str, Any]:
    """`settings` without our handlers for `host`, and without the groups and lists that this leaves empty."""
    result = copy.deepcopy(settings)
    hooks = _hooks(result)
    for event, groups in list(hooks.items()):
        kept = [group for group in groups if not _strip(group, host)]
        if kept or not groups:
            hooks[event] = kept
        else:
            del hooks[event]
    if not hooks and _hooks(settings):
        del result["hooks"]
    return result


def handlers(settings: dict[str, Any], host: str) -> Iterator[Handler]:
    """Our handlers for `host`, in the order of the settings. Raises ConfigurationError if the host cannot read them."""
    for event, groups in _hooks(settings).items():
        for group in groups:
            for handler in group["hooks"]:
                if _is_ours(handler, host):
                    yield Handler(event, group.get("matcher"), handler)


def parts(command: str, host: str) -> Parts | None:
    """The parts of a command that runs our script for `host`; None if it does not."""
    command = command.removeprefix(REFUSING[0]).removesuffix(REFUSING[1])
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    for place, word in enumerate(words[:-1]):
        if place and (word == SCRIPT or word.endswith(f"/{SCRIPT}")) and words[place + 1] == host:
            return Parts(words[0], tuple(words[1:place]), word)
    return None


def _handler(registration: Registration, event: str, command: str) -> dict[str, Any]:
    handler: dict[str, Any] = {"type": "command", "command": command, "timeout": registration.seconds(event)}
    if event in registration.fail_closed_events:
        handler["onFailure"] = "block"
    return handler


def _is_ours(handler: dict[str, Any], host: str) -> bool:
    command = handler.get("command")
    return type(command) is str and parts(command, host) is not None


def _strip(group: dict[str, Any], host: str) -> bool:
    """Take our handlers out of a group; true if that leaves it empty."""
    before = group["hooks"]
    group["hooks"] = [handler for handler in before if not _is_ours(handler, host)]
    return bool(before) and not group["hooks"]


def _hooks(settings: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """`settings["hooks"]`, every level of it checked: what the host cannot read, it may drop as a whole."""
    hooks = settings.get("hooks", {})
    _expect(hooks, dict, "hooks")
    for event, groups in hooks.items():
        _expect(groups, list, f"hooks.{event}")
        for place, group in enumerate(groups):
            _expect(group, dict, f"hooks.{event}[{place}]")
            _expect(group.get("hooks"), list, f"hooks.{event}[{place}].hooks")
            for number, handler in enumerate(group["hooks"]):
                _expect(handler, dict, f"hooks.{event}[{place}].hooks[{number}]")
    found: dict[str, list[dict[str, Any]]] = hooks
    return found


def _expect(value: object, kind: type, where: str) -> None:
    if type(value) is not kind:
        name = "an object" if kind is dict else "a list"
        raise ConfigurationError(f"`{where}` is not {name}; the host cannot read these settings")
