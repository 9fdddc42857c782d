"""Walk the text that programs hand to a shell: `bash -c`, `su -c`, `ssh`, `watch`, `docker exec`.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import stream_of
from policy_engine.model.partial import MANY, ONE, is_known, may_be_option
from policy_engine.programs._rows import CARRIES
from policy_engine.programs.base import find_program
from policy_engine.shell.builtins import STANDARD_INPUT, inner_script
from policy_engine.shell.state import State
from policy_engine.shell.wrappers import REMOTE, REMOTE_VALUES, SSH_VALUES
from policy_engine.shell.wrapping_words import options_of, start_inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.walk import Walker
    from policy_engine.shell.walk_command import Simple

_CODE = " \t\n;|&$`<>(){}"
_SHELL_LONG = ("rcfile", "init-file")


def shell(walker: Walker, simple: Simple) -> None:
    """`bash -c CODE NAME WORD…`, a script's name, or code on standard input."""
    name = simple.argv[0].rpartition("/")[2]
    words = list(simple.argv[1:])
    code: str | None = None
    wants, reads, runs, asks = False, False, True, False
    starts = [_variable(simple, "BASH_ENV")]
    while words and words[0][:1] in ("-", "+") and words[0] not in ("-", "--"):
        word = words.pop(0)
        if may_be_option(word) or not is_known(word):
            return start_inner(walker, simple, (MANY,), name, False)
        if word[:2] == "--":
            option, equals, value = word.partition("=")
            if option[2:] in _SHELL_LONG and (equals or words):
                starts.append(value if equals else words.pop(0))
            asks = asks or word == "--interactive"
            runs = runs and word not in ("--version", "--help")
            continue
        wants, reads, asks = wants or "c" in word, reads or "s" in word, asks or "i" in word
        runs = runs and not (word[0] == "-" and "n" in word[1:])
        words = words[word[1:].count("o") + word[1:].count("O") :]
    if words[:1] in (["-"], ["--"]):
        words.pop(0)
    if not runs:
        return None
    for file in [*starts, _variable(simple, "ENV") if asks else ""]:
        _start_file(walker, simple, file, name)
    if wants:
        code = words[0] if words else ""
        if words and may_be_option(words[0]) and not is_known(words[0]):
            code = MANY
        return _inner(walker, simple, code, name, _child(simple, (words[1:] or [name])))
    if words and not reads:
        return script_file(walker, simple, words, name)
    return shell_input(walker, simple, name, words)


def _variable(simple: Simple, name: str) -> str:
    """Return what a variable of the environment of a command is, "" if nothing is known of one."""
    values = [value for item, _, value in (one.partition("=") for one in simple.env) if item == name]
    held = simple.state.variables.get(name) if name in simple.state.exported else None
    return values[-1] if values else held or ""


def _start_file(walker: Walker, simple: Simple, file: str, name: str) -> None:
    """Walk what a shell runs at its start, where it is a stream of the line; files are read when it is judged."""
    stream = {**simple.state.streams, **simple.context.streams}.get(stream_of(file))
    if stream is not None:
        inner_script(walker, simple, stream.feed, name, _child(simple, [name]), False)
    elif file in STANDARD_INPUT and simple.context.feed is not None:
        inner_script(walker, simple, simple.context.feed, name, _child(simple, [name]), False)
    elif file.startswith(f"/dev/fd/{ONE}"):
        code = simple.handed[0] if len(simple.handed) == 1 else MANY
        inner_script(walker, simple, code, name, _child(simple, [name]), False)


def script_file(walker: Walker, simple: Simple, words: list[str], name: str) -> None:
    """A shell that reads its code from a file: followed where the line itself says what is in it."""
    if words[0] in STANDARD_INPUT:
        shell_input(walker, simple, name, words[1:])
    elif words[0].startswith(f"/dev/fd/{ONE}"):
        code = simple.handed[0] if len(simple.handed) == 1 else MANY
        _inner(walker, simple, code, name, _child(simple, words), False)
    elif may_be_option(words[0]) and len(words) > 1 and any(mark in words[1] for mark in _CODE):
        start_inner(walker, simple, (MANY,), name, False)  # it may be `-c`
    elif not is_known(words[0]) and simple.context.feed is not None:
        inner_script(walker, simple, MANY, name, _child(simple, words), False)  # it may be the standard input


