"""Work out what a plain edit makes of the text of a file: `sed -i s/a/b/`, `perl -pi -e`, `jq '.a = "b"'`.

Whatever is not plain gives nothing. Imported by the hook path when a line edits a file that it then runs.
"""

from __future__ import annotations

from policy_engine.model.partial import GLOB, ONE, is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_EDS = ("ed", "ex")
EDITORS = ("sed", "gsed", "perl", *_EDS)
_LINE = 4_096  # characters of a line that an address is looked for in
_MOST_STEPS = 10_000_000  # of an expression in the longest line
_FLAGS = frozenset("gIi")
_STEP = (
    r'\s*(?:(del)\()?\s*((?:\.[A-Za-z_]\w*|\.?\["[^"\\]*"\])+)\s*(?(1)\)|=\s*("[^"\\]*"|\$\w+|[\d.]+|true|false))\s*'
)
_KEY = r'\.([A-Za-z_]\w*)|\["([^"]*)"\]'


def edited(argv: tuple[str, ...], text: str, feed: str | None = None) -> str | None:
    """Return what `sed`, `perl` or `ed` leaves of a text that it edits in place; None if that is not plain."""
    name = argv[0].rpartition("/")[2]
    known = all(is_known(word.replace(GLOB, "")) for word in argv)
    commands, extended = _commands(argv, feed) if known else ([], False)
    if not commands:
        return None
    lines = text.split("\n")
    for command in commands:
        first, last, action = _addressed(command)
        changed = _changed(lines, first, last, action, extended, name == "perl")
        if changed is None:
            return None
        lines = changed
    return "\n".join(lines)


def removed_and_added(argv: tuple[str, ...], feed: str | None) -> list[tuple[str, str]]:
    """Return what the commands of `sed`, `perl` or `ed` take away, expressions without their signs, and what they put
    there: of what is not known, text that is not."""
    import re

    found = []
    for command in _commands(argv, feed)[0]:
        first, last, action = _addressed(command)
        mark = action[1:2]
        parts = re.split(rf"(?<!\\){re.escape(mark)}", action[2:]) if action[:1] == "s" and mark else []
        if not is_known(command):
            found.append((ONE, ONE))
        elif len(parts) == 3 and not mark.isalnum():
            found.append((_plain(parts[0]), re.sub(r"\\(?!\d)", "", parts[1])))
        elif action[:1] in ("d", "c", "i", "a") and argv[0].rpartition("/")[2] != "perl":
            taken = "" if action[:1] in "ia" else _plain(first[1:-1]) if first[:1] == "/" and not last else ONE
            found.append((taken, action[1:].lstrip(" \t\\\n")))
    return found


def _plain(expression: str) -> str:
    """Return an expression of `sed` without its signs."""
    import re

    return re.sub(r"[\\^$]|\.\*|\[\^?|\]", "", expression)


def _commands(argv: tuple[str, ...], feed: str | None) -> tuple[list[str], bool]:
    """Return the commands of the script, none if they are not plain, and whether its expressions are extended ones."""
    name = argv[0].rpartition("/")[2]
    if name not in EDITORS:
        return [], False
    import re

    if name in _EDS:
        given = feed.split("\n") if feed is not None else [ONE]
        lines = [line.strip().removeprefix(",").removeprefix("%") for line in given]
        lines = [f"/{line.split('/')[1]}/d" if re.fullmatch(r"g/[^/]+/d", line) else line for line in lines]
        return [line for line in lines if line not in ("", "w", "q", "wq", "x", "Q")], False
    scripts, operands, extended = [], [], name == "perl"
    waiting = list(argv[:0:-1])
    while waiting:
        word = waiting.pop()
        if word in ("-e", "--expression", "-pe") and waiting:
            scripts.append(waiting.pop())
        elif word in ("-E", "-r", "--regexp-extended"):
            extended = True
        elif word == "-p" or word.startswith(("-i", "-pi", "--in-place")):
            continue
        elif word[:1] == "-":
            return [], False
        elif word:
            operands.append(word)
    whole = "\n".join(scripts or operands[:1])
    return [one for one in re.split(r"[;\n]\s*(?=s[^\w\s]|/|[\d$]+[,sdiac])", whole) if one.strip()], extended


def _addressed(command: str) -> tuple[str, str, str]:
    """Return the first and the last address of a command, "" where there is none, and what it does."""
    import re

    match = re.match(r"\s*(/(?:\\.|[^/\\])*/|\d+|\$)?(?:,(/(?:\\.|[^/\\])*/|\d+|\$))?\s*", command)
    if match is None:
        return "", "", command
    return match[1] or "", match[2] or "", command[match.end() :].rstrip(" ;\n")


