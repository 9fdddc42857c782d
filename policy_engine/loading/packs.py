"""Describe the packs that ship for import: what each refuses, by its rules, with examples from their tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import takewhile

from policy_engine.loading.sources import PACK, SUFFIX
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.shipped import THEME, pack_folder
from policy_engine.model.source import Source
from policy_engine.syntax import ast
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_expression

THEMES = {
    "acceptance": "is the work done?",
    "loops": "is there still progress?",
    "security": "what must not happen",
    THEME: "how other systems decide",
}
"""Folder of packs → the question that they answer."""
_SEVERAL = 3  # rules, or words, from which on rules say the same of several things
EXAMPLES = 4  # of a rule


@dataclass(frozen=True, slots=True)
class PackRule:
    """A rule or limit of a pack: `verdicts` that it may give, `examples` as its tests have them."""

    name: str
    title: str
    verdicts: tuple[str, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PackParameter:
    """A value of a pack that its import may set; `default` as it is written."""

    name: str
    title: str
    default: str


@dataclass(frozen=True, slots=True)
class Pack:
    """One policy to import; `name` is `THEME/NAME`."""

    name: str
    rules: tuple[PackRule, ...]
    parameters: tuple[PackParameter, ...] = ()

    @property
    def says(self) -> str:
        """Return the title of its first rule; of rules that say the same of several things, these."""
        titles = [rule.title for rule in self.rules]
        if len(titles) < _SEVERAL:
            return titles[0] if titles else "nothing by itself"
        words = zip(*(title.split()[::-1] for title in titles), strict=False)
        same = [each[0] for each in takewhile(lambda each: len(set(each)) == 1, words)][::-1]
        things = [title.removesuffix(" ".join(same)).strip() for title in titles]
        if len(same) < _SEVERAL or not all(things):
            return titles[0]
        return f"{things[0]}, {things[1]} and {len(things) - 2} more: {' '.join(same)}"


def packs() -> list[Pack]:
    """Return every pack, by theme and name."""
    return [read_pack(name) for name in _names()]


def _names() -> list[str]:
    themes = ((theme, pack_folder(theme) / theme) for theme in THEMES)
    return [f"{theme}/{path.stem}" for theme, folder in themes for path in sorted(folder.glob(f"*{SUFFIX}"))]


def pack_names() -> list[str]:
    """Return what `policy add` takes for each pack: its name without the theme where that is enough."""
    names = [name.rpartition("/")[2] for name in _names()]
    return [name for name in names if names.count(name) == 1]


def read_pack(name: str) -> Pack:
    """Return the pack of that full name."""
    path = pack_folder(name) / f"{name}{SUFFIX}"
    text = path.read_text("utf-8")
    file, _ = parse(Source(f"{PACK}{name}", text))
    rules = [_rule(item, text) for item in file.items if isinstance(item, ast.Rule | ast.Limit)]
    for item in file.items:
        if isinstance(item, ast.Import) and not item.target.value.startswith(PACK):
            rules += read_pack(f"{name.rpartition('/')[0]}/{item.target.value.removesuffix(SUFFIX)}").rules
    declared = [item for item in file.items if isinstance(item, ast.Param)]
    parameters = (PackParameter(each.name, each.title, format_expression(each.value)) for each in declared)
    return Pack(name, tuple(rules), tuple(parameters))


def doubled(pack: str, texts: Iterable[str]) -> list[tuple[str, str]]:
    """Return the rules of policies that require at the same point what a rule of a pack does, each with that rule."""
    path = pack_folder(pack) / f"{pack}{SUFFIX}"
    theirs = {asked: name for name, asked in _asked(path.read_text("utf-8"))}
    own = [one for text in texts for one in _asked(text)]
    return [(name, theirs[asked]) for name, asked in own if asked in theirs]


def _asked(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the rules of a text, each with its points and what must have been, since whenever that is."""
    file, _ = parse(Source("", text))
    for item in file.items:
        if isinstance(item, ast.Rule) and item.require:
            points = sorted(point.name for point in item.points)
            wanted = (format_expression(each).partition(" since ")[0] for each in item.require)
            yield item.name, (*points, *wanted)


def named_pack(name: str) -> Pack:
    """Return the pack that a person names, with or without `pack:` and its theme. Raises ConfigurationError."""
    plain = name.removeprefix(PACK).removesuffix(SUFFIX)
    known = {pack.name: pack for pack in packs()}
    matching = [pack for full, pack in known.items() if plain in (full, full.partition("/")[2])]
    if len(matching) == 1:
        return matching[0]
    near = get_close_matches(plain, [*known, *(full.partition("/")[2] for full in known)], n=1)
    advice = f"did you mean `{near[0]}`?" if near else "`policy packs` lists them"
    raise ConfigurationError(f"there is no pack `{name}`; {advice}")


def _rule(item: ast.Rule | ast.Limit, text: str) -> PackRule:
    given = item.verdicts if isinstance(item, ast.Rule) else tuple(step.verdict for step in item.steps)
    verdicts = list(dict.fromkeys(each.name for each in given))
    if any(each.direction == "ask" for each in item.fail) and "ask" not in verdicts:
        verdicts.append("ask")
    shown = (
        " ".join(line.split())
        for test in item.tests
        for line in text[test.span.start : test.span.end].split("\n")
        if "=>" in line
    )
    return PackRule(item.name, item.title or item.name, tuple(verdicts), tuple(shown)[:EXAMPLES])
