"""Neutral rules → hand-written indexed Python: the least that the same answers can cost in this interpreter.

This is the limit the engine is measured against. It trusts its input, keeps no history, explains nothing and knows
the twelve families of the workload by heart: one function per bucket, dictionaries for equality and membership,
prefix dictionaries by the lengths that occur, a sorted array for thresholds, one Aho–Corasick automaton per text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from os.path import realpath
from typing import Any

from bench.peers.base import Answer, Peer
from bench.rules import LADDER, Rule
from bench.workload import Event

Entry = tuple[int, str]  # place of the verdict on the ladder, rule id
_NOTHING: Answer = ("allow", frozenset())


def _automaton(entries: list[tuple[str, Any]]) -> Any:
    """A finished automaton over literals, or None if there are none (it cannot be finished empty)."""
    if not entries:
        return None
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for literal, value in entries:
        automaton.add_word(literal, value)
    automaton.make_automaton()
    return automaton


class PrefixIndex:
    """Texts → entries whose literal prefix they start with; one dictionary look-up per length that occurs."""

    __slots__ = ("lengths", "table")

    def __init__(self, entries: list[tuple[str, Any]]) -> None:
        self.table: dict[str, Any] = dict(entries)
        self.lengths = sorted({len(prefix) for prefix, _ in entries})


def _commands(rules: list[Rule]) -> Callable[[Event], list[Entry]]:
    texts = [(r.tests[0].value, (_entry(r), None)) for r in rules if r.family == "command-text"]
    texts += [(r.tests[0].value[0], (_entry(r), r.tests[0].value)) for r in rules if r.family == "command-regex"]
    automaton = _automaton(texts)

    def probe(event: Event) -> list[Entry]:
        found = []
        if automaton is not None:
            command = event["tool"]["args"]["command"]
            for _, (entry, pair) in automaton.iter(command):
                if pair is None or _same_line(command, pair[0], pair[1]):
                    found.append(entry)
        return found

    return probe


def _same_line(text: str, first: str, second: str) -> bool:
    return any(second in line.partition(first)[2] for line in text.split("\n"))


def _edits(rules: list[Rule]) -> Callable[[Event], list[Entry]]:
    automaton = _automaton([(r.tests[0].value, _entry(r)) for r in rules if r.family == "content-text"])
    folders = [(r.tests[0].value[0], (_entry(r), "", "")) for r in rules if r.family == "folder"]
    folders += [
        (r.tests[0].value[0], (_entry(r), r.tests[0].value[1], r.tests[1].value))
        for r in rules
        if r.family == "folder-kind"
    ]
    index = PrefixIndex(folders)
    table, lengths = index.table, index.lengths

    def probe(event: Event) -> list[Entry]:
        args = event["tool"]["args"]
        content = args.get("content")
        if content is None:
            content = args["new_string"]
        found = []
        if automaton is not None:
            found = [entry for _, entry in automaton.iter(content)]
        path = args["file_path"]
        for length in lengths:
            hit = table.get(path[:length])
            if hit is not None and path.endswith(hit[1]) and hit[2] in content:
                found.append(hit[0])
        return found

    return probe


def _mcp(rules: list[Rule]) -> Callable[[Event], list[Entry]]:
    names = {r.tests[0].value: _entry(r) for r in rules if r.family == "tool-name"}
    channels = {(t, r.tests[1].value): _entry(r) for r in rules if r.family == "argument" for t in r.tests[0].value}

    def probe(event: Event) -> list[Entry]:
        tool = event["tool"]
        name = tool["name"]
        found = []
        if name in names:
            found.append(names[name])
        hit = channels.get((name, tool["args"].get("channel")))
        if hit is not None:
            found.append(hit)
        return found

    return probe


def _reads(rules: list[Rule]) -> Callable[[Event], list[Entry]]:
    files = {path: _entry(r) for r in rules if r.family == "file-set" for path in r.tests[0].value}

    def probe(event: Event) -> list[Entry]:
        hit = files.get(event["tool"]["args"]["file_path"])
        return [] if hit is None else [hit]

    return probe


def _fetches(rules: list[Rule]) -> Callable[[Event], list[Entry]]:
    index = PrefixIndex([(r.tests[0].value, _entry(r)) for r in rules if r.family == "address"])
    table, lengths = index.table, index.lengths

    def probe(event: Event) -> list[Entry]:
        url = event["tool"]["args"]["url"]
        return [table[url[:length]] for length in lengths if url[:length] in table]

    return probe


def _ended_commands(rules: list[Rule]) -> Callable[[Event], list[Entry]]:
    jobs = [r for r in rules if r.family == "exit-code"]
    codes = {r.tests[0].value for r in jobs}
    index = PrefixIndex([(r.tests[1].value, (_entry(r), r.tests[0].value)) for r in jobs])
    table, lengths = index.table, index.lengths

    def probe(event: Event) -> list[Entry]:
        code = event["result"]["exit_code"]
        found: list[Entry] = []
        if code not in codes:
            return found
        command = event["tool"]["args"]["command"]
        for length in lengths:
            hit = table.get(command[:length])
            if hit is not None and hit[1] == code:
                found.append(hit[0])
        return found

    return probe


def _prompts(rules: list[Rule]) -> Callable[[Event], list[Entry]]:
    automaton = _automaton([(r.tests[0].value, _entry(r)) for r in rules if r.family == "prompt-text"])

    def probe(event: Event) -> list[Entry]:
        return [] if automaton is None else [entry for _, entry in automaton.iter(event["prompt"])]

    return probe


def _completions(rules: list[Rule]) -> Callable[[Event], list[Entry]]:
    ordered = sorted((r.tests[0].value, _entry(r)) for r in rules if r.family == "diff-size")
    thresholds, entries = [value for value, _ in ordered], [entry for _, entry in ordered]

    def probe(event: Event) -> list[Entry]:
        return entries[: bisect_left(thresholds, event["diff"]["lines"])]

    return probe


def _entry(rule: Rule) -> Entry:
    return LADDER.index(rule.verdict), rule.id


class Limit:
    """Decides events of the workload; a contestant like the peers."""

    def __init__(self, rules: list[Rule]) -> None:
        edits = _edits(rules)
        self.probes: dict[tuple[str, str], Callable[[Event], list[Entry]]] = {
            ("before_tool", "shell"): _commands(rules),
            ("before_tool", "write"): edits,
            ("before_tool", "edit"): edits,
            ("before_tool", "mcp"): _mcp(rules),
            ("before_tool", "read"): _reads(rules),
            ("before_tool", "fetch"): _fetches(rules),
            ("after_tool", "shell"): _ended_commands(rules),
            ("prompt", ""): _prompts(rules),
            ("before_completion", ""): _completions(rules),
        }

    def prepare(self, event: Event) -> Event:
        return event

    def answer(self, outcome: Answer) -> Answer:
        return outcome

    def decide(self, event: Event) -> Answer:
        tool = event.get("tool")
        probe = self.probes.get((event["hook"], "" if tool is None else tool["kind"]))
        if probe is None:
            return _NOTHING
        found = probe(event)
        if not found:
            return _NOTHING
        return LADDER[max(found)[0]], frozenset([rule for _, rule in found])


class LimitParsed(Limit):
    """The limit for rules over parsed commands and real paths: the path is resolved on disk, the command split."""

    def decide(self, event: Event) -> Answer:
        tool = event.get("tool")
        if tool is not None:
            args = tool["args"]
            if "file_path" in args:
                real = realpath(args["file_path"])
                event = {**event, "tool": {**tool, "args": {**args, "file_path": real}}}
            elif tool["kind"] == "shell":
                args["command"].split()
        return super().decide(event)


LIMIT = Peer("limit", "", Limit, "hand-written indexed Python for exactly these rules")
LIMIT_PARSED = Peer("limit, commands", "", LimitParsed, "the same with real paths (lexical words of the command)")
