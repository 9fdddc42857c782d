"""Read the events of a file, a folder or a database in which a host records sessions, in whatever form they are."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from policy_engine.audit.parts import parts
from policy_engine.loading.event_lines import event_lines, open_events
from policy_engine.model.errors import ConfigurationError, EventError
from policy_engine.model.limits import DOCUMENT_BYTES, EVENT_BYTES
from policy_engine.model.strict_json import read_json
from policy_engine.transcripts.base import Line, Recorded, Transcript, forms, recorded

_DATABASE = b"SQLite format 3\0"
_EVENT_FILES = "event-*.json"
"""Files of one event each, in the order of their names, in a folder that is one recording."""


def with_parts(names: Iterable[str]) -> Iterator[str]:
    """Yield each path once, before that of a decision log those of the parts that were made of it."""
    done: set[str] = set()
    for name in names:
        older = parts(name) if name != "-" else []
        for each in (*older, name) if not older or os.path.exists(name) else older:
            if each not in done:
                yield each
        done.update((*older, name))


def recording(name: str, strict: bool = True) -> Iterator[Recorded]:
    """Yield the events of the recording at a path, `-` for standard input.

    Without `strict` a line of no known form is taken for a canonical event, to be refused as such.

    Raises:
        ConfigurationError: it cannot be read, or is no recording of a known form.
    """
    if name == "-":
        yield from recorded(recording_lines(sys.stdin.buffer), "", strict)
    elif os.path.isdir(name):
        yield from recorded(_folder(name), name, strict)
    else:
        with open_events(name) as file:
            if file.peek(len(_DATABASE)).startswith(_DATABASE):  # type: ignore[attr-defined]
                form = _tabled(name)
                assert form.tables is not None
                yield from form.events(enumerate(form.tables(name), 1), name)
            else:
                yield from recorded(recording_lines(file), name, strict)


def _tabled(name: str) -> Transcript:
    """The form of a database; a second one that reads them would have to tell them apart."""
    tabled = [form for form in forms() if form.tables is not None]
    if len(tabled) != 1:
        raise ConfigurationError(f"`{name}` is a database, and no form of recordings reads it")
    return tabled[0]


def _folder(name: str) -> Iterator[Line]:
    for number, path in enumerate(sorted(Path(name).glob(_EVENT_FILES)), 1):
        try:
            value = read_json(path.read_bytes())
        except OSError as problem:
            yield number, EventError("E-JSON", f"cannot read `{path}`: {(problem.strerror or '').lower()}")
        except EventError as error:
            yield number, EventError(error.code, f"{path.name}: {error}")
        else:
            yield number, value if type(value) is dict else EventError("E-TYPE", f"{path.name} is no JSON object")
    if not any(Path(name).glob(_EVENT_FILES)):
        raise ConfigurationError(f"cannot read `{name}`: it is a folder without events")


def recording_lines(stream: BinaryIO) -> Iterator[Line]:
    """Yield the objects of a recording: those of its lines, the one document that it is, or the items of its list."""
    first = stream.readline(EVENT_BYTES + 2)
    value = _parsed(first) if first.lstrip()[:1] in (b"[", b"{") else {}
    if type(value) is dict:
        yield from event_lines(stream, first)
        return
    if type(value) is not list:
        rest = first + stream.read(DOCUMENT_BYTES - len(first) + 1)
        value = _parsed(rest) if len(rest) <= DOCUMENT_BYTES else None
        if type(value) not in (dict, list):
            yield from event_lines(stream, rest)
            return
    items = value if type(value) is list else [value]
    for number, item in enumerate(items, 1):
        yield number, item if type(item) is dict else EventError("E-TYPE", f"item {number} is not a JSON object")


def _parsed(data: bytes) -> Any:
    """The JSON value, None if it is none. A document has more nodes than an event may have."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


_SUFFIXES = (".jsonl", ".json", ".traj", ".db")


def kept_recordings(home: str) -> list[str]:
    """Return the recordings that hosts keep below a home folder, each once, sorted."""
    places = [place for form in forms() for place in form.places]
    return sorted({str(path) for place in places for path in Path(home).glob(place)})


def recordings_below(path: str) -> list[str]:
    """Return what may be recordings at a path: the file, or files below a folder by their suffixes, sorted."""
    if not os.path.isdir(path) or any(Path(path).glob(_EVENT_FILES)):
        return [path]
    below = {str(each) for each in Path(path).rglob("*") if each.suffix in _SUFFIXES and each.is_file()}
    folders = {os.path.dirname(each) for each in below if Path(each).match(_EVENT_FILES)}
    return sorted({*folders, *(each for each in below if os.path.dirname(each) not in folders)})
