"""`EffectAnalysis`: turn the words of a call into paths and collect what the program would do.

What is certain is told by name, what is not by a doubt with its reason. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.changes import changed, changed_by_line
from policy_engine.filesystem.expansion import A_FILE, expanded
from policy_engine.filesystem.left_out import is_left_out
from policy_engine.filesystem.paths import OUTPUTS, PathValue, read_for_itself, stream_of
from policy_engine.model.effects import ANY, EFFECTS, OpenTuple
from policy_engine.model.partial import ENTRY, FOLDER, GLOB, MANY, ONE, is_known, may_be_option, shown
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.filesystem.file_system import FileSystem


_FIRST, _DEPTH = 16, 3  # names of a folder that are looked at for one file, and folders below one another
_COPYING = frozenset("cp gcp install ginstall ln link mv gmv dd gdd rsync scp".split())
"""Programs whose target holds from then on what they read."""


_SCRATCH = ("/tmp/", "/var/tmp/", "/private/tmp/", "/dev/shm/", "/var/folders/", "/private/var/folders/")


def is_scratch(path: PathValue, filesystem: FileSystem) -> bool:
    """Return whether a place lies below a folder for temporary files; nothing does where the workspace lies there
    itself.
    """
    if not (path.known or path.loose) or not path.place.startswith(_SCRATCH):
        return False
    return filesystem.workspace is None or not filesystem.real_workspace.startswith(_SCRATCH)


def _nothing(line: str, analysis: EffectAnalysis) -> str:
    return ""


def _as_it_was(_: PathValue) -> list[str]:
    """A file that no command of the line has written before."""
    return []


class EffectAnalysis:
    """The place where a program runs, and its effects there.

    `paths` everything it touches, with access; `contents` those whose content it reads, each taken alone; `searched`
    the folders below which it reads all; `mentions` paths that it names without our knowing what for; `runs` files
    that it runs as code; `called` the calls of functions of a file that its code imports, as text; `lines` shell
    lines that it hands to a shell; `guesses` texts that it may hand to one; `rewrites` branches of remotes whose
    history it would change or which it would delete (`*`: all); `informs` that it only tells about itself; `opaque`
    that nothing is known about it;
    `looks` that it reads names and attributes only; `complete` that the model has read every word of this call.
    `waits` that it waits for what a person types, unless it is given its input.
    `unread` why nobody knows what else it names, searches and runs, "" if that is known.
    `settings` is what the call itself configures (`git -c`), by key in small letters; `processes` the numbers of those
    that it acts upon, as written; `feed` the text on the command's standard input, None if nobody knows of one;
    `codes` code that was read; `written` gives the texts that the line put into a file before, if it did;
    `views` by line that it hands on, the disk as code before it has left it; `put_in` why values in texts of a script
    may be more than data, by the mark that ends the text; `told` how the text on its standard input
    names files, as `words` or in `quotes`, "" if it does not.
    """

    __slots__ = (
        "cwd", "filesystem", "name", "env", "paths", "contents", "searched", "mentions", "runs", "called", "lines",
        "words", "doubts", "branches", "branch_doubts",
        "informs", "looks", "opaque", "settings", "guesses", "complete", "waits", "unread", "processes", "feed",
        "codes", "written", "views", "put_in", "told",
    )  # fmt: skip

    names_printed: Callable[[str, EffectAnalysis], str] = staticmethod(_nothing)
    """Gives the names, one a line, that a shell line prints where they are known; the shell's reader sets it."""

    def __init__(self, cwd: PathValue, filesystem: FileSystem, name: str = "", env: tuple[str, ...] = ()) -> None:
        self.cwd = cwd
        self.filesystem = filesystem
        self.name = name
        self.env = {item.partition("=")[0]: item.partition("=")[2] for item in env}
        self.paths: list[PathValue] = []
        self.contents: list[PathValue] = []
        self.searched: list[PathValue] = []
        self.mentions: list[PathValue] = []
        self.runs: list[PathValue] = []
        self.called: dict[str, list[str]] = {}
        self.lines: list[str] = []
        self.guesses: list[str] = []
        self.words: dict[str, None] = {}
        self.doubts: dict[str, str] = {}
        self.branches: list[str] = []
        self.branch_doubts: dict[str, str] = {}
        self.informs = False
        self.looks = False
        self.settings: dict[str, list[str]] = {}
        self.opaque = False
        self.complete = False
        self.waits = False
        self.unread = ""
        self.processes: list[str] = []
        self.feed: str | None = None
        self.codes: list[str] = []
        self.views: dict[str, FileSystem] = {}
        self.put_in: dict[str, str] = {}
        self.told = ""
        self.written: Callable[[PathValue], list[str]] = _as_it_was

    def path(
        self, text: str, access: str, recursive: bool = False, follow: bool = True, opened: bool = False
    ) -> PathValue:
        """A word as a path; without `follow` a link in the last place is meant itself, `opened` makes no folder on the
        way. Unknown if it cannot be had."""
        if text.startswith(f"/dev/fd/{ONE}") or (access == "write" and stream_of(text) in OUTPUTS):
            # the pipe of a process substitution, or a stream: what file that is stands in a redirection
            return PathValue(shown(text), "/dev/fd/63", access)
        if access == "read" and self.name not in _COPYING and (known := read_for_itself(text)):
            return PathValue(shown(text), known, access)
        if text[:2] == FOLDER and not (access == "delete" and recursive):
            text = text[2:]
        if not is_known(text):
            reason = f"what `{shown(text)[:80]}` stands for is not known"
            number = "any" if text[:1] == "\0" and may_be_option(text) else "some" if MANY in text else ""
            return PathValue.unknown(shown(text), reason, access, recursive, number).at(self._loose(text, opened))
        if not self.cwd.known and (text[:1] != "/" or "another" in self.cwd.reason):
            return PathValue.unknown(text, self.cwd.reason, access, recursive)
        # The shell has expanded `~` already: what is left of it in a word is a file's name.
        text = f"./{text}" if text[:1] == "~" else text
        try:
            place = self.cwd.real if text[:1] != "/" else None
            path = self.filesystem.resolve(text, place, follow)
            return path.with_access(access, recursive and not self._is_single(path, access))
        except Undecided as unknown:
            return PathValue.unknown(text, unknown.reasons[0], access, recursive)

    def _is_single(self, path: PathValue, access: str) -> bool:
        """Return whether nothing lies below what is read, or deleted in the workspace: there is a plain file."""
        inside = access == "read" or (access == "delete" and bool(self.filesystem.relative(path)))
        return inside and self.is_file(path)

    def is_file(self, path: PathValue) -> bool:
        """Return whether there is a plain file, below which nothing lies."""
        try:
            status = self.filesystem.look(path)
        except Undecided:
            return False
        return isinstance(status, tuple) and status[0] == "file"

    def _loose(self, text: str, opened: bool) -> str:
        """Return where a path lies of which parts of names are not known; "" if more of it is not."""
        try:
            return self.filesystem.loose(text, self.cwd.real if text[:1] != "/" else None, opened)
        except Undecided:
            return ""

    def expand(self, words: list[str]) -> list[str]:
        """The words with those that are patterns replaced by the names that are there now."""
        if not any(GLOB in word for word in words):
            return words
        return [one for word in words for one in expanded(word, self.cwd, self.filesystem)]

    def unknown(self, text: str, reason: str, access: str, recursive: bool = False) -> PathValue:
        """The places, at least one, that the program touches and nobody can name."""
        return PathValue.unknown(text, reason, access, recursive, "some")

    def may_touch(self, text: str, reason: str, access: str, recursive: bool = False) -> PathValue:
        """The places that the program perhaps touches, none or many."""
        return PathValue.unknown(text, reason, access, recursive, "any")

    def is_folder(self, path: PathValue) -> bool:
        """Return whether a folder is there now; false where that cannot be known."""
        if not path.known:
            return False
        status = self.filesystem.look(path)
        return isinstance(status, tuple) and status[0] == "folder"

    def may_hold(self, path: PathValue) -> bool:
        """Return whether a folder is there now, or may be one in a test that did not make it."""
        return self.is_folder(path) or (path.known and self.filesystem.may_be_folder(path))

    def first_below(self, path: PathValue) -> list[PathValue]:
        """Return a file below a folder whose name hides nothing, which a search reads whatever it leaves out."""
        if path.known and self.filesystem.may_be_folder(path):
            return [self.path(f"{path.real}/{A_FILE}", "read")]
        for _ in range(_DEPTH):
            if not self.is_folder(path):
                break
            try:
                names = [name for name in self.filesystem.names(path) if name[:1] != "."]
            except Undecided:
                break
            below = [self.path(f"{path.real}/{name}", "read") for name in names[:_FIRST]]
            files = [one for one in below if self.is_file(one)]
            if files or not below:
                return files[:1]
            path = below[0]
        return []

    def text_in(self, path: PathValue, most: int) -> str | None:
        """Return the text of a file as the line has written it before, or as it is now; None if it is not known.

        `most`: the bytes up to which a file is read.
        """
        try:
            if not path.known:
                return None
            texts = self.written(path)
            if texts:
                return texts[0] if len(texts) == 1 and is_known(texts[0]) else None
            return self.filesystem.script(path, most)
        except Undecided:
            return None

    def fed_names(self) -> list[str] | None:
        """The names on the standard input, a line each; None where nobody knows them."""
        return self.feed.split() if self.feed is not None and is_known(self.feed) else None

    def has(self, text: str) -> bool:
        """Return whether a file is there now, true where that cannot be known."""
        try:
            return self.filesystem.present(self.filesystem.resolve(text, self.cwd.real))
        except Undecided:
            return True

    def unpacks(self, archive: str, folder: str = "") -> list[PathValue]:
        """Return what an archive puts below a folder, or where the program runs: files of any name, over those that
        are there.

        In the workspace itself any of its files may be among them; a folder below it is written as a whole.
        """
        place = self.path(folder or ".", "write")
        if not place.known and is_scratch(place, self.filesystem):
            return [place.with_access("write", True)]
        try:
            inside = self.filesystem.relative(place) if place.known else ""
        except Undecided:
            inside = ""
        if inside == "":
            return [self.unknown(archive, f"which files `{shown(archive)[:80]}` holds is not known", "write"), place]
        return [place.with_access("write", self.is_folder(place))]

    def arrival(self, source: str, folder: str) -> str:
        """Return where `mv` or `cp` puts a source within a folder."""
        name, folder = source.rstrip("/").rpartition("/")[2], folder.rstrip("/") or folder
        if name in ("", ".."):
            return f"{folder}/{ONE}"
        if name == "." or not is_known(name):
            return f"{folder}/{ENTRY}"  # each name in it, or the last name of what is there
        return f"{folder}/{name}"

    def fetched(self, sources: list[str], target: str, deep: bool, whole: bool = False) -> list[PathValue]:
        """Return what copies from elsewhere write: the target, or in a folder that is there each source under its own
        name; `whole`: what the sources hold.
        """
        place = self.path(target, "write", deep)
        if not self.is_folder(place):
            return [place]
        names = dict.fromkeys(text.rpartition(":")[2] for text in sources)
        if whole or any(mark in name for name in names for mark in "*?[{"):
            return self.unpacks(sources[0], target)
        return [self.path(self.arrival(name, target), "write", deep) for name in names]

    def send(self, paths: list[PathValue]) -> None:
        """It hands these files and folders to others: each file that lies below a folder now counts by itself."""
        if paths:
            self.does("sends", "network")
        for path in paths:
            self.contents.append(path.with_access("read", not path.known))
            try:
                below = self.filesystem.files_below(path) if path.recursive and path.known else []
                self.contents += [PathValue(real, real, "read") for real in below]
            except Undecided:
                self.contents.append(path)

    def does(self, *words: str) -> None:
        """It certainly has these effects."""
        for word in words:
            assert word in EFFECTS, word
            self.words[word] = None

    def formats(self, words: list[str]) -> list[PathValue]:
        """Return what it formats, overwrites or partitions: a device, or an image in a file, which is only written."""
        paths = [self.path(word, "write") for word in words]
        for word, path in zip(words, paths):  # noqa: B905 - as long as each other
            if word[:5] == "/dev/" or (path.known and path.real.startswith("/dev/")):
                self.does("formats")
            elif not path.known:
                self.doubt("formats", f"which device `{shown(word)[:80]}` is, is not known")
        return paths

    def doubt(self, word: str, reason: str) -> None:
        """It may have this effect (`*`: any)."""
        assert word == ANY or word in EFFECTS, word
        self.doubts.setdefault(word, reason)

    def fear(self, reason: str, worst: str | None = None) -> None:
        """It may do anything, or all that `worst` names: effects, and `reads`, `writes`, `deletes`, `rewrites`."""
        if worst is None:
            self.doubt(ANY, reason)
            return
        for word in worst.split():
            if word == "rewrites":
                self.may_rewrite(reason)
            elif word in ("writes", "deletes"):
                self.paths.append(self.may_touch(self.name, reason, word[:-1], True))
            elif word == "reads":
                self.contents.append(self.may_touch(self.name, reason, "read", True))
            else:
                self.doubt(word, reason)

    def fear_all(self, text: str, reason: str) -> None:
        """It may do anything, and touch anything in any way."""
        self.doubt(ANY, reason)
        self.paths += [self.may_touch(text, reason, access, True) for access in ("read", "write", "delete")]
        self.contents.append(self.may_touch(text, reason, "read", True))
        self.unread = reason

    def rewrites(self, branch: str) -> None:
        """It changes the history of a remote's branch, or deletes it; `*` for all branches."""
        self.branches.append(branch)

    def may_rewrite(self, reason: str) -> None:
        """It may change the history of some remote's branch."""
        self.branch_doubts.setdefault(ANY, reason)

    def run(self, text: str) -> PathValue:
        """A file that it runs as code, which it reads for that."""
        path = self.path(text, "read")
        self.runs.append(path)
        self.does("executes")
        if text in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            self.does("executes-input")
        return path

    def loads(self, names: list[str]) -> None:
        """Files that it loads as code before it starts, if they are there or the line writes them."""
        for name in names:
            path = self.path(name, "read")
            if path.known and (self.filesystem.present(path) or self.written(path)):
                self.run(name)

    def script(self, operands: list[str]) -> list[PathValue]:
        """The program of an interpreter: its first operand, or what it reads where that names none."""
        if operands[:1] in ([], ["-"], ["/dev/stdin"]):
            self.does("executes-input", "executes")
            return []
        if not is_known(operands[0]):
            self.does("executes-input")
        return [self.run(operands[0])]

    def each_line(self, operands: list[str], coded: bool, in_place: bool) -> list[PathValue]:
        """Return what `-n`, `-p` and `-i` of an interpreter read, and write in place: the operands behind its
        script.
        """
        scripts, files = ([], operands) if coded else (self.script(operands), operands[1:])
        access = ("read", "write") if in_place else ("read",)
        return scripts + [self.path(text, way) for text in files for way in access]

    def signals(self, process: str) -> None:
        """It acts upon the process of that number: ends it, stops it, looks into it."""
        self.does("kills")
        self.processes.append(process)

    def relocate(self, program: str, source: str, target: str) -> None:
        """It makes a link at a place (`ln`), or moves something there (`mv`): what it names from then on is looked for
        as it lies then.
        """
        options = "-sT" if program == "ln" else "-T"
        folder = self.cwd if self.cwd.known else None
        self.filesystem = changed(self.filesystem, (program, options, "--", source, target), folder)

    def shell(self, line: str) -> None:
        """A line that it hands to a shell."""
        self.lines.append(line)
        self.views[line] = self.filesystem
        self.filesystem = changed_by_line(self.filesystem, line, self.cwd if self.cwd.known else None)
        self.does("executes")

    def mention(self, text: str) -> None:
        """A word that may be a path, of a program that is not known well enough."""
        if self.cwd.known or "another" not in self.cwd.reason:  # what lies elsewhere is not this machine's
            self.mentions.append(self.path(text, ""))

    def finish(self, looks: bool, start: int = 0) -> None:
        """Sort the reads out when the model has played, from the path of that number on."""
        for path in self.paths[start:]:
            if path.access == "read" and not looks and not self.looks and not self._elsewhere(path):
                self.contents += [path.with_access("read"), *self.other_names(path)]
                if path.recursive:
                    self.searched.append(path)

    def _elsewhere(self, path: PathValue) -> bool:
        """Return whether it is a script that is run on another file system, whose content tells nothing about this
        one.
        """
        return not path.known and "another" in path.reason and any(path is one for one in self.runs)

    def other_names(self, path: PathValue) -> list[PathValue]:
        """Return the path's other names, touched in the same way."""
        if not path.known or (path.recursive and path.access == "read"):  # what lies below is looked at itself
            return []
        linked = self.filesystem.linked_names(path)
        names = [PathValue(path.text, name, path.access, path.recursive) for name in linked]
        if path.access not in ("read", "write") or (path.recursive and path.access != "write"):
            return names
        try:
            return names + [PathValue(path.text, real, path.access) for real in self.filesystem.hard_links(path)]
        except Undecided as unknown:
            return [PathValue.unknown(path.text, unknown.reasons[0], path.access)]

    def perhaps(self, reason: str, sure: list[PathValue]) -> None:
        """Nobody knows whether it touches its paths, but for those that are `sure`."""
        for name in ("paths", "contents", "searched", "mentions", "runs"):
            paths: list[PathValue] = getattr(self, name)
            paths[:] = [path if any(path is one for one in sure) else path.perhaps_touched(reason) for path in paths]

    def untracked(self) -> list[str]:
        """Return the hidden names in its folder that the index of git does not know; the folder if nobody can say."""
        try:
            known = self.filesystem.read(self.filesystem.resolve(".git/index", self.cwd.real))
            names = [name for name in self.filesystem.names(self.cwd) if name[:1] == "." and name != ".git"]
        except Undecided:
            return ["."]
        return [name for name in names if not isinstance(known, bytes) or name.encode(errors="replace") not in known]

    def with_unread(self, paths: list[PathValue], access: str = "read") -> tuple[PathValue, ...]:
        """The paths, and those that it may name, search or run beside them."""
        return (*paths, self.may_touch(shown(self.name), self.unread, access, True)) if self.unread else tuple(paths)

    def files_searched(self) -> tuple[PathValue, ...]:
        """The files below the searched folders; an unknown one for a folder that cannot be listed."""
        paths: list[PathValue] = []
        for folder in self.searched:
            try:
                files = self.filesystem.files_below(folder)
                if folder.without:
                    files = [real for real in files if not is_left_out(real, folder.real, folder.without)]
                below = [PathValue(real, real, "read") for real in files]
                paths += [path.perhaps_touched(folder.perhaps) for path in below] if folder.perhaps else below
            except Undecided as unknown:
                paths.append(self.may_touch(folder.text, unknown.reasons[0], "read"))
        return self.with_unread(paths)

    @property
    def effects(self) -> OpenTuple:
        """The effect words, and the doubts about others."""
        return OpenTuple.of(self.words, self.doubts)

    @property
    def rewritten(self) -> OpenTuple:
        """The branches, and the doubts about others."""
        doubts = self.branch_doubts or ({ANY: self.doubts[ANY]} if ANY in self.doubts else {})
        return OpenTuple.of(self.branches, doubts)

    def absorb(self, other: EffectAnalysis) -> None:
        """Add the effects of a command that it starts."""
        self.paths += other.paths
        self.contents += other.contents
        self.searched += other.searched
        self.mentions += other.mentions
        self.runs += other.runs
        for file, calls in other.called.items():
            self.called.setdefault(file, []).extend(calls)
        self.unread = self.unread or other.unread
        self.words.update(other.words)
        self.waits = self.waits or other.waits
        for word, reason in other.doubts.items():
            self.doubts.setdefault(word, reason)
        self.branches += other.branches
        self.processes += other.processes
        for word, reason in other.branch_doubts.items():
            self.branch_doubts.setdefault(word, reason)
