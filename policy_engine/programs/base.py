"""`Program`: a row of programs.toml, which sorts the words of a call out and says what they would do.

What a row cannot say, a file of handlers/ does: a function `touched(arguments, analysis)` that returns paths and tells
the analysis the rest. Rows and handlers are looked at when a command of that name is. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.effect_analysis import EffectAnalysis as EffectAnalysis
from policy_engine.inline.effect_analysis import is_scratch as is_scratch
from policy_engine.model.partial import MANY, is_known, may_be_option, shown
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import MODEL_OF, ROWS
from policy_engine.programs.actions import perform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from policy_engine.filesystem.file_system import FileSystem

_SCRIPT_BYTES = 65_536  # the largest script that is read
FLAG, VALUE, OPTIONAL = 0, 1, 2  # an option takes no value, one, or one only after `=` (or glued, if short)


class Arguments:
    """A program's words: `options` as (name, value or None), `operands`, `flags` the option words as written.

    `unsure` is the reason why there may be more options, or other ones; "" if all are known. `strange` are options that
    the model let pass without knowing them; `rest` the operands behind a lone `--`.
    """

    __slots__ = ("options", "operands", "flags", "unsure", "strange", "rest", "leading")

    def __init__(self) -> None:
        self.options: list[tuple[str, str | None]] = []
        self.operands: list[str] = []
        self.leading = 0  # how many options stand before the first operand
        self.flags: tuple[str, ...] = ()
        self.unsure = ""
        self.strange: list[str] = []
        self.rest: list[str] = []

    def has(self, *names: str) -> bool:
        """Return whether one of the options is given."""
        return any(name in names for name, _ in self.options)

    def last(self, *names: str) -> str | None:
        """The value of the last of these options, if one has a value."""
        values = self.values(*names)
        return values[-1] if values else None

    def values(self, *names: str) -> list[str]:
        """The values of these options, in order."""
        return [value for name, value in self.options if name in names and value is not None]

    def of(self, operands: list[str]) -> Arguments:
        """The same with other operands; what was asked of a command before changes nothing that is asked later."""
        made = Arguments()
        made.options, made.operands, made.flags = self.options, operands, self.flags
        made.unsure, made.strange, made.rest, made.leading = self.unsure, self.strange, self.rest, self.leading
        return made

    def on(self, yes: tuple[str, ...], no: tuple[str, ...]) -> bool:
        """Return whether the last of two opposite options is of the first sort."""
        given = [name in yes for name, _ in self.options if name in yes or name in no]
        return bool(given) and given[-1]


class Program:
    """A program: what its options take and what its operands mean.

    `short` letters without value, `short_values` with one, `short_optional` with a glued one or none; `long` maps a
    name (without dashes) to FLAG, VALUE or OPTIONAL. `abbreviates`: unique beginnings of long options
    stand for them. `stops`: what follows the first operand
    belongs to that operand (a subcommand, a script). `raw`: there are no options at all. `tolerant`: an option that
    the model does not know is harmless, whatever it is. `single_dash`: long options with one dash (`find`, `java`).
    `touched` gives the paths and tells the analysis the rest; without it the effects are undecided.
    `shows_content`: what it reads, its output shows; `looks`: it reads names and attributes only. `evident`: its
    success proves its writes and deletes, but for these options (`*`: never surely); None: it proves none.
    `read_only`: it only reads, and starts nothing, unless its options or its effects say otherwise.
    `worst`: all that a call can do whose words are not all known, as effects and `reads`, `writes`, `deletes`; None:
    anything. `folders`: options that name the folder in which it works. `works`: it builds, installs or changes things
    in that folder, `installs` the first operands with which it does. `hands_on`: a verb of a raw program behind whose
    operand all words belong to what it starts. `asks`: beginnings of its operands with which it
    only shows something; `reads`: beginnings with which it changes nothing, here and elsewhere, and starts nothing,
    unless one of the options `reads_unless` is given. `complete`: the model reads every word, so that none is left
    over.
    `feeds`: what a file gives it on its standard input is read.
    `options_in`: variables whose words are options as well.
    `texts`: options whose values are patterns or texts, and no files, though no name says so.
    """

    __slots__ = (
        "name", "short", "short_values", "long", "abbreviates", "stops", "raw", "actions", "handler", "shows_content",
        "evident",
        "final", "short_optional", "tolerant", "single_dash", "looks", "read_only", "informs",
        "no_option_harms", "authors", "worst", "folders", "works", "asks", "complete", "installs", "texts", "hands_on",
        "feeds", "reads", "reads_unless", "options_in",
    )  # fmt: skip

    def __init__(self, name: str, row: dict[str, Any]) -> None:
        self.name = name
        self.short, self.short_values, self.short_optional = "", "", ""
        self.long: dict[str, int] = {}
        self.single_dash: bool = row.get("single_dash", False)
        for option in row.get("options", "").split():
            self._declare(option)
        self.actions: list[dict[str, Any]] | None = row.get("effects")
        self.handler: str = row.get("handler", "")
        self.abbreviates: bool = row.get("abbreviates", False)
        self.stops: bool = row.get("stops", False)
        self.raw: bool = row.get("raw", False)
        self.shows_content: bool = row.get("shows_content", False)
        self.evident: tuple[str, ...] | None = tuple(row["evident"].split()) if "evident" in row else None
        self.final: str = row.get("final", "")
        self.tolerant: bool = row.get("tolerant", False)
        self.looks: bool = row.get("looks", False)
        self.read_only: bool = row.get("read_only", False)
        self.no_option_harms: bool = row.get("no_option_harms", False)
        self.authors: bool = row.get("authors", False)
        self.informs: tuple[str, ...] = tuple(row.get("informs", "--help --version").split())
        self.worst: str | None = row.get("worst")
        self.folders: tuple[str, ...] = tuple(row.get("folders", "").split())
        self.works: bool = row.get("works", bool(self.folders))
        self.installs: tuple[str, ...] = tuple(row.get("installs", "").split())
        self.texts: tuple[str, ...] = tuple(row.get("texts", "").split())
        self.options_in: tuple[str, ...] = tuple(row.get("options_in", "").split())
        self.feeds: bool = row.get("feeds", False)
        self.hands_on: str = row.get("hands_on", "")
        self.asks = tuple(tuple(verbs.split()) for verbs in row.get("asks", "").split(",") if verbs)
        self.reads = tuple(tuple(verbs.split()) for verbs in row.get("reads", "").split(",") if verbs.strip())
        self.reads_unless: tuple[str, ...] = tuple(row.get("reads_unless", "").split())
        self.complete: bool = row.get("complete", not (self.raw or self.tolerant or self.stops))

    def _declare(self, option: str) -> None:
        """`-a`, `-o=` with a value, `-i[=]` with one glued to it or none; long ones likewise."""
        name, arity = option, FLAG
        if len(option) > 2 and option.endswith("[=]"):
            name, arity = option[:-3], OPTIONAL
        elif len(option) > 2 and option[-1] == "=":
            name, arity = option[:-1], VALUE
        if len(name) > 2 or self.single_dash:
            self.long[name.lstrip("-")] = arity
        elif arity == VALUE:
            self.short_values += name[1]
        elif arity == OPTIONAL:
            self.short_optional += name[1]
        else:
            self.short += name[1]

    def touched(self, arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
        """The paths that the words mean; the analysis is told the rest. Raises Undecided if nothing can be said."""
        paths = [] if self.actions is None else perform(self.actions, arguments, analysis)
        if self.handler:
            path = f"{__name__.rpartition('.')[0]}.handlers.{self.handler}"
            handler: Callable[[Arguments, EffectAnalysis], list[PathValue]] = __import__(
                path, fromlist=("touched",)
            ).touched
            paths += handler(arguments, analysis)
        return paths

    def arguments(self, words: tuple[str, ...]) -> Arguments:
        """Sort the words out as getopt does. Raises Undecided for an option that the model does not know."""
        arguments = Arguments()
        if self.raw:
            arguments.operands = list(words)
            unsure = next((word for word in words[: self._own(words)] if may_be_option(word)), None)
            arguments.unsure = "" if unsure is None else f"what `{shown(unsure)[:80]}` stands for is not known"
            return arguments
        waiting = list(reversed(words))
        flags: list[str] = []
        while waiting:
            word = waiting.pop()
            if may_be_option(word):
                arguments.unsure = arguments.unsure or f"what `{shown(word)[:80]}` stands for is not known"
            if word == "--":
                arguments.rest = list(reversed(waiting))
                break
            if word[:1] != "-" or word == "-":
                arguments.leading = arguments.leading if arguments.operands else len(arguments.options)
                arguments.operands.append(word)
                if self.stops:
                    break
            else:
                flags.append(word)
                if word[1] == "-" or self.single_dash:
                    self._long(word, waiting, arguments)
                elif self._bundle(word, waiting, arguments):
                    break
        if not arguments.operands:
            arguments.leading = len(arguments.options)
        arguments.operands += reversed(waiting)
        arguments.flags = tuple(flags)
        return arguments

    def _own(self, words: tuple[str, ...]) -> int:
        """Return how many words are the program's own: what follows the file behind its verb belongs to what that
        file is.
        """
        if not self.hands_on or words[:1] != (self.hands_on,):
            return len(words)
        return next((place + 1 for place, word in enumerate(words) if place and word[:1] != "-"), len(words))

    def _long(self, word: str, waiting: list[str], arguments: Arguments) -> None:
        name, equals, value = word.lstrip("-").partition("=") if self.single_dash else word[2:].partition("=")
        dashes = "-" if self.single_dash else "--"
        if name not in self.long:
            begun = [known for known in self.long if known.startswith(name)] if self.abbreviates else []
            if len(begun) != 1:
                if word in self.informs:
                    arguments.options.append((word, None))
                    return
                if self.tolerant:
                    arguments.strange.append(word)
                    arguments.options.append((f"{dashes}{name}", value if equals else None))
                    return
                raise self._unknown(word)
            name = begun[0]
        arity = self.long[name]
        if arity == FLAG and equals:
            if not self.tolerant:
                raise self._unknown(word)
            arguments.strange.append(word)
            if value.lower() in ("false", "no", "0"):
                return
        if arity == VALUE and not equals:
            value = self._next(word, waiting, arguments)
        arguments.options.append((f"{dashes}{name}", value if arity == VALUE or equals else None))

    def _bundle(self, word: str, waiting: list[str], arguments: Arguments) -> bool:
        """`-rf`, `-ofile`; true if no options follow."""
        for place in range(1, len(word)):
            letter = word[place]
            if letter in self.short_values:
                value = word[place + 1 :] or self._next(word, waiting, arguments)
                arguments.options.append((f"-{letter}", value))
                return letter in self.final
            if letter in self.short_optional:
                arguments.options.append((f"-{letter}", word[place + 1 :] or None))
                return False
            if letter not in self.short:
                if not self.tolerant:
                    raise self._unknown(word)
                arguments.strange.append(word)
            arguments.options.append((f"-{letter}", None))
        return False

    def _next(self, word: str, waiting: list[str], arguments: Arguments) -> str:
        if not waiting:
            raise Undecided(f"`{word[:80]}` of `{self.name}` lacks its value")
        value = waiting.pop()
        if MANY in value and self.worst is not None:
            arguments.unsure = arguments.unsure or f"how many words `{shown(value)[:80]}` stands for is not known"
        return value

    def _unknown(self, word: str) -> Undecided:
        return Undecided(f"the option `{word[:80]}` of `{self.name}` is not modelled")

    def effects(
        self,
        arguments: Arguments,
        cwd: PathValue,
        filesystem: FileSystem,
        env: tuple[str, ...] = (),
        called: str = "",
        feed: str | None = None,
        written: Callable[[PathValue], list[str]] | None = None,
    ) -> EffectAnalysis:
        """Return what the command would do, told by the analysis. Raises Undecided if nothing can be said.

        `env` are the assignments before it, `called` the name that it was started by, `feed` what is known of the text
        on its standard input, `written` gives what its line has put into a file before.
        """
        analysis = EffectAnalysis(cwd, filesystem, called or self.name, env)
        analysis.feed = feed
        analysis.written = written or analysis.written
        if self.informs_with(arguments, analysis):
            analysis.informs = True
            return analysis
        arguments = arguments.of(_several(analysis.expand(arguments.operands)))
        self._enter(arguments, analysis)
        analysis.paths += self.touched(arguments, analysis)
        analysis.finish(self.looks)
        if arguments.unsure and not self.read_only and self.evident is None and not self._asks(arguments.operands):
            analysis.fear(arguments.unsure, self.worst)
        return analysis

    def informs_with(self, arguments: Arguments, analysis: EffectAnalysis) -> bool:
        """Return whether it only tells something about itself: it is asked to before its operands, or permutes its
        words.
        """
        if self.raw:
            return self._informs_raw(arguments.operands)
        permutes = analysis.filesystem.permutes and "POSIXLY_CORRECT" not in analysis.env
        options = arguments.options if permutes else arguments.options[: arguments.leading]
        return any(name in self.informs for name, _ in options)

    def _informs_raw(self, words: list[str]) -> bool:
        """`NAME --help`, `NAME VERB VERB --help`: nothing else stands before it, no option whose value it could be."""
        place = next((number for number, word in enumerate(words) if word in self.informs), None)
        if place is None or not is_plain(words[:place]) or (place > 2 and len(words) > place + 1):
            return False
        return place == 0 or (words[place] == "--help" and place < 3)

    def _asks(self, operands: list[str]) -> bool:
        """Return whether its first operands say that it only shows something."""
        return any(tuple(operands[: len(verbs)]) == verbs for verbs in self.asks)

    def changes_folder(self, operands: list[str]) -> bool:
        """Return whether it builds or installs in the folder that it works in."""
        verb = next((word for word in operands if word[:1] not in ("-", "+")), "")
        return verb in self.installs or (self.works and not self._asks(operands))

    def _enter(self, arguments: Arguments, analysis: EffectAnalysis) -> None:
        """Go to the folder that an option names, or the operand behind one of these verbs."""
        given = [value for name, value in arguments.options if name in self.folders and value is not None]
        for number, word in enumerate(arguments.operands if self.raw or self.stops else ()):
            option, equals, value = word.partition("=")
            if option in self.folders:
                given.append(value if equals else "".join(arguments.operands[number + 1 : number + 2]))
            elif word[:1] == "-" and word[1:2] != "-" and word[:2] in self.folders:
                given.append(word[2:])
        if arguments.operands[:1] and arguments.operands[0] in self.folders:
            given += [word for word in arguments.operands[1:2] if word not in arguments.rest]
        for text in given:
            if text:
                analysis.cwd = analysis.path(text, "")


def _several(operands: list[str]) -> list[str]:
    """The operands; `$ARGS` alone stands for as many as any program tells apart: `cp $ARGS` has a target."""
    return operands * 3 if len(operands) == 1 and MANY in operands[0] else operands


def is_plain(words: list[str]) -> bool:
    """Return whether all words are names, as those of subcommands are."""
    return all(word[:1].isalpha() and word.replace("-", "").replace("_", "").isalnum() for word in words)


def package_name(word: str) -> str:
    """The program that a package is likely to bring: without version and scope."""
    name = word.partition("@")[0] if word[:1] != "@" else "@" + word[1:].partition("@")[0]
    scope, _, bare = name.rpartition("/")
    bare = bare.removesuffix("-code") if scope == "@anthropic-ai" else bare
    return scope.lstrip("@") if bare == "cli" and scope else bare


def script_lines(name: str, analysis: EffectAnalysis) -> list[str]:
    """Return the lines of a script, of the workspace or for the moment; none of others, or where nobody knows them."""
    path = analysis.path(name, "read")
    inside = path.known and (is_scratch(path, analysis.filesystem) or analysis.filesystem.relative(path) is not None)
    return (analysis.text_in(path, _SCRIPT_BYTES) or "").split("\n") if inside else []


def stays_here(addresses: list[str]) -> bool:
    """Return whether all addresses, one at least, lead to this machine, whatever follows their hosts; `:3000/a` is one
    in short.
    """
    from policy_engine.model.addresses import leads_to

    full = [_to_the_host(f"localhost{address}" if address[:1] == ":" else address) for address in addresses]
    return bool(full) and all(is_known(address) and leads_to(address, "loopback") for address in full)


def _to_the_host(address: str) -> str:
    """An address without what stands behind its host, where that is not known."""
    known, mark, _ = address.partition("\0")
    scheme, slashes, rest = known.partition("://")
    ends = mark and any(end in (rest if slashes else scheme) for end in ":/?#")
    return known.rstrip(":") if ends else address


def is_registry_name(word: str) -> bool:
    """Return whether a package is named as a registry does (`name`, `@scope/name`, each with `@version`), not by a
    place.
    """
    name = word[1:] if word[:1] == "@" else word
    bare = name.partition("@")[0]
    return is_known(word) and bare.count("/") == (1 if word[:1] == "@" else 0) and ":" not in name


_STARTER_FLAGS = frozenset(
    "-y --yes -n --no --no-install -q --quiet -s --silent --offline --prefer-offline --prefer-online -v --verbose"
    " --ignore-existing --workspaces -ws --isolated --no-cache --refresh -U --upgrade --bun".split()
)
"""Options without a value of what starts a package."""


def fetches_address(words: list[str]) -> bool:
    """Return whether what starts a package, given its words, fetches from an address: options may name one, and so
    may the package; what stands behind that is the package's own."""
    place = 0
    while place < len(words) and words[place][:1] == "-" and words[place] != "--":
        place += 1 if words[place] in _STARTER_FLAGS or "=" in words[place] else 2
    place += words[place : place + 1] == ["--"]
    return any("://" in word or word.startswith(("git+", "github:", "file:")) for word in words[: place + 1])


