"""Tell a recorded session of a real coding agent: what it wanted, what the policies said, what it did then.

    python examples/demo.py [--all] [SESSION]      a folder of examples/recorded/, by default `slug`

`--all` shows each event with its decision and reason.

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
from textwrap import wrap
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
STORY_WIDTH = 80
PLAIN_WIDTH = 140  # where the output is no terminal
_VERBS = {"edit": "edit ", "write": "write ", "read": "read ", "shell": "run "}
ARGUMENTS = ("command", "file_path", "subject", "pattern", "url", "taskId", "status")


class Demo:
    """One run of the demonstration: `folder` stands for the recorded workspace, `counts` for the summary."""

    def __init__(self, console: Console, folder: Path, whole: bool) -> None:
        self.whole = whole
        self.console = console
        self.folder = folder
        self.engine = Engine.load(*PACKS, log=False)
        self.verdicts: Counter[str] = Counter()
        self.rules: Counter[tuple[str, str]] = Counter()
        self.number = 0
        self.told: list[tuple[Event, Decision]] = []

    def native(self, line: bytes) -> None:
        """One recorded payload, in the form in which the client sent it."""
        payload = read_json(line.replace(WORKSPACE.encode(), str(self.folder).encode()))
        raw = ADAPTER.decode(payload, None, {})
        if raw is None:  # the client tells its hooks more than lifecycle points
            return
        event, decision = self.decide(raw)
        self.told.append((event, decision))
        answer = ADAPTER.encode(decision, payload["hook_event_name"], event)
        if self.whole:
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

    def scenes(self) -> list[list[int]]:
        """Where the policies had something to say, and where the agent was let finish; repetitions in one."""
        found: list[list[int]] = []
        for place, (event, decision) in enumerate(self.told):
            done = event.hook == "before_completion"
            if not done and RANK[decision.verdict] < RANK["remind"]:
                continue
            before = self.told[found[-1][0]][0] if found else None
            if before is not None and not done and before.tool_args == event.tool_args:
                found[-1].append(place)
            else:
                found.append([place])
        return found

    def story(self) -> None:
        """The scenes: wanted, said, what then; what is allowed between them is only counted."""
        scenes = self.scenes()
        for number, places in enumerate(scenes, 1):
            event, decision = self.told[places[0]]
            end = scenes[number][0] if number < len(scenes) else len(self.told)
            done = event.hook == "before_completion"
            verdict = decision.verdict if decision.verdict != "allow" else "accepted"
            again = f", {len(places)} times" if len(places) > 1 else ""
            wanted = "to be done: " if done else _VERBS.get(event.tool_kind or "", "")
            self.line(f"{number}  wanted", wanted + self.subject(event))
            self.line("   said", f"{verdict}{again}: {self.words(decision)}", 2)
            self.line("   then", self.doings(places[-1] + 1, end))

    def line(self, word: str, text: str, most: int = 1) -> None:
        """One word of a scene, in at most so many lines of a terminal."""
        parts = wrap(text, STORY_WIDTH - 11, break_on_hyphens=False, max_lines=most, placeholder=" …")
        for number, part in enumerate(parts):
            self.console.print(Text.assemble((f"{'' if number else word:<11}", "dim"), part))

    def words(self, decision: Decision) -> str:
        """What the strictest rule says, and how many rules said something."""
        if not decision.rules:
            return "nothing is missing"
        more = f"({len(decision.rules)} causes) " if len(decision.rules) > 1 else ""
        return more + decision.rules[0].message.replace(f"{self.folder}/", "")

    def doings(self, start: int, end: int) -> str:
        """What the agent did between two scenes."""
        found: list[str] = []
        for event, _ in self.told[start:end]:
            if event.hook == "after_tool":
                verb = _VERBS.get(event.tool_kind or "")
                if verb:
                    found.append(verb.replace(" ", "s ") + self.subject(event))
        if found:
            return ", ".join(dict.fromkeys(found))
        return "lets it be, and says that it is done" if end < len(self.told) else "the session ends"

    def ending(self) -> None:
        """How it came out, and what to do next."""
        refused = sum(count for verdict, count in self.verdicts.items() if RANK[verdict] >= RANK["ask"])
        told = f"{self.number} events: {refused} refused, {self.verdicts['remind']} remarked, "
        self.console.print(f"\n{told}{self.verdicts['allow']} allowed without a word.")
        self.console.print("next: `policy init && policy install claude-code` in a repository of yours")

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


def play(name: str, console: Console, whole: bool) -> None:
    """One recorded session from its first payload to the summary."""
    source = RECORDED / name
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve() / "proj"
        folder.mkdir()
        if (source / "workspace").is_dir():
            shutil.copytree(source / "workspace", folder, dirs_exist_ok=True)
        if not whole:
            console.print("An agent is to write a function, with green tests and a true README: a recorded")
            console.print(f"session of Claude Code ({name}) under {' and '.join(PACKS)}.\n")
        demo = Demo(console, folder, whole)
        if whole:
            demo.heading(f"{source}: a session of Claude Code, decided by {' and '.join(PACKS)}")
        for line in (source / "session.jsonl").read_bytes().splitlines():
            demo.native(line)
        if whole:
            demo.summary()
        else:
            demo.story()
            demo.ending()


def main(arguments: list[str]) -> int:
    """Play the named session; 2 if there is none of that name."""
    os.chdir(ROOT)
    known = sorted(path.parent.name for path in RECORDED.glob("*/session.jsonl"))
    whole = "--all" in arguments
    name = next((each for each in arguments if each != "--all"), "slug")
    if name not in known:
        print(f"no recorded session `{name}`; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    terminal = sys.stdout.isatty()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks a sign still shows the rest
    play(name, Console(highlight=False, soft_wrap=not terminal, width=None if terminal else PLAIN_WIDTH), whole)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
