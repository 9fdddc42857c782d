"""`policy new`: write a new policy file with a valid declaration and its test, ready to be changed."""

from __future__ import annotations

import re
from pathlib import Path

import click

from policy_engine.commands.base import emit, emit_json, format_option, output_style
from policy_engine.hosts.layers import project_root
from policy_engine.loading.files import brief, create
from policy_engine.loading.ids import require_free
from policy_engine.loading.loader import Loaded, load, load_text
from policy_engine.model.errors import ConfigurationError
from policy_engine.reports.base import painted, shown
from policy_engine.scaffolding.scaffolds import DRAFT, KINDS, SWITCHES, scaffold
from policy_engine.state.places import REPOSITORY_FOLDER

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


@click.command(
    short_help="Write a new rule, limit, hook … to start from.", epilog="Example: policy new rule no-vendored-edits"
)
@click.argument("kind", type=click.Choice(KINDS), metavar="KIND")
@click.argument("name")
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), help="Where to write it [.policy of the repository]."
)
@format_option("text", "json")
def COMMAND(kind: str, name: str, folder: Path | None, format_name: str) -> None:
    """Write NAME.policy with a new declaration; KIND is rule, limit, hook, mode, verify, test or pack.

    What is written is valid, passes its own test and is not in force yet: the file says how it is switched on. Nothing
    is ever overwritten.
    """
    if not _NAME.fullmatch(name):
        raise ConfigurationError(
            f"`{name}` is no name: small letters, digits and single hyphens, such as `{_tame(name)}`"
        )
    place = folder if folder is not None else project_root(Path.cwd()) / REPOSITORY_FOLDER
    target, text = place / f"{name}.policy{DRAFT if kind == 'verify' else ''}", scaffold(kind, name)
    if target.exists():
        raise ConfigurationError(f"{brief(target)} is there already and stays as it is; take another name")
    if kind == "test":
        text = _with_imports(text, place)
    else:
        fresh = load_text(text, brief(target))
        _require_valid(fresh, name)
        require_free(fresh, load([brief(place)], allow_empty=True))
    create(target, text.encode())
    if format_name == "json":
        emit_json({"written": [brief(target)], "kind": kind, "name": name, "switch_on": SWITCHES.get(kind)})
        return
    next_step = f"policy test {brief(target)}"
    off = [("\nnot in force yet: ", ""), (SWITCHES[kind], "")] if kind in SWITCHES else []
    segments = [
        ("wrote ", ""),
        (shown(brief(target)), "bold"),
        *off,
        ("\nnext  ", "dim"),
        (shown(next_step) + "\n", "bold"),
    ]
    emit(painted(segments, output_style()))


def _tame(name: str) -> str:
    """A name that is allowed, as near as can be."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-0123456789") or "my-rule"


def _with_imports(text: str, place: Path) -> str:
    """A top-level test sees what it imports: all policy files that are there."""
    names = sorted(path.name for path in place.glob("*.policy")) if place.is_dir() else []
    if not names:
        raise ConfigurationError(
            f"{brief(place)} holds no policy to test yet; begin with `policy init` or `policy new rule NAME`"
        )
    return text.replace('import "main.policy"', "\n".join(f'import "{name}"' for name in names))


def _require_valid(fresh: Loaded, name: str) -> None:
    """A word of the language cannot be a name everywhere."""
    if fresh.errors:
        raise ConfigurationError(f"`{name}` cannot be a name here ({fresh.errors[0].message}); take another")
