"""The names that `git ls-files`, `git diff --name-only`, `grep -l`, `ls` and their kin print.

They name some of the files that are there now: all of them stand for those, unless one is hidden, which more guards
care for. What git prints of the work tree is in its index. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import under
from policy_engine.model.partial import GLOB, MANY, ONE, is_known, may_be_option
from policy_engine.model.undecided import Undecided
from policy_engine.programs.find_expression import MOST_FILES
from policy_engine.programs.invocation import verb_place
from policy_engine.shell.name_lists import leaves_files
from policy_engine.shell.wrapping_lists import fd_names, found_words
from policy_engine.shell.wrapping_words import options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.shell.command import SimpleCommand

_GREP = ("efmABCdDgtTj", ("regexp", "file", "max-count", "include", "exclude", "exclude-dir", "glob", "type", "color"))
_LISTS = frozenset("lL")
_FORMATTERS = {
    "gofmt": {"-l"},
    "gofumpt": {"-l"},
    "goimports": {"-l"},
    "prettier": {"-l", "--list-different"},
    "shfmt": {"-l", "-f"},
}
"""By formatter: the flags with which it prints the names of files that it would change."""
NONE = "what-is-listed"  # the name of a file that is listed, where none is there now
_SEES_HIDDEN = frozenset(("-.", "--hidden", "-u", "-uu", "-uuu", "--unrestricted", "--no-ignore"))
# Verbs of git that print names: the flags that leave it at that, and what makes them print names and nothing else.
_FILTERS = (
    "-z -r --cached --staged --no-renames -M --merge-base --no-commit-id --root --relative --name-only --no-pager"
)
_GIT = {
    "ls-files": ("-z -c --cached -m --modified -d --deleted -o --others --exclude-standard", ()),
    "ls-tree": ("-z -r --name-only", ("-r", "--name-only")),
    "diff": (_FILTERS, ("--name-only",)),
    "diff-index": (_FILTERS, ("--name-only",)),
    "diff-files": (_FILTERS, ("--name-only",)),
    "diff-tree": (_FILTERS, ("--name-only", "--no-commit-id", "-r")),
    "show": (_FILTERS, ("--name-only", "--format=")),
    "log": (_FILTERS, ("--name-only", "--format=")),
}
_OTHERS = frozenset(("-o", "--others"))
_SHORT = frozenset(("-s", "--short", "--porcelain", "--porcelain=v1"))  # of `git status`: one line a file
_UNTRACKED = ("-u", "--untracked-files")
_MODIFIED = frozenset(("-m", "--modified", "-d", "--deleted"))
_LEAVES_HEAD = frozenset(
    (*_GIT, *"grep status rev-parse merge-base rev-list describe add fetch branch tag config".split())
)
_QUIET = _LEAVES_HEAD - {"add", "config"}
_STAYS = _QUIET | {"add", "commit", "push"}
_SHOWN = (
    ("git", "branch", "--show-current"),
    ("git", "rev-parse", "--abbrev-ref", "HEAD"),
    ("git", "symbolic-ref", "--short", "HEAD"),
)
"""Calls of git that print the branch that is checked out."""
_ADDS = frozenset(("add", "stage", "update-index"))
_PRINTED_FROM_HERE = ("ls-files", "ls-tree", "grep")  # the others print names from the repository's folder on


def names_listed(command: SimpleCommand) -> str:
    """Return the names, one a line, each with what else the line holds; "" if it lists none or they are not known."""
    name, words = command.argv[0].rpartition("/")[2], list(command.argv[1:])
    if name == "git":
        while words[:1] == ["--no-pager"]:
            words.pop(0)
        return _of_git(command, words)
    if name == "ls":
        return _of_ls(command, words)
    if name in ("fd", "fdfind") and not {"-x", "-X", "--exec", "--exec-batch", "-l"} & set(words):
        names = fd_names(words, _folder(command), command.filesystem)
        return "\n".join(names) if all(is_known(word) for word in names) else ""
    if name in _FORMATTERS and _FORMATTERS[name] & set(words):
        return _below(command, [word for word in words if word[:1] != "-"], True)
    if name not in ("grep", "egrep", "fgrep", "rg", "ag"):
        return ""
    if command.feed is not None and "xargs" not in command.via:
        return ""  # it searches what it is given
    places, tail, included = _searched(name, words)
    if not places or any(word[:1] == "-" for word in places):
        return ""
    if all(GLOB in word for word in places):
        return "" if tail else "\n".join(places)
    below = _below(command, places, name in ("rg", "ag") and not _SEES_HIDDEN & set(words), included)
    return below.replace("\n", f"{tail}\n") + tail if below else ""


def _folder(command: SimpleCommand) -> PathValue | None:
    try:
        return command.cwd
    except Undecided:
        return None


# ---- git -------------------------------------------------------------------------------------------------------------


def _of_git(command: SimpleCommand, words: list[str]) -> str:
    """Return what a verb of git prints of the names in its index as it is now.

    A name that begins with `-`, or has such a word in it, may be an option to what reads it.
    """
    verb, words = (words[0], words[1:]) if words else ("", [])
    cut = words.index("--") if "--" in words else len(words)
    patterns, flags, tail, needed = words[cut + 1 :], words[:cut], "", ""
    if verb == "status":
        return _status(command, flags, patterns)
    if verb == "grep":
        listed = _grepped(flags)
        if listed is None:
            return ""
        tail, needed = listed
    else:
        places = _listed(verb, flags)
        if places is None:
            return ""
        patterns = [*places, *patterns]
    if any(not is_known(word) or _is_odd(word) for word in patterns):
        return ""
    if verb == "ls-files" and not _OTHERS.isdisjoint(flags):
        return _others(command, flags, patterns)
    names = _tracked(command, verb in _PRINTED_FROM_HERE or "--relative" in flags)
    if names is None:
        return _below(command, patterns, False) if patterns and "." not in patterns else ""
    if any(part[:1] == "-" for name in names for part in name.split()):
        return ""
    added = _added(command)
    if added is None:
        return ""
    names = list(dict.fromkeys((*names, *added)))
    names = [name for name in names if not patterns or any(_fits(name, pattern) for pattern in patterns)]
    if verb == "grep":
        names = [name for name in names if not _is_hidden(name) or _may_hold(command, name, needed)]
    elif _differs(verb, flags) and any(_in_hidden_folder(name) for name in names):
        printed = None if _moves_head(command) else _printed(command, verb, flags)
        names = [
            one for one in names if not _in_hidden_folder(one) or printed is None or one in printed or one in added
        ]
    if len(names) > MOST_FILES:
        tops = {name.partition("/")[0]: "/" in name for name in names}
        names = [f"{top}/{GLOB}**" if rest else top for top, rest in tops.items()]
    names = names or [pattern.rstrip("/*") + "/what-is-listed" if pattern[-1:] in "/*" else pattern.replace("*", NONE)
                      for pattern in patterns] or [NONE]  # fmt: skip
    return "\n".join(f"{name}{tail}" for name in names)


def _status(command: SimpleCommand, flags: list[str], patterns: list[str]) -> str:
    """Return the lines of `git status --short` as they are now: two letters, a blank and a name, or two."""
    given = [flag for flag in flags if flag not in _SHORT and flag[:1] == "-"]
    places = [*(flag for flag in flags if flag[:1] != "-"), *patterns]
    plain = all(is_known(word) and not _is_odd(word) for word in places)
    if len(given) + len(places) == len(flags) + len(patterns) or not plain or _changes_files(command, _QUIET):
        return ""
    if any(not flag.startswith(_UNTRACKED) and flag not in ("-z", "--no-renames") for flag in given):
        return ""
    try:
        repository = command.filesystem.repository()
        if command.cwd.real != repository.root:
            return ""
        asked = [flag for flag in given if flag != "-z"]
        output = repository.ask("status", "--porcelain=v1", *asked, "--", *places)
    except Undecided:
        return ""
    lines = output.decode("utf-8", "surrogateescape").splitlines()
    odd = any('"' in line or any(part[:1] == "-" and part != "->" for part in line[3:].split()) for line in lines)
    return "" if odd or len(lines) > MOST_FILES else "\n".join(lines or [f"?? {NONE}"])


def _others(command: SimpleCommand, flags: list[str], patterns: list[str]) -> str:
    """Return the names that `git ls-files -o` prints now, where nothing before it on the line makes more."""
    printed = None if _changes_files(command, _QUIET | _ADDS) else _printed(command, "ls-files", flags)
    names = [name for name in printed or () if name and (not patterns or any(_fits(name, one) for one in patterns))]
    odd = any(part[:1] == "-" for name in names for part in name.split())
    return "" if printed is None or odd or len(names) > MOST_FILES else "\n".join(sorted(names) or [NONE])


def _changes_files(command: SimpleCommand, verbs: frozenset[str]) -> bool:
    """Return whether a command before it may make or change a file, other than by one of these verbs of git."""
    return any(
        not leaves_files(one) and not (one.name == "git" and _verb(one) in verbs and not one.redirects)
        for one in command.before
    )


def checked_out(command: SimpleCommand) -> str:
    """Return the branch that is checked out where a command asks for it, "" where one before it may change that."""
    renames = any(one.name == "git" and _verb(one) == "branch" and one.argv != _SHOWN[0] for one in command.before)
    try:
        repository = command.filesystem.repository()
        inside = command.cwd.real == repository.root and not command.env
        if command.argv not in _SHOWN or renames or not inside or _changes_files(command, _STAYS):
            return ""
        return repository.branch()
    except Undecided:
        return ""


def _grepped(words: list[str]) -> tuple[str, str] | None:
    """Return what follows a name on a line of `git grep`, and a text that each such file has in it."""
    options = options_of(words, "efABCm", ("max-depth", "max-count", "threads", "context"))
    if options is None or len(options.rest) + options.has("-e", "-f") != 1:
        return None
    letters = {letter for flag in options.flags if flag[:2] != "--" for letter in flag[1:]}
    if letters & set("hOcoqAW") or options.has("--no-index", "--untracked", "--open-files-in-pager", "--count"):
        return None
    patterns = [*options.rest, *(value for option, value in options.pairs if option == "-e")]
    plain = len(patterns) == 1 and not letters & {"v", "L"} and not options.has("-f", "--not", "--or")
    names_only = letters & _LISTS or options.has("--name-only", "--files-with-matches")
    return "" if names_only else f":{ONE}", _literal(patterns[0]) if plain else ""


def _listed(verb: str, flags: list[str]) -> list[str] | None:
    """Return the places that a verb is asked for before `--`; None if it prints more than names."""
    if verb not in _GIT:
        return None
    allowed, needed = _GIT[verb]
    given = {"--format=" if flag in ("--pretty=format:", "--pretty=", "--format=format:") else flag for flag in flags}
    operands = [word for word in flags if word[:1] != "-"]
    plain = {flag for flag in given if flag[:1] == "-" and not flag.startswith("--diff-filter=")}
    counts = {flag for flag in plain if flag[1:].isdecimal()}
    if (
        plain - {*allowed.split(), *needed} - counts
        or not given.issuperset(needed)
        or any(map(may_be_option, operands))
    ):
        return None
    return operands if verb == "ls-files" else operands[1:] if verb == "ls-tree" else []


def _tracked(command: SimpleCommand, from_here: bool) -> list[str] | None:
    """Return the names in the index of the repository, from its folder or from the command's own; None if unknown."""
    filesystem = command.filesystem
    try:
        here = command.cwd.real
        top = here
        while not filesystem.present(filesystem.resolve(f"{top.rstrip('/')}/.git", None)):
            if top == "/":
                return None
            top = top.rpartition("/")[0] or "/"
        data = filesystem.read(filesystem.resolve(f"{top.rstrip('/')}/.git/index", None))
    except Undecided:
        return None
    names = _names(data) if isinstance(data, bytes) else []
    if names is None or not from_here:
        return names
    begin = f"{here[len(top) :].strip('/')}/".lstrip("/")
    return [name[len(begin) :] for name in names if name.startswith(begin)]


