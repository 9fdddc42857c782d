"""`policy migrate`: convert files of another system to a policy, on standard output or in a file.

`--write` replaces whole files or none, and keeps what it replaces in a `.bak` beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from policy_engine.commands.base import FINDINGS, emit, emit_json, format_option, note
from policy_engine.hosts.layers import project_root
from policy_engine.loading.files import brief, read_source, replace_with_backup
from policy_engine.loading.ids import require_free
from policy_engine.loading.loader import load, load_text
from policy_engine.loading.sources import policies_below
from policy_engine.migrations.base import Migrated, formats, migrate_all, migration
from policy_engine.model.errors import ConfigurationError
from policy_engine.state.places import REPOSITORY_FOLDER
from policy_engine.testing.migrated import WEAKER, Compared, compare_with_source


@click.command(
    short_help="Turn rules of another system into a policy.",
    epilog="Example: policy migrate --from claude-settings .claude/settings.json --write",
)
@click.option("--from", "source_format", required=True, metavar="FORMAT", help=f"One of {', '.join(formats())}.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="What `--write` writes [.policy/FORMAT.policy of the repository; of `seed-config`, PATH itself].",
)
@click.option("--write", is_flag=True, help="Write the file; what it replaces is kept beside it as `.bak`.")
@click.option("--allow-weaker", is_flag=True, help="Write also what is weaker than the source.")
@format_option("text", "json")
def COMMAND(
    source_format: str, paths: tuple[Path, ...], target: Path | None, write: bool, allow_weaker: bool, format_name: str
) -> int:
    """Read PATHs in FORMAT, all in force together, and print the policy that says the same.

    What a policy cannot say is listed at standard error and in the policy, with the reason: then the exit status is 1.
    A source that its own system would refuse is refused, and nothing is written. Nothing in a source is ever run.

    Each rule is compared with its source. Sessions are made for it, and decided here and by the words of the source:
    it is equal, stricter or weaker, with a session that shows it. If one is weaker, and not on purpose, nothing is
    written and the exit status is 1, unless --allow-weaker is given.
    """
    known = migration(source_format)
    if known.rewrites and len(paths) > 1:
        raise ConfigurationError(f"`{source_format}` takes one file, which it brings up to date")
    made = migrate_all(source_format, [read_source(path) for path in paths])
    place = target or (paths[0] if known.rewrites else _place(source_format))
    if write and not known.rewrites:
        others = [brief(path) for path in policies_below(place.parent) if path != place]
        require_free(load_text(made.policy_text, brief(place)), load(others, allow_empty=True))
    compared = list(compare_with_source(made))
    weaker = [one for one in compared if one.state == WEAKER and not one.meant and not allow_weaker]
    written = _written(made, place) if write and not weaker else None
    if format_name == "json":
        emit_json(_report(made, written, compared))
    elif written is None:
        emit(made.policy_text)
    else:
        kept = f"; what it was is kept in {brief(written[1])}" if written[1] else ""
        emit(f"wrote {brief(written[0])}{kept}" if written[2] else f"{brief(written[0])} already says so")
    for problem in made.problems if format_name != "json" else ():
        note(f"not expressed: {problem.summary}")
        for line in problem.rewrite.splitlines():
            note(f"    {line}")
    for one in compared if format_name != "json" else ():
        shown = f": {one.witness} => {one.verdict}" if one.witness else f", sessions tried: {one.tried}"
        note(f"{one.state}: `{one.original.rule}`{shown}{f' (on purpose: {one.meant})' if one.meant else ''}")
    if compared and format_name != "json":
        note(f"rules compared: {len(compared)}; hooks are not")
    if weaker and format_name != "json":
        note(f"weaker than their source: {len(weaker)}; without --allow-weaker nothing is written")
    return FINDINGS if made.problems or weaker else 0


def _place(source_format: str) -> Path:
    return project_root(Path.cwd()) / REPOSITORY_FOLDER / f"{source_format}.policy"


def _written(made: Migrated, place: Path) -> tuple[Path, Path | None, bool]:
    """The file, its backup, and whether it had to change."""
    data = made.policy_text.encode()
    if place.is_file() and place.read_bytes() == data:
        return place, None, False
    return place, replace_with_backup(place, data), True


def _report(
    made: Migrated, written: tuple[Path, Path | None, bool] | None, compared: Sequence[Compared]
) -> dict[str, Any]:
    return {
        "text": made.policy_text,
        "written": brief(written[0]) if written else None,
        "backup": brief(written[1]) if written and written[1] else None,
        "not_expressed": [
            {"where": one.where, "what": one.what, "why": one.why, "rewrite": one.rewrite} for one in made.problems
        ],
        "compared": [
            {
                "rule": one.original.rule,
                "source": one.original.words,
                "state": one.state,
                "sessions": one.tried,
                "witness": one.witness,
                "verdict": one.verdict,
                "meant": one.meant,
            }
            for one in compared
        ],
    }
