"""Read a script of `sed`: the files that it names, and whether it starts programs.

Read as GNU sed reads it, command by command; what cannot be read is a doubt. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import (
    BRANCH,
    DIGITS,
    ENTRY,
    GLOB,
    MANY,
    NAME,
    NUMBER,
    PIECE,
    VISIBLE,
    is_known,
    shown,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis

_ANY = "\uf8fc"  # stands for digits that are not known
_DIGITS = "0123456789" + _ANY
_PLAIN = "=dDgGhHnNpPxzF"
_TEXTS = "aic"  # the rest of the line is text; with a backslash at its end, the next one too
_WORDS = "btTqQlLv:"  # they take a label or a number
_FILES = {"r": "read", "R": "read", "w": "write", "W": "write"}


def read_script(script: str, analysis: EffectAnalysis) -> list[PathValue]:
    """The files that the script reads and writes."""
    script = script.replace(NUMBER, _ANY).replace(DIGITS, _ANY)
    reader = _Reader(script, analysis)
    doubt = f"what `{shown(script)[:80]}` of `sed` does is not known"
    try:
        while reader.place < len(script):
            reader.command()
        if not is_known(script):
            reader.judge_values(doubt)
    except ValueError:
        if not is_known(script):
            analysis.doubt("*", doubt)
        analysis.doubt("*", f"`{shown(script)[:80]}` is not understood as a script of `sed`")
        analysis.doubt("executes", "what the script starts is not known")
        reader.paths.append(analysis.unknown("sed", "which file the script writes is not known", "write"))
    return reader.paths


def _holds_names(text: str, mark: str) -> bool:
    """Return whether what is not known of a text are names of files or branches, which do not hold the mark."""
    if mark.isalnum() or mark in "._:@+-":
        return is_known(text)
    kinds = (NAME, ENTRY, VISIBLE, PIECE) if mark == "/" else (NAME, ENTRY, VISIBLE, PIECE, BRANCH, GLOB)
    for kind in kinds:
        text = text.replace(kind, "")
    return is_known(text)


class _Reader:
    def __init__(self, text: str, analysis: EffectAnalysis) -> None:
        self.text = text
        self.analysis = analysis
        self.place = 0
        self.paths: list[PathValue] = []
        self.texts: list[tuple[int, int, str]] = []  # where patterns and texts stand, with the mark that ends them

    def judge_values(self, doubt: str) -> None:
        """Doubt the script for what is not known of it, but for names that stand in its patterns and texts.

        Whether any other value in a text is one that ends it, the line says that the value comes from.
        """
        commands, place = "", 0
        for start, end, mark in self.texts:
            commands += self.text[place:start]
            place = end
            text = self.text[start:end]
            if MANY in text or not is_known(mark):
                self.analysis.doubt("*", doubt)
            elif not _holds_names(text, mark):
                self.analysis.put_in[mark] = doubt
        if not is_known(commands + self.text[place:]):
            self.analysis.doubt("*", doubt)

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
            if char in "\\\0":  # of a mark, both characters
                self.place += 1
            elif char == "[" and not bracket:
                bracket = "]" in self.text[self.place + 1 :].split("\n", 1)[0]
            elif char == "]":
                bracket = False
            elif char == mark and not bracket:
                self.texts.append((start, self.place - 1, mark))
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
            start = self.place
            while self._line().endswith("\\") and self.place < len(self.text):
                self.place += 1
            self.texts.append((start, self.place, "\n"))
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
            self.analysis.doubt("*", "what `sed` makes of its input is run")
