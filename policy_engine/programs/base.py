"""What a member of this family is: a `Program`, which reads its arguments and says what they would touch.

A member is the file named after the program with `PROGRAM = Program(...)`: options as data, effects as a function. It
is imported when a command of that name is looked at. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.model.world import World

FLAG, VALUE, OPTIONAL = 0, 1, 2  # an option takes no value, one, or one only after `=` (or glued, if short)


class Arguments:
    """A program's words: `options` as (name, value or None), `operands`, `flags` the option words as written."""

    __slots__ = ("options", "operands", "flags")

    def __init__(self) -> None:
        self.options: list[tuple[str, str | None]] = []
        self.operands: list[str] = []
        self.flags: tuple[str, ...] = ()

    def has(self, *names: str) -> bool:
        """Whether one of the options is given."""
        return any(name in names for name, _ in self.options)

    def last(self, *names: str) -> str | None:
        """The value of the last of these options, if one has a value."""
        values = [value for name, value in self.options if name in names and value is not None]
        return values[-1] if values else None


class Effects:
    """The paths that a command would touch, each with its access."""

    __slots__ = ("paths",)

    def __init__(self, paths: tuple[PathValue, ...]) -> None:
        self.paths = paths


class Scene:
    """Where a program runs: turns its words into paths."""

    __slots__ = ("cwd", "world")

    def __init__(self, cwd: PathValue, world: World) -> None:
        self.cwd = cwd
        self.world = world

    def path(self, text: str, access: str, recursive: bool = False, follow: bool = True) -> PathValue:
        """A word as a path; without `follow` a link in the last place is meant itself. Raises Undecided."""
        # The shell has expanded `~` already: what is left of it in a word is a file's name.
        text = f"./{text}" if text[:1] == "~" else text
        return self.world.resolve(text, self.cwd.real, follow).with_access(access, recursive)

    def is_folder(self, path: PathValue) -> bool:
        """Whether a folder is there now. Raises Undecided if it cannot be looked at."""
        found = self.world.look(path)
        return isinstance(found, tuple) and found[0] == "folder"

    def arrival(self, source: str, folder: str) -> str:
        """Where `mv` or `cp` puts a source within a folder."""
        name = source.rstrip("/").rpartition("/")[2]
        if name in ("", ".", ".."):
            raise Undecided(f"where `{source[:80]}` arrives is not known")
        return f"{folder}/{name}"


class Program:
    """A program: what its options take and what its operands mean.

    `short` letters without value, `short_values` with one; `long` maps a name (without dashes) to FLAG, VALUE or
    OPTIONAL. `abbreviates`: unique beginnings of long options stand for them. `stops`: what follows the first operand
    belongs to that operand (a subcommand, a script). `raw`: there are no options at all. `touched` gives the paths;
    without it the effects are undecided. `shows_content`: what it reads, its output shows. `evident`: its
    success proves its writes and deletes, but for these options (`*`: never surely); None: it proves none.
    """

    __slots__ = (
        "name", "short", "short_values", "long", "abbreviates", "stops", "raw", "touched", "shows_content", "evident",
        "final",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        short: str = "",
        short_values: str = "",
        long: dict[str, int] | None = None,
        touched: Callable[[Arguments, Scene], list[PathValue]] | None = None,
        *,
        abbreviates: bool = False,
        stops: bool = False,
        raw: bool = False,
        shows_content: bool = False,
        evident: tuple[str, ...] | None = None,
        final: str = "",
    ) -> None:
        self.name = name
        self.short = short
        self.short_values = short_values
        self.long = {} if long is None else long
        self.touched = touched
        self.abbreviates = abbreviates
        self.stops = stops
        self.raw = raw
        self.shows_content = shows_content
        self.evident = evident
        self.final = final  # short options after whose value nothing is read as an option any more

    def arguments(self, words: tuple[str, ...]) -> Arguments:
        """Sort the words out as getopt does. Raises Undecided for an option that the model does not know."""
        found = Arguments()
        if self.raw:
            found.operands = list(words)
            return found
        waiting = list(reversed(words))
        flags: list[str] = []
        while waiting:
            word = waiting.pop()
            if word == "--":
                break
            if word[:1] != "-" or word == "-":
                found.operands.append(word)
                if self.stops:
                    break
            else:
                flags.append(word)
                if word[1] == "-":
                    self._long(word, waiting, found)
                elif self._bundle(word, waiting, found):
                    break
        found.operands += reversed(waiting)
        found.flags = tuple(flags)
        return found

    def _long(self, word: str, waiting: list[str], found: Arguments) -> None:
        name, equals, value = word[2:].partition("=")
        if name not in self.long:
            begun = [known for known in self.long if known.startswith(name)] if self.abbreviates else []
            if len(begun) != 1:
                raise self._unknown(word)
            name = begun[0]
        arity = self.long[name]
        if arity == FLAG and equals:
            raise self._unknown(word)
        if arity == VALUE and not equals:
            value = self._next(word, waiting)
        found.options.append((f"--{name}", value if arity == VALUE or equals else None))

    def _bundle(self, word: str, waiting: list[str], found: Arguments) -> bool:
        """`-rf`, `-ofile`; true if no options follow."""
        for place in range(1, len(word)):
            letter = word[place]
            if letter in self.short_values:
                value = word[place + 1 :] or self._next(word, waiting)
                found.options.append((f"-{letter}", value))
                return letter in self.final
            if letter not in self.short:
                raise self._unknown(word)
            found.options.append((f"-{letter}", None))
        return False

    def _next(self, word: str, waiting: list[str]) -> str:
        if not waiting:
            raise Undecided(f"`{word[:80]}` of `{self.name}` lacks its value")
        return waiting.pop()

    def _unknown(self, word: str) -> Undecided:
        return Undecided(f"the option `{word[:80]}` of `{self.name}` is not modelled")

    def effects(self, arguments: Arguments, cwd: PathValue, world: World) -> Effects:
        """What the command would touch. Raises Undecided."""
        if self.touched is None:
            raise Undecided(f"effects of `{self.name}` are not modelled")
        return Effects(tuple(self.touched(arguments, Scene(cwd, world))))


_found: dict[str, Program | None] = {}
_CACHE_ENTRIES = 1024


def find_program(name: str) -> Program | None:
    """The model of a program by its base name (`python3.11` is `python`), None if there is none."""
    if name not in _found:
        if len(_found) >= _CACHE_ENTRIES:
            _found.clear()
        _found[name] = _load(name)
    return _found[name]


def _load(name: str) -> Program | None:
    module = name.rstrip("0123456789.").replace("-", "_")
    if not module.isidentifier() or not module.isascii() or module.startswith("_") or module == "base":
        return None
    path = f"{__name__.rpartition('.')[0]}.{module}"
    try:
        loaded = __import__(path, fromlist=("PROGRAM",))
    except ModuleNotFoundError as error:
        if error.name == path:
            return None
        raise
    program: Program = loaded.PROGRAM
    versioned = name != module and name.replace("-", "_") != module
    return None if versioned and program.name != "python" else program
