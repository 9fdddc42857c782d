"""Programs whose words decide of which kind their output is: a number, a name, a folder, a branch.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import BRANCH, DIGITS, FOLDER, NAME, NUMBER, ONE, PIECE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import PRINTS, PRINTS_ALONE
from policy_engine.programs.invocation import verb_place
from policy_engine.shell.wrapping_words import options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.command import SimpleCommand

_KINDS = {"name": NAME, "number": NUMBER, "branch": BRANCH, "branches": f"* {BRANCH}\n  {BRANCH}\n", "setup": ":"}
"""The kinds that programs.toml names → their marks."""
_COUNTING = {"pgrep": "fxnoiuaPUGgt", "lsof": "tiPnpuac", "pidof": "sx"}  # letters with which numbers of processes come
_ENGINES = ("docker", "podman", "nerdctl", "docker-compose")
_LISTINGS = frozenset("ps ls images container image volume network compose".split())
_DIGESTS = ("md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "shasum")
_IDENTIFIERS = (".databaseId", ".number", ".headRefOid", ".runNumber")  # fields of `gh … --jq`: one word each
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/~+")
_DETACHED = frozenset(("-d", "--detach", "-di", "-dt", "-dit", "-itd"))
# options of `docker run` without a value
_ALONE = _DETACHED | {"--rm", "-i", "-t", "-it", "--init", "--privileged", "-P"}
_REVISION = frozenset("@^{}:")  # what revisions have in them beside
_COUNTS = ("-l", "-c", "-w", "-m", "--lines", "--bytes", "--words")
_COMPLETED = (("bash",), ("zsh",), ("-s", "bash"), ("-s", "zsh"), ("--shell", "bash"), ("--shell", "zsh"))
_DIGITS = "YmdHMSsNjuwyCVGgIU"  # letters of a format of `date` that stand for numbers
_WORDS = "abhpABZPz"


def alphabet(command: SimpleCommand) -> str:
    """The text that a command prints, with marks for what is known of its parts; `ONE` if nothing is."""
    argv = command.argv
    call = " ".join(argv)
    if argv[0] == "date":
        return _date(command.argv[1:])
    alone = PRINTS_ALONE.get(call.removeprefix("/opt/homebrew/bin/"), "")
    if alone and (alone != "setup" or not command.env):
        return _KINDS[alone]
    if argv[0] == "wc" and len(argv) == 2 and command.feed is not None:
        return DIGITS
    if argv[0] == "gh" and command.argv[-2] in ("-q", "--jq") and command.argv[-1].endswith(_IDENTIFIERS):
        return NAME
    if argv[0] == "wc" and len(argv) == 3 and argv[1] in _COUNTS:
        return f"{DIGITS} {argv[2]}\n" if set(argv[2]) <= _PLAIN else ONE
    if argv[0] in ("grep", "egrep", "fgrep", "rg"):
        return _numbered(command)
    if argv[0] in _ENGINES:
        return NAME if _detaches(argv[1:]) else PIECE if _numbers_things(argv[1:]) else ONE
    place = verb_place(argv) if argv[0] in ("kubectl", "oc") else None
    if place is not None and argv[place : place + 1] == ("get",):
        return _resources(argv[place + 1 :])
    if argv[0] in _COUNTING and (argv[0] != "lsof" or any(word[:1] == "-" and "t" in word for word in argv)):
        letters = {letter for word in argv[1:] if word[:1] == "-" for letter in word[1:].partition(":")[0]}
        return DIGITS if letters.isdisjoint("lad-") or argv[0] != "pgrep" else ONE
    if argv[0] in _DIGESTS and len(argv) <= 2 and all(set(word) <= _PLAIN and word[:1] != "-" for word in argv[1:]):
        return f"{NAME}  {(*argv[1:], '-')[0]}\n"
    kind = _kind(argv)
    if kind:
        return kind
    if argv[1:2] == ("completion",) and argv[2:] in _COMPLETED and command.model is not None and not command.env:
        return _KINDS["setup"]
    if call in ("pwd", "pwd -P", "git rev-parse --show-toplevel"):
        try:
            folder = command.cwd.real
            return f"{FOLDER}{folder}" if argv[0] == "pwd" else _repository(command, folder)
        except Undecided:
            return ONE
    return of_path(command)


def of_path(command: SimpleCommand) -> str:
    """Return what `dirname`, `realpath` and `readlink -f` print of a path that is known."""
    words = [word for word in command.argv[1:] if word != "--"]
    path = words[-1].removeprefix(FOLDER) if words else ""
    if not path or path[:1] == "-" or not is_known(path):
        return ONE
    if command.argv[0] == "dirname" and len(words) == 1:
        folder, slash, _ = (path.rstrip("/") or "/").rpartition("/")
        mark = words[0][: -len(path)]
        return mark + ((folder.rstrip("/") or "/") if slash else ".")
    if tuple(words[:-1]) not in _CANONICAL.get(command.argv[0], ()):
        return ONE
    try:
        return f"{FOLDER}{command.filesystem.resolve(path, command.cwd.real).real}"
    except Undecided:
        return ONE


_CANONICAL = {
    "realpath": ((), ("-e",), ("-m",), ("-P",)),
    "readlink": (("-f",), ("-e",), ("-m",)),
}
"""By program: the options with which it prints the one place that a path stands for."""


def _kind(argv: tuple[str, ...]) -> str:
    """Return the mark for what a call of the table prints; "" for any other.

    Git prints a name back that it does not know: of several names, or with a slash in one, it is no single name.
    """
    words = tuple(word for word in argv if word != "--no-pager")
    rest = words[2:]
    options = {word for word in rest if word[:1] == "-"}
    for kind, needed, allowed in PRINTS.get(" ".join(words[:2]), ()):
        one_of = needed.split()
        known = {*one_of, *allowed.split()}
        given = {word if word in known else f"{word.partition('=')[0]}=" if "=" in word else word for word in options}
        if (one_of and given.isdisjoint(one_of)) or not given <= known:
            continue
        names = [word for word in rest if word[:1] != "-"]
        if words[1] == "rev-parse" and any("/" in name or ":" in name for name in names):
            plain = all(set(name) <= _PLAIN | _REVISION and name[0].isalnum() for name in names)
            verified = any(option.startswith(("--short", "--verify")) for option in options)  # or it prints nothing
            return "" if not plain else NAME if verified and len(names) == 1 else BRANCH
        return _KINDS[kind]
    return ""


def _numbers_things(words: tuple[str, ...]) -> bool:
    """Return whether containers, images, volumes or networks are listed by their numbers or names alone."""
    if words[:1] and words[0] not in _LISTINGS:
        return False
    short = {letter for word in words if word[:1] == "-" and word[:2] != "--" for letter in word[1:]}
    form = next((words[place + 1] for place, word in enumerate(words[:-1]) if word == "--format"), "") or next(
        (word.partition("=")[2] for word in words if word.startswith("--format=")), ""
    )
    return form in ("{{.ID}}", "{{.Names}}", "{{.Name}}") if form else "q" in short or "--quiet" in words


def _resources(words: tuple[str, ...]) -> str:
    """Return what `kubectl get` prints where only names of resources are asked for."""
    forms = [word.partition("=")[2] for word in words if word.startswith(("-o=", "--output="))]
    forms += [word[2:] for word in words if word[:2] == "-o" and word[2:3] not in ("", "=")]
    forms += [words[place + 1] for place, word in enumerate(words[:-1]) if word in ("-o", "--output")]
    if forms == ["name"]:
        return f"{PIECE}/{PIECE}"
    return PIECE if len(forms) == 1 and forms[0][:10] == "jsonpath={" and forms[0][-15:] == ".metadata.name}" else ONE


def _detaches(words: tuple[str, ...]) -> bool:
    """Return whether a container is started behind, or an image is made in silence, of which the number is printed."""
    words = words[1:] if words[:1] in (("container",), ("image",)) else words
    if words[:1] == ("build",):
        return not {"-q", "--quiet"}.isdisjoint(words)
    flags = next((words[1:place] for place, word in enumerate(words) if place and word not in _ALONE), words[1:])
    return words[:1] == ("create",) or (words[:1] == ("run",) and not _DETACHED.isdisjoint(flags))


def _numbered(command: SimpleCommand) -> str:
    """The text of `grep -n` and `grep -c` about one file or what is fed: a number, of `-n` with the line."""
    options = options_of(list(command.argv[1:]), "em", ("regexp", "max-count"))
    if options is None or command.env or not all(set(flag[1:]) <= set("nciywxEFPGsoh") for flag in options.flags):
        return ONE
    patterns = any(option in ("-e", "--regexp") for option, _ in options.pairs)
    files = options.rest if patterns else options.rest[1:]
    if len(files) != (command.feed is None) or not all(set(file) <= _PLAIN for file in files):
        return ONE
    if options.has("-c"):
        return DIGITS
    return f"{DIGITS}:{ONE}\n" if options.has("-n") else ONE


def _repository(command: SimpleCommand, folder: str) -> str:
    """The folder of the repository that a folder lies in: the first with a `.git`."""
    filesystem = command.filesystem
    while True:
        if filesystem.present(filesystem.resolve(f"{folder.rstrip('/')}/.git", None)):
            return folder
        if folder == "/":
            return ONE
        folder = folder.rpartition("/")[0] or "/"


def _date(words: tuple[str, ...]) -> str:
    """The text of `date +FORMAT`."""
    formats = [word for word in words if word[:1] == "+"]
    if any(word.startswith(("-I", "--iso", "-R", "--rfc")) for word in words) or len(formats) != 1:
        return ONE
    printed, place, text = "", 0, formats[0][1:]
    whole = {"F": "Y-m-d", "T": "H:M:S", "R": "H:M"}
    while place < len(text):
        if text[place] != "%":
            printed += text[place]
            place += 1
            continue
        place += 1
        while text[place : place + 1] in ("-", "_", "0", "^") or text[place : place + 1].isdigit():
            if text[place] == "_":
                return ONE  # padded with blanks
            place += 1
        letter = text[place : place + 1]
        place += 1
        if letter in whole:
            printed += "".join(NUMBER if char.isalpha() else char for char in whole[letter])
        elif letter and letter in _DIGITS + _WORDS:
            printed += NUMBER if letter in _DIGITS else NAME
        else:
            return ONE
    return printed
