"""What a member is: one coding agent as a program, how it is started against a scripted model, and its tools' names."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.clients.models.base import Call, Wire

NO_KEY = "none"


@dataclass(frozen=True)
class Start:
    """What a client is started with: the folder of its packages, the model's address, its home, what it is told.

    `variant` is set where sub-agents play a part.
    """

    modules: Path
    model: str
    home: Path
    prompt: str
    variant: str = ""


@dataclass(frozen=True)
class Client:
    """One coding agent.

    `command` and `environment` start it for one run without questions; `run`, `save`, `show` and `delegate` are the
    calls in its own tools: a shell command, a file with a text, reading a file, a task for a sub-agent. `prepare` puts
    into a home what a person who uses the client in a workspace has there. Where sub-agents play a part, it is started
    as `variant`, `nested_run` is their shell call, `awaiting` how the main agent waits, `last` how a sub-agent ends.
    `run_in` is a shell call with a folder as an argument of the tool, where the tool has one.
    `spare` says that the tests may do without the client where it cannot be fetched, `aborts` that a refusal of
    anything but a shell command ends its run, `mute` that it drops what a hook says on standard error. `cannot` are
    promises of its adapter that this program cannot keep in one run without a person, with the reason, `scopes` the
    settings that it is tried with.
    """

    host: str
    package: str
    version: str
    wire: Wire
    command: Callable[[Start], list[str]]
    environment: Callable[[Start], dict[str, str]]
    run: Callable[[str], Call]
    save: Callable[[Path, str], Call]
    show: Callable[[Path], Call]
    delegate: Callable[[str], Call]
    prepare: Callable[[Path, Path], None] = lambda home, workspace: None
    variant: str = ""
    nested_run: Callable[[str], Call] | None = None
    awaiting: tuple[Call, ...] = ()
    last: Call | str = "done"
    run_in: Callable[[str, Path], Call] | None = None
    spare: bool = False
    aborts: bool = False
    mute: bool = False
    scopes: tuple[str, ...] = ("user", "project")
    cannot: Mapping[str, str] = field(default_factory=dict)


def clients() -> list[Client]:
    """Every client, by file name."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("*.py"))
    modules = (importlib.import_module(f"tests.clients.hosts.{name}") for name in names if name != "base")
    return [module.CLIENT for module in modules]
