"""Print the derivation of a decision: a tree for a terminal, indented lines for a pipe, or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

from policy_engine.evaluators.trace import Seen
from policy_engine.evaluators.trace import shown as plain_value
from policy_engine.model.decision import Decision
from policy_engine.model.ladder import RANK
from policy_engine.reports.base import VERDICT_STYLES, Style, painted, shown
from policy_engine.runtime.explanation import Explained

_LONGEST_LABEL = 60  # characters of a condition whose parts follow; a leaf is shown whole
Segments = list[tuple[str, str]]
Branch = tuple[Segments, "list[Branch]"]

_MARKS = {True: ("✓", "green"), False: ("✗", "red"), None: ("?", "yellow")}
_OUTCOMES = {"violated": "bold red", "undecided": "bold yellow", "satisfied": "green", "not_applicable": "dim"}


def derivation_text(decision: Decision, explained: tuple[Explained, ...], style: Style, terminal: bool) -> str:
    """Return the decision, below it each rule with its clauses, below these their conditions with truth and values."""
    branches = [_rule(item) for item in sorted(explained, key=_loudness)]
    branches += [([("error  ", "bold red"), (error, "")], []) for error in decision.errors]
    if not explained and not decision.errors:
        branches.append(([("no rule listens here", "dim")], []))
    root = (_verdict(decision), branches)
    if not terminal:
        return painted(_indented(root, 0), style)
    return _tree(root, style)


def rule_text(item: Explained, style: Style, terminal: bool) -> str:
    """Return what one rule came to, with its conditions."""
    return _tree(_rule(item), style) if terminal else painted(_indented(_rule(item), 0), style)


def condition_text(seen: Seen, style: Style, terminal: bool) -> str:
    """Return what one condition came to, with its parts."""
    branch = _seen("", seen)
    return _tree(branch, style) if terminal else painted(_indented(branch, 0), style)


def _verdict(decision: Decision) -> Segments:
    head: Segments = [(decision.verdict, VERDICT_STYLES[decision.verdict])]
    if decision.stop_reason:
        head.append((f" {decision.stop_reason}", "bold red"))
    head.append((f"  {decision.hook}", "bold"))
    head.append(("".join(f"  {part}" for part in (decision.event, decision.session) if part), "dim"))
    if decision.timeout_ms is not None:
        head.append((f"  time budget {decision.timeout_ms / 1000:g} s", ""))
    return head


def _loudness(item: Explained) -> tuple[int, int, str]:
    """Sort key: what decided first, strictest first, then what was satisfied, then what had nothing to say."""
    strictness = -RANK[item.result.verdict] if item.result is not None and item.where == "rules" else 0
    return strictness, list(_OUTCOMES).index(item.outcome), str(item.rule.id)


def _rule(item: Explained) -> Branch:
    rule, result = item.rule, item.result
    head: Segments = [(item.outcome.replace("_", " "), _OUTCOMES[item.outcome]), (f"  {rule.id}", "bold")]
    if result is not None and item.where == "rules":
        head += [("  → ", "dim"), (result.verdict, VERDICT_STYLES[result.verdict])]
    elif result is not None:
        head.append((f"  {item.where}, would be {result.verdict}", "dim"))
    if item.count is not None:
        head.append((f"  count {item.count}", ""))
    head.append((f"  {rule.at}", "dim"))
    scope_only = item.outcome == "not_applicable"
    below = [_seen(word, seen) for word, seen in item.clauses if not (scope_only and word == "require")]
    if result is not None:
        below += [([("says  ", "dim"), (line, "")], []) for line in result.message.split("\n") if line]
        below += _list("unknown", result.undecided) + _list("to pass", result.satisfy)
        below += _list("evidence", (", ".join(result.evidence),) if result.evidence else ())
    return head, below


def _list(label: str, items: tuple[str, ...]) -> list[Branch]:
    return [([(f"{label}  ", "dim"), (" ".join(item.split()), "")], []) for item in items]


def _seen(word: str, seen: Seen) -> Branch:
    """Return a condition: its mark, its text, the values of a leaf, the witness of a quantifier, then its operands."""
    mark, color = _MARKS[seen.truth]
    head: Segments = [(f"{word} ", "dim")] if word else []
    text = _label(seen)
    head.append((f"{mark} ", color))
    head.append((text, ""))
    head += [(f"  {name} = {_value(value)}", "cyan") for name, value in _witness(seen)]
    if not seen.parts:
        values = [(name, value) for _, values in seen.because for name, value in values.items() if name != text]
        head += [(f"  {name} = {_value(value)}", "cyan") for name, value in values]
        head += [(f"  ({reason})", "yellow") for reason in seen.reasons]
    return head, [*map(_side, seen.sides), *(_seen("", part) for part in _operands(seen))]


def _side(seen: Seen) -> Branch:
    """Return one side of a comparison of two moments, with the event at which it happened last."""
    head, below = _seen("", seen)
    return [*head, *((f"  at event {event}", "cyan") for event in seen.evidence)], below


def _label(seen: Seen) -> str:
    """Return the condition's text on one line; of one whose parts are listed below it, only what tells it apart."""
    text = " ".join(seen.text.split())
    if len(seen.parts) == 1 and text.startswith(("any ", "every ")) and "{" in text:
        return text[: text.index("{")] + "{ … }"
    return text[: _LONGEST_LABEL - 1] + "…" if seen.parts and len(text) > _LONGEST_LABEL else text


