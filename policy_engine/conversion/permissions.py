"""Read a permission of Claude Code, such as `Bash(npm test:*)`: the tools it is about and conditions on their calls.

A permission is the tool's name and, in parentheses, what it is limited to. Where a limit is read otherwise by different
tools, so it is here: commands with stars, paths as in `.gitignore`, domains, names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from policy_engine.conversion.gitignore import globs, matches_path
from policy_engine.conversion.star_commands import command_patterns, sample_line
from policy_engine.conversion.writing import Inexpressible, exactly, literal, quoted

_FORM = re.compile(r"([A-Za-z*][\w*.-]*)(?:\((.*)\))?", re.S)
EDITING = ("Edit", "Write", "MultiEdit", "NotebookEdit")
READING = ("Read", "Grep", "Glob", "LS", "NotebookRead")
_AGENTS = ("Agent", "Task")
_NO_TOOLS = frozenset(("PowerShell", "Cd", "Monitor"))


@dataclass(frozen=True, slots=True)
class Guard:
    """One way in which a permission applies: a point's filter, a condition (always, if empty), how it fails, tests.

    `meets` and `misses` are steps of a test; `subject` is what a message says of the call.
    """

    filter: str
    when: str = ""
    meets: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    subject: str = "{tool.name}"
    fails_ask: bool = False


@dataclass(frozen=True, slots=True)
class Permission:
    """A permission as it was written: the tool, what it is limited to (None: nothing), and its `file:line`."""

    text: str
    tool: str
    limit: str | None
    where: str = ""

    @property
    def sort(self) -> str:
        """Return which class of tools it is about: shell, edit, read, fetch, mcp, or other."""
        if self.tool.startswith("mcp__"):
            return "mcp"
        sorts = {"Bash": "shell", "WebFetch": "fetch", "WebSearch": "fetch"}
        sorts |= dict.fromkeys(EDITING, "edit") | dict.fromkeys(READING, "read")
        return sorts.get(self.tool, "other")

    @property
    def unlimited(self) -> bool:
        """Return whether every call of the tool is meant."""
        return self.limit is None or self.limit.strip() in ("", "*", "**")


def read_permission(text: str, where: str = "") -> Permission:
    """Return the parts of a permission. Raises Inexpressible for a text that has another form."""
    match = _FORM.fullmatch(text.strip())
    if match is None:
        raise Inexpressible("it has not the form `Tool` or `Tool(limit)`")
    return Permission(text.strip(), match[1], match[2], where)


def guards(one: Permission) -> list[Guard]:
    """Return how a permission is refused or asked about, at `before_tool`. Raises Inexpressible."""
    if one.tool == "*":
        return [Guard("")]
    if "*" in one.tool and one.sort != "mcp":
        raise Inexpressible("a star in a tool's name is understood for MCP tools only")
    if one.sort == "shell":
        return [Guard("(shell)", *_shell(one), "`{c.text}`" if not one.unlimited else "This command", True)]
    if one.sort in ("edit", "read"):
        return _files(one)
    if one.sort == "fetch":
        return [_fetch(one)]
    if one.sort == "mcp":
        return [_mcp(one)]
    return [_other(one)]


def call_step(tool: str) -> str:
    """Return the step of a test that proposes a call of a tool, with the arguments that it needs."""
    steps = {"Bash": 'shell "ls"', "Read": 'read "a.txt"', "Write": 'write "a.txt"', "Edit": 'edit "a.txt"'}
    arguments = {
        "MultiEdit": ' {file_path: "a.txt", edits: "x"}',
        "NotebookEdit": ' {notebook_path: "a.ipynb", new_source: "x"}',
        "NotebookRead": ' {notebook_path: "a.ipynb"}',
        "Grep": ' {pattern: "x"}',
        "Glob": ' {pattern: "x"}',
        "LS": ' {path: "."}',
        "WebFetch": ' {url: "https://a.example"}',
    }
    return steps.get(tool) or f"call {literal(tool)}{arguments.get(tool, '')}"


def command_condition(one: Permission) -> str:
    """Return the condition on a command `c` that the permission describes it."""
    return f"c matches command({', '.join(map(literal, command_patterns(one.limit or '')))})"


def path_condition(one: Permission) -> str:
    """Return the condition on a path `p` that the permission describes it."""
    if one.unlimited:
        return f"tool.name == {literal(one.tool)}"
    return f"p matches glob({', '.join(literal(text, True) for text in globs(one.limit or ''))})"


def _shell(one: Permission) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    if one.unlimited:
        return "", ('shell "ls"',), ()
    meets, misses = sample_line(command_patterns(one.limit or ""))
    steps = tuple(f"shell {literal(line)}" for line in (meets, misses) if line)
    return f"any c in commands {{ {command_condition(one)} }}", steps[:1] if meets else (), steps[1:] if misses else ()


def _files(one: Permission) -> list[Guard]:
    edits = one.sort == "edit"
    tools = "(write, edit)" if edits else "(read, search)"
    step = "write" if edits else "read"
    if one.unlimited:
        if one.tool in ("Edit", "Read"):
            return [Guard(tools, "", (f'{step} "a.txt"',), (), "{tool.name}")]
        return [Guard(f"({literal(one.tool)})", "", (call_step(one.tool),), ('call "Zq"',))]
    condition = path_condition(one)
    meets = list(filter(None, map(_path_sample, globs(one.limit or ""))))
    steps = tuple(f"{step} {literal(text)}" for text in meets[:1])
    misses = () if matches_path(globs(one.limit or ""), "zq/zq.zq") else (f'{step} "zq/zq.zq"',)
    if edits:
        shell = f'any c in commands {{ any p in c.touches {{ p.access != "read" and {condition} }} }}'
        file = f"any p in paths {{ {condition} }}"
    else:
        shell = f"any c in commands {{ any p in c.contents {{ {condition} }} }}"
        file = f"any p in paths {{ {condition.replace('p matches', 'p.every_part matches', 1)} }}"
    lines = tuple(f"shell {literal(f'rm {text}' if edits else f'cat {text}')}" for text in meets[:1] if _plain(text))
    return [
        Guard(tools, file, steps, misses, "{p}"),
        Guard("(shell)", shell, lines, ('shell "./zq"',), "`{c.text}`", True),
    ]


def _plain(text: str) -> bool:
    return re.fullmatch(r"(~/)?[\w./-]+", text, re.ASCII) is not None and not text.startswith("-")


def _path_sample(glob: str) -> str:
    """Return a path that the glob matches, if one is easily made."""
    if any(char in glob for char in "[]{}"):
        return ""
    text = glob.replace("**/", "").replace("/**", "/a").replace("**", "a").replace("*", "a").replace("?", "a")
    return text if text and matches_path([glob], text) else ""


def _fetch(one: Permission) -> Guard:
    if one.tool == "WebSearch":
        if not one.unlimited:
            raise Inexpressible("a search of the web has no limit that is known")
        return Guard('("WebSearch")', "", ('call "WebSearch"',), ('call "WebFetch" {url: "https://a.example"}',))
    if one.unlimited:
        return Guard('("WebFetch")', "", ('call "WebFetch" {url: "https://a.example"}',), ('call "WebSearch"',))
    host = domain(one)
    sample = host.replace("*", "a")
    step = 'call "WebFetch" {url: "https://%s/x"}'
    return Guard(
        '("WebFetch")',
        f'tool.args["url"] else "" matches {host_regex(host, False)}',
        (step % sample, step % f"{sample}:8080") if re.fullmatch(r"[\w.-]+", sample) else (),
        (step % "zq.invalid",) if host.strip("*.") else (),
    )


def domain(one: Permission) -> str:
    """Return the domain that a fetch is limited to. Raises Inexpressible."""
    limit = (one.limit or "").strip()
    if not limit.startswith("domain:") or not re.fullmatch(r"[\w.*-]+", limit[7:], re.ASCII):
        raise Inexpressible("a fetch can be limited to `domain:NAME` only")
    return limit[7:].lower().rstrip(".")


def host_regex(host: str, strict: bool) -> str:
    """Return a regex on an address with that host; `strict`, for an allowance, takes no odd form of one."""
    name = "[^\\/?#@:\\\\]*".join(exactly(part) for part in host.split("*"))
    scheme, user = ("https?", "") if strict else ("\\s*[a-z][a-z0-9+.-]*", "([^\\/?#]*@)?")
    end = "[\\/?#]" if strict else "[\\/?#\\\\]"
    return f"/^{scheme}:\\/\\/{user}{name}\\.?(:[0-9]*)?({end}|$)/i"


def _mcp(one: Permission) -> Guard:
    if one.limit is not None:
        raise Inexpressible("an MCP tool has no limit in parentheses")
    sample = one.tool.replace("*", "a")
    sample = sample if sample.count("__") > 1 else f"{sample}__any"
    meets = (f"call {literal(sample)}",)
    misses = () if one.tool.startswith("mcp__*") else ('call "mcp__zq__zq"',)
    return Guard("(mcp)", f"tool.name matches {mcp_regex(one)}", meets, misses)


def mcp_regex(one: Permission) -> str:
    """Return the regex for the names of an MCP server's tools, of one, or of those that a star stands for."""
    name = ".*".join(exactly(part) for part in one.tool.split("*"))
    whole = name if one.tool.count("__") > 1 or one.tool.endswith("*") else f"{name}__.*"
    return f"/^{whole}$/"


def _other(one: Permission) -> Guard:
    if one.tool in _NO_TOOLS:
        raise Inexpressible(f"what a call of {quoted(one.tool)} would do is not read")
    names = _AGENTS if one.tool in _AGENTS else (one.tool,)
    tools = f"({', '.join(map(literal, names))})"
    if one.unlimited:
        return Guard(tools, "", (call_step(one.tool),), ('call "Zq"',))
    argument = {"Skill": "skill", "SlashCommand": "command", "Agent": "subagent_type", "Task": "subagent_type"}
    if one.tool not in argument:
        raise Inexpressible(f"what {quoted(one.tool)} can be limited to is not known")
    wanted = (one.limit or "").strip()
    stem = re.sub(r"(:\*| \*)$", "", wanted)
    if "*" in stem or ("(" in stem):
        raise Inexpressible("a star is understood at the end only")
    field = f'tool.args["{argument[one.tool]}"] else ""'
    condition = f"{field} == {literal(stem)}"
    if stem != wanted:
        condition = f"({condition} or {field} starts_with {literal(stem + ' ')})"
    step = f"call {literal(one.tool)} {{{argument[one.tool]}: %s}}"
    return Guard(tools, condition, (step % literal(stem),), (step % '"zq"',))