def _changed(lines: list[str], first: str, last: str, action: str, extended: bool, perl: bool) -> list[str] | None:
    """Return the lines behind a command; None if it is not plain, or takes long."""
    longest = max(map(len, lines))
    ends = [_expression(one[1:-1], extended, perl) if one[:1] == "/" else one for one in (first, last)]
    if None in ends or (longest > _LINE and "/" in (first[:1], last[:1])):
        return None
    puts = action[:1] if action[:1] in ("i", "a", "c") and not perl else ""
    text = action[1:].lstrip(" \t").removeprefix("\\").lstrip("\n")
    change = None if puts else _substitution(action, extended, perl, longest)
    if change is None and (not puts or not text):
        return None
    made: list[str] = []
    inside = False
    for number, line in enumerate(lines, 1):
        begins = not inside and _is_at(ends[0], number, line, len(lines))
        chosen = begins or inside
        ended = not last or (_is_at(ends[1], number, line, len(lines)) and (not begins or last[:1] != "/"))
        inside = chosen and not ended
        given = change(line) if chosen and change is not None else line
        made += [text] if chosen and puts in ("i", "c") else []
        made += [given] if given is not None and not (chosen and puts == "c") else []
        made += [text] if chosen and puts == "a" else []
    return made


def _is_at(address: Any, number: int, line: str, count: int) -> bool:
    """Return whether a line is the one, or one of those, that an address names; without one each is."""
    if isinstance(address, str):
        return not address or (number >= count if address == "$" else number == int(address))
    return bool(address.search(line))


def _expression(pattern: str, extended: bool, perl: bool, flags: str = "") -> Any:
    """Return what an expression of sed or Perl is in Python; None if that is not plain."""
    import re

    if re.search(r"\[:|\\\\|\\[<>`']|\)[*+{]|\\\)(?:\*|\\[+{])|^\*", pattern) or (
        perl and re.search(r"[@$]\w", pattern)
    ):
        return None
    if not extended:
        pattern = re.sub(r"\\?[(){}+?|]", lambda one: one[0][1:] or f"\\{one[0]}", pattern)
    try:
        return re.compile(pattern, re.IGNORECASE if {"i", "I"} & set(flags) else 0)
    except re.error:
        return None


def _substitution(script: str, extended: bool, perl: bool, longest: int) -> Callable[[str], str | None] | None:
    """Return what a command makes of a line, None of one that it deletes; None if that is not plain, or takes long."""
    import re

    if script == "d" and not perl:
        return lambda line: None
    mark = script[1:2]
    if script[:1] != "s" or not mark or mark.isalnum() or mark in "\\ {(<[":
        return None
    parts = re.split(rf"(?<!\\){re.escape(mark)}", script[2:])
    if len(parts) != 3 or not _FLAGS.issuperset(parts[2]):
        return None
    pattern, text = (part.replace(f"\\{mark}", mark) for part in parts[:2])
    found = _expression(pattern, extended, perl, parts[2])
    if longest ** sum(map(pattern.count, "*+{")) > _MOST_STEPS or re.search(r"\\[A-Zaeflruxy]", text):
        return None
    if found is None or (perl and re.search(r"[@$](?![\d&])\w?", text)):
        return None
    pieces = re.findall(r"\\(?:\d|.)|\$[\d&]|[^\\$]+|\$" if perl else r"\\(?:\d|.)|&|[^\\&]+", text, re.DOTALL)
    marks = "\\$" if perl else "\\"
    groups = [int(piece[1:]) for piece in pieces if piece[0] in marks and piece[1:].isdigit()]
    if max(groups, default=0) > found.groups:
        return None

    def made(match: re.Match[str]) -> str:
        return "".join(_piece(piece, match, marks) for piece in pieces)

    return lambda line: found.sub(made, line, count=0 if "g" in parts[2] else 1)


def _piece(piece: str, match: Any, marks: str) -> str:
    """Return what one part of a replacement gives: a group, the whole match, an escaped character, plain text."""
    if piece[0] in marks and piece[1:].isdigit():
        return match[int(piece[1])] or ""
    if piece in ("$&", "&"):
        return str(match[0])
    return {"\\n": "\n", "\\t": "\t"}.get(piece, piece[1:] if piece[0] == "\\" else piece)


def filtered_json(argv: tuple[str, ...], text: str) -> str | None:
    """Return what `jq` prints of a text where its filter only sets and deletes single values; None of another."""
    import json
    import re

    if not all(map(is_known, argv)):
        return None
    operands, values = [], {}
    waiting = list(argv[:0:-1])
    while waiting:
        word = waiting.pop()
        if word == "--arg" and len(waiting) > 1:
            name = waiting.pop()
            values[f"${name}"] = waiting.pop()
        elif word in ("--indent",):
            waiting[-1:] = []
        elif word[:1] != "-":
            operands.append(word)
        elif word not in ("-M", "-S", "--tab", "--sort-keys", "-i"):
            return None
    try:
        whole = json.loads(text)
    except ValueError:
        return None
    for step in operands[0].split("|") if operands else [""]:
        match = re.fullmatch(_STEP, step)
        if match is None:
            return None
        *keys, last = [one or other for one, other in re.findall(_KEY, match[2])]
        place = whole
        for key in keys:
            place = place.setdefault(key, {}) if isinstance(place, dict) else None
        if not isinstance(place, dict) or (not match[1] and match[3][:1] == "$" and match[3] not in values):
            return None
        if match[1]:
            place.pop(last, None)
        else:
            place[last] = values[match[3]] if match[3][:1] == "$" else json.loads(match[3])
    return json.dumps(whole, indent=2)
