"""Read a script of `sed`: the files that it names, and whether it starts programs.

Read as GNU sed reads it, command by command; what cannot be read is a doubt. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import DIGITS, NUMBER, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis

_ANY, _UNKNOWN = "\uf8fc", "\uf8fb"  # stand for digits, and for any text, that are not known
_DIGITS = "0123456789" + _ANY
_PLAIN = "=dDgGhHnNpPxzF"
_TEXTS = "aic"  # the rest of the line is text; with a backslash at its end, the next one too
_WORDS = "btTqQlLv:"  # they take a label or a number
_FILES = {"r": "read", "R": "read", "w": "write", "W": "write"}


def read_script(script: str, analysis: EffectAnalysis) -> list[PathValue]:
    """The files that the script reads and writes.

    What is not known of a pattern or of what is put in its place is a part of that: it holds no mark that ends it.
    """
    script = script.replace(NUMBER, _ANY).replace(DIGITS, _ANY)
    head, *parts = script.split("\0")
    text = head + "".join(_UNKNOWN + part[1:] for part in parts)
    reader = _Reader(text, analysis)
    try:
        while reader.place < len(text):
            reader.command()
        if reader.unknown < len(parts):
            analysis.doubt("*", f"what `{shown(script)[:80]}` of `sed` does is not known")
    except ValueError:
        analysis.doubt("*", f"`{shown(script)[:80]}` is not understood as a script of `sed`")
        analysis.doubt("executes", "what the script starts is not known")
        reader.paths.append(analysis.unknown("sed", "which file the script writes is not known", "write"))
    return reader.paths


class _Reader:
    def __init__(self, text: str, analysis: EffectAnalysis) -> None:
        self.text = text
        self.analysis = analysis
        self.place = 0
        self.unknown = 0  # parts of patterns and their replacements that are not known
        self.paths: list[PathValue] = []

    def _skip(self, chars: str) -> str:
        start = self.place
        while self.place < len(self.text) and self.text[self.place] in chars:
            self.place += 1
        return self.text[start : self.place]

    def _line(self) -> str:
        """The rest of the line."""
        end = self.text.find("\n", self.place)
        line = self.text[self.place : end if end >= 0 else len(self.text)]
        self.place += len(line)
        return line

    def _until(self, mark: str) -> str:
        """Up to the mark and over it; a set `[…]` may hold one."""
        start, bracket = self.place, False
        while self.place < len(self.text):
            char = self.text[self.place]
            self.place += 1
            if char == "\\":
                self.place += 1
            elif char == "[" and not bracket:
                bracket = "]" in self.text[self.place + 1 :].split("\n", 1)[0]
            elif char == "]":
                bracket = False
            elif char == mark and not bracket:
                self.unknown += self.text.count(_UNKNOWN, start, self.place)
                return self.text[start : self.place - 1]
        raise ValueError(mark)

    def _address(self) -> None:
        char = self.text[self.place : self.place + 1]
        if char == "/" or char == "\\":
            self.place += 1 if char == "/" else 2
            self._until("/" if char == "/" else self.text[self.place - 1])
            self._skip("IM")
        else:
            self._skip(f"{_DIGITS}$~+")
        self._skip(" \t")

    def command(self) -> None:
        """One command with its addresses."""
        self._skip(" \t\n;")
        self._address()
        if self.text[self.place : self.place + 1] == ",":
            self.place += 1
            self._skip(" \t")
            self._address()
        self._skip("! \t")
        name = self.text[self.place : self.place + 1]
        self.place += 1
        if name in ("", "{", "}") or name in _PLAIN:
            return
        if name == "#":
            self._line()
        elif name in _TEXTS:
            while self._line().endswith("\\") and self.place < len(self.text):
                self.place += 1
        elif name in _WORDS:
            while self.place < len(self.text) and self.text[self.place] not in ";\n}":
                self.place += 1
        elif name in _FILES:
            self._file(_FILES[name], self._line())
        elif name == "e":
            self._starts(self._line().strip())
        elif name in "sy" and self.place < len(self.text):
            self._substitution(name)
        else:
            raise ValueError(name)

    def _substitution(self, name: str) -> None:
        mark = self.text[self.place]
        self.place += 1
        self._until(mark)
        self._until(mark)
        flags = self._skip(f"gpiImMe{_DIGITS}") if name == "s" else ""
        if "e" in flags:
            self._starts("")
            self.analysis.doubt("*", "what `sed` makes of its input is run")
        if self.text[self.place : self.place + 1] == "w" and name == "s":
            self.place += 1
            self._file("write", self._line())

    def _file(self, access: str, name: str) -> None:
        text = name.strip()
        if text and text not in ("/dev/stdout", "/dev/stderr", "/dev/stdin"):
            self.paths.append(self.analysis.path(text.replace(_ANY, NUMBER), access))

    def _starts(self, line: str) -> None:
        self.analysis.does("executes")
        if line:
            self.analysis.shell(line.replace(_ANY, NUMBER))
        else:
            self.analysis.does("executes-input")
