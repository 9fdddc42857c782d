"""`policy repl`: ask expressions and rules about an event, one after the other."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from policy_engine.audit.log import log_path
from policy_engine.audit.reader import LogReader
from policy_engine.commands.base import emit, existing, note, output_style, terminal_width, working
from policy_engine.hosts.layers import project_root
from policy_engine.loading.loader import Parsed, load, words
from policy_engine.loading.recordings import recording
from policy_engine.loading.sources import PACK, SUFFIX
from policy_engine.model.action import action_of
from policy_engine.model.errors import ConfigurationError, PolicyEngineError, PolicyLoadError
from policy_engine.model.event import Event
from policy_engine.reports.derivation import condition_text, rule_text
from policy_engine.testing.question import ASKED, ask, explained, is_value

KEPT = ("define", "import", "param")  # what is typed once and holds for what follows
WHOLE = ("rule", "limit")
EMPTY = "language 1\n"
HELP = """\
an expression: `tool.name`, `any c in commands { c.program == "rm" }`, `wrote("src/**")`: its value, or its parts
a rule: `rule x "y" { on before_tool … }`: what it comes to here; lines are read until its braces are closed
`define x = …` holds from then on; `event` shows the event; Ctrl-D, or `exit`, ends"""


@click.command(
    short_help="Ask expressions and rules about an event.",
    epilog="Example: policy repl --shell 'rm -rf build', policy repl -p .policy/main.policy --event session.jsonl",
)
@click.option("-p", "--policy", "path", metavar="PATH", help="Policy file or folder whose defines may be used.")
@click.option(
    "--event", "events", metavar="FILE", help="A session in any form that `policy replay` reads: its last event."
)
@click.option("--shell", "line", metavar="LINE", help="A shell line that an agent proposes here.")
def COMMAND(path: str | None, events: str | None, line: str | None) -> int:
    """Read expressions and rules from standard input, and show what each comes to at one event.

    The event is the last of a file, a shell line, or else the last in the log of this workspace. The events of its
    session before it are its past. Nothing is run and nothing is logged. Exit status: 0, or 2 where something that was
    typed could not be asked, if that was no terminal.
    """
    if events is not None and line is not None:
        raise ConfigurationError("take an event from --event or --shell, not from both")
    session = _proposed(line) if line is not None else _recorded(events) if events is not None else _logged()
    with tempfile.TemporaryDirectory() as folder:
        if path is None and not Path(".policy").is_dir():
            path = str(Path(folder) / f"typed{SUFFIX}")
            Path(path).write_text(EMPTY)
        with working("loading the policy"):
            asking = _Asking(existing((path,) if path else ())[0], session)
        terminal = sys.stdin.isatty()
        if terminal:
            _complete(asking)
            note(f"{asking.event.hook}  {action_of(asking.event.raw)}\n`help` says what can be asked.")
        return _read(asking, terminal, folder)


def _read(asking: _Asking, terminal: bool, folder: str) -> int:
    wrong = False
    for text in _typed(terminal):
        try:
            emit(asking.answer(text).replace(f"{folder}/", ""))
        except PolicyEngineError as error:
            problems = error.diagnostics[:1] if isinstance(error, PolicyLoadError) else ()
            said = "; ".join(part for one in problems for part in (one.message, one.help) if part) or str(error)
            note(f"error: {said}")
            wrong = True
    return 2 if wrong and not terminal else 0


def _typed(terminal: bool) -> Iterator[str]:
    """Yield what is typed; a declaration may have several lines."""
    text = ""
    while True:
        try:
            text += input(("… " if text else "> ") if terminal else "")
        except EOFError:
            return
        if text.strip() in ("exit", "quit"):
            return
        if text.split(None, 1)[:1] and text.split(None, 1)[0] in WHOLE and text.count("{") > text.count("}"):
            text += "\n"
            continue
        if text.strip():
            yield text.strip()
        text = ""


class _Asking:
    """A policy, what was added to it, and a session whose last event is asked about."""

    def __init__(self, program: str, session: list[Any]) -> None:
        self._program = program
        self._session = session
        self.event = Event.from_dict(session[-1])
        loaded = load([program])
        loaded.require_program()
        self._file: Parsed = next(one for one in loaded.parsed if not one.name.startswith(PACK))
        assert self._file.tree is not None
        self._text = self._file.tree.source.text

    @property
    def names(self) -> list[str]:
        """Return the names that may be asked."""
        declared = [line.split()[1] for line in self._text.splitlines() if line.startswith("define ")]
        return sorted([*words().fields, *declared])

    def answer(self, text: str) -> str:
        """Return what is said to what was typed. Raises PolicyLoadError, ConfigurationError."""
        first, style, terminal = text.split(None, 1)[0], output_style(), terminal_width() is not None
        if first == "help":
            return HELP
        if first == "event":
            return json.dumps(self.event.raw, indent=2, ensure_ascii=False)
        if first in (*KEPT, *WHOLE):
            more = f"{self._text.rstrip()}\n\n{text}\n"
            loaded = load([self._program], unsaved={self._file.path: more.encode()})
            loaded.require_program()
            if first in KEPT:
                self._text = more
                return ""
            name = text.split(None, 2)[1]
            item = explained(loaded, name, self._session)
            return rule_text(item, style, terminal) if item is not None else f"`{name}` does not listen here"
        loaded, rule = ask(self._program, self._file.path, self._text, text, self.event)
        item = explained(loaded, ASKED, self._session)
        if item is None or not item.clauses:
            raise ConfigurationError("this event cannot be decided")
        seen = item.clauses[0][1]
        if not is_value(rule.when):
            return condition_text(seen, style, terminal)
        if seen.truth is None:
            return f"undecided: {'; '.join(seen.reasons)}"
        values = [value for _, looked in seen.because for value in looked.values()]
        return json.dumps(values[0], ensure_ascii=False) if seen.truth and values else "absent"


def _proposed(line: str) -> list[Any]:
    where = {"cwd": str(Path.cwd()), "workspace": str(project_root(Path.cwd()))}
    tool = {"name": "Bash", "kind": "shell", "args": {"command": line}}
    return [{"hook": "before_tool", "session": "repl", "id": "line", "tool": tool, **where}]


def _recorded(name: str) -> list[Any]:
    if name == "-":
        raise ConfigurationError("standard input is what is asked: name a file of events")
    events = [each.event for each in recording(name, strict=False) if isinstance(each.event, dict)]
    if not events:
        raise ConfigurationError(f"`{name}` holds no event")
    return [each for each in events if each.get("session") == events[-1].get("session")]


def _logged() -> list[Any]:
    """Return the session of the last event in the log that belongs to this workspace."""
    root, last = f"{project_root(Path.cwd())}/", None
    with closing(LogReader(log_path())) as reader:
        for record in reader.records():
            given = record.get("input")
            if isinstance(given, dict) and f"{given.get('workspace')}/".startswith(root):
                last = record
    if last is None:
        raise ConfigurationError("the log has no event of this workspace: name one by --event, or a line by --shell")
    with closing(LogReader(log_path())) as reader:
        same = (each for each in reader.records() if each.get("session") == last["session"])
        return [each["input"] for each in same if isinstance(each.get("input"), dict) and each["n"] <= last["n"]]


def _complete(asking: _Asking) -> None:
    """Let a person take up earlier lines, and complete names by the tabulator."""
    try:
        import readline
    except ImportError:  # a Python without it
        return
    readline.set_completer_delims(" \t\n(){}[],=<>!")
    readline.set_completer(lambda begun, at: ([*filter(lambda one: one.startswith(begun), asking.names), None])[at])
    readline.parse_and_bind("tab: complete")
