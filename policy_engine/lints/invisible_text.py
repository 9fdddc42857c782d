"""invisible-text: characters in a text that cannot be seen

A zero-width space, a soft hyphen, a variation selector or a tag character in a text is not shown, and makes it another
text: a pattern that looks right matches nothing, a message carries words that only a machine reads. No-break and other
unusual spaces look like a space and are none. Joiners are left alone in scripts that need them.

Avoid:

```policy
language 1
rule no-push "No push" {
  on before_tool(shell)
  when any c in commands { c.program == "git\u200b" }
  deny "Do not push. Ask a person to do it."
}
```

Prefer:

```policy
language 1
rule no-push "No push" {
  on before_tool(shell)
  when any c in commands { c.program == "git" }
  deny "Do not push. Ask a person to do it."
}
```
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from policy_engine.analysis.strings import literal_texts
from policy_engine.checker.tree import Place
from policy_engine.lints.base import Context, Finding, Lint
from policy_engine.model.source import Source, Span

_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200d\u2060-\u2064\u3164\ufe00-\ufe0f\uffa0\ufeff"
    "\U000e0001-\U000e007f\U000e0100-\U000e01ef]+"
)
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_JOINERS = "\u200c\u200d"
_EMOJI = "\ufe0e\ufe0f\u200d"


def _run(context: Context) -> Iterator[Finding]:
    for source in context.policy.sources:
        if source.text.isascii():
            continue
        for span in literal_texts(source):
            for pattern, what in ((_HIDDEN, "cannot be seen"), (_SPACES, "looks like a space")):
                for match in pattern.finditer(source.text, span.start, span.end):
                    if not _belongs(source, match.start(), match[0]):
                        yield _finding(source, match, what)


def _belongs(source: Source, at: int, text: str) -> bool:
    """Return whether a character is a joiner between letters of a script that joins them, or a part of a picture."""
    before, after = source.text[at - 1], source.text[at + len(text)]
    if text in _JOINERS and before.isalpha() and after.isalpha() and not (before.isascii() or after.isascii()):
        return True
    return text in _EMOJI and unicodedata.category(before) in ("So", "Sk", "Mn")


def _finding(source: Source, match: re.Match[str], what: str) -> Finding:
    char = match[0][0]
    name = f"U+{ord(char):04X} {unicodedata.name(char, 'without a name')}"
    more = f" and {len(match[0]) - 1} more" if len(match[0]) > 1 else ""
    advice = "delete it" if what == "cannot be seen" else "write a space"
    return Finding(Place(source, Span(match.start(), match.end())), f"`{name}`{more} in a text {what}", advice)


LINT = Lint("invisible-text", "characters in a text that cannot be seen", "warning", _run)
