"""Follow `cd`, `pushd` and `popd` to the folder that the rest of a line runs in.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.expansion import expanded
from policy_engine.filesystem.paths import absolute_text, components
from policy_engine.model.partial import FOLDER, GLOB, ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.patterns import decides

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.shell.state import State
    from policy_engine.shell.walk import Walker
    from policy_engine.shell.walk_command import Simple

_MOST_LEVELS = 128
_MOST_ENTERED = 32  # folders that a loop enters one by one
_A_FOLDER = "what-is-entered"
UNKNOWN_FOLDER = "which folder an earlier command goes to is not known"


def _matters(variable: str) -> bool:
    return variable in ("PWD", "OLDPWD") or decides(variable)


def change_folder(walker: Walker, simple: Simple) -> None:
    """`cd` and its folder."""
    walker.emit_simple(simple)
    walker.moves += 1
    state, words = simple.state, list(simple.argv[1:])
    searched = state.variables.get("CDPATH")
    if walker.dialect == "zsh" and "cdpath[@]" in state.variables:
        folders = state.array("cdpath")
        searched = ONE if folders is None else ":".join(folders)
    for name, _, value in (item.partition("=") for item in simple.env):
        if name != "CDPATH" and _matters(name):
            return state.lose_cwd(UNKNOWN_FOLDER)  # `HOME=/x cd`
        searched = value if name == "CDPATH" else searched
    physical = state.physical
    while words and words[0][:1] == "-" and words[0] not in ("-", "--"):
        if words[0].strip("-LPe@"):
            return state.lose_cwd(UNKNOWN_FOLDER)
        last = max(words[0].rfind("L"), words[0].rfind("P"))
        physical = words.pop(0)[last] == "P" if last > 0 else physical
    words = words[1:] if words[:1] == ["--"] else words
    home = state.value("HOME", walker.filesystem)
    target = words[0] if words else (home or ONE)
    if target == "-":
        target = state.value("OLDPWD", walker.filesystem) or ONE
    target = target.removeprefix(FOLDER)
    if walker.dialect == "zsh" and len(words) == 2 and all(map(is_known, words)) and words[0] in (state.logical or ""):
        target, words = (state.logical or "").replace(words[0], words[1], 1), []  # `cd OLD NEW`
    if len(words) > 1 or not is_known(target) or not target:
        return state.lose_cwd(UNKNOWN_FOLDER)
    if searched and (target := _found_along(searched, target, state, walker.filesystem)) == "":
        return state.lose_cwd(UNKNOWN_FOLDER)
    go(walker, state, target, physical)


def _found_along(searched: str, target: str, state: State, filesystem: FileSystem) -> str:
    """Return what `cd` enters where `CDPATH` names folders to look in; "" where that is not known."""
    if target[:1] == "/" or target.split("/")[0] in (".", ".."):
        return target
    if not is_known(searched) or state.cwd is None:
        return ""
    for folder in searched.split(":"):
        text = f"{folder}/{target}" if folder else target
        try:
            status = filesystem.look(filesystem.resolve(text, state.cwd.real))
        except Undecided:
            return ""
        if isinstance(status, tuple) and status[0] == "folder":
            return text
    return ""


def folders_entered(values: list[str], cwd: PathValue, filesystem: FileSystem) -> list[str]:
    """Return values with each pattern for folders replaced by the folders that are there now, or one that may be."""
    made: list[str] = []
    for value in values:
        pattern = value.replace(GLOB, "")
        if GLOB not in value or not is_known(pattern) or set("?[]{}()\\") & set(pattern) or "**" in pattern:
            made.append(value)
            continue
        found: list[str] = []
        if _is_folder(pattern.partition("*")[0].rpartition("/")[0] or ".", cwd, filesystem):
            names = [name for name in expanded(value, cwd, filesystem) if name[-1:] != "/" and name != "."]
            if not all(map(is_known, names)):
                return values
            found = [name for name in names if _is_folder(name, cwd, filesystem)]
        made += found or [pattern.replace("*", _A_FOLDER)]
    return made if len(made) <= _MOST_ENTERED else values


def _is_folder(name: str, cwd: PathValue, filesystem: FileSystem) -> bool:
    try:
        status = filesystem.look(filesystem.resolve(name, cwd.real))
    except Undecided:
        return True
    return isinstance(status, tuple) and status[0] == "folder"


def go(walker: Walker, state: State, target: str, physical: bool | None) -> None:
    """Enter a folder: by names for the shell, by links for the system, or by these alone where `physical`, None where
    that is not known.
    """
    try:
        if physical is None:
            raise Undecided(UNKNOWN_FOLDER)
        if physical:
            if state.cwd is None and target[:1] != "/":
                raise Undecided(state.reason)
            cwd = None if state.cwd is None else state.cwd.real
            real = walker.filesystem.resolve(f"./{target}" if target[:1] == "~" else target, cwd)
            if not real.known:
                raise Undecided(UNKNOWN_FOLDER)
            target = real.real
        if state.logical is None and target[:1] != "/":
            raise Undecided(state.reason)
        text = f"./{target}" if target[:1] == "~" else target
        full = absolute_text(text, state.logical, walker.filesystem.home)
        names: list[str] = []
        for name in components(full):
            if name == "..":
                names[-1:] = []
            else:
                names.append(name)
        logical = "/" + "/".join(names)
        if len(names) > _MOST_LEVELS:
            raise Undecided("the folder is too deep")
        place = walker.filesystem.resolve(logical, None)
        before = state.value("PWD", walker.filesystem)
        state.enter(place, logical)
        state.variables["OLDPWD"] = before or ONE
        state.variables["PWD"] = logical
    except Undecided as unknown:
        state.lose_cwd(unknown.reasons[0])


def push_folder(walker: Walker, simple: Simple) -> None:
    """`pushd FOLDER` and back with `popd`; the other forms are not followed."""
    walker.emit_simple(simple)
    walker.moves += 1
    state, words = simple.state, [word for word in simple.argv[1:] if word != "--"]
    stack = state.variables.get(_STACK)
    if simple.argv[0] == "pushd" and len(words) == 1 and is_known(words[0]) and words[0][:1] not in ("+", "-"):
        if stack is None and _STACK not in state.variables:
            stack = ""
        known = state.logical is not None and stack is not None and is_known(stack)
        state.variables[_STACK] = f"{state.logical}\n{stack}" if known else ONE
        go(walker, state, words[0], state.physical)
    elif simple.argv[0] == "popd" and not words and stack and is_known(stack):
        folder, _, state.variables[_STACK] = stack.partition("\n")
        go(walker, state, folder, state.physical)
    else:
        state.variables[_STACK] = ONE
        state.lose_cwd(UNKNOWN_FOLDER)


_STACK = "DIRSTACK"  # the folders to go back to, the latest first
