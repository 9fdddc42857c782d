"""Work out what a command prints where its words decide it: `echo`, `printf`, `cat` of a here-document.

Imported by the hook path.
"""

from __future__ import annotations

import posix

from policy_engine.model.partial import (
    BRANCH,
    ENTRY,
    FOLDER,
    FOUND,
    GLOB,
    NUMBER,
    ONE,
    PIECE,
    VISIBLE,
    fitted,
    folder_fitted,
    glob_folder,
    is_component,
    is_known,
    name_fitted,
)
from policy_engine.model.undecided import Undecided
from policy_engine.shell.alphabets import alphabet, of_path
from policy_engine.shell.ansi import escaped, shown
from policy_engine.shell.filters import filtered
from policy_engine.shell.listing import checked_out, names_listed
from policy_engine.shell.tree import AndOr, If, Pipeline, Sequence, Simple, Test
from policy_engine.shell.trimming import trimmed
from policy_engine.shell.wrapping_lists import found_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.shell.command import SimpleCommand
    from policy_engine.shell.tree import Command

    # what may be printed, each with whether the command succeeds then; None if that is not known
    Ends = list[tuple[str, bool]] | None


_NUMBERS = 100
_ACTIONS = frozenset("-exec -execdir -ok -okdir -delete -printf -fprint -fprintf -fls -ls".split())


def printed(command: SimpleCommand, redirected: bool = False) -> str:
    """The text on its standard output; a mark if it is not known. `redirected`: also where a redirection takes it."""
    argv = command.argv
    if argv[0].rpartition("/")[2] == "find" and not set(argv) & _ACTIONS and not command.redirects:
        return "\n".join(found_words(argv, _folder(command), command.filesystem))
    if argv[0] == "basename" and len(argv) in (2, 3):
        return _basename(*argv[1:])
    if argv[0] == "dirname" and len(argv) == 2 and not is_known(argv[1].removeprefix(FOLDER)):
        return folder_fitted(argv[1])
    if not command.redirects and (listed := names_listed(command)):
        return listed
    if command.feed is not None and (redirected or not command.redirects) and (chosen := filtered(command)) != ONE:
        return chosen
    if argv[0] == "mktemp" and not command.redirects and all(map(_is_plain_path, argv[1:])):
        return _fresh(argv[1:], command.env)
    if not all(is_known(word.removeprefix(FOLDER)) for word in argv) or (command.redirects and not redirected):
        return ONE
    if not all(map(is_known, argv)):
        return of_path(command)
    if argv[0] == "mktemp":
        return _fresh(argv[1:], command.env)
    if argv[0] == "seq":
        return _seq(argv[1:])
    if argv[0] == "echo":
        return _echo(argv[1:])
    if argv[0] == "printf":
        return formatted(argv[1:])
    text = ONE if command.redirects else alphabet(command)
    return (checked_out(command) or text) if text == BRANCH else text


_SILENT = frozenset("[ test true false :".split())
_MOST_ENDS = 16


def alternatives(body: Sequence, commands: list[SimpleCommand]) -> tuple[str, ...]:
    """Return what commands may print, one of which is found or chosen: `command -v a || echo b`, `if … fi`; () if that
    is not known.

    What each ends with is not known, but of `echo`; one that finds no program prints nothing.
    """
    waiting = iter(commands)
    ends = _ends(body, waiting)
    if ends is None or next(waiting, None) is not None:
        return ()
    return tuple(dict.fromkeys(text.rstrip("\n") for text, _ in ends))


def _ends(node: Command | Sequence, waiting: Iterator[SimpleCommand]) -> Ends:
    if type(node) is Simple or type(node) is Test:
        command = next(waiting, None)
        return None if command is None else _texts(node, command)
    if type(node) is Pipeline and node.keywords == ("!",) and len(node.commands) == 1:
        inner = _ends(node.commands[0], waiting)
        return None if inner is None else [(text, not ended) for text, ended in inner]
    if type(node) is If and not node.redirections:
        return _branches(node, waiting)
    if type(node) is Sequence:
        items = [("&" if background else "", part) for part, background in node.items]
    elif type(node) is AndOr:
        items = list(node.items)
    else:
        return None
    ends = [("", True)]
    for operator, part in items:
        made = _ends(part, waiting)
        if made is None or operator == "&" or len(ends) > _MOST_ENDS:
            return None
        runs = [end for end in ends if not operator or end[1] == (operator == "&&")]
        ends = [(begun + text, ended) for begun, _ in runs for text, ended in made] + [
            end for end in ends if end not in runs
        ]
    return ends


def _branches(node: If, waiting: Iterator[SimpleCommand]) -> Ends:
    made, left = list[tuple[str, bool]](), [""]
    for condition, body in node.branches:
        asked, taken = _ends(condition, waiting), _ends(body, waiting)
        if asked is None or taken is None:
            return None
        begun = [text + more for text in left for more, ended in asked if ended]
        left = [text + more for text in left for more, ended in asked if not ended]
        made += [(text + more, ended) for text in begun for more, ended in taken]
    otherwise = [("", True)] if node.otherwise is None else _ends(node.otherwise, waiting)
    return None if otherwise is None else made + [(text + more, ended) for text in left for more, ended in otherwise]


