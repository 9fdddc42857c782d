"""Tell that code looks for processes among all that run, and ends or stops those that it finds.

Whatever the language: names that hold what a listing gave are followed from line to line, into loops and into functions
of the code. What the code starts itself is its own. On the hook path where code names a list of processes.
"""

from __future__ import annotations

from policy_engine.model.effects import LISTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.inline.effect_analysis import EffectAnalysis

_LISTS = (
    r"['\"`]/proc/?['\"`]|['\"`]/proc/[*\[?]|\b(?:process_iter|(?:psutil|Process)\.pids|ps-?list|psList|ps-node|ProcTable"
    r"|find-?process|findProcess|ProcessTable|allProcesses|[gG]etProcesses|GetProcessesByName|all_processes"
    r"|processes_by_\w+|tasklist)\b|\b(?:process|ps)\.Processes\(|\.processes\(\)|\bpidof\b|\bpgrep\b(?![\s'\",]*-P)"
    r"|['\"`(]\s*ps['\", ]+(?!-p\b|--?p?pid\b)"
)
_SIGNALS = (
    r"\b(?:kill|killpg|kill_with|posix_kill|tgkill|pidfd_send_signal|send_signal|suspend|terminate|destroy|nice|ptrace"
    r"|destroyForcibly|setpriority|prlimit|Signal|Kill)(?:_?[sS]ync)?!?\s*\((?!\s*\))|\.(?:kill|suspend|terminate|destroy"
    r"|destroyForcibly|Kill)\b\s*(?:\(\s*\)|$)|(?<![\w.])p?kill\b['\",\s]|\b(?:Process\.)?kill\s+['\":\d$]"
)
_ASKS = r"\bkill\w*\s*\(?\s*(?:[\w.()\[\]]{1,80}\s?,\s?0|0\s?,[^()]{0,80})\s*\)"
"""Signal 0 only asks whether a process is there."""
_BEGINS = (
    r"^\s*(?:export\s+|default\s+|async\s+|pub\s+|static\s+|local\s+)*(?:def|function|func|fn|sub)\b\s*\*?\s*"
    r"(?:\([^()]*\)\s*)?([\w.]+[!?]?)\s*\(?([^(){]*)"
    r"|^\s*(?:export\s+)?(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?\(?([\w\s,]*)\)?\s*=>"
)
_NAMES = (
    r"\bfor\b(?:each)?\s*\(?\s*(?:(?:await|const|let|var|my)\s){0,2}([\w\s,$()]{1,80}?)\s+(?:in|of)\b"
    r"|\|\s*([\w\s,]{1,80}?)\s*\||\blambda\s+([\w\s,]{1,80}):|\bas\s+\$?(\w+)|\bimport\s+(\w+)"
    r"|\bfunction\s*\w*\s*\(([\w\s,]{0,80})\)|(\w+)\.(?:append|add|push|extend|insert|push_back)\b|\bmy\s+\$(\w+)"
)
_SETS = r"(?<![=!<>])(?:=>|:?=(?![=>~]))"
_WORDS = frozenset("const let var my for in of if not and or self this await async return int str None err _ i".split())
_LINES = ("/site-packages/policy_engine/hook.py claude-code", "policy_engine/serve.py", "policy serve")
_ENDS = "()=<>|&!?+-/;'\"`"  # what stands before the names that are given a value
_ROUNDS, _MOST = 4, 3000  # times that the lines are read, and lines that are followed


def tell_listed(code: str, analysis: EffectAnalysis, in_file: bool) -> None:
    """Tell that the code signals what it finds in a list of processes.

    Args:
        code: the text.
        analysis: takes the effect, or the doubt.
        in_file: it stands in a file, where a list and a signal may have nothing to do with each other.
    """
    import re

    whole = re.sub(r"(['\"])\s{0,9}\+?\s{0,9}[rbf]?\1", "", re.sub(r"([(,\[])[ \t]*\n\s*", r"\1", code))
    if not re.search(_LISTS, whole):
        return
    lines = [line for line in re.split(r"[\n;]", whole) if line.strip()]
    signals = {place for place, line in enumerate(lines) if re.search(_SIGNALS, re.sub(_ASKS, "", line))}
    if not signals:
        return
    keeper = _names_keeper(whole)
    if keeper == "engine" or ((not in_file or _reaches(lines, signals)) and keeper):
        analysis.does("kills", "controls-engine")
    elif not in_file or _reaches(lines, signals):
        analysis.does("kills")
        analysis.doubt("controls-engine", LISTED)


