"""message-without-next-step: a refusal that does not say what to do instead

An agent that is refused reads the message and goes on from there; "not allowed" makes it try the same thing in another
way. A message says what failed, why the rule exists, and what to do next. The lint looks for a second sentence or a
demand; it cannot judge whether it helps.

Avoid:

```policy
language 1
rule no-push "No push" {
  on before_tool(shell)
  when any c in commands { c matches "git push ..." }
  deny "Pushing is not allowed."
}
```

Prefer:

```policy
language 1
rule no-push "No push" {
  on before_tool(shell)
  when any c in commands { c matches "git push ..." }
  deny "Pushing is not allowed. Commit, and ask a person to push."
}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from policy_engine.checker.tree import CheckedRule, Message
from policy_engine.lints.base import Context, Finding, Lint

_SENTENCE_END = re.compile(r"[.!?:;…](?:\s|$)")
_CLAUSE = re.compile(r"(?:^|[.!?:;,…—(]|\b(?:and|then|or|please|instead)\b)\W*([A-Za-z']+)")
_DEMANDS = frozenset(
    "add allow answer ask avoid break bring call change check choose clean close commit complete confirm continue "
    "convert copy correct create declare delete describe do document don't drop edit ensure explain extract "
    "finish fix follow format generate get give go install keep leave let limit list look lower make mark merge "
    "move name narrow open pass pick pin prefer push put raise read rebase reduce remove rename replace report "
    "request rerun restore retry return revert review rewrite run save say scope see send set shorten show skip "
    "sort split stage start state stay stop store supply switch take tell test tick tidy try turn undo update "
    "upgrade use verify wait wrap write".split()
)
_TURNS = ("instead", "must", "first", "please", "only after", "until", "before you", "needs", "should", "have to")


def _run(context: Context) -> Iterator[Finding]:
    for rule in context.policy.rules:
        if rule.verdict != "deny":
            continue
        if rule.message is None or not rule.message.parts:
            if not _helps(rule.title):
                yield Finding(rule.place, f"`{rule.id}` refuses without a message", _advice(rule))
        elif not _helps(_text(rule.message)):
            yield Finding(rule.message.place, f"the message of `{rule.id}` names no next step", _advice(rule))


def _advice(rule: CheckedRule) -> str:
    return f'add a sentence that says what to do instead: `{rule.verdict} "… . Ask a person to …"`'


def _text(message: Message) -> str:
    return "".join(part if isinstance(part, str) else "x" for part in message.parts).strip()


def _helps(text: str) -> bool:
    if len([part for part in _SENTENCE_END.split(text) if part.strip()]) > 1:
        return True
    lowered = text.lower()
    if any(turn in lowered for turn in _TURNS):
        return True
    return any(word.lower() in _DEMANDS for word in _CLAUSE.findall(text))


LINT = Lint("message-without-next-step", "a refusal that does not say what to do instead", "note", _run)
