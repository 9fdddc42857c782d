"""Write the sum of a replay or a scan as one HTML page: no script, no address, every text escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from html import escape

from policy_engine.model.replayed import SHOWN, Group, Replayed, ordered, ranked
from policy_engine.reports.base import counted, shown

SESSIONS = 200  # of which the page has a line
_STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}
table{border-collapse:collapse;margin:.5rem 0 2rem;width:100%}td,th{text-align:left;padding:.3rem .8rem .3rem 0;
border-bottom:1px solid #d8dee4;vertical-align:top}th{color:#57606a;font-weight:500}td.n{font-variant-numeric:
tabular-nums}code{font:13px ui-monospace,monospace}.deny,.stop{color:#a40e26}.ask,.warn{color:#7d4e00}
@media(prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}td,th{border-color:#30363d}
.deny,.stop{color:#ff7b72}.ask,.warn{color:#d29922}}"""


def replay_html(replayed: Replayed) -> str:
    """Return the page."""
    parts = [
        "<h1>Replay</h1>",
        f"<p>{counted(replayed.events, 'event')} decided by "
        f"<code>{_text(replayed.policy or 'what is in force')}</code>:"
        f" {_verdicts(replayed.verdicts)}."
        f" {replayed.failed} more were recorded as failures, without their event.</p>",
        *_limits(replayed),
        *_against(replayed),
        "<h2>Rules</h2>",
        _rules(replayed),
        "<h2>Refused most often</h2>",
        _refused(replayed),
        *_undecided(replayed),
        *_grouped("Repositories", "repository", replayed.repositories),
        *_grouped("People", "person", replayed.people),
        "<h2>Sessions</h2>",
        _table(
            ("session", "events", "verdicts"),
            (
                (_code(name), str(session.events), _verdicts(session.verdicts))
                for name, session in list(replayed.sessions.items())[:SESSIONS]
            ),
        ),
    ]
    if replayed.compared:
        parts += ["<h2>Beside what was decided then</h2>", _compared(replayed)]
    return _page("Replay", parts)


def scan_html(replayed: Replayed, themes: dict[str, str]) -> str:
    """The page of a scan; `themes` says to which theme of packs a rule belongs."""

    def spoken(theme: str) -> str:
        rules = [(name, rule) for name, rule in replayed.rules.items() if themes.get(name) == theme]
        rows = (
            (_code(name), str(rule.spoke - rule.undecided), str(rule.undecided), _code(rule.action), _text(rule.place))
            for name, rule in sorted(rules, key=lambda each: (-each[1].spoke, each[0]))
        )
        return _table(("rule", "times", "cannot know", "first", "at"), rows)

    seen = (
        (_text(each.where), str(each.times), _text(each.place), _code(each.session))
        for each in sorted(replayed.secrets.values(), key=lambda each: (-each.times, each.place))[:SHOWN]
    )
    parts = [
        "<h1>What agents did here</h1>",
        f"<p>{counted(replayed.recordings, 'recording')}, {counted(replayed.events, 'event')},"
        f" {counted(replayed.calls, 'call')}, {counted(replayed.completions, 'completion')},"
        " decided by the shipped packs.</p>",
        *_limits(replayed),
        "<h2>Would have been refused</h2>",
        _refused(replayed, True),
        "<h2>Loops</h2>",
        spoken("loops"),
        "<h2>Completions without evidence</h2>",
        spoken("acceptance"),
        f"<h2>Secrets in the record: {len(replayed.secrets)}</h2>",
        _table(("in", "times", "first at", "session"), seen),
        "<h2>Rules</h2>",
        _rules(replayed),
        *_grouped("Repositories", "repository", replayed.repositories),
        *_grouped("People", "person", replayed.people),
        "<h2>Asked because it cannot be known from a recording</h2>",
        _refused(replayed, False),
        *_undecided(replayed),
    ]
    return _page("Scan", parts)


def _page(title: str, parts: list[str]) -> str:
    style = f"<style>{_STYLE}</style>"
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>{style}'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>\n'


def _rules(replayed: Replayed) -> str:
    rows = (
        (_code(name), str(rule.spoke), str(rule.undecided), str(replayed.rate(rule.calls)), _verdicts(rule.verdicts))
        for name, rule in sorted(replayed.rules.items(), key=lambda each: (-each[1].spoke, each[0]))
    )
    return _table(("rule", "spoke", "undecided", "of 100 calls", "verdicts"), rows)


