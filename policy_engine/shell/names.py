"""Names that a shell line gives a meaning of their own. Imported by the hook path."""

from __future__ import annotations

from policy_engine.shell.wrappers import MULTICALL, OTHER_SHELLS, REMOTE, SHELLS, WRAPPERS

RESERVED = frozenset(
    (
        "if then else elif fi case esac for select while until do done in function time coproc repeat foreach "
        "end nocorrect noglob always"
    ).split()
)

# Programs and builtins that start what their arguments name.
RUNS_ANOTHER = frozenset(
    (
        "eval exec source . command builtin trap env su runuser flock script watch xargs parallel find fd "
        "fdfind tmux screen at batch ssh expect bwrap gdb capsh npx bunx pnpx uvx emulate crontab concurrently "
        "lldb autoload repeat zmodload"
    ).split()
).union(WRAPPERS, SHELLS, OTHER_SHELLS, MULTICALL, REMOTE)
