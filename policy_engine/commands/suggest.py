"""`policy suggest`: rules, waivers and tests for what agents did here, one question at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from policy_engine.audit.log import log_path
from policy_engine.audit.parts import parts
from policy_engine.audit.redaction import redacted_text
from policy_engine.commands.base import emit, emit_json, existing, format_option, note, policy_options, working
from policy_engine.export.row import Row
from policy_engine.hosts.layers import project_root
from policy_engine.loading.files import brief, create
from policy_engine.loading.loader import load
from policy_engine.loading.recordings import recording
from policy_engine.model.errors import ConfigurationError, EventError, PolicyLoadError
from policy_engine.model.event import Event
from policy_engine.model.ladder import RANK
from policy_engine.model.layers import LAYERS
from policy_engine.model.source import Source
from policy_engine.model.undecided import Undecided
from policy_engine.replaying import Replay, Replayer, filesystem_of
from policy_engine.reports.base import counted, shown
from policy_engine.scaffolding.suggestions import ANSWERS, Answer, Group, Groups, Kind, suggestion_text
from policy_engine.shell.parse import parse
from policy_engine.syntax.parser import parse as parse_policy
from policy_engine.syntax.printer import format_file
from policy_engine.testing.runner import run, suite
from policy_engine.transcripts.base import Recorded

FILE = "suggested.policy"
WIDEN, QUIT = "widen", "quit"
HEAD = "language 1\n\n# Suggested by `policy suggest` from what agents did: change what does not fit.\n"
WHY = {
    Kind.UNGUARDED: "nobody is asked",
    Kind.INTERRUPTED: "refused or asked about",
    Kind.HONEST: "passes",
}


@click.command(
    short_help="Suggest rules from what agents did.",
    epilog="Example: policy suggest ~/.claude/projects/*/*.jsonl --out .policy/suggested.policy",
)
@click.argument("transcripts", nargs=-1, metavar="[TRANSCRIPT]...")
@policy_options
@click.option("--least", type=click.IntRange(1), default=3, metavar="N", help="Calls that a suggestion needs [3].")
@click.option("--owner", default="", metavar="NAME", help="Who is answerable for waivers; they are written only then.")
@click.option("--out", "target", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write them.")
@format_option("text", "json")
def COMMAND(
    transcripts: tuple[str, ...], paths: tuple[str, ...], least: int, owner: str, target: Path | None, format_name: str
) -> int:
    """Suggest rules, waivers and tests for the shell commands that agents ran, grouped by program and verb.

    A TRANSCRIPT is as for `policy replay`; without one it is the decision log, of this repository only. Each is decided
    by the policies at -p again. What reaches others and no rule speaks about is suggested to be asked about; what a
    rule of this repository interrupts and reaches nobody, to be waived for 90 days; what passes, to be kept by a test.
    Nothing is suggested to be allowed that destroys, deploys, publishes, sends, elevates or discloses, or whose effects
    cannot be known. At a terminal each is a question, which can be widened word by word; elsewhere the first answer is
    taken. With --out the tests run before the file stands, and nothing is overwritten. Exit status: 0.
    """
    root = "" if transcripts else str(project_root(Path.cwd()))
    names = list(transcripts) or parts(log_path())
    with working("reading recordings"):
        groups = _groups(names, existing(paths), root)
    chosen = _chosen(groups.suggested(least))
    if format_name == "json":
        emit_json({"unknown": groups.unknown, "suggestions": [_plain(*each) for each in chosen]})
    elif not chosen:
        emit("nothing to suggest: no group of commands was seen so often")
    else:
        emit("".join(_line(*each) for each in chosen))
    if groups.unknown:
        note(f"{counted(groups.unknown, 'command')} left out: what they do cannot be known")
    if target is not None:
        _write(target, chosen, owner, existing(paths))
    return 0


def _groups(names: list[str], policies: tuple[str, ...], root: str) -> Groups:
    """Decide the recordings, and group their shell calls; only those of the workspace `root`, if one is named."""
    groups, replayer, last = Groups(), Replayer(Replay(policies, rows=True)), {}

    def events(name: str) -> Iterator[Recorded]:
        for each in recording(name):
            last["event"] = each.event
            if not root or not isinstance(each.event, dict) or each.event.get("workspace") == root:
                yield each

    def tell(row: object) -> None:
        if isinstance(row, Row) and row.hook == "before_tool" and row.kind == "shell" and type(last["event"]) is dict:
            _add(groups, last["event"], row)

    for name in names:
        replayer.replay(name, tell, events(name))
    return groups


def _add(groups: Groups, raw: dict[str, Any], row: Row) -> None:
    try:
        event = Event.from_dict(raw)
        line = event.shell_line
        if line is None:
            return
        commands = parse(line, event.cwd, filesystem_of(event.workspace), None)
    except (EventError, Undecided):
        groups.unknown += 1
        return
    refusing = [rule["rule"] for rule in row.rules if RANK.get(rule["verdict"], 0) >= RANK["ask"]]
    waivable = bool(refusing) and not any(rule.partition("/")[0] in LAYERS for rule in refusing)
    safe = line if "‹redacted" not in line and redacted_text(line, "") == line else ""
    groups.add(commands, safe, row.session, refusing, waivable)


def _chosen(groups: list[Group]) -> list[tuple[Group, Answer]]:
    """Return what is wanted of each group: asked for at a terminal, else the first answer."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return [(group, ANSWERS[group.kind][0]) for group in groups]
    chosen = []
    for number, group in enumerate(groups, 1):
        answer = _asked(group, f"{number} of {len(groups)}")
        if answer is None:
            break
        chosen.append((group, answer))
    return chosen


