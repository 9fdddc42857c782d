"""Read Tcl without running it, and tell an analysis what its commands touch and start.

Every command is looked at, also those in brackets and in braces that may be a body; variables that hold a known text
are followed. Nothing of the code is run. Imported by the hook path when a line carries such code.
"""

from __future__ import annotations

from policy_engine.inline.values import shell_words, with_variables
from policy_engine.model.partial import MANY, ONE, is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis

_DEPTH = 12
_MOST = 20_000  # words that are looked at
_TEXTS = frozenset(
    "puts list string regexp regsub lappend append format expr incr split join return dict array".split()
)
"""Commands whose braces hold texts, and no code."""
_SIGNS = ("|", "|&", ">", ">>", "<", "2>", "2>>", "&")  # words of `exec` that stand between or behind commands
_SHELLS = ("sh", "bash", "zsh", "dash", "ksh")
_ENDS = ("\n", ";")


def read_tcl(code: str, analysis: EffectAnalysis) -> None:
    """Tell the analysis what a script does."""
    _Script(analysis).play(code, 0)


class _Script:
    """One script: the values of its variables, and how much of it was read."""

    def __init__(self, analysis: EffectAnalysis) -> None:
        self.analysis = analysis
        self.values = {"env(HOME)": analysis.filesystem.home or ONE}
        self.read = 0
        self.opens_for = ""  # what `open` was asked for last: a file, or a command behind `|`

    def play(self, code: str, depth: int) -> None:
        """Play the commands of a text, one after the other."""
        self.read += len(code)
        if depth > _DEPTH or self.read > _MOST * 16:
            self.analysis.fear_all("the code", "the code is too long to be read")
            return
        for words in _commands(code):
            texts = [self.text(word, depth) for word in words]
            if (
                words and texts[0][0].rpartition("/")[2] in _SHELLS
            ):  # no command of Tcl: it may be looked for as a program
                self.analysis.guesses.append(code)
            self.command([text for text, _ in texts], depth)
            if words and texts[0][0] not in _TEXTS and texts[0][0] not in ("set", "exec", "open", "file"):
                for text, braced in texts[1:]:
                    if braced:
                        self.play(text, depth + 1)

    def text(self, word: str, depth: int) -> tuple[str, bool]:
        """Return what a word stands for, and whether it stands in braces; commands in brackets are played."""
        if word[:1] == "{" and word[-1:] == "}":
            return word[1:-1], True
        quoted = word[:1] == '"' and word[-1:] == '"' and len(word) > 1
        word = word[1:-1] if quoted else word
        made: list[str] = []
        place = 0
        while place < len(word):
            char = word[place]
            if char == "\\":
                made.append(
                    {"n": "\n", "t": "\t", "r": "\r"}.get(word[place + 1 : place + 2], word[place + 1 : place + 2])
                )
                place += 2
            elif char == "[":
                end = _closing(word, place)
                inner = word[place + 1 : end]
                self.play(inner, depth + 1)
                made.append(self.result(inner, depth))
                place = end + 1
            elif char == "$":
                name, place = _variable(word, place + 1)
                made.append(self.values.get(name, ONE) if name else "$")
            else:
                made.append(char)
                place += 1
        return "".join(made), False

    def result(self, code: str, depth: int) -> str:
        """Return what commands in brackets give, where that is plain."""
        commands = _commands(code)
        head = commands[-1][:2] if commands else []
        if head[:1] in (["file"], ["list"], ["string"]) and len(commands) == 1:
            texts = [self.text(word, _DEPTH)[0] for word in commands[0]]
            if head == ["file", "join"]:
                return "/".join(texts[2:])
            if head == ["file", "normalize"] or head == ["string", "trim"]:
                return "".join(texts[2:3])
            if head[0] == "list":
                return " ".join(texts[1:])
        return ONE

    def command(self, words: list[str], depth: int) -> None:
        """Play one command."""
        name = words[0].removeprefix("::") if words else ""
        given = words[1:]
        rule = getattr(self, f"do_{name}", None) if name.isidentifier() else None
        if rule is not None:
            rule(given, depth)
        elif name.startswith("http::geturl") or name == "socket":
            self.analysis.does("network")
        elif name and not is_known(name) and any(" " in word for word in given):
            self.analysis.doubt("*", "which command of the code is meant is not known")

    def do_set(self, given: list[str], depth: int) -> None:
        """`set NAME VALUE`."""
        if len(given) == 2:
            self.values[given[0]] = given[1]

    def do_exec(self, given: list[str], depth: int) -> None:
        """A pipeline, each word as it is."""
        while given and given[0] in ("-ignorestderr", "-keepnewline", "--", "-encoding"):
            given = given[2 if given[0] == "-encoding" else 1 :]
        words = [word if word in _SIGNS else MANY if word == ONE else shell_words([word]) for word in given]
        if given and not is_known(given[0]):
            self.analysis.fear_all("exec", "what `exec` starts is put together at run time")
        elif words:
            self.analysis.shell(with_variables(" ".join(words)))

    def do_spawn(self, given: list[str], depth: int) -> None:
        """`spawn` of Expect starts a program."""
        self.do_exec([word for place, word in enumerate(given) if place or word != "-noecho"], depth)

    def do_system(self, given: list[str], depth: int) -> None:
        """`system` of Expect and TclX hands a line to a shell."""
        self.analysis.shell(with_variables(" ".join(given)))

    def do_send(self, given: list[str], depth: int) -> None:
        """`send` of Expect types into what was spawned, which may be a shell."""
        text = given[-1].strip() if given else ""
        if is_known(text) and " " in text:
            self.analysis.guesses.append(text)

    def do_open(self, given: list[str], depth: int) -> None:
        """A file, or a command behind `|`."""
        name, mode = given[0] if given else ONE, given[1] if len(given) > 1 else "r"
        if name[:1] == "|":
            self.analysis.shell(with_variables(name[1:].strip()))
            return
        if mode[:1] in "wa" or "+" in mode or "WR" in mode or not is_known(mode):
            self.analysis.paths.append(self.analysis.path(name, "write"))
        if mode[:1] == "r" or "+" in mode or "RD" in mode:
            self.analysis.paths.append(self.analysis.path(name, "read"))

    def do_file(self, given: list[str], depth: int) -> None:
        """`file delete`, `file rename` and so on."""
        verb = given[0] if given else ""
        names = [word for word in given[1:] if word not in ("-force", "--", "-symbolic", "-hard")]
        if verb in ("delete", "rename", "copy") and given[1:2] and not names:
            names = [ONE]
        if verb == "delete":
            self.analysis.paths += [self.analysis.path(name, "delete", "-force" in given) for name in names]
        elif verb in ("rename", "copy") and len(names) > 1:
            ways = ("read", "delete") if verb == "rename" else ("read",)
            self.analysis.paths += [self.analysis.path(name, way, True) for name in names[:-1] for way in ways]
            self.analysis.paths.append(self.analysis.path(names[-1], "write", True))
        elif verb in ("mkdir", "link", "attributes", "mtime", "atime"):
            changed = names if verb == "mkdir" else names[:1] if len(names) > (1 if verb != "attributes" else 2) else []
            self.analysis.paths += [self.analysis.path(name, "write") for name in changed]

    def do_source(self, given: list[str], depth: int) -> None:
        """A further script."""
        if given:
            self.analysis.run(given[-1])

    do_load = do_source

    def do_cd(self, given: list[str], depth: int) -> None:
        """The folder that it works in from then on."""
        self.analysis.cwd = self.analysis.path(given[0] if given else ONE, "read")

    def do_eval(self, given: list[str], depth: int) -> None:
        """Words as code."""
        code = " ".join(given)
        if not is_known(code):
            self.analysis.fear_all("eval", "the code that `eval` runs is put together at run time")
        else:
            self.play(code, depth + 1)

    do_uplevel = do_eval

    def do_after(self, given: list[str], depth: int) -> None:
        """Code that is run later."""
        if len(given) > 1 and is_known(" ".join(given[1:])):
            self.play(" ".join(given[1:]), depth + 1)

    def do_foreach(self, given: list[str], depth: int) -> None:
        """A variable that holds one of several values."""
        if len(given) == 3:
            names = given[1].split() if is_known(given[1]) else []
            self.values[given[0]] = names[0] if len(names) == 1 else ONE
            for name in names[1:17]:
                self.values[given[0]] = name
                self.play(given[2], depth + 1)
            if names:
                self.values[given[0]] = names[0]