def shell_input(walker: Walker, simple: Simple, name: str, words: list[str] | None = None) -> None:
    """A shell that reads its code from standard input."""
    feed = simple.context.feed
    if feed is None and not simple.context.piped_from:
        return
    _inner(walker, simple, MANY if feed is None else feed, name, _child(simple, [name, *(words or [])]), False)


def _inner(walker: Walker, simple: Simple, code: str, name: str, state: State, zero: bool = True) -> None:
    """Code for a shell of this name. Raises Undecided where another shell may read it otherwise than bash."""
    inner_script(walker, simple, code, name, state, zero)


def _child(simple: Simple, positional: list[str]) -> State:
    """The state of a new shell: it knows the environment only."""
    state = simple.state.copy()
    known = {
        name: value for name, value in state.variables.items() if name in state.exported or name in ("PWD", "OLDPWD")
    }
    for name in state.variables:
        if name not in known and name not in ("PWD", "OLDPWD"):
            known[name] = ONE  # set in this shell, perhaps exported before
    own = {item.partition("=")[0] for item in simple.env}
    for item in simple.env:
        name, _, value = item.partition("=")
        known[name] = value
        state.exported |= {name}
    known.pop("IFS", None)
    state.variables = known
    state.defaults = {name: one for name, one in state.defaults.items() if name in state.exported}
    state.choices = {name: one for name, one in state.choices.items() if name in state.exported and name not in own}
    state.functions, state.aliases, state.pipefail, state.errexit = {}, {}, False, False
    state.ended = state.gone = state.physical = False
    state.positional = tuple(positional) if all(MANY not in word for word in positional) else None
    return state


def su(walker: Walker, simple: Simple) -> None:
    """`su USER -c CODE`, `runuser -u USER WORD…`."""
    words = list(simple.argv[1:])
    name = simple.argv[0].rpartition("/")[2]
    if name == "runuser" and any(word in ("-u", "--user") for word in words):
        options = options_of(words, "u", ("user",))
        return start_inner(walker, simple, (MANY,) if options is None else tuple(options.rest), name, True)
    for place, word in enumerate(words):
        code = None
        if word in ("-c", "--command", "--session-command") or (
            word[:1] == "-" and word[:2] != "--" and word[-1:] == "c"
        ):
            code = words[place + 1] if place + 1 < len(words) else ""
        elif word.startswith(("--command=", "--session-command=")):
            code = word.partition("=")[2]
        elif word[:2] == "-c":
            code = word[2:]
        if code is not None:
            state = _child(simple, [name])
            state.variables.pop("HOME", None)
            state.variables["HOME"] = ONE
            return inner_script(walker, simple, code, name, state)
    return shell_input(walker, simple, name)


def flock(walker: Walker, simple: Simple) -> None:
    """`flock FILE WORD…`, `flock FILE -c CODE`."""
    options = options_of(list(simple.argv[1:]), "EwW", ("timeout", "wait", "conflict-exit-code"))
    if options is None:
        return start_inner(walker, simple, (MANY,), "flock", False)
    rest = options.rest[1:]
    if rest[:1] in (["-c"], ["--command"]):
        return inner_script(walker, simple, rest[1] if len(rest) > 1 else "", "flock", _child(simple, ["sh"]))
    return start_inner(walker, simple, tuple(rest), "flock", True)


def script(walker: Walker, simple: Simple) -> None:
    """`script -c CODE FILE`."""
    options = options_of(list(simple.argv[1:]), "cIOBTtEom", ("command", "log-in", "log-out", "log-io", "log-timing"))
    if options is None:
        return start_inner(walker, simple, (MANY,), "script", False)
    for option, value in options.pairs:
        if option in ("-c", "--command"):
            returns = options.has("-e", "--return")
            inner_script(walker, simple, value, "script", _child(simple, ["sh"]), returns)
    return None


def watch(walker: Walker, simple: Simple) -> None:
    """`watch WORD…`: the words are joined into a shell line."""
    options = options_of(list(simple.argv[1:]), "nqs", ("interval", "equexit", "shotsdir"))
    if options is None:
        return start_inner(walker, simple, (MANY,), "watch", False)
    if options.has("-x", "--exec"):
        return start_inner(walker, simple, tuple(options.rest), "watch", False)
    return inner_script(walker, simple, _joined(options.rest), "watch", _child(simple, ["sh"]), False)


