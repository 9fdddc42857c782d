"""Tell why a decision came to be: what was wanted, which rules refused, what they saw, what would pass."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from policy_engine.audit.log import log_path
from policy_engine.audit.reader import LogReader, Record
from policy_engine.bootstrap import stage_runner
from policy_engine.commands.base import emit, emit_json, format_option, output_style, terminal_width, working
from policy_engine.deciding import in_force
from policy_engine.hosts.layers import project_root
from policy_engine.model.action import action_of
from policy_engine.model.decision import Decision, RuleResult
from policy_engine.model.errors import ConfigurationError, PolicyEngineError
from policy_engine.model.ladder import RANK
from policy_engine.reports.base import VERDICT_STYLES, Style, counted, local_time, painted, shown
from policy_engine.reports.decision_text import render_rule
from policy_engine.reports.derivation import derivation_json, rule_text
from policy_engine.runtime.explanation import Explained
from policy_engine.runtime.external import Hooks, nobody

Remade = tuple[Decision, tuple[Explained, ...]] | str
"""The decision made again with what each rule saw, or why it could not be."""
BEFORE = 8  # events before that are shown
PLAIN_WIDTH = 120  # where the output is no terminal
_PROVING = ("shell", "write", "edit")
HERE = "in this workspace; --session names one, --anywhere takes the last of all"


@click.command(
    short_help="Show why the last refusal here, or one event, came to be.",
    epilog="Example: policy why, policy why toolu_01Ab, policy why --session 6a93e537",
)
@click.argument("event", required=False, metavar="[EVENT]")
@click.option("--session", default="", metavar="ID", help="The last refusal of this session, or its beginning.")
@click.option("--anywhere", is_flag=True, help="The last refusal of any workspace.")
@click.option("--rule", default="", metavar="ID", help="Only this rule, with its conditions.")
@format_option("text", "json")
def COMMAND(event: str | None, session: str, anywhere: bool, rule: str, format_name: str) -> int:
    """Show why the last refusal in this workspace came to be, or the EVENT that is named.

    EVENT is an id that `policy log` shows, its beginning, or the number of a record (`#12`). Shown is what the log has:
    what was wanted, each rule that spoke with its place, and what the session did before. The conditions are those of
    the policies in force here now, asked again about the recorded session; where that comes out otherwise the record
    stands, and it is said. Exit status: 0, or 2 if there is no such event.
    """
    root = "" if anywhere or session or event else str(project_root(Path.cwd()))
    record = _record(event or "", session, root)
    if record is None:
        if event or session:
            raise ConfigurationError("the log has no such event" if event else "the log has no refusal of that session")
        emit(f"nothing was refused {HERE if root else 'at all'}")
        return 0
    past = _past(record)
    with working("asking the policies again"):
        remade = _ask_again(record, past)
    if format_name == "json":
        again = derivation_json(*remade) if not isinstance(remade, str) else {"error": remade}
        emit_json({"record": record, "before": len(past), "again": again})
    else:
        emit(_text(record, past, remade, rule, output_style(), terminal_width()))
    return 0


def _record(event: str, session: str, root: str) -> Record | None:
    """Return the last record that was asked for; an event's whole id goes before its beginning."""
    exact = begun = None
    number = event.removeprefix("#")
    with closing(LogReader(log_path())) as reader:
        for record in reader.records():
            if session and not str(record.get("session", "")).startswith(session):
                continue
            if event:
                identity = str(record.get("event") or "")
                if identity == event or (number.isdigit() and str(record.get("n")) == number):
                    exact = record
                elif identity.startswith(event) and (begun is None or _refuses(record) or not _refuses(begun)):
                    begun = record
            elif _refuses(record) and _within(record, root):
                exact = record
    return exact if exact is not None else begun


def _refuses(record: Record) -> bool:
    return RANK.get(record.get("verdict", ""), 0) >= RANK["ask"]


def _within(record: Record, root: str) -> bool:
    given = record.get("input")
    place = given.get("workspace") if isinstance(given, dict) else None
    return not root or (isinstance(place, str) and f"{place.rstrip('/')}/".startswith(f"{root.rstrip('/')}/"))


def _past(record: Record) -> list[Record]:
    """Return what the log has of the session before a record."""
    records: list[Record] = []
    with closing(LogReader(log_path())) as reader:
        for each in reader.records():
            if each == record:
                break
            if each.get("session") == record.get("session") and isinstance(each.get("input"), dict):
                records.append(each)
    return records


def _ask_again(record: Record, past: list[Record]) -> Remade:
    """Return the decision made again with what each rule saw, or why it cannot be made again."""
    given: Any = record.get("input")
    if not isinstance(given, dict):
        return "the log does not have the event"
    try:
        policies = in_force(str(given.get("workspace") or ""))
    except PolicyEngineError as error:
        return str(error)
    engine = policies.engine(Hooks({}, nobody, stage_runner()))
    engine.told = True
    for each in past:
        engine.decide(each["input"])
    return engine.explain(given, policies.listening())


# ---- for people ----------------------------------------------------------------------------------------------------


