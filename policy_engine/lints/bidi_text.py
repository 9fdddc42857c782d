"""bidi-text: text that is shown in another order than it is read

Letters of right-to-left scripts turn the text around them: in a line with Latin letters, digits or pattern characters
the eye sees them in an order that the engine does not. (Characters that switch the direction by themselves are no part
of the language at all: that is an error of the parser.) In a message for people this is well and good; in a pattern or
a condition it is not.

Avoid:

```policy
language 1
rule notes "Notes are private" {
  on before_tool
  when any p in paths { p matches "אבג/**/*.md" }
  deny "Leave the notes alone. Ask their owner."
}
```

Prefer:

```policy
language 1
rule notes "Notes are private" {
  on before_tool
  when any p in paths { p matches "notes/**/*.md" }
  deny "Leave the notes alone. Ask their owner."
}
```
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from policy_engine.analysis.strings import literal_texts
from policy_engine.checker.tree import Place
from policy_engine.lints.base import Context, Finding, Lint

_TURNED = ("R", "AL")


def _run(context: Context) -> Iterator[Finding]:
    messages = _messages(context)
    for source in context.policy.sources:
        if source.text.isascii():
            continue
        for span in literal_texts(source):
            text = source.text[span.start + 1 : span.end - 1]
            if (source.name, span.start) in messages or text.isascii():
                continue
            directions = {unicodedata.bidirectional(char) for char in text}
            if directions & set(_TURNED) and directions - {*_TURNED, "WS", "NSM"}:
                message = "right-to-left letters change the order in which this text is shown"
                yield Finding(Place(source, span), message, "name the file or word by a pattern without them")


def _messages(context: Context) -> set[tuple[str, int]]:
    """Return where texts for people stand."""
    policy = context.policy
    messages = [rule.message for rule in policy.rules] + [
        step.message for limit in policy.limits for step in limit.steps
    ]
    messages += [verify.message for verify in policy.verifies]
    return {(one.place.source.name, one.place.span.start) for one in messages if one is not None}


LINT = Lint("bidi-text", "text that is shown in another order than it is read", "warning", _run)
