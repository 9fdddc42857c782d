"""The alphabets of generated policies and events, small, so that conditions hit often; what a condition may read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from policy_engine.checker.reach import ALWAYS, NEVER, Reach
from policy_engine.checker.tree import Listen
from policy_engine.checker.vocabulary import vocabulary

WORDS = vocabulary()
Draw = Any

POINTS = (
    *("before_tool",) * 6, *("after_tool",) * 4, *("before_completion",) * 4, "prompt", "after_round",
    "before_permission", "subagent_completion", "session_start", "before_stop", "subagent_start", "before_compact",
)  # fmt: skip
TOOLS = {
    "shell": "Bash", "write": "Write", "edit": "Edit", "read": "Read", "search": "Grep", "fetch": "Fetch",
    "mcp": "mcp__git__log", "agent": "Task", "todo": "Todos", "other": "Odd",
}  # fmt: skip
PATHS = ("src/a.py", "src/b.py", "docs/x.md", "README.md", "/etc/passwd", "build", "../out.txt", "/workspace/src/a.py")
GLOBS = (
    '"src/**"', '"src/*.py"', '"**/*.md"', '"docs/**"', '"/etc/**"', '"README.md"', '"~/**"',
    'glob("src/**", "docs/*")', 'glob("**") except glob("src/**")', '"{src,docs}/**"', '"**"',
)  # fmt: skip
COMMANDS = (
    '"pytest -*"', '"pytest ..."', '"rm ..."', '"git push ..."', '"make"', '"* -q"', 'command("pytest -*", "make")',
    'command("pytest ...") except command("pytest -q")', 'command("pytest", in: "src")', '"/usr/bin/pytest -*"',
)  # fmt: skip
LINES = (
    "pytest", "pytest -q", "pytest -q", "pytest tests/test_one.py", "rm -rf build", "rm -f /etc/passwd",
    "git push --force", "git status", "cat src/a.py", "touch src/b.py", "cd src && pytest", "echo hi", "make",
    "uv run pytest -q", "make && pytest -q", "FOO=1 pytest", "PATH=/x pytest", "/usr/bin/pytest -q",
    "cat 'README.md' docs/x.md", "pytest | tail", "echo $X", "rm -rf $HOME", "", "git log | head",
)  # fmt: skip
TEXTS = ("a", "", "secret", "a Secret token", "print(1)", "main", "src/a.py", "x\ny", "explore", "pytest -q")
REGEXES = ("/secret/", "/^a/", "/sec?ret/i", "/(foo|tok)en/", r"/print\(\d\)/", "/t+oken.*/", "/x.y/", "/./")
PROGRAMS = ("pytest", "rm", "git", "cat", "make")
STATES = ("pending", "completed", "failed", "canceled")
KEYS = ("file_path", "content", "path", "command", "text", "number", "flag", "list")
WRONG = (7, True, ["secret"], {"a": 1}, 2.5, "secret", "src/a.py", 3, False)
GOALS = (
    "make it so",
    "`pytest -q` must pass",
    "Only after `make` and `pytest -q` succeed.",
    "done when `cat src/a.py`",
)


@dataclass(frozen=True)
class Context:
    """What a condition may read: where it listens, what is proven present, which names there are."""

    listens: tuple[Listen, ...] = ()
    guards: frozenset[str] = frozenset()
    limits: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    variables: list[str] = field(default_factory=list)
    reach: Reach = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reach", Reach(WORDS, self.listens))

    def status(self, name: str) -> tuple[bool, bool]:
        """(may be read, needs a guard)."""
        known = WORDS.fields[name]
        here = self.reach.has(known)
        return here != NEVER, (known.optional or here != ALWAYS) and name not in self.guards

    def variable(self) -> str:
        self.variables.append(f"v{len(self.variables)}")
        return self.variables[-1]


def one(draw: Draw, choices: Any) -> Any:
    return draw(st.sampled_from(choices))


def flip(draw: Draw, times: int = 2) -> bool:
    """True once in `times`."""
    return draw(st.integers(1, times)) == times
