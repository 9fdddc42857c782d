"""Seeds of Hypothesis → a policy as a list of items in the language: rules, limits, modes, hooks, waivers, defines."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from hypothesis import strategies as st

from policy_engine.checker.tree import Listen
from tests.generated.conditions import command_test, condition
from tests.generated.context import COMMANDS, GLOBS, THEMES, TOOLS, WORDS, Context, Draw, Theme, flip, number, one, some
from tests.generated.events import session
from tests.generated.past import OTHER_PARTS, atoms, of_past
from tests.generated.short_forms import Short, on_command, shorts, written_out

ENGINE_REASONS = ("repeat_cycle", "retry_exhausted", "todo_not_converged", "own_reason", "other_reason")
DEFINES = ("g0", "p0")
EVERYWHERE = tuple(Listen(point, (), ()) for point in WORDS.points)


@dataclass(frozen=True)
class Item:
    """One item of a policy: its sort, its id, and its text; a rule's body can stand under another id.

    `long` is the body without short forms if it has some, empty where nothing takes its place.
    """

    sort: str
    name: str
    body: str
    listens: tuple[Listen, ...] = ()
    long: str | None = None

    @property
    def text(self) -> str:
        return f"{self.sort} {self.name} {self.body}"


@dataclass(frozen=True)
class Generated:
    """A policy, item by item."""

    items: tuple[Item, ...]

    @property
    def text(self) -> str:
        return text_of(self.items)

    @property
    def long_text(self) -> str:
        """The same without short forms, as the reference reads it."""
        written = [item if item.long is None else replace(item, body=item.long) for item in self.items]
        return text_of([item for item in written if item.body])

    def of(self, sort: str) -> list[Item]:
        return [item for item in self.items if item.sort == sort]

    def __repr__(self) -> str:
        return self.text


def text_of(items: Any) -> str:
    return "language 1\n\n" + "\n".join(item.text for item in items)


def listens(draw: Draw, points: tuple[str, ...]) -> tuple[Listen, ...]:
    found = []
    for _ in range(2 if flip(draw, 4) else 1):
        point = one(draw, points)
        kinds: tuple[str, ...] = ()
        names: tuple[str, ...] = ()
        if WORDS.points[point].takes_tools and flip(draw):
            kinds = tuple(
                dict.fromkeys(one(draw, (*("shell",) * 8, "write", *TOOLS)) for _ in range(number(draw, 1, 2)))
            )
            if flip(draw, 5):
                names = (one(draw, ("Bash", "Odd", "mcp__git__log")),)
                kinds = kinds if flip(draw) else ()
        listen = Listen(point, kinds, names)
        if listen not in found and verdicts((*found, listen)):
            found.append(listen)
    return tuple(found)


def on_clauses(found: tuple[Listen, ...]) -> list[str]:
    lines = []
    for listen in found:
        filters = [*listen.kinds, *(f'"{name}"' for name in listen.names)]
        lines.append(f"  on {listen.point}" + (f"({', '.join(filters)})" if filters else ""))
    return lines


def verdicts(found: tuple[Listen, ...]) -> list[str]:
    return [word for word in ("warn", "remind", "ask", "deny", "stop")
            if all(word in WORDS.points[listen.point].verdicts for listen in found)]  # fmt: skip


def directions(found: tuple[Listen, ...]) -> tuple[str, ...]:
    return ("open", "ask", "closed") if "ask" in verdicts(found) else ("open", "closed")


def verdict(draw: Draw, found: tuple[Listen, ...], variables: list[str]) -> str:
    word = one(draw, verdicts(found))
    reason = f" {one(draw, ENGINE_REASONS)}" if word == "stop" else ""
    parts = ["{agent.name}", "{session.turn}", "{git.branch}", "{open_todos}", *(f"{{{name}}}" for name in variables)]
    message = f' "Said of {one(draw, parts)} {one(draw, parts)}."' if flip(draw) else ""
    return word + reason + message


def block(sort: str, name: str, lines: list[str], title: str = "") -> Item:
    return Item(sort, name, f'"{title or name}" {{\n' + "\n".join(lines) + "\n}\n")


GRANTS = {
    "shell": (
        "every c in commands { c.read_only }",
        "every c in commands { c.read_only and not c.dynamic }",
        'every c in commands { c.read_only or c matches command("npm test ...", "git add ...", "go test ...") }',
    ),
    "read": ("every p in paths { p under workspace }", 'every p in paths { p matches "src/**" or p inside "docs" }'),
    "search": ("every p in paths { p under workspace }", 'every p in paths { p matches "src/**" or p inside "docs" }'),
}


ASKED = ("before_tool", "before_tool", "before_permission")


def approval(draw: Draw, name: str, at: Context) -> Item:
    """A rule that approves: what proves it, in whatever narrows it."""
    kind = one(draw, ("shell", "shell", "read", "search"))
    names = (one(draw, ("Odd", "Grep", "mcp__git__log")),) if kind != "shell" and flip(draw) else ()
    kinds = (kind,) if not names or flip(draw) else ()
    at = replace(at, listens=(Listen(one(draw, ASKED), kinds, names),), variables=[])
    lines = [*on_clauses(at.listens), f"  when {one(draw, GRANTS[kind])}"]
    if flip(draw, 3):
        lines[-1] = f"  when ({one(draw, GRANTS[kind])} or {one(draw, GRANTS[kind])}) and {condition(draw, at, 1)}"
    if flip(draw, 4):
        lines.append(f"  unless {condition(draw, at, 1)}")
    lines.append("  approve" + one(draw, ("", ' "Said of {agent.name}."')))
    if flip(draw, 8):
        lines.append("  shadow")
    return replace(block("rule", name, lines), listens=at.listens)


def rule(draw: Draw, name: str, at: Context, theme: Theme) -> Item:
    if "before_tool" in theme.points and flip(draw, 8):
        return approval(draw, name, at)
    at = replace(at, listens=listens(draw, theme.points), variables=[])
    commands = on_command(draw) if "before_tool" in theme.points and flip(draw, 8) else None
    if commands:
        at = replace(at, listens=(Listen("before_tool", ("shell",), ()),))
    lines = on_clauses(at.listens)
    seen: list[str] = []
    asked = [f"({commands[1]})"] if commands else []
    if not flip(draw, 8):
        lines.append(f"  when {condition(draw, at) if not commands or flip(draw) else command_test(draw, 'c')}")
        seen += at.variables
        asked.append(lines[-1].removeprefix("  when "))
    if flip(draw, 6):
        lines.append(f"  unless {condition(draw, at, 1) if not commands or flip(draw) else command_test(draw, 'c')}")
        asked.append(f"not ({lines[-1].removeprefix('  unless ')})")
    head = len(lines)
    if flip(draw, 3):
        before = len(at.variables)
        lines.append(f"  require {condition(draw, at, 1)}")
        seen += at.variables[before:]
    budget = all(WORDS.points[listen.point].timeout for listen in at.listens) and flip(draw, 6)
    if budget:
        lines.append(one(draw, ("  timeout 60s", "  timeout 10s..20s", "  timeout 10s backoff to 40s by (tool.name)")))
    if not budget or flip(draw):
        lines.append("  " + verdict(draw, at.listens, seen))
    if flip(draw, 4):
        lines.append(f"  fail {one(draw, directions(at.listens))}")
    if flip(draw, 8):
        lines.append("  shadow")
    made = replace(block("rule", name, lines), listens=at.listens)
    if not commands:
        return made
    guard = " and ".join(f"({part})" for part in asked)
    long = ["  on before_tool(shell)", f"  when any c in commands {{ {guard} }}", *lines[head:]]
    return replace(made, body=block("rule", name, [f"  on command {commands[0]}", *lines[1:]]).body,
                   long=block("rule", name, long).body)  # fmt: skip


def key(draw: Draw, at: Context) -> str:
    parts = [
        "tool.name",
        "tool.args",
        "tool.args.size",
        "result.value",
        'tool.args["file_path"]',
        "result.digest",
        "result.signature",
        "tool.digest",
        "round.digest",
        "result.exit_code",
        "paths",
        "tool.scope",
    ]
    known = [part for part in parts if at.status(part.split("[")[0])[0]]
    parts = [*known, *known, "agent.name", "goal.digest", "session.turn"]
    return "(" + ", ".join(one(draw, parts) for _ in range(number(draw, 1, 2))) + ")"


def limit(draw: Draw, name: str, at: Context, theme: Theme) -> Item:
    at = replace(at, listens=listens(draw, theme.points), variables=[])
    lines = on_clauses(at.listens)
    conditions = replace(at, keyed={})  # a limit sees no count of another's keys
    if flip(draw, 3):
        lines.append(f"  {one(draw, ('when', 'unless'))} {condition(draw, conditions, 1)}")
    if flip(draw) and name not in at.keyed:
        period = f" period {number(draw, 2, 4)}" if flip(draw) else ""
        lines.append(f"  repeats {key(draw, at)}{period}")
    else:
        what = one(draw, (atoms, condition, of_past))
        window = one(draw, ("", "", " within 2m", " within 2 rounds"))
        by = f" by {key(draw, at)}" if flip(draw, 3) else ""
        by = f" by ({', '.join(at.keyed[name])})" if name in at.keyed else by
        lines.append(f"  counts {what(draw, conditions)}{window}{by}")
    if flip(draw, 3):
        lines.append(f"  reset on {atoms(draw, at) if flip(draw) else condition(draw, conditions, 0)}")
    counts = some(draw, (1, 2, 3), 1, 2)
    if "number_param" in at.defines and flip(draw, 4):
        counts = ["number_param"]
    lines += [f"  at {count} {verdict(draw, at.listens, [])}" for count in counts]
    if flip(draw):
        lines.append(f"  at every 2 {verdict(draw, at.listens, [])}")
    if flip(draw, 4):
        lines.append(f"  fail {one(draw, directions(at.listens))}")
    if flip(draw, 8):
        lines.append("  shadow")
    return replace(block("limit", name, lines), listens=at.listens)


def mode(draw: Draw, name: str, at: Context) -> Item:
    at = replace(at, listens=EVERYWHERE, variables=[])
    lines = [f"  enter when {condition(draw, at, 1)}"]
    if flip(draw):
        lines.append(f"  exit when {condition(draw, at, 1)}")
    for word in ("lock", "dwell"):
        if flip(draw):
            lines.append(f"  {word} {number(draw, 0, 2)} rounds")
    return block("mode", name, lines)


def hook(draw: Draw, name: str, at: Context, theme: Theme) -> Item:
    at = replace(at, listens=listens(draw, theme.points), variables=[])
    lines = on_clauses(at.listens)
    if flip(draw):
        lines.append(f"  when {condition(draw, at, 1)}")
    lines.append(one(draw, ('  run ["never-run"]', "  call nothing")))
    for line in (f"  fail {one(draw, ('open', 'closed'))}", "  observe", f"  priority {number(draw, 0, 2)}"):
        if flip(draw, 3):
            lines.append(line)
    return block("hook", name, lines)


def waiver(draw: Draw, waived: Item, at: Context) -> Item:
    until = one(draw, ("2026-11-19", "2026-11-20", "2026-12-31"))
    lines = [f"  until {until}", '  owner "someone"']
    if flip(draw, 6):
        return block("waive", "every", lines)
    if flip(draw):
        lines.append(f"  when {condition(draw, replace(at, listens=waived.listens, variables=[]), 1)}")
    return block("waive", waived.name, lines)


def define(draw: Draw, name: str) -> Item:
    sort, choices = {"g": ("glob", GLOBS), "p": ("command", COMMANDS)}[name[0]]
    text = one(draw, choices)
    return Item("define", name, f"= {text if text.startswith(sort) else f'{sort}({text})'}\n")


def policy(draw: Draw, theme: Theme, most: int, sorts: tuple[str, ...], defines: bool) -> Generated:
    """A policy of at most `most` rules, and of the other sorts that are asked for."""
    known = shorts(draw) if defines else ()
    rules = tuple(f"r{place}" for place in range(number(draw, 1, most)))
    names: dict[str, tuple[str, ...]] = dict.fromkeys(("limit", "mode", "hook"), ())
    for sort in [sort for sort in names if sort in sorts]:
        least = 1 if sorts.count(sort) > 1 else -1
        names[sort] = tuple(f"{sort[0]}{place}" for place in range(max(0, number(draw, least, 2))))
    keyed = {name: tuple(some(draw, tuple(OTHER_PARTS), 1, 2)) for name in names["limit"] if flip(draw, 3)}
    at = Context(
        (),
        theme.leaves,
        limits=names["limit"],
        keyed=keyed,
        modes=names["mode"],
        rules=rules,
        defines=(*DEFINES, *(short.name for short in known)) if defines else (),
    )
    written = [rule(draw, name, at, theme) for name in rules]
    items = [define(draw, name) for name in at.defines if name in DEFINES] + written
    limits = [limit(draw, name, at, theme) for name in names["limit"]]
    items += limits
    items += [mode(draw, name, at) for name in names["mode"]]
    items += [hook(draw, f"h-{name}", at, theme) for name in names["hook"]]
    if "limit" in sorts and flip(draw, 8):
        own = ["  on before_completion", "  counts true", "  at 2 stop retry_exhausted"]
        items.append(block("limit", "completion-budget", own))
    if "waive" in sorts and flip(draw, 3):
        plain = replace(at, defines=())  # what a waiver asks uses no parameter up
        items.append(waiver(draw, one(draw, (*written, *limits)), plain))
    return _naming(items, known)


def _naming(items: list[Item], known: tuple[Short, ...]) -> Generated:
    """The items, each with its long form, behind what declares the short forms that they name."""
    declared: list[Item] = []
    for short in known:
        if any(re.search(short.call, item.body) for item in items):
            declared += [Item(short.sort, short.name, body, long="") for body in short.declared]
    if declared:
        items = [
            replace(item, long=written_out(item.body if item.long is None else item.long, known)) for item in items
        ]
    return Generated((*declared, *items))


class Case(NamedTuple):
    """A policy, and the events of one session about the same things."""

    policy: Generated
    events: list[dict[str, Any]]


def case(
    draw: Draw, most: int = 3, length: int = 10, sorts: tuple[str, ...] | None = None, defines: bool = True
) -> Case:
    """A case of any theme; `sorts` instead of those that the theme has."""
    theme = THEMES[one(draw, tuple(THEMES))]
    made = policy(draw, theme, most, theme.sorts if sorts is None else sorts, defines)
    return Case(made, session(draw, theme, length))


def rule_alone(draw: Draw) -> Item:
    """One rule of any theme, without neighbours to speak of."""
    theme = THEMES[one(draw, ("any", "tools", "past", "completion"))]
    return policy(draw, theme, 1, (), False).items[0]


cases = st.composite(case)
rules_alone = st.composite(rule_alone)
