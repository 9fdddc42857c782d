"""`tar`: packs and unpacks archives; some of its options run programs."""

from __future__ import annotations

from policy_engine.filesystem.left_out import plain_patterns
from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import MANY, is_known, may_be_option
from policy_engine.programs.base import Arguments, EffectAnalysis

_MODES = {"create": "c", "append": "r", "update": "u", "extract": "x", "get": "x", "list": "t", "diff": "d",
          "compare": "d", "delete": "D", "concatenate": "A", "catenate": "A"}  # fmt: skip
_RUNS = ("--checkpoint-action", "--to-command", "--use-compress-program", "--info-script", "--new-volume-script",
         "--rsh-command", "--rmt-command")  # fmt: skip
_UNKNOWN = "which options `tar` is given is not known"
_TAKES_BACK = ("--a", "--inc", "--no-w")  # `--anchored`, `--add-file`, `--include`, `--no-wildcards`, shortened too
_LIST_BYTES = 65_536
_VALUES = "bCfFgHIKLNTVX"
_TAKING = ("file", "directory", "dir", "files-from", "exclude", "transform", "strip-components")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if any(MANY in word for word in arguments.operands):
        analysis.doubt("*", _UNKNOWN)
    if arguments.operands and may_be_option(arguments.operands[0]):
        analysis.doubt("*", _UNKNOWN)
        for text in filter(is_known, arguments.operands):
            analysis.mention(text)
            analysis.paths += [analysis.may_touch(text, _UNKNOWN, way, True) for way in ("read", "write")]
    modes, archives, names, folder, flags = _sorted(arguments.operands, analysis)
    if "x" in modes and "O" in flags:
        analysis.does("decodes")
        analysis.contents += [analysis.path(text, "read") for text in names]  # members, by the names that they had
    if "P" in flags:
        analysis.doubt("configures", "members may be put anywhere")
    paths: list[PathValue] = []
    for text in _listed(arguments.operands, ("-T", "--files-from")) if modes & set("cru") else ():
        if text == "-" and analysis.fed_names() is not None:
            names += analysis.fed_names() or []
            continue
        reason = f"which files `{text[:80]}` names is not known"
        paths += [
            analysis.unknown(text, reason, way, True) for way in ("read", "delete") if way == "read" or "-" in flags
        ]
    paths += [analysis.path(text, "read") for text in _listed(arguments.operands, ("-X", "--exclude-from"))]
    for text in archives:
        if ":" in text.partition("/")[0]:
            analysis.does("network", "executes")  # a shell on the other machine
        elif text != "-":
            paths.append(analysis.path(text, "write" if modes & set("cruAD") else "read"))
    if modes & set("cru") and "-" in flags:
        paths += [analysis.path(_below(folder, text), "delete", True) for text in names]
    if modes & set("cru"):
        without = _left_out(arguments.operands, names, analysis)
        packed = [analysis.path(_below(folder, text), "read", True).leaving_out(without) for text in names]
        return paths + packed
    if "x" in modes and "O" not in flags:
        paths += analysis.unpacks(archives[0] if archives else "standard input", folder)
    return paths


def _listed(words: list[str], options: tuple[str, str]) -> list[str]:
    """The files that list names, for what is packed or left out."""
    values = [words[place + 1] for place, word in enumerate(words[:-1]) if word in options]
    return values + [word.partition("=")[2] for word in words if word.startswith(f"{options[1]}=")]


def _left_out(words: list[str], names: list[str], analysis: EffectAnalysis) -> tuple[str, ...]:
    """Return the patterns of names that are not packed: of options before the first name, as GNU tar reads them."""
    before = words[: min(map(words.index, names), default=0)]
    if analysis.name == "jar" or any(word.startswith(_TAKES_BACK) for word in words):
        return ()
    patterns: list[str | None] = [*_listed(before, ("--exclude", "--exclude"))]
    for name in _listed(before, ("-X", "--exclude-from")):
        text = analysis.text_in(analysis.path(name, "read"), _LIST_BYTES)
        patterns += [None] if text is None else text.splitlines()
    return plain_patterns(pattern for pattern in patterns if pattern is None or pattern[:2] != "./" or names == ["."])


def _below(folder: str, text: str) -> str:
    return f"{folder}/{text}" if folder and text[:1] != "/" else text


def _runs(value: str, analysis: EffectAnalysis) -> None:
    """`exec=LINE` of a checkpoint, or a line that packs or takes the members."""
    kind, equals, line = value.partition("=")
    if equals and kind in ("exec", "bell", "dot", "echo", "sleep", "ttyout", "totals", "wait"):
        value = line if kind == "exec" else ""
    if value:
        analysis.shell(value)


def _sorted(words: list[str], analysis: EffectAnalysis) -> tuple[set[str], list[str], list[str], str, set[str]]:
    """Modes, archives, names, the folder of `-C` and the other letters."""
    modes: set[str] = set()
    archives: list[str] = []
    names: list[str] = []
    flags: set[str] = set()
    folder = ""
    waiting = list(reversed(words))
    if waiting and waiting[-1][:1] != "-":  # `tar xfz a.tgz`: what its letters take follows, one after the other
        letters = waiting.pop()
        plain = "".join(letter for letter in letters if letter not in _VALUES)
        given = [f"-{letter}{waiting.pop()}" for letter in letters if letter in _VALUES and waiting]
        waiting += [*reversed(given), *([f"-{plain}"] if plain else [])]
    while waiting:
        word = waiting.pop()
        if word[:2] == "--":
            name, equals, value = word[2:].partition("=")
            if any(run.startswith("--" + name) for run in _RUNS) and len(name) > 2:
                if not equals:
                    value = waiting.pop() if waiting else ""
                _runs(value, analysis)
            elif name in _MODES:
                modes.add(_MODES[name])
            elif name in _TAKING and not equals:
                value = waiting.pop() if waiting else ""
            if name == "file":
                archives.append(value)
            elif name in ("directory", "dir"):
                folder = f"{folder}/{value}" if folder and value[:1] != "/" else value
            elif name == "remove-files":
                flags.add("-")
            elif name in ("to-stdout", "absolute-names"):
                flags.add("O" if name == "to-stdout" else "P")
        elif word[:1] == "-" and len(word) > 1:
            folder = _letters(word, waiting, modes, archives, flags, folder, analysis)
        else:
            names.append(word)
    return modes, archives, names, folder, flags


def _letters(
    word: str,
    waiting: list[str],
    modes: set[str],
    archives: list[str],
    flags: set[str],
    folder: str,
    analysis: EffectAnalysis,
) -> str:
    for place in range(1, len(word)):
        letter = word[place]
        if letter in "cxtrudA" and letter:
            modes.add(letter)
        elif letter in _VALUES:
            value = word[place + 1 :] or (waiting.pop() if waiting else "")
            if letter == "f":
                archives.append(value)
            elif letter == "C":
                folder = f"{folder}/{value}" if folder and value[:1] != "/" else value
            elif letter in "IF":
                _runs(value, analysis)
            return folder
        else:
            flags.add(letter)
    return folder
