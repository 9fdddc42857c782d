"""The alphabets of generated policies and events, small, so that conditions hit often; what a condition may read."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import strategies as st

from policy_engine.checker.reach import ALWAYS, NEVER, Reach
from policy_engine.checker.tree import Listen
from policy_engine.checker.vocabulary import vocabulary

WORDS = vocabulary()
Draw = Any  # Hypothesis's `draw`, which can shrink, or a `random.Random`, which is twenty times as quick

TOOLS = {
    "shell": "Bash", "write": "Write", "edit": "Edit", "read": "Read", "search": "Grep", "fetch": "Fetch",
    "mcp": "mcp__git__log", "agent": "Task", "todo": "Todos", "other": "Odd",
}  # fmt: skip
# What stands here often is drawn often: most sessions are about the tests and a few files.
PATHS = (
    *("src/a.py",) * 5, *("docs/x.md",) * 2, "src/b.py", "README.md", "/etc/passwd", "build", "../out.txt",
    "/workspace/src/a.py",
)  # fmt: skip
GLOBS = (
    *('"src/**"',) * 6, '"src/*.py"', '"**/*.md"', '"docs/**"', '"/etc/**"', '"README.md"', '"~/**"',
    'glob("src/**", "docs/*")', 'glob("**") except glob("src/**")', '"{src,docs}/**"', '"**"',
)  # fmt: skip
COMMANDS = (
    *('"pytest -*"',) * 6, '"pytest ..."', '"rm ..."', '"git push ..."', '"make"', '"* -q"', '"/usr/bin/pytest -*"',
    'command("pytest -*", "make")', 'command("pytest ...") except command("pytest -q")', 'command("pytest", in: "src")',
)  # fmt: skip
LINES = (
    *("pytest -q",) * 6, "pytest", "pytest", "pytest tests/test_one.py", "rm -rf build", "rm -f /etc/passwd",
    "git push --force", "git status", "cat src/a.py", "touch src/b.py", "cd src && pytest", "echo hi", "make",
    "uv run pytest -q", "make && pytest -q", "FOO=1 pytest", "PATH=/x pytest", "/usr/bin/pytest -q",
    "cat 'README.md' docs/x.md", "pytest | tail", "echo $X", "rm -rf $HOME", "", "git log | head", "$RUN pytest -q",
    "pytest -q || true", "pytest -q; echo done", "set -o pipefail; pytest -q | tail", "bash -c 'pytest -q'",
    "pytest -q &", "sudo rm -rf /etc/passwd", "echo x > src/a.py", "cat < README.md >> docs/x.md", "rm *.md",
    "for f in src/*.py; do rm $f; done", "if make; then pytest -q; fi", "env X=1 pytest -q", "cd /etc; cat passwd",
    "find src -name '*.py' -exec rm {} ;", "cp README.md docs/x.md", "xargs rm < list", "eval $CODE",
    "mv docs/x.md src/b.py", "cat <<E\nsecret\nE", "pytest -q 2>&1 | tail -3", "pytest -q src", "make test", "npm test",
    "go test ./...", "pytest -k one", "curl a x:1", "ssh main $X",
    "echo x > conftest.py && pytest", "cd src && make test", "echo x > Makefile",
)  # fmt: skip
TEXTS = ("a", "", "secret", "a Secret token", "print(1)", "main", "src/a.py", "x\ny", "explore", "pytest -q")
REGEXES = ("/secret/", "/^a/", "/sec?ret/i", "/(foo|tok)en/", r"/print\(\d\)/", "/t+oken.*/", "/x.y/", "/./")
PROGRAMS = ("pytest", "rm", "git", "cat", "make")
STATES = ("pending", "completed", "failed", "canceled")
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "number": (0, 1, 1, 2, 3, 2.5, True, "1"), "flag": (True, False, 1, 0, "true"), "text": TEXTS, "file_path": PATHS,
    "content": (*TEXTS, 7), "list": (["secret"], [1], [True], [], {"a": 1}), "path": ("src", 7),
    "edits": (
        [{"path": "src/a.py", "text": "a Secret token"}, {"path": "README.md", "text": "x\ny"}],
        [{"path": {"at": "src/a.py"}, "text": ""}], [], [{}], ["secret"], "src/a.py", {"at": {"path": "src/a.py"}},
        {"at": None},
    ),
}  # fmt: skip
GOALS = (
    "make it so",
    "`pytest -q` must pass",
    "Only after `make` and `pytest -q` succeed.",
    "done when `cat src/a.py`",
)


@dataclass(frozen=True)
class Theme:
    """What a case is about: where its rules listen and its events happen, what its conditions are, what it has."""

    points: tuple[str, ...]
    leaves: tuple[str, ...]
    sorts: tuple[str, ...] = ("limit", "mode", "hook", "waive")


_TOOLS = ("before_tool", "before_tool", "after_tool", "after_tool")
_ALL = ("text", "field", "counter", "argument", "list", "past", "count", "filesystem", "todos", "goal", "state")
THEMES = {
    "any": Theme((*_TOOLS, "before_completion", *WORDS.points), _ALL),
    "tools": Theme(
        (*_TOOLS, "before_permission"), ("text", "field", "argument", "list", "list", "filesystem"), ("waive",)
    ),
    "past": Theme((*_TOOLS, "before_completion"), ("past", "past", "past", "count", "count", "goal"), ("mode",)),
    "completion": Theme(
        ("before_completion",) * 4 + ("subagent_completion", "prompt"), ("text", "text", "todos", "past", "field"), ()
    ),
    "limits": Theme((*_TOOLS, "prompt"), ("text", "argument", "counter", "past", "state", "state"), ("limit", "limit")),
    "modes": Theme(
        ("after_round", "after_round", "after_tool"),
        ("field", "counter", "past", "state", "state", "state"),
        ("mode", "mode"),
    ),
}
"""Each finds other faults; `any` has a little of everything."""


@dataclass(frozen=True)
class Context:
    """What a condition may read: where it listens, what is proven present, which names there are; of `limits` those
    that are `keyed` have a count for each key of these parts."""

    listens: tuple[Listen, ...] = ()
    leaves: tuple[str, ...] = ()
    guards: frozenset[str] = frozenset()
    limits: tuple[str, ...] = ()
    keyed: dict[str, tuple[str, ...]] = field(default_factory=dict)
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
    if isinstance(draw, Random):
        return draw.choice(choices)
    return draw(st.sampled_from(choices))


def flip(draw: Draw, times: int = 2) -> bool:
    """True once in `times`."""
    return number(draw, 1, times) == times


def number(draw: Draw, least: int, most: int) -> int:
    """One of the numbers from `least` to `most`."""
    return draw.randint(least, most) if isinstance(draw, Random) else draw(st.integers(least, most))


def some(draw: Draw, choices: Any, least: int, most: int) -> list[Any]:
    """Some of the choices, sorted, each once; `most` at most."""
    return sorted({one(draw, choices) for _ in range(number(draw, least, most))})
