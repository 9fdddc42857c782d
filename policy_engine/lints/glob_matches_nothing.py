"""glob-matches-nothing: a glob that no file of the repository matches

A pattern in `wrote(…)`, `read(…)`, `deleted(…)`, `changed(…)` or `matches` fits no file that is there now: perhaps the
folder was renamed, or `src/*.py` was meant to be `src/**/*.py`. Files that do not exist yet, and files that are never
to exist, match nothing either, so this is a note. It is looked for only where the root of a repository is known.

Avoid:

```policy
language 1
rule docs "Docs follow the source" { on before_completion when wrote("sorce/**") warn "Look at the docs." }
```

Prefer:

```policy
language 1
rule docs "Docs follow the source" { on before_completion when wrote("src/**") warn "Look at the docs." }
```

Globs outside the workspace, and defines that are named for what need not exist (`generated`, `noise`, `secret…`), are
left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from policy_engine.analysis.conditions import atoms, below, conditions
from policy_engine.analysis.repository import Files
from policy_engine.checker.tree import Changed, CheckedPolicy, Constant, GlobPattern, Matches, Place
from policy_engine.lints.base import Context, Finding, Lint

_EXPECTED_ABSENT = ("noise", "generated", "secret", "ignored", "forbidden", "temporary", "artifact", "artefact")


def _run(context: Context) -> Iterator[Finding]:
    if context.repository is None:
        return
    used = _used(context.policy)
    if not used:
        return
    files = Files.below(context.repository)
    if files is None:
        return
    excused = _excused(context.policy)
    for place, pattern in used.items():
        missing = [text for text in pattern.include if text[:1] not in "/~" and not files.match(text, pattern.exclude)]
        if pattern not in excused and len(missing) == len(pattern.include):
            shown = ", ".join(f"`{text}`" for text in missing[:3])
            near = files.nearest(missing[0])
            advice = f"did you mean `{near}`?" if near else "the repository has no such file"
            yield Finding(place, f"{shown} match{'es' if len(missing) == 1 else ''} no file of the repository", advice)


def _used(policy: CheckedPolicy) -> dict[Place, GlobPattern]:
    """Return every glob that a condition tries files with, by its place."""
    patterns: dict[Place, GlobPattern] = {}
    for condition in conditions(policy):
        for node in below(condition.expr):
            if isinstance(node, Matches) and isinstance(node.pattern, GlobPattern):
                patterns[node.place] = node.pattern
            elif isinstance(node, Changed):
                patterns[node.place] = node.glob
            for atom in atoms(node):
                if isinstance(atom.pattern, GlobPattern):
                    patterns[atom.place] = atom.pattern
    for limit in policy.limits:
        patterns.update((atom.place, atom.pattern) for atom in limit.atoms if isinstance(atom.pattern, GlobPattern))
    return patterns


def _excused(policy: CheckedPolicy) -> set[GlobPattern]:
    patterns = set[GlobPattern]()
    for define in policy.defines:
        if isinstance(define.value, Constant) and isinstance(define.value.value, GlobPattern):
            if any(word in define.name for word in _EXPECTED_ABSENT):
                patterns.add(define.value.value)
    return patterns


LINT = Lint("glob-matches-nothing", "a glob that no file of the repository matches", "note", _run)
