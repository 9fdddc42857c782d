"""A suspect of a comparison: sessions, as steps of a test, at which it may change a decision.

Nothing is claimed here: each session is played on both policies, and only what they decide counts. What a clause of the
suspect asks for comes first, then what the declarations nearby name, then what cannot be known; small sessions before
large ones, MOST of them at most.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice, product, zip_longest
from typing import Any, NamedTuple, TypeVar

from policy_engine.analysis.comparison import Suspect
from policy_engine.analysis.conditions import below, silences
from policy_engine.analysis.formula import TooLarge, both
from policy_engine.analysis.literals import Among, Clause, Exists, Literal, Range, Text, Truth
from policy_engine.analysis.mentioned import Mentioned, mentioned
from policy_engine.analysis.order import in_range
from policy_engine.analysis.realisers import ATTRIBUTE_LINES, EFFECT_LINES
from policy_engine.analysis.theory import bounded, conflict, left_out, remaining, texts
from policy_engine.checker import tree
from policy_engine.model.field_names import FIELDS
from policy_engine.model.types import BOOL, INT, STRING, Type

WAYS = 6  # of which each is tried, past the rules that refuse
MOST = 80  # sessions that are tried for one way of one suspect
REPEATED = 120  # sessions of repetitions that are tried for one way
LONGEST = 200  # repetitions of one step
TRIED = (
    f"MOST ({MOST}) are tried for each way of a condition, past the rules that refuse, and where something counts "
    f"REPEATED ({REPEATED}), with a step LONGEST ({LONGEST}) times at most"
)
"""What is said where none of them shows it."""
LINES = 120  # shell lines that are made of what is named
JOINED = 80  # pairs of them that are tried together
_PATHS = ("src/app.py", "/etc/hosts", "~/.profile")
_MANY = ("...", "-*")
_OTHERS = ("other", "x1", "")
"""Texts that are hardly named."""
_COMPARED: dict[Type, tuple[object, ...]] = {INT: (1, 0, 2), STRING: ("x", *_OTHERS)}
"""Values of fields that are compared with one another only: the same for all, and others."""
_MADE = ("tool.", "result.", "commands", "paths", "content", "prompt", "answer", "workspace", "cwd", "home", "todos",
         "open_todos", "goal.commands")  # fmt: skip
"""Fields that the steps themselves make; the others can be given."""
_CARRIED = ("tool.", "commands", "paths", "workspace", "cwd", "home")
"""Those of them that every call has, as far as it can be read at all."""
_TODOS = ("todos", "open_todos", "goal.digest")
_STATES = ("pending", "completed", "blocked", "failed", "in_progress")
_DOCUMENTS = ("json_value", "toml_value", "yaml_value")
_ASKED = 3  # how much farther any other value is than one that a clause asks for
_RANKED = 20  # choices of what went before that are put in order
_One = TypeVar("_One")
AGAIN = "again"  # a step that stands for as many repetitions of the last one
_DEMANDED, _ENDLESS = "pytest", "npm run dev"  # commands that a goal asks for; the second cannot be run here
_TOUCHES = {"wrote": "write", "read": "read", "deleted": "delete"}


class Step(NamedTuple):
    """A step of a test: its word, and its arguments as in `checker.tree.CheckedStep`.

    Of a `call`, `name` is the label of a tool's own name, `tool` that of a kind.
    """

    kind: str
    arguments: tuple[tuple[str, object], ...]


Session = tuple[Step, ...]
Missed = Callable[[Session], Sequence[int]]
"""Counts what is missing where a session ends, part by part: fewer is nearer."""


def sessions(
    suspect: Suspect, clause: Clause, point: str, kind: str, missed: Missed | None = None
) -> Iterator[Session]:
    """Yield sessions that end at a point (and tool kind, if one is given), the likeliest first.

    Args:
        missed: Counts what of the clause is not so where a session ends: what misses least in all comes first.
    """
    literals = sorted(clause, key=lambda one: (one.negated, one.expr.place.span.start, one.text))
    own = mentioned([one.expr for one in literals] or [suspect.item])
    own.counts.update(mentioned([suspect.item]).counts)
    _add_wished(literals, own)
    around = mentioned([suspect.item, *suspect.near, *(one.expr for one in literals)])
    finals = _ends(literals, own, around, point, kind)
    if not finals:
        return
    dimensions: list[Sequence[Session]] = [finals, _befores(own, around)]
    asked = [0, 0]
    never = {literal.term.key for literal in conflict(clause) or ()}
    for name in dict.fromkeys((*own.read, *around.read)):
        if not name.startswith(_MADE) and (name in FIELDS or name.startswith(("mode.", "limit."))):
            values = _givens(name, clause, around, name in own.read)
            dimensions.append(list(dict.fromkeys((_unknown(name), *values))) if name in never else values)
            asked.append(_ASKED if name in own.read else 0)
    owed = (name for name in own.read if name in FIELDS and name.startswith(_MADE) and not name.startswith(_CARRIED))
    dimensions += [[(), _unknown(name)] for name in owed]
    if any(name in around.read for name in _TODOS) or any("todo" in function for function, _ in around.calls):
        dimensions.append([(), *(_todo(*one) for one in product(_STATES, (True, False)))])
    if "goal.commands" in around.read:
        demanded = ((_DEMANDED,), (), (_ENDLESS,))
        dimensions.append([(_given("goal.commands", one),) for one in demanded])
    if "goal.steps" in around.read:
        dimensions.append([(_given("goal.steps", (_DEMANDED,)),), (_given("goal.steps", ()),), ()])
    for function, arguments in around.calls:
        if matching := _files(function, arguments, around):
            dimensions.append(matching)
    asked += [0] * (len(dimensions) - len(asked))
    if missed is not None:
        dimensions = _ordered(dimensions, missed)
    for chosen in islice(_nearest(dimensions, asked), MOST):
        final, before, *givens = chosen
        yield (*(step for given in givens for step in given), *_together(before, final))


def _ordered(dimensions: list[Sequence[Session]], missed: Missed) -> list[Sequence[Session]]:
    """Return each dimension in the order of what its choices miss, the others at their first."""
    finals, *others = dimensions
    parts = {one: missed(one) for one in finals}
    finals = sorted(finals, key=lambda one: sum(parts[one]))
    least = sum(parts[finals[0]])
    joined = [(miss, one) for one in _joined(finals, parts, least) if (miss := sum(missed(one))) < least]
    finals = [*(one for _, one in sorted(joined)), *finals]
    best = finals[0]
    return [
        finals,
        *(
            [*sorted(each[:_RANKED], key=lambda one: sum(missed(_together(one, best)))), *each[_RANKED:]]
            for each in others
        ),
    ]


def _together(before: Session, final: Session) -> Session:
    """Return a session of what goes before its end, and of that end; AGAIN stands for the end itself."""
    repeated = [final * int(str(step.arguments[0][1])) if step.kind == AGAIN else (step,) for step in before]
    return (*(step for steps in repeated for step in steps), *final)


def _joined(finals: Sequence[Session], parts: Mapping[Session, Sequence[int]], least: int) -> Iterator[Session]:
    """Yield calls of two lines that miss less than `least` if each does its part, in both orders, the likeliest first.

    Of lines that miss the same parts the first one stands for all.
    """
    lines: dict[tuple[int, ...], str] = {}
    for session in finals:
        line = dict(session[-1].arguments)[""] if session[-1].kind == "shell" else ""
        if isinstance(line, str) and line.strip() and "&&" not in line:
            lines.setdefault(tuple(parts[session]), line)
    pairs = [
        (sum(map(min, missing, lacking)), f"{one} && {other}")
        for (missing, one), (lacking, other) in product(lines.items(), lines.items())
    ]
    for missed, line in sorted(pairs)[:JOINED]:
        if missed < least:
            yield (_said("shell", line),)


def ways_past(clause: Clause, refusing: Iterable[tree.CheckedRule]) -> list[Clause]:
    """Return what more has to be true, beside a way of a suspect, for these rules to be silent, as far as it can be."""
    never = frozenset(conflict(clause) or ())  # such a way is undecided at best
    form = [clause - never]
    for rule in refusing:
        with suppress(TooLarge):
            wider = both([form, silences(rule, frozenset())])
            form = [one for one in wider if conflict(one) is None][:WAYS] or form
    return [one | never for one in form]


def _nearest(dimensions: Sequence[Sequence[Any]], asked: Sequence[int]) -> Iterator[list[Any]]:
    """Yield one choice of each dimension at a time, the likeliest first.

    A place counts by its length in binary: far down one dimension is as near as a little down in several. To leave what
    is `asked` for, the first place, costs so much more.
    """

    def cost(number: int, at: int) -> int:
        return at.bit_length() + (asked[number] if at else 0)

    start = (0,) * len(dimensions)
    heap, seen = [(0, start)], {start}
    while heap:
        total, places = heapq.heappop(heap)
        yield [values[at] for values, at in zip(dimensions, places, strict=True)]
        for number, at in enumerate(places):
            after = (*places[:number], at + 1, *places[number + 1 :])
            if at + 1 < len(dimensions[number]) and after not in seen:
                seen.add(after)
                heapq.heappush(heap, (total - cost(number, at) + cost(number, at + 1), after))


# ---- the event itself ----------------------------------------------------------------------------------------------


def _ends(clause: Iterable[Literal], own: Mentioned, around: Mentioned, point: str, kind: str) -> list[Session]:
    """Return the steps that end at the point: of one kind of tools, or of those that the clause asks for."""
    asked = (one.test for one in clause if one.positive and one.term.key == "tool.kind")
    sets = [test.values for test in asked if isinstance(test, Among)]
    kinds = [kind] if kind or not sets else sorted(map(str, frozenset.intersection(*sets)))
    return list(dict.fromkeys(_in_turn(*(_finals(own, around, point, one) for one in kinds))))


def _finals(own: Mentioned, around: Mentioned, point: str, kind: str) -> Iterator[Session]:
    """Yield the steps that end at the point."""
    match point:
        case "before_tool" | "before_permission":
            yield from _calls(own, around, kind)
        case "after_tool":
            yield from _results(own, around, kind)
        case "prompt":
            yield from ((_said("prompt", text),) for text in _texts(own, around, "prompt", "go on"))
        case "subagent_start":
            yield from ((_given("agent.kind", "subagent"), _said("prompt", text)) for text in ("go on",))
        case "before_completion" | "before_stop" | "session_end" | "before_verification" | "after_verification":
            yield from ((_said("answer", text), Step("finish", ())) for text in _texts(own, around, "answer", "done"))
        case "subagent_completion":
            yield (_given("agent.kind", "subagent"), Step("finish", ()))
        case "session_start" | "after_round":
            yield from _calls(own, around, "shell")


def _calls(own: Mentioned, around: Mentioned, kind: str) -> Iterator[Session]:
    if kind in ("", "shell"):
        yield from ((_said("shell", line),) for line in _lines(own, around))
    if kind in ("", "write", "edit", "read"):
        contents = _texts(own, around, "content", "text")
        kinds = (kind,) if kind else ("write", "edit", "read")
        for path in _places(own, around):
            for one in kinds:
                yield from (
                    (Step(one, (("", path), *((("content", text),) if one != "read" else ()))),) for text in contents
                )
    yield from _named(own, around, kind)


def _named(own: Mentioned, around: Mentioned, kind: str) -> Iterator[Session]:
    """Yield calls of tools by name or kind, with the arguments that are read."""
    names = [*own.names, *around.names, *map(str, around.values.get("tool.name", ()))]
    kinds = [kind] if kind else [*around.kinds, *map(str, around.values.get("tool.kind", ())), "mcp", "other"]
    servers = [f"mcp__{server}__tool" for server in around.values.get("tool.server", ())]
    keys = [name.removeprefix("tool.args.") for name in around.read if name.startswith("tool.args.")]
    named = [f"tool.args.{key}" for key in keys]
    asked = [(*own.values.get(name, ()), *around.values.get(name, _COMPARED[STRING][1:2])) for name in named]
    pools: list[list[object]] = [list(dict.fromkeys((*values, "x", None))) for values in asked]
    if "paths" in around.read and "path" not in keys:
        keys.insert(0, "path")
        pools.insert(0, [*_places(own, around)[:8], None])
    quoted = [(True, name) for name in dict.fromkeys((*names, *servers)) if not kind or kind == "mcp"]
    for is_name, tool in (*quoted, *((False, one) for one in dict.fromkeys(kinds))):
        for values in islice(product(*pools), 20):
            given = tuple((key, value) for key, value in zip(keys, values, strict=True) if value is not None)
            yield (Step("call", (("name" if is_name else "tool", tool), *given)),)


def _results(own: Mentioned, around: Mentioned, kind: str) -> Iterator[Session]:
    if kind in ("", "shell"):
        outputs = _texts(own, around, "result.text", "")
        asked, named = (one.values.get("result.exit_code", ()) for one in (own, around))
        codes = dict.fromkeys((*asked, 0, 1, *named))
        for line in _lines(own, around):
            for code in codes:
                yield from (
                    (Step("run", (("", line), ("exit", code), *((("output", text),) if text else ()))),)
                    for text in outputs
                )
    if kind in ("", "write", "edit", "read"):
        for path in _places(own, around):
            for one in (kind,) if kind else ("write", "edit", "read", "delete"):
                yield (Step(one, (("", path), *((("content", "text"),) if one in ("write", "edit") else ()))),)


def _lines(own: Mentioned, around: Mentioned) -> list[str]:
    """Return shell lines of what is named: what the clause asks for, then the same with other words, then others."""
    words = list(dict.fromkeys((*own.flags, *_words(own), *around.flags, *_words(around), "x")))
    named = _values(own, "tool.args.command")
    ways = _of_patterns(own, words), _of_programs(own, around), _realised(own), _of_flags(own)
    asked = _distinct((*named, *_in_turn(*ways)))[:40]
    others = _of_patterns(around, words), _of_programs(around, around), _realised(around)
    nearby = _distinct(_in_turn(*others))[:20]
    places = [_quoted(path) for path in _places(own, around)]
    touched = [f"{touch} {path}" for path in places for touch in ("tee", "rm -rf")]
    touched += [f"{touch} {path}" for path in places[:6] for touch in ("cat", "cp x")]
    options = list(_of_flags(around))[:6]
    every = [line for line in (*asked, *nearby, *touched) if line.strip()]
    verbs = {tuple(line.split()[:2]): line for line in reversed(every)}
    first = _distinct((*every[:4], *reversed(verbs.values())))[:7]
    joined = [f"{one} && {other}" for one, other in product(first, ("ls", *first)) if one != other][:42]
    programs = _distinct(line.split()[0] for line in first)
    unknown = ["ls", "$TOOL x", *(f"{program} $X" for program in programs[:3]), "echo 'x", f"{first[0]} $MORE"]
    unknown += [f'{program} y "./$X"' for program in ("cat", *programs[:3])]  # whose options are known
    flagged = [f"{line} {flag}" for line in first[:4] for flag in own.flags if flag not in line][:12]
    ordered = (*asked, *nearby, *unknown, *flagged, *options, *joined, *touched)
    ordered = ordered if own.patterns else (*asked[:8], *nearby[:8], *touched, *ordered)
    return list(dict.fromkeys((*ordered[:2], *unknown[:3], *ordered)))[:LINES]


def _in_turn(*iterables: Iterable[_One]) -> Iterator[_One]:
    """Yield one of each in turn, until all are at their end."""
    for taken in zip_longest(*iterables):
        yield from (one for one in taken if one is not None)


def _distinct(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(lines))


def _of_patterns(source: Mentioned, words: list[str]) -> Iterator[str]:
    each = (tokens for pattern in source.patterns for tokens in (*pattern.include, *pattern.exclude))
    yield from _in_turn(*(islice(_expanded(tokens, words), 24) for tokens in each))


def _of_programs(source: Mentioned, around: Mentioned) -> Iterator[str]:
    subcommands = _values(source, ".subcommand")
    programs = _distinct((*_values(source, ".program"), *(["git"] if subcommands else [])))
    for subcommand, flag, operand in product(("", *subcommands), ("", *around.flags), ("x", "")):
        yield from (" ".join(part for part in (program, subcommand, flag, operand) if part) for program in programs)


def _of_flags(source: Mentioned) -> Iterator[str]:
    yield from (f"ls {flag}" for flag in source.flags)


def _realised(source: Mentioned) -> Iterator[str]:
    """Yield lines with the effects and attributes that are asked for."""
    lines = [EFFECT_LINES[effect] for effect in _values(source, ".effects") if effect in EFFECT_LINES]
    yield from (f"env {line}" for line in lines if "via" in source.attributes)
    yield from lines
    yield from (ATTRIBUTE_LINES[name] for name in source.attributes if name in ATTRIBUTE_LINES)
    if "rewrites" in source.attributes:
        branches = _distinct((*_values(source, ""), *source.edges(), *source.paths()))[:6]
        yield from (f"git push --force origin {_quoted(branch)}" for branch in branches)
    if "hosts" in source.attributes:
        machines = _distinct((*_values(source, ""), *source.edges(), *source.paths()))[:6]
        yield from (f"curl {_quoted(machine)}" for machine in machines)


def _expanded(tokens: tuple[str, ...], words: list[str]) -> Iterator[str]:
    """Yield lines that a command pattern describes: with nothing, one word or two in the place of the rest."""
    plain = [word.replace("*", "x") for word in tokens if word not in _MANY]
    if not plain:
        return
    yield " ".join(map(_quoted, plain))
    open_ = [at for at, word in enumerate(tokens) if word in _MANY]
    for at in open_:
        head = [word.replace("*", "x") for word in tokens[:at] if word not in _MANY]
        tail = [word.replace("*", "x") for word in tokens[at:] if word not in _MANY]
        for word in words[:12]:
            if tokens[at] == "..." or word[:1] == "-":
                yield " ".join(map(_quoted, (*head, word, *tail)))
    if open_:
        head = [word.replace("*", "x") for word in tokens if word not in _MANY]
        for one, other in islice(product(words[:5], words[:5]), 20):
            if one != other:
                yield " ".join(map(_quoted, (*head, one, other)))


def _words(source: Mentioned) -> Iterator[str]:
    """Yield the words of patterns that may stand in other lines as well."""
    for pattern in source.patterns:
        for tokens in (*pattern.exclude, *pattern.include):
            yield from (word.replace("*", "x") for word in tokens[1:] if word not in _MANY)
    for name in (".args", ".text", ""):
        yield from _values(source, name)


def _places(own: Mentioned, around: Mentioned) -> list[str]:
    asked = filter(None, _values(own, "tool.args.file_path"))
    return list(dict.fromkeys((*asked, *own.edges(), *around.edges(), *own.paths(), *around.paths(), *_PATHS)))[:40]


def _texts(own: Mentioned, around: Mentioned, name: str, usual: str) -> list[str]:
    return list(dict.fromkeys((*_values(own, name), usual, *_values(around, name))))


def _values(source: Mentioned, name: str) -> list[str]:
    return [value for value in source.values.get(name, ()) if isinstance(value, str)]


def _quoted(word: str) -> str:
    plain = word.replace("-", "").replace("_", "").replace("/", "").replace(".", "").replace("=", "").replace("~", "")
    return word if plain.isalnum() or (not plain and word) else "'" + word.replace("'", "'\\''") + "'"


# ---- what went before ----------------------------------------------------------------------------------------------


def _befores(own: Mentioned, around: Mentioned) -> list[Session]:
    """Return what may have happened before: nothing, one atom, two in both orders, one of them several times, or the
    end itself several times (AGAIN).
    """
    each = list(_in_turn(*map(_happens, _atoms(own, around))))
    counts = sorted(count for number in around.counts for count in (number - 1, number, number + 1) if 0 < count < 20)
    prefixes = [(), *each, *(one + other for one, other in product(each[:6], each[:6]) if one != other)]
    prefixes += [_times(one, count) for one in each[:4] for count in dict.fromkeys(counts)]
    prefixes += [(Step(AGAIN, (("", count),)),) for count in dict.fromkeys(counts)]
    if len(each) > 2:
        prefixes.append(tuple(step for one in each for step in one))
    wanted = [] if own.atoms or own.counts else [()]
    return list(dict.fromkeys((*wanted, *prefixes)))


def _atoms(own: Mentioned, around: Mentioned) -> list[tree.Atom]:
    return list({**own.atoms, **around.atoms}.values())


def _happens(atom: tree.Atom) -> Iterator[Session]:
    """Yield the steps that make an atom true, and second the run that takes it back."""
    match atom.kind, atom.pattern:
        case ("wrote" | "read" | "deleted" as kind, tree.GlobPattern()):
            for path in mentioned([atom]).paths()[:2]:
                yield (Step(_TOUCHES[kind], (("", path), *((("content", "text"),) if kind == "wrote" else ()))),)
        case ("ran" | "command_success" | "command_failure" as kind, tree.CommandPattern() as pattern):
            lines = (next(_expanded(tokens, []), "") for tokens in pattern.include[:3])
            yield from _runs(kind, *filter(None, lines))
        case ("ran" | "command_success" | "command_failure" as kind, _) if atom.variable is not None:
            yield from _runs(kind, _DEMANDED)
        case ("tests_passed", _):
            passed, failed = "===== 3 passed in 0.10s =====", "===== 1 failed in 0.10s ====="
            yield (Step("run", (("", "pytest"), ("exit", 0), ("output", passed))),)
            yield (Step("run", (("", "pytest"), ("exit", 1), ("output", failed))),)
        case ("called", str() as name):
            yield (Step("called", (("tool" if atom.value == "kind" else "name", name), ("ok", True))),)
        case ("prompted", _):
            yield (_said("prompt", "go on"),)
        case ("tool_fact", str() as name):
            value = atom.value if isinstance(atom.value, str | int | bool) else True
            yield (Step("fact", (("", name), ("value", value))), _said("shell", "ls"))
        case _:
            return


def _runs(kind: str, *lines: str) -> Iterator[Session]:
    """Yield runs of lines with the result that an atom asks for, and after the first one its other result."""
    code = int(kind == "command_failure")
    ends = [(line, code) for line in lines]
    if kind != "ran":
        ends[1:1] = [(line, 1 - code) for line in lines[:1]]
    yield from ((Step("run", (("", line), ("exit", code))),) for line, code in ends)


def repetitions(suspect: Suspect, clause: Clause, point: str, kind: str) -> Iterator[Session]:
    """Yield sessions for what counts, looks back so far or lasts so long: cycles of calls; then one step as often as is
    counted, another one or a wait as often as fills the window, and an end.
    """
    own = mentioned([one.expr for one in clause] or [suspect.item])
    around = mentioned([suspect.item, *suspect.near])
    finals = _ends(clause, own, around, point, kind) if around.lengths else []
    if not finals:
        return
    each = [prefix for atom in _atoms(own, around) for prefix in islice(_happens(atom), 1)][:8]
    counts = [count for count in around.counts if 0 < count <= LONGEST] or [1]
    for length in around.lengths:
        yield tuple(step for final in finals[:length] for step in final) * (max(counts) + 1)
    waits = [(Step("wait", (("", span + more),)),) for span in around.spans for more in (0, 1000)]
    lengths = [length - less for length in around.lengths for less in (0, 1, -1, *counts, *(one - 1 for one in counts))]
    dimensions: list[Sequence[Any]] = [
        list(dict.fromkeys(one for pair in zip_longest(finals[:4], each) for one in pair if one)),
        list(dict.fromkeys((*waits, *each, *finals[1:4], (_said("shell", "ls"),)))),
        list(dict.fromkeys(count - less for less in (1, 0, -1) for count in counts)),
        list(dict.fromkeys((1, *(length for length in lengths if 0 < length <= LONGEST), 0, 2))),
    ]
    ends = tuple(step for final in finals[:3] for step in final)
    for counted, between, often, filling in islice(_nearest(dimensions, [0] * len(dimensions)), REPEATED):
        yield (*_times(counted, often), *between * filling, *ends)


def _times(session: Session, count: int) -> Session:
    """Return the steps so many times; what is written again is another text, for the same one is no write."""
    return tuple(_numbered(step, number) for number in range(count) for step in session)


def _numbered(step: Step, number: int) -> Step:
    given = dict(step.arguments)
    if not number or "content" not in given:
        return step
    return Step(step.kind, tuple({**given, "content": f"{given['content']} {number}"}.items()))


# ---- what is given -------------------------------------------------------------------------------------------------


def _givens(name: str, clause: Clause, around: Mentioned, asked: bool) -> list[Session]:
    """Return the values of a field that are tried: what the clause asks for, what is named, and that it is unknown."""
    wished = _wished([one for one in clause if one.term.key == name]) if asked else []
    sessions: list[Session] = [(_given(name, value),) for value in wished]
    known = around.read[name]
    constants: list[object] = list(around.values.get(name, ()))
    if known.type is BOOL:
        constants += [True, False]
    if not constants:
        constants += _COMPARED.get(known.type, ())
    for value in list(constants):
        if type(value) is int:
            constants += [value - 1, value + 1]
    if constants and all(isinstance(value, str) for value in constants):
        constants += _OTHERS
    sessions += [(_given(name, value),) for value in constants]
    if name.startswith(("mode.", "limit.")):
        sessions.insert(0, ())
    return list(dict.fromkeys((*sessions[:1], _unknown(name), *sessions) if wished else (*sessions, _unknown(name))))


def _wished(literals: list[Literal]) -> list[object]:
    """Return values that pass what is asked of a field."""
    if not literals:
        return []
    term = literals[0].term
    truths = [one for one in literals if isinstance(one.test, Truth)]
    if truths:
        return [truths[0].positive]
    sets = [one.test.values for one in literals if isinstance(one.test, Among) and one.positive]
    if sets or term.members is not None:
        return list(remaining(term, literals, sets) or ())
    ranges = [one.test for one in literals if isinstance(one.test, Range)]
    if ranges:
        limits = bounded(term, ranges)
        gone = frozenset[object]().union(*left_out(literals))
        ends = [None if limits.low is None else limits.low + limits.low_open]
        ends.append(None if limits.high is None else limits.high - limits.high_open)
        near = [end + step for end in ends if end is not None for step in (0, 1, -1)]
        return [*[value for value in near if value not in gone and in_range(value, limits)][:2]]
    if any(isinstance(one.test, Exists) for one in literals):
        return []
    text = texts(literals) if any(isinstance(one.test, Text) for one in literals) else ""
    others: tuple[object, ...] = (0, 1, 2, 3) if term.type is INT else _OTHERS
    return [text] if text else list(remaining(term, literals, [frozenset(others)]) or ())[:2]


def _add_wished(literals: list[Literal], own: Mentioned) -> None:
    """Put before the constants that an argument or a text is compared with what passes all that is asked of it."""
    asked: dict[str, list[Literal]] = {}
    for one in literals:
        keys = {node.key for node in below(one.expr) if isinstance(node, tree.ArgumentRef)}
        name = f"tool.args.{keys.pop()}" if len(keys) == 1 else one.term.key
        if name in own.values:
            asked.setdefault(f"{name} {one.term.key}", []).append(one)
    for name, wanted in asked.items():
        exact = [replace(one, term=replace(one.term, type=STRING)) for one in wanted]  # the argument is a text
        values = own.values[name.split()[0]]
        own.values[name.split()[0]] = {**dict.fromkeys(_wished(exact)), **values}


def _files(function: str, arguments: tuple[object, ...], around: Mentioned) -> list[Session]:
    """Return files that a predicate may ask for: none, and one with what it looks for."""
    path = next((one for one in arguments if isinstance(one, str)), "")
    path = path or next((one.include[0] for one in arguments if isinstance(one, tree.GlobPattern)), "")
    if not path:
        return []
    path = path.replace("**", "x").replace("*", "x")
    wanted = [str(one) for one in arguments[1:] if isinstance(one, str)]
    values = around.values.get(function, ())
    if function in _DOCUMENTS and wanted:
        near = [value + more for value in values if type(value) is int for more in (1, -1)]
        contents = dict.fromkeys(_document(function, wanted[0], one) for one in (*values, *near, True, False, "x"))
    else:
        contents = dict.fromkeys((" ".join(wanted), "text", *map(str, values)))
    return [(), *((Step("file", (("", path), ("content", text))),) for text in contents)]


def _document(function: str, at: str, value: object) -> str:
    """Return the text of a file in which a value stands at a JSON pointer, or at a dotted key."""
    if function == "toml_value":
        return f"{at} = {json.dumps(value, default=str)}"
    keys = at.removeprefix("/").split("/") if function == "json_value" else at.split(".")
    for key in reversed(keys):
        value = {key: value}
    return json.dumps(value, default=str)


def _todo(status: str, required: bool) -> Session:
    return (Step("todo", (("", "t1"), ("status", status), ("required", required))),)


def _said(kind: str, text: str) -> Step:
    return Step(kind, (("", text),))


def _unknown(name: str) -> Session:
    return (Step("undecided", (("", name),)),)


def _given(name: str, value: object) -> Step:
    return Step("given", (("", name), ("value", value)))