def _in_hidden_folder(name: str) -> bool:
    return "/." in "/" + name.rpartition("/")[0]


def _printed(command: SimpleCommand, verb: str, flags: list[str]) -> frozenset[str] | None:
    """Ask git which names it prints now, from the repository's folder on; None if that cannot be known.

    The commands before this one may change more: guards are asked about what those change by themselves.
    """
    asked = [flag for flag in flags if flag not in ("-z", "--relative", "--no-pager")]
    try:
        repository = command.filesystem.repository()
        if not all(map(is_known, flags)) or not under(command.cwd.real, repository.root):
            return None
        if verb == "ls-files" and command.cwd.real != repository.root:
            return None  # it prints names from the folder on
        plain = () if verb == "ls-files" else ("--no-ext-diff", "--no-textconv")
        output = repository.ask(verb, "-z", *plain, *asked, "--")
    except Undecided:
        return None
    return frozenset(output.decode("utf-8", "surrogateescape").replace("\n", "\0").split("\0"))


def _added(command: SimpleCommand) -> frozenset[str] | None:
    """Ask git which names the commands before this one may add to its index; None if that cannot be known."""
    adding = [one.argv for one in command.before if one.name == "git" and not _ADDS.isdisjoint(one.argv)]
    if not adding:
        return frozenset()
    ignored_too = any("add" not in words or any(_may_force(word) for word in words) for words in adding)
    try:
        repository = command.filesystem.repository()
        if command.cwd.real != repository.root:
            return None
        output = repository.ask("ls-files", "-m", "-o", "-z", *(() if ignored_too else ("--exclude-standard",)))
    except Undecided:
        return None
    return frozenset(output.decode("utf-8", "surrogateescape").split("\0")[:-1])


