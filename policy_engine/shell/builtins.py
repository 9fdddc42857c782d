"""Interpret a builtin of the shell: the commands that it runs, and what it changes for the rest of the line.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.limits import COMMAND_BYTES
from policy_engine.model.partial import GLOB, MANY, ONE, is_known, is_one_field, spelled
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import find_program
from policy_engine.shell.folders import UNKNOWN_FOLDER, change_folder, push_folder
from policy_engine.shell.jumps import ends, jumps
from policy_engine.shell.names import RESERVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.shell.state import State
    from policy_engine.shell.walk import Walker
    from policy_engine.shell.walk_command import Simple


DIALECTS = {"bash": "bash", "sh": "sh", "dash": "sh", "ksh": "sh", "mksh": "sh", "ash": "sh", "zsh": "zsh"}
_SPECIAL = frozenset("'\"\\`$;&|<>(){}[]!#*?~\n")  # what makes a text more than words between blanks
_SAME_SHELL = ("eval", "trap", "alias", "source", ".", "command", "builtin", "exec")
_MOVING = ("cd", "pushd", "popd", "builtin", "command", "eval", "source", ".", "exec")
_WRITING_NOTHING = frozenset(
    "cd ls test [ true : echo printf cat grep rg head tail wc pwd set export unset source . git npm node which".split()
)
STANDARD_INPUT = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


def anything(state: State) -> None:
    """After a command that nobody knows nothing of the shell's state is known."""
    state.lose_cwd(UNKNOWN_FOLDER)
    state.altered = "an earlier command may be anything"
    state.variables = dict.fromkeys(state.variables, ONE)
    state.defaults, state.choices = {}, {}
    state.positional = None


def inner_script(walker: Walker, simple: Simple, code: str, name: str, state: State, zero: bool = True) -> None:
    """Walk code that a command runs; code that is not known is one command, unless numbers are all that is not."""
    code = spelled(code)
    context = simple.context.within(via=(*simple.context.via, name), nonzero=False)
    if not zero:
        context = context.unproven()
    if not is_known(code):
        from policy_engine.shell.walk_command import Simple as Made

        walker.emit_simple(Made((MANY,), (), (), simple.text, context.unproven(), state))
        anything(state)
        return
    if not code.strip():
        return
    outer = walker.dialect
    walker.dialect = outer if name in _SAME_SHELL else DIALECTS.get(name, "bash")
    try:
        walker.walk_code(code, context, state)
    finally:
        walker.dialect = outer


# ---- variables -------------------------------------------------------------------------------------------------------


def _declare(walker: Walker, simple: Simple) -> None:
    walker.emit_simple(simple)
    state, words = simple.state, simple.argv[1:]
    options = "".join(word for word in words if word[:1] in "-+")
    exports = simple.argv[0] == "export" or "x" in options
    if any(word.startswith("PS") for word in words):
        from policy_engine.shell.environment import prompted

        prompted(walker, simple, words)
    if set("nulc") & set(options) and simple.argv[0] != "export":
        _tie(state, words, "n" in options)
        return
    if simple.context.in_function and simple.argv[0] in ("local", "declare", "typeset"):
        walker.locals |= {word.partition("=")[0].removesuffix("+") for word in words}
    for word in words:
        name, equals, value = word.partition("=")
        if not is_known(name):
            anything(state)
        elif word[:1] in "-+":
            continue
        elif equals:
            odd = any(letter in options for letter in "inluAa")
            odd = odd or (simple.argv[0] == "local" and not simple.context.in_function)  # it says so, and does nothing
            state.assign(name.removesuffix("+"), ONE if odd or name.endswith("+") else value)
        if exports and name.isidentifier():
            state.exported |= {name}


