"""The state of a shell while it runs a line: folder, variables, functions; and the place of a command in the line.

Imported by the hook path.
"""

from __future__ import annotations

import posix

from policy_engine.model.limits import SHELL_DEPTH, SHELL_STEPS, SHELL_VALUE_CHARS, SHELL_VARIABLES, SHELL_WORDS
from policy_engine.model.partial import BRANCH, FOUND, NAME, NUMBER, ONE, is_known
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.shell.tree import Function


_NAMED_AFTER_VALUE = {
    **dict.fromkeys(("URL", "URI", "DSN", "ENDPOINT"), f"{NAME}://{BRANCH}"),
    **dict.fromkeys(("PORT",), NUMBER),
    **dict.fromkeys(("USER", "HOST"), NAME),
}
"""Ends of the names of variables of the environment that say what their values are, with what that is."""
_MOST_FOLDERS = 4  # that a command is looked at in, where it is not known in which it runs
_SET_BY_SHELL = frozenset(("PWD", "OLDPWD", "HOME", "DIRSTACK"))
_MOST_CHOICES = 4  # values of a variable that a command is looked at with, where it is not known which it has
_MOST_STATES = 8  # with the values of all variables of a command


class State:
    """The state of one shell process.

    `cwd` None: not known, for `reason`, but one of `folders` if there are any, each with how the shell spells it;
    `logical` the folder as the shell spells it; a variable's value None: unset,
    absent: as in the environment; `positional` None: not known; `ended`: an `exit` or the like may have ended the line;
    `gone`: nothing comes here, something has left for sure; `altered`: something may have changed what later words
    mean; `touched`: the variables that were given values, shared by copies; `tied`: by name, variables of which
    nothing is known since they name others or change what they are given, and those that change with them; `defaults`:
    by name, what a variable is unless the environment says otherwise, and whether the environment hardly does;
    `choices`: by name, the values of which a variable that is not known has one; `physical`: `cd` goes by links (`set
    -P`), None where that is not known; `streams`: by number, what `exec` has opened.
    """

    __slots__ = (
        "cwd", "reason", "logical", "variables", "exported", "functions", "positional", "pipefail", "errexit", "ended",
        "gone", "altered", "aliases", "touched", "tied", "folders", "defaults", "choices", "physical", "streams",
    )  # fmt: skip

    def __init__(self, cwd: PathValue | None, reason: str, logical: str | None) -> None:
        self.cwd = cwd
        self.reason = reason
        self.logical = logical
        self.variables: dict[str, str | None] = {}
        self.exported: frozenset[str] = frozenset()
        self.functions: dict[str, tuple[Function | None, ...]] = {}  # None: perhaps there is no such function
        self.aliases: dict[str, tuple[str, ...]] = {}  # words; none: not known; `*` any name
        self.positional: tuple[str, ...] | None = None
        self.pipefail = False
        self.errexit = False
        self.ended = False
        self.gone = False
        self.altered = ""
        self.touched: set[str] = set()
        self.tied: dict[str, frozenset[str]] = {}
        self.folders: tuple[tuple[PathValue, str | None], ...] = ()
        self.defaults: dict[str, tuple[str, bool]] = {}
        self.choices: dict[str, tuple[str, ...]] = {}
        self.physical: bool | None = False
        self.streams: dict[str, Stream] = {}

    def copy(self) -> State:
        """The state of a subshell that starts here."""
        made = State.__new__(State)
        for name in State.__slots__:
            setattr(made, name, getattr(self, name))
        made.variables = dict(self.variables)
        made.functions = dict(self.functions)
        made.defaults = dict(self.defaults)
        made.choices = dict(self.choices)
        return made

    def take(self, other: State) -> None:
        """Become the other state."""
        for name in State.__slots__:
            setattr(self, name, getattr(other, name))

    def lose_cwd(self, reason: str) -> None:
        """The folder is not known from here on."""
        self.cwd, self.reason, self.logical, self.folders = None, reason, None, ()

    def enter(self, cwd: PathValue | None, logical: str | None) -> None:
        """The folder is this one from here on."""
        self.cwd, self.logical, self.folders = cwd, logical, ()

    def begin(self, script: str, sourced: bool) -> None:
        """A file of commands that was named so is started, or sourced."""
        if not sourced:
            self.variables["0"] = script
        self.variables["BASH_SOURCE"] = script
        self.assign_array("BASH_SOURCE", (script,))

    def assign(self, name: str, value: str | None) -> None:
        """Give a variable its value; None: unset."""
        for other in self.tied.get(name, ()):
            value = ONE
            self.touched.add(other)
            self.variables[other] = self.variables[f"{other}[@]"] = self.variables[f"{other}[!]"] = ONE
            self._forget(other)
            self._forget(f"{other}[@]")
        self.touched.add(name)
        self._forget(name)
        base = name.partition("[")[0]
        for held in (f"{name}[@]", f"{base}[!]"):
            if held in self.variables:
                self.variables[held] = ONE
                self._forget(held)
        self.variables[name] = value if value is None or len(value) <= SHELL_VALUE_CHARS else ONE
        if len(self.variables) > SHELL_VARIABLES:
            raise Undecided(f"the command sets more than SHELL_VARIABLES ({SHELL_VARIABLES}) variables")

    def lose(self, name: str) -> None:
        """A variable's value is not known from here on."""
        self.variables[name] = ONE
        self._forget(name)

    def _forget(self, name: str) -> None:
        self.defaults.pop(name, None)
        self.choices.pop(name, None)

    def default(self, other: State, free: bool) -> None:
        """Know what variables are by their defaults: as in the other state, in which those were taken."""
        for name, value in other.variables.items():
            given = self.variables.get(name)
            if given is not None and not is_known(given) and value is not None and is_known(value):
                self.defaults.setdefault(name, (value, free))

    def tie(self, names: frozenset[str]) -> None:
        """Nothing is known of these variables from here on; each may change with any of the others."""
        names = names.union(*(self.tied.get(name, ()) for name in names))
        self.tied = {**self.tied, **dict.fromkeys(names, names)}
        for name in names:
            self.assign(name, ONE)

    def array(self, name: str) -> tuple[str, ...] | None:
        """The elements of an array, None if they are not known."""
        text = self.variables.get(f"{name}[@]")
        return None if text is None or text == ONE else tuple(text.split("\x1f")[:-1])

    def keys(self, name: str) -> tuple[str, ...]:
        """The keys of an array that has names for its elements, none if they are not known."""
        text = self.variables.get(f"{name}[!]") or ONE
        return () if text == ONE else tuple(text.split())

    def assign_keys(self, name: str, keys: tuple[str, ...]) -> None:
        """Give an array, whose elements are given at once, the names of these; one that is "" is not known."""
        self.touched.add(f"{name}[!]")
        self.variables[f"{name}[!]"] = " ".join(keys) if keys and all(keys) else ONE

    def assign_array(self, name: str, elements: tuple[str, ...] | None) -> None:
        """Give an array its elements; None: they are not known."""
        known = elements is not None and not any("\x1f" in text for text in elements)
        self.assign(f"{name}[@]", "".join(f"{text}\x1f" for text in elements or ()) if known else ONE)

    def choose(self, name: str, values: tuple[str, ...]) -> None:
        """A variable that was given what is not known has one of these values."""
        if self.variables.get(name) == ONE and name not in self.tied and 1 < len(values) <= _MOST_CHOICES:
            self.choices[name] = values

    def chosen(self, names: list[str]) -> list[State]:
        """The states in which each of these variables has one of the values that it may have; none for too many."""
        states = [self.copy()]
        for name in [held for one in names for held in (one, f"{one}[@]")]:
            if self.variables.get(name) == ONE and name in self.choices:
                made = [(state.copy(), value) for state in states for value in self.choices[name]]
                for state, value in made:
                    state.assign(name, value)
                states = [state for state, _ in made]
                if len(states) > _MOST_STATES:
                    return []
        return states if len(states) > 1 else []

    def merge(self, other: State) -> None:
        """Know only what both states agree on: the line came here one way or the other."""
        if self.gone and not other.gone:
            self.take(other.copy())
            self.ended = True
        elif not other.gone or self.gone:
            self._mix(other)
        else:
            self.ended = True

    def _mix(self, other: State) -> None:
        self.ended = self.ended or other.ended
        if self.possible() != other.possible():
            folders = tuple(dict.fromkeys(self.possible() + other.possible()))
            lost = not self.possible() or not other.possible() or len(folders) > _MOST_FOLDERS
            self.lose_cwd("the folder depends on how an earlier command ends")
            self.folders = () if lost else folders
        self.choices = self._chosen(other)
        for name in {*self.variables, *other.variables}:
            missing = name not in self.variables or name not in other.variables
            if missing or self.variables[name] != other.variables[name]:
                self.variables[name] = ONE
        for name in {**self.functions, **other.functions}:
            known, bodies = self.functions.get(name, (None,)), other.functions.get(name, (None,))
            self.functions[name] = known + tuple(body for body in bodies if body not in known)
        self.defaults = {name: one for name, one in self.defaults.items() if other.defaults.get(name) == one}
        if self.positional != other.positional:
            self.positional = None
        self.exported &= other.exported
        self.aliases = {**self.aliases, **other.aliases, **self._disputed(other)}
        for names in other.tied.values():
            self.tie(names)
        self.pipefail = self.pipefail and other.pipefail
        self.errexit = self.errexit and other.errexit
        self.altered = self.altered or other.altered
        self.physical = self.physical if self.physical == other.physical else None
        self.streams = {**other.streams, **self.streams}

    def _chosen(self, other: State) -> dict[str, tuple[str, ...]]:
        """The values of the variables that have one of a few, here or there."""
        found = {}
        for name in self.variables.keys() & other.variables.keys():
            if name.removesuffix("[@]") in (*self.tied, *other.tied):
                continue
            here, there = self._values(name), other._values(name)
            values = tuple(dict.fromkeys(here + there))
            if here and there and 1 < len(values) <= _MOST_CHOICES:
                found[name] = values
        return found

    def _values(self, name: str) -> tuple[str, ...]:
        """The values that a variable may have, none if they are not known."""
        value = self.variables[name] or ""
        followed = name.removesuffix("[@]").isidentifier() and name not in _SET_BY_SHELL
        known = followed and is_known(value.removeprefix(FOUND))
        return self.choices.get(name, ()) if value == ONE else (value,) if known else ()

    def possible(self) -> tuple[tuple[PathValue, str | None], ...]:
        """The folders that it may be in, none if they are not known."""
        return self.folders if self.cwd is None else ((self.cwd, self.logical),)

    def _disputed(self, other: State) -> dict[str, tuple[str, ...]]:
        """The aliases that mean something else in the other state."""
        return {name: () for name, words in self.aliases.items() if other.aliases.get(name) != words}

    def value(self, name: str, filesystem: FileSystem) -> str | None:
        """A variable's value, with a mark if it is not known; None if it is unset."""
        if name in self.variables:
            return self.variables[name]
        if name == "HOME" and filesystem.home is not None:
            return filesystem.home
        if name == "PWD" and self.logical is not None:
            return self.logical
        if name == "TMPDIR":
            return posix.environ.get(b"TMPDIR", b"/tmp").decode("utf-8", "surrogateescape")
        if name == "IFS":
            return " \t\n"
        if self.altered or not name.isupper():
            return ONE  # what was sourced may have set it
        return next((mark for end, mark in _NAMED_AFTER_VALUE.items() if name.endswith(end)), ONE)


