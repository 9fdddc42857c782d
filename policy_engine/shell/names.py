"""Names that a shell line gives a meaning of their own; data only. Imported by the hook path."""

from __future__ import annotations

RESERVED = frozenset(
    (
        "if then else elif fi case esac for select while until do done in function time coproc repeat foreach "
        "end nocorrect noglob always"
    ).split()
)

# Programs and builtins that start what their arguments name.
RUNS_ANOTHER = frozenset(
    (
        "eval exec source . command builtin trap env sudo doas su runuser pkexec nohup timeout gtimeout nice "
        "ionice chrt taskset setsid setarch stdbuf unbuffer strace ltrace perf flock script watch xargs "
        "parallel find fd fdfind busybox toybox coreutils tmux screen at batch ssh docker podman kubectl "
        "nsenter unshare chroot fakeroot systemd-run bash sh dash ksh mksh zsh fish csh tcsh ash rbash pwsh "
        "entr caffeinate direnv dotenv expect faketime firejail bwrap prlimit choom numactl catchsegv "
        "valgrind gdb setpriv capsh start-stop-daemon cmd powershell npx bunx pnpx gosu su-exec run0 linux32 "
        "linux64 dbus-run-session xvfb-run proxychains proxychains4 torsocks chronic ts-node rlwrap hyperfine "
        "nerdctl oc lxc vagrant rbash elvish nu xonsh emulate"
    ).split()
)

# Builtins after which the same words may mean something else.
CHANGES_SHELL = frozenset(
    (
        "alias unalias set shopt setopt unsetopt emulate export declare typeset readonly local unset hash "
        "enable pushd popd umask exit return logout bind read mapfile readarray getopts printf let autoload "
        "zmodload functions disable ulimit wait kill shift break continue"
    ).split()
)