def _commands(code: str) -> list[list[str]]:
    """Divide a script into commands, each a list of words as they are written."""
    commands: list[list[str]] = []
    words: list[str] = []
    place = 0
    while place < len(code):
        char = code[place]
        if char == "\\" and code[place + 1 : place + 2] == "\n":
            place += 2
        elif char in _ENDS:
            commands.append(words)
            words = []
            place += 1
        elif char.isspace():
            place += 1
        elif char == "#" and not words:
            place = (code.find("\n", place) + 1) or len(code)
        else:
            end = _end_of_word(code, place)
            words.append(code[place:end])
            place = end
    return [one for one in (*commands, words) if one]


def _end_of_word(code: str, place: int) -> int:
    """Return the place behind a word."""
    if code.startswith("{*}", place):
        place += 3
    if code[place : place + 1] in ("{", '"'):
        return _closing(code, place) + 1
    while place < len(code) and not code[place].isspace() and code[place] != ";":
        place = _closing(code, place) + 1 if code[place] == "[" else place + (2 if code[place] == "\\" else 1)
    return min(place, len(code))


def _closing(code: str, place: int) -> int:
    """Return the place of the sign that closes the one at a place; the end of the text if none does."""
    opening = code[place]
    closing = {"{": "}", "[": "]", '"': '"'}[opening]
    depth = 0
    while place < len(code):
        char = code[place]
        if char == "\\":
            place += 1
        elif char == closing and (depth == 1 or opening == '"') and depth:
            return place
        elif char == opening:
            depth += 1
        elif char == closing:
            depth -= 1
        elif char == "[" and opening == '"':
            place = _closing(code, place)
        place += 1
    return len(code)


def _variable(word: str, place: int) -> tuple[str, int]:
    """Return the name of a variable behind `$`, and the place behind it."""
    if word[place : place + 1] == "{":
        end = word.find("}", place)
        return (word[place + 1 : end], end + 1) if end > 0 else ("", place)
    end = place
    while end < len(word) and (word[end].isalnum() or word[end] in "_:"):
        end += 1
    name = word[place:end]
    if word[end : end + 1] == "(":
        close = word.find(")", end)
        home = word[end + 1 : close] == "HOME"
        end = close + 1 if close > 0 else end
        name = f"{name.removeprefix('::')}({'HOME' if home else ''})"
    return name, end
