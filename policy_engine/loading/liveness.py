"""A host's settings as they stand → what keeps the hook alive and what disarms it, each as a `Check`.

The proof is a canary: every registered command line is run exactly as written, through `sh -c` as the host does, with
a call that must be refused. Hosts take a hook that does not run, or that answers wrongly, for consent.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from policy_engine.adapters.base import CANARY_CODE, POLICY_CODE, Adapter, visible
from policy_engine.loading.answering import COMPILE_MS
from policy_engine.loading.effects import effects
from policy_engine.loading.layers import Layer, layers, own_command
from policy_engine.loading.registration import REFUSING, Handler, handlers, parts
from policy_engine.loading.settings_file import read_settings
from policy_engine.model.errors import ConfigurationError, PolicyLoadError

SHOW = "`policy trust --show` shows what they are"
OK, WARNING, FAILURE = "ok", "warning", "failure"
_SHORT_TIMEOUT = COMPILE_MS // 1000 + 10  # seconds; past the engine's own deadline the host lets the call run
_CANARY_SECONDS = _SHORT_TIMEOUT
_TRUSTED = ("managed", "user")  # layers that no repository writes
_DISARMING = ("async", "asyncRewake", "once", "if", "shell", "args")


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: `state` is ok, warning or failure; `help` says what to do."""

    name: str
    state: str
    message: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    layer: Layer
    settings: dict[str, Any]
    handlers: tuple[Handler, ...] = field(default=())


def diagnose(adapter: Adapter, project: Path) -> list[Check]:
    """Every check for one host, in the order a person would look; runs the canary once per registered command."""
    checks: list[Check] = []
    found = [
        each for each in (_read(adapter, layer, checks) for layer in layers(adapter.registration, project)) if each
    ]
    ours = [(each, handler) for each in found for handler in each.handlers]
    reinstall = f"run `policy install {adapter.name}`"
    if not ours:
        checks.append(Check("registered", FAILURE, f"no settings of {adapter.name} call the hook", reinstall))
    else:
        where = ", ".join(str(each.layer.path) for each in found if each.handlers)
        checks.append(Check("registered", OK, f"the hook is registered in {where}"))
    checks += _switches(adapter, found)
    checks += _coverage(adapter, [handler for _, handler in ours], reinstall)
    checks += _trust(project)
    commands = sorted({handler.command for _, handler in ours})
    if len(commands) > 1:
        checks.append(
            Check("single", WARNING, "several installations are registered; each event is judged by all", reinstall)
        )
    for command in commands:
        checks += _command(adapter, command, reinstall)
        checks.append(
            _canary(adapter, command, project, [each.layer for each, handler in ours if handler.command == command])
        )
    return checks


def _read(adapter: Adapter, layer: Layer, checks: list[Check]) -> _Found | None:
    try:
        file = read_settings(layer.path, layer.inside)
        if file.data is None:
            return None
        return _Found(layer, file.settings, tuple(handlers(file.settings, adapter.name)))
    except ConfigurationError as problem:
        advice = "the host may ignore the whole file, hooks included; repair it"
        checks.append(Check("readable", FAILURE, f"{layer.name} settings: {problem}", advice))
        return None


def _trust(project: Path) -> Iterator[Check]:
    """Whether the commands of the project's own policy would run; one that does not load is the canary's finding."""
    try:
        found = effects(str(project))
    except (ConfigurationError, PolicyLoadError):
        return
    number = len(found.found.runs)
    if found.reason:
        yield Check("trust", WARNING, f"the commands of this repository do not run ({number}): {found.reason}", SHOW)
    elif number:
        yield Check("trust", OK, f"the commands of this repository are trusted ({number})")


