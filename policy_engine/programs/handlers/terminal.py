"""`tmux send-keys`, `screen -X stuff`: type into a terminal; `tmux load-buffer F`, `save-buffer F`: files."""

from __future__ import annotations

from itertools import pairwise

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis, script_lines

_ANSWERS = frozenset("y yes Y Yes YES 1 2 adopt alone Enter C-m C-j KPEnter BTab S-Tab".split())
_GLOBAL = ("-c", "-f", "-L", "-S", "-T")  # options of tmux itself with a value
_VALUED = ("-b", "-t", "-n")
_FILES = {"load-buffer": "read", "loadb": "read", "save-buffer": "write", "saveb": "write"}
_OF_SCREEN = {"readbuf": "read", "readreg": "read", "source": "read", "writebuf": "write", "hardcopy": "write",
              "logfile": "write"}  # fmt: skip
_PROOF = 8  # characters of a digest that a person types


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    if analysis.name == "tmux" and any(word[-1:] == ";" for word in words):
        return []  # several commands, each of which is read by itself
    if analysis.name == "screen" and {"quit", "kill"} & set(words):
        analysis.doubt("controls-engine", "`screen`: it may end the terminal that the agent runs in")
    if analysis.name == "screen" and "stuff" in words:
        text = "".join(words[words.index("stuff") + 1 :][:1])
        for end in ("\\n", "\\r", "\\015", "\\012", "^M", "\n", "\r"):
            text = text.replace(end, " ")
        analysis.shell(text)
        typed = text.split()
    elif words[:1] in (["send-keys"], ["send"]):
        typed = [
            word
            for place, word in enumerate(words)
            if place and word[:1] != "-" and words[place - 1] not in ("-t", "-N")
        ]
    elif analysis.name == "tmux":
        return _told(words, analysis) + _with_file(words, analysis)
    else:
        files = [(_OF_SCREEN.get(before), file) for before, file in pairwise(words)]
        return [analysis.path(file, access) for access, file in files if access] if "-X" in words else []
    if all(word in _ANSWERS or _may_be_proof(word) for word in typed):
        analysis.doubt("controls-engine", "what it types may answer a question that a person is asked")
    return []


def _with_file(words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """Return the file that a command of tmux puts into its buffer, or the buffer into; play what it sets up to run."""
    start = next(
        (place for place, word in enumerate(words) if word[:1] != "-" and words[place - 1] not in _GLOBAL), None
    )
    if start is None:
        return []
    verb = words[start]
    names = [word for before, word in zip(words[start:], words[start + 1 :], strict=False)
             if word[:1] != "-" and before not in _VALUED]  # fmt: skip
    for word in names:
        for piece in word.split("#(")[1:]:
            analysis.shell(piece.rpartition(")")[0])
    if verb == "set-hook" and len(names) > 1:
        analysis.shell(f"tmux {names[-1]}")
    elif verb in ("set-buffer", "setb"):
        analysis.guesses += names[-1:]
    whole = next((name for name in _FILES if name == verb or (len(verb) > 2 and name.startswith(verb))), "")
    return [analysis.path(names[-1], _FILES[whole])] if whole and names and names[-1] != "-" else []


def _told(words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """Commands of a file, or of the standard input: `source F`, `-f F`, `-C`; each is one of tmux's own."""
    files = [words[place + 1] for place, word in enumerate(words[:-1]) if word in ("source", "source-file", "-f")]
    lines = [line for file in files for line in script_lines(file, analysis)]
    if ("-" in files or {"-C", "-CC"} & set(words)) and analysis.feed is not None:
        lines += analysis.feed.split("\n") if is_known(analysis.feed) else [analysis.feed]
    for line in (line.strip() for line in lines):
        if not is_known(line):
            analysis.doubt("*", "what it is told to do is not known")
        elif line and line[:1] != "#":
            analysis.shell(f"tmux {line}")
    return [analysis.path(file, "read") for file in files if file != "-"]


def _may_be_proof(word: str) -> bool:
    return len(word) == _PROOF and all(char in "0123456789abcdef" for char in word)
