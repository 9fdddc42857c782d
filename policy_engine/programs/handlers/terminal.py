"""`tmux send-keys`, `screen -X stuff`: type into a terminal."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis, script_lines

_ANSWERS = frozenset("y yes Y Yes YES 1 2 adopt alone Enter C-m C-j KPEnter BTab S-Tab".split())
_PROOF = 8  # characters of a digest that a person types


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
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
    else:
        return _told(words, analysis) if analysis.name == "tmux" else []
    if all(word in _ANSWERS or _may_be_proof(word) for word in typed):
        analysis.doubt("controls-engine", "what it types may answer a question that a person is asked")
    return []


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