def _asked(group: Group, place: str) -> Answer | None:
    """Ask about a group until it is answered; None to end."""
    while True:
        click.echo(f"\n{place}: " + _about(group))
        for example in group.examples:
            click.echo(f"    {shown(example)}")
        answers = [answer.value for answer in ANSWERS[group.kind]]
        more = [WIDEN] if group.width != 1 and len(group.words) > 1 else []
        word = click.prompt("", type=click.Choice([*answers, *more, QUIT]), default=answers[0], prompt_suffix="> ")
        if word == QUIT:
            return None
        if word != WIDEN:
            return Answer(word)
        group.widen()


def _about(group: Group) -> str:
    effects = f", {', '.join(group.effects)}" if group.effects else ""
    rules = f" by {', '.join(group.rules)}" if group.rules else ""
    seen = f"{counted(group.calls, 'call')} in {counted(len(group.sessions), 'session')}"
    return f"`{shown(group.pattern)}`  {seen}{effects}; {WHY[group.kind]}{shown(rules)}"


def _line(group: Group, answer: Answer) -> str:
    return f"{answer.value:<5} {_about(group)}\n"


def _plain(group: Group, answer: Answer) -> dict[str, Any]:
    return {
        "pattern": group.pattern, "kind": group.kind.value, "answer": answer.value, "calls": group.calls,
        "sessions": len(group.sessions), "effects": list(group.effects), "rules": list(group.rules),
        "examples": list(group.examples),
    }  # fmt: skip


def _write(target: Path, chosen: list[tuple[Group, Answer]], owner: str, policies: tuple[str, ...]) -> None:
    """Write the declarations in their order; one whose tests fail beside those before it is left out."""
    today = datetime.now(UTC).date()
    wanted = [
        text
        for group, answer in chosen
        if (group.kind is not Kind.INTERRUPTED or owner) and (text := suggestion_text(group, answer, owner, today))
    ]
    if not wanted:
        raise ConfigurationError("there is nothing to write; waivers need --owner")
    head = HEAD + "".join(f'import "{name}"\n' for name in _imports(target, policies)) + "\n"
    create(target, (head + "\n".join(wanted)).encode())
    try:
        kept: list[str] = []
        for text in wanted:
            if _holds(target, head + "\n".join([*kept, text])):
                kept.append(text)
        if not kept:
            raise ConfigurationError("no suggestion passes its own tests beside these policies; nothing was written")
        tree, _ = parse_policy(Source(target.name, head + "\n".join(kept)))
        target.write_text(format_file(tree), "utf-8")
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    left = f"; {counted(len(wanted) - len(kept), 'suggestion')} left out whose tests fail" if kept != wanted else ""
    note(f"wrote {brief(target)} with {counted(len(kept), 'suggestion')}{left}; next: policy test {brief(target)}")


def _imports(target: Path, policies: tuple[str, ...]) -> list[str]:
    """Return the policies in the target's folder, which its tests and waivers are about."""
    folder = target.absolute().parent
    files = [
        file for path in map(Path, policies) for file in (sorted(path.rglob("*.policy")) if path.is_dir() else [path])
    ]
    return [
        str(file.absolute().relative_to(folder))
        for file in files
        if folder in file.absolute().parents and file.absolute() != target.absolute()
    ]


def _holds(target: Path, text: str) -> bool:
    """Return whether a declaration loads and its tests pass, in the file where it shall stand."""
    target.write_text(text, "utf-8")
    try:
        chosen = suite(load([str(target)]), [str(target)])
    except PolicyLoadError:
        return False
    return not any(outcome.failed for outcome in run(chosen))