def _names_keeper(code: str) -> str:
    """Return "engine" if the code names the engine's own process, "other" if a text in it fits a process that keeps
    the session, "" if neither.
    """
    import re

    from policy_engine.programs.base import named

    if any(name in code for name in ("policy_engine", "policy-engine")):
        return "engine"
    agents = named("agent")
    for text in {one for found in re.findall(r"'([^'\n]+)'|\"([^\"\n]+)\"|`([^`\n]+)`", code) for one in found if one}:
        words = text.split() if any(word in text for word in ("pgrep", "pidof", "grep", "ps ")) else [text]
        if not agents.isdisjoint(words) or any(len(word) > 3 and _fits(word.replace("\\", "")) for word in words):
            return "other"
    return ""


def _fits(word: str) -> bool:
    """Return whether a word stands in the command lines of the engine, and in few others."""
    return any(mark in word for mark in ("hook", "policy", "serve")) and any(word in line for line in _LINES)


def _reaches(lines: list[str], signals: set[int]) -> bool:
    """Return whether one of these lines signals what a listing gave, or there are too many of them to know it."""
    import re

    if len(lines) > _MOST:
        return True

    scopes = list(_scopes(lines))
    parameters = {name: (place, words) for place, (name, words) in _functions(lines).items()}
    held: set[tuple[int, str]] = set()  # names that hold it, with the line where their function begins, -1 for all
    size = -1
    for _ in range(_ROUNDS):
        if len(held) == size:
            break
        size = len(held)
        for place, line in enumerate(lines):
            words = set(re.findall(r"\w+", line))
            if not re.search(_LISTS, line) and not any(
                (scope, one) in held for scope in scopes[place] for one in words
            ):
                continue
            if place in signals:
                return True
            own = scopes[place][-1]
            held.update((-1 if mark == "." else own, name) for mark, name in _bound(line))
            if own >= 0 and re.search(r"\b(?:return|yield)\b|=>\s*(?![{\s])", line):
                held.update((-1, name) for name, (begins, _) in parameters.items() if begins == own)
            for name in words & parameters.keys():
                begins, given = parameters[name]
                if begins != place and f"{name}(" in line.replace(" ", ""):
                    held.update((begins, one) for one in given)
    return False


def _bound(line: str) -> Iterator[tuple[str, str]]:
    """Yield the names that a line gives values, each with `.` before it if it is one of an object."""
    import re

    groups = [group for match in re.finditer(_NAMES, line) for group in match.groups() if group]
    for match in re.finditer(_SETS, line):
        before = line[max(0, match.start() - 80) : match.start()].rstrip(" )")
        begins = next((place for place in range(len(before), 0, -1) if before[place - 1] in _ENDS), 0)
        groups.append(before[begins:])
    for group in groups:
        for mark, name in re.findall(r"(\.?)([A-Za-z]\w*)", group):
            if name not in _WORDS:
                yield mark, name


def _functions(lines: list[str]) -> dict[int, tuple[str, list[str]]]:
    """Return the functions of the code by the lines where they begin, with the names of what they are given."""
    import re

    found: dict[int, tuple[str, list[str]]] = {}
    for place, line in enumerate(lines):
        match = re.match(_BEGINS, line)
        if match:
            name, given = match[1] or match[3], match[2] or match[4] or ""
            words = [re.split(r"[:=\s]", one.strip())[0] for one in given.split(",")]
            found[place] = (name.rpartition(".")[2], [one for one in words if one and one not in _WORDS])
    return found


def _scopes(lines: list[str]) -> Iterator[tuple[int, ...]]:
    """Yield for each line where the functions around it begin, the outermost first, by how far lines are indented."""
    begins = _functions(lines)
    around: list[tuple[int, int]] = []
    for place, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if line.strip() not in ("}", "end", "})", ")"):
            while around and around[-1][1] >= indent:
                around.pop()
        if place in begins:
            around.append((place, indent))
        yield (-1, *(one for one, _ in around))
