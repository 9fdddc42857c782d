"""mixed-script: a word whose letters come from several alphabets

The Latin `a` and the Cyrillic `а` look alike and are different characters: a pattern with the wrong one matches
nothing, a tool name with it names another tool. Reported are words in texts that mix Latin with Cyrillic, Armenian or
Cherokee letters or with Greek look-alikes, and words that consist of look-alikes alone. Names in a policy are ASCII by
grammar; comments are left alone.

Avoid:

```policy
language 1
rule wallet "Wallets are private" {
  on before_tool
  when any p in paths { p matches "wаllet/**" }
  deny "Leave the wallet alone. Ask its owner."
}
```

Prefer:

```policy
language 1
rule wallet "Wallets are private" {
  on before_tool
  when any p in paths { p matches "wallet/**" }
  deny "Leave the wallet alone. Ask its owner."
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
from policy_engine.model.source import Span

_WORD = re.compile(r"[^\W\d_]+")
_CONFUSED = ("CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU")
_LOOK_ALIKES = frozenset("асеорхуіјѕԁԛԝһӏкАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧονικаοер")


def _run(context: Context) -> Iterator[Finding]:
    for source in context.policy.sources:
        if source.text.isascii():
            continue
        for span in literal_texts(source):
            for match in _WORD.finditer(source.text, span.start, span.end):
                finding = _finding(match[0], Place(source, Span(match.start(), match.end())))
                if finding is not None:
                    yield finding


def _finding(word: str, place: Place) -> Finding | None:
    if word.isascii():
        return None
    scripts = {char: unicodedata.name(char, "").partition(" ")[0] for char in word}
    strange = [char for char in word if scripts[char] in _CONFUSED or char in _LOOK_ALIKES]
    if not strange:
        return None
    names = sorted({scripts[char].capitalize() for char in word if scripts[char]})
    shown = ", ".join(f"`{char}` U+{ord(char):04X}" for char in dict.fromkeys(strange))
    if "LATIN" in scripts.values():
        return Finding(place, f"`{word}` mixes {' and '.join(names)} letters", "write it in one alphabet", shown)
    if len(word) > 1 and all(char in _LOOK_ALIKES for char in word):
        return Finding(
            place, f"`{word}` looks like Latin letters and is {names[0]}", "write it in Latin letters", shown
        )
    return None


LINT = Lint("mixed-script", "a word whose letters come from several alphabets", "warning", _run)
