"""Check what keeps the hook alive in a host's settings as they stand, and what disarms it.

The proof is a canary (hosts/canary.py). Hosts take a hook that does not run, or that answers wrongly, for consent.
"""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from policy_engine.adapters.base import Adapter
from policy_engine.hook_process.residence import UNFIT, residence
from policy_engine.hook_process.response_writer import COMPILE_MS
from policy_engine.hosts.addresses import address_checks, addressed
from policy_engine.hosts.canary import FAILURE, OK, WARNING, Check, canaries
from policy_engine.hosts.consents import TRUSTED, Consent, Silent, consents
from policy_engine.hosts.layers import Layer, layer, layers, own_command
from policy_engine.hosts.registered import read_layer
from policy_engine.hosts.registration import (
    ENDING,
    REFUSING,
    Handler,
    handlers,
    line,
    obtained_by,
    parts,
    portable_line,
)
from policy_engine.hosts.settings_file import read_bytes
from policy_engine.loading.effects import effects
from policy_engine.loading.installation import parts_in
from policy_engine.model.errors import ConfigurationError, PolicyLoadError

ELSEWHERE = "install the engine outside of it: `pipx install policy_engine`, then `policy install` again"
SHOW = "`policy trust --show` shows what they are"
_SHORT_TIMEOUT = COMPILE_MS // 1000 + 10  # seconds; past the engine's own deadline the host lets the call run
_DISARMING = ("async", "asyncRewake", "once", "if", "shell", "args")


@dataclass(frozen=True, slots=True)
class _Found:
    layer: Layer
    settings: dict[str, Any]
    handlers: tuple[Handler, ...] = field(default=())
    addressed: tuple[Handler, ...] = field(default=())


def diagnose(adapter: Adapter, project: Path) -> list[Check]:
    """Every check for one host, in the order a person would look; runs the canary once per registered command."""
    checks: list[Check] = []
    registered = [
        each for each in (_read(adapter, layer, checks) for layer in layers(adapter.registration, project)) if each
    ]
    ours = [(each, handler) for each in registered for handler in each.handlers]
    called = [handler for each in registered for handler in each.addressed]
    reinstall = f"run `policy install {adapter.name}`"
    if not ours and not called:
        checks.append(Check("registered", FAILURE, f"no settings of {adapter.name} call the hook", reinstall))
    else:
        where = ", ".join(str(each.layer.path) for each in registered if each.handlers or each.addressed)
        checks.append(Check("registered", OK, f"the hook is registered in {where}"))
    checks += _switches(adapter, registered)
    checks += _coverage(adapter, [*(handler for _, handler in ours), *called], reinstall)
    checks += _trust(project)
    lines = sorted({_plain(adapter, handler) for _, handler in ours})
    if len(lines) > 1:
        checks.append(
            Check("single", WARNING, "several installations are registered; each event is judged by all", reinstall)
        )
    for command in lines:
        checks += _command(adapter, command, reinstall)
    checks += [
        Check("engine", WARNING, f"{part} lies in the project, where the agent works", ELSEWHERE)
        for part in parts_in(str(project))
    ]
    checks += _consents(adapter, registered, project)
    checks += canaries(adapter, project, [(handler, each.layer.name) for each, handler in ours])
    checks += address_checks(adapter, called, project)
    checks.append(_resident())
    if (ours or called) and adapter.registration.afterwards:
        checks.append(Check("afterwards", OK, adapter.registration.afterwards))
    return checks


def unregistered(project: Path, hosts: list[str]) -> list[Check]:
    """Return the checks of a project in which no host calls the hook."""
    advice = f"run `policy install HOST`; HOST is one of {', '.join(hosts)}"
    return [Check("registered", FAILURE, "no settings of a coding agent call the hook", advice), *_trust(project)]


def _read(adapter: Adapter, layer: Layer, checks: list[Check]) -> _Found | None:
    try:
        file = read_layer(adapter, layer)
        if file.data is None:
            return None
        ours, called = handlers(file.settings, adapter), addressed(file.settings, adapter)
        return _Found(layer, file.settings, tuple(ours), tuple(called))
    except ConfigurationError as problem:
        advice = "the host may ignore the whole file, hooks included; repair it"
        checks.append(Check("readable", FAILURE, f"{layer.name} settings: {problem}", advice))
        return None


