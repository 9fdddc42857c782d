"""Print the result of a replay as one HTML page without scripts or external files, every text escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from html import escape

from policy_engine.model.replayed import SHOWN, Replayed, ordered
from policy_engine.reports.base import counted, shown

_STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}
table{border-collapse:collapse;margin:.5rem 0 2rem;width:100%}td,th{text-align:left;padding:.3rem .8rem .3rem 0;
border-bottom:1px solid #d8dee4;vertical-align:top}th{color:#57606a;font-weight:500}td.n{font-variant-numeric:
tabular-nums}code{font:13px ui-monospace,monospace}.deny,.stop{color:#a40e26}.ask,.warn{color:#7d4e00}
@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}td,th{border-color:#30363d}
.deny,.stop{color:#ff7b72}.ask,.warn{color:#d29922}}"""


def replay_html(found: Replayed) -> str:
    """Return the page."""
    parts = [
        "<h1>Replay</h1>",
        f"<p>{counted(found.events, 'event')} decided by <code>{_text(found.policy or 'what is in force')}</code>:"
        f" {_verdicts(found.verdicts)}."
        f" {found.failed} more were recorded as failures, without their event.</p>",
        "<h2>Rules</h2>",
        _table(
            ("rule", "spoke", "undecided", "verdicts"),
            (
                (f"<code>{_text(name)}</code>", str(rule.spoke), str(rule.undecided), _verdicts(rule.verdicts))
                for name, rule in sorted(found.rules.items(), key=lambda each: (-each[1].spoke, each[0]))
            ),
        ),
        "<h2>Refused most often</h2>",
        _table(
            ("times", "verdict", "rule", "action", "message", "first at", "session"),
            (
                (
                    str(each.times),
                    _verdict(each.verdict),
                    f"<code>{_text(each.rule)}</code>",
                    f"<code>{_text(each.action)}</code>",
                    _text(each.message),
                    _text(each.place),
                    f"<code>{_text(each.session)}</code>",
                )
                for each in found.top[:SHOWN]
            ),
        ),
        "<h2>Sessions</h2>",
        _table(
            ("session", "events", "verdicts"),
            (
                (f"<code>{_text(name)}</code>", str(session.events), _verdicts(session.verdicts))
                for name, session in found.sessions.items()
            ),
        ),
    ]
    if found.compared:
        parts += ["<h2>Beside what was decided then</h2>", _compared(found)]
    style = f"<style>{_STYLE}</style>"
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Replay</title>{style}'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>\n'


def _compared(found: Replayed) -> str:
    counts = ((name.replace("_", " "), str(number)) for name, number in sorted(found.compared.items()))
    rows = (
        (
            f"<code>{_text(each.place)}</code>",
            f"<code>{_text(each.session)}</code>",
            _verdict(each.then),
            _verdict(each.now),
            "the same" if each.policy else "another",
        )
        for each in found.differences
    )
    return _table(("outcome", "events"), counts) + _table(("place", "session", "then", "now", "policy then"), rows)


def _verdicts(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {_verdict(verdict)}" for verdict, number in ordered(counts).items()) or "none"


def _verdict(verdict: str) -> str:
    return f'<span class="{_text(verdict)}">{_text(verdict)}</span>'


def _text(text: str) -> str:
    return escape(shown(text), quote=True)


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """`heads` are texts, `rows` finished HTML."""
    head = "".join(f"<th>{_text(each)}</th>" for each in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
