"""Match parsed commands with the command patterns of the language.

Tokens: `*` one argument, `-*` zero or more that start with `-`, `...` any rest, anything else the argument itself, in
which `*` stands for any run of characters. A pattern is the plain tuple of checker/tree.py's `CommandPattern`:
(include, exclude, cwd glob pattern or None). Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.limits import COMMAND_BYTES
from policy_engine.model.partial import GLOB, MANY, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import INTERPRETERS
from policy_engine.programs.invocation import configures_program, without_options_before_verb
from policy_engine.shell.wrappers import SHELLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.shell.command import SimpleCommand

    Tokens = tuple[str, ...]
    GlobTuple = tuple[tuple[str, ...], tuple[str, ...]]
    Pattern = tuple[tuple[Tokens, ...], tuple[Tokens, ...], GlobTuple | None]

# Variables that choose which code runs under a program's name, or slip options into it.
_DECIDING = frozenset(
    (
        "PATH IFS ENV BASH_ENV SHELLOPTS BASHOPTS CDPATH PS4 PROMPT_COMMAND EDITOR VISUAL PAGER SHELL HOME "
        "NODE_PATH PERL5LIB PERL5OPT RUBYLIB RUBYOPT CLASSPATH MAKEFLAGS MFLAGS GNUMAKEFLAGS GOFLAGS RUSTC "
        "RUSTC_WRAPPER CC CXX LESSOPEN TAR_OPTIONS GREP_OPTIONS HISTFILE"
    ).split()
)
_READERS = INTERPRETERS.union(SHELLS, ("source", "."))
_DECIDING_STARTS = ("LD_", "DYLD_", "PYTHON", "GIT_", "PYTEST_", "NPM_CONFIG_", "npm_config_", "CARGO_", "BASH_FUNC_")
_DECIDING_ENDS = (
    "_OPTIONS", "_OPTS", "_ADDOPTS", "_PRELOAD", "PATH", "WRAPPER", "PAGER", "EDITOR", "_DIFF", "SHELL", "_LAUNCHER",
    "_script_shell", "FCEDIT", "MERGE",
)  # fmt: skip


def pattern_tokens(text: str) -> tuple[str, ...]:
    """Split a pattern as written into its tokens; `'…'` and `"…"` hold blanks together.

    Raises ValueError with the reason if it is empty, a quote is open, or it starts with an option or an assignment.
    """
    if len(text) > COMMAND_BYTES or not text.isprintable():
        raise ValueError("a command pattern is too long or holds a control character")
    tokens = _split(text)
    if not tokens:
        raise ValueError("a command pattern is empty")
    first = tokens[0]
    if first.startswith("-"):
        raise ValueError("a command pattern starts with a program, not with an option")
    if "=" in first and first.partition("=")[0].isidentifier():
        raise ValueError("assignments are no part of a command pattern; they are stripped before it is compared")
    for word in tokens:
        if word in ("&&", "||", ";", "|", "&") or (word.startswith(("<", ">")) and len(word) < 3):
            raise ValueError(f"`{word}` joins commands; a pattern describes one simple command")
    return tuple(tokens)


def _split(text: str) -> list[str]:
    tokens: list[str] = []
    word, quote, quoted = "", "", False
    for char in text + " ":
        if quote:
            if char == quote:
                quote = ""
            else:
                word += char
        elif char in "'\"":
            quote, quoted = char, True
        elif char != " ":
            word += char
        elif word or quoted:
            if quoted and (word in ("-*", "...") or "*" in word):
                raise ValueError(f"`{word}` cannot be quoted: its star would be a literal, which patterns do not have")
            tokens.append(word)
            word, quoted = "", False
    if quote:
        raise ValueError(f"the quote {quote} is not closed")
    return tokens


def argv_matches(tokens: tuple[str, ...], argv: tuple[str, ...]) -> bool:
    """Return whether all of the argv is covered by the tokens, the program word like any other."""
    if tokens and tokens[0] != "..." and "*" not in tokens[0] and argv[:1] != tokens[:1]:
        return False  # as nearly all are told apart
    states = _skip_empty({0}, tokens)
    for word in argv:
        following: set[int] = set()
        for state in states:
            if state == len(tokens):
                continue
            token = tokens[state]
            if token == "..." or (token == "-*" and word[:1] == "-"):
                following.add(state)
            elif token != "-*" and word_matches(token, word):
                following.add(state + 1)
        if not following:
            return False
        states = _skip_empty(following, tokens)
    return len(tokens) in states


def may_match(tokens: tuple[str, ...], argv: tuple[str, ...]) -> bool:
    """Return whether an argv of which not every word is known may be covered by the tokens."""
    first = argv[0].rpartition("/")[2]
    states = _skip_empty({0}, tokens)
    for word in (first, *argv[1:]):
        following: set[int] = set()
        several, head = MANY in word or GLOB in word, word.partition("\0")[0] if MANY not in word else ""
        for state in states:
            if several:
                fits = (place for place in range(state, len(tokens)) if not _may_begin(tokens[place], head))
                following.update(range(state, next(fits, len(tokens)) + 1))
            elif state < len(tokens):
                token = tokens[state]
                if token in ("...", "-*"):
                    following.add(state)
                if token != "-*" and (not is_known(word) or word_matches(token.rpartition("/")[2], word) or
                                      word_matches(token, word)):  # fmt: skip
                    following.add(state + 1)
        states = _skip_empty(following, tokens)
    return len(tokens) in states


def _may_begin(token: str, head: str) -> bool:
    """Return whether a word that begins in this way may be one that a token describes."""
    return token == "..." or "*" in token or token.startswith(head)


def _skip_empty(states: set[int], tokens: tuple[str, ...]) -> set[int]:
    for state in tuple(states):
        while state < len(tokens) and tokens[state] in ("...", "-*"):
            state += 1
            states.add(state)
    return states


def word_matches(token: str, word: str) -> bool:
    """One argument; `*` in the token is any run of characters, slashes too."""
    if "*" not in token:
        return token == word
    first, *middle, last = token.split("*")
    if len(word) < len(first) + len(last) or not word.startswith(first) or not word.endswith(last):
        return False
    place, end = len(first), len(word) - len(last)
    for part in middle:
        at_word = word.find(part, place, end)
        if at_word < 0:
            return False
        place = at_word + len(part)
    return True


def command_matches(pattern: Pattern, command: SimpleCommand, filesystem: FileSystem, evidence: bool = False) -> bool:
    """Return whether the pattern describes the command.

    With `evidence` (history atoms) the command must run in the root of the workspace, unless the pattern names its
    folder with `in:`. Raises Undecided if the words fit and the folder is not known.
    """
    include, exclude, folder = pattern
    if any("\0" in word for word in command.argv):
        readings = (command.argv,) if evidence else (command.argv, *_readings(command.argv))
        if not any(may_match(tokens, words) for tokens in include for words in readings) and (
            evidence or not any(may_match(tokens, words) for tokens, words in _scripts(include, command))
        ):
            return False
        if not evidence and _matches_surely(include, exclude, command):
            return folder is None or filesystem.matches(folder, command.cwd)
        raise Undecided(f"not every word of `{command.text[:80]}` is known")
    argv = stripped_argv(command)
    if not any(_tokens_match(tokens, argv, command, filesystem) for tokens in include):
        if evidence:
            return False
        if not _matches_otherwise(include, command, argv, filesystem):
            if _called_so(include, command):
                raise Undecided(f"whether `{command.argv[0][:80]}` is the program of that name is not known")
            return False
    elif any(_tokens_match(tokens, argv, command, filesystem) for tokens in exclude):
        return False
    if folder is not None:
        return filesystem.matches(folder, command.cwd)
    return not evidence or filesystem.relative(command.cwd) == ""


def _matches_surely(include: tuple[Tokens, ...], exclude: tuple[Tokens, ...], command: SimpleCommand) -> bool:
    """Return whether a pattern describes the command whatever the words are that are not known: `...` takes any."""
    argv = command.argv
    if not is_known(argv[0]) or "/" in argv[0] or any(decides(item.partition("=")[0]) for item in command.env):
        return False
    if any(may_match(tokens, words) for tokens in exclude for words in (argv, *_readings(argv))):
        return False
    return any(_takes_any(tokens, argv) for tokens in include)


def _takes_any(tokens: Tokens, argv: tuple[str, ...]) -> bool:
    states = _skip_empty({0}, tokens)
    for word in argv:
        known, following = is_known(word), set[int]()
        for state in states:
            token = tokens[state] if state < len(tokens) else ""
            if token == "..." or (token == "-*" and known and word[:1] == "-"):
                following.add(state)
            elif token in ("", "-*"):
                continue
            elif word_matches(token, word) if known else token == "*" and not (MANY in word or GLOB in word):
                following.add(state + 1)
        states = _skip_empty(following, tokens)
    return len(tokens) in states


def _readings(argv: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The words without the options before the verb; from each word on, where the verb is not known."""
    try:
        return without_options_before_verb(argv)
    except Undecided:
        return tuple((argv[0], *argv[place:]) for place in range(1, len(argv)))


