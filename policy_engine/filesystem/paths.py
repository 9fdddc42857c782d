"""`PathValue`, and the pure string work on absolute paths; nothing here touches the disk.

Paths are `str` with surrogateescape for bytes that are not UTF-8. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.limits import PATH_BYTES
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class PathValue:
    """A path of an event or a policy.

    `text` as its caller wrote it, `real` the canonical absolute path, `access` one of "read", "write", "delete" or ""
    (only named), `recursive` if everything below is meant too. Two values are equal if `real` is; `str()` gives `text`.
    `part` says what a glob is asked of a recursive one: "" all three values, "any" whether something of it may match,
    "every" whether all of it does.
    `loose` is where a place lies that is not known but for parts of names in it, with marks for those; else "".
    `without` are patterns of names that are left out of what is read below it.
    A place that is not known (`PathValue.unknown`) has everything but `real`, which raises Undecided when it is read.
    Such a value may stand for several paths: `number` is "" for one, "some" for one or more, "any" for none or more,
    "maybe" for one or none. `perhaps` is why nobody knows whether it is touched at all, "" if it is: it counts as
    touched, but for conditions that this would silence (`doubted`).
    """

    __slots__ = ("text", "real", "access", "recursive", "reason", "part", "number", "loose", "without", "perhaps")

    if TYPE_CHECKING:
        real: str
        reason: str

    def __init__(self, text: str, real: str, access: str = "", recursive: bool = False) -> None:
        self.text = text
        self.real = real
        self.access = access
        self.recursive = recursive
        self.part = ""
        self.number = ""
        self.loose = ""
        self.without: tuple[str, ...] = ()
        self.perhaps = ""

    @classmethod
    def unknown(cls, text: str, reason: str, access: str = "", recursive: bool = False, number: str = "") -> PathValue:
        """A path of which only the wording is known, and why; or so many of them."""
        made = cls.__new__(cls)
        made.text = text
        made.access = access
        made.recursive = recursive
        made.reason = reason
        made.part = ""
        made.number = number
        made.loose = ""
        made.without = ()
        made.perhaps = ""
        return made

    def at(self, loose: str) -> PathValue:
        """The same unknown path, of which it is known where it lies but for parts of names."""
        self.loose = loose
        return self

    def leaving_out(self, patterns: tuple[str, ...]) -> PathValue:
        """The same path, below which what fits these patterns is not read."""
        self.without = patterns
        return self

    def __getattr__(self, name: str) -> str:
        """Only `real` of an unknown place comes here."""
        if name == "real":
            raise Undecided(self.reason)
        raise AttributeError(name)

    @property
    def known(self) -> bool:
        """Return whether the place is known."""
        try:
            return bool(self.real)
        except Undecided:
            return False

    @property
    def reaches_below(self) -> bool:
        """Return whether everything below it is touched too. Raises Undecided of unknown paths that may be none."""
        if self.number == "any" and not self.perhaps:
            raise Undecided(self.reason)
        return self.recursive

    @property
    def place(self) -> str:
        """Return where it is, with marks in partly unknown names. Raises Undecided for another unknown place."""
        return self.loose or self.real

    @property
    def any_part(self) -> PathValue:
        """The same path, of which a glob matches any part: itself, or what may lie below if it is recursive."""
        return self._of_part("any")

    @property
    def every_part(self) -> PathValue:
        """The same path, of which a glob matches every part: itself, and all that may lie below if it is recursive."""
        return self._of_part("every")

    def _of_part(self, part: str) -> PathValue:
        made = self.with_access(self.access, self.recursive)
        made.part = part
        return made

    def with_access(self, access: str, recursive: bool = False) -> PathValue:
        """The same path, touched in another way."""
        if self.known:
            made = PathValue(self.text, self.real, access, recursive)
        else:
            made = PathValue.unknown(self.text, self.reason, access, recursive, self.number).at(self.loose)
        made.perhaps = self.perhaps
        return made

    def perhaps_touched(self, reason: str) -> PathValue:
        """The same path, of which nobody knows whether it is touched; itself, where it may stand for none as it is."""
        if self.number == "any":
            return self
        made = self.with_access(self.access, self.recursive).leaving_out(self.without)
        made.perhaps = self.perhaps or reason
        return made

    @property
    def doubted(self) -> PathValue:
        """The same path; as one that stands for none too if nobody knows whether it is touched."""
        if not self.perhaps:
            return self
        made = self.with_access(self.access, self.recursive).leaving_out(self.without)
        made.number = "any" if self.number else "maybe"
        made.reason = self.perhaps if self.known else self.reason
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PathValue) and self.real == other.real

    def __hash__(self) -> int:
        return hash(self.real)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        place = repr(self.real) if self.known else "unknown"
        return f"PathValue({self.text!r}, {place}, {self.access!r}, {self.recursive!r})"


def number_of(member: Any) -> str:
    """Return how many members of a list one stands for: "" itself, "some" one or more, "any" none or more, "maybe" one
    or none.
    """
    return getattr(member, "number", "")


def may_be_none(member: Any) -> bool:
    """Return whether a member of a list may stand for none."""
    return number_of(member) in ("any", "maybe")


def under(real: str, folder: str) -> bool:
    """At or below, by components: `/a/b` is under `/a/b` and `/a`, `/a-evil` is not under `/a`."""
    return real == folder or below(real, folder)


def below(real: str, folder: str) -> bool:
    """Strictly below, by components."""
    return real.startswith("/") and real != "/" if folder == "/" else real.startswith(folder + "/")


def fold(text: str) -> str:
    """A path as a file system compares it that knows no case: those fold the composed and decomposed forms too."""
    if not text.isascii():
        from unicodedata import normalize  # an extension; few paths need it

        text = normalize("NFC", normalize("NFC", text).casefold())
    return text.casefold()


def stream_of(text: str) -> str:
    """Return the number of the stream that a word names, "" if it names none."""
    if text in _STREAMS:
        return _STREAMS[text]
    folder, _, name = text.rpartition("/")
    return name if folder in ("/dev/fd", "/proc/self/fd") and name.isascii() and name.isdecimal() else ""


def read_for_itself(text: str) -> str:
    """Return a path for what depends on who opens it and holds nothing of its own: the standard input, which is judged
    where it comes from, and facts about a process (`/proc/self/status`); "" for other words.
    """
    if text[:1] != "/":
        return ""
    if stream_of(text) == "0":
        return "/dev/fd/63"
    root, proc, *rest = (*text.split("/"), "", "")[:6]
    return f"/proc/{rest[1]}" if (root, proc) == ("", "proc") and rest[2:] == ["", ""] and rest[1] in _FACTS else ""


_FACTS = frozenset(
    "status stat statm cmdline comm limits cgroup mountinfo mounts io oom_score sched schedstat loginuid".split()
)
"""Files of a process below `/proc` that hold no memory, no environment and no other file."""
_STREAMS = {"/dev/stdin": "0", "/dev/stdout": "1", "/dev/stderr": "2"}
OUTPUTS = ("1", "2")
"""Streams for output: what file they are stands in a redirection, unless one opens them for input."""


def components(text: str) -> list[str]:
    """The names between slashes, without empty ones and `.`; `..` stays."""
    return [name for name in text.split("/") if name and name != "."]


def encoded(text: str) -> bytes:
    """The bytes handed to the system. Raises Undecided for an empty path, NUL, lone surrogates, over PATH_BYTES."""
    if not text:
        raise Undecided("a path is empty")
    if "\0" in text:
        raise Undecided("a path contains NUL")
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise Undecided("a path contains a lone surrogate") from None
    if len(data) > PATH_BYTES:
        raise Undecided(f"a path is longer than PATH_BYTES ({PATH_BYTES})")
    return data


def decoded(data: bytes) -> str:
    """The other way round; never fails."""
    return data.decode("utf-8", "surrogateescape")


def absolute_text(text: str, cwd: str | None, home: str | None) -> str:
    """`text` made absolute, still with `..` and links in it.

    `~` and `~/…` stand for `home`. Raises Undecided if `cwd` or `home` is needed and unknown, for `~user`, and for
    paths of another system.
    """
    encoded(text)
    first = text[0]
    if first == "/":
        return text
    if first == "~":
        if text != "~" and text[1] != "/":
            raise Undecided(f"`{text[:80]}` may be another user's home")
        if not home or home[0] != "/":
            raise Undecided("the home folder is not known")
        return home + text[1:]
    if text[1:3] in (":\\", ":/") or text[:2] == "\\\\":
        raise Undecided(f"`{text[:80]}` is a path of another system")
    if cwd is None:
        raise Undecided("`cwd` was not sent")
    if "\0" in cwd:
        raise Undecided("`cwd` contains NUL")
    if cwd[:1] != "/":
        raise Undecided(f"`cwd` `{cwd[:80]}` is a path of another system")
    return f"{cwd}/{text}"


_SYSTEM = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/")


def is_systems(program: str) -> bool:
    """Return whether a program word names a file of the system's own folders, and nothing beside them."""
    return program.startswith(_SYSTEM) and "/.." not in program
