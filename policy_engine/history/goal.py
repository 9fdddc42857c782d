"""Tell whether a text is a command, whether it can be run here, and whether a prompt only asks to go on.

What a prompt demands is read by `demands.py`, at prompts only.
"""

from __future__ import annotations

from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem

COMMAND_CHARS = 500
_WORD = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._+-/@")
_NO_COMMANDS = frozenset(
    (
        "from import true false test time which yes cd echo exit export source . : [ sudo type set unset alias let "
        "const var function class return interface end if else elif while switch try catch async await def public"
    ).split()
)
_SERVERS = frozenset(
    (
        "claude codex gemini opencode aider cursor vite nodemon uvicorn gunicorn hypercorn http-server live-server vim "
        "less more top htop ssh psql redis-server caddy nginx"
    ).split()
)
_SERVING = frozenset("dev start serve server watch preview runserver storybook up s".split())
_STARTING = ("go", "cargo", "dotnet", "flutter", "swift", "deno", "docker", "podman")
_CHECKERS = frozenset(
    (
        "mypy pyright flake8 pylint ruff black isort bandit eslint tsc prettier biome stylelint shellcheck hadolint "
        "golangci-lint staticcheck rubocop phpstan psalm ctest make just rake gradle mvn nox pre-commit markdownlint "
        "actionlint yamllint tflint knip oxlint"
    ).split()
)
"""Programs that check something, and that are a command by themselves."""
_PROSE = frozenset(
    (
        "a an the of to it is are be was and or in on at for with that this these those sure all your my our you we "
        "not no as by from into than then up out"
    ).split()
)
_VERBS = frozenset(
    "init test tests check lint build verify validate install migrate sync generate ci run doctor".split()
)
_ADJECTIVES = frozenset(
    (
        "smoke unit type sanity load e2e integration dry final clean quick full the a regression stress manual local "
        "production prod release debug test spell fact rule code style health status security double cross first last"
    ).split()
)
_NO_OPERANDS = ("sure", "it", "this", "that", "the", "a", "up", "out")
_ENDINGS = (".sh", ".bash", ".py", ".js", ".mjs", ".ts", ".rb", ".pl", ".ps1", ".php")
_SCRIPTS = (".sh", ".bash", ".ps1", ".bat", ".cmd")
_SCRIPT_FOLDERS = frozenset("script scripts bin tools hack ci dev .github node_modules .venv venv vendor build".split())


def command_words(text: str) -> list[str]:
    """Return the words of a text without the assignments and the `cd DIR &&` or `source FILE &&` before them."""
    words = text.split()
    if len(words) > 3 and words[0] in ("cd", "source", ".") and words[2] == "&&":
        words = words[3:]
    while words and "=" in words[0] and words[0].partition("=")[0].isidentifier():
        words.pop(0)
    return words


def is_known_program(word: str) -> bool:
    """Return whether the tables name a program so, or the word is the path of a script."""
    from policy_engine.programs.base import find_program
    from policy_engine.test_runs.runners import RUNNERS, STARTERS

    if "/" in word:
        return _is_script(word)
    return (
        word in _CHECKERS
        or word in STARTERS
        or any(row.split()[0] == word for row in RUNNERS)
        or find_program(word) is not None
    )


def has_command_shape(text: str) -> bool:
    """Return whether a text reads as a command: no identifier, path, formula or prose.

    A word that the tables do not name begins a command only if an option or a path follows it.
    """
    from policy_engine.test_runs.runners import RUNNERS

    words = command_words(text)
    if words and "\\" in words[0]:
        words[0] = words[0].replace("\\", "/")
    if not words or not _is_program_word(words[0]):
        return False
    first, rest = words[0], words[1:]
    if any(word in ("+", "=", "==", "...", "…") for word in words):
        return False
    flags = any(word[:1] == "-" and word.strip("-") for word in rest)
    options = flags or any(word[:2] in ("./", "..") or word.endswith(_ENDINGS) for word in rest)
    if "/" in first:
        return _is_script(first) or (options and "." not in first.rpartition("/")[2])
    if not is_known_program(first):
        verb = bool(rest) and rest[0] in _VERBS and first not in _ADJECTIVES
        return (flags and first not in _PROSE) or ((options or verb) and not _PROSE.intersection(rest))
    if not rest:
        return first in _CHECKERS or first in RUNNERS
    plain = [word for word in rest if word.isalpha() and word.islower()]
    prose = len(plain) == len(rest) and bool(_PROSE.intersection(rest)) and (len(rest) > 1 or rest[0] in _NO_OPERANDS)
    return options or not prose


def is_program_call(text: str) -> bool:
    """Return whether a text that is said to be run can be the call of a program: its word, and no prose behind it."""
    words = command_words(text)
    if len(words) == 1 and words[0].endswith(_ENDINGS):
        return _is_program_word(words[0])
    if len(words) < 2 or not _is_program_word(words[0]) or _PROSE.union(_ADJECTIVES).intersection(words):
        return False
    return words[0][:1].isalpha() and words[0].islower()


