"""Count the files as read that options of a known program name and that its model does not read.

A program of which a row says all that its operands mean may still have options whose values are files of names, of
patterns, of settings (`file -f`, `wc --files0-from=`, `pytest @list`). What they hold shows in messages, so that each
of them counts as read. Values that are texts are left out: an option's name says so, or its row. On the hook path.
"""

from __future__ import annotations

from policy_engine.effects.mentions import is_place, names_pattern, places_in
from policy_engine.model.partial import is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.programs.base import Arguments, Program

_TEXTS = frozenset("include match grep format message title label color colour mode owner group reference host".split())


def add_option_files(program: Program, arguments: Arguments, analysis: EffectAnalysis) -> None:
    """Add the files that options, and words like `@list`, name to what the command reads."""
    seen = (*analysis.contents, *analysis.mentions, *analysis.runs, *analysis.searched)
    read = {path.text for path in (*seen, *(path for path in analysis.paths if path.access != "read"))}
    given = [
        value
        for name, value in arguments.options
        if value and name not in program.texts and not names_pattern(name, _TEXTS)
    ]
    if program.raw:
        for word in arguments.operands:
            option, equals, value = word.partition("=")
            if equals and option[:2] == "--" and option not in program.texts and not names_pattern(option, _TEXTS):
                given.append(value)
    given += [word for word in arguments.operands if word[:1] == "@" or word[:5] == "file:"]
    for text in given:
        if is_known(text):
            bare = text.lstrip("@")
            named = [bare] if is_place(bare) and not any(mark in bare for mark in "=,: ") else places_in(text)
            analysis.contents += [analysis.path(place, "read") for place in named if place not in read]