def _trust(project: Path) -> Iterator[Check]:
    """Check whether the commands of the project's policy would run; one that does not load is the canary's finding."""
    try:
        trusted = effects(str(project))
    except (ConfigurationError, PolicyLoadError):
        return
    number = len(trusted.found.runs)
    if trusted.reason:
        yield Check("trust", WARNING, f"the commands of this repository do not run ({number}): {trusted.reason}", SHOW)
    elif number:
        yield Check("trust", OK, f"the commands of this repository are trusted ({number})")


def _switches(adapter: Adapter, registered: list[_Found]) -> Iterator[Check]:
    registration = adapter.registration
    for each in registered:
        for key, effect in registration.switches:
            if _switched(each.settings, key):
                yield Check("switches", FAILURE, f"`{key}` in {each.layer.path} {effect}", "remove it")
        for key, effect in registration.managed_switches:
            if each.layer.name == "managed" and each.settings.get(key) not in (None, False) and not each.handlers:
                advice = "ask the administrator to register the hook in the managed settings"
                yield Check("switches", FAILURE, f"`{key}` in {each.layer.path} {effect}", advice)
    for name, effect in registration.variables:
        if os.environ.get(name, "") not in ("", "0", "false"):
            yield Check("switches", FAILURE, f"the variable {name} {effect}", f"unset {name}")


def _switched(settings: dict[str, Any], key: str) -> bool:
    """Return whether a switch disarms: `a.b` by a true value, `!a.b` by false, `a.b:NAME` by a list with the name."""
    path, _, name = key.removeprefix("!").partition(":")
    value: Any = settings
    for part in path.split("."):
        value = value.get(part) if type(value) is dict else None
    if name:
        return type(value) is list and name in value
    return value is False if key.startswith("!") else value not in (None, False)


def _consents(adapter: Adapter, registered: list[_Found], project: Path) -> Iterator[Check]:
    """Check whether the host was told to trust each hook as it is now; it passes over others in silence."""
    if not adapter.registration.consents:
        return
    for each in registered:
        if each.handlers:
            try:
                yield _consent(adapter, each, consents(adapter, each.layer, project))
            except Silent as why:
                yield from _written(adapter, each, project, str(why))


def _consent(adapter: Adapter, each: _Found, given: list[Consent]) -> Check:
    name, path = adapter.name, each.layer.path
    scope = " --scope project" if each.layer.name == "project" else ""
    advice = f"run `policy install {name}{scope}`, or trust them in `{name}`"
    if len(given) < len(each.handlers):
        advice = f"start `{name}` in the project and trust it" if each.layer.name == "project" else advice
        return Check("consent", FAILURE, f"{name} does not read all hooks of {path}", advice)
    for state in sorted({one.state for one in given} - {TRUSTED}):
        which = "are not what it was told to trust" if state == "modified" else "were never trusted"
        return Check("consent", FAILURE, f"hooks of {path} {which}, and {name} passes over them", advice)
    if not all(one.enabled for one in given):
        return Check("consent", FAILURE, f"hooks of {path} are switched off in {name}", f"switch them on in `{name}`")
    return Check("consent", OK, f"{name} trusts the hooks of {path} as they are ({len(given)})")


def _written(adapter: Adapter, each: _Found, project: Path, why: str) -> Iterator[Check]:
    """The same where the host cannot be asked: what it was told is in a file, but not whether that still holds."""
    user = layer(adapter.registration, "user", project).path
    file = user.with_name(adapter.registration.consents)
    try:
        recorded = tomllib.loads((read_bytes(file) or b"").decode("utf-8")).get("hooks", {}).get("state", {})
    except (ValueError, AttributeError) as problem:
        yield Check("consent", FAILURE, f"{file} cannot be read: {problem}", "repair it")
        return
    for handler in each.handlers:
        event = re.sub(r"(?<!^)(?=[A-Z])", "_", handler.event).lower()
        start = f"{each.layer.path}:{event}:"
        if not any(key.startswith(start) and "trusted_hash" in state for key, state in recorded.items()):
            message = f"{adapter.name} was not told to trust the hooks of {each.layer.path}, and passes over them"
            yield Check("consent", FAILURE, message, adapter.registration.afterwards)
            return
    message = f"whether {adapter.name} trusts the hooks of {each.layer.path} as they are now is not known: {why}"
    yield Check("consent", WARNING, message, adapter.registration.afterwards)


