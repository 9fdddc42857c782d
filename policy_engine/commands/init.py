"""`policy init`: write a first policy that fits the repository's files, with tests that pass."""

from __future__ import annotations

from pathlib import Path

import click

from policy_engine.commands.base import FOLDER, emit, emit_json, format_option, output_style
from policy_engine.hosts.layers import project_root
from policy_engine.loading.files import brief, create
from policy_engine.loading.packs import Pack, read_pack
from policy_engine.loading.sources import policies_below
from policy_engine.model.errors import ConfigurationError
from policy_engine.reports.base import painted, shown
from policy_engine.scaffolding.scaffolds import TITLES, first_policy
from policy_engine.scaffolding.suites import Suite, find_suites
from policy_engine.state.places import REPOSITORY_FOLDER

FILE = "main.policy"
STEPS = (
    ("policy test", "every rule shows itself working"),
    ("policy check", "advice on what you change"),
    ("policy new rule NAME", "your next rule"),
    ("policy install claude-code", "let the agent ask before it acts"),
)


@click.command(short_help="Write a first policy for this repository.", epilog="Example: policy init && policy test")
@click.argument("folder", required=False, metavar="[FOLDER]", type=FOLDER)
@click.option("--force", is_flag=True, help="Add main.policy even though other policy files are there already.")
@format_option("text", "json")
def COMMAND(folder: Path | None, force: bool, format_name: str) -> None:
    """Write a first policy for the repository at FOLDER, or around the current folder.

    Its files tell what runs the tests: manifests, lock files, scripts, tasks, pipelines, packages below.
    Nothing is ever overwritten: a main.policy that is there stays.
    """
    root = folder if folder is not None else project_root(Path.cwd())
    place = root / REPOSITORY_FOLDER
    others = policies_below(place)
    target = place / FILE
    if target in others or target.exists():
        raise ConfigurationError(
            f"{brief(target)} is there already and stays as it is; `policy new rule NAME` adds to it"
        )
    if others and not force:
        raise ConfigurationError(
            f"{brief(place)} already holds policies, such as {others[0].name}; --force adds {FILE} to them"
        )
    suites = find_suites(root)
    create(target, first_policy(suites).encode())
    if format_name == "json":
        plain_suites = [{"ecosystem": suite.ecosystem, "folder": suite.folder, "run": suite.run} for suite in suites]
        emit_json({"written": [brief(target)], "suites": plain_suites})
    else:
        emit(_text(target, suites))


OFFERED = ("security/no-secret-read", "security/no-force-push-protected", "security/no-git-discard")
WITH_TESTS = ("acceptance/tests-kept",)  # offered where something runs tests


def _offers(suites: list[Suite]) -> list[Pack]:
    """Return the packs that fit a repository with these suites."""
    return [read_pack(name) for name in (*OFFERED, *(WITH_TESTS if suites else ()))]


def _text(target: Path, suites: list[Suite]) -> str:
    segments = [("wrote ", ""), (shown(brief(target)), "bold"), ("\n", "")]
    for suite in suites:
        where = f" in {shown(suite.folder)}" if suite.folder else ""
        segments += [("found ", ""), (f"{TITLES[suite.ecosystem]} tests{where}", "bold"), (f": {suite.run}\n", "")]
    if not suites:
        segments.append(
            ("found nothing that runs tests here; see the end of the tutorial for a rule of your own\n", "")
        )
    segments.append(("\nnext\n", "dim"))
    width = max(len(command) for command, _ in STEPS)
    for command, why in STEPS:
        segments += [(f"  {command:{width}}", "bold"), (f"  {why}\n", "dim")]
    offers = _offers(suites)
    segments.append(("\nfits as well\n", "dim"))
    size = max(len(pack.name) for pack in offers)
    for pack in offers:
        segments += [(f"  policy add {pack.name:{size}}", "bold"), (f"  {pack.says}\n", "dim")]
    return painted(segments, output_style())