def _completes(walker: Walker, simple: Simple) -> None:
    """`compgen`, `complete`: the words of `-W` are expanded, `-C` and `-F` name what is run."""
    walker.emit_simple(simple)
    for option, value in zip(simple.argv[1:], (*simple.argv[2:], ""), strict=False):
        value = value if option in ("-W", "-C", "-F") else option[2:]
        if option[:2] in ("-W", "-C", "-F") and is_known(value):
            code = f": {value}" if option[:2] == "-W" else value
            inner_script(walker, simple, code, simple.argv[0], simple.state.copy(), False)


def _tie(state: State, words: tuple[str, ...], names: bool) -> None:
    """`declare -n a=b` makes `a` another name of `b`; `-u`, `-l`, `-c` change what a variable is given."""
    for word in words:
        name, _, target = word.partition("=")
        if word[:1] in "-+":
            continue
        if not name.isidentifier() or (names and not target.isidentifier()):
            raise Undecided("which variable another one names is not known")
        state.tie(frozenset((name, target) if names else (name,)))


def _unset(walker: Walker, simple: Simple) -> None:
    walker.emit_simple(simple)
    for word in simple.argv[1:]:
        if not is_known(word):
            anything(simple.state)
        elif word == "-f":
            simple.state.altered = "a function is unset"
            simple.state.functions.clear()
        elif word[:1] != "-":
            simple.state.assign(word, None)


def _reads(walker: Walker, simple: Simple) -> None:
    """`read`, `mapfile`, `getopts`, `printf -v`, `let`: variables get values that are not known."""
    walker.emit_simple(simple)
    if simple.argv[0] == "printf" and simple.argv[1:2] != ("-v",):
        return
    line = _line_read(simple)
    for word in simple.argv[1:]:
        name = word.partition("=")[0].rstrip("+-*/%&|^<>")
        if not is_known(word) or "[" in word:
            anything(simple.state)
        elif name.isidentifier():
            simple.state.assign(name, line)
    words = simple.argv[1:]
    if simple.argv[0] == "printf" and len(words) > 2 and words[1].isidentifier():
        from policy_engine.shell.printing import formatted

        simple.state.assign(words[1], formatted(words[2:]) if all(map(is_known, words[2:])) else ONE)
    if simple.argv[0] in ("mapfile", "readarray") and words[-1:] and words[-1].isidentifier():
        feed = simple.context.feed
        plain = feed is not None and is_known(feed.replace(GLOB, "")) and _divides_lines(simple, words[:-1])
        simple.state.assign_array(words[-1], tuple(feed.splitlines()) if plain and feed is not None else None)
    for place, word in enumerate(words[:-1] if simple.argv[0] in ("mapfile", "readarray") else ()):
        if word == "-C":
            inner_script(walker, simple, words[place + 1], simple.argv[0], simple.state.copy(), False)
    for name in ("REPLY", "MAPFILE", "OPTARG", "OPTIND"):
        simple.state.assign(name, ONE)


def _divides_lines(simple: Simple, options: tuple[str, ...]) -> bool:
    """Return whether each name that is read is an element: on lines, or with `-d ''` as programs end them by NUL."""
    ends = any(mark in simple.context.sources[-1] for mark in ("-print0", " -z")) if simple.context.sources else False
    return [one for one in options if one != "-t"] in ([], *([["-d", ""]] if ends else []))


def _line_read(simple: Simple) -> str:
    """Return what `read NAME` gives its variable: a line of the input, or any name in the folder that all lines
    name.
    """
    feed, words = simple.context.feed, [word for word in simple.argv[1:] if word not in ("-r", "--")]
    if simple.argv[0] != "read" or len(words) != 1 or feed is None or not is_one_field(feed.replace(GLOB, "")):
        return ONE
    lines = [line.strip() for line in feed.split("\n") if line.strip()]
    if len(lines) < 2:
        return ONE if "\\" in feed else "".join(lines)
    folders = {line.rpartition("/")[0] for line in lines}
    common = folders.pop()
    while common and not all(folder == common or folder.startswith(common + "/") for folder in folders):
        common = common.rpartition("/")[0]
    return f"{common}/{GLOB}**" if common and GLOB not in common and ".." not in common else ONE