def _coverage(adapter: Adapter, ours: list[Handler], reinstall: str) -> Iterator[Check]:
    if not ours:
        return
    complete = True
    for event, matcher in adapter.registration.events:
        present = [handler for handler in ours if handler.event == event]
        gate = adapter.capabilities[event].gate
        problem = "is not registered" if not present else None
        if present and matcher is not None and all(each.matcher not in (None, "", "*", matcher) for each in present):
            problem = f"is registered for `{present[0].matcher}` only"
        if problem:
            complete = False
            yield Check("events", FAILURE if gate else WARNING, f"{event} {problem}", reinstall)
        for handler in present:
            for check in _handler(adapter, handler, reinstall):
                complete = False
                yield check
    if complete:
        yield Check(
            "events", OK, f"all {len(adapter.registration.events)} events call it, with a timeout that is long enough"
        )


def _handler(adapter: Adapter, handler: Handler, reinstall: str) -> Iterator[Check]:
    event, settings, registration = handler.event, handler.settings, adapter.registration
    if registration.form not in ("nested", "flat"):
        return  # a file of ours says what it says
    for key in _DISARMING:
        if settings.get(key) not in (None, False):
            yield Check("handlers", FAILURE, f"`{key}` keeps {event} from refusing or from calling the hook", reinstall)
    for key, value in registration.handler.items():
        if settings.get(key) != value and handler.command:
            yield Check("handlers", FAILURE, f"the handler of {event} has the {key} `{settings.get(key)}`", reinstall)
    key, units = registration.clock
    least = registration.longer.get(event, _SHORT_TIMEOUT) * units
    timeout = settings.get(key, least)
    if type(timeout) not in (int, float) or timeout < least:
        message = f"{event} times out after `{timeout}`, and the host then lets the call run"
        yield Check("handlers", WARNING, message, reinstall)
    missing = [key for key, value in registration.closed.items() if settings.get(key) != value]
    if event in registration.fail_closed_events and missing and handler.command:
        message = f"{event} lets the call run if the hook cannot start (no `{missing[0]}`)"
        yield Check("handlers", WARNING, message, reinstall)


def _resident() -> Check:
    """A resident engine; whether there is one is nothing that keeps hooks from refusing."""
    answer = residence()
    state = WARNING if answer.state == UNFIT else OK
    return Check("daemon", state, f"`policy serve`: {answer.text}", "end it and start it again")


def _command(adapter: Adapter, command: str, reinstall: str) -> Iterator[Check]:
    words = parts(command, adapter.name)
    if words is None:
        return
    interpreter, script = words.interpreter, words.script
    if not interpreter and obtained_by(command) is not None:
        where = shutil.which("policy")
        if where is None:
            yield Check(
                "command", FAILURE, "`policy` is not on the search path, where the registered line looks", reinstall
            )
        else:
            yield Check(
                "command", OK, f"the line is shared by a team and finds `policy` by the search path, {where} here"
            )
    elif not interpreter.startswith("/") or not script.startswith("/"):
        yield Check("command", FAILURE, f"`{command}` depends on the working directory or on PATH", reinstall)
    elif not os.access(interpreter, os.X_OK) or not Path(interpreter).is_file():
        yield Check("command", FAILURE, f"the interpreter {interpreter} is missing or not executable", reinstall)
    elif not os.access(script, os.R_OK):
        yield Check("command", FAILURE, f"the script {script} is missing or not readable", reinstall)
    elif not {"-I", "-S"} <= set(words.flags):
        message = f"`{command}` is not isolated: a file of the repository can replace its modules"
        yield Check("command", FAILURE, message, reinstall)
    elif not (command.startswith(REFUSING[0]) and command.endswith((REFUSING[1], ENDING))):
        message = f"`{command}` lets the call run if the interpreter goes away or cannot start"
        yield Check("command", FAILURE, message, reinstall)
    elif command != own_command(adapter.name):
        yield Check("command", WARNING, f"`{command}` is not what this installation registers", reinstall)
    else:
        yield Check("command", OK, f"{script} runs isolated under {interpreter}")


def _plain(adapter: Adapter, handler: Handler) -> str:
    """A registered line without the event that it names."""
    own, obtain = own_command(adapter.name), obtained_by(handler.command)
    own = own if obtain is None else portable_line(adapter.name, obtain)
    return own if handler.command == line(adapter, own, handler.event) else handler.command