def _matches_otherwise(
    include: tuple[tuple[str, ...], ...], command: SimpleCommand, argv: tuple[str, ...], filesystem: FileSystem
) -> bool:
    """Return whether a guard's pattern describes the command without the options before its verb.

    Raises:
        Undecided: it would without an assignment that may choose another program, or the verb is not known.
    """
    plain = command.argv
    if any(_starts_script(tokens, words, command, filesystem) for tokens, words in _scripts(include, command)):
        return True
    try:
        readings = without_options_before_verb(plain)
    except Undecided:
        suffixes = [(plain[0], *plain[place:]) for place in range(2, len(plain))]
        if any(_tokens_match(tokens, words, command, filesystem) for tokens in include for words in suffixes):
            raise
        readings = ()
    matches = any(_tokens_match(tokens, words, command, filesystem) for tokens in include for words in readings)
    if matches and configures_program(plain):
        raise Undecided(f"what `{command.text[:80]}` does depends on what it configures before its verb")
    if argv == plain:
        return matches
    if matches or any(_tokens_match(tokens, plain, command, filesystem) for tokens in include):
        raise Undecided(f"what `{command.text[:80]}` starts depends on `{argv[0].partition('=')[0][:80]}`")
    return False


def stripped_argv(command: SimpleCommand) -> tuple[str, ...]:
    """The argv, after those assignments that may decide which program runs; the harmless ones are left out.

    Raises Undecided if a word is not known.
    """
    if not all(map(is_known, command.argv)):
        raise Undecided(f"not every word of `{command.text[:80]}` is known")
    deciding = tuple(item for item in command.env if decides(item.partition("=")[0]))
    return deciding + command.argv


