"""Work out what a command prints where its words decide it: `echo`, `printf`, `cat` of a here-document.

Imported by the hook path.
"""

from __future__ import annotations

import posix

from policy_engine.model.partial import ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.ansi import escaped, shown
from policy_engine.shell.wrapping_lists import found_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.model.paths import PathValue
    from policy_engine.shell.command import SimpleCommand


_NUMBERS = 100
_ACTIONS = frozenset("-exec -execdir -ok -okdir -delete -printf -fprint -fprintf -fls -ls".split())


def printed(command: SimpleCommand, redirected: bool = False) -> str:
    """The text on its standard output; a mark if it is not known. `redirected`: also where a redirection takes it."""
    argv = command.argv
    if argv[0].rpartition("/")[2] == "find" and not set(argv) & _ACTIONS and not command.redirects:
        return "\n".join(found_words(argv, _folder(command), command.world))
    if not all(map(is_known, argv)) or (command.redirects and not redirected):
        return ONE
    if argv[0] == "mktemp":
        return _fresh(argv[1:], command.env)
    if argv[0] == "seq" and len(argv) == 2 and argv[1].isdecimal() and int(argv[1]) < _NUMBERS:
        return "".join(f"{number}\n" for number in range(1, int(argv[1]) + 1))
    if argv[0] == "echo":
        return _echo(argv[1:])
    if argv[0] == "printf":
        return _printf(argv[1:])
    if argv == ("cat",) and command.feed is not None:
        return command.feed
    return ONE


def _folder(command: SimpleCommand) -> PathValue | None:
    try:
        return command.cwd
    except Undecided:
        return None


def _fresh(words: tuple[str, ...], env: tuple[str, ...]) -> str:
    """What `mktemp` prints: a name that nothing has yet, for which its template stands."""
    folders = [item.partition("=")[2] for item in env if item.startswith("TMPDIR=")]
    folder = (folders or [posix.environ.get(b"TMPDIR", b"").decode("utf-8", "surrogateescape")])[-1] or "/tmp"
    template, place, below = "", 0, False
    while place < len(words):
        word = words[place]
        if word in ("-d", "-q", "--directory", "--quiet", "-dq", "-qd"):
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
        return text + newline if "\\" not in text else ONE
    return _unescaped(text, True) + newline


def _unescaped(text: str, octal_zero: bool) -> str:
    raw = text.encode("utf-8", "surrogateescape").decode("latin-1")
    found, place = [], 0
    while place < len(raw):
        if raw[place] != "\\":
            found.append(raw[place])
            place += 1
            continue
        if raw[place + 1 : place + 2] == "c":
            return ONE
        try:
            char, place = escaped(raw, place + 1, octal_zero)
        except Undecided:
            return ONE
        found.append(char)
    value = shown("".join(found))
    return value if "\0" not in value else ONE


def _printf(words: tuple[str, ...]) -> str:
    if not words or words[0][:1] == "-":
        return ONE
    pattern, arguments = words[0], list(words[1:])
    parts = pattern.split("%s")
    if any("%" in part for part in parts):
        return ONE
    texts = [_unescaped(part, False) for part in parts]
    if not all(map(is_known, texts)):
        return ONE
    found = []
    while True:
        for number, text in enumerate(texts):
            found.append(text)
            if number + 1 < len(texts):
                found.append(arguments.pop(0) if arguments else "")
        if not arguments or len(texts) == 1:
            return "".join(found)