def _text(record: Record, past: list[Record], remade: Remade, only: str, style: Style, width: int | None) -> str:
    """Return the text of a record; `only` names one rule, `width` is that of the terminal."""
    room = width or PLAIN_WIDTH
    rules = [RuleResult.from_dict(each) for each in record.get("rules") or () if isinstance(each, dict)]
    wanted = [each for each in rules if only in ("", each.rule)]
    parts = [painted(_head(record, room), style)]
    for reasons, group in _groups(wanted).items():
        if reasons and len(group) > 1:
            parts.append(painted(_folded(reasons, group, room), style))
        else:
            parts += [_rule(each, remade, style, width) for each in group]
    if not rules:
        errors = "\n".join(shown(str(error)) for error in record.get("errors") or ())
        parts.append(errors or "no rule had anything to say")
    elif not wanted:
        parts.append(f"the rule `{shown(only)}` said nothing; those that did: {', '.join(each.rule for each in rules)}")
    before = [each for each in past if _proves(each)]
    if before and not only:
        parts.append(painted(_before(before, room), style))
    parts += [line for line in (_remark(wanted, remade),) if line]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _head(record: Record, room: int) -> Iterator[tuple[str, str]]:
    given: Any = record.get("input")
    given = given if isinstance(given, dict) else {}
    verdict = str(record.get("verdict"))
    yield verdict, VERDICT_STYLES.get(verdict, "")
    yield f"  {shown(str(record.get('hook')))}", "bold"
    yield f"  {local_time(record.get('time'))}  #{record.get('n', '?')}", ""
    for name, text in (
        ("event", str(record.get("event") or "")),
        ("session", f"{record.get('session')} ({record.get('host')})"),
        ("workspace", str(given.get("workspace") or "")),
        ("wanted", action_of(given) if given else ""),
    ):
        for number, line in enumerate(wrap(shown(text), room - 11, break_on_hyphens=False)):
            yield f"\n{'' if number else name:<9}  ", "dim"
            yield line, ""


def _groups(rules: list[RuleResult]) -> dict[tuple[str, ...], list[RuleResult]]:
    """Return the rules by what could not be known, in their order; those that are violated under nothing."""
    groups: dict[tuple[str, ...], list[RuleResult]] = {}
    for rule in rules:
        groups.setdefault(rule.undecided if rule.outcome == "undecided" else (), []).append(rule)
    return groups


def _folded(reasons: tuple[str, ...], rules: list[RuleResult], room: int) -> Iterator[tuple[str, str]]:
    yield f"? {len(rules)} rules could not be decided", "bold yellow"
    for reason in reasons:
        for number, line in enumerate(wrap(shown(reason), room - 11, break_on_hyphens=False)):
            yield f"\n  {'' if number else 'unknown':<7}  ", "dim"
            yield line, ""
    size = max(len(rule.rule) for rule in rules)
    for rule in rules:
        yield f"\n  {rule.verdict:<6}", VERDICT_STYLES.get(rule.verdict, "")
        yield f" {shown(rule.rule):<{size}}", "bold"
        apart = "  " if size + len(rule.at) + 11 <= room else "\n           "
        yield f"{apart}{shown(rule.at)}", "dim"
    yield "\n  --rule ID shows the conditions of one", "dim"


def _rule(rule: RuleResult, remade: Remade, style: Style, width: int | None) -> str:
    """Return a rule with its conditions if it comes out as it did then, else as it was recorded."""
    again = _again(rule, remade)
    return render_rule(rule, color=style.color) if again is None else rule_text(again, style, width is not None)


def _again(rule: RuleResult, remade: Remade) -> Explained | None:
    if isinstance(remade, str):
        return None
    known = (each for each in remade[1] if each.rule.id == rule.rule and each.outcome == rule.outcome)
    return next((each for each in known if each.result is not None and each.clauses), None)


def _proves(record: Record) -> bool:
    """Return whether this is the end of a call that ran or wrote something."""
    tool = record["input"].get("tool")
    return record.get("hook") == "after_tool" and isinstance(tool, dict) and tool.get("kind") in _PROVING


def _before(past: list[Record], room: int) -> Iterator[tuple[str, str]]:
    left = len(past) - BEFORE
    more = f" ({left} more before)" if left > 0 else ""
    yield f"the last that ran or was written in this session{more}", "bold"
    for each in past[-BEFORE:]:
        result = each["input"].get("result")
        yield f"\n  {local_time(each.get('time'), '%H:%M:%S')}  ", "dim"
        yield f"{_result(result if isinstance(result, dict) else {}):<9}", ""
        yield f"  {shown(action_of(each['input'], room - 23))}", ""


def _result(result: dict[str, Any]) -> str:
    code, ok = result.get("exit_code"), result.get("ok")
    if type(code) is int:
        return f"exit {code}"
    return "unknown" if type(ok) is not bool else "ended" if ok else "failed"


def _remark(rules: list[RuleResult], remade: Remade) -> str:
    if isinstance(remade, str):
        return f"the conditions cannot be shown: {shown(remade)}"
    other = [rule.rule for rule in rules if _again(rule, remade) is None and rule.at]
    if not other:
        return ""
    return f"asked again now, {counted(len(other), 'rule')} would come out otherwise: files, policies or the log differ"
