"""Convert what Claude Code's settings allow to rules that ask before every other call of the sort.

Reading inside the workspace, commands that only read, and tools that never ask there are free here too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from policy_engine.conversion.claude_calls import asks_of, lines_of
from policy_engine.conversion.gitignore import globs, matches_path
from policy_engine.conversion.permissions import (
    Permission,
    command_condition,
    domain,
    guards,
    host_regex,
    mcp_regex,
    path_condition,
)
from policy_engine.conversion.star_commands import command_patterns, matched_by, sample_line, wrapper
from policy_engine.conversion.writing import Inexpressible, Original, Page, block, literal, quoted

_FILE_COMMANDS = 'command("mkdir ...", "touch ...", "rm ...", "rmdir ...", "mv ...", "cp ...", "sed ...")'


_NO_OUTPUT = 'every r in c.redirects { r.op in ["<", "<<", "<<<", "<&"] or r.path == "/dev/null" }'
_LINES = 20  # that are made of what is allowed
_READ_ONLY = 'every c in commands { c.read_only or c.program == "cd" }'
Usable = Sequence[tuple[Permission, str]]
"""Allowances of one sort, each with its condition."""
Declare = Callable[[Page, "Asking", Usable], None]


@dataclass(frozen=True, slots=True)
class Asking:
    """The mode (`default`, `acceptEdits`, `dontAsk`), what is allowed, and further folders."""

    mode: str
    allowed: tuple[Permission, ...]
    folders: tuple[str, ...]

    @property
    def verdict(self) -> str:
        return "deny" if self.mode == "dontAsk" else "ask"

    def said(self, subject: str, what: str) -> str:
        """Return the message, as a literal."""
        end = "Find another way, or ask a person to do it." if self.verdict == "deny" else "May I?"
        return f'"{subject} is not among the {what} that the settings allow. {end}"'


def declare_asking(page: Page, asking: Asking) -> None:
    """Declare the rules of every sort of call; what of the allowances cannot be said is noted."""
    if any(one.tool == "*" for one in asking.allowed):
        page.remark("`*` is allowed: nothing asks.")
        return
    for sort, rule in _RULES.items():
        usable: list[tuple[Permission, str]] = []
        free = ""
        for one in asking.allowed:
            if (one.sort if one.tool != "Skill" else "skill") != sort:
                continue
            with page.item(one.where, f"allow {quoted(one.text)}"):
                free = one.text if one.unlimited and one.tool in _WHOLE else free
                usable.append((one, _CONDITIONS[sort](one)))
        if free:
            page.remark(f"{quoted(free)} is allowed without a limit: nothing asks about calls of that sort.")
            continue
        rule(page, asking, usable)
    others: list[str] = []
    for one in asking.allowed:
        if one.sort == "other" and one.tool != "Skill":
            with page.item(one.where, f"allow {quoted(one.text)}"):
                guards(one)
                others.append(one.text)
    if others:
        page.remark(f"Not needed, as nothing asks about these tools: {', '.join(map(quoted, others))}.")


_WHOLE = ("Bash", "Edit", "Write", "Read", "Skill")


def _tests(asking: Asking, meets: Sequence[str], misses: Sequence[str]) -> list[str]:
    return [*(f"{step} => {asking.verdict}" for step in meets), *(f"{step} => allow" for step in misses)]


def _shell(page: Page, asking: Asking, usable: Usable) -> None:
    patterns = list(
        dict.fromkeys(["cd ...", *(text for one, _ in usable for text in command_patterns(one.limit or ""))])
    )
    lines = list(filter(None, (sample_line([text])[0] for text in patterns[1:])))
    wrappers = list(dict.fromkeys(filter(None, map(wrapper, lines))))
    conditions = [
        _only_reads(asking, wrappers),
        f"(c matches command({', '.join(map(literal, patterns))}) and {_NO_OUTPUT})",
        *(f"c.via contains {literal(name)}" for name in wrappers),
    ]
    if asking.mode == "acceptEdits":
        files = f"every p in c.paths {{ {_inside(asking)} }}"
        conditions.append(f'(c matches {_FILE_COMMANDS} and not (c.effects contains "executes") and {files})')
    clauses = [
        "on before_tool(shell)",
        f"when not every c in commands {{ {' or '.join(conditions)} }}",
        f"{asking.verdict} {asking.said('`{c.text}`', 'commands')}",
    ]
    other = [] if matched_by("zq --apply", patterns) else ["zq --apply", "ls && zq --apply"]
    if asking.mode != "acceptEdits":
        other += [f"{line} > zq" for line in lines[:1]]
    tests = [f"shell {literal(line)} => {asking.verdict}" for line in other]
    tests += [f"shell {literal(line)} => allow" for line in ("ls", *lines)]
    _declare(page, asking, "shell", usable, "commands", clauses, tests)


def _declare(
    page: Page, asking: Asking, sort: str, usable: Usable, what: str, clauses: Sequence[str], tests: Sequence[str]
) -> None:
    """Declare a rule that asks before every other call, beside what Claude Code asks about there."""
    title = f"Other {what}" if what else "Reading elsewhere"
    name = page.name(title[0].lower() + title[1:])
    page.declare(block("rule", name, title, clauses, tests))
    allowed = [one for one, _ in usable]
    speaks = partial(asks_of, sort, allowed, asking.folders, asking.mode == "acceptEdits")
    lines = tuple(dict.fromkeys(line for one in allowed for line in lines_of(one)))[:_LINES]
    meant = ("commands that only read are free here, also those that Claude Code asks about", _READ_ONLY)
    shell = meant if sort == "shell" else ("", "")
    page.originals.append(Original(name, f"asked in mode `{asking.mode}`", speaks, lines, *shell, respelled=False))


def _only_reads(asking: Asking, wrappers: Sequence[str]) -> str:
    """Return the condition that a command only reads, and only what may be read unasked.

    What starts other programs must be allowed itself where they are allowed with it.
    """
    starts_none = f" and c.program not in [{', '.join(map(literal, wrappers))}]" if wrappers else ""
    reads = [one for one in asking.allowed if one.sort == "read" and one.tool == "Read"]
    if any(one.unlimited for one in reads):
        return f"(c.read_only{starts_none})"
    others = "".join(f" or {path_condition(one)}" for one in reads if _sayable(one))
    return f"(c.read_only{starts_none} and every p in c.contents {{ {_inside(asking)}{others} }})"


def _sayable(one: Permission) -> bool:
    try:
        path_condition(one)
    except Inexpressible:
        return False
    return True


def _inside(asking: Asking) -> str:
    return " or ".join(["p under workspace", *(f"p under {literal(folder)}" for folder in asking.folders)])


def _edit(page: Page, asking: Asking, usable: Usable) -> None:
    conditions = [condition for _, condition in usable]
    if asking.mode == "acceptEdits":
        conditions.append(_inside(asking))
    when = [f"when not every p in paths {{ {' or '.join(conditions)} }}"] if conditions else []
    clauses = ["on before_tool(write, edit)", *when]
    clauses.append(f"{asking.verdict} {asking.said('{p}' if when else '{tool.name}', 'files')}")
    tests = _tests(asking, ['write "/zq/zq.zq"'] if _stays_out(asking, usable) else [], _allowed_steps(usable))
    _declare(page, asking, "edit", usable, "edits", clauses, tests)


def _read(page: Page, asking: Asking, usable: Usable) -> None:
    conditions = [condition for _, condition in usable]
    conditions += [f"p under {literal(folder)}" for folder in asking.folders]
    others = f" and not ({' or '.join(conditions)})" if conditions else ""
    clauses = [
        "on before_tool(read, search)",
        f"when any p in paths {{ p outside workspace{others} }}",
        f"{asking.verdict} {asking.said('{p}', 'folders')}",
    ]
    other = ['read "/zq/zq.zq"'] if _stays_out(asking, usable) else []
    tests = _tests(asking, other, ['read "a.txt"', *_allowed_steps(usable)])
    _declare(page, asking, "read", usable, "", clauses, tests)


def _stays_out(asking: Asking, usable: Usable) -> bool:
    """Return whether a file outside of everything is not allowed."""
    patterns = [glob for one, _ in usable if not one.unlimited for glob in globs(one.limit or "")]
    return "/" not in asking.folders and not matches_path(patterns, "/zq/zq.zq")


def _allowed_steps(usable: Usable) -> list[str]:
    """Steps that the first allowance lets pass."""
    return [step for one, _ in usable[:1] for step in guards(one)[0].meets]


def _fetch_condition(one: Permission) -> str:
    if one.unlimited:
        return f"tool.name == {literal(one.tool)}"
    return f'(tool.name == "WebFetch" and tool.args["url"] else "" matches {host_regex(domain(one), True)})'


def _mcp_condition(one: Permission) -> str:
    if one.limit is not None:
        raise Inexpressible("an MCP tool has no limit in parentheses")
    return f"tool.name matches {mcp_regex(one)}"


def _skill_condition(one: Permission) -> str:
    return guards(one)[0].when or "true"


def _by_tool(
    filters: str, sort: str, what: str, missed: str, takes_all: Callable[[Permission], bool]
) -> Callable[[Page, Asking, Usable], None]:
    def rule(page: Page, asking: Asking, usable: Usable) -> None:
        conditions = " or ".join(condition for _, condition in usable)
        clauses = [f"on before_tool{filters}", *([f"when not ({conditions})"] if conditions else [])]
        clauses.append(f"{asking.verdict} {asking.said('{tool.name}', what)}")
        other = [] if any(takes_all(one) for one, _ in usable) else [missed]
        tests = _tests(asking, other, _allowed_steps(usable))
        _declare(page, asking, sort, usable, what, clauses, tests)

    return rule


_CONDITIONS: dict[str, Callable[[Permission], str]] = {
    "shell": lambda one: "" if one.unlimited else command_condition(one),
    "edit": path_condition,
    "read": path_condition,
    "fetch": _fetch_condition,
    "mcp": _mcp_condition,
    "skill": _skill_condition,
}
_RULES: dict[str, Declare] = {
    "shell": _shell,
    "edit": _edit,
    "read": _read,
    "fetch": _by_tool(
        "(fetch)",
        "fetch",
        "addresses",
        'call "WebFetch" {url: "https://zq.invalid/"}',
        lambda one: one.tool == "WebFetch" and (one.unlimited or domain(one).startswith("*")),
    ),
    "mcp": _by_tool("(mcp)", "mcp", "MCP tools", 'call "mcp__zq__zq"', lambda one: one.tool.startswith("mcp__*")),
    "skill": _by_tool('("Skill")', "skill", "skills", 'call "Skill" {skill: "zq"}', lambda one: one.unlimited),
}
