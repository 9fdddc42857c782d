"""leaky-pattern: a guard that finds an option in one place only

A command pattern is compared word by word: `git push --force ...` is `git push --force origin`, and is neither
`git push origin --force` nor `git push -f`. Whoever is refused once finds the other spelling. `c.has_flag(…)` finds an
option wherever it stands, bundled (`-uf`), abbreviated or with a value.

Avoid:

```policy
language 1
rule no-force-push "No force push" {
  on before_tool(shell)
  when any c in commands { c matches "git push --force ..." }
  deny "Do not rewrite history. Ask a person to do it."
}
```

Prefer:

```policy
language 1
rule no-force-push "No force push" {
  on before_tool(shell)
  when any c in commands { c matches "git push ..." and c.has_flag("--force", "-f") }
  deny "Do not rewrite history. Ask a person to do it."
}
```

Patterns that say what counts as evidence (`command_success`, `require`, below a `not` or an `unless`) are left alone:
there the narrow reading is the safe one.
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.analysis.conditions import parts
from policy_engine.checker import tree
from policy_engine.lints.base import REFUSING, Context, Finding, Lint

_ANY = frozenset(("-*", "*", "..."))


def _run(context: Context) -> Iterator[Finding]:
    for rule in context.policy.rules:
        if rule.verdict in REFUSING and rule.require is None and rule.when is not None:
            yield from _leaks(rule.when)


def _leaks(node: tree.Expr) -> Iterator[Finding]:
    """Yield a finding for each pattern below a node whose match, and not its mismatch, leads to the refusal."""
    if isinstance(node, tree.Not) or (isinstance(node, tree.Quantified) and node.kind != "any"):
        return
    made = (
        isinstance(node, tree.Matches) and node.subject.place == node.place
    )  # `on command`: its program is found apart
    if isinstance(node, tree.Matches) and isinstance(node.pattern, tree.CommandPattern) and not made:
        for tokens in node.pattern.include:
            options = [token for token in tokens if token[:1] == "-" and token not in _ANY]
            if options:
                yield Finding(node.place, _message(tokens, options), _advice(node, tokens, options))
    for part in parts(node):
        yield from _leaks(part)


def _message(tokens: tuple[str, ...], options: list[str]) -> str:
    return f"`{' '.join(tokens)}` finds `{options[0]}` in this place only"


def _advice(node: tree.Matches, tokens: tuple[str, ...], options: list[str]) -> str:
    subject = " ".join(node.subject.place.text.split())
    words = tokens[: tokens.index(options[0])]
    flags = ", ".join(f'"{option}"' for option in options)
    return f'write `{subject} matches "{" ".join(words)} ..." and {subject}.has_flag({flags})`, with its short form'


LINT = Lint("leaky-pattern", "a guard that finds an option in one place only", "warning", _run)