def _refused(replayed: Replayed, sure: bool | None = None) -> str:
    """The most frequent refused actions; `sure` only those that a decided rule refuses, or only the others."""
    rows = (
        (
            str(each.times),
            _verdict(each.verdict),
            _code(each.rule),
            _code(each.action),
            _text(each.message),
            _text(each.place),
            _code(each.session),
        )
        for each in [each for each in replayed.top if sure in (None, each.sure)][:SHOWN]
    )
    return _table(("times", "verdict", "rule", "action", "message", "first at", "session"), rows)


def _limits(replayed: Replayed) -> list[str]:
    """Say what could not be read, or be known from a recording."""
    lines = []
    if replayed.damaged:
        lines.append(f"{counted(replayed.damaged, 'line')} cannot be read and were left out.")
    if replayed.unknown:
        lines.append(f"{counted(sum(replayed.unknown.values()), 'line')} of an unknown kind were left out.")
    if replayed.unseen:
        lines.append(f"What {counted(replayed.unseen, 'command')} wrote only the disk would show: it is unknown here.")
    items = "".join(f"<li>{_text(each)}</li>" for each in replayed.damage)
    return [f"<p>{' '.join(lines)}</p>" if lines else "", f"<ul>{items}</ul>" if items else ""]


def _against(replayed: Replayed) -> list[str]:
    """Return what another policy says otherwise, with the hits."""
    if replayed.against is None:
        return []
    words = {"same": "same", "changed": "changed", "unknown": "cannot know"}
    decisions = (
        (words[state], _verdict(old), _verdict(new), str(times)) for (state, old, new), times in ranked(replayed.states)
    )
    rules = ((_code(rule), words[state], str(n)) for (state, rule), n in ranked(replayed.changed_rules))
    hits = (
        (
            words[hit.state],
            f"{_verdict(hit.old)} → {_verdict(hit.verdict)}",
            _code(hit.rule),
            _code(hit.action),
            _text(hit.cause or hit.message),
            _text(hit.place),
        )
        for hit in replayed.hits[:SHOWN]
    )
    return [
        f"<h2>Beside <code>{_text(replayed.against)}</code></h2>",
        _table(("decision", "old", "new", "events"), decisions),
        _table(("rule", "decision", "events"), rules),
        _table(("decision", "verdict", "rule", "action", "why", "at"), hits),
    ]


def _undecided(replayed: Replayed) -> list[str]:
    if not replayed.causes:
        return []
    rows = ((_text(cause), str(times)) for cause, times in ranked(replayed.causes)[:SHOWN])
    return ["<h2>Undecided because</h2>", _table(("cause", "times"), rows)]


def _grouped(title: str, head: str, groups: dict[str, Group]) -> list[str]:
    most = sorted(groups.items(), key=lambda each: (-each[1].refused, each[0]))[:SHOWN]
    rows = (
        (
            _code(name or "not recorded"),
            str(group.calls),
            str(group.refused),
            f"{100 * group.refused / group.calls:.1f}" if group.calls else "",
            _verdicts(group.verdicts),
        )
        for name, group in most
    )
    return [f"<h2>{title}</h2>", _table((head, "calls", "refused", "of 100 calls", "verdicts"), rows)]


def _compared(replayed: Replayed) -> str:
    counts = ((name.replace("_", " "), str(number)) for name, number in sorted(replayed.compared.items()))
    rows = (
        (
            _code(each.place),
            _code(each.session),
            _verdict(each.then),
            _verdict(each.now),
            "the same" if each.policy else "another",
        )
        for each in replayed.differences
    )
    return _table(("outcome", "events"), counts) + _table(("place", "session", "then", "now", "policy then"), rows)


def _verdicts(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {_verdict(verdict)}" for verdict, number in ordered(counts).items()) or "none"


def _verdict(verdict: str) -> str:
    return f'<span class="{_text(verdict)}">{_text(verdict)}</span>'


def _text(text: str) -> str:
    return escape(shown(text), quote=True)


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """`heads` are texts, `rows` finished HTML."""
    head = "".join(f"<th>{_text(each)}</th>" for each in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