def _may_force(word: str) -> bool:
    return not is_known(word) or word[:4] == "--fo" or (word[:1] == "-" != word[1:2] and "f" in word)


def _is_odd(pattern: str) -> bool:
    """Return whether a pathspec is more than a place, or a name with `*` in it."""
    return pattern[:1] == ":" or any(char in pattern for char in "?[\\")


def _fits(name: str, pattern: str) -> bool:
    """Return whether a pathspec finds a name; a `*` of it stands for any characters, `/` too."""
    place = pattern.removeprefix("./").rstrip("/")
    if "*" not in place:
        return place in ("", ".", name) or name.startswith(f"{place}/")
    begin, *middle, end = place.split("*")
    if not name.startswith(begin) or len(name) < len(begin) + len(end) or not name.endswith(end):
        return False
    left = name[len(begin) : len(name) - len(end)]
    for part in filter(None, middle):
        if part not in left:
            return False
        left = left.partition(part)[2]
    return True


def _differs(verb: str, flags: list[str]) -> bool:
    """Return whether a verb prints the names of what differs, and not all that are tracked."""
    return verb not in _PRINTED_FROM_HERE or (verb == "ls-files" and not _MODIFIED.isdisjoint(flags))


def _moves_head(command: SimpleCommand) -> bool:
    """Return whether a command of git before it may have what differs be other files than now."""
    return any(one.name == "git" and _verb(one) not in _LEAVES_HEAD for one in command.before)