class Stream:
    """Describe what a descriptor is open on: the text that it gives, as far as it is known, the texts of substitutions
    that write it, and the files."""

    __slots__ = ("feed", "sources", "paths")

    def __init__(self, feed: str, sources: tuple[str, ...], paths: tuple[PathValue, ...]) -> None:
        self.feed = feed
        self.sources = sources
        self.paths = paths


class Context:
    """The place of a command in its line.

    `zero`, `nonzero`: whether the line's exit status 0 (not 0) proves that the command ran and ended so; `whole` the
    same of the script that it is in, of which it is `proved`. `feed`: the text on its standard input, None if nobody
    knows of one. `forked`: the shell makes a process for it. `missing`: files that are not there when it runs.
    `shown`: what it prints leaves the line, as nothing in it reads that. `streams`: by number, what redirections open.
    """

    __slots__ = ("zero", "nonzero", "whole", "proved", "background", "piped_from", "sources", "via", "feed",
                 "in_function", "depth", "forked", "missing", "shown", "streams")  # fmt: skip

    def __init__(self) -> None:
        self.zero = True
        self.nonzero = True
        self.whole = True
        self.proved = False
        self.background = False
        self.piped_from: tuple[str, ...] = ()
        self.sources: tuple[str, ...] = ()
        self.via: tuple[str, ...] = ()
        self.feed: str | None = None
        self.in_function = False
        self.depth = 0
        self.forked = False
        self.missing: tuple[str, ...] = ()
        self.shown = True
        self.streams: dict[str, Stream] = {}

    def but(self, **changes: Any) -> Context:
        """The same place, with some differences."""
        made = Context.__new__(Context)
        for name in Context.__slots__:
            setattr(made, name, changes[name] if name in changes else getattr(self, name))
        return made

    def within(self, **changes: Any) -> Context:
        """One level further in. Raises Undecided where it is too deep."""
        if self.depth >= SHELL_DEPTH:
            raise Undecided(f"the command is nested more than SHELL_DEPTH ({SHELL_DEPTH}) deep")
        return self.but(depth=self.depth + 1, **changes)

    def unproven(self) -> Context:
        """The same place, where the line's end proves nothing."""
        return self.but(zero=False, nonzero=False) if self.zero or self.nonzero else self


class Budget:
    """The bound on the cost of one line; shared by all scripts in it."""

    __slots__ = ("steps", "words")

    def __init__(self) -> None:
        self.steps = 0
        self.words = 0

    def step(self, count: int = 1) -> None:
        """Raises Undecided when it is used up."""
        self.steps += count
        if self.steps > SHELL_STEPS:
            raise Undecided(f"following the command takes more than SHELL_STEPS ({SHELL_STEPS}) steps")

    def command(self, words: int) -> None:
        """One more simple command, of so many words; one without any counts as a word. Raises Undecided."""
        self.words += words or 1
        if self.words > SHELL_WORDS:
            raise Undecided(f"the command has more than SHELL_WORDS ({SHELL_WORDS}) words")
