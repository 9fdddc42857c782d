"""Tell which machines the words of a command name, for rules that ask for `c.hosts`.

The table `hosts` of programs.toml says of a program which of its words those are. Only of such a program is it known
that its words name all of them. Imported by the hook path when a rule asks.
"""

from __future__ import annotations

from policy_engine.model.addresses import parse_address
from policy_engine.model.effects import ANY, OpenTuple
from policy_engine.model.partial import FOLDER, GLOB, MANY, ONE, is_known, shown
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import HOSTS
from policy_engine.programs.base import is_remote, named
from policy_engine.programs.invocation import verb_place
from policy_engine.shell.wrappers import REMOTE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_SCHEMES = frozenset("http https ftp ftps sftp ssh git ws wss".split())  # that one slash may follow, too
_SETTINGS = frozenset(
    "CURL_HOME XDG_CONFIG_HOME WGETRC HOSTALIASES LOCALDOMAIN RSYNC_RSH RSYNC_CONNECT_PROG".split()
)  # variables that decide which machine it is
_HARMLESS = frozenset("GIT_TERMINAL_PROMPT GIT_PAGER PAGER".split())
_BEFORE = frozenset("-C --no-pager -P -p --paginate".split())  # options of git before its verb that name no machine
_PORTS = 65_536
_REACHING = frozenset(("network", "adds-packages", ANY))
_PACKAGES = named("packages")


class _Row:
    """A row of the table: `machines`, options whose values are machines; `doubtful` ones may lead to others; `plain`
    are the options that name none, and operands that are none; `valued` the options with values.
    """

    __slots__ = ("kind", "machines", "doubtful", "plain", "valued", "fed")

    def __init__(self, text: str) -> None:
        kind, machines, doubtful, plain = (part.split() for part in text.split("|"))
        self.kind = kind[0]
        self.machines = frozenset(machines)
        self.fed = "<" in doubtful
        self.doubtful = frozenset(word.rstrip("=") for word in doubtful)
        self.plain = frozenset(word.rstrip("=") for word in plain)
        self.valued = self.machines | {word[:-1] for word in (*doubtful, *plain) if word[-1:] == "="}


class _Named:
    """The machines that are found, whether a word names a place of this one, and why there may be others."""

    __slots__ = ("machines", "doubt", "here")

    def __init__(self) -> None:
        self.machines: dict[str, None] = {}
        self.doubt = ""
        self.here = False

    def add(self, word: str) -> None:
        """Add the machine of an address, with a scheme or without."""
        machine = host_of(word)
        self.here = self.here or machine == ""
        if machine:
            self.machines[machine] = None
        if machine is None or MANY in word:
            self.may(f"which machine `{shown(word)[:80]}` names is not known")

    def may(self, reason: str) -> None:
        """There may be others."""
        self.doubt = self.doubt or reason


def host_of(word: str) -> str | None:
    """Return the machine that an address names, "" if it is none of another place (`file:`), None if nobody knows."""
    known, mark, _ = word.partition("\0")
    scheme, _, behind = known.partition(":")
    if scheme.lower() == "file" and behind[:1] == "/":
        return ""
    whole = behind[:2] == "//" and scheme.replace("+", "").replace("-", "").isalnum()
    rest = (behind if whole or (behind[:1] == "/" and scheme.lower() in _SCHEMES) else known).lstrip("/")
    end = min((place for sign in "/?#" if (place := rest.find(sign)) >= 0), default=-1)
    if mark and end < 0:
        return None
    authority = rest if end < 0 else rest[:end]
    if authority[:1] == "@" or any(char <= " " or char == "\\" for char in authority):
        return None  # a file that holds some, or what programs disagree about
    host = parse_address(f"//{authority}").host
    plain = host.replace("-", "").replace(".", "").replace(":", "").replace("_", "")
    listed = authority.rpartition("@")[2][:1] == "[" and ":" not in host  # several in one: `[1-3].example`
    return host if plain.isalnum() and not listed else None