def _verb(command: SimpleCommand) -> str:
    return command.argv[place] if (place := verb_place(command.argv) or 0) < len(command.argv) else ""


def _names(index: bytes) -> list[str] | None:
    """Return the names in an index of git; None unless it is of version 2 or 3, with object names of 20 bytes."""
    version, count = int.from_bytes(index[4:8], "big"), int.from_bytes(index[8:12], "big")
    if index[:4] != b"DIRC" or version not in (2, 3):
        return None
    names, place = [], 12
    for _ in range(count):
        flags = int.from_bytes(index[place + 60 : place + 62], "big")
        start = place + (64 if version == 3 and flags & 0x4000 else 62)
        end = index.find(b"\0", start)
        if end < start or min(end - start, 0xFFF) != flags & 0xFFF:
            return None
        names.append(index[start:end].decode("utf-8", "replace"))
        place += (end - place + 8) & ~7
    return names


def _literal(pattern: str) -> str:
    """Return a text that each line has in it that the pattern fits; "" if there is none."""
    if not is_known(pattern) or "|" in pattern:
        return ""
    for special in "*?{":
        before, special_found, rest = pattern.partition(special)
        pattern = f"{before[:-1]} {rest}" if special_found else before
    words = "".join(char if char.isalnum() or char in "_-/=" else " " for char in pattern).split()
    return max(words, key=len, default="")


def _may_hold(command: SimpleCommand, name: str, text: str) -> bool:
    """Return whether a file of the work tree may have the text in it, in letters of either case."""
    try:
        data = command.filesystem.read(command.filesystem.resolve(name, command.cwd.real))
    except Undecided:
        return True
    return isinstance(data, bytes) and text.lower().encode() in data.lower()


