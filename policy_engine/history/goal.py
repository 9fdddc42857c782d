"""A goal's text → the commands that it demands: code spans that a strict marker governs, verbatim.

"only after `npm test` succeeds", "`pytest -q` must pass": a marker in the same sentence makes a code span a demand;
a marker that announces ("acceptance:", "done when") governs only what follows it. Any other code span is prose, except
in a goal that is nothing but a chain of them. A span that joins commands by arrows names each of them.
None found means empty, never a default (language §11 "Goal").
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.world import World

_ANNOUNCING = (
    "only after", "until", "done when", "acceptance:", "acceptance：", "acceptance command:", "acceptance commands:",
    "acceptance criteria:", "completion condition:", "completion criteria:", "required:", "make sure", "ensure",
    "must run", "验收命令", "验收标准", "验收：", "验收:", "完成条件", "完成标准",
)  # fmt: skip
_ANYWHERE = (
    "must pass", "must succeed", "must be green", "has to pass", "have to pass", "before you finish",
    "before finishing", "before finish", "必须通过",
)  # fmt: skip
_ARROWS = ("→", "⇒")
_BETWEEN = frozenset(" \t\r\n,;.→⇒->、，。；")
COMMAND_CHARS = 500


def governed_commands(text: str) -> tuple[str, ...]:
    """Commands in order of appearance, each once."""
    if "`" not in text:
        return ()
    if _is_bare(text) and len(chain := dict.fromkeys(_spans(text))) > 1:
        return tuple(chain)
    found: list[str] = []
    governing = False
    for line in text.split("\n"):
        stripped = line.strip()
        bullet = stripped.startswith(("- ", "* ", "+ ")) or stripped[:2].rstrip(".)").isdigit()
        if not bullet or not governing:
            governing = False
        for sentence in _sentences(stripped):
            governed = _governed(sentence)
            if governed is not None or (bullet and governing):
                found.extend(_spans(sentence if governed is None else governed))
            governing = governed is not None or (bullet and governing)
        if not stripped:
            governing = False
    return tuple(dict.fromkeys(found))


def _is_bare(text: str) -> bool:
    """Whether the text is nothing but code spans and what separates them."""
    pieces = text.split("`")
    return len(pieces) % 2 == 1 and len(pieces) > 1 and all(_BETWEEN.issuperset(piece) for piece in pieces[::2])


def _governed(sentence: str) -> str | None:
    """The part of a sentence whose spans are demanded; None if no marker stands outside the spans."""
    plain = "`".join(
        piece if number % 2 == 0 else " " * len(piece) for number, piece in enumerate(sentence.split("`"))
    ).lower()
    if any(marker in plain for marker in _ANYWHERE):
        return sentence
    starts = [plain.find(marker) for marker in _ANNOUNCING if marker in plain]
    if not starts:
        return None
    return sentence[min(starts) :] if len(plain) == len(sentence) else sentence  # `lower` lengthens some letters


def _sentences(line: str) -> list[str]:
    """Split at sentence ends outside code spans."""
    parts: list[str] = []
    start, code = 0, False
    for at, char in enumerate(line):
        if char == "`":
            code = not code
        elif not code and (char in "。！？" or (char in ".!?" and line[at + 1 : at + 2] in ("", " "))):
            parts.append(line[start : at + 1])
            start = at + 1
    parts.append(line[start:])
    return [part for part in parts if part.strip()]


def _spans(sentence: str) -> list[str]:
    pieces = sentence.split("`")
    found: list[str] = []
    for span in pieces[1::2] if len(pieces) % 2 else ():
        for arrow in _ARROWS:
            span = span.replace(arrow, "→")
        found.extend(part.strip() for part in span.split("→"))
    return [span for span in found if span and len(span) <= COMMAND_CHARS and "\0" not in span]


# ---- which of them are commands --------------------------------------------------------------------------------------

_WORD = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._+-/@")
_NO_COMMANDS = frozenset("from import true false test time which yes cd echo exit export source . : [ sudo".split())
_SERVERS = frozenset(
    (
        "claude codex gemini opencode aider cursor vite nodemon uvicorn gunicorn hypercorn http-server live-server vim "
        "less more top htop ssh psql redis-server caddy nginx"
    ).split()
)
_SERVING = frozenset("dev start serve server watch preview runserver storybook up s".split())
_STARTING = ("go", "cargo", "dotnet", "flutter", "swift", "deno", "docker", "podman")


def is_command(span: str, world: World) -> bool:
    """Whether a code span can be run here and comes to an end."""
    words = span.split()
    while words and "=" in words[0] and words[0].partition("=")[0].isidentifier():
        words.pop(0)
    if (
        not words
        or words[0] in _NO_COMMANDS
        or not _WORD.issuperset(words[0])
        or not words[0].strip("0123456789-._/+@")
    ):
        return False
    return not _serves(words) and _exists(words[0], world)


def _serves(words: list[str]) -> bool:
    name, rest = words[0].rpartition("/")[2], [word for word in words[1:] if word[:1] != "-"]
    if name in _SERVERS:
        return True
    verb = rest[1] if rest[:1] in (["run"], ["compose"], ["exec"]) and len(rest) > 1 else rest[0] if rest else ""
    if name in ("python", "python3"):
        return "runserver" in rest or "http.server" in rest
    if name in _STARTING:
        return (rest[:1] == ["run"] and name not in ("docker", "podman", "deno")) or verb == "up"
    return verb.partition(":")[0] in _SERVING and name in (*_MANAGERS, "next", "ng", "rails", "flask", "make", "just")


_MANAGERS = ("npm", "pnpm", "yarn", "bun", "npx", "task", "mise", "turbo")


def _exists(word: str, world: World) -> bool:
    if "/" in word:
        try:
            found = world.look(world.resolve(word, world.workspace))
        except Undecided:
            return False
        return isinstance(found, tuple) and found[0] == "file"
    if word.count("-") == 4 and len(word) == 36:
        return False  # an identifier
    from policy_engine.test_runs.runners import RUNNERS, STARTERS

    return word in STARTERS or any(row.split()[0] == word for row in RUNNERS) or world.program(word) is not None