def _texts(node: Simple | Test, command: SimpleCommand) -> Ends:
    if isinstance(node, Test):
        return [("", True), ("", False)]
    if command.redirects or not all(map(is_known, command.argv)):
        return None
    program, *words = command.argv
    silent = any(one.number in ("", "1") and one.operator in (">", "&>") for one in node.redirections)
    if not node.words or program in _SILENT or silent:
        return [("", True), ("", False)]
    if program in ("command", "type") and words[:1] == [{"command": "-v", "type": "-P"}[program]]:
        words = words[1:]
    elif program != "which":
        text = printed(command) if program in ("echo", "printf") else ONE
        return [(text, True)] if is_known(text) else None
    if len(words) != 1 or not words[0].replace("-", "").replace("_", "").replace(".", "").isalnum():
        return None
    return [(f"{FOUND}{words[0]}\n", True), ("", False)] if words[0][0] != "-" else None


def _seq(words: tuple[str, ...]) -> str:
    """`seq LAST`, `seq FIRST LAST`: the numbers, a mark for what may be any."""
    if not 1 <= len(words) <= 2 or not all(word.isdecimal() and len(word) < 9 for word in words):
        return NUMBER if all(word.lstrip("-").isdecimal() for word in words) else ONE
    first, last = (1, int(words[0])) if len(words) == 1 else (int(words[0]), int(words[1]))
    if last - first >= _NUMBERS:
        return NUMBER
    return "".join(f"{number}\n" for number in range(first, last + 1))


def _basename(path: str, suffix: str = "") -> str:
    """The last name of a path."""
    if path[:1] == "-" or not is_known(suffix):
        return ONE
    name = path.rstrip("/").rpartition("/")[2]
    if GLOB in path and not {"*", "?", "[", "("}.isdisjoint(name):
        # a suffix is never the whole name
        if glob_folder(path) is None:
            return PIECE if suffix else ENTRY
        cut = trimmed(path, "%", suffix, False).rpartition("/")[2] if suffix and name.endswith(suffix) else ""
        return cut if cut and cut != ONE else PIECE if suffix and fitted(path) != VISIBLE else name_fitted(path)
    if is_known(name) and name:
        return (name.removesuffix(suffix) if name != suffix else name) + "\n"
    return PIECE if suffix else ENTRY if not is_known(name) else ONE


def _folder(command: SimpleCommand) -> PathValue | None:
    try:
        return command.cwd
    except Undecided:
        return None


def _is_plain_path(text: str) -> bool:
    """Return whether a text is known, or a path whose unknown parts are parts of names."""
    return is_known(text) or (text[:1] != "\0" and all(map(is_component, text.removeprefix("/").split("/"))))


def _fresh(words: tuple[str, ...], env: tuple[str, ...]) -> str:
    """Return what `mktemp` prints: a name that nothing has yet, for which its template stands."""
    folders = [item.partition("=")[2] for item in env if item.startswith("TMPDIR=")]
    folder = (folders or [posix.environ.get(b"TMPDIR", b"").decode("utf-8", "surrogateescape")])[-1] or "/tmp"
    template, place, below = "", 0, False
    while place < len(words):
        word = words[place]
        if word in ("-d", "-q", "-u", "--directory", "--quiet", "--dry-run", "-dq", "-qd", "-du", "-ud"):
            pass
        elif word in ("-t", "--tmpdir", "-dt", "-td"):
            below = True
        elif word == "-p" and place + 1 < len(words):
            folder, below, place = words[place + 1], True, place + 1
        elif word.startswith("--tmpdir="):
            folder, below = word.partition("=")[2], True
        elif word[:1] == "-" or template:
            return ONE
        else:
            template = word
        place += 1
    if template and not below:
        return template + "\n"
    return f"{folder}/{template or 'tmp.XXXXXXXXXX'}\n" if is_known(folder) else ONE


def _echo(words: tuple[str, ...]) -> str:
    newline, escapes = "\n", False
    while words and len(words[0]) > 1 and words[0][0] == "-" and not words[0][1:].strip("neE"):
        newline = "" if "n" in words[0] else newline
        escapes = "e" in words[0] if words[0].strip("-n") else escapes
        words = words[1:]
    text = " ".join(words)
    if not escapes:
        # `echo` of other shells reads escapes without being asked
        return text + newline if "\\" not in text or _unescaped(text, True) == text else ONE
    return _unescaped(text, True) + newline


def _unescaped(text: str, octal_zero: bool) -> str:
    raw = text.encode("utf-8", "surrogateescape").decode("latin-1")
    pieces, place = [], 0
    while place < len(raw):
        if raw[place] != "\\":
            pieces.append(raw[place])
            place += 1
            continue
        if raw[place + 1 : place + 2] == "c":
            return ONE
        try:
            char, place = escaped(raw, place + 1, octal_zero)
        except Undecided:
            return ONE
        pieces.append(char)
    value = shown("".join(pieces))
    return value if "\0" not in value else ONE


def formatted(words: tuple[str, ...]) -> str:
    """Return what `printf` prints, given its words; a mark if that is not known."""
    if words[:1] == ("--",):
        words = words[1:]
    elif words and words[0][:1] == "-":
        return ONE
    if not words:
        return ONE
    ending = "\\n" if words[0].endswith("%s\\0") else ""  # for `xargs -0`, whose words are told as lines
    pattern, arguments = words[0].removesuffix("\\0") + ending if ending else words[0], list(words[1:])
    parts = pattern.split("%s")
    if any("%" in part for part in parts):
        return ONE
    texts = [_unescaped(part, False) for part in parts]
    if not all(map(is_known, texts)):
        return ONE
    pieces = []
    while True:
        for number, text in enumerate(texts):
            pieces.append(text)
            if number + 1 < len(texts):
                pieces.append(arguments.pop(0) if arguments else "")
        if not arguments or len(texts) == 1:
            return "".join(pieces)