def _shift(walker: Walker, simple: Simple) -> None:
    walker.emit_simple(simple)
    known, words = simple.state.positional, simple.argv[1:]
    count = words[0] if words else "1"
    if known is None or len(words) > 1 or not count.isdecimal():
        simple.state.positional = None
    elif int(count) < len(known):  # else it fails, and nothing moves
        simple.state.positional = known[:1] + known[1 + int(count) :]


# ---- the shell itself ------------------------------------------------------------------------------------------------


def _set(walker: Walker, simple: Simple) -> None:
    walker.emit_simple(simple)
    state, words = simple.state, list(simple.argv[1:])
    while words:
        word = words.pop(0)
        if word == "--" or word[:1] not in ("-", "+") or not is_known(word):
            rest = words if word == "--" else [word, *words]
            zero = "" if state.positional is None else state.positional[0]
            state.positional = (zero, *rest) if all(map(is_known, rest)) else None
            return
        on = word[0] == "-"
        if word[1:].endswith("o") and words:
            name = words.pop(0)
            if name == "pipefail":
                state.pipefail = on
            elif name == "errexit":
                state.errexit = on
            elif name == "physical":
                state.physical = on
            elif name not in ("nounset", "xtrace", "verbose"):
                state.altered = f"`set -o {name}` changes the shell"
        if "e" in word:
            state.errexit = on
        if "P" in word:
            state.physical = on
        if word[1:].strip("euxvoEBP"):
            state.altered = f"`set {word}` changes the shell"
        if word[1:].strip("abefhkmnoptuvxBCEHPT"):
            state.positional = None
            return  # no such option


def _alters(walker: Walker, simple: Simple) -> None:
    """`shopt`, `hash`, `enable`, `bind` …: what later words mean may change."""
    walker.emit_simple(simple)
    if any(word in ("lastpipe", "cdable_vars", "dotglob") or not is_known(word) for word in simple.argv[1:]):
        raise Undecided(f"`{simple.text[:80]}` changes how the line is read")
    simple.state.altered = f"`{simple.argv[0]}` changes the shell"


def _alias(walker: Walker, simple: Simple) -> None:
    """The value is code that a later word may run: the words of one command, or more than is followed."""
    walker.emit_simple(simple)
    state = simple.state
    for word in simple.argv[1:]:
        name, equals, value = word.partition("=")
        if not is_known(name):
            state.aliases = {**state.aliases, "*": ()}
        elif equals:
            plain = is_known(value) and value[-1:] != " " and not _SPECIAL & set(value) and "=" not in value.split()[:1]
            words = tuple(value.split()) if plain and value.split(" ")[0] not in RESERVED else ()
            state.aliases = {**state.aliases, name: words}
            if words:
                walker.aliases[name] = simple.but(words, simple.context.unproven())
            else:
                inner_script(walker, simple, value, "alias", state.copy(), False)


def expand_alias(walker: Walker, simple: Simple) -> None:
    """A command by an alias: the words that it stands for, or the program of that name where none are expanded."""
    name, state = simple.argv[0], simple.state
    words = () if "*" in state.aliases else state.aliases[name]
    meant = simple.but(words or (ONE,), simple.context.unproven())
    meant.argv, meant.redirects = (*meant.argv, *simple.argv[1:]), simple.redirects
    if not words:
        walker.emit_simple(meant)
        return
    walker.aliases.pop(name, None)
    outer, state.aliases = state.aliases, {other: text for other, text in state.aliases.items() if other != name}
    missed = state.copy()
    if find_program(name) is not None or name in state.functions:
        simple.context = simple.context.unproven()
        walker.run(simple)
    walker.run(meant)
    state.merge(missed)
    state.aliases = outer


