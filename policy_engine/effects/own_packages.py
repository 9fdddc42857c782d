"""Tell whether a call of a package manager changes the engine's own installation. Imported by the hook path.

The engine may have an environment of its own, where nobody else has anything to install, or lie in the project's: there
only the engine and what it depends on are meant.
"""

from __future__ import annotations

import sys

from policy_engine.model.own_entries import DEPENDENCIES, DISTRIBUTION
from policy_engine.model.partial import is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import MODEL_OF, ROWS
from policy_engine.state.own_file import exists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_CHANGES = frozenset(
    "install uninstall remove rm upgrade update reinstall add inject runpip sync purge erase un i ci lock".split()
)
_ALL = frozenset("uninstall-all upgrade-all reinstall-all".split())
_PLACES = ("--python", "-p", "--target", "-t", "--prefix", "--root")
_SHARED = ("", "/usr", "/usr/local", "/opt/homebrew", "/opt/local")
"""Folders whose programs belong to the machine."""


def changes_engine(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """Tell the analysis that the call changes what the engine runs from, surely or perhaps."""
    name = command.name.rstrip("0123456789.") if command.name not in MODEL_OF else command.name
    if not ROWS.get(MODEL_OF.get(name, name), {}).get("packages"):
        return
    words = [word for word in command.argv[1:] if is_known(word)]
    if not _ALL.isdisjoint(words) or ("tool" in words and "--all" in words):
        analysis.doubt("controls-engine", "the engine may be among all the tools that are changed")
    if _CHANGES.isdisjoint(words):
        return
    named = {distribution(word) for word in words if word[:1] != "-"}
    if DISTRIBUTION in named or (
        _in_own_environment(command, analysis) and (named & DEPENDENCIES or _is_apart(analysis))
    ):
        analysis.does("controls-engine")
        analysis.opaque = False


def distribution(word: str) -> str:
    """Return the name of a package as registries compare it: without version and extras, `_` and `.` as `-`."""
    bare = word
    for mark in "[=<>!~@; ":
        bare = bare.partition(mark)[0]
    name = "".join(char if char.isalnum() else "-" for char in bare.lower())
    return "-".join(part for part in name.split("-") if part)


def own_environments() -> tuple[str, ...]:
    """Return the environments that the engine and its libraries lie in, but for those of the whole machine.

    A plain interpreter has none to speak of: the hook starts it without its packages (`-I -S`).
    """
    libraries = (place for place in sys.path if place.endswith("-packages"))
    folders = [place.rpartition("/lib/python")[0] for place in (__file__, *libraries)]
    interpreter = sys.executable.rpartition("/bin/")[0]
    if exists(f"{interpreter}/pyvenv.cfg"):
        folders.append(interpreter)
    return tuple(dict.fromkeys(place for place in folders if place not in _SHARED))


def _in_own_environment(command: SimpleCommand, analysis: EffectAnalysis) -> bool:
    """Return whether the call works in the environment of the engine, so far as its words say which one that is."""
    program = command.argv[0]
    places = [program] if "/" in program else [analysis.filesystem.program(program) or ""]
    for number, word in enumerate(command.argv[:-1]):
        option, equals, value = word.partition("=")
        if option in _PLACES:
            places.append(value if equals else command.argv[number + 1])
    places += [item.partition("=")[2] for item in command.env if item.startswith(("VIRTUAL_ENV=", "UV_PROJECT_ENV"))]
    return any(is_known(place) and _is_own(place, analysis) for place in places if place)


def _is_own(place: str, analysis: EffectAnalysis) -> bool:
    meant = [analysis.path(place, "write", False, follow) for follow in (True, False)]
    own = [analysis.path(one, "write") for one in own_environments()]
    roots = tuple(f"{one.real}/" for one in own if one.known)
    return any(path.known and f"{path.real}/".startswith(roots) for path in meant)


def _is_apart(analysis: EffectAnalysis) -> bool:
    """Return whether the engine has virtual environments outside the workspace, where nobody else has anything to
    install.
    """
    try:
        return all(
            exists(f"{one}/pyvenv.cfg") and analysis.filesystem.relative(analysis.path(one, "read")) is None
            for one in own_environments()
        )
    except Undecided:
        return True
