"""`policy add`: import a pack in `.policy/main.policy`, check it, and show what it refuses."""

from __future__ import annotations

from pathlib import Path

import click

from policy_engine.commands.base import (
    complete_from,
    emit,
    emit_json,
    format_option,
    output_style,
    parameter_lines,
    working,
)
from policy_engine.hosts.layers import project_root
from policy_engine.loading.debounce import load_settled
from policy_engine.loading.files import brief, create, write_whole
from policy_engine.loading.packs import Pack, doubled, named_pack, pack_names
from policy_engine.loading.sources import PACK, SUFFIX
from policy_engine.model.errors import ConfigurationError, PolicyLoadError
from policy_engine.model.source import Source
from policy_engine.reports.base import VERDICT_STYLES, painted
from policy_engine.state.places import REPOSITORY_FOLDER
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse

FILE = "main.policy"
EMPTY = "language 1\n"


@click.command(short_help="Import a shipped policy.", epilog="Example: policy add no-secret-read")
@click.argument("name", shell_complete=complete_from(pack_names))
@format_option("text", "json")
def COMMAND(name: str, format_name: str) -> None:
    """Add the import of a shipped policy to .policy/main.policy here, check it, and show what it refuses.

    NAME is as `policy packs` lists it. A file that is not there is made; if the policies do not load with the import,
    nothing is changed. Exit status: 0, 2 if there is no such pack, 3 if the policies do not load.
    """
    pack = named_pack(name)
    target = project_root(Path.cwd()) / REPOSITORY_FOLDER / FILE
    try:
        before = target.read_bytes() if target.exists() else None
        text = EMPTY if before is None else before.decode("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigurationError(f"cannot read `{brief(target)}`: {problem}") from None
    after = _with_import(text, pack)
    if after != text:
        _write(target, before, after)
    own = [path.read_text("utf-8", "replace") for path in sorted(target.parent.glob(f"*{SUFFIX}"))]
    twice = doubled(pack.name, own)
    if format_name == "json":
        doubles = [{"own": mine, "pack": theirs} for mine, theirs in twice]
        emit_json({"pack": pack.name, "file": brief(target), "added": after != text, "doubled": doubles})
    else:
        emit(_told(pack, target, after != text, twice))


def _with_import(text: str, pack: Pack) -> str:
    """Return the text with the import behind the ones that it has, or behind its first line; as it is if it has it."""
    wanted = f"{PACK}{pack.name}"
    file, _ = parse(Source(FILE, text))
    imports = [item for item in file.items if isinstance(item, ast.Import)]
    if any(item.target.value == wanted for item in imports):
        return text
    line = f'import "{wanted}"\n'
    if imports:
        end = text.find("\n", imports[-1].span.end)
        return f"{text}\n{line}" if end < 0 else f"{text[: end + 1]}{line}{text[end + 1 :]}"
    lines = text.splitlines(keepends=True)
    head = next((number for number, each in enumerate(lines, 1) if each.startswith("language")), 0)
    rest = "".join(lines[head:]).lstrip("\n")
    return f"{''.join(lines[:head]).rstrip()}\n\n{line}" + (f"\n{rest}" if rest else "")


def _write(target: Path, before: bytes | None, after: str) -> None:
    """Write the file; take it back if the policies do not load. Raises PolicyLoadError, ConfigurationError."""
    if before is None:
        create(target, after.encode())
    else:
        write_whole(target, after.encode())
    try:
        with working("checking"):
            load_settled((target.parent,))[0].require_program()
    except PolicyLoadError:
        if before is None:
            target.unlink()
        else:
            write_whole(target, before)
        raise


def _told(pack: Pack, target: Path, added: bool, twice: list[tuple[str, str]]) -> str:
    head = "added" if added else "is there already:"
    segments: list[tuple[str, str]] = [(f'{head} import "{PACK}{pack.name}"', "bold"), (f"  {brief(target)}\n", "dim")]
    for rule in pack.rules:
        look = VERDICT_STYLES[rule.verdicts[0]] if rule.verdicts else ""
        segments += [("  ", ""), (f"{'/'.join(rule.verdicts):<12}", look)]
        segments.append((f"  {rule.title}\n", ""))
    segments += parameter_lines(pack)
    for mine, theirs in twice:
        said = f"  `{mine}` here requires what `{theirs}` does: each would refuse; take one of them out\n"
        segments += [("note", "yellow"), (said, "")]
    return painted(segments, output_style())
