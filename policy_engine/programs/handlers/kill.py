"""`kill`, `pkill`, `killall`: end processes, by their numbers or by patterns of their names."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import PARENT, is_hidden, is_known, shown
from policy_engine.programs.base import Arguments, EffectAnalysis, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.model.ancestors import Process

_NAMES = (
    "policy",
    "policy-engine",
    "hook.py",
    "serve.py",
    "python",
    "python3",
    "python3.11",
    "python3.12",
    "python3.13",
)
_LINES = (
    "/usr/bin/python3 -I -S /usr/lib/python3/site-packages/policy_engine/hook.py claude-code",
    "/usr/bin/python3 -I -S /usr/lib/python3/site-packages/policy_engine/serve.py",
    "policy serve",
)
_SIGNALS = frozenset("hup int quit kill usr1 usr2 alrm term stop cont tstp abrt segv pipe chld ill trap".split())
_VALUES = {
    "kill": ("-s", "-n", "-q", "--signal"),
    "killall": ("-s", "-u", "-n", "-o", "-y", "-Z", "--signal", "--user", "--ns", "--older-than", "--younger-than"),
}
_PICKING = ("-u", "-U", "-G", "-g", "-t", "-s", "-r", "-P", "-F", "-O", "--signal", "--parent", "--pgroup", "--group",
            "--uid", "--euid", "--session", "--terminal", "--pidfile", "--ns", "--nslist", "--older",
            "--runstates")  # fmt: skip
_EVERY = ("-u", "-U", "-G", "-t", "-s", "--uid", "--euid", "--user", "--group", "--session", "--terminal")
"""Options that pick whole groups of processes, if no pattern stands beside them."""


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    operands, flags, picked = _sorted(arguments.operands, analysis.name)
    if analysis.name == "kill":
        if not flags & {"-l", "-L", "--list", "--table", "-0"}:
            analysis.does("kills")
            analysis.processes += operands
        return []
    if flags & {"-0", "-l", "--list", "-V", "--version"}:
        return []
    analysis.does("kills")
    if analysis.name in ("killall5", "slay"):  # all processes, or all of a user
        analysis.does("controls-engine")
    analysis.processes += [value for option, value in picked if option in ("-P", "-g", "--parent", "--pgroup")]
    for reason, keeps in _picked(operands, flags, picked, analysis.name == "pkill", analysis):
        if keeps:
            analysis.does("controls-engine")
        else:
            analysis.doubt("controls-engine", reason)
    return []


def _picked(
    operands: list[str], flags: set[str], picked: list[tuple[str, str]], loose: bool, analysis: EffectAnalysis
) -> Iterator[tuple[str, bool]]:
    """Yield why, and whether for sure, processes that are picked so may keep the session."""
    if flags & {"-v", "--inverse"} or (not operands and (not picked or any(option in _EVERY for option, _ in picked))):
        yield "whole groups of processes are ended", False
    full = bool(flags & {"-f", "--full"})
    loose = loose or bool(flags & {"-r", "--regexp"})
    if hidden := [one for one in operands if is_hidden(one)]:
        yield f"which processes `{shown(hidden[0])}` picks is not known", False
    for pattern in (one.removesuffix(".exe") for one in operands if is_known(one)):
        shaped = pattern.lower() if flags & {"-i", "-I", "--ignore-case"} else pattern
        keeps = _named(shaped, loose, full, analysis)
        if keeps is not False:
            yield f"`{shaped[:80]}` fits the process that guards this session", keeps is True


def picks_hidden(name: str, words: tuple[str, ...]) -> bool:
    """Return whether a program that prints the numbers of processes picks them by a word of which nothing is known."""
    if name == "fuser":
        return not {"-n", "--namespace", "-v"}.intersection(words) and any(map(is_hidden, words))
    return name in ("pgrep", "pidof") and any(map(is_hidden, _sorted(list(words), name)[0]))


def _sorted(words: list[str], program: str) -> tuple[list[str], set[str], list[tuple[str, str]]]:
    """The targets, the options, and the options that pick processes with their values."""
    values = _VALUES.get(program, _PICKING)
    operands: list[str] = []
    flags: set[str] = set()
    picked: list[tuple[str, str]] = []
    waiting = list(reversed(words))
    while waiting:
        word = waiting.pop()
        name, equals, value = word.partition("=")
        if word == "--":
            operands += reversed(waiting)
            break
        if word[:1] != "-" or len(word) == 1:
            operands.append(word)
        elif _is_signal(word):
            if program == "kill" and not waiting:
                operands.append(word)  # `-1` where a process is named: all of them
            elif word in ("-0", "-EXIT"):
                flags.add("-0")
            if program == "kill":
                operands += [one for one in reversed(waiting) if one != "--"]
                break
        elif name in values or (word[:2] in values and word[1] != "-"):
            given = value if equals else word[2:] if name not in values else "".join(waiting[-1:])
            if not equals and name in values and waiting:
                waiting.pop()
            if name in ("-s", "-n", "--signal") and given == "0":
                flags.add("-0")
            picked.append((name if name in values else word[:2], given))
        else:
            flags.update({word} if word[1] == "-" else {f"-{letter}" for letter in word[1:]})
    return operands, flags, picked


def _is_signal(word: str) -> bool:
    rest = word[1:].lower().removeprefix("sig")
    return rest.isdigit() or rest in _SIGNALS


def _named(pattern: str, loose: bool, full: bool, analysis: EffectAnalysis) -> bool | None:
    """Return whether the processes of that name keep the session; None: perhaps."""
    agents = named("agent")
    keeps = any(_fits(pattern, one, loose, full) for one in analysis.filesystem.keepers())
    engine = any(name in pattern for name in ("hook", "policy", "serve")) and fits(pattern, _NAMES, full, loose)
    choices = pattern.strip("()").split("|") if loose else [pattern]
    if keeps or engine or any(one.strip("^$") in agents for one in choices):
        return True
    return None if fits(pattern, (*_NAMES, *agents), full, loose) else False


def _fits(pattern: str, process: Process, loose: bool, full: bool) -> bool:
    if "policy_engine/hook.py" in process.line:
        return False  # the shell that started the hook ends with it
    return _matches(pattern, (process.line if full else process.name,), loose)


def fits(pattern: str, names: tuple[str, ...], full: bool, loose: bool) -> bool:
    """Return whether a pattern fits one of the names, or with `full` a command line of the engine.

    `loose`: it is an expression, as `pkill` reads it, and no name.
    """
    return _matches(pattern, (*names, *(_LINES if full else ())), loose)


def _matches(pattern: str, texts: tuple[str, ...], loose: bool) -> bool:
    if not loose:
        return pattern in texts
    import re

    try:
        return any(re.search(pattern, text) for text in texts)
    except re.error:
        return True


_OF_LISTS = frozenset(
    "ps pgrep pidof pid ppid comm args cmd user eo aux ax ef awk print xargs kill head tail sort uniq sed cut tr cat "
    "echo p n1 0-9".split()
)


def _listed(text: str, analysis: EffectAnalysis) -> Iterator[bool]:
    """Yield whether for sure, where `pgrep`, `pidof`, or `grep` and `awk` behind `ps`, pick what keeps the session."""
    lists = False
    from shlex import split

    for part in text.replace("$(", "|").replace("`", "|").replace(")", "|").replace(";", "|").split("|"):
        try:
            words = split(part)
        except ValueError:
            continue
        name, given = "".join(words[:1]).rpartition("/")[2], words[1:]
        lists = lists or name == "ps"
        if name in ("pgrep", "pidof"):
            operands, flags, picked = _sorted(given, name)
            yield from (sure for _, sure in _picked(operands, flags, picked, name == "pgrep", analysis))
        elif lists and name in ("grep", "egrep", "rg", "awk", "gawk") and not {"-v", "-vE"}.intersection(given):
            plain = [word for word in given if word[:1] != "-"][:1]
            patterns = [word.split("/")[1] for word in plain if word.count("/") > 1] if "awk" in name else plain
            flags = {"-f", "-i"} if "-i" in given else {"-f"}
            yield from (sure for _, sure in _picked(patterns or ["\0"], flags, [], True, analysis))


def lists_every(text: str) -> bool:
    """Return whether what prints the numbers of processes names none of them, so that it may print all."""
    bare = text.replace("'", "").replace('"', "").replace("\\", "")
    words = "".join(char if char.isalnum() or char in "-_./" else " " for char in bare).split()
    if "ps" in words or "/proc" in words:
        chosen = [word for word in words if word[:1] != "-" and not word.isdigit() and word not in _OF_LISTS]
        return "-p" not in words and "-C" not in words and all(word.startswith("/proc") for word in chosen)
    return False


def names_keeper(text: str, analysis: EffectAnalysis) -> bool | None:
    """Return whether a command that prints the numbers of processes picks one that keeps the session; None: perhaps."""
    told = list(_listed(text, analysis))
    if told:
        return True if True in told else None
    if PARENT in text or "PPID" in text or "ppid" in text.lower() or "getppid" in text:
        return True
    words = "".join(char if char.isalnum() or char in "-_." else " " for char in text.replace("[", "").replace("]", ""))
    plain = [word for word in words.split() if word[:1] != "-"]
    agents = named("agent")
    if any(word in agents or word == "hook.py" or "policy-engine" in word or "policy_engine" in word for word in plain):
        return True
    if "/proc/self/stat" in text or "/proc/$$/stat" in text:
        return None
    asked = any(word in ("pgrep", "pidof", "ps", "pidwait") for word in plain)
    return None if asked and any(len(word) > 2 and fits(word, tuple(agents), False, True) for word in plain) else False