def _trap(walker: Walker, simple: Simple) -> None:
    walker.emit_simple(simple)
    words = [word for word in simple.argv[1:] if word != "--"]
    if not words or words[0] in ("-l", "-p"):
        return
    walker.poisoned = True
    if any(word.upper().removeprefix("SIG") in ("DEBUG", "ERR", "RETURN") or not is_known(word) for word in words[1:]):
        anything(simple.state)
    if len(words) > 1 and words[0] not in ("-", ""):
        walker.traps.append((simple.but(simple.argv, simple.context), words[0], walker.moves))


def trapped(walker: Walker, simple: Simple, code: str, moves: int, last: State) -> None:
    """Walk what a trap runs when the shell ends: the line comes there from anywhere behind the `trap`."""
    state = simple.state.copy()
    state.positional = last.positional if state.positional == last.positional else None
    for name in {*state.variables, *last.variables}:
        same = state.variables.get(name, ONE) == last.variables.get(name, ONE)
        if not same or state.choices.get(name) != last.choices.get(name):
            state.lose(name)
    if walker.moves != moves:
        state.lose_cwd(UNKNOWN_FOLDER)
    inner_script(walker, simple, code, "trap", state, False)


def _eval(walker: Walker, simple: Simple) -> None:
    walker.emit_simple(simple)
    words = simple.argv[1:]
    for item in simple.env:
        simple.state.assign(item.partition("=")[0], item.partition("=")[2])
    inner_script(walker, simple, " ".join(words[1:] if words[:1] == ("--",) else words), "eval", simple.state)
    for item in simple.env:
        simple.state.assign(item.partition("=")[0], ONE)


def _source(walker: Walker, simple: Simple) -> None:
    """`source FILE`: the file's commands are not known, nor what they change, unless the line itself says them."""
    walker.emit_simple(simple)
    state, words = simple.state, [word for word in simple.argv[1:] if word != "--"]
    code = None
    if words[:1] and words[0] in STANDARD_INPUT:
        code = simple.context.feed
    elif words[:1] and words[0].startswith(f"/dev/fd/{ONE}"):
        code = simple.handed[0] if len(simple.handed) == 1 else MANY
    elif words[:1] and not is_known(words[0]) and simple.context.feed is not None:
        code = MANY  # it may be the standard input
    if code is None:
        from policy_engine.shell.sourced import keep_known, text_of

        before, known = (state.cwd, state.logical), state.copy()
        text = text_of(walker, words[0], state) if words else None
        anything(state)
        if text is not None:
            keep_known(walker, text, known, state)
        if before[0] is not None and _stays(walker, words[0] if words else "", before[0]):
            state.enter(*before)
        return
    outer = state.positional
    if len(words) > 1:
        state.positional = (ONE if outer is None else outer[0], *words[1:])
    inner_script(walker, simple, code, simple.argv[0], state, False)
    state.positional = outer if len(words) > 1 else state.positional


def _stays(walker: Walker, name: str, cwd: PathValue) -> bool:
    """Return whether a file that is sourced leaves the folder as it is: it sets up an environment, or holds
    assignments only.

    Its text is read as it is on the disk; a line that may have written it before is not asked.
    """
    made = [
        one for one in walker.commands if one.name.startswith(("python", "uv", "virtualenv")) and "venv" in one.text
    ]
    if not is_known(name) or any(one.redirects or one.name not in _WRITING_NOTHING for one in walker.commands
                                 if one not in made and one is not walker.commands[-1]):  # fmt: skip
        return False
    try:
        file = walker.filesystem.resolve(name, cwd.real)
        text = walker.filesystem.script(file, COMMAND_BYTES)
    except Undecided:
        return False
    lines = [line.strip().removeprefix("export ") for line in (text or "").split("\n")]
    plain = [line for line in lines if line and line[:1] != "#"]
    if name.endswith("bin/activate"):
        gone = text is None and not walker.filesystem.present(file)  # what is not there changes nothing
        return (text is not None or bool(made) or gone) and not any(line.startswith(_MOVING) for line in plain)
    if name.endswith(("/nvm.sh", "/.cargo/env", "/conda.sh")):
        home = walker.filesystem.home
        return home is not None and file.real.startswith((f"{home}/", "/opt/", "/usr/"))
    return text is not None and all(
        line.partition("=")[0].isidentifier() and not {"`", "$", ";", "&", "|"} & set(line) for line in plain
    )