# ---- ls --------------------------------------------------------------------------------------------------------------


def _of_ls(command: SimpleCommand, words: list[str]) -> str:
    """Return the names that `ls` prints, hidden ones only with `-a` or `-A`; "" for a long listing."""
    options = options_of(words, "", ())
    folder = _folder(command)
    if options is None or folder is None or not folder.known:
        return ""
    letters = {letter for flag in options.flags for letter in flag[1:]}
    if not letters <= set("1tSrucdAaUvX") or any(word[:1] == "-" for word in options.rest):
        return ""
    filesystem, names = command.filesystem, []
    try:
        for word in options.rest or ["."]:
            if not is_known(word):
                # of a folder that a pattern finds the names in it are printed
                if not is_known(word.replace(GLOB, "")) or ("d" not in letters and "." not in word.rpartition("/")[2]):
                    return ""
                names.append(word)
                continue
            place = filesystem.resolve(word, folder.real)
            inside = [] if "d" in letters else filesystem.names(place)
            names += [name for name in inside if name[:1] != "." or letters & {"a", "A"}]
            if "d" in letters or (not inside and word.strip("./") and filesystem.present(place)):
                names.append(word)
    except Undecided:
        return ""
    return ("\n".join(names) or f"{GLOB}{NONE}") if len(names) <= MOST_FILES else ""


# ---- grep ------------------------------------------------------------------------------------------------------------


def _searched(name: str, words: list[str]) -> tuple[list[str], str, list[str]]:
    """Return the files and folders in which a search looks that prints names, what follows a name on its line, and the
    patterns for names to which it keeps.
    """
    flags, operands, included = [], [], []
    waiting = list(words)
    while waiting:  # options stand behind operands too
        options = options_of(waiting, *_GREP)
        if options is None:
            return [], "", []
        flags += [*options.flags, *(option for option, _ in options.pairs)]
        included += [value for option, value in options.pairs if option == "--include"]
        operands += options.rest[:1]
        waiting = options.rest[1:]
    short = {letter for flag in flags if flag[:2] != "--" for letter in flag[1:]}
    if name == "rg" and "--files" in flags:
        return operands or ["."], "", []
    given = {"-e", "-f", "--regexp", "--file"}.intersection(flags)
    places = operands[0 if given else 1 :]
    if short & _LISTS or any(flag.startswith("--files-with") for flag in flags):
        here = places or (["."] if name in ("rg", "ag") or short & set("rR") else [])
        return here, "", included
    deep = name in ("rg", "ag") or short & set("rR") or "--recursive" in flags
    lines = not short & set("hcoqIbZ0ABC") and not any(
        flag.startswith(("--no-", "--count", "--json")) for flag in flags
    )
    return (places or ["."], f":{ONE}", included) if deep and lines else ([], "", [])


def _is_hidden(name: str) -> bool:
    return "/." in "/" + name.removeprefix("./")


def _below(command: SimpleCommand, places: list[str], skips_hidden: bool, included: Sequence[str] = ()) -> str:
    """The files at or below places that are there, of which one pattern finds the name; "" if one that is searched is
    hidden, or a place is outside.
    """
    filesystem = command.filesystem
    try:
        cwd = command.cwd
        starts = [filesystem.resolve(place, cwd.real) for place in places if is_known(place)]
        if len(starts) < len(places) or any(
            filesystem.relative(one) is None or not filesystem.present(one) for one in starts
        ):
            return ""
    except Undecided:
        return ""
    names = found_words(("find", *places, "-type", "f"), cwd, filesystem)
    if skips_hidden:
        names = [name for name in names if not _is_hidden(name)]
        if MANY in names:  # too many to look at one by one
            return "\n".join(f"{place.rstrip('/')}/{GLOB}**" for place in places)
    if included and all(map(is_known, included)):
        from fnmatch import fnmatchcase

        names = [one for one in names if any(fnmatchcase(one.rpartition("/")[2], form) for form in (MANY, *included))]
        names = names or [f"{places[0].rstrip('/')}/{NONE}"]
    return "" if any(_is_hidden(name) or name == MANY for name in names) else "\n".join(names)
