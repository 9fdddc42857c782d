"""One simple command of a shell line: its words, where it runs and what feeds it.

What it would do is a function of it: `policy_engine.effects.command.effects_of`. Whatever is not known raises Undecided
with its reason when it is read. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.effects import ANY, OpenTuple
from policy_engine.model.partial import is_known, may_be_option
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, find_program
from policy_engine.programs.invocation import values_before_verb, verb_place
from policy_engine.programs.variables import option_words
from policy_engine.shell.flags import flag_values_by_shape, has_flag_by_shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.programs.base import Program


class Nesting:
    """The depth of a command in lines that other commands hand on, and in files that they start.

    `read` holds the files that were read on the way.
    """

    __slots__ = ("lines", "files", "read")

    def __init__(self, lines: int = 0, files: int = 0, read: set[str] | None = None) -> None:
        self.lines = lines
        self.files = files
        self.read = set() if read is None else read


class SimpleCommand:
    """A simple command.

    `argv` all words, unquoted; `name` the base name of the program, with its marks if it is not known; `env` the
    assignments as `NAME=value`; `text` as written; `cwd` the folder it runs in;
    `zero_proves`, `nonzero_proves` whether the line's exit status being 0 (not 0) proves this command's success
    (failure). `unknown` maps the name of an attribute to the reason why it cannot be known. `line` are the commands of
    its line, `nesting` how deep that line stands in others. `analysis` keeps what the analysis of its effects gave,
    `traced` whether the others of its line were looked at for it, `parsed` its words as its program reads them;
    `substituted`: it stands in a substitution.
    """

    __slots__ = (
        "argv", "env", "text", "cwd", "redirects", "background", "in_function", "via", "dynamic", "piped_from",
        "sources", "zero_proves", "nonzero_proves", "filesystem", "unknown", "line", "feed",
        "nesting", "analysis", "traced", "parsed", "substituted", "name", "missing",
    )  # fmt: skip

    if TYPE_CHECKING:
        cwd: PathValue

    def __init__(
        self,
        argv: tuple[str, ...],
        text: str,
        cwd: PathValue | None,
        filesystem: FileSystem,
        env: tuple[str, ...] = (),
        via: tuple[str, ...] = (),
        zero_proves: bool = True,
        nonzero_proves: bool = True,
        unknown: dict[str, str] | None = None,
    ) -> None:
        self.argv = argv
        self.name = argv[0].rpartition("/")[2]
        self.text = text
        self.filesystem = filesystem
        self.env = env
        self.via = via
        self.zero_proves = zero_proves
        self.nonzero_proves = nonzero_proves
        self.unknown = {} if unknown is None else unknown
        if cwd is not None:
            self.cwd = cwd
        self.redirects: tuple[object, ...] = ()
        self.piped_from: tuple[str, ...] = ()
        self.sources: tuple[str, ...] = ()
        self.missing: tuple[str, ...] = ()
        self.background = False
        self.in_function = False
        self.substituted = False
        self.dynamic = False
        self.line: tuple[SimpleCommand, ...] = ()
        self.feed: str | None = None
        self.nesting: Nesting | None = None
        self.analysis: EffectAnalysis | None = None
        self.traced = False
        self.parsed: Arguments | None = None

    def __getattr__(self, name: str) -> Any:
        """Raise Undecided for what is not known of the command."""
        if name not in SimpleCommand.__slots__:
            raise AttributeError(name)
        raise Undecided(self.unknown.get(name, f"the {name} of `{self.text[:80]}` is not known"))

    @property
    def model(self) -> Program | None:
        """The row of its program in the table, None if there is none."""
        return find_program(self.name)

    def arguments(self) -> Arguments:
        """Return its words as its program reads them. Raises Undecided for options that are not in the table."""
        if self.parsed is None:
            program = self.model
            if program is None:
                raise Undecided(f"the options of `{self.name}` are not modelled")
            given = option_words(program, self.env)
            words = (*self.argv[1:], *given) if program.raw else (*given, *self.argv[1:])
            self.parsed = program.arguments(words)
        return self.parsed

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"SimpleCommand({self.argv!r})"

    @property
    def before(self) -> tuple[SimpleCommand, ...]:
        """The commands of its line before it, all if it does not stand there."""
        return self.line[: next((place for place, one in enumerate(self.line) if one is self), len(self.line))]

    @property
    def number(self) -> str:
        """Return how many commands it stands for (`number_of`): one that is not known may start others."""
        return "" if is_known(self.argv[0]) else "some"

    @property
    def reason(self) -> str:
        """Return why it may stand for several commands."""
        return f"which program `{self.text[:80]}` starts is not known"

    @property
    def unsure(self) -> str:
        """Return why its words may mean something else: one is not known that may be an option, or a program; or ""."""
        if not is_known(self.argv[0]):
            return self.reason
        unknown = any("\0" in word and (may_be_option(word) or word[0] == "-") for word in self.argv)
        return self._unknown_words() if unknown else ""

    @property
    def program(self) -> str:
        """The base name of the program. Raises Undecided if it is not known."""
        return self.path.rpartition("/")[2]

    @property
    def path(self) -> str:
        """The program word as written, with its folder if it has one. Raises Undecided if it is not known."""
        if not is_known(self.argv[0]):
            raise Undecided(self.reason)
        return self.argv[0]

    @property
    def args(self) -> tuple[str, ...]:
        """Every word after the program; those that are not known raise Undecided where all are looked at."""
        return self._words(self.argv[1:])

    @property
    def assignments(self) -> tuple[str, ...]:
        """The assignments before the program: `.env` as rules read it."""
        known = [item for item in self.env if is_known(item)]
        if len(known) == len(self.env) and is_known(self.argv[0]):
            return self.env
        return OpenTuple.of(known, {ANY: f"not every value that `{self.text[:80]}` is given is known"})

    @property
    def feeding_programs(self) -> tuple[str, ...]:
        """The programs before it in its pipe: `.piped_from` as rules read it; `?` is one that is not known.

        A lone word that is not known may be a whole line (`eval "$X"`), with a pipe of its own.
        """
        if "?" not in self.piped_from and not (len(self.argv) == 1 and self.number):
            return self.piped_from
        return OpenTuple.of(self.piped_from, {ANY: f"not every program that feeds `{self.text[:80]}` is known"})

    @property
    def wrappers(self) -> tuple[str, ...]:
        """The wrappers that it was found in: `.via` as rules read it; one that is not known may start others."""
        return OpenTuple.of(self.via, {ANY: self.reason}) if self.number else self.via

    @property
    def flags(self) -> tuple[str, ...]:
        """The options among the words, before a lone `--`; values in words of their own are left out where known."""
        try:
            flags_written = [*self.arguments().flags, *self._verb_arguments().flags]
        except Undecided:
            words = self.argv[1 : self.argv.index("--")] if "--" in self.argv else self.argv[1:]
            flags_written = [word for word in words if word[:1] == "-" and word != "-"]
        return self._words(tuple(flags_written), any(map(may_be_option, self.argv)))

    def _words(self, words: tuple[str, ...], unsure: bool = False) -> tuple[str, ...]:
        """Return words as rules read them; those of a program that is not known may be a command that it starts."""
        if not is_known(self.argv[0]):
            return OpenTuple.of((), {ANY: self.reason})
        known = [word for word in words if is_known(word)]
        if len(known) == len(words) and not unsure:
            return words
        return OpenTuple.of(known, {ANY: self._unknown_words()})

    def _unknown_words(self) -> str:
        return f"not every word of `{self.text[:80]}` is known"

    def _verb_arguments(self) -> Arguments:
        """The words behind the verb, sorted out by the verb's own model. Raises Undecided where it has none."""
        place = verb_place(self.argv)
        if place is None:
            if self.model is not None and (self.model.raw or self.model.stops):
                raise Undecided(f"the options of `{self.argv[0][:80]}` are not modelled")
            return Arguments()
        if place >= len(self.argv):
            if self.model is None or self.model.raw:
                raise Undecided(f"the options of `{self.argv[0][:80]}` are not modelled")
            return Arguments()
        verb = find_program(f"{self.name}-{self.argv[place]}")
        if verb is None or verb.raw or verb.tolerant:
            raise Undecided(f"the options of `{self.name[:80]} {self.argv[place][:80]}` are not modelled")
        return verb.arguments(self.argv[place + 1 :])

    @property
    def subcommand(self) -> str:
        """The first word that is no option, "" if there is none. Raises Undecided if it may be an option's value."""
        self.need_program()
        place = verb_place(self.argv)
        if place is not None:
            return self.argv[place] if place < len(self.argv) else ""
        try:
            operands = self.arguments().operands
            if self.model is not None and self.model.raw and operands and operands[0][:1] == "-":
                raise Undecided(f"whether `{operands[0][:80]}` of `{self.argv[0][:80]}` takes a value is not modelled")
            if operands and not is_known(operands[0]):
                raise Undecided(f"the subcommand of `{self.text[:80]}` is not known")
            return operands[0] if operands else ""
        except Undecided:
            for number, word in enumerate(self.argv[1:]):
                if word[:1] != "-" and number == 0 and is_known(word):
                    return word
                if word[:1] != "-":
                    raise
            return ""

    def need_program(self) -> None:
        """Raise Undecided if it is not known which program is started, and with it what its words mean."""
        if not is_known(self.argv[0]):
            raise Undecided(self.reason)

    def has_flag(self, *names: str) -> bool:
        """Return whether one of the options is given: alone, bundled (`-rf`), with a value, abbreviated where allowed.

        Options stand anywhere in the invocation, before its verb and behind it. Where a verb has no model, the shape of
        its words decides.
        """
        self.need_program()
        try:
            arguments = self.arguments()
        except Undecided:
            return has_flag_by_shape(self.argv, names)
        if arguments.unsure:
            arguments = self.model.arguments(_sure_words(self.argv)) if self.model else arguments
            if not any(name == given for name in names for given, _ in arguments.options):
                if not self.arguments().options and self.model is not None and self.model.raw:
                    return has_flag_by_shape(self.argv, names)
                raise Undecided(self.arguments().unsure)
            return True
        if any(name == given for name in names for given, _ in arguments.options):
            return True
        return self._has_verb_flag(names)

    def _has_verb_flag(self, names: tuple[str, ...]) -> bool:
        """Return whether an option behind the verb, or of a program whose options have no model, is given."""
        try:
            verb = self._verb_arguments()
        except Undecided:
            place = verb_place(self.argv)
            if place is None and self.model is not None and self.model.stops:
                return False  # what follows belongs to a command or script of its own
            behind = self.argv if place is None or place >= len(self.argv) else self.argv[place:]
            return has_flag_by_shape(behind, names)
        if any(given in names for given, _ in verb.options):
            return True
        if verb.unsure:
            raise Undecided(verb.unsure)
        return False

    def flag_values(self, *names: str) -> tuple[str, ...]:
        """The values given to the options, in order. Raises Undecided if a word may or may not be one."""
        values = self._flag_values(names)
        known = [value for value in values if is_known(value)]
        return values if len(known) == len(values) else OpenTuple.of(known, {ANY: self._unknown_words()})

    def _flag_values(self, names: tuple[str, ...]) -> tuple[str, ...]:
        self.need_program()
        try:
            arguments = self.arguments()
        except Undecided:
            return flag_values_by_shape(self.argv, names)
        if arguments.unsure:
            raise Undecided(arguments.unsure)
        values = [value for given, value in arguments.options if given in names and value is not None]
        try:
            verb = self._verb_arguments()
        except Undecided:
            place = verb_place(self.argv)
            if place is None and self.model is not None and self.model.stops:
                return tuple(values)
            if place is not None:
                values += [value for value in values_before_verb(self.argv, place, names) if value not in values]
            words = self.argv if place is None or place >= len(self.argv) else self.argv[place:]
            return (*values, *flag_values_by_shape(words, names))
        if verb.unsure:
            raise Undecided(verb.unsure)
        return (*values, *(value for given, value in verb.options if given in names and value is not None))

    @property
    def fed(self) -> bool:
        """Return whether a pipe, a file or a here-document gives it its input."""
        return self.feed is not None or bool(self.piped_from)

    @property
    def shows_content(self) -> bool:
        """Return whether what it reads is what the files say (`cat`), not only that they are there (`ls`)."""
        return self.model is not None and self.model.shows_content

    @property
    def evident(self) -> bool | None:
        """Return what its success proves of its writes and deletes: True, that they happened; False, that they may
        have (`rm -f` of nothing succeeds too); None, nothing.
        """
        options = None if self.model is None else self.model.evident
        return None if options is None else "*" not in options and not self.has_flag(*options)


def _sure_words(argv: tuple[str, ...]) -> tuple[str, ...]:
    """The words after the program, up to the first that may be an option or several words."""
    for place, word in enumerate(argv[1:], 1):
        if may_be_option(word):
            return argv[1:place]
    return argv[1:]
