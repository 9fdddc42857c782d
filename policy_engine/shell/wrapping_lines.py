"""Find the shell lines that programs hold beside their own words: `hyperfine`, `nix-shell`, `expect`, `gdb`.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.shell.builtins import inner_script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.walk import Walker
    from policy_engine.shell.walk_command import Simple

_VALUES = (
    "-w",
    "-m",
    "-M",
    "-r",
    "-S",
    "-P",
    "-D",
    "-L",
    "-u",
    "-n",
    "--names",
    "--warmup",
    "--runs",
    "--shell",
    "--style",
    "-N",
)
_LINES = ("-p", "-c", "-s", "-C", "--prepare", "--cleanup", "--setup", "--conclude")
_STARTS = {
    "expect": ("-c", ("spawn ", "exec ", "system ")),
    "gdb": ("-ex", ("shell ", "!")),
    "lldb": ("-o", ("platform shell ", "shell ")),
}


def lines(walker: Walker, simple: Simple) -> None:
    """`hyperfine LINE…`, `concurrently LINE…`: each word is a line."""
    words, name = list(simple.argv[1:]), simple.argv[0].rpartition("/")[2]
    while words:
        word = words.pop(0)
        if word in _VALUES and words and not (name == "concurrently" and word in ("-r", "-p")):
            words.pop(0)
        elif word in _LINES and words and name == "hyperfine":
            inner_script(walker, simple, words.pop(0), name, simple.state.copy(), False)
        elif word[:1] != "-":
            inner_script(walker, simple, word, name, simple.state.copy(), False)


def nix_shell(walker: Walker, simple: Simple) -> None:
    """`nix-shell --run LINE`, `--command LINE`."""
    for option, line in zip(simple.argv, simple.argv[1:], strict=False):
        if option in ("--run", "--command"):
            inner_script(walker, simple, line, "nix-shell", simple.state.copy(), False)


def commands_of(walker: Walker, simple: Simple) -> None:
    """`expect -c 'spawn LINE'`, `gdb -ex 'shell LINE'`: one of its own commands starts a line."""
    name = simple.argv[0].rpartition("/")[2]
    option, starts = _STARTS[name]
    for place, word in enumerate(simple.argv[:-1]):
        if word != option:
            continue
        for command in simple.argv[place + 1].replace(";", "\n").split("\n"):
            start = next((start for start in starts if command.strip().startswith(start)), None)
            if start is not None or not is_known(command):
                line = command.strip()[len(start or "") :]
                inner_script(walker, simple, line, name, simple.state.copy(), False)
