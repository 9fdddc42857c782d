"""Build a `Diagnostic` from code, place and words, with advice for a misspelt word."""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.model.diagnostic import Diagnostic, Related
from policy_engine.model.source import Source, Span

SHOWN_CHARS = 40

_ELSEWHERE = {
    "deny": "block reject forbid refuse prohibit disallow prevent denied error fail",
    "allow": "permit accept pass ok",
    "ask": "confirm approval",
    "warn": "inform notify log print alert",
    "remind": "advise hint suggest inject context",
    "stop": "halt abort terminate quit kill",
    "when": "if where condition match",
    "unless": "except ifnot",
    "require": "must ensure assert need needs demand check expects",
    "on": "event at trigger hook",
    "define": "let var const def alias set",
    "rule": "policy guard",
    "import": "include use from load",
    "before_tool": "pretooluse pretool beforetooluse beforetoolcall toolcall tool beforeshellexecution",
    "after_tool": "posttooluse posttool aftertooluse aftertoolcall toolresult posttoolusefailure",
    "before_completion": "stop finish finished completion complete completed done taskcompleted agentstop afteragent",
    "subagent_completion": "subagentstop",
    "prompt": "userpromptsubmit userpromptsubmitted beforesubmitprompt userprompt userinput beforeagent",
    "before_permission": "permissionrequest permission",
    "before_compact": "precompact compact precompress",
    "after_compact": "postcompact",
    "shell": "bash sh zsh terminal command exec execute run powershell runshellcommand localshell",
    "write": "create writefile createfile",
    "edit": "multiedit applypatch patch replace strreplace notebookedit",
    "read": "cat view open readfile",
    "search": "grep glob find ls websearch",
    "fetch": "webfetch http https web url browse curl download",
    "agent": "task subagent spawn",
    "todo": "todowrite todos plan updateplan",
    "file_exists": "exists exist isfile pathexists fileexist",
    "tests_passed": "testspass testsgreen testpassed testssucceeded testpass testsok",
    "command_success": "succeeded success commandsucceeded commandpassed",
    "command_failure": "failed commandfailed",
    "changed": "changedfiles modified modifiedfiles filechanged diff",
    "wrote": "written writes edited",
}
"""Word of this language -> the words that other systems have for it, without `_` and `-`."""
POINT_WORDS = tuple(word for word in _ELSEWHERE if word.startswith(("before_", "after_", "subagent_", "prompt")))
KIND_WORDS = ("shell", "write", "edit", "read", "search", "fetch", "agent", "todo")
_MEANT: dict[str, list[str]] = {}
for _word, _others in _ELSEWHERE.items():
    for _other in _others.split():
        _MEANT.setdefault(_other, []).append(_word)


def error(
    code: str, source: Source, span: Span, message: str, advice: str = "", related: tuple[Related, ...] = ()
) -> Diagnostic:
    """Return an error at a place of a text."""
    return Diagnostic(code, "error", message, source, span, advice, "", related)


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that `word` means in another system or most looks like, or an empty string."""
    from difflib import get_close_matches

    lowered = word.lower()
    words = sorted(known)
    plain = _plain(lowered)
    meant: list[str] = [*_MEANT.get(plain, ()), *(one for one in words if _plain(one) == plain)]
    for one in meant:
        if one in words:
            return one
    matches = get_close_matches(lowered, words, 1, 0.6) or get_close_matches(lowered.replace("-", "_"), words, 1, 0.6)
    return matches[0] if matches else ""


def _plain(word: str) -> str:
    return word.replace("_", "").replace("-", "")


def listing(words: Iterable[str]) -> str:
    """`a, b or c` of words that are already as they shall be shown."""
    shown = list(words)
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + f" or {shown[-1]}" if shown else "nothing"


def quoted(text: str) -> str:
    """Return the user's text in backticks, cut where it would fill the line, without characters that cannot be seen."""
    cut = text[:SHOWN_CHARS]
    visible = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in cut)
    return f"`{visible}…`" if len(text) > SHOWN_CHARS else f"`{visible}`"


def character_name(char: str) -> str:
    """`U+00A0 NO-BREAK SPACE`, or the code point alone where Unicode gives no name."""
    import unicodedata

    known = {"\t": "tab", "\r": "carriage return", "\0": "null", "\x85": "next line", "\x0b": "vertical tab"}
    name = known.get(char) or unicodedata.name(char, "")
    return f"U+{ord(char):04X} {name}".rstrip()
