"""Walk the commands that a program starts; the table of such programs is in `wrappers`.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import MANY, ONE, is_known, may_be_option
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import CARRIES, MODEL_OF, ROWS
from policy_engine.programs.base import named
from policy_engine.shell import wrapping_lines, wrapping_lists, wrapping_shells
from policy_engine.shell.builtins import inner_script
from policy_engine.shell.environment import started_by
from policy_engine.shell.wrappers import MULTICALL, OTHER_SHELLS, REMOTE, RUNNERS, SHELLS, WRAPPERS
from policy_engine.shell.wrapping_words import Options, options_of, start_inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.shell.walk import Walker
    from policy_engine.shell.walk_command import Simple


_MACHINES = ("x86", "i3", "i4", "i5", "i6", "linux", "ppc", "s390", "sparc", "mips", "alpha", "arm", "aarch", "parisc",
             "uname", "ia64", "athlon", "loong", "riscv")  # fmt: skip


def unwrap(walker: Walker, simple: Simple) -> bool:
    """Return whether the program starts others: then it and what it starts have been given to the walker."""
    name = simple.argv[0].rpartition("/")[2]
    handler = _HANDLERS.get(name)
    if handler is None and name in WRAPPERS:
        handler = _generic
    if handler is None and name in RUNNERS and simple.argv[1:]:
        handler = _runner
    if handler is None and name in REMOTE and simple.argv[1:]:
        handler = wrapping_shells.remote
    if handler is None and name.startswith(("ld-linux", "ld-musl", "ld.so")):
        handler = _loader
    if handler is None and name not in CARRIES:
        return False
    walker.emit_simple(simple)
    if handler is not None:
        handler(walker, simple)
    if name in CARRIES:
        wrapping_shells.carried(walker, simple)
    return True


_RIGHTS = named("elevates")


def _generic(walker: Walker, simple: Simple) -> None:
    name = simple.argv[0].rpartition("/")[2]
    short, long, operands, traits = WRAPPERS[name]
    if "unfollowed" in traits:
        return
    words = list(simple.argv[1:])
    options = options_of(words, short, long)
    if options is None:
        start_inner(walker, simple, (MANY,), name, False)
        return
    rest = options.rest
    if name == "nice" and rest and rest[0][:1] == "-" and rest[0][1:].isdigit():
        rest = rest[1:]
    env: list[str] = []
    while "assigns" in traits and rest and "=" in rest[0] and rest[0].partition("=")[0].isidentifier():
        env.append(rest.pop(0))
    if any(f"sub:{word}" in traits for word in rest[:1]):
        options = options_of(rest[1:], short, long)
        if options is None:
            start_inner(walker, simple, (MANY,), name, False)
            return
        rest = options.rest
    if name == "setarch" and rest and not rest[0].startswith(_MACHINES):
        operands = 0
    rest = rest[operands:]
    rest = rest[1:] if rest[:1] == ["--"] else rest
    if name in _RIGHTS and options.has("-e", "--edit", "-l", "--list", "-V", "--version", "-v", "-k", "-K"):
        return
    if name in ("kdesu", "gksu", "gksudo", "watchexec", "cross-env-shell") and len(rest) == 1:
        return inner_script(walker, simple, rest[0], name, simple.state.copy())
    if name in ("sudo", "nsenter", "chroot", "unshare") and not rest:
        if name != "sudo" or options.has("-s", "-i", "--shell", "--login"):
            wrapping_shells.shell_input(walker, simple, name)
        return
    moved = "moved" in traits or any(f"moved:{option}" in traits for option, _ in options.pairs)
    folder = next((value for option, value in options.pairs if f"chdir:{option}" in traits), None)
    start_inner(walker, simple, tuple(rest), name, "status" in traits, tuple(env), folder, moved, "elsewhere" in traits)


def _env(walker: Walker, simple: Simple) -> None:
    """`env -i -u NAME -C FOLDER -S 'words' NAME=value WORD…`."""
    words = list(simple.argv[1:])
    env: list[str] = []
    folder: str | None = None
    while words:
        word = words[0]
        if not is_known(word) and may_be_option(word):
            start_inner(walker, simple, (MANY,), "env", False)
            return
        if word == "--":
            words.pop(0)
        elif word.startswith(("-S", "--split-string", "-vS", "-iS", "-ivS")):
            words.pop(0)
            value = word.partition("=")[2] if word.startswith("--") and "=" in word else word.partition("S")[2]
            if not value or word == "--split-string":
                value = words.pop(0) if words else ""
            words = [*_split_string(value), *words]
        elif word in ("-u", "--unset", "-C", "--chdir"):
            words.pop(0)
            value = words.pop(0) if words else ""
            folder = value if word in ("-C", "--chdir") else folder
        elif word.startswith(("--chdir=", "-C")):
            folder = words.pop(0).partition("=" if word[1] == "-" else "C")[2]
        elif word[:1] == "-":
            if word in ("-", "-i", "--ignore-environment"):
                env.append("PATH=")  # what a bare name starts is another question now
            words.pop(0)
        elif "=" in word:
            env.append(words.pop(0))
        else:
            break
    if words:
        started_by(walker, simple, tuple(env))
        start_inner(walker, simple, tuple(words), "env", True, tuple(env), folder)


def _split_string(text: str) -> list[str]:
    """The words of `env -S`, which reads quotes and backslashes its own way; unknown where it is not plain."""
    if not is_known(text) or any(char in text for char in "\\$#"):
        return [MANY]
    words: list[str] = []
    current, quote, begun = "", "", False
    for char in text:
        if quote:
            if char == quote:
                quote = ""
            else:
                current += char
        elif char in "'\"":
            quote, begun = char, True
        elif char in " \t\n":
            if current or begun:
                words.append(current)
            current, begun = "", False
        else:
            current += char
    if quote:
        return [MANY]
    return [*words, current] if current or begun else words


_SAME = {"npm": (["x"],), "pnpm": (["dlx"],), "yarn": (["dlx"],), "bun": (["x"],)}


def _harms_elsewhere(name: str) -> bool:
    """Return whether it is a program of the table that serves, destroys or deploys something elsewhere."""
    row = ROWS.get(MODEL_OF.get(name, name), {})
    words = {word for action in row.get("effects", ()) for word in action.get("does", "").split()}
    return bool(row.get("service")) or not words.isdisjoint(("destroys", "deploys"))


def _runner(walker: Walker, simple: Simple) -> None:
    """`uv run WORD…`, `bundle exec WORD…`, `npm exec WORD…`."""
    name = simple.argv[0].rpartition("/")[2]
    subcommand, short, long = RUNNERS[name]
    outer = options_of(list(simple.argv[1:]), short, long)
    if outer is not None and name == "uv" and outer.rest[:2] == ["tool", "run"]:
        return _python_tool(walker, simple, outer.rest[2:], "uv tool run")
    if outer is None or any(not is_known(word) for word in outer.rest[:1]):
        return start_inner(walker, simple, (MANY,), name, False)
    if outer.rest[:1] not in ([subcommand], *_SAME.get(name, ())):
        if name in _SAME and name != "npm" and any(map(_harms_elsewhere, outer.rest[:1])):
            start_inner(walker, simple, tuple(outer.rest), name, True)  # a program of the project, without a verb
        return
    options = options_of(outer.rest[1:], short, long)
    via = f"{name} {subcommand}"
    if options is None:
        start_inner(walker, simple, (MANY,), via, False)
        return
    if name in ("npm", "pnpm", "yarn", "bun"):
        _package_call(walker, simple, options, via)
        return
    modules = [value for option, value in options.pairs if option in ("-m", "--module")]
    rest = list(options.rest)
    if modules or options.has("-m", "--module"):
        rest = ["python", "-m", *rest]
    elif rest[:1] == ["-"]:
        rest = ["python", *rest]
    plain = not outer.pairs and not options.pairs and not options.flags
    start_inner(walker, simple, tuple(rest), via, plain)


def _uvx(walker: Walker, simple: Simple) -> None:
    """`uvx --from PACKAGE NAME@VERSION WORD…`."""
    _python_tool(walker, simple, list(simple.argv[1:]), "uvx")


def _python_tool(walker: Walker, simple: Simple, words: list[str], via: str) -> None:
    options = options_of(words, "pw", ("from", "with", "python", "index", "index-url", "with-editable", "env-file"))
    if options is None:
        start_inner(walker, simple, (MANY,), via, False)
    elif options.rest:
        start_inner(walker, simple, (options.rest[0].partition("@")[0], *options.rest[1:]), via, False)


def _npx(walker: Walker, simple: Simple) -> None:
    options, name = options_of(list(simple.argv[1:]), "cp", ("call", "package")), simple.argv[0].rpartition("/")[2]
    if options is None:
        start_inner(walker, simple, (MANY,), name, False)
    else:
        _package_call(walker, simple, options, name)


def _package_call(walker: Walker, simple: Simple, options: Options, via: str) -> None:
    calls = [value for option, value in options.pairs if option in ("-c", "--call")]
    if calls:
        inner_script(walker, simple, calls[-1], via, simple.state.copy())
    elif options.rest:
        name, _, version = options.rest[0].partition("@")  # of `@scope/package` the name of the program is not told
        plain = name and version.strip("^~").replace(".", "").replace("-", "").isalnum()  # none of `npm:OTHER`
        start_inner(walker, simple, (name if plain else options.rest[0], *options.rest[1:]), via, True)


def _multicall(walker: Walker, simple: Simple) -> None:
    """`busybox rm …`, `coreutils --coreutils-prog=rm …`."""
    words = list(simple.argv[1:])
    if words and words[0].startswith("--coreutils-prog"):
        first = words.pop(0)
        words.insert(0, first.partition("=")[2])
    if not words or words[0][:1] == "-":
        return
    start_inner(walker, simple, tuple(words), simple.argv[0].rpartition("/")[2], True)


def _loader(walker: Walker, simple: Simple) -> None:
    options = options_of(list(simple.argv[1:]), "", ("library-path", "preload", "argv0", "inhibit-rpath", "audit"))
    rest = (MANY,) if options is None else tuple(options.rest)
    start_inner(walker, simple, rest, simple.argv[0].rpartition("/")[2], True)


def _other_shell(walker: Walker, simple: Simple) -> None:
    """A shell of another language: what it runs is not known."""
    if len(simple.argv) > 1 and simple.argv[1] not in ("--version", "--help"):
        start_inner(walker, simple, (MANY,), simple.argv[0], False)
    elif simple.context.feed is not None or simple.context.piped_from:
        start_inner(walker, simple, (ONE,), simple.argv[0], False)


def _no_zsh(_walker: Walker, simple: Simple) -> None:
    raise Undecided(f"`{simple.argv[0]}` is zsh's, which is not understood")


_HANDLERS: dict[str, Callable[[Walker, Simple], None]] = {
    "env": _env, "uvx": _uvx, "npx": _npx, "bunx": _npx, "pnpx": _npx,
    "xargs": wrapping_lists.xargs, "find": wrapping_lists.find,
    "parallel": wrapping_lists.parallel, "fd": wrapping_lists.fd, "fdfind": wrapping_lists.fd,
    "su": wrapping_shells.su, "runuser": wrapping_shells.su, "flock": wrapping_shells.flock,
    "script": wrapping_shells.script, "watch": wrapping_shells.watch, "ssh": wrapping_shells.ssh,
    "tmux": wrapping_shells.terminal, "screen": wrapping_shells.terminal, "at": wrapping_shells.later,
    "batch": wrapping_shells.later, "crontab": wrapping_shells.scheduled, "hyperfine": wrapping_lines.lines,
    "concurrently": wrapping_lines.lines, "expect": wrapping_lines.commands_of, "gdb": wrapping_lines.commands_of,
    "lldb": wrapping_lines.commands_of, "nix-shell": wrapping_lines.nix_shell,
    "emulate": _no_zsh, "zmodload": _no_zsh, "autoload": _no_zsh, "repeat": _no_zsh,
    **dict.fromkeys(SHELLS, wrapping_shells.shell), **dict.fromkeys(MULTICALL, _multicall),
    **dict.fromkeys(OTHER_SHELLS, _other_shell),
}  # fmt: skip