def _value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _operands(seen: Seen) -> Iterator[Seen]:
    """Yield the operands, without the nameless joints that quantifiers put between `where` and body."""
    for part in seen.parts:
        if part.text:
            yield part
        else:
            yield from _operands(part)


def _witness(seen: Seen) -> list[tuple[str, Any]]:
    """Return the member that settled a quantifier, by its variable: `any c in commands { … }`. It is bound last, after
    what the body binds.
    """
    words = seen.text.split(None, 2)
    if len(words) < 2 or words[0] not in ("any", "every") or not seen.parts or not seen.bound:
        return []
    member = list(seen.bound.values())[-1]
    return [(words[1], plain_value(lambda: member))]


def _indented(branch: Branch, depth: int) -> Iterator[tuple[str, str]]:
    head, below = branch
    yield "  " * depth, ""
    yield from ((shown(text), style) for text, style in head)
    yield "\n", ""
    for part in below:
        yield from _indented(part, depth + 1)


def _tree(root: Branch, style: Style) -> str:
    from rich.console import Console
    from rich.text import Text
    from rich.tree import Tree

    def grown(branch: Branch, tree: Tree | None) -> Tree:
        label = Text.assemble(*((shown(text), look) for text, look in branch[0]), overflow="fold")
        here = Tree(label, guide_style="dim") if tree is None else tree.add(label)
        for part in branch[1]:
            grown(part, here)
        return here

    console = Console(
        file=StringIO(), force_terminal=style.color, no_color=not style.color, width=style.width, highlight=False
    )
    console.print(grown(root, None))
    written = console.file
    assert isinstance(written, StringIO)
    return "\n".join(line.rstrip() for line in written.getvalue().split("\n"))


# ---- as JSON -------------------------------------------------------------------------------------------------------


def derivation_json(decision: Decision, explained: tuple[Explained, ...]) -> dict[str, Any]:
    """`{"decision", "rules"}`, the conditions nested as in the policy."""
    return {"decision": decision.to_dict(), "rules": [_record(item) for item in explained]}


def _record(item: Explained) -> dict[str, Any]:
    record: dict[str, Any] = {
        "rule": item.rule.id,
        "kind": item.rule.kind,
        "title": item.rule.title,
        "outcome": item.outcome,
        "verdict": item.result.verdict if item.result is not None else None,
        "enforced": item.where == "rules",
        "at": item.rule.at,
        "clauses": [{"clause": word, **_condition(seen)} for word, seen in item.clauses],
        "satisfy": list(item.rule.satisfy),
    }
    if item.count is not None:
        record["count"] = item.count
    return record


def _condition(seen: Seen) -> dict[str, Any]:
    leaf = not seen.parts
    return {
        "expr": seen.text,
        "truth": seen.truth,
        "values": {name: value for _, values in seen.because for name, value in values.items()} if leaf else {},
        "witness": dict(_witness(seen)),
        "undecided": list(seen.reasons),
        "evidence": list(seen.evidence),
        "parts": [_condition(part) for part in (*seen.sides, *_operands(seen))],
    }
