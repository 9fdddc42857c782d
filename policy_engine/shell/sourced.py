"""Know what a script file knows after it has sourced another: functions of that file, and variables that it leaves.

Imported by the hook path where a script sources a file.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import under
from policy_engine.model.limits import COMMAND_BYTES
from policy_engine.model.partial import FOLDER, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.dialects import parse_script
from policy_engine.shell.expansion import names_in
from policy_engine.shell.tree import Function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.state import State
    from policy_engine.shell.walk import Walker

_ANYTHING = frozenset(("eval", "source", "trap", "alias", "declare", "typeset"))
_MOVES = frozenset(("cd", "pushd", "popd"))


def text_of(walker: Walker, name: str, state: State) -> str | None:
    """Return the text of a file that a script sources, None where it is not read or may have been written before."""
    name = name.removeprefix(FOLDER)
    if "0" not in state.variables or not is_known(name) or any(command.redirects for command in walker.commands):
        return None
    try:
        file = walker.filesystem.resolve(name, None if state.cwd is None else state.cwd.real)
        inside = under(file.real, "/tmp") or walker.filesystem.relative(file) is not None
        return walker.filesystem.script(file, COMMAND_BYTES) if inside else None
    except Undecided:
        return None


def keep_known(walker: Walker, text: str, known: State, state: State) -> None:
    """Take the functions of a text that was sourced, and what it does not change of all that was known before."""
    before = known.variables
    words = set(names_in(text))
    parts = text.replace(";", "\n").replace("&", "\n").split("\n")
    if words.isdisjoint(_ANYTHING) and not any(part.strip().startswith(". ") for part in parts):
        state.variables.update({name: one for name, one in before.items() if name.partition("[")[0] not in words})
        if words.isdisjoint(_MOVES):
            state.enter(known.cwd, known.logical)
    state.variables.update({name: before[name] for name in ("0", "BASH_SOURCE", "BASH_SOURCE[@]") if name in before})
    try:
        script = parse_script(text, walker.dialect, walker.parsing)
    except Undecided:
        return
    for node, _ in script.items:
        if type(node) is Function:
            state.functions[node.name] = (node, None)  # it may not have come there