def _joined(words: list[str]) -> str:
    return " ".join(words) if all(map(is_known, words)) else MANY


def ssh(walker: Walker, simple: Simple) -> None:
    """`ssh HOST WORD…`: the words are a shell line on another machine."""
    options = options_of(list(simple.argv[1:]), SSH_VALUES, ())
    if options is None:
        return start_inner(walker, simple, (MANY,), "ssh", False, moved=True)
    for option, value in options.pairs:
        key, _, command = value.partition("=") if "=" in value else value.partition(" ")
        if option == "-o" and key.strip().lower() in ("proxycommand", "localcommand", "knownhostscommand"):
            inner_script(walker, simple, command, "ssh", _child(simple, ["sh"]), False)
    state = _child(simple, ["sh"])
    state.variables, state.choices = {"HOME": ONE, "PWD": ONE, "TMPDIR": ONE}, {}
    state.lose_cwd("`ssh` starts it on another machine")
    words = options.rest[1:]
    if words[:1] and words[0][:1] == "-":
        again = options_of(words, SSH_VALUES, ())
        words = again.rest if again is not None else [MANY]
    if words:
        return inner_script(walker, simple, _joined(words), "ssh", state, False)
    if simple.context.feed is not None:
        return inner_script(walker, simple, simple.context.feed, "ssh", state, False)
    return None


def terminal(walker: Walker, simple: Simple) -> None:
    """`tmux new-session 'CODE'`, `screen -d -m WORD…`: the words that are no options may be code."""
    rest = [word for word in simple.argv[1:] if word[:1] != "-"]
    starts = ("new", "new-session", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawn-window",
              "run", "run-shell", "if-shell", "send-keys", "send", "pipe-pane", "popup", "display-popup")  # fmt: skip
    if simple.argv[0].rpartition("/")[2] == "screen":
        options = options_of(list(simple.argv[1:]), "cehpsSTtX", ())
        return start_inner(walker, simple, (MANY,) if options is None else tuple(options.rest), "screen", False)
    if rest and not is_known(rest[0]):
        return start_inner(walker, simple, (MANY,), "tmux", False)
    if any(word[-1:] == ";" for word in rest):
        for command in _commands_of_tmux(simple.argv[1:]):
            start_inner(walker, simple, ("tmux", *command), "tmux", False)
        return None
    if not rest or rest[0] not in starts:
        return None
    targets = [value for option, value in zip(simple.argv, simple.argv[1:], strict=False) if option == "-t"]
    for word in rest[1:]:
        if word in targets:
            continue  # a session, a window or a pane
        if any(char in word for char in _CODE) or not is_known(word):
            inner_script(walker, simple, word, "tmux", _child(simple, ["sh"]), False)
    options = options_of(list(simple.argv[simple.argv.index(rest[0]) + 1 :]), "cstnFexyltw", ())
    words = [] if options is None else options.rest
    if options is not None and (len(words) > 1 or (words and not any(char in words[0] for char in _CODE))):
        start_inner(walker, simple, tuple(options.rest), "tmux", False)
    return None


def _commands_of_tmux(words: tuple[str, ...]) -> list[list[str]]:
    """Return the commands of a call of tmux, which words end that are `;` or end with it."""
    commands = [list[str]()]
    for word in words:
        text = word if word[-2:] == "\\;" else word.removesuffix(";")
        commands[-1] += [text] if text else []
        if text != word:
            commands.append([])
    return [command for command in commands if command]


def later(walker: Walker, simple: Simple) -> None:
    """`at TIME`, `batch`: code on standard input, or a file with `-f`."""
    if simple.context.feed is not None or simple.context.piped_from:
        code = simple.context.feed
        name = simple.argv[0].rpartition("/")[2]
        inner_script(walker, simple, MANY if code is None else code, name, _child(simple, ["sh"]), False)


