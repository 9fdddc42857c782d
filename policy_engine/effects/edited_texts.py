"""Work out what a plain edit makes of the text of a file: `sed -i s/a/b/`, `perl -pi -e`, `jq '.a = "b"'`.

Whatever is not plain gives nothing. Imported by the hook path when a line edits a file that it then runs.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SEDS = ("sed", "gsed", "perl")
_LINE = 4_096  # characters of a line that an address is looked for in
_MOST_STEPS = 10_000_000  # of an expression in the longest line
_FLAGS = frozenset("gIi")
_STEP = (
    r'\s*(?:(del)\()?\s*((?:\.[A-Za-z_]\w*|\.?\["[^"\\]*"\])+)\s*(?(1)\)|=\s*("[^"\\]*"|\$\w+|[\d.]+|true|false))\s*'
)
_KEY = r'\.([A-Za-z_]\w*)|\["([^"]*)"\]'


def edited(argv: tuple[str, ...], text: str) -> str | None:
    """Return what the call of `sed` or `perl` leaves of a text that it edits in place; None if that is not plain."""
    name = argv[0].rpartition("/")[2]
    if name not in _SEDS or not all(map(is_known, argv)):
        return None
    import re

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
            return None
        elif word:
            operands.append(word)
    lines = text.split("\n")
    for command in re.split(r"[;\n]\s*(?=s[^\w\s]|/)", "\n".join(scripts or operands[:1])):
        address, _, action = command.strip()[1:].partition("/") if command.strip()[:1] == "/" else ("", "", command)
        chosen = _expression(address, extended, name == "perl") if address else None
        change = _substitution(action.strip(" ;\n"), extended, name == "perl", max(map(len, lines)))
        if change is None or (address and (chosen is None or max(map(len, lines)) > _LINE)):
            return None
        made = [line if chosen and not chosen.search(line) else change(line) for line in lines]
        lines = [line for line in made if line is not None]
    return "\n".join(lines)


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
