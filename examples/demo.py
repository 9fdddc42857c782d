"""A recorded session of a real coding agent → each event with its decision and reason, on standard output.

    python examples/demo.py [SESSION]      a folder of examples/recorded/, by default `slug`

Every native payload goes the way of the hook: adapter, canonical event, engine, and back into the host's own answer.
The policies are the shipped packs. They also look at files, so the recorded workspace is laid out in a temporary folder
and the recorded edits are made in it; paths are printed as they were recorded.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from policy_engine import Decision, Engine, Event
from policy_engine.adapters.claude_code import ADAPTER
from policy_engine.model.ladder import RANK
from policy_engine.model.strict_json import read_json
from policy_engine.reports.base import VERDICT_STYLES
from policy_engine.reports.decision_text import render_decision

ROOT = Path(__file__).resolve().parent.parent
RECORDED = Path("examples/recorded")
PACKS = ("rules/acceptance", "rules/loops")
WORKSPACE = "/home/dev/proj"  # as recorded
PLAIN_WIDTH = 140  # where the output is no terminal
ARGUMENTS = ("command", "file_path", "subject", "pattern", "url", "taskId", "status")


class Demo:
    """One run of the demonstration: `folder` stands for the recorded workspace, `counts` for the summary."""

    def __init__(self, console: Console, folder: Path) -> None:
        self.console = console
        self.folder = folder
        self.engine = Engine.load(*PACKS, log=False)
        self.verdicts: Counter[str] = Counter()
        self.rules: Counter[tuple[str, str]] = Counter()
        self.number = 0

    def native(self, line: bytes) -> None:
        """One recorded payload, in the form in which the client sent it."""
        payload = read_json(line.replace(WORKSPACE.encode(), str(self.folder).encode()))
        raw = ADAPTER.decode(payload, None, {})
        if raw is None:  # the client tells its hooks more than lifecycle points
            return
        event, decision = self.decide(raw)
        answer = ADAPTER.encode(decision, payload["hook_event_name"], event)
        self.show(event, decision, f"the client is told no, exit {answer.exit_code}" if answer.exit_code else "")

    def decide(self, raw: dict[str, Any]) -> tuple[Event, Decision]:
        """Number the event, let what it reports happen to the files, and ask the engine."""
        self.number += 1
        event = Event.from_dict({**raw, "id": f"event {self.number}"})
        if event.hook == "after_tool" and event.tool_kind in ("write", "edit"):
            make_edit(event.tool_args or {})
        decision = self.engine.decide(event)
        self.verdicts[decision.verdict] += 1
        self.rules.update((rule.rule, rule.verdict) for rule in decision.rules)
        return event, decision

    def show(self, event: Event, decision: Decision, note: str) -> None:
        """One line, and below it what the rules that spoke have to say."""
        quiet = "dim" if event.hook in ("after_round", "session_start", "session_end") else ""
        line = Text.assemble(
            (f"{self.number:4} ", "dim"),
            (f" {decision.verdict:7}", VERDICT_STYLES[decision.verdict]),
            (f" {event.hook:18}", quiet or "bold"),
            (f" {event.tool_name or '':11}", quiet or "cyan"),
        )
        line.append(f" {self.subject(event)}", quiet)
        if note:
            line.append(f"  ← {note}", "red")
        line.rstrip()
        self.console.print(line)
        _, _, said = render_decision(decision, color=self.console.is_terminal).partition("\n")
        if said.strip():
            words = Text.from_ansi(said.strip("\n").replace(str(self.folder), WORKSPACE))
            self.console.print()
            for part in words.split():
                self.console.print(self.indented(part) if part else "")
            self.console.print()

    def indented(self, line: Text) -> Padding | Text:
        """Wrapped below itself on a terminal; in one piece elsewhere."""
        return Padding(line, (0, 0, 0, 6)) if self.console.is_terminal else Text("      ") + line

    def subject(self, event: Event) -> str:
        """What the event is about, in a few words."""
        told = [str(event.tool_args[key]) for key in ARGUMENTS if key in event.tool_args] if event.tool_args else []
        text = (" ".join(told) or event.prompt or event.answer or "").replace(f"{self.folder}/", "")
        if event.hook == "after_tool" and event.result is not None and event.result.get("ok") is False:
            text += "  (failed)"
        text = " ".join(text.split())
        return text if len(text) <= 72 else f"{text[:71]}…"

    def summary(self) -> None:
        """How many events, what became of them, and which rules spoke."""
        refused = sum(count for verdict, count in self.verdicts.items() if RANK[verdict] >= RANK["ask"])
        self.heading("summary")
        told = f"{self.number} events: {refused} refused, {self.verdicts['remind']} answered with a reminder, "
        self.console.print(f"{told}{self.verdicts['allow']} allowed")
        table = Table("rule", "verdict", "times", box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
        for (rule, verdict), times in sorted(self.rules.items(), key=lambda item: (-RANK[item[0][1]], item[0])):
            table.add_row(rule, Text(verdict, VERDICT_STYLES[verdict]), str(times))
        self.console.print("", table if self.rules else "no rule spoke", sep="\n")

    def heading(self, title: str) -> None:
        """A line across the page."""
        self.console.print()
        self.console.rule(Text(title, "bold"), align="left", style="dim")
        self.console.print()


def make_edit(arguments: dict[str, Any]) -> None:
    """What Write and Edit of the recorded client do to a file."""
    path = Path(str(arguments.get("file_path", "")))
    if "content" in arguments:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(arguments["content"])
    elif path.is_file():
        times = -1 if arguments.get("replace_all") else 1
        path.write_text(path.read_text().replace(arguments["old_string"], arguments["new_string"], times))


def play(name: str, console: Console) -> None:
    """One recorded session from its first payload to the summary."""
    source = RECORDED / name
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve() / "proj"
        folder.mkdir()
        if (source / "workspace").is_dir():
            shutil.copytree(source / "workspace", folder, dirs_exist_ok=True)
        demo = Demo(console, folder)
        demo.heading(f"{source}: a session of Claude Code, decided by {' and '.join(PACKS)}")
        for line in (source / "session.jsonl").read_bytes().splitlines():
            demo.native(line)
        demo.summary()


def main(arguments: list[str]) -> int:
    """Play the named session; 2 if there is none of that name."""
    os.chdir(ROOT)
    known = sorted(path.parent.name for path in RECORDED.glob("*/session.jsonl"))
    name = arguments[0] if arguments else "slug"
    if name not in known:
        print(f"no recorded session `{name}`; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    terminal = sys.stdout.isatty()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks a sign still shows the rest
    play(name, Console(highlight=False, soft_wrap=not terminal, width=None if terminal else PLAIN_WIDTH))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