def scheduled(walker: Walker, simple: Simple) -> None:
    """`crontab -`: five fields and a shell line, one below the other."""
    if simple.context.feed is None or simple.argv[1:] not in ((), ("-",)):
        return
    feed = simple.context.feed
    for line in feed.split("\n") if is_known(feed) else [MANY]:
        fields = line.split(None, 1 if line[:1] == "@" else 5)
        if line[:1] == "#" or "=" in (fields or [""])[0]:
            continue
        if fields:
            inner_script(walker, simple, fields[-1], "crontab", _child(simple, ["sh"]), False)


def _elsewhere(walker: Walker, simple: Simple, words: list[str], via: str) -> None:
    """`vagrant ssh -c LINE`."""
    options = options_of(words, "cp", ("command", "plain"))
    lines = [MANY] if options is None else [value for option, value in options.pairs if option in ("-c", "--command")]
    for line in lines:
        _on_other_machine(walker, simple, line, via)


def carried(walker: Walker, simple: Simple) -> None:
    """`fly ssh console -C LINE`, `heroku run WORD…`: what a client starts on a machine of others, as its row says."""
    name = simple.argv[0].rpartition("/")[2]
    for form in CARRIES[name].split(";"):
        verbs, lines, count, valued = (part.split() for part in form.split("|"))
        operands, words = list[str](), list[str]()
        waiting = list(reversed(simple.argv[1:]))
        begun = not verbs
        most = int(count[0]) if count and begun else -1  # operands before the words, once the verb is there
        while waiting and not words:
            word = waiting.pop()
            option, equals, value = word.partition("=")
            if begun and option in lines and (equals or waiting):
                _on_other_machine(walker, simple, value if equals else waiting.pop(), f"{name} {operands[0]}")
            elif word == "--" and begun:
                words = waiting[::-1]
            elif word[:1] == "-":
                waiting[-1:] = [] if option in valued and not equals else waiting[-1:]
            elif 0 <= most <= len(operands):
                words = [word, *waiting[::-1]]
            else:
                operands.append(word)
                if not begun and ":".join(operands) in verbs:
                    begun, most = True, len(operands) + int(count[0]) if count else -1
        via = f"{name} {''.join(operands[:1])}"
        if words and count and len(words) > 1:
            start_inner(walker, simple, tuple(words), via, False, moved=True)
        elif words and count:
            _on_other_machine(walker, simple, words[0], via)


def _on_other_machine(walker: Walker, simple: Simple, line: str, via: str) -> None:
    state = _child(simple, ["sh"])
    state.variables, state.choices = {"HOME": ONE, "PWD": ONE, "TMPDIR": ONE}, {}
    state.lose_cwd(f"`{via}` starts it on another machine")
    inner_script(walker, simple, line, via, state, False)


def remote(walker: Walker, simple: Simple) -> None:
    """`docker exec NAME WORD…`, `docker run IMAGE WORD…`, `kubectl exec NAME -- WORD…`."""
    name = simple.argv[0].rpartition("/")[2]
    outer = options_of(
        list(simple.argv[1:]), "Hlcn", ("host", "context", "config", "log-level", "namespace", "kubeconfig")
    )
    if outer is None:
        return start_inner(walker, simple, (MANY,), name, False, moved=True)
    words = outer.rest
    if words[:1] in (["container"], ["compose"]):
        words = words[1:]
    if not words or words[0] not in (*REMOTE[name], "exec", "run"):
        return None
    via = f"{name} {words[0]}"
    if name == "vagrant":
        return _elsewhere(walker, simple, words[1:], via)
    short, long = REMOTE_VALUES.get(words[0], REMOTE_VALUES["exec"])
    options = options_of(words[1:], short, long)
    if options is None:
        return start_inner(walker, simple, (MANY,), via, False, moved=True)
    rest = options.rest[1:]
    if name in ("kubectl", "oc", "lxc") and "--" in rest:
        rest = rest[rest.index("--") + 1 :]
    entries = [value.rpartition("/")[2] for option, value in options.pairs if option == "--entrypoint" and value]
    if words[0] == "run" and not entries and rest and "/" not in rest[0] and find_program(rest[0]) is None:
        image = options.rest[0].rpartition("/")[2].partition(":")[0].partition("@")[0]
        entries = [image] if find_program(image) else []  # what follows it are words for the program that it is made of
    rest = [*entries, *rest]
    return start_inner(walker, simple, tuple(rest), via, False, moved=True)
