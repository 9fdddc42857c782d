"""Tell a analysis what Python code touches and starts, with paths and commands that may be known in part.

Imported by the hook path when a line carries Python.
"""

from __future__ import annotations

from policy_engine.inline.python_tables import CODE_OPTIONS, HARMS, RUNS_EACH, TAKES_FUNCTION, TEXT_QUIET
from policy_engine.inline.values import (
    MOST_TEXT,
    UNKNOWN,
    Choice,
    Function,
    Items,
    Name,
    Number,
    Opened,
    Output,
    Secret,
    Table,
    Text,
    Unknown,
    literal,
    shell_words,
    text_of,
    with_variables,
    words_of,
)
from policy_engine.model.addresses import leads_to
from policy_engine.model.partial import MANY, ONE, entry_for, is_known

TYPE_CHECKING = False
MOST_PATH = 1_024  # characters of a text that is taken for a file's name
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.inline.python import Reader


PRINTED_DEPTH = 4  # lists within lists whose items are looked at


class EffectReporter:
    """Tells one analysis what code touches and starts."""

    def __init__(self, analysis: EffectAnalysis, reader: Reader) -> None:
        self.analysis = analysis
        self.reader = reader
        self.environment: dict[str, str] = {}
        self.runs_unknown = False  # code that is not known, or was decoded, is run
        self.decoded_texts: list[str] = []

    def touch(self, value: Any, access: str, recursive: bool, who: str) -> None:
        """Tell of a path; an unknown one for a value that is none."""
        if isinstance(value, Items):
            for item in self.reader.items(value) or []:
                self.touch(item, access, recursive, who)
            return
        if isinstance(value, Choice):
            for one in value.values:
                self.touch(one, access, recursive, who)
            return
        if isinstance(value, Number):
            return  # a descriptor, or nothing
        text = text_of(value)
        if text == ONE:
            reason = f"what `{who}` touches is put together at run time"
            self.analysis.paths.append(self.analysis.unknown(who, reason, access, recursive))
        elif access == "run":
            self.analysis.run(text)
        else:
            self.analysis.paths.append(self.analysis.path(text or ".", access, recursive))

    def relocate(self, program: str, source: Any, target: Any) -> None:
        """Tell of a link that is made (`ln`), or of something that is moved (`mv`)."""
        if isinstance(source, Text) or isinstance(target, Text):
            self.analysis.relocate(program, text_of(source), text_of(target))

    def unpack(self, folder: Any, who: str) -> None:
        """Tell that an archive is laid over a folder."""
        if isinstance(folder, Text) and is_known(folder.text):
            self.analysis.paths += self.analysis.unpacks("archive", folder.text)
        else:
            self.touch(folder, "write", True, who)

    def doubt_everything(self, who: str, reason: str) -> None:
        """Tell that it may do anything."""
        analysis = self.analysis
        self.runs_unknown = True
        analysis.fear_all(who, reason)

    def start(self, line: str, named: dict[str, Any], who: str) -> Any:
        """Tell of a shell line, with the folder, variables and input that the call gives it; return what it prints."""
        shell = literal(named.get("executable"))
        if shell is not None:
            line = shell_words([shell, "-c", line])
        given = text_of(named["input"]) if "input" in named else ""
        if given:
            line = f"printf %s {shell_words([given])} | {line}"
        for name, value in self.environment.items():
            line = f"export {name}={shell_words([value])}; {line}"
        table = named.get("env")
        if isinstance(table, Table):
            settings = [f"export {name}={shell_words([text_of(value)])}; " for name, value in table.entries.items()]
            line = "".join(settings) + line
        folder = named.get("cwd")
        if folder is not None and not isinstance(folder, Number):
            line = f"cd {shell_words([text_of(folder)])} && {line}"
        if not is_known(line) and any(f"{shell}" in line for shell in CODE_OPTIONS):
            self.runs_unknown = True
        self.note_decoded(line)
        self.analysis.shell(with_variables(line))
        names = self.analysis.names_printed(line, self.analysis) if is_known(line) else ""
        return Output(names) if names else UNKNOWN

    def note_decoded(self, text: str) -> None:
        """Notice a text that is run and holds what the code has decoded."""
        if any(decoded in text for decoded in self.decoded_texts):
            self.runs_unknown = True

    def show(self, value: Any, depth: int = 0) -> None:
        """Tell of the whole environment, or of a file's content, that is made a text; `depth`: also where it is an item
        of something that is printed, for lists so deep within one another.
        """
        within = value.items if isinstance(value, Items) else value.entries.values() if isinstance(value, Table) else ()
        for one in within if depth else ():
            self.show(one, depth - 1)
        whole = isinstance(value, Name) and value.dotted in ("os.environ", "os.environb")
        if (depth and isinstance(value, Secret)) or whole or (isinstance(value, Table) and value.secret):
            self.analysis.does("discloses")
        if isinstance(value, Opened) and value.path is not None:
            self.analysis.contents.append(self.analysis.path(value.path.text, "read"))

    def send(self, who: str, arguments: list[Any], named: dict[str, Any]) -> None:
        """A request: the credentials of the machine, files that go out, what is deleted at the other end."""
        before, local = len(self.analysis.contents), False
        for value in (*arguments, *named.values()):
            for one in (value, *(value.entries.values() if isinstance(value, Table) else ())):
                self.show(one)
            if (address := literal(value)) is not None and "://" in address:
                local = local or leads_to(address, "loopback")
                if leads_to(address, "metadata"):
                    self.analysis.does("discloses")
        if local:
            return
        if len(self.analysis.contents) > before:
            self.analysis.does("sends")
        method = literal(named.get("method", arguments[0] if arguments else UNKNOWN)) or ""
        if who.endswith(".delete") or method.upper() == "DELETE":
            self.analysis.does("destroys")

    def line(self, who: str, value: Any, named: dict[str, Any]) -> Any:
        """A text that a shell runs; return what it prints."""
        if isinstance(value, Items):
            return self.started(who, words_of(value) or [ONE], named)
        if value is None:
            return UNKNOWN
        if isinstance(value, Opened) and value.path is not None and is_known(value.path.text):
            return self.start(shell_words(["sh", value.path.text]), named, who)
        if text_of(value) != ONE:
            return self.start(text_of(value), named, who)
        self.doubt_everything(who, f"what `{who}` starts is put together at run time")
        return UNKNOWN

    def command(self, who: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """`subprocess.run` and its like: a list of words, or a line for a shell."""
        value = arguments[0] if arguments else named.get("args")
        shell = named.get("shell")
        runs_line = shell is not None and not (isinstance(shell, Number) and not shell.value)
        if isinstance(value, Items) and runs_line:
            value = value.items[0] if value.items else UNKNOWN
        words = words_of(value)
        return self.line(who, value, named) if words is None else self.started(who, words, named)

    def started(self, who: str, words: list[str], named: dict[str, Any]) -> Any:
        """A program and its arguments; return what it prints."""
        if not words or words[0] in (ONE, MANY):
            self.doubt_everything(who, f"what `{who}` starts is put together at run time")
            return UNKNOWN
        named = {name: value for name, value in named.items() if name != "executable"}
        return self.start(shell_words(words), named, who)

    def open_file(self, value: Any, mode: Any, who: str) -> None:
        """A file that is read, written, or either where the mode is not known."""
        letters = "r" if mode is None else literal(mode)
        if letters is None or any(char in letters for char in "wax+"):
            self.touch(value, "write", False, who)
        if letters is None or "r" in letters or "+" in letters:
            self.touch(value, "read", False, who)

    def may_read(self, arguments: list[Any], named: dict[str, Any]) -> None:
        """Tell of the files that a function of a library reads whose words are written like their names."""
        for value in (*arguments, *named.values()):
            for text in [literal(value)] if not isinstance(value, Items) else words_of(value) or []:
                if text is None or not is_known(text) or not 1 < len(text) < MOST_PATH or any(map(str.isspace, text)):
                    continue
                if text[:5].lower() == "file:":
                    text = text[5:].removeprefix("//localhost")
                    text = "/" + text.lstrip("/") if text[:3] == "///" else text.removeprefix("//")
                if "://" not in text and ("." in text or "/" in text):
                    self.analysis.contents.append(self.analysis.path(text, "read"))

    def guess(self, dotted: str, arguments: list[Any], named: dict[str, Any]) -> None:
        """Keep the texts that an unknown function may run: several words, or a list of words."""
        if dotted.partition(".")[0] in TEXT_QUIET:
            return
        for value in (*arguments, *named.values()):
            text = literal(value)
            if text is not None and " " in text.strip():
                self.analysis.guesses.append(text)
            words = words_of(value)
            if words and len(words) > 1 and all(map(is_known, words)):
                self.analysis.guesses.append(shell_words(words))

    def note_functions(self, dotted: str, arguments: list[Any], named: dict[str, Any]) -> None:
        """Call what is handed to something that calls it: `map(f, items)`, `Thread(target=f, args=…)`."""
        bare = dotted.rpartition(".")[2]
        target = named.get("target", arguments[0] if arguments else None)
        if bare in RUNS_EACH and isinstance(target, (Name, Function)):
            for item in (self.reader.items(arguments[1]) if len(arguments) > 1 else None) or [UNKNOWN]:
                self.reader.call(target, [item], {})
            return
        takes = dotted in TAKES_FUNCTION or bare in TAKES_FUNCTION
        for place, value in enumerate(arguments):
            if isinstance(value, Function):
                self.reader.pending.append(value)
            elif isinstance(value, Name) and takes:
                self.reader.call(value, arguments[place + 1 :], {})
            elif isinstance(value, Name) and value.dotted in HARMS and len(arguments) > place + 1:
                rest = arguments[place + 1 :]  # an object that calls it later: `scheduler.enter(1, 1, f, (path,))`
                items = self.reader.items(rest[0]) if len(rest) == 1 and isinstance(rest[0], Items) else None
                self.reader.call(value, rest if items is None else items, {})
        handed = named.get("target")
        if isinstance(handed, Function):
            self.reader.pending.append(handed)
        if isinstance(handed, (Name, Function)) and takes:
            given = self.reader.items(named.get("args")) if "args" in named else []
            self.reader.call(handed, given if given is not None else [UNKNOWN], {})

    def join(self, left: Any, right: Any) -> Any:
        """`left / right` as paths."""
        first, second = text_of(left), text_of(right)
        if second[:1] == "/":
            return self.reader.limited(second, True)
        if not second or second == ".":
            return self.reader.limited(first, True)
        return self.reader.limited(f"{first.rstrip('/')}/{second}" if first not in ("", ".") else second, True)

    def joined(self, arguments: list[Any], is_path: bool) -> Any:
        """`os.path.join(…)`, `Path(…)`."""
        made: Any = Text(".", True)
        for value in arguments:
            if isinstance(value, (Items, Unknown)) and value is not UNKNOWN:
                return UNKNOWN
            made = self.join(made, value)
            if not isinstance(made, Text):
                return UNKNOWN
        return Text(made.text, is_path)

    def folder(self, is_path: bool = False) -> Any:
        """Return the folder that the code runs in."""
        return Text(self.analysis.cwd.real, is_path) if self.analysis.cwd.known else UNKNOWN

    def below(self, folder: Any, pattern: str | None, deep: bool, who: str) -> Any:
        """Return the files that a search for names finds now; incomplete if they cannot be listed."""
        text = text_of(folder)
        if not is_known(text) or pattern is None or not is_known(pattern):
            return Items([], False)
        from policy_engine.inline.listing import files_matching

        paths = files_matching(self.analysis, text, pattern, deep, who != "glob")
        if not paths:
            folder = self.analysis.path(text, "read")
            if paths is not None and folder.known and self.analysis.filesystem.relative(folder) is not None:
                return Items([])
            if "/" in pattern:
                return Items([], False)
            # what lies elsewhere, or cannot be listed: a name below the folder, deeper ones are not known
            return Items([Text(f"{text.rstrip('/')}/{entry_for(pattern)}", who == "Path")], not deep)
        return Items([Text(one, who == "Path") for one in paths])

    def searched(self, pattern: str | None, who: str) -> Any:
        """Return the files that a pattern for paths finds now."""
        from policy_engine.inline.listing import place_of

        place = None if pattern is None else place_of(pattern)
        return Items([], False) if place is None else self.below(Text(place[0]), place[1], place[2], who)

    def path_attribute(self, path: Text, name: str) -> Any:
        """Return an attribute of a `pathlib` path that is known without a call, None for others."""
        text = path.text.rstrip("/") or "/"
        folder, slash, last = text.rpartition("/")
        if name == "parent":
            return Text((folder or "/") if slash else ("." if text != "." else ".."), True)
        if not is_known(last):
            return UNKNOWN if name in ("name", "stem", "suffix", "parents", "parts") else None
        if name == "name":
            return Text(last)
        if name in ("stem", "suffix"):
            stem, dot, suffix = last.rpartition(".")
            plain = not (dot and stem)
            return Text((last if plain else stem) if name == "stem" else ("" if plain else dot + suffix))
        if name in ("parents", "parts"):
            return UNKNOWN
        return None

    def cut(self, owner: Any, bounds: list[Any]) -> Any:
        """`owner[a:b:c]`."""
        known = all(one is None or (isinstance(one, Number) and type(one.value) in (int, type(None))) for one in bounds)
        whole = slice(*(None if one is None else one.value for one in bounds)) if known else None
        if isinstance(owner, Text) and is_known(owner.text) and whole is not None and (whole.step or 1) != 0:
            return Text(owner.text[whole])
        if isinstance(owner, Items):
            if all(one is None for one in bounds):
                return type(owner)(list(owner.items), owner.complete, owner.loose)
            if whole is not None and owner.exact and (whole.step or 1) != 0:
                return type(owner)(owner.items[whole])
            return Items([], False)
        if isinstance(owner, Name) and owner.dotted == "sys.argv":
            return Items([], False)
        return UNKNOWN

    def decoded(self, arguments: list[Any], coding: str) -> Any:
        """Return the text that a known one decodes to."""
        self.analysis.does("decodes")
        text = literal(arguments[0]) if arguments else None
        if text is None or len(text) > MOST_TEXT:
            return UNKNOWN
        import binascii

        try:
            if coding == "rot13":
                lower, upper = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                turned = str.maketrans(lower + upper, lower[13:] + lower[:13] + upper[13:] + upper[:13])
                self.decoded_texts.append(text.translate(turned))
                return Text(self.decoded_texts[-1])
            data = (
                binascii.a2b_base64(text) if coding == "base64" else bytes.fromhex(text) if coding == "hex" else b"\0"
            )
            if b"\0" in data:
                return UNKNOWN
            self.decoded_texts.append(data.decode("latin-1"))
            return Text(self.decoded_texts[-1])
        except ValueError:
            return UNKNOWN

    def expand_home(self, value: Any) -> Any:
        """Return a path with the home folder for `~`."""
        text, home = text_of(value), self.analysis.filesystem.home
        if text == "~" or text.startswith("~/"):
            return Text(home + text[1:], getattr(value, "is_path", False)) if home else UNKNOWN
        return value if isinstance(value, Text) and text[:1] not in ("~", "\0") else UNKNOWN
