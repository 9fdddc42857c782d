"""`policy packs`: list the shipped packs with what each refuses; of a named one, its rules with examples."""

from __future__ import annotations

from dataclasses import asdict

import click

from policy_engine.commands.base import (
    complete_from,
    emit,
    emit_json,
    format_option,
    output_style,
    parameter_lines,
    shortened,
    terminal_width,
)
from policy_engine.loading.packs import THEMES, Pack, named_pack, pack_names, packs
from policy_engine.loading.sources import PACK
from policy_engine.reports.base import VERDICT_STYLES, painted


@click.command(short_help="Show the policies that ship for import.", epilog="Example: policy packs no-secret-read")
@click.argument("name", shell_complete=complete_from(pack_names), required=False, metavar="[NAME]")
@format_option("text", "json")
def COMMAND(name: str | None, format_name: str) -> None:
    """Show which policies ship for import and what each refuses; with NAME its rules, with examples from its tests.

    NAME is `security/no-sudo`, `no-sudo` or `pack:security/no-sudo`; a theme (`security`) lists what it has.
    `policy add NAME` imports one.
    """
    theme = (name or "").removeprefix(PACK).strip("/")
    themes = [theme] if theme in THEMES else list(THEMES)
    single = name is not None and theme not in THEMES
    chosen = [named_pack(name)] if name and single else [one for one in packs() if one.name.startswith(tuple(themes))]
    if format_name == "json":
        emit_json([{**asdict(pack), "import": f"{PACK}{pack.name}"} for pack in chosen])
    else:
        emit(_one(chosen[0]) if single else _listed(chosen, themes))


def _listed(result: list[Pack], themes: list[str]) -> str:
    width = terminal_width()
    segments: list[tuple[str, str]] = []
    size = max(len(pack.name.partition("/")[2]) for pack in result)
    for theme in themes:
        segments += [(theme, "bold"), (f": {THEMES[theme]}\n", "")]
        for pack in result:
            if pack.name.startswith(f"{theme}/"):
                line = f"  {pack.name.partition('/')[2]:<{size}}  {pack.says}"
                segments.append((shortened(line, width) + "\n", ""))
    segments += [("policy packs NAME", "bold"), (" shows the rules of one, ", "dim")]
    segments += [("policy add NAME", "bold"), (" imports it\n", "dim")]
    return painted(segments, output_style())


def _one(pack: Pack) -> str:
    segments: list[tuple[str, str]] = [(f'import "{PACK}{pack.name}"\n', "bold")]
    for rule in pack.rules:
        segments += [("\n", ""), (rule.name, "bold"), (f"  {rule.title}\n ", "")]
        for verdict in rule.verdicts:
            segments.append((f" {verdict}", VERDICT_STYLES.get(verdict, "")))
        segments.append(("\n", ""))
        segments += [(f"    {shortened(each, (terminal_width() or 10_000) - 4)}\n", "dim") for each in rule.examples]
    segments += parameter_lines(pack)
    segments += [("\npolicy add ", "dim"), (pack.name, "bold"), (" imports it\n", "dim")]
    return painted(segments, output_style())