def _switches(adapter: Adapter, found: list[_Found]) -> Iterator[Check]:
    registration = adapter.registration
    for each in found:
        for key, effect in registration.switches:
            if each.settings.get(key) not in (None, False):
                yield Check("switches", FAILURE, f"`{key}` in {each.layer.path} {effect}", "remove it")
        for key, effect in registration.managed_switches:
            if each.layer.name == "managed" and each.settings.get(key) not in (None, False) and not each.handlers:
                advice = "ask the administrator to register the hook in the managed settings"
                yield Check("switches", FAILURE, f"`{key}` in {each.layer.path} {effect}", advice)
    for name, effect in registration.variables:
        if os.environ.get(name, "") not in ("", "0", "false"):
            yield Check("switches", FAILURE, f"the variable {name} {effect}", f"unset {name}")


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
    event, settings = handler.event, handler.settings
    for key in _DISARMING:
        if settings.get(key) not in (None, False):
            yield Check("handlers", FAILURE, f"`{key}` keeps {event} from refusing or from calling the hook", reinstall)
    if settings.get("type") != "command":
        yield Check("handlers", FAILURE, f"the handler of {event} has the type `{settings.get('type')}`", reinstall)
    least = adapter.registration.longer.get(event, _SHORT_TIMEOUT)
    timeout = settings.get("timeout", _SHORT_TIMEOUT)
    if type(timeout) not in (int, float) or timeout < least:
        message = f"{event} times out after `{timeout}` s, and the host then lets the call run"
        yield Check("handlers", WARNING, message, reinstall)
    if event in adapter.registration.fail_closed_events and settings.get("onFailure") != "block":
        yield Check(
            "handlers", WARNING, f"{event} lets the call run if the hook cannot start (no `onFailure`)", reinstall
        )


def _command(adapter: Adapter, command: str, reinstall: str) -> Iterator[Check]:
    found = parts(command, adapter.name)
    if found is None:
        return
    interpreter, script = found.interpreter, found.script
    if not interpreter.startswith("/") or not script.startswith("/"):
        yield Check("command", FAILURE, f"`{command}` depends on the working directory or on PATH", reinstall)
    elif not os.access(interpreter, os.X_OK) or not Path(interpreter).is_file():
        yield Check("command", FAILURE, f"the interpreter {interpreter} is missing or not executable", reinstall)
    elif not os.access(script, os.R_OK):
        yield Check("command", FAILURE, f"the script {script} is missing or not readable", reinstall)
    elif not {"-I", "-S"} <= set(found.flags):
        message = f"`{command}` is not isolated: a file of the repository can replace its modules"
        yield Check("command", FAILURE, message, reinstall)
    elif not (command.startswith(REFUSING[0]) and command.endswith(REFUSING[1])):
        message = f"`{command}` lets the call run if the interpreter goes away or cannot start"
        yield Check("command", FAILURE, message, reinstall)
    elif command != own_command(adapter.name):
        yield Check("command", WARNING, f"`{command}` is not what this installation registers", reinstall)
    else:
        yield Check("command", OK, f"{script} runs isolated under {interpreter}")


def _canary(adapter: Adapter, command: str, project: Path, where: list[Layer]) -> Check:
    advice = f"see `policy status`, then run `policy install {adapter.name}`"
    if command != own_command(adapter.name) and not any(layer.name in _TRUSTED for layer in where):
        # What a repository brings along is not run here; its own hook must be this installation's, to the letter.
        return Check("canary", FAILURE, f"not tried, for it comes with the repository: `{command}`", advice)
    payload = {"session_id": "policy-doctor", "cwd": str(project), **adapter.registration.canary}
    try:
        with tempfile.TemporaryDirectory(prefix="policy-doctor-") as folder:
            ran = subprocess.run(
                ["/bin/sh", "-c", command],
                input=json.dumps(payload).encode() + b"\n",
                capture_output=True,
                cwd=folder,
                timeout=_CANARY_SECONDS,
                check=False,
            )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return Check("canary", FAILURE, f"the hook did not answer: {problem}", advice)
    return _judge(adapter, ran, advice)


def _judge(adapter: Adapter, ran: subprocess.CompletedProcess[bytes], advice: str) -> Check:
    said = visible(ran.stderr.decode("utf-8", "replace").strip())
    if ran.returncode != 2:
        message = f"a call that must be refused ended with {ran.returncode}, not 2: {said}"
        return Check("canary", FAILURE, message, advice)
    if not _denies(ran.stdout, adapter.registration.denial):
        return Check("canary", FAILURE, f"the refusal is missing on standard output: {said}", advice)
    if POLICY_CODE in said and CANARY_CODE not in said:
        return Check("canary", FAILURE, f"the hook is live, but the policy here is not what decides: {said}", advice)
    if CANARY_CODE not in said:
        return Check("canary", FAILURE, f"the hook refuses everything, because the engine fails: {said}", advice)
    return Check("canary", OK, "a call that must be refused was refused, on both channels")


def _denies(stdout: bytes, denial: tuple[str, ...]) -> bool:
    try:
        value: Any = json.loads(stdout)
    except ValueError:
        return False
    for key in denial[:-1]:
        value = value.get(key) if isinstance(value, dict) else None
    return bool(value == denial[-1])