def play_package(words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """Return what the program of a package, the first word, does with the others, where it is modelled."""
    name = package_name(words[0]) if words else ""
    program = find_program(name)
    if program is None or program.name in ("npx", "uvx", "sh", "python", "node"):
        return []
    analysis.name = name
    return program.touched(program.arguments(tuple(words[1:])), analysis)


_found: dict[str, Program | None] = {}
_CACHE_ENTRIES = 1024


def is_remote(place: str) -> bool:
    """Return whether a place is one of another machine: `host:a`, `rsync://host/a`."""
    return ":" in place.partition("/")[0]


def play_store_copy(
    names: list[str], analysis: EffectAnalysis, deep: bool, whole: bool, mirrors: bool
) -> list[PathValue]:
    """Return the files that are copied to a store or from one: the last name is where to, `-` a standard stream.

    `deep`: folders are copied, `whole`: what they hold; `mirrors`: what the source does not have is deleted.
    """
    *sources, target = names or [""]
    local = [word for word in sources if ":" not in word and word != "-"]
    paths = [analysis.path(word, "read", True) for word in local]
    if ":" in target:
        if local or "-" in sources:
            analysis.does("sends")
        if mirrors:
            analysis.does("destroys", "network")
        analysis.send(paths)
    elif sources and target != "-":
        paths += analysis.fetched(sources, target, deep or not analysis.has(target), whole)
        paths += [analysis.path(target, "delete", True)] if mirrors else []
    elif target and target != "-":
        paths.append(analysis.path(target, "read", True))
    return paths


def find_program(name: str) -> Program | None:
    """The model of a program by its base name (`python3.11` is `python`), None if there is none."""
    if name not in _found:
        if len(_found) >= _CACHE_ENTRIES:
            _found.clear()
        _found[name] = _load(MODEL_OF.get(name) or MODEL_OF.get(name.lower().removesuffix(".exe")) or name)
    return _found[name]


def _load(name: str) -> Program | None:
    spelled = name.lower().removesuffix(".exe") if name.endswith((".exe", ".EXE")) else name
    for known in dict.fromkeys((spelled, spelled.partition(".")[0] if spelled.startswith("mkfs.") else spelled)):
        program = _row(known)
        if program is not None:
            return program
    version = spelled[:-1] if spelled[-2:-1].isdigit() and spelled.endswith(("t", "d")) else spelled  # `python3.13t`
    bare = version.rstrip("0123456789.")
    program = _row(MODEL_OF.get(bare, bare)) if bare != spelled else None
    return program if program is not None and program.name in ("python", "pip", "node") else None


def _row(name: str) -> Program | None:
    """The program of a row that says what it does; a row may say no more than how it starts others."""
    row = ROWS.get(name)
    return Program(name, row) if row is not None and ("effects" in row or "handler" in row) else None


def named(trait: str) -> frozenset[str]:
    """The names of all programs with a trait."""
    keys = [key for key, row in ROWS.items() if row.get(trait)]
    return frozenset(name for key in keys for name in (key, *ROWS[key].get("names", "").split()))


INTERPRETERS = named("interprets")