def hosts_of(command: SimpleCommand, analysis: EffectAnalysis) -> tuple[str, ...]:
    """Return the machines that a command's words name; open where it may reach others, empty if it reaches none."""
    found = _Named()
    for redirect in command.redirects:
        text: str = redirect.path.text  # type: ignore[attr-defined]
        if text.startswith(("/dev/tcp/", "/dev/udp/")):
            found.add(text[9:].partition("/")[0])
    if not analysis.opaque and _REACHING.isdisjoint((*analysis.words, *analysis.doubts)) and not _installs(command):
        return _closed(found)
    try:
        row, place = _row_of(command)
    except Undecided as unknown:
        row, place = None, 0
        found.may(unknown.reasons[0])
    if row is None or analysis.opaque:
        for word in command.argv[1:]:
            _add_addresses(word, found)
        found.may(f"which machines `{shown(command.name)[:80]}` reaches is not known")
    else:
        _read(command, row, place, found)
    _add_settings(command, analysis, found)
    if not (found.machines or found.here):
        found.may(f"no word of `{command.text[:80]}` names the machine that it reaches")
    return _closed(found)


def _closed(found: _Named) -> tuple[str, ...]:
    machines = tuple(found.machines)
    return OpenTuple.of(machines, {ANY: found.doubt}) if found.doubt else machines


def _installs(command: SimpleCommand) -> bool:
    """Return whether it installs packages, which a registry gives."""
    program = command.model
    if program is None or not program.installs or command.name not in _PACKAGES:
        return False
    return any(word in program.installs for word in command.argv[1:3])


def _row_of(command: SimpleCommand) -> tuple[_Row | None, int]:
    """Return the row of a program, or of its verb, and the place of the words that it is about. Raises Undecided."""
    text = HOSTS.get(command.name)
    if text is not None:
        return _Row(text), 1
    place = verb_place(command.argv) if command.name == "git" else None
    if place is None or place >= len(command.argv):
        return None, 0
    text = HOSTS.get(f"git-{command.argv[place]}")
    if text is None or not _BEFORE.issuperset(word for word in command.argv[1:place] if word[:1] == "-"):
        return None, 0
    return _Row(text), place + 1


def _add_settings(command: SimpleCommand, analysis: EffectAnalysis, found: _Named) -> None:
    """Add the proxies that variables name, and doubt what else decides where it goes."""
    from policy_engine.shell.patterns import decides

    there = any(one.partition(" ")[0] in ("ssh", *REMOTE) for one in command.via)  # whose settings nobody knows
    for item in command.env:
        name, _, value = item.partition("=")
        if name.lower().endswith("_proxy") and name.lower() != "no_proxy" and value:
            found.add(value)
        elif (name in _SETTINGS or decides(name)) and name not in _HARMLESS and not (there and value == ONE):
            found.may(f"`{shown(item)[:80]}` may name other machines")
    if ANY in analysis.doubts:
        found.may(analysis.doubts[ANY])
    if analysis.runs:
        found.may(f"which machines the code reaches that `{command.name[:80]}` runs is not known")
    if any(MANY in word for word in command.argv):
        found.may(f"not every word of `{command.text[:80]}` is known")


def _add_addresses(word: str, found: _Named) -> None:
    """Add the machine of a word that is an address with a scheme, or whose value is one."""
    if word[:1] == "-":
        word = word.partition("=")[2]
    scheme, slashes, _ = word.partition("://")
    if slashes and scheme.replace("+", "").isalnum():
        found.add(word)


def _read(command: SimpleCommand, row: _Row, place: int, found: _Named) -> None:
    """Read the words of a program that is in the table."""
    program = command.model
    loose = False
    if program is None or program.raw or place > 1:
        options, operands, strange, loose = _sorted_out(command.argv[place:], row)
    else:
        arguments = command.arguments()
        options, operands, strange = arguments.options, list(arguments.operands), arguments.strange
        if arguments.unsure:
            found.may(arguments.unsure)
    for name, value in options:
        if name in row.machines:
            for one in (value or "").split(","):
                if one:
                    found.add(one)
        elif name in row.doubtful and not _is_plain(f"{name}={value}", row):
            found.may(f"`{name}` may name other machines")
        elif name not in row.plain and value is not None:
            _add_addresses(value, found)
    for word in strange:
        if "=" in word and "://" not in word:
            found.may(f"what `{shown(word)[:80]}` does is not known")
    if row.fed and command.fed:
        found.may(f"what `{command.name}` is told may name other machines")
    _add_operands(row.kind, [word for word in operands if word.lower() not in row.plain], found, loose)


