"""Find the lines that assignments before a command hand to a shell.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.quoting import quote_words
from policy_engine.programs.variables import INTERPRETED, STARTS, loads_code
from policy_engine.shell.builtins import inner_script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.walk import Walker
    from policy_engine.shell.walk_command import Simple


_PROMPTS = ("PS0", "PS1", "PS2", "PS4")


def prompted(walker: Walker, simple: Simple, items: tuple[str, ...]) -> None:
    """The substitutions in prompts (`PS4`), which a shell runs each time that it shows them."""
    for item in items:
        name, _, value = item.partition("=")
        if name in _PROMPTS and is_known(value) and ("$(" in value or "`" in value):
            inner_script(walker, simple, f": <<{name}\n{value}\n{name}\n", name, simple.state.copy(), False)


def started_by(walker: Walker, simple: Simple, items: tuple[str, ...]) -> None:
    """The commands in the values of variables such as `EDITOR`, which the command may start, and the code that options
    in a variable load.
    """
    prompted(walker, simple, items)
    for item in items:
        name, _, value = item.partition("=")
        if name in STARTS and is_known(value) and (" " in value.strip() or "/" in value):
            inner_script(walker, simple, value.lstrip("|"), name, simple.state.copy(), False)
        program = INTERPRETED.get(name)
        if program and loads_code(name, value) and is_known(value) and simple.argv[:1] != (program,):
            inner_script(
                walker, simple, f"{name}={quote_words([value])} {program} -e 0", name, simple.state.copy(), False
            )
