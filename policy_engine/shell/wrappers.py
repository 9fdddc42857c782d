"""Programs that start what their words name: how their own words end, from the table of programs.

A wrapper is `(short options with a value, long options with a value, operands before the command, traits)`. Traits:
`status` its exit status is the command's; `assigns` it takes `NAME=value` words; `chdir:OPTION` an option that names
the folder; `elsewhere` it runs in a folder of its own; `moved`, `moved:OPTION` on another file system; `sub:WORD` a
word before the command; `unfollowed` what it starts is not followed. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.programs._rows import ROWS

TYPE_CHECKING = False
if TYPE_CHECKING:
    Wrapper = tuple[str, tuple[str, ...], int, tuple[str, ...]]


def _values(text: str) -> tuple[str, tuple[str, ...]]:
    """The letters and the long names of options, from `-u= --user= -np=`."""
    names = [option.rstrip("=") for option in text.split()]
    return "".join(name[1] for name in names if len(name) == 2), tuple(
        name.lstrip("-") for name in names if len(name) > 2
    )


def _wrapper(text: str) -> Wrapper:
    options, operands, traits = text.split("|")
    short, long = _values(options)
    return short, long, int(operands), tuple(traits.split())


def _runner(text: str) -> tuple[str, str, tuple[str, ...]]:
    verb, options = text.split("|")
    return verb.strip(), *_values(options)


WRAPPERS = {name: _wrapper(text) for row in ROWS.values() for name, text in row.get("starts", {}).items()}
"""Base name → how its own words end and where the command begins."""
NOT_FOLLOWED = frozenset(
    (
        "expect",
        "gdb",
        "capsh",
        "bwrap",
        "cmd",
        "powershell",
        *(name for name in WRAPPERS if "unfollowed" in WRAPPERS[name][3]),
    )
)
"""Programs that start what their words say in a way that is not followed."""
RUNNERS = {name: _runner(text) for row in ROWS.values() for name, text in row.get("runs", {}).items()}
"""PROJECT run WORD…: the word is started in the project's environment, and its exit status is passed on."""

SHELLS = ("bash", "sh", "dash", "zsh", "ksh", "mksh", "ash", "rbash")
OTHER_SHELLS = ("fish", "csh", "tcsh", "pwsh", "powershell", "cmd", "elvish", "nu", "xonsh")
"""Shells whose language is not bash's: what they are handed is unknown."""
MULTICALL = ("busybox", "toybox", "coreutils")
"""Programs that are many programs: the next word says which."""
REMOTE = {
    "docker": ("exec", "run", "compose"), "podman": ("exec", "run"), "nerdctl": ("exec", "run"), "kubectl": ("exec",),
    "oc": ("exec", "rsh"), "lxc": ("exec",), "vagrant": ("ssh",),
}  # fmt: skip
"""Programs whose subcommand starts a command on another file system."""
REMOTE_VALUES = {
    "exec": ("euwnc", ("env", "env-file", "user", "workdir", "detach-keys", "container", "namespace", "index")),
    "run": ("vepuwhlma", (
        "volume", "env", "env-file", "publish", "user", "workdir", "name", "network", "entrypoint", "mount", "label",
        "memory", "cpus", "platform", "hostname", "add-host", "cap-add", "cap-drop", "device", "restart", "gpus",
        "pull", "shm-size", "ulimit", "tmpfs", "security-opt", "pid", "ipc", "dns", "expose", "volumes-from", "runtime",
        "cidfile", "log-driver", "log-opt", "attach", "stop-signal", "net", "userns",
    )),
}  # fmt: skip
SSH_VALUES = "BbcDEeFIiJLlmOoPpQRSWw"
