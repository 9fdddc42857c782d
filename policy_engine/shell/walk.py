"""The walker: a tree and the state of its shell give the simple commands that run.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.changes import CHANGES, changed, unsure
from policy_engine.filesystem.paths import is_systems
from policy_engine.model.partial import GLOB, MANY, ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import INTERPRETERS, find_program
from policy_engine.shell import builtins, calls, walk_command, walk_compound, walk_lists, wrapping
from policy_engine.shell.code import left_by_code
from policy_engine.shell.command import SimpleCommand
from policy_engine.shell.dialects import parse_script
from policy_engine.shell.lexer import Budget as ParseBudget
from policy_engine.shell.name_lists import names_shown
from policy_engine.shell.patterns import decides
from policy_engine.shell.printing import alternatives, printed
from policy_engine.shell.state import Budget, Context, State
from policy_engine.shell.tree import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    Coprocess,
    For,
    Function,
    Group,
    If,
    Pipeline,
    Sequence,
    Simple,
    Test,
    While,
)
from policy_engine.shell.walk_command import Simple as Started

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.shell.tree import Command, Node

    Walk = Callable[..., None]
    Trap = tuple[Started, str, int]  # the command, the code, the moves so far

_WALKS: dict[type, Walk] = {
    AndOr: walk_lists.walk_and_or,
    Pipeline: walk_lists.walk_pipeline,
    Coprocess: walk_lists.walk_coprocess,
    Simple: walk_command.walk_simple,
    Group: walk_compound.walk_group,
    If: walk_compound.walk_if,
    While: walk_compound.walk_while,
    For: walk_compound.walk_for,
    ArithmeticFor: walk_compound.walk_arithmetic_for,
    Case: walk_compound.walk_case,
    Test: walk_compound.walk_test,
    ArithmeticCommand: walk_compound.walk_arithmetic,
    Function: walk_compound.walk_function,
}


_MAY_NOT_RUN = frozenset((If, While, For, ArithmeticFor, Case, Pipeline, Coprocess))

# Builtins that take a subscript in their words for arithmetic, which runs what is substituted there.
_SUBSCRIPTS = frozenset(
    ("let", "declare", "typeset", "local", "export", "readonly", "read", "unset", "printf", "test", "[")
)


def _prints_nothing(command: SimpleCommand) -> bool:
    """Return whether a command only changes the state of its shell, and says nothing of it."""
    name, *words = command.argv
    return name in (":", "exit", "unset") or (name == "cd" and "-" not in words) or (name == "set" and bool(words))


class Walker:
    """Collects the simple commands of one line; `poisoned` if something may decide the line's exit status later;
    `moves` counts changes of folder, `exits` ends of the shell, `traps` is what runs then."""

    def __init__(self, filesystem: FileSystem, dialect: str) -> None:
        self.filesystem = filesystem
        self.dialect = dialect  # of the shell that runs what is being walked: bash, sh or zsh
        self.budget = Budget()
        self.parsing = ParseBudget()
        self.commands: list[SimpleCommand] = []
        self.piped: tuple[int, SimpleCommand, str] | None = None  # the last pipeline: its commands, what it prints
        self.aliases: dict[str, Started] = {}  # those that no command has used yet
        self.definitions: list[tuple[Function, Context, State]] = []
        self.called: set[int] = set()
        self.poisoned = False
        self.moves = 0
        self.exits = 0
        self.loops: list[list[State]] = []  # where `break` and `continue` leave
        self.calls: list[list[State]] = []  # where `return` leaves
        self.traps: list[Trap] = []
        self.locals: set[str] = set()  # variables of the function that is being called
        self.proven: dict[int, Node] | None = None  # where it is asked: commands that the status of their script proves
        self.in_script = False  # what is walked is the code of a file
        self.printed = ""  # by the line, where that is known and asked
        self.naming = False  # what is walked prints a name of what is made
        self.calling: list[str] = []  # functions that are being called, the innermost last

    def walk_code(self, code: str, context: Context, state: State) -> None:
        """All commands of a script."""
        script = parse_script(code, self.dialect, self.parsing)
        if self.proven is not None and context.zero:
            from policy_engine.shell.statuses import proven

            self.proven |= proven(script, self.printed)
            self.printed = ""
        self.walk_sequence(script, context.but(whole=context.zero, proved=False), state)

    def walk_sequence(self, sequence: Sequence, context: Context, state: State) -> None:
        """Commands one after the other."""
        walk_lists.walk_sequence(self, sequence, context, state)

    def walk(self, node: Command, context: Context, state: State) -> None:
        """One command."""
        self.budget.step()
        before = self.filesystem
        _WALKS[type(node)](self, node, context, state)
        if self.filesystem is not before and type(node) in _MAY_NOT_RUN:
            self.filesystem = unsure(self.filesystem, before)

    # ---- commands ----------------------------------------------------------------------------------------------------

    def run(self, simple: Started) -> None:
        """Run a simple command by its program word: a function, a builtin, a wrapper, or a program."""
        name = simple.argv[0]
        state = simple.state
        if not is_known(name):
            self.emit_simple(simple)
            builtins.anything(state)
            return
        if not simple.argv[0].rpartition("/")[2].isascii() or not name.isprintable():
            raise Undecided(f"`{name[:80]!r}` has characters that do not show what it is")
        if name in state.aliases or "*" in state.aliases:
            builtins.expand_alias(self, simple)
            return
        if name in state.functions:
            calls.call(self, simple)
            return
        subscripts = [word for word in simple.argv[1:] if "[" in word and ("$(" in word or "`" in word)]
        if name in _SUBSCRIPTS and subscripts:
            for word in filter(is_known, subscripts):
                builtins.inner_script(self, simple, f": <<E\n{word}\nE\n", name, state.copy(), False)
            self.unknown_command(f"`{name}` runs what is in a subscript", simple.context, state)
        if program := _linked_program(name, state, self.filesystem):
            simple.argv = (program, *simple.argv[1:])
        if name == "print" and self.dialect == "zsh":
            simple.argv = _printing(simple.argv)
        builtin = builtins.BUILTINS.get(simple.argv[0])
        if builtin is not None:
            builtin(self, simple)
        elif not wrapping.unwrap(self, simple):
            self.emit_simple(simple)

    def defined(self, node: Function, context: Context, state: State) -> None:
        """A function whose body is looked at in the end if nothing calls it."""
        self.definitions.append((node, context, state))

    def finish(self, last: State) -> None:
        """Walk what the line has not run yet: aliases and functions that nothing calls, and traps."""
        for simple in tuple(self.aliases.values()):
            self.run(simple.but((*simple.argv, MANY), simple.context))
        self.uncalled()
        while self.traps:
            builtins.trapped(self, *self.traps.pop(0), last)
            self.uncalled()

    def uncalled(self) -> None:
        """The bodies of functions that nothing in the line calls: later lines may."""
        for node, context, state in self.definitions:
            if id(node) not in self.called:
                self.called.add(id(node))
                later = state.copy()
                later.positional = None
                self.walk(node.body, context.within(in_function=True).unproven(), later)

    def emit(self, name: str, node: Node, context: Context, state: State) -> None:
        """A command that stands for a construct."""
        self.emit_simple(Started((name,), (), (), node.text, context, state))

    def unknown_command(self, reason: str, context: Context, state: State) -> None:
        """Something runs, and nobody knows what."""
        self.emit_simple(Started((MANY,), (), (), reason, context.unproven(), state))
        builtins.anything(state)

    def emit_simple(self, simple: Started) -> None:
        """Add a command to the list."""
        self.budget.command(len(simple.argv))
        state, context = simple.state, simple.context
        unknown = {"cwd": state.reason} if state.cwd is None else None
        own = {item.partition("=")[0] for item in simple.env}
        env = tuple(
            f"{name}={value}"
            for name, value in state.variables.items()
            if value is not None and name not in own and (name in state.exported or name == "TMPDIR" or decides(name))
        )
        zero, nonzero = context.zero, context.nonzero
        if state.altered or (state.ended and not context.proved):
            zero = nonzero = False
        command = SimpleCommand(
            simple.argv, simple.text, state.cwd, self.filesystem, env + simple.env, context.via, zero, nonzero, unknown
        )
        command.background = context.background
        command.in_function = context.in_function
        command.piped_from = context.piped_from
        command.sources = context.sources
        command.feed = context.feed
        command.redirects = simple.redirects
        command.missing = context.missing
        command.dynamic = not is_known(simple.argv[0]) or not all(
            is_known(word.replace(GLOB, "")) for word in simple.argv
        )
        self.commands.append(command)
        if simple.argv[0].rpartition("/")[2] in CHANGES:
            self.filesystem = changed(self.filesystem, simple.argv, state.cwd)
        elif (program := command.model) is not None and program.name in INTERPRETERS:
            self.filesystem = left_by_code(command, program)

    # ---- output ------------------------------------------------------------------------------------------------------

    def programs(self, since: int) -> tuple[str, ...]:
        """The names of the programs emitted since then, once each."""
        names = dict.fromkeys(
            command.argv[0].rpartition("/")[2] if is_known(command.argv[0]) else "?"
            for command in self.commands[since:]
        )
        return tuple(name for name in names if name != ":")

    def output(self, since: int) -> str:
        """Return what the commands emitted since then print, with a mark where that is not known."""
        if self.piped is not None and self.piped[0] == since and self.commands[-1:] == [self.piped[1]]:
            return self.piped[2]
        printed_by = [command for command in self.commands[since:] if not command.substituted]
        if len(printed_by) > 1:
            printed_by = [command for command in printed_by if not _prints_nothing(command)] or printed_by
        if (
            len(printed_by) > 1
            and printed_by[0].argv[0] == "xargs"
            and all("xargs" in command.via for command in printed_by[1:])
        ):
            parts = [printed(command) for command in printed_by[1:]]
            return ONE if ONE in parts else "\n".join(parts)
        if len(printed_by) > 1 and all(command.name == "git" for command in printed_by):
            return self._listed(printed_by)
        if len(printed_by) != 1:
            return ONE
        text = self._listed(printed_by) if printed_by[0].argv[0] == "git" else printed(printed_by[0])
        return names_shown(self, printed_by[0]) if text == ONE else text

    def alternatives(self, body: Sequence, since: int) -> tuple[str, ...]:
        """Return what the commands of a body, emitted since then, may print if that is one of a few texts; else ()."""
        return alternatives(body, self.commands[since:])

    def _listed(self, commands: list[SimpleCommand]) -> str:
        """Return what commands of git print, one after the other."""
        texts = []
        for command in commands:
            command.line = tuple(self.commands)  # what it prints depends on what came before
            texts.append(printed(command))
            command.line = ()
        return ONE if ONE in texts else "\n".join(texts) if len(texts) > 1 else texts[0]


def _linked_program(word: str, state: State, filesystem: FileSystem) -> str:
    """Return the program of the system that a file of another name leads to, "" if it leads to none."""
    if "/" not in word or is_systems(word) or state.cwd is None:
        return ""
    try:
        real = filesystem.resolve(word, state.cwd.real).real
    except Undecided:
        return ""
    name = real.rpartition("/")[2]
    if not is_systems(real) or name in _MANY_IN_ONE or (program := find_program(name)) is None:
        return ""
    own = find_program(word.rpartition("/")[2])
    return real if own is None or own.name != program.name else ""


def _printing(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return `print` of zsh as the `echo` or `printf` that it is with these words; as it is with any other option."""
    words, letters = list(argv[1:]), ""
    while words and words[0][:1] == "-":
        word = words.pop(0)
        if word in ("-", "--"):
            break
        letters += word[1:]
    if (
        not is_known(letters)
        or set(letters) - set("rRln")
        or ("r" not in letters and any("\\" in one for one in words))
    ):
        return argv
    lines = "l" in letters or any(word[:1] in "-\0" for word in words[:1])
    return ("printf", "%s\n", *words) if lines else ("echo", *(["-n"] if "n" in letters else []), *words)


_MANY_IN_ONE = ("busybox", "toybox", "coreutils")  # which go by the name that they are called by
