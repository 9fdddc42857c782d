"""A script and the state of its shell → its simple commands: the walker, which knows what each node of the tree means.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import MANY, ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell import builtins, calls, walk_command, walk_compound, walk_lists, walk_tests, wrapping
from policy_engine.shell.command import SimpleCommand
from policy_engine.shell.patterns import decides
from policy_engine.shell.printing import printed
from policy_engine.shell.redirects import Extra, Redirect, file_redirect
from policy_engine.shell.state import Budget, Context, State
from policy_engine.shell.walk_command import Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.model.world import World
    from policy_engine.shell.script import Script

    Walk = Callable[..., None]
    Trap = tuple[Simple, str, int]  # the command, the code, the moves so far

_NODES: dict[str, Walk] = {
    "list": walk_lists.walk_list,
    "pipeline": walk_lists.walk_list,
    "negated_command": walk_lists.walk_negated,
    "redirected_statement": walk_lists.walk_list,
    "command": walk_command.walk_command,
    "variable_assignment": walk_command.walk_assignments,
    "variable_assignments": walk_command.walk_assignments,
    "declaration_command": walk_command.walk_declaration,
    "unset_command": walk_command.walk_declaration,
    "test_command": walk_tests.walk_test,
    "subshell": walk_compound.walk_group,
    "compound_statement": walk_compound.walk_group,
    "if_statement": walk_compound.walk_if,
    "while_statement": walk_compound.walk_while,
    "for_statement": walk_compound.walk_for,
    "c_style_for_statement": walk_compound.walk_for,
    "case_statement": walk_compound.walk_case,
    "function_definition": walk_compound.walk_function,
}


# Builtins that take a subscript in their words for arithmetic, which runs what is substituted there.
_SUBSCRIPTS = frozenset(
    ("let", "declare", "typeset", "local", "export", "readonly", "read", "unset", "printf", "test", "[")
)


class Walker:
    """Collects the simple commands of one line; `poisoned` if something may decide the line's exit status later;
    `moves` counts changes of folder, `exits` ends of the shell, `traps` is what runs then."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.budget = Budget()
        self.commands: list[SimpleCommand] = []
        self.definitions: list[tuple[Script, Any, Context, State]] = []
        self.called: set[tuple[int, int]] = set()
        self.poisoned = False
        self.moves = 0
        self.exits = 0
        self.loops: list[list[State]] = []  # where `break` and `continue` leave
        self.calls: list[list[State]] = []  # where `return` leaves
        self.traps: list[Trap] = []
        self.locals: set[str] = set()  # variables of the function that is being called
        self.calling: list[str] = []  # functions that are being called, the innermost last

    def walk_script(self, script: Script, context: Context, state: State) -> None:
        """All statements of a script."""
        nodes = script.children(script.root, lines=True)
        walk_lists.walk_sequence(self, script, nodes, context, state)

    def walk(self, script: Script, node: Any, context: Context, state: State, extra: Extra | None) -> None:
        """One statement; `extra` is what stands around it. Raises Undecided for a node without a meaning here."""
        self.budget.step()
        visit = _NODES.get(node.type)
        if visit is None:
            raise Undecided(f"`{script.shown(node.start_byte, node.end_byte)[:80]}` is not understood")
        if node.start_byte in script.prefixes and visit is not walk_lists.walk_list:
            context = context.unproven()
            if "coproc" in script.prefix(node):
                context, state = context.but(background=True), state.copy()
        if visit is walk_compound.walk_function:
            visit(self, script, node, context, state, extra)
        else:
            inside = visit in (walk_lists.walk_list, walk_command.walk_command)
            visit(self, script, node, context if inside else context.within(), state, extra)

    def walk_extra(self, script: Script, body: Any, extra: Extra | None, context: Context, state: State) -> None:
        """A statement with what belongs to it, or redirections alone."""
        if body is not None:
            self.walk(script, body, context, state, extra)
        else:
            self.around(script, extra, context, state, True)

    def around(
        self, script: Script, extra: Extra | None, context: Context, state: State, bare: bool = False
    ) -> Context:
        """The redirections around a compound command, as a command that does nothing else; the context within.

        `bare`: there is no command, so that nothing goes through them.
        """
        if extra is None:
            return context
        from policy_engine.shell.expansion import Expansion

        expansion = Expansion(self, context, state)
        opened: list[Redirect] = []
        feed = extra.feed
        for node in extra.redirects:
            if node.type == "herestring_redirect":
                feed = ONE
                expansion.pattern(script, node)
                continue
            found, behind = file_redirect(script, node, expansion, state, self)
            if behind:
                raise Undecided("words behind a compound command are not understood")
            opened += found
            feed = ONE if any(item.op in ("<", "<>") for item in found) else feed
        if extra.words:
            raise Undecided("words behind a compound command are not understood")
        if opened or bare:
            nodes = extra.redirects
            text = script.shown(min(node.start_byte for node in nodes), max(node.end_byte for node in nodes))
            printing = context.unproven() if bare else context.unproven().but(feed=ONE)
            self.emit_simple(Simple((":",), (), tuple(opened), text, printing, state))
        return context.but(nonzero=False, feed=context.feed if feed is None else feed)

    # ---- commands ----------------------------------------------------------------------------------------------------

    def run(self, simple: Simple) -> None:
        """What a simple command's program word means: a function, a builtin, a wrapper, or a program."""
        name = simple.argv[0]
        state = simple.state
        if not is_known(name):
            self.emit_simple(simple)
            builtins.anything(state)
            return
        if not simple.argv[0].rpartition("/")[2].isascii() or not name.isprintable():
            raise Undecided(f"`{name[:80]!r}` has characters that do not show what it is")
        if name in state.aliases or "*" in state.aliases:
            self.emit_simple(
                Simple((ONE, *simple.argv[1:]), simple.env, simple.redirects, simple.text, simple.context, state)
            )
            return
        if name in state.functions:
            calls.call(self, simple)
            return
        if name in _SUBSCRIPTS and any("[" in word and ("$(" in word or "`" in word) for word in simple.argv[1:]):
            self.unknown_command(f"`{name}` runs what is in a subscript", simple.context, state)
        builtin = builtins.BUILTINS.get(name)
        if builtin is not None:
            builtin(self, simple)
        elif not wrapping.unwrap(self, simple):
            self.emit_simple(simple)

    def defined(self, script: Script, node: Any, context: Context, state: State) -> None:
        """A function whose body is looked at in the end if nothing calls it."""
        self.definitions.append((script, node, context, state))

    def finish(self, last: State) -> None:
        """What the line has not run yet: functions that nothing calls, and traps."""
        self.uncalled()
        while self.traps:
            builtins.trapped(self, *self.traps.pop(0), last)
            self.uncalled()

    def uncalled(self) -> None:
        """The bodies of functions that nothing in the line calls: later lines may."""
        for script, node, context, state in self.definitions:
            if (id(script), node.start_byte) not in self.called:
                self.called.add((id(script), node.start_byte))
                later = state.copy()
                later.positional = None
                walk_compound.walk_body(self, script, node, context.within(in_function=True).unproven(), later)

    def emit(self, name: str, script: Script, node: Any, context: Context, state: State) -> None:
        """A command that stands for a construct."""
        self.emit_simple(Simple((name,), (), (), script.shown(node.start_byte, node.end_byte), context, state))

    def unknown_command(self, reason: str, context: Context, state: State) -> None:
        """Something runs, and nobody knows what."""
        self.emit_simple(Simple((MANY,), (), (), reason, context.unproven(), state))
        builtins.anything(state)

    def emit_simple(self, simple: Simple) -> None:
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
        if state.altered or state.ended:
            zero = nonzero = False
        command = SimpleCommand(
            simple.argv, simple.text, state.cwd, self.world, env + simple.env, context.via, zero, nonzero, unknown
        )
        command.background = context.background
        command.in_function = context.in_function
        command.piped_from = context.piped_from
        command.sources = context.sources
        command.feed = context.feed
        command.redirects = simple.redirects
        command.dynamic = any("\0?" in word or MANY in word for word in simple.argv) or not is_known(simple.argv[0])
        self.commands.append(command)

    # ---- output ------------------------------------------------------------------------------------------------------

    def programs(self, since: int) -> tuple[str, ...]:
        """The names of the programs emitted since then, once each."""
        names = dict.fromkeys(
            command.argv[0].rpartition("/")[2] if is_known(command.argv[0]) else "?"
            for command in self.commands[since:]
        )
        return tuple(name for name in names if name != ":")

    def output(self, since: int) -> str:
        """What the commands emitted since then print, with a mark where that is not known."""
        found = self.commands[since:]
        return printed(found[0]) if len(found) == 1 else ONE

    def output_of(self, script: Script, node: Any, context: Context, state: State) -> str:
        """Run what is in a substitution; what it prints."""
        before = len(self.commands)
        if node is None:
            self.walk_script(script, context, state)
            return self.output(before)
        parts = script.children(node, lines=True)
        inner = parts[1:-1] if parts[0].type in ("$(", "<(", ">(", "`", "$(<") else parts
        redirects = [part for part in inner if part.type in ("file_redirect", "herestring_redirect")]
        if redirects and len(redirects) == len(inner):
            self.around(script, Extra(redirects, [], None), context, state, True)
            return ONE
        walk_lists.walk_sequence(self, script, inner, context, state)
        return self.output(before)