def _is_program_word(word: str) -> bool:
    if word.count("-") == 4 and len(word) == 36:
        return False  # an identifier
    if "/" in word:
        return word.replace("/", "").replace("..", "").strip(".-_") != "" and not {*"(){}<>*?=`\"'"}.intersection(word)
    return word not in _NO_COMMANDS and _WORD.issuperset(word) and word.strip("0123456789-._/+@") != ""


def _is_script(word: str) -> bool:
    """Return whether a path names a script: `./x`, `scripts/x`, `tests/run.sh`; no folder, no document, no route."""
    parts = word.split("/")
    if word.startswith("./"):
        return parts[-1] != "" and ("." not in parts[-1] or word.endswith(_ENDINGS))
    if word.startswith("/"):
        return len(parts) > 3 and (parts[-2] in ("bin", "sbin") or word.endswith(_SCRIPTS))
    return word.endswith(_SCRIPTS) or (parts[0] in _SCRIPT_FOLDERS and parts[-1] != "" and (
        "." not in parts[-1] or word.endswith(_ENDINGS)))  # fmt: skip


# ---- which of them can be run here -----------------------------------------------------------------------------------


def is_command(span: str, filesystem: FileSystem) -> bool:
    """Return whether a code span can be run here and comes to an end."""
    words = command_words(span)
    return bool(words) and _is_program_word(words[0]) and not is_server(words) and _exists(words[0], filesystem)


def is_server(words: list[str]) -> bool:
    """Return whether a command serves until it is ended, so that it never succeeds."""
    if not words:
        return False
    name, rest = words[0].rpartition("/")[2], [word for word in words[1:] if word[:1] != "-"]
    if name in _SERVERS:
        return True
    verb = rest[1] if rest[:1] in (["run"], ["compose"], ["exec"]) and len(rest) > 1 else rest[0] if rest else ""
    if name in ("python", "python3"):
        return "runserver" in rest or "http.server" in rest
    if name in _STARTING:
        return (rest[:1] == ["run"] and name not in ("docker", "podman", "deno")) or (
            verb == "up" and not {"-d", "--detach", "--wait"}.intersection(words)
        )
    first, last = verb.partition(":")[0], verb.rpartition(":")[2]  # `storybook:build` builds
    return (
        first in _SERVING
        and last not in _VERBS
        and name in (*_MANAGERS, "next", "ng", "rails", "flask", "make", "just")
    )


_MANAGERS = ("npm", "pnpm", "yarn", "bun", "npx", "task", "mise", "turbo")


def _exists(word: str, filesystem: FileSystem) -> bool:
    if "/" in word:
        try:
            status = filesystem.look(filesystem.resolve(word, filesystem.workspace))
        except Undecided:
            return False
        return isinstance(status, tuple) and status[0] == "file"
    from policy_engine.test_runs.runners import RUNNERS, STARTERS

    return word in STARTERS or any(row.split()[0] == word for row in RUNNERS) or filesystem.program(word) is not None


# ---- prompts that only go on -----------------------------------------------------------------------------------------

_GO_ON = frozenset(
    (
        "continue|go on|go ahead|keep going|keep on|carry on|proceed|resume|next|yes|yep|yeah|yup|y|ok|okay|k|sure|"
        "fine|good|great|nice|perfect|cool|thanks|thank you|please|pls|do it|do that|do this|try again|retry|again|"
        "and|then|now|"
        "let's go|lets go|so|then|go|on|with it|with that|from there|from here|working|work|"
        "where you left off|from where you left off|where we left off|what you were doing|the task|the work|"
        "继续|请|继续吧|继续做|继续执行|接着|接着做|接着来|往下|下一步|好|好的|好吧|可以|是|是的|对|嗯|行|没问题|开始吧|请继续|继续工作|谢谢|重试|再试一次|再来|吧"
    ).split("|")
)
_ALONE = frozenset("thanks|thank you|great|nice|perfect|cool|good|谢谢|and|then|now|so|please|on|again".split("|"))
_MARKS = str.maketrans(dict.fromkeys(".,;:!?…。，、！？；：～~\"'`()（）", " "))
_HOST_TEXTS = (
    "this session is being continued from a previous conversation",
    "please continue the conversation from where we left",
    "[request interrupted by user",
    "<task-notification>", "<system-reminder>", "<local-command-", "<command-name>", "<command-message>",
    "<bash-input>", "<bash-stdout>", "stop hook feedback",
)  # fmt: skip
_MOST_WORDS = 12


def is_resumption(text: str) -> bool:
    """Return whether a prompt only asks to go on with what was asked before ("continue", "好的，继续")."""
    plain = text.strip().lower()
    if plain.startswith(_HOST_TEXTS):
        return True
    words = [word.removeprefix("请").rstrip("吧了啊") or word for word in plain.translate(_MARKS).split()]
    if not words or len(words) > _MOST_WORDS or plain.endswith(("?", "？")):
        return False
    at, words_read = 0, []
    while at < len(words):
        for size in (5, 4, 3, 2, 1):
            phrase = " ".join(words[at : at + size])
            if at + size <= len(words) and phrase in _GO_ON:
                words_read.append(phrase)
                at += size
                break
        else:
            return False
    return not _ALONE.issuperset(words_read)
