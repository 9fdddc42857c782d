"""`vim`: opens its operands, to read and to write, and does what commands of its words, scripts and input say."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, EffectAnalysis, script_lines, stays_here

_WRITES = frozenset("w wr wri writ write sav saveas up update wq wn wp x xit exi exit W".split())
_SOURCES = frozenset("so sou sour sourc source luaf luafile pyf pyfile py3f py3file rubyf rubyfile".split())
_READS = frozenset("r re rea read".split()) | _SOURCES
_OPENS = frozenset(
    (
        "e ed edi edit E ex vi vis visual vie view f fi fil file sp spl split vs vsp vsplit new vne vnew tabe tabedit "
        "tabnew tabf tabfind fin find sf sfind sv sview ar args n next ped pedit bad badd dr drop o open fo"
    ).split()
)
_HANDS_ON = frozenset(
    "sil silent exe execute noa noautocmd keepa keepalt bufdo argdo windo tabdo norm normal g v".split()
)
_INSERTS = ("a", "i", "c", "append", "insert", "change")


class _Script:
    """A script of one editor: the paths that its commands name, and the files that they open."""

    def __init__(self, analysis: EffectAnalysis) -> None:
        self.analysis = analysis
        self.paths: list[PathValue] = []
        self.opened: list[str] = []
        self.changes = False  # the files that are open may be written

    def play(self, lines: list[str]) -> None:
        """Play lines of commands, but for the text that one of them inserts."""
        inserts = False
        for line in lines:
            if inserts:
                inserts = line != "."
            else:
                self.command(line)
                inserts = _stripped(line) in _INSERTS

    def command(self, line: str) -> None:
        """Play one line: a command, and those behind `|`."""
        command = _stripped(line)
        end = next((place for place, char in enumerate(command) if not char.isalpha()), len(command))
        name, rest = command[:end], command[end:].removeprefix("!") if command[end : end + 2] != "!/" else command[end:]
        forced = command[end : end + 1] == "!" and bool(name)
        if command[:1] == "!":
            self.analysis.shell(command[1:])
        elif name in (*_WRITES, *_READS) and (rest.lstrip()[:1] == "!" or (forced and rest[:1] not in ("", " "))):
            self.analysis.shell(rest.lstrip().lstrip("!"))
        elif name in _HANDS_ON and rest[:1] not in ("", "="):
            self.command(rest.lstrip().strip("'\""))
        elif "system(" in command or "writefile(" in command or name == "call":
            if not self.called(command):
                self.analysis.doubt("*", "what the function of the editor does is not read")
                self.changes = True
        else:
            first, bar, more = _divided(rest)
            self.named(name, first.strip(), command)
            if bar:
                self.command(more)

    def called(self, command: str) -> bool:
        """A function of the editor with literal words; false for others."""
        name, _, rest = command.removeprefix("call").strip().partition("(")
        words = _literals(rest)
        if name in ("system", "systemlist") and words:
            self.analysis.shell(words[0])
        elif name == "delete" and words:
            self.paths.append(self.analysis.path(words[0], "delete", "r" in "".join(words[1:2])))
        elif name == "rename" and len(words) == 2:
            ways = ((words[0], "delete"), (words[1], "write"))
            self.paths += [self.analysis.path(text, way, True) for text, way in ways]
        elif name in ("writefile", "mkdir") and words:
            self.paths.append(self.analysis.path(words[0 if name == "mkdir" else -1], "write"))
        else:
            return False
        return True

    def named(self, name: str, target: str, command: str) -> None:
        """A command with the name of a file, or none."""
        target = target.lstrip("> ") if name in _WRITES else target
        while target[:1] == "+" and " " in target:
            target = target.partition(" ")[2].lstrip()
        target = f"{self.analysis.filesystem.home}{target[1:]}" if target[:2] == "~/" else target
        if name in _OPENS:
            self.opened += [word for word in target.split() if word not in ("#", "%")]
            self.changes = self.changes or name in ("f", "fi", "fil", "file")
        elif name in _READS:
            self.paths += [self.analysis.path(target, "read")] if target else []
            if name in _SOURCES and "://" in target and not stays_here([target]):
                self.analysis.doubt("executes-remote", "the editor runs what it takes from an address")
        elif name in _WRITES:
            self.paths += [self.analysis.path(target, "write")] if target else []
            self.changes = self.changes or not target
        elif command and not command.startswith(("q", "set ", "se ", "p", "l", "=", "#", "n", '"', "H", "h")):
            self.changes = True


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("-c", "-S", "-u", "--cmd", "--eval", "--execute", "--script", "--load"):
        analysis.does("executes")
    if analysis.name == "emacs" and arguments.has("-l", "-f", "--eval", "--execute", "--load", "--script", "--funcall"):
        raise Undecided("what Lisp does is not read")
    script = _Script(analysis)
    sourced = [
        *arguments.values("-S", "-u"),
        *(arguments.operands[:1] if arguments.has("-s") and _types(arguments) else []),
    ]
    started = [line for text in sourced for line in _lines_of(text, analysis)]
    started += [*arguments.values("-c", "--cmd"), *(text[1:] for text in arguments.operands if text[:1] == "+")]
    for line in started:
        script.command(line)
    fed = analysis.feed is not None and analysis.name != "emacs"
    if fed and is_known(analysis.feed or ""):
        script.play((analysis.feed or "").split("\n"))
    elif fed and (analysis.name in ("ed", "ex") or arguments.has("-e", "-E")):
        analysis.fear_all("the editor", f"what `{analysis.name[:80]}` is told to do is not known")
    files = [text for text in arguments.operands if text[:1] not in "-+"]
    access = ("read", "write") if script.changes or not (started or fed) else ("read",)
    paths = [*script.paths, *(analysis.path(text, way) for text in (*files, *script.opened) for way in access)]
    return paths + [analysis.path(text, "write") for text in arguments.values("-w", "-W")]


def _types(arguments: Arguments) -> bool:
    """Return whether `-s` names keys to be typed, as it does outside of the mode `-e`."""
    return not arguments.has("-e", "-E")


def _lines_of(name: str, analysis: EffectAnalysis) -> list[str]:
    """The commands of a script that are plain: what is certain of a file."""
    lines = [line.lstrip(": ") for line in script_lines(name, analysis)]
    return [line for line in lines if line[:1] == "!" or line.startswith(("w", "call delete(", "call system("))]


def _literals(text: str) -> list[str]:
    """The texts between quotes."""
    words: list[str] = []
    while text:
        start = min((place for quote in "'\"" if (place := text.find(quote)) >= 0), default=-1)
        end = text.find(text[start], start + 1) if start >= 0 else -1
        if end < 0:
            break
        words.append(text[start + 1 : end])
        text = text[end + 1 :]
    return words


def _stripped(line: str) -> str:
    """A command without the lines that it is for: numbers, marks, and what stands between slashes or question marks."""
    rest = line.strip()
    while rest:
        bare = rest.lstrip(":%0123456789,;$.+- \t")
        if bare[:1] == "'" and len(bare) > 1:
            bare = bare[2:]
        end = 0
        if bare[:1] in ("/", "?"):
            end = _end_of_pattern(bare, 0)
        elif bare[:2] in ("g/", "v/"):
            end = _end_of_pattern(bare, 1)
        elif bare[:3] == "g!/":
            end = _end_of_pattern(bare, 2)
        bare = bare[end:]
        if bare == rest:
            return rest
        rest = bare
    return rest


def _end_of_pattern(text: str, start: int) -> int:
    """Return the place behind a pattern between two signs, of which the first stands there."""
    place = start + 1
    while place < len(text) and text[place] != text[start]:
        place += 2 if text[place] == "\\" else 1
    return place + 1


def _divided(text: str) -> tuple[str, bool, str]:
    """A command up to `|`, whether there is one, and what follows; `\\|` divides nothing."""
    for place, char in enumerate(text):
        if char == "|" and text[place - 1 : place] != "\\":
            return text[:place], True, text[place + 1 :]
    return text, False, ""
