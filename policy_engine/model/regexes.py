"""Search a text with RE2, and tell what is wrong with a pattern.

RE2 answers in time linear in the text, whatever the pattern (faults 63). Its C extension is loaded by path and only
when a regex is asked for: the wrapper package around it needs modules that a hook process does not have. Text is
searched as UTF-8; what is not valid UTF-8 is read as U+FFFD, so that `.` still matches there. On the hook path.
"""

from __future__ import annotations

import posix
import sys

from policy_engine.model.limits import REGEX_BYTES, REGEX_REPEAT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_CACHED = 512  # compiled patterns kept; RE2 may use up to 8 MiB each, in practice some kB
_compiled: dict[tuple[str, bool], Any] = {}
_extension: Any = None


class RegexError(Exception):
    """A pattern that RE2 does not take; the text is RE2's own, such as `missing ): (`."""


def search(pattern: tuple[Any, ...], text: str | bytes) -> bool:
    """True if the pattern `(text, ignore_case)` occurs anywhere in the text. Raises RegexError for a bad pattern."""
    compiled = _compiled.get(pattern)
    if compiled is None:
        compiled = _compile(pattern)
    data = _utf8(text)
    # An extension function: (anchor, text, start, end) → spans of the match and its groups, (-1, -1) for none.
    return bool(compiled[0](compiled[1], data, 0, len(data))[0][0] >= 0)


def spans(pattern: tuple[Any, ...], data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where the pattern's matches begin and end in UTF-8 text, in bytes; they do not overlap."""
    match, anchor = _compiled.get(pattern) or _compile(pattern)
    data, at = _utf8(data), 0
    while at <= len(data):
        begin, end = match(anchor, data, at, len(data))[0]
        if begin < 0:
            return
        yield begin, end
        at = max(end, begin + 1)


def _utf8(text: str | bytes) -> bytes:
    if type(text) is str:
        try:
            return text.encode()
        except UnicodeEncodeError:
            return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text).encode()
    data: bytes = text  # type: ignore[assignment]
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace").encode()
    return data


def _compile(pattern: tuple[Any, ...]) -> tuple[Any, Any]:
    text, ignore_case = pattern
    re2 = extension()
    options = re2.RE2.Options()
    options.log_errors = False
    options.never_capture = True
    options.case_sensitive = not ignore_case
    regex = re2.RE2(text.encode(), options)
    if not regex.ok():
        raise RegexError(regex.error().decode("utf-8", "replace"))
    if len(_compiled) >= _CACHED:
        del _compiled[next(iter(_compiled))]
    types = (regex.Match, re2.RE2.Anchor.UNANCHORED)
    _compiled[(text, bool(ignore_case))] = types
    return types


def extension() -> Any:
    """The extension module `_re2` of google-re2. Raises ImportError if it is not installed."""
    global _extension
    if _extension is None:
        _extension = sys.modules.get("re2._re2") or _load_extension()
    return _extension


def _load_extension() -> Any:
    import _imp
    from _frozen_importlib import ModuleSpec
    from _frozen_importlib_external import ExtensionFileLoader

    for folder in _package_folders():
        try:
            names = posix.listdir(folder)
        except OSError:
            continue
        for name in sorted(names):
            if name.startswith("_re2.") and name.endswith(tuple(_imp.extension_suffixes())):
                path = f"{folder}/{name}"
                module = _imp.create_dynamic(ModuleSpec("_re2", ExtensionFileLoader("_re2", path), origin=path))
                _imp.exec_dynamic(module)
                return module
    raise ImportError("google-re2 is not installed")


def _package_folders() -> list[str]:
    """Return where the wrapper package may stand: on the path, beside this package, or in the interpreter's own folder.

    A process started with `-I -S` has no site-packages on its path, hence the last two.
    """
    beside = __file__.rsplit("/", 3)[0]
    prefix = sys.executable.rsplit("/", 2)[0]
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    roots = [*sys.path, beside, f"{prefix}/lib/{version}/site-packages", f"{prefix}/lib64/{version}/site-packages"]
    return [f"{root or '.'}/re2" for root in roots if not root.endswith(".zip")]


def regex_problem(pattern: str) -> tuple[int, str] | None:
    """Return where (character offset) and why RE2 refuses a pattern; None if it takes it."""
    size = len(pattern.encode("utf-8", "surrogatepass"))
    if size > REGEX_BYTES:
        return 0, f"the regex has {size} bytes, more than REGEX_BYTES ({REGEX_BYTES})"
    problem = _repetition(pattern)
    if problem is not None:
        return problem
    try:
        _compile((pattern, False))
    except UnicodeEncodeError:
        return 0, "the regex contains a lone surrogate"
    except RegexError as refused:
        return _explain(pattern, str(refused))
    return None


def _repetition(pattern: str) -> tuple[int, str] | None:
    """A count over REGEX_REPEAT: from some size on RE2 takes `a{1000000000}` for the text itself."""
    place, inside = 0, False  # inside a character class
    while place < len(pattern):
        char = pattern[place]
        if char == "\\":
            place += 1
        elif inside:
            inside = char != "]"
        elif char == "[":
            inside = True
            place += len(pattern[place + 1 :]) - len(pattern[place + 1 :].removeprefix("^").removeprefix("]"))
        elif char == "{":
            counts = pattern[place + 1 :].partition("}")[0].split(",")
            if len(counts) <= 2 and all(count.isdecimal() or not count for count in counts) and counts[0]:
                if any(len(count) > 9 or int(count or 0) > REGEX_REPEAT for count in counts):
                    return place, f"`{{{','.join(counts)[:40]}}}` repeats more than REGEX_REPEAT ({REGEX_REPEAT}) times"
        place += 1
    return None


def _explain(pattern: str, refused: str) -> tuple[int, str]:
    kind, _, part = refused.partition(": ")
    offset = max(pattern.find(part), 0) if part else max(len(pattern) - 1, 0)
    if part.startswith(("(?=", "(?!", "(?<=", "(?<!")):
        return offset, "look-around is not part of RE2's syntax"
    if kind == "invalid escape sequence" and part[1:2].isdigit():
        return offset, "back-references are not part of RE2's syntax"
    if kind == "invalid repetition size":
        return offset, f"`{part}` repeats more than REGEX_REPEAT ({REGEX_REPEAT}) times in all, or backwards"
    if kind == "missing )":
        return 0, "a group is not closed: `)` is missing"
    if kind == "missing ]":
        return offset, "a character class is not closed: `]` is missing"
    if kind == "unexpected )":
        return max(pattern.rfind(")"), 0), "`)` closes no group"
    return offset, f"{kind} `{part}`" if part else kind