def decides(variable: str) -> bool:
    """Return whether an environment variable can change what runs under a program's name."""
    return variable in _DECIDING or variable.startswith(_DECIDING_STARTS) or variable.endswith(_DECIDING_ENDS)


def _tokens_match(tokens: Tokens, argv: tuple[str, ...], command: SimpleCommand, filesystem: FileSystem) -> bool:
    if argv_matches(tokens, argv):
        return not _folder_hidden(tokens[0], argv[0])
    program = argv[0]
    if "/" in tokens[0]:
        return "/" in program and _starts_script(tokens, argv, command, filesystem)
    name = program.rpartition("/")[2]
    if "/" not in program or not argv_matches(tokens, (name, *argv[1:])):
        return False
    return _same_program(program, name, filesystem)


def _scripts(include: tuple[Tokens, ...], command: SimpleCommand) -> Iterator[tuple[Tokens, tuple[str, ...]]]:
    """Yield each pattern of a script with the words, each of which may be the script that an interpreter is given."""
    scripts = [tokens for tokens in include if "/" in tokens[0]]
    if not scripts or not _READERS.intersection((command.name, command.model.name if command.model else "")):
        return
    for place, word in enumerate(command.argv[1:], 1):
        yield from ((tokens, command.argv[place:]) for tokens in scripts)
        if not is_known(word):
            continue
        short = word[:1] == "-" != word[1:2]
        code = "c" if command.name in SHELLS else "cemp"  # `-c CODE`, `-m MODULE`: behind it stands no script
        if (short and not set(code).isdisjoint(word)) or (word[:1] != "-" and ("/" in word or "." in word)):
            break


def _starts_script(tokens: Tokens, argv: tuple[str, ...], command: SimpleCommand, filesystem: FileSystem) -> bool:
    """Return whether words begin with the file of the workspace that a pattern begins with, however they write it."""
    script = tokens[0].removeprefix("./")
    if not word_matches(script.rpartition("/")[2], argv[0].rpartition("/")[2]):
        return False
    if not argv_matches(tokens, (tokens[0], *argv[1:])):
        return False
    place = filesystem.relative(filesystem.resolve(argv[0], command.cwd.real if command.cwd.known else None))
    return place is not None and word_matches(script, place)


def _called_so(include: tuple[Tokens, ...], command: SimpleCommand) -> bool:
    """Return whether a program word with a folder ends in the name that a pattern writes, with words that fit."""
    if "/" not in command.argv[0]:
        return False
    named = (command.name, *command.argv[1:])
    return any(argv_matches(tokens, words) for tokens in include for words in (named, *_readings(named)))


def _folder_hidden(token: str, program: str) -> bool:
    """Return whether a star stands for folders that the pattern did not write: `py*` never means `py/../evil`."""
    return "/" in program and "/" not in token and token != "..." and token != "*"


def _same_program(program: str, name: str, filesystem: FileSystem) -> bool:
    """Return whether a program word with a folder starts what its bare name starts."""
    if program[0] != "/":
        return False  # a path of the workspace is not what the search path finds
    known = filesystem.program(name)
    if known is None:
        return False
    try:
        return filesystem.resolve(program, None).real == known
    except Undecided:
        return False
