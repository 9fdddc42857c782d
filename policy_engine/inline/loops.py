"""Write the pattern into the bodies of loops over the names that it finds, in code of Ruby, Perl and PHP.

Imported by the hook path when a line carries code, `re` only when it is needed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

_LITERAL = r"(?:'[^'\n]*'|\"[^\"\n]*\")"
FOUND = (
    rf"(?:\bDir(?:\.glob)?\s*[\[(]\s*{_LITERAL}\s*[\])]|\bDir\.glob\s+{_LITERAL}|\bglob\s*\(\s*{_LITERAL}\s*\)|"
    rf"\bglob\s+{_LITERAL}|<[^<>=$\s()]*\*[^<>=$\s()]*>)"
)
_SOME = r"(?:\.(?:sort|uniq|reverse|to_a|(?:select|reject|filter|grep|grep_v)\s*(?:\([^()]*\)|\{[^{}]*\}))(?!\w))*"
_LOOPS = (  # what is found, and the variable that stands for each name
    rf"(?P<found>{FOUND}){_SOME}\.(?!each_slice|each_cons|inject|reduce|zip|group_by)\w+[?!]?\s*(?:do|\{{)\s*"
    r"\|\s*(?P<name>\w+)[\s|,]",
    rf"\bforeach\s*\(\s*(?P<found>{FOUND})\s+as\s+(?P<name>\$\w+)\s*\)",
    rf"\bfor(?:each)?\s+(?:my\s+)?(?P<name>\$\w+)\s*\(\s*(?:sort\s+|reverse\s+|grep\s*\{{[^{{}}]*\}}\s*)*"
    rf"(?P<found>{FOUND})\s*\)",
    rf"\bfor\s+(?P<name>\w+)\s+in\s+(?P<found>{FOUND}){_SOME}",
)
_LISTS = rf"(?:\bmy\s+)?(?P<name>[@$]?\b\w+)\s*=\s*(?P<found>{FOUND}{_SOME})\s*[;\n]"
_CHANGES = r"\s*(?:[-+*/.|&<]{0,2}=(?![=~>])|<<|=~\s*(?:s|tr|y)\b|\.\w+!|\.(?:replace|concat|prepend|insert|clear)\b)"
_BINDS = r"(?:\|\s*(?:\w+\s*,\s*)*|\bas\s+|\bmy\s+|\bfor\s+)"
_BEHIND = r"(?=\s*(?:[,);}\n]|$)|\s+(?:or|and|if|unless|end)\b)"


def each_found(code: str, pattern_of: Callable[[re.Match[str]], str]) -> str:
    """Return code in which the variable of a loop over found names is their pattern, where nothing else is put into it.

    Args:
        code: the text.
        pattern_of: gives the literal for a pattern, whose quoted text is the first group of a match.
    """
    import re

    for match in list(re.finditer(_LISTS, code)):
        name = rf"(?<![\w@$.]){re.escape(match['name'])}\b"
        if len(re.findall(name, code)) == 2:  # set once, and used in one loop
            code = re.sub(rf"{name}(?=\.|\s*\)|\s+as\b)", lambda _: match["found"], code)  # noqa: B023
    for match in [match for form in _LOOPS for match in re.finditer(form, code)]:
        name = re.escape(match["name"])
        if len(re.findall(rf"{_BINDS}{name}\b", code)) != 1 or re.search(rf"(?<![\w.>@$]){name}{_CHANGES}", code):
            continue
        quoted = re.search(f"({_LITERAL})", match["found"]) or re.search(r"(.*)", repr(match["found"][1:-1]))
        if quoted is not None and not re.search(
            r"[{\[]|(?:^|/)\.", quoted[1].strip("'\"")
        ):  # those are found elsewhere
            pattern = pattern_of(quoted)
            code = re.sub(rf"(?<=[(,\s]){name}{_BEHIND}", lambda _: pattern, code)  # noqa: B023
    return code
