"""Find the files whose names code of Ruby, Perl, PHP or Lua takes from a pattern, a folder or its arguments.

Imported by the hook path when a line carries such code and reads a file by a name that is no literal.
"""

from __future__ import annotations

from policy_engine.filesystem.globs import expand_braces
from policy_engine.inline.listing import files_matching
from policy_engine.model.partial import GLOB, is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis

_LITERAL = r"(?:'([^'\\]*)'|\"([^\"\\$#]*)\")"
_PATTERNS = (
    rf"\b(?:Dir|Pathname)\s*(?:\[|\.glob\s*\(?)\s*{_LITERAL}",
    rf"(?<![\w.])glob\s*\(?\s*{_LITERAL}",
    r"<()([^<>=$\s()]*[*?\[~{./][^<>=$\s()]*)>",
)
_FOLDERS = (
    rf"\bDir\.(?:children|entries|each_child|foreach|new|open)\s*\(?\s*{_LITERAL}",
    rf"\b(?:Find\.find|scandir|opendir|lfs\.dir|(?:Recursive)?DirectoryIterator)\s*\(?\s*(?:my\s+)?(?:[$\w]+\s*,\s*)?"
    rf"{_LITERAL}",
    rf"\bPathname(?:\.new)?\(\s*{_LITERAL}\s*\)\.(?:children|each_child|entries|find)",
)
_SEARCHES = r"\b(?:Dir|glob|opendir|readdir|scandir|Find|DirectoryIterator|lfs\.dir)\b|<[^<>\s]*[*?][^<>\s]*>"
_CHOOSES = r"\b(?:grep|select|reject|filter|end_with|start_with|match|preg_match|array_filter|include)\b|[=!]~"
_ARGUMENTS = rf"@?ARGV\s*(?:=|<<|\.(?:replace|push|unshift|concat))\s*\(?\[?((?:\s*{_LITERAL}\s*,?)+)"
_READS_THEM = r"<>|<ARGV>|<STDIN>|\bARGF\b|\$<|\bgets\b|\breadlines?\b"
_OWN_READS = r"[\w)\]}]\.(?:read|readlines|each_line|binread|slurp)\b(?!\s*[(\w])"


def names_found(code: str, analysis: EffectAnalysis) -> list[str] | None:
    """Return the names that patterns and folders in the code give now; none where it searches nothing, None where they
    cannot be told.
    """
    import re

    patterns = [text for form in _PATTERNS for text in _texts(form, code)]
    folders = [text for form in _FOLDERS for text in _texts(form, code)]
    if not patterns and not folders:
        return None if re.search(_SEARCHES, code) else []
    try:
        names = analysis.expand([GLOB + one for pattern in patterns for one in expand_braces(pattern)])
    except ValueError:
        return None
    hidden = [pattern for pattern in patterns if "DOTMATCH" in code and pattern.rpartition("/")[2][:1] in "*?"]
    for folder in [*folders, *(pattern.rpartition("/")[0] or "." for pattern in hidden)]:
        found = files_matching(analysis, folder, "*", False)
        if found is None:
            return None
        names += found
    if not all(map(is_known, names)):
        return None
    if folders and re.search(_CHOOSES, code):
        return None  # which of them is not known
    return names


def arguments_set(code: str) -> list[str]:
    """Return the files that the code puts among its arguments, where it reads what these name."""
    import re

    if not re.search(_READS_THEM, code):
        return []
    return [one or two for match in re.finditer(_ARGUMENTS, code) for one, two in re.findall(_LITERAL, match[1])]


def reads_what_it_finds(code: str) -> bool:
    """Return whether the code reads objects that a search gives it: `Pathname.glob("*").each { |f| f.read }`."""
    import re

    return bool(re.search(_SEARCHES, code) and re.search(_OWN_READS, code)) or (
        bool(re.search(r"ARGV\s*=", code)) and bool(re.search(_READS_THEM, code)) and not arguments_set(code)
    )


def _texts(form: str, code: str) -> list[str]:
    import re

    return [match[1] or match[2] or "" for match in re.finditer(form, code)]
