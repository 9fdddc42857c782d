"""The list of past events, each with its facts → answers to the history forms; every question looks at all of it again.

A time is the number of an event, with its writes and deletes later than its other facts; 0 is never. What may or may
not have happened gives two times, the earliest and the latest possible one.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from policy_engine.checker import tree
from policy_engine.filesystem.file_system import FileSystem
from policy_engine.filesystem.paths import PathValue, under
from policy_engine.history.facts import Fact
from policy_engine.history.tested import is_configuration
from policy_engine.model.event import Event
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.shell.parse import parse
from policy_engine.shell.patterns import command_matches, stripped_argv
from policy_engine.shell.prefilter import may_run, prefilter
from tests.reference.fields import needed

TASK, COUNT = "Run the tests without it", "Run it so that its summary is in the result"
Env = dict[int, Any]  # binding of a variable → the member it stands for


def later(left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether left is later, as far as (earliest, latest possible) can tell."""
    if left[0] > right[1]:
        return True
    return False if left[1] in range(right[0] + 1) else bool(needed(None))


def key(command: Any, filesystem: FileSystem) -> Any:
    """What makes two runs the same command; outside the workspace none is."""
    folder = filesystem.relative(command.cwd)
    return () if folder is None else (folder, stripped_argv(command))


class Past:
    """One session. `past` holds events with their agent, world and facts; the last one, `now`, is at hand."""

    event: Event
    filesystem: FileSystem
    agent: str
    now: SimpleNamespace
    past: list[SimpleNamespace]

    def enter(self, facts: Any, phase: int) -> None:
        """Within one event writes and deletes are later than the rest, refusals later still."""
        for fact in facts:
            late = fact.kind in ("wrote", "deleted")
            self.now.facts.append((4 * self.now.number + 1 + max(phase, late), fact))

    def line(self) -> Any:
        if self.event.hook != "after_tool" or self.event.tool_kind != "shell":
            return None
        try:
            return self.field("commands")
        except Undecided as unknown:
            return unknown

    def rounds(self, agent: str, before: int) -> int:
        """Rounds of an agent that were over before an event."""
        return sum(past.event.hook == "after_round" and past.agent == agent for past in self.past[:before])

    def meanings(self, atom: tree.Atom, env: Env, exact: Any = None) -> Any:
        """(time, yes | maybe | cancels, fact) of every fact that concerns an atom."""
        for at, fact, filesystem in [(*timed, past.filesystem) for past in self.past for timed in past.facts]:
            try:
                word = self.meaning(atom, fact, env, exact, filesystem)
            except Undecided:
                word = "maybe"
            if word:
                yield at, word, fact

    def meaning(self, atom: tree.Atom, fact: Fact, env: Env, exact: Any, filesystem: FileSystem) -> str:
        sure, pattern = "yes" if fact.sure else "maybe", atom.pattern
        if atom.kind in ("ran", "command_success", "command_failure") and fact.kind == "command":
            return self.run(atom, fact, exact, filesystem)
        if atom.kind == "tests_passed" and fact.kind == "tests":
            return self.tested(atom.pattern, fact)
        if atom.kind != fact.kind:
            return ""
        if atom.kind not in ("wrote", "read", "deleted"):
            told = fact.value if atom.kind == "called" and atom.value == "kind" else fact.name
            named = pattern in (None, told)
            if atom.kind == "tool_fact" and atom.value is not ABSENT:
                named = named and atom.value == fact.value
                named = named and isinstance(atom.value, bool) is isinstance(fact.value, bool)
            return sure if named else ""
        if fact.path is None:
            return "maybe"
        if atom.variable is None:
            glob: Any = tuple(pattern)  # type: ignore[arg-type]
            if not filesystem.may_match(glob, fact.path):
                return ""
            if atom.kind != "read" or not fact.path.recursive or filesystem.covers(glob, fact.path):
                return sure
            files = [PathValue(real, real) for real in filesystem.files_below(fact.path)]
            return sure if any(filesystem.may_match(glob, file) for file in files) else ""
        real = env[atom.variable.binding].real
        if fact.path.recursive and atom.kind != "read" and under(real, fact.path.real):
            return "maybe" if atom.kind == "wrote" else sure
        return sure if fact.path.real == real else ""

    def run(self, atom: tree.Atom, fact: Fact, exact: Any, filesystem: FileSystem) -> str:
        """One command of a line, for an atom over a pattern or over one exact command; a blocked one never ran."""
        if fact.outcome == "blocked":
            return ""
        known = None
        try:
            known = exact and fact.command and key(fact.command, filesystem)
        except Undecided:
            pass
        if fact.command is None or (exact and known is None):  # what it was is not known, only what it may have been
            names = [exact[1][0]] if exact else [tokens[0] for tokens in atom.pattern.include]  # type: ignore[union-attr]
            may = any(may_run(name, prefilter(fact.name)) for name in names)
            return "maybe" if may and (fact.outcome != "pending" or atom.kind == "command_success") else ""
        ended = {"ran": fact.outcome != "pending", "command_failure": fact.outcome == "failure"}
        no = "cancels" if atom.kind == "command_success" else ""
        word = "yes" if ended.get(atom.kind, fact.outcome == "success") else no
        if exact:
            return word if word and exact == known else ""
        return word if word and command_matches(tuple(atom.pattern), fact.command, filesystem, True) else ""  # type: ignore[arg-type]

    def tested(self, asked: Any, fact: Fact) -> str:
        """One run of tests: of the ecosystem, over the folder, proved; a failure of any of them cancels."""
        proof, run = fact.value, fact.value.run
        targets = [target.split("/") if target else [] for target in run.targets if target[:1] not in ("~", "\0")]
        folder = asked.folder.split("/") if asked.folder else []
        whole = any(folder[: len(target)] == target and (not run.own or folder == target) for target in targets)
        some = any(target[: len(folder)] == folder for target in targets) or not folder
        whole = whole or any(target[:1] == "~" and folder[-1:] == target[1:].split("/")[-1:] for target in run.targets)
        if asked.ecosystem and run.of and asked.ecosystem != run.of:
            return ""
        if proof.outcome == "failed":
            return "cancels" if whole or some else ""
        proved = proof.outcome == "passed" and not any(self.doubt(fact)) and (proof.status or not asked.strict)
        return "yes" if proved and whole else ""

    def doubt(self, fact: Fact) -> tuple[str, str]:
        """Why what the session wrote takes the proof of a run back, and what to do: program, task, configuration."""
        proof, run = fact.value, fact.value.run
        number = next(past.number for past in self.past if any(own is fact for _, own in past.facts))
        wrote = [
            (past.number, own.kind, own.path.real) for past in self.past[: number + 1] for _, own in past.facts
            if own.kind in ("wrote", "deleted") and own.path is not None
        ]  # fmt: skip
        written = {real for _, kind, real in wrote if kind == "wrote"}
        for real in run.programs:
            if real in written:
                return f"this session wrote `{real.rpartition('/')[2]}`, which it runs", ""
        for real in run.files if run.named else ():
            if real in written:
                return f"this session changed `{real.rpartition('/')[2]}`, which says what it runs", TASK
        before = [real for at, _, real in wrote if at < number and is_configuration(real, self.filesystem)][-1:]
        here = [real for at, kind, real in wrote if at == number and kind == "wrote"]
        for real in (*before, *(real for real in here if is_configuration(real, self.filesystem))):
            if not proof.counted:
                name = real.rpartition("/")[2]
                return f"this session changed `{name}`, and the result shows no count of tests", COUNT
        return "", ""

    def unproven(self) -> Any:
        """What is said of a run of the event at hand, unless the same advice was given before."""
        given: set[str] = set()
        said: Any = ABSENT
        for past in self.past:
            for _, fact in past.facts:
                if fact.kind != "tests" or fact.value.outcome == "failed":
                    continue
                proof = fact.value
                passed = proof.outcome == "passed"
                reason, advice = self.doubt(fact) if passed else (proof.reason, proof.advice)
                if advice and advice not in given:
                    given.add(advice)
                    line = proof.run.usual if proof.run.limited and proof.run.usual else proof.run.line
                    text = f"`{proof.run.line}` was run and does not count: {reason}. {advice}: `{line}`."
                    said = text if past is self.now else said
        return said

    def mark(self, atoms: tuple[tree.Atom, ...], env: Env, standing: bool) -> tuple[int, int]:
        """The earliest and the latest time at which one of the atoms can have happened last; 0 is never."""
        marks = [(0, 0)]
        for atom in atoms:
            exact: list[Any] = [None]
            if atom.variable is not None and atom.kind not in ("wrote", "read", "deleted"):
                line = parse(env[atom.variable.binding], self.filesystem.workspace, self.filesystem)
                exact = [
                    key(command, self.filesystem) for command in line if not command.via and command.program != "cd"
                ]
            each = [self.latest(atom, env, standing, one) for one in exact] or [(0, 0)]
            marks.append((min(sure for sure, _ in each), min(possible for _, possible in each)))
        return max(sure for sure, _ in marks), max(possible for _, possible in marks)

    def latest(self, atom: tree.Atom, env: Env, standing: bool, exact: Any) -> tuple[int, int]:
        """A standing success is cancelled by any later run that is none."""
        sure = possible = 0
        cancelled = standing and atom.kind in ("command_success", "tests_passed")
        for at, word, _ in self.meanings(atom, env, exact):
            if word == "yes":
                sure = possible = at
            elif word == "maybe":
                sure, possible = 0 if cancelled else sure, at
            elif cancelled:
                sure = possible = 0
        return sure, possible

    def count_of(self, node: tree.CountOf, env: Env) -> int:
        reset, maybe_reset = self.mark(node.since, env, False)
        least = most = 0
        rounds = self.rounds("main", self.now.number)
        for past in self.past:
            if node.within and needed(self.event.time) - needed(past.event.time) > node.within:
                continue
            if node.rounds and self.rounds("main", past.number) <= rounds - node.rounds:
                continue
            found = [(at, word) for atom in node.atoms for at, word, _ in self.meanings(atom, env)]
            found = [(at, word) for at, word in found if at // 4 == past.number and word != "cancels"]
            ahead = bool(node.within) and needed(past.event.time) - needed(self.event.time) > 60_000
            least += not ahead and any(at > maybe_reset and word == "yes" for at, word in found)
            most += any(at > reset for at, _ in found)
        return least if least == most else needed(None)

    def changed(self, glob: tree.GlobPattern) -> list[PathValue]:
        wrote = [fact for past in self.past for _, fact in past.facts if fact.kind == "wrote"]
        sure, maybe = set(), set()
        for fact in wrote:
            path = needed(fact.path)
            if self.filesystem.matches(tuple(glob), path):
                if path.recursive:
                    raise Undecided("which files below were written is not known")
                (sure if fact.sure else maybe).add(path.real)
        there = [real for real in sure | maybe if self.is_file(real)]
        if not sure.issuperset(there):
            raise Undecided("whether it was written is not known")
        return sorted(
            (PathValue(self.filesystem.relative(PathValue(real, real)) or real, real) for real in there), key=str
        )

    def is_file(self, real: str) -> bool:
        """Whether a file or link is there now; a folder is not written."""
        found = self.filesystem.look(PathValue(real, real))
        return isinstance(found, tuple) and found[0] in ("file", "link")

    # ---- what the event says ---------------------------------------------------------------------------------------
