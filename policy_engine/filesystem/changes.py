"""Apply what `ln`, `mv`, `cp` and `mkdir` leave on the disk to the later commands of a line.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.overlay import Entry, Overlay
from policy_engine.filesystem.paths import PathValue, is_systems
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import ABSENT, Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem

_MOST = 64  # changes of one line that are followed
_VALUES = {"ln": "tS", "mv": "tS", "cp": "tS", "mkdir": "mZ"}
_LETTERS = {"--symbolic": "s", "--symbolic-link": "s", "--force": "f", "--no-dereference": "n", "--archive": "a",
            "--recursive": "R", "--no-target-directory": "T", "--relative": "r"}  # fmt: skip
_LONG_VALUES = ("--suffix", "--backup", "--mode", "--context")
CHANGES = frozenset(("ln", "mv", "cp", "mkdir", "gln", "gmv", "gcp", "gmkdir"))


def changed(filesystem: FileSystem, argv: tuple[str, ...], cwd: PathValue | None) -> FileSystem:
    """The filesystem behind a command; the same one if the command makes no links and moves nothing."""
    name = argv[0].rpartition("/")[2]
    name = name[1:] if name[:1] == "g" else name
    options, words, folder = _divided(name, argv[1:])
    if any(not is_known(word) for word in words[1:] or words):
        return filesystem  # where it changes something is not known
    entries = dict(filesystem.entries) if isinstance(filesystem, Overlay) else {}
    base = filesystem.base if isinstance(filesystem, Overlay) else filesystem
    after = Overlay(base, entries)
    place = None if cwd is None else cwd.real
    try:
        if name == "mkdir":
            for word in words:
                _made(after, word, place)
        elif name != "ln" or "s" in options:
            _transferred(after, name, options, words, folder, place)
    except Undecided:
        return filesystem
    return after if entries and len(entries) <= _MOST else filesystem


def changed_by_line(filesystem: FileSystem, line: str, cwd: PathValue | None) -> FileSystem:
    """The filesystem behind a shell line of plain words; the same one if the line makes no links and moves nothing, or
    is more than such words.
    """
    for words in _plain_commands(line):
        if words[:1] == ["cd"]:
            try:
                place = _resolved(filesystem, "".join(words[1:]), None if cwd is None else cwd.real, True)
                cwd = PathValue(place, place)
            except Undecided:
                return filesystem
        elif words and words[0].rpartition("/")[2] in CHANGES:
            filesystem = changed(filesystem, tuple(words), cwd)
    return filesystem


def _plain_commands(line: str) -> list[list[str]]:
    """The commands of a line between `;`, `&&` and line ends, as words; none where the shell would do more with it."""
    commands: list[list[str]] = [[]]
    word: str | None = None
    quote = ""
    for char in line.replace("&&", ";") + ";":
        if char == quote:
            quote = ""
        elif quote == "'" or (quote and char not in "$`\\"):
            word = (word or "") + char
        elif char in "'\"":
            quote, word = char, word or ""
        elif char in " \t;\n":
            commands[-1] += [] if word is None else [word]
            word = None
            commands += [] if char in " \t" else [[]]
        elif char in "$`\\*?[{(|&<>~#" or quote:
            return []
        else:
            word = (word or "") + char
    return [] if quote else commands


def unsure(filesystem: FileSystem, before: FileSystem) -> FileSystem:
    """The filesystem where the changes since an earlier one may not have happened."""
    if filesystem is before or not isinstance(filesystem, Overlay):
        return filesystem
    old = before.entries if isinstance(before, Overlay) else {}
    entries = {
        place: entry if old.get(place) is entry else Entry(entry.link, entry.source, False, entry.gone)
        for place, entry in filesystem.entries.items()
    }
    return Overlay(filesystem.base, entries)


def _divided(name: str, argv: tuple[str, ...]) -> tuple[str, list[str], str | None]:
    """The letters of the options, the operands, and the folder that `-t` names."""
    options, words, folder, waiting = "", list[str](), None, ""
    for place, word in enumerate(argv):
        if waiting:
            folder, waiting = (word if waiting == "t" else folder), ""
        elif word == "--":
            return options, words + list(argv[place + 1 :]), folder
        elif word[:2] == "--":
            key, _, value = word.partition("=")
            options += _LETTERS.get(key, "")
            if key == "--target-directory":
                folder, waiting = value or None, "" if value else "t"
            elif key in _LONG_VALUES and not value:
                waiting = "-"
        elif word[:1] == "-" and len(word) > 1:
            for offset, letter_ in enumerate(word[1:], 1):
                options += letter_
                if letter_ in _VALUES[name]:
                    rest = word[offset + 1 :]
                    if letter_ == "t":
                        folder, waiting = rest or None, "" if rest else "t"
                    elif not rest:
                        waiting = letter_
                    break
        else:
            words.append(word)
    return options, words, folder


def _resolved(filesystem: FileSystem, text: str, cwd: str | None, follow: bool) -> str:
    if cwd is None and text[:1] != "/":
        raise Undecided("the folder is not known")
    return filesystem.resolve(text if text[:1] != "~" else f"./{text}", cwd, follow).real


def _made(after: Overlay, word: str, cwd: str | None) -> None:
    place = _resolved(after, word, cwd, True)
    while place != "/" and after.look(PathValue(place, place)) is ABSENT:
        after.entries[after.folded(place)] = Entry()
        place = place.rpartition("/")[0] or "/"


def _transferred(
    after: Overlay, name: str, options: str, words: list[str], folder: str | None, cwd: str | None
) -> None:
    """`ln -s`, `mv`, `cp`: each source, and where it comes to."""
    if folder is None:
        if len(words) == 1 and name == "ln":
            words, folder = words, "."
        elif len(words) < 2:
            return
        else:
            *words, folder = words
            if "T" in options or not _is_folder(after, folder, cwd, name == "ln" and "n" in options):
                _left(after, name, options, words[0], _resolved(after, folder, cwd, False), cwd)
                return
    for word in words:
        inside = _resolved(after, folder, cwd, True)
        _left(after, name, options, word, f"{inside.rstrip('/')}/{word.rstrip('/').rpartition('/')[2]}", cwd)


def _is_folder(after: Overlay, text: str, cwd: str | None, itself: bool) -> bool:
    """Return whether the last operand is a folder, into which things are put."""
    status = after.look(PathValue(text, _resolved(after, text, cwd, not itself)))
    return text.endswith("/") or (isinstance(status, tuple) and status[0] == "folder")


def _left(after: Overlay, name: str, options: str, word: str, place: str, cwd: str | None) -> None:
    """One change: what stands at `place` behind it."""
    key = after.folded(place)
    there = after.look(PathValue(place, place))
    entry: Entry | None = None
    if name == "ln":
        if there is not ABSENT and "f" not in options:
            return  # it fails
        if not is_known(word):
            entry = Entry("")
        elif "r" in options:
            entry = Entry(_resolved(after, word, cwd, False))
        elif word:
            entry = Entry(word)
    else:
        if not is_known(word):
            return
        source = _resolved(after, word, cwd, False)
        if name == "cp" and is_systems(source) and {"a", "R", "r"}.isdisjoint(options):
            # a copy of a program is that program
            after.entries[key] = Entry(source)
            return
        status = after.look(PathValue(source, source))
        if status is ABSENT or not isinstance(status, tuple):
            return
        mine = after.entries.get(after.folded(source))
        links = name == "mv" or not {"a", "d", "P", "R", "r"}.isdisjoint(options)
        if "s" in options and name == "cp":
            entry = Entry(source)
        elif status[0] == "link" and links:
            same = place.rpartition("/")[0] == source.rpartition("/")[0]
            if mine is not None and mine.link:
                entry = Entry(mine.link)
            else:  # a link's text may say where it leads from the folder that it is in
                entry = Entry(_resolved(after, word, cwd, True) if same else "")
        elif status[0] == "folder" and links:
            entry = Entry(None, source if mine is None or not mine.source else mine.source)
        if name == "mv" and status[0] != "link":
            after.entries[after.folded(source)] = Entry(gone=True)
    if entry is not None:
        before = after.entries.get(key)
        same_link = before is not None and before.link == entry.link
        if isinstance(there, tuple) and there[0] == "link" and not same_link:
            entry = Entry("")  # it may not have been replaced
        after.entries[key] = entry