def _exec(walker: Walker, simple: Simple) -> None:
    words = list(simple.argv[1:])
    walker.emit_simple(simple)
    if not words and simple.context.streams:
        simple.state.streams = simple.context.streams
    while words and words[0][:1] == "-":
        option = words.pop(0)
        if option == "--":
            break
        if option == "-a" and words:
            words.pop(0)
    if words:
        context = simple.context.within(via=(*simple.context.via, "exec"), nonzero=False)
        walker.run(simple.but(tuple(words), context))
        walker.exits += 1
        simple.state.gone = simple.state.ended = True


def _command(walker: Walker, simple: Simple) -> None:
    """`command WORD…`, `builtin WORD…`: functions and aliases are passed over."""
    walker.emit_simple(simple)
    words = list(simple.argv[1:])
    while words and words[0] in ("-p", "--"):
        words.pop(0)
    if not words or words[0][:1] == "-":
        return
    context = simple.context.within(via=(*simple.context.via, simple.argv[0]), nonzero=False)
    inner = simple.but(tuple(words), context)
    kept, simple.state.functions = simple.state.functions, {}
    walker.run(inner)
    simple.state.functions = {**kept, **simple.state.functions}


_NO_PROGRAMS = ("{", "(", "[[", "if", "while", "for", "until", "case", "select", "!", "function", "time", "coproc")


def _prefix(walker: Walker, simple: Simple) -> None:
    """`time WORD…`, `coproc WORD…`: keywords that the grammar takes for programs."""
    walker.emit_simple(simple)
    words = list(simple.argv[1:])
    while words and words[0] in ("-p", "--"):
        words.pop(0)
    if words and words[0][:1] == "-" and simple.argv[0] == "time":
        raise Undecided("`time` with options is not understood")
    while words and "=" in words[0] and words[0].partition("=")[0].isidentifier():
        simple.env += (words.pop(0),)
    negated = False
    while words[:1] == ["!"] and simple.argv[0] == "time":
        negated = True
        words.pop(0)
    if not words:
        raise Undecided(f"`{simple.argv[0]}` without a command is not understood")
    compound = simple.argv[0] == "coproc" and words[1:2] and (words[1] in RESERVED or words[1] in "!{}")
    if words[0] in _NO_PROGRAMS or compound:
        raise Undecided(f"`{simple.argv[0]} {words[0]}` is not understood")
    context = simple.context.within(via=(*simple.context.via, simple.argv[0]), nonzero=False)
    if simple.argv[0] == "coproc":
        context = context.unproven().but(background=True)
    walker.run(simple.but(tuple(words), context.unproven() if negated else context))


BUILTINS: dict[str, Callable[[Walker, Simple], None]] = {
    "cd": change_folder, "pushd": push_folder, "popd": push_folder,
    "compgen": _completes, "complete": _completes,
    "export": _declare, "declare": _declare, "typeset": _declare, "local": _declare, "readonly": _declare,
    "unset": _unset, "read": _reads, "mapfile": _reads, "readarray": _reads, "getopts": _reads, "printf": _reads,
    "let": _reads, "shift": _shift, "set": _set, "shopt": _alters, "hash": _alters, "enable": _alters, "bind": _alters,
    "umask": _alters, "ulimit": _alters, "alias": _alias, "unalias": _alters, "trap": _trap, "exit": ends,
    "return": jumps, "logout": ends, "break": jumps, "continue": jumps, "eval": _eval, "source": _source,
    ".": _source, "exec": _exec, "command": _command, "builtin": _command, "time": _prefix, "coproc": _prefix,
}  # fmt: skip
