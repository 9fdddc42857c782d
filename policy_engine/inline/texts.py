"""Find the texts in code of any language that it may hand to a shell without our seeing how.

Imported by the hook path, `re` only when it is needed.
"""

from __future__ import annotations

from policy_engine.model.quoting import quote_words

_CAPABLE = (
    r"system|popen|exec|spawn|subprocess|child_process|Popen|getline|\bqx|%x|\bsend\b|\bpty\b|open[23]|shell|eval|`|"
    r"getoutput|Function|Command|\bProcess|sys\.process|\.execute\b|\|\s*[\"']|[\"']\s*\|(?!\|)|-\|"
)
_LITERAL = r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|`((?:[^`\\]|\\.)*)`"
_MARKED = (  # of Perl and Ruby
    r"(?:\bq[qxw]?|%[xqQwW])\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|\(((?:[^()]|\([^()]*\))*)\)|([/|!])(.*?)\3)"
)
_MOST = 64
_NESTING = 2


def texts_in(code: str, depth: int = 0) -> list[str]:
    """Literals of several words, and lists of literals as one line; none if nothing in the code starts programs."""
    import re

    if depth == 0 and not re.search(_CAPABLE, code):
        return []
    texts: list[str] = []
    places: list[tuple[int, int, str]] = []
    for match in re.finditer(_LITERAL, code, re.DOTALL):
        text = unescaped(match[1] or match[2] or "") or match[3] or ""
        places.append((match.start(), match.end(), text))
        if text.strip():
            texts.append(text)
        if depth < _NESTING and len(text) > 4:
            texts += texts_in(text, depth + 1)
    for match in re.finditer(_MARKED, code, re.DOTALL):
        texts.append(match[1] or match[2] or match[4] or "")
    texts += _lists(code, places)
    return list(dict.fromkeys(texts))[:_MOST]


def code_of_address(address: str) -> str | None:
    """Return the code that a `data:` address of JavaScript holds, None for other names of modules."""
    if address[:5].lower() != "data:":
        return None
    head, _, data = address[5:].partition(",")
    from binascii import a2b_base64
    from urllib.parse import unquote_to_bytes

    raw = unquote_to_bytes(data)
    try:
        return (a2b_base64(raw) if head.lower().endswith(";base64") else raw).decode("utf-8", "replace")
    except ValueError:
        return data


def unescaped(text: str) -> str:
    """A literal's text with its escapes read."""
    if "\\" not in text:
        return text
    try:
        return text.encode("latin-1", "backslashreplace").decode("unicode_escape")
    except UnicodeDecodeError:
        return text


def _lists(code: str, places: list[tuple[int, int, str]]) -> list[str]:
    """Literals that follow each other with nothing but commas between them."""
    texts: list[str] = []
    words: list[str] = []
    end = -1
    for start, stop, text in places:
        if words and code[end:start].strip(" \t\n,[") == "" and "," in code[end:start]:
            words.append(text)
        else:
            texts += [quote_words(words)] if len(words) > 1 else []
            words = [text]
        end = stop
    return texts + ([quote_words(words)] if len(words) > 1 else [])
