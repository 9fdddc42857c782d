"""`rename`: gives files new names, by an expression of Perl (`s/OLD/NEW/`) or by two texts, the tool of util-linux."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.inline.code import analyse
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_SPECIAL = frozenset("\\.^$*+?()[]{}|@")
_MARKS = tuple("/,|#!:;%~")
_CODE = frozenset("/;()$@{}")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    if arguments.has("-n", "--nono", "--no-act"):
        return []
    paths: list[PathValue] = []
    first, *files = [*arguments.values("-e"), *arguments.operands] or [""]
    plain, computes = _substitution(first), first[:1] in ("s", "y") and first[1:2] in _MARKS
    if plain is None and len(files) > 1 and _CODE.isdisjoint(first):
        plain = (first, files.pop(0), False)
    elif plain is None and computes:  # the name may become what takes the place of a part of it
        named = first[2:].partition(first[1])[2].partition(first[1])[0]
        paths += [analysis.path(named, "write")] if named and _SPECIAL.isdisjoint(named.replace(".", "")) else []
    elif plain is None:
        analyse(first, analysis)
        analysis.does("executes")
    for text in files:
        source = analysis.path(text, "delete", follow=False)
        inside = analysis.is_folder(source)
        analysis.contents.append(source.with_access("read"))  # it can be read under its new name
        if plain is None or not is_known(text):
            paths.append(source.with_access("delete", inside))
            if not computes or "/" in first[2:].strip(first[1]).replace(first[1], ""):  # else it stays in its folder
                reason = f"what `{first[:80]}` makes of a name is not known"
                paths.append(analysis.unknown("what is renamed", reason, "write"))
            continue
        old, new, everywhere = plain
        arrival = analysis.path(text.replace(old, new, -1 if everywhere else 1), "write", inside, follow=False)
        if arrival.text != text:
            paths += [source.with_access("delete", inside), arrival]
    return paths


def _substitution(expression: str) -> tuple[str, str, bool] | None:
    """Return the text, what takes its place, and whether everywhere, of an `s/OLD/NEW/` without special characters."""
    mark = expression[1:2]
    parts = expression[2:].split(mark) if expression[:1] == "s" and mark and not mark.isalnum() else []
    if len(parts) != 3 or parts[2] not in ("", "g") or not parts[0]:
        return None
    old = parts[0].replace("\\.", "\0").removesuffix("$")
    if not _SPECIAL.isdisjoint(old) or not _SPECIAL.isdisjoint(parts[1].replace(".", "")):
        return None
    return old.replace("\0", "."), parts[1], parts[2] == "g"
