"""`find`: finds files by their attributes; some of its actions write, delete and start programs."""

from __future__ import annotations

from policy_engine.filesystem.glob_components import matcher, parse_components
from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known, may_be_option
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, EffectAnalysis, find_program
from policy_engine.programs.find_expression import MOST_FILES, Expression, deepest

_NO_VALUE = frozenset(
    "-print -print0 -delete -ls -prune -quit -empty -depth -xdev -mount -daystart -follow -readable -writable"
    " -executable -nouser -nogroup -true -false ! -not -o -or -a -and , ( )".split()
)
_WRITES = ("-fprint", "-fprint0", "-fprintf", "-fls")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    words = arguments.operands
    roots, place = [], 0
    follows = False
    while place < len(words) and words[place] in ("-H", "-L", "-P", "-O0", "-O1", "-O2", "-O3"):
        follows = follows or words[place] == "-L"
        place += 1
    while place < len(words) and words[place][:1] not in "-(!":
        roots.append(words[place])
        place += 1
    tests = words[place:]
    if any(map(may_be_option, roots[1:])):
        analysis.doubt("*", "what `find` does with what it finds is not known")
    paths = [analysis.path(text, "read", True) for text in roots or ["."]]
    if any(_is_action_unknown(place, tests) for place in range(1, len(tests))):
        reason = "whether `find` deletes what it finds is not known"
        analysis.doubt("*", reason)
        paths += [analysis.may_touch(text, reason, "delete", True) for text in roots or ["."]]
    for number, word in enumerate(tests):
        value = tests[number + 1] if number + 1 < len(tests) else ""
        if word in _WRITES:
            paths.append(analysis.path(value, "write"))
        elif word == "-files0-from":
            paths.append(analysis.unknown(value, f"the folders that `{value[:80]}` names", "read", True))
        elif word in ("-exec", "-execdir", "-ok", "-okdir"):
            analysis.does("executes")
            _started(number, roots or ["."], tests, analysis)
        elif word == "-delete":
            for text in roots or ["."]:
                if follows or "-follow" in tests:
                    paths.append(analysis.unknown(text, "links may lead anywhere", "delete", True))
                else:
                    paths += _deleted(text, tests, number, analysis)
    return paths


def _is_action_unknown(place: int, tests: list[str]) -> bool:
    """Return whether a word that is not known stands where a test or an action does, behind one that takes no value."""
    if not may_be_option(tests[place]) or {"-exec", "-execdir", "-ok", "-okdir"} & set(tests[:place]):
        return False
    before = tests[place - 1]
    return before in _NO_VALUE or before[:1] != "-"


def _started(number: int, roots: list[str], tests: list[str], analysis: EffectAnalysis) -> None:
    """Return what `-exec` deletes, and what it reads of the files that the tests pick by name; of all, where they do
    not.
    """
    words = tests[number + 1 :]
    if words and not is_known(words[0]):
        reason = "what `find` starts for what it finds is not known"
        analysis.paths += [analysis.may_touch(text, reason, "delete", True) for text in roots]
        return
    program = find_program(words[0].rpartition("/")[2]) if words else None
    if program is not None and program.name in ("rm", "rmdir", "unlink", "shred"):
        for text in roots:
            analysis.paths += _deleted(text, tests, number, analysis)
    if program is None or (not program.shows_content and program.name != "cp"):
        return
    names = [tests[place + 1] for place, word in enumerate(tests[:-1]) if word in ("-name", "-iname")]
    for text in roots:
        root = analysis.path(text, "read", True)
        if not names:
            analysis.searched.append(root)
            continue
        try:
            fits = [matcher(parse_components(name)) for name in names if "/" not in name]
            files = [
                real
                for real in analysis.filesystem.files_below(root)
                if any(fit(real.rpartition("/")[2]) for fit in fits)
            ]
        except (Undecided, ValueError):
            analysis.searched.append(root)
            continue
        analysis.contents += [analysis.path(real, "read") for real in files]


def _deleted(text: str, tests: list[str], number: int, analysis: EffectAnalysis) -> list[PathValue]:
    """Return what the action of that place deletes below a root: what the tests pick of the files that are there now.

    Of many files, the first folder below the root on the way to each. The root itself goes too, where no test is
    known to leave it out.
    """
    root = analysis.path(text, "delete", True)
    if not root.known:
        return [root]
    try:
        picked = Expression(tests).picks(text, analysis.filesystem.files_below(root, deepest(tests)), root.real, number)
    except Undecided as unknown:
        return _deleted_unlisted(text, tests, unknown.reasons[0], analysis)
    outside = analysis.filesystem.relative(root) is None
    paths = [analysis.path(f"{text.rstrip('/')}/what-find-picks", "delete", outside)]
    if text in picked and not _only_files(tests):
        paths = [root] if all(map(is_known, tests)) else [root, *paths]
    if len(picked) > MOST_FILES:
        start = len(text.rstrip("/")) + 1
        tops = dict.fromkeys(path[start:].partition("/")[0] for path in picked if path != text)
        return paths + [analysis.path(f"{text.rstrip('/')}/{top}", "delete", True) for top in tops]
    return paths + [analysis.path(path, "delete", follow=False) for path in picked if path != text]


def _deleted_unlisted(text: str, tests: list[str], reason: str, analysis: EffectAnalysis) -> list[PathValue]:
    """Below a root that cannot be listed only a name with an ending of its own is known to narrow."""
    names = [tests[place + 1] for place, word in enumerate(tests[:-1]) if word == "-name"]
    plain = [name for name in names if name.rpartition(".")[2].isalnum() and "." in name[1:] and name != "*.policy"]
    if plain and plain == names and not {"-o", "-or", "!", "-not", ","} & set(tests):
        return [analysis.path(f"{text.rstrip('/')}/what-find-picks", "delete", True)]
    return [analysis.unknown(text, reason, "delete", True)]


def _only_files(tests: list[str]) -> bool:
    """Return whether a folder is surely left out."""
    return "-type" in tests and tests[tests.index("-type") + 1 :][:1] == ["f"] and "-o" not in tests
