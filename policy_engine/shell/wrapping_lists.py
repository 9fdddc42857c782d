"""Walk the commands that `xargs`, `find`, `fd` and `parallel` start with words that they find or read.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import GLOB, MANY, ONE, is_known, is_one_field
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import INTERPRETERS, find_program
from policy_engine.programs.find_expression import MOST_FILES, Expression, deepest
from policy_engine.shell.name_lists import names_in
from policy_engine.shell.wrapping_words import Options, options_of, start_inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.shell.walk import Walker
    from policy_engine.shell.walk_command import Simple

_XARGS = ("adEeIiLlnPs", ("arg-file", "delimiter", "eof", "replace", "max-lines", "max-args", "max-procs", "max-chars",
          "process-slot-var"))  # fmt: skip
_MOST_FOLDERS = 8
_MOST_WORDS = 512
_RUNS_FIRST = INTERPRETERS | {"sh", "bash", "dash", "zsh", "ksh"}


_PLACE = frozenset("#%/.+-0123456789")  # what may stand in the braces of `parallel`


def xargs(walker: Walker, simple: Simple) -> None:
    """`xargs WORD…`: the words that it reads are appended, or put where `-I` says."""
    options = options_of(list(simple.argv[1:]), _XARGS[0].replace("e", "").replace("i", "").replace("l", ""), _XARGS[1])
    if options is None:
        start_inner(walker, simple, (MANY,), "xargs", False)
        return
    words = options.rest or ["echo"]
    ends = [value for option, value in options.pairs if option in ("-d", "--delimiter")]
    whole = options.has("-0", "--null") or ends[-1:] in (["\\n"], ["\n"], ["\\0"])
    unfit = options.has("-E", "--eof") or (bool(ends) and not whole)
    files = [value for option, value in options.pairs if option in ("-a", "--arg-file")]
    if files:
        simple.context = simple.context.but(feed=_listed(walker, simple, files))
    mark = next((value for option, value in options.pairs if option in ("-I", "--replace")), None)
    if mark is None and any(flag.startswith("-i") or flag == "--replace" for flag in options.flags):
        mark = "{}"
    given = _read_words(simple, whole, bool(mark), unfit)
    if mark:
        if _is_code(words, mark) and _are_names(given):
            # each of them in the place of the name by which the shell is called
            for value in given[:MOST_FILES]:
                code = words[2].replace(mark, "${0}")
                start_inner(walker, simple, (words[0], words[1], code, value), "xargs", False)
            return
        known = all(is_one_field(word.replace(GLOB, "")) for word in given) and len(given) <= MOST_FILES
        for one in given if known else [ONE]:
            start_inner(walker, simple, tuple(word.replace(mark, one) for word in words), "xargs", False)
    else:
        parts = _parts(given, options)
        if len(words) == len(parts) == 1 and words[0].rpartition("/")[2] in _RUNS_FIRST:
            parts = [*parts, *([word] for word in given[1:MOST_FILES])]  # which of them comes first is not known
        for part in parts:
            start_inner(walker, simple, (*words, *part), "xargs", False)


def _listed(walker: Walker, simple: Simple, files: list[str]) -> str:
    """Return the names in the list that `-a` gives, or that a substitution in its place prints."""
    if len(files) != 1:
        return ONE
    if files[0] == f"/dev/fd/{ONE}":
        return simple.handed[0] if len(simple.handed) == 1 else ONE
    return names_in(walker, files[0], simple.state.cwd)


def _is_code(words: list[str], mark: str) -> bool:
    """Return whether the words put in become a part of a shell line, outside its single quotes."""
    if (
        len(words) != 3
        or words[0].rpartition("/")[2] not in ("sh", "bash", "dash", "zsh")
        or words[1] not in ("-c", "-lc")
    ):
        return False
    return mark in words[2] and is_known(words[2]) and not any(mark in part for part in words[2].split("'")[1::2])


def _are_names(given: list[str]) -> bool:
    """Return whether the words are known, or names of files, of which none says anything to a shell."""
    texts = [word.replace(GLOB, "").replace("*", "") for word in given]
    return all(is_known(text) and not frozenset(text) & frozenset(" \t\n'\"`$;&|<>()\\?[]{}!~#") for text in texts)


def _parts(given: list[str], options: Options) -> list[list[str]]:
    """The words that are read, as many at a time as the options say."""
    limits = [value for option, value in options.pairs if option in ("-n", "--max-args")]
    if options.has("-L", "-l", "-s", "--max-lines", "--max-chars") or any(flag[:2] == "-l" for flag in options.flags):
        return [[MANY]]
    if not limits or any(GLOB in word for word in given):
        return [given]  # a pattern stands for any number of words anyway
    step = int(limits[-1]) if limits[-1].isdecimal() else 0
    divided = all(map(is_known, given)) or (all(map(is_one_field, given)) and 1 in (step, len(given)))
    if not step or not divided:
        return [[MANY]]
    return [given[place : place + step] for place in range(0, max(1, len(given)), step)]


def _read_words(simple: Simple, whole: bool, lines: bool, special: bool) -> list[str]:
    """The words on standard input, as far as they are known; `lines`: each line is one, `whole`: with its quotes."""
    feed = simple.context.feed
    if special or feed is None or MANY in feed or feed == ONE:
        return [MANY]
    if not whole and any(char in feed for char in "'\"\\"):
        return [MANY]
    if whole or lines:
        words = [line for line in feed.split("\n") if line]
    else:
        words = feed.split()
        if ONE in feed and simple.context.piped_from[-1:] != ("find",):
            words = [MANY if ONE in word else word for word in words]  # blanks in it end the word
    return words if len(words) <= _MOST_WORDS else [MANY]


def found_words(
    argv: tuple[str, ...], cwd: PathValue | None, filesystem: FileSystem, action: int | None = None
) -> list[str]:
    """Return what `find` names, of the files that are there now: what its tests pick, or what reaches the action there.

    Where there are many, each by the first folder below the root on the way to it.
    """
    place, roots = 1, []
    while place < len(argv) and argv[place] in ("-L", "-H", "-P", "-O0", "-O1", "-O2", "-O3"):
        place += 1
    while place < len(argv) and argv[place][:1] not in ("-", "(", "!", ","):
        roots.append(argv[place])
        place += 1
    tests = list(argv[place:])
    number = None if action is None else action - place
    words_found: list[str] = []
    for root in roots or ["."]:
        linked = "-L" in argv[:place] or "-follow" in argv
        if GLOB in root and is_known(root.replace(GLOB, "")) and not linked:
            words_found += [root] if _only_roots(tests) else [root, f"{root}/**"]
            continue
        try:
            if not is_known(root) or linked or cwd is None or not cwd.known:
                raise Undecided(f"what lies below `{root[:80]}` is not known")
            start = filesystem.resolve(root, cwd.real)
            files = filesystem.files_below(start, deepest(tests))
            picked = Expression(tests).picks(root, files, start.real, number)
        except Undecided:
            words_found.append(MANY)
            continue
        if len(picked) > MOST_FILES:
            begin = len(root.rstrip("/")) + 1
            tops = dict.fromkeys(path[begin:].partition("/")[0] for path in picked if path != root)
            picked = [f"{root.rstrip('/')}/{top}/{GLOB}**" for top in tops]
        words_found += picked or [f"{root.rstrip('/')}/{GLOB}{_sought(tests)}"]  # nothing yet
    return words_found


def _only_roots(tests: list[str]) -> bool:
    """Return whether `find` looks at its roots alone: `-maxdepth 0`."""
    limits = [tests[place + 1] for place, test in enumerate(tests[:-1]) if test == "-maxdepth"]
    return bool(limits) and set(limits) == {"0"}


def _sought(tests: list[str]) -> str:
    """Return what stands for the names that a search may find later: the one that it asks for, if it is plain."""
    negated = {place + 1 for place, test in enumerate(tests) if test in ("!", "-not")}
    names = [
        tests[place + 1]
        for place, test in enumerate(tests[:-1])
        if test in ("-name", "-iname") and place not in negated
    ]
    whole = {"-o", "-or", ","}.isdisjoint(tests) and not any(tests[place : place + 1] == ["("] for place in negated)
    if len(names) == 1 and is_known(names[0]) and whole:
        return "what-is-found" if "policy" in names[0] or "/" in names[0] else names[0]
    return "what-is-found"


_STARTING = ("-exec", "-execdir", "-ok", "-okdir")


def find(walker: Walker, simple: Simple) -> None:
    """`find … -exec WORD… \\;`, `-execdir`, `-ok`, `-okdir`; a word that is not known is one of them before a `;`."""
    argv = simple.argv
    place = 1
    while place < len(argv):
        if argv[place] not in _STARTING and not _may_start(argv, place):
            place += 1
            continue
        end = place + 1
        while end < len(argv) and argv[end] != ";" and not (argv[end] == "+" and argv[end - 1] == "{}"):
            end += 1
        names = _names(walker, simple, place)
        folders = _by_folder(names) if argv[place] in ("-execdir", "-okdir") else {None: names}
        for folder, found in folders.items():
            inner: list[str] = []
            for word in argv[place + 1 : end]:
                if word == "{}":
                    inner += found
                else:
                    inner.append(word.replace("{}", ONE))
            start_inner(walker, simple, tuple(inner), "find", False, folder=folder)
        place = end + 1


def _may_start(argv: tuple[str, ...], place: int) -> bool:
    """Return whether a word of an expression, which is not known, must be an action that starts what stands behind: it
    ends in `;`, or in the names that are found.
    """
    if is_known(argv[place]) or not any(word[:1] == "-" for word in argv[1:place]):
        return False
    words = argv[place + 1 :]
    words = words[: words.index(";")] if ";" in words else words if "{}" in words else ()
    return words[:1] != () and words[0][:1] != "-" and not set(_STARTING).intersection(words)


def _by_folder(names: list[str]) -> dict[str | None, list[str]]:
    """Return what `-execdir` hands on by the folder where it starts the command: of names that are not known, that
    from which on they are not; one that nobody knows, where these or the folders are too many.
    """
    folders: dict[str | None, list[str]] = {}
    for name in names:
        known = name.partition("\0")[0]
        folder = known.rpartition("/")[0] or ("." if is_known(name) else "/" if known else MANY)
        base = name[len(known.rpartition("/")[0]) :].lstrip("/")
        folders.setdefault(folder, []).append(f"./{base}")
    return folders if len(folders) <= _MOST_FOLDERS else {MANY: names}


def _names(walker: Walker, simple: Simple, place: int) -> list[str]:
    """The names that the action of that place is given; a link among those that are not known may lead a program that
    writes elsewhere."""
    argv = simple.argv
    names = found_words(argv, simple.state.cwd, walker.filesystem, place)
    program = find_program(argv[place + 1].rpartition("/")[2]) if place + 1 < len(argv) else None
    harmless = program is not None and (program.read_only or program.name in ("rm", "rmdir", "unlink"))
    kinds = [argv[number + 1] for number, word in enumerate(argv[:-1]) if word == "-type"]
    if harmless or all(map(is_known, names)) or (kinds == ["f"] and not {"-o", "-or", "!", "-not"} & set(argv)):
        return names
    return [*names, f"{names[0].rpartition('/')[0] or '.'}/{ONE}"]


def fd(walker: Walker, simple: Simple) -> None:
    """`fd PATTERN FOLDER… -x WORD…`: what it names lies below the folders."""
    argv = simple.argv
    for place, word in enumerate(argv):
        if word in ("-x", "--exec", "-X", "--exec-batch"):
            names = fd_names(list(argv[1:place]), simple.state.cwd, walker.filesystem)
            inner: list[str] = []
            for part in argv[place + 1 :]:
                if part == "{}":
                    inner += names
                elif part != ";":
                    inner.append(MANY if part in ("{/}", "{//}", "{.}", "{/.}") else part)
            plain = inner if "{" in "".join(argv[place + 1 :]) else [*inner, *names]
            start_inner(walker, simple, tuple(plain), "fd", False)
            return


def fd_names(words: list[str], cwd: PathValue | None, filesystem: FileSystem) -> list[str]:
    """Return what `fd` names, of the files that are there now; a hidden one only where it is asked for."""
    import re

    options = options_of(words, "tedEScoj", ("type", "extension", "max-depth", "exclude", "size", "base-directory"))
    if options is None or cwd is None or not cwd.known:
        return [MANY]
    pattern, roots = "".join(options.rest[:1]), options.rest[1:] or ["."]
    hidden = options.has("-H", "--hidden", "-u", "--unrestricted") or "policy" in pattern
    endings = [value for option, value in options.pairs if option in ("-e", "--extension")]
    names: list[str] = []
    for root in roots:
        try:
            start = filesystem.resolve(root, cwd.real)
            picked = Expression([]).picks(root, filesystem.files_below(start), start.real)[1:]
            fits = re.compile(pattern if is_known(pattern) and not options.has("-g", "--glob") else "", re.IGNORECASE)
        except (Undecided, re.error):
            return [MANY]
        for path in picked:
            name = path.rpartition("/")[2]
            seen = hidden or not any(part[:1] == "." for part in path[len(root) :].split("/"))
            if seen and fits.search(name) and (not endings or name.endswith(tuple(f".{one}" for one in endings))):
                names.append(path)
    wanted = "what-is-found" if not pattern.isidentifier() or "policy" in pattern else f"*{pattern}*"
    return names[:MOST_FILES] or [f"{root.rstrip('/')}/{GLOB}{wanted}" for root in roots]


def parallel(walker: Walker, simple: Simple) -> None:
    """`parallel WORD… ::: VALUES`: a shell line with values put in."""
    options = options_of(
        list(simple.argv[1:]), "jaINnLSkd", ("jobs", "arg-file", "delay", "timeout", "joblog", "results")
    )
    if options is None or not options.rest:
        start_inner(walker, simple, (MANY,), "parallel", False)
        return
    from policy_engine.shell.builtins import inner_script

    words = [*options.rest[: next((n for n, word in enumerate(options.rest) if word[:3] == ":::"), None)]]
    if not words:
        for line in options.rest[1:]:
            inner_script(walker, simple, line, "parallel", simple.state.copy(), False)
        return
    values = options.rest[len(words) + 1 :]
    if len(options.rest) == len(words):
        values = _read_words(simple, True, True, options.has("-a", "--arg-file"))
    elif options.rest[len(words)] != ":::" or any(value[:3] == ":::" for value in values):
        values = [MANY]
    code = words[0] if len(words) == 1 and any(char in words[0] for char in " |;&$`<>'\"\\") else ""
    placed = any(_put(word, "\n", "\n") != word for word in words)
    known = all(is_known(value.replace(GLOB, "")) for value in values) and len(values) <= MOST_FILES
    for value in values if known else [ONE if placed else MANY]:
        if code:  # the value is put in as one word
            line = code if placed else f"{code} {{}}"
            whole = line.replace("{}", '"${0}"')
            part = _put(whole, "", '"${0}"')
            argv = ["sh", "-c", part, value if part == whole else ONE]
        else:
            argv = [_put(word, value, ONE) for word in words] + ([] if placed else [value])
        start_inner(walker, simple, tuple(argv), "parallel", False)


def _put(word: str, value: str, part: str) -> str:
    """Return a word of `parallel` with a value in the place of `{}`, and another for a part of it: `{.}`, `{/}`."""
    made, *pieces = word.split("{")
    for piece in pieces:
        inside, closed, rest = piece.partition("}")
        if closed and made[-1:] != "$" and _PLACE.issuperset(inside):
            made += (part if inside else value) + rest
        else:
            made += "{" + piece
    return made