def _is_plain(given: str, row: _Row) -> bool:
    """Return whether the value of a doubtful option names no machine: it is listed, or the setting that it begins
    with.
    """
    option, _, setting = given.partition("=")
    name = setting.partition("=")[0].strip().lower() if "=" in setting else "\0"
    return given in row.plain or f"{option}={name}" in row.plain


def _add_operands(kind: str, operands: list[str], found: _Named, loose: bool) -> None:
    match kind:
        case "addresses":
            for word in operands:
                found.add(word)
        case "first":
            for word in operands[:1]:
                found.add(word)
            if "".join(operands[1:2])[:1] == "-":  # `ssh HOST -J OTHER`
                found.may(f"`{shown(operands[1])[:80]}` may name other machines")
        case "machines":
            for place, word in enumerate(operands):
                port = place > 0 and word.isdecimal() and int(word[:9]) < _PORTS
                if not port and word[:1] != "+":
                    found.add(word.removeprefix("@"))
        case "items":  # what follows the address of a request
            second = operands[1:2] if loose or "".join(operands[:1]).isalpha() else []
            for word in (*operands[:1], *(word for word in second if "=" not in word)):
                found.add(f"localhost{word}" if word[:1] == ":" else word)
        case _:  # copies and repositories
            if loose and kind == "place":
                found.may("which of its words names the machine is not known")
            for word in operands if kind == "places" else operands[:1]:
                _add_place(word, found)


def _add_place(word: str, found: _Named) -> None:
    """Add the machine of a place: `host:path`, `user@host:path`, an address; any other place is a file here."""
    known, mark, _ = word.partition("\0")
    if "://" in known:
        found.add(word)
    elif known[:1] in ("/", "."):
        found.here = True
    elif is_remote(known):
        machine = known.rpartition("@")[2] if known.find("@") < known.find(":") else known
        found.add(machine.partition("]")[0] + "]" if machine[:1] == "[" else known.partition(":")[0])
    elif mark and "/" not in known and word[:2] != FOLDER and not _globs(word):
        found.may(f"which machine `{shown(word)[:80]}` names is not known")


def _globs(word: str) -> bool:
    """Return whether nothing in a word is unknown but the names of the files that a pattern stands for."""
    return is_known(word.replace(GLOB, "", 1)) and ":" not in word


def _sorted_out(words: tuple[str, ...], row: _Row) -> tuple[list[tuple[str, str | None]], list[str], list[str], bool]:
    """Sort out the words of a program whose options have no model: options, operands, options that are not listed, and
    whether the first operand may be the value of one.
    """
    options: list[tuple[str, str | None]] = []
    operands: list[str] = []
    strange: list[str] = []
    loose = False
    waiting = list(reversed(words))
    while waiting:
        word = waiting.pop()
        name, equals, value = word.partition("=") if word[:2] == "--" else (word, "", "")
        if word == "--":
            operands += reversed(waiting)
            break
        if word[:1] != "-" or word == "-":
            operands.append(word)
            continue
        if name[:2] != "--" and name not in row.valued and name not in row.plain and name not in row.doubtful:
            letter = next((one for one in name[1:] if f"-{one}" in row.valued), "")
            options += [(f"-{one}", None) for one in name[1:].partition(letter)[0] or name[1:]] if letter else []
            value = name.partition(letter)[2] if letter else ""
            name, equals = (f"-{letter}", value) if letter else (name, "")
        if name not in row.valued | row.plain | row.doubtful:
            strange.append(word)
            loose = loose or not (operands or equals)
        if name in row.valued and not equals and waiting:
            value = equals = waiting.pop()
        options.append((name, value if equals else None))
    return options, operands, strange, loose
