"""Check the entries of a host's settings that call an address (`"type": "http"`): is it our door, and does it refuse.

An entry is taken for ours if its path is that of the door (`/hook/HOST`). It is right if the resident engine of this
user says that its door is there, if the token goes along, and if a call that must be refused is. A door that is not
there answers nothing, and only some hosts refuse then.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from policy_engine.adapters.base import Adapter, Answer
from policy_engine.hook_process.residence import ON, Residence, residence
from policy_engine.hosts.canary import FAILURE, OK, SECONDS, WARNING, Check, judged
from policy_engine.hosts.registration import Handler, entries
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.points import COMPLETIONS

NAMES = ("127.0.0.1", "localhost")
TOKEN = "token"
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


def addressed(settings: dict[str, Any], adapter: Adapter) -> Iterator[Handler]:
    """Entries that call `/hook/HOST` of some machine; `runs` is the address. Raises ConfigurationError."""
    if adapter.registration.form not in ("nested", "flat"):
        return
    for event, matcher, entry in entries(settings, adapter):
        url = entry.get("url")
        if entry.get("type") == "http" and type(url) is str and _parts(url).path == f"/hook/{adapter.name}":
            yield Handler(event, matcher, entry, "", url)


def address_checks(adapter: Adapter, ours: list[Handler], project: Path) -> Iterator[Check]:
    """Return what is wrong with each address and what is sent there, and what happens while nobody listens."""
    if not ours:
        return
    advice = f"see `policy serve --help`, or run `policy install {adapter.name}`, whose command decides by itself"
    if not adapter.registration.http:
        yield Check("http", FAILURE, f"{adapter.name} is not known to call addresses: nothing is asked", advice)
        return
    resident = residence()
    wrong = list(dict.fromkeys(_wrong(adapter, handler, resident, project) for handler in ours))
    problems = [message for message in wrong if message]
    for message in problems:
        yield Check("http", FAILURE, message, advice)
    if not problems:
        points = ", ".join(
            dict.fromkeys(adapter.capabilities[each.event].point for each in ours if _gate(adapter, each))
        )
        message = (
            f"{resident.http} is the door of `policy serve` (pid {resident.pid}), and refuses what it must ({points})"
        )
        yield Check("http", OK, message)
    yield _unheard(adapter, ours, advice)


def _gate(adapter: Adapter, handler: Handler) -> bool:
    capability = adapter.capabilities.get(handler.event)
    return capability is not None and capability.gate


def _wrong(adapter: Adapter, handler: Handler, resident: Residence, project: Path) -> str:
    """Return what is wrong with an entry, empty if nothing is."""
    url = _parts(handler.runs)
    if resident.state != ON or not resident.http:
        without = "" if resident.state != ON else " with `--http`"
        why = f": {resident.problem}" if resident.problem else ""
        return f"nobody answers at {handler.runs}: `policy serve` is not running{without}{why}"
    door = urlsplit(resident.http)
    if url.scheme != "http" or url.hostname not in NAMES or url.port != door.port:
        return f"{handler.runs} is not the door of `policy serve`, which is at {resident.http}"
    token, header = _token(resident.folder), _header(handler.settings)
    for name in _names(header):
        if name not in _allowed(handler.settings):
            return f"`allowedEnvVars` does not name {name}: the host sends no token, and everything is refused"
        if name not in os.environ:
            return f"the variable {name} is not set here: where the host starts without it, everything is refused"
    if not token or _filled(header) != f"Bearer {token}":
        return f"the token of {resident.folder}/{TOKEN} is not sent to {handler.runs}: everything is refused"
    if not _gate(adapter, handler):
        return ""
    try:
        answer = _asked(adapter, handler, url, str(project))
    except (OSError, HTTPException) as problem:
        return f"the door did not answer: {problem}"
    verdict = judged(adapter, handler.event, answer, answer.stdout.decode("utf-8", "replace"), "")
    return verdict.message if verdict is not None else ""


def _asked(adapter: Adapter, handler: Handler, url: SplitResult, folder: str) -> Answer:
    connection = HTTPConnection(str(url.hostname), url.port or 80, timeout=SECONDS)
    try:
        body = json.dumps(adapter.canary(handler.event, folder)).encode()
        path = f"{url.path}?{url.query}" if url.query else url.path
        connection.request("POST", path, body, {"Authorization": _filled(_header(handler.settings))})
        answer = connection.getresponse().read()
        # there is no exit status and no standard error over HTTP: the host reads the JSON alone
        return Answer(answer, answer, 2 if "exit" in adapter.capabilities[handler.event].form else 0)
    finally:
        connection.close()


def _unheard(adapter: Adapter, ours: list[Handler], advice: str) -> Check:
    """Return what the host does with each event while nobody listens."""
    closed: list[str] = []
    goes: list[str] = []
    for handler in ours:
        if _gate(adapter, handler):
            registration = adapter.registration
            kept = bool(registration.closed) and handler.settings.items() >= registration.closed.items()
            heeded = adapter.capabilities[handler.event].point not in COMPLETIONS
            (closed if kept and heeded else goes).append(handler.event)
    messages = [f"{', '.join(dict.fromkeys(events))} {what}" for events, what in (
        (closed, "are refused by the host"), (goes, "go through"),
    ) if events]  # fmt: skip
    message = f"while `policy serve` is not there, {'; '.join(messages)}"
    return Check("http", WARNING if goes else OK, message, advice)


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 -- raises for what is no port
        return parts
    except ValueError:
        return urlsplit("")


def _token(folder: str) -> str:
    try:
        return Path(folder, TOKEN).read_text("utf-8").strip()
    except (OSError, ValueError) as problem:
        raise ConfigurationError(f"the token of `policy serve` cannot be read: {problem}") from None


def _header(settings: dict[str, Any]) -> str:
    headers = settings.get("headers")
    sent = (
        [value for name, value in headers.items() if name.lower() == "authorization"] if type(headers) is dict else []
    )
    return sent[0] if sent and type(sent[0]) is str else ""


def _names(text: str) -> list[str]:
    return [braced or bare for braced, bare in _VARIABLE.findall(text)]


def _filled(text: str) -> str:
    return _VARIABLE.sub(lambda match: os.environ.get(match[1] or match[2], ""), text)


def _allowed(settings: dict[str, Any]) -> list[Any]:
    names = settings.get("allowedEnvVars")
    return names if type(names) is list else []
