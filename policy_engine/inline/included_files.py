"""Find the files of the project that code of Ruby, Perl, PHP or Lua includes, and leave out functions it never calls.

Only literal names count. Imported by the hook path when a line carries such code.
"""

from __future__ import annotations

from policy_engine.model.quoting import quote_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.inline.values import Start

_MOST = 16  # files of one text
_NAME = r"[\s(]*(?:File\.join\(\s*)?((?:{0})[\s.,+]*)?(['\"])([^'\"$#\n]+)\3"
_FOLDER = r"__DIR__|dirname\(__FILE__\)|__dir__|File\.dirname\(__FILE__\)"
_RUN_TEXT = (  # what runs the text of a file
    r"\b((?:instance_)?eval|system|exec|spawn|popen|shell_exec|passthru|execute)[\s(]+"
    r"(?:(?:File|IO)\.read|file_get_contents|slurp|read_file)[\s(]+['\"]([^'\"$#\n]+)['\"]"
)
_FORMS = {  # by language: what names a file, and the endings that the name may lack
    "ruby": (r"\b(require_relative|require|load|autoload\s*\(?\s*:\w+\s*,)", ("", ".rb")),
    "perl": (r"\b(require|do)\b", ("",)),
    "php": (r"\b((?:include|require)(?:_once)?)\b", ("",)),
    "lua": (r"\b(dofile|loadfile|require)\b", ("", ".lua")),
}
_FUNCTIONS = {  # by language: how a function begins, how it ends at the same depth
    "ruby": (r"def\s+(?:self\.)?(\w+[?!]?)", "end"),
    "perl": (r"sub\s+(\w+)", "}"),
    "php": (r"(?:(?:public|private|protected|static|final)\s+)*function\s+(\w+)", "}"),
    "lua": (r"(?:local\s+)?function\s+(?:\w+[.:])?(\w+)", "end"),
}


def tell_included(code: str, language: str, analysis: EffectAnalysis, start: Start | None) -> None:
    """Tell of the files that code includes, and by which words it may call their functions.

    Args:
        code: the text.
        language: who reads it.
        analysis: takes the files as what runs, and the words of the code as calls.
        start: how the file that holds the code was started; None for code that stands in the line.
    """
    if language not in _FORMS:
        return
    import re

    words, endings = _FORMS[language]
    beside = start.file.rpartition("/")[0] if start is not None else ""
    names: list[str] = []
    for match in re.finditer(words + _NAME.format(_FOLDER), code):
        word, folder, name = match[1], match[2], match[4]
        if language == "lua" and word == "require":
            name = name.replace(".", "/")
        own = folder is not None or word == "require_relative"
        if language == "ruby" and word == "require" and not own and name[:1] not in "./":
            if not re.search(r"\$:|\$LOAD_PATH", code):
                continue  # a library
            names += [f"{place}{name}" for place in _search_path(code, beside)]
        elif (own and name[:1] != "/") or (own and language in ("php", "perl")):
            names.append(f"{beside or '.'}/{name.lstrip('/')}")
        else:
            names += [
                name,
                *([f"{beside}/{name}"] if beside and language in ("php", "lua") and name[:1] != "/" else ()),
            ]
    if language == "perl" and re.search(r"\buse\s+(?:lib|FindBin)\b", code):
        for module in re.findall(r"\buse\s+([A-Z]\w*(?:::\w+)*)", code):
            names += [f"{place}{module.replace('::', '/')}.pm" for place in _search_path(code, beside)]
    for word, name in re.findall(_RUN_TEXT, code):
        if word.endswith("eval"):
            names.append(name)
        else:
            analysis.shell(f"sh {quote_words([name])}")
    called = sorted(set(re.findall(r"\w+[?!]?", code)))
    for name in dict.fromkeys(names[:_MOST]):
        for ending in endings:
            if not ending or not name.endswith(ending):
                file = analysis.path(name + ending, "read")
                analysis.runs.append(file)
                if file.known:
                    analysis.called.setdefault(file.real, []).extend(called)


def _search_path(code: str, beside: str) -> list[str]:
    """Return the folders that code adds to where libraries are looked for, those of the file and of the call too."""
    import re

    added = re.findall(r"(?:\buse\s+lib|\$:|\$LOAD_PATH)[^;\n]*?['\"]([^'\"$#\n]+)['\"]", code)
    return [f"{one.rstrip('/')}/" for one in (*added, *([beside] if beside else ()))] + [""]


def without_uncalled(code: str, language: str, called: tuple[str, ...]) -> str:
    """Return code without the bodies of functions that neither it nor these words call.

    Args:
        code: the text of a file that other code includes.
        language: who reads it.
        called: the words of the code that includes it.
    """
    if language not in _FUNCTIONS:
        return code
    import re

    begins, ends = _FUNCTIONS[language]
    head = re.compile(rf"([ \t]*){begins}")
    lines = code.split("\n")
    closing: dict[str, list[int]] = {}  # by indentation, the lines that end a block
    places: dict[str, list[int]] = {}  # by word, the lines that it stands in
    for number, line in enumerate(lines):
        bare = line.strip(" \t;,)")
        if bare == ends:
            closing.setdefault(line[: len(line) - len(line.lstrip())], []).append(number)
        for word in re.findall(r"\w+[?!]?", line):
            places.setdefault(word, []).append(number)
    kept, number = [], 0
    while number < len(lines):
        found = head.match(lines[number])
        last = _first_from(closing.get(found[1], []), number) if found else None
        if found and last is not None and found[2] not in called:
            own = places.get(found[2], [number])
            if own[0] >= number and own[-1] <= last and _is_body(lines[number + 1 : last], found[1]):
                number = last + 1
                continue
        kept.append(lines[number])
        number += 1
    return "\n".join(kept)


def _first_from(numbers: list[int], start: int) -> int | None:
    """Return the first of sorted numbers that is not less than another."""
    from bisect import bisect_left

    place = bisect_left(numbers, start)
    return numbers[place] if place < len(numbers) else None


def _is_body(lines: list[str], indentation: str) -> bool:
    """Return whether all lines stand further in: a function that ends on its own line has none."""
    return bool(lines) and all(
        not line.strip() or line.startswith((f"{indentation} ", f"{indentation}\t")) for line in lines
    )
