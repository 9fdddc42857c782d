"""Programs that start what their words name; data only: how their own words end. Imported by the hook path.

A wrapper is `(short options with a value, long options with a value, operands before the command, traits)`. Traits:
`status` its exit status is the command's; `here` the command runs in this folder, on this machine; `assigns` it takes
`NAME=value` words; `chdir:OPTION` an option that names the folder; `elsewhere` it runs in a folder of its own;
`moved`, `moved:OPTION` on another file system; `line` one word is a whole shell line.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Wrapper = tuple[str, tuple[str, ...], int, tuple[str, ...]]

WRAPPERS: dict[str, Wrapper] = {
    "sudo": ("AaCcDghpRrTtUu", ("askpass", "chdir", "chroot", "close-from", "command-timeout", "group", "host",
             "other-user", "prompt", "role", "type", "user"), 0, ("status", "assigns", "chdir:-D", "chdir:--chdir",
             "moved:-R", "moved:--chroot")),
    "doas": ("Cu", (), 0, ("status",)),
    "sudo-rs": ("Dgu", ("chdir", "group", "user"), 0, ("status", "assigns")),
    "gsudo": ("uil", ("user", "integrity"), 0, ("status",)),
    "dzdo": ("gu", (), 0, ("status",)),
    "pfexec": ("P", (), 0, ("status",)),
    "please": ("dtu", ("dir", "target", "user"), 0, ("status",)),
    "super": ("", (), 0, ("status",)),
    "sux": ("", (), 0, ("status",)),
    "kdesu": ("cu", (), 0, ("status",)),
    "gksu": ("gmu", (), 0, ("status",)),
    "gksudo": ("gmu", (), 0, ("status",)),
    "pkexec": ("u", ("user",), 0, ("status", "elsewhere")),
    "gosu": ("", (), 1, ("status",)),
    "su-exec": ("", (), 1, ("status",)),
    "run0": ("DgnpuP", ("chdir", "user", "group", "unit", "property", "description", "slice", "nice", "setenv",
             "background", "machine"), 0, ("status", "elsewhere")),
    "systemd-run": ("EHMpu", ("unit", "property", "description", "slice", "uid", "gid", "nice", "setenv", "host",
                    "machine", "working-directory", "on-active", "on-boot", "on-startup", "on-unit-active",
                    "on-unit-inactive", "on-calendar", "service-type"), 0,
                    ("elsewhere", "moved:-M", "moved:--machine", "moved:-H", "moved:--host")),
    "nohup": ("", (), 0, ("status",)),
    "timeout": ("ks", ("kill-after", "signal"), 1, ("status",)),
    "gtimeout": ("ks", ("kill-after", "signal"), 1, ("status",)),
    "nice": ("n", ("adjustment",), 0, ("status", "number")),
    "ionice": ("cnpPu", ("class", "classdata", "pid", "pgid", "uid"), 0, ("status",)),
    "chrt": ("TPDp", ("sched-runtime", "sched-period", "sched-deadline", "pid"), 1, ("status",)),
    "taskset": ("", (), 1, ("status",)),
    "setsid": ("", (), 0, ()),
    "unbuffer": ("", (), 0, ("status",)),
    "strace": ("abeEIoOpPsSuUX", ("output", "trace", "env", "user", "attach", "string-limit", "columns",
               "interruptible", "summary-sort-by"), 0, ("status",)),
    "ltrace": ("aAeDFlnopsuwx", ("output", "library", "config", "align"), 0, ("status",)),
    "caffeinate": ("tw", (), 0, ("status",)),
    "unshare": ("GSRw", ("setuid", "setgid", "root", "wd", "map-user", "map-group", "propagation", "setgroups"), 0,
                ("moved:-R", "moved:--root", "moved:-w", "moved:--wd")),
    "nsenter": ("tSGW", ("target", "setuid", "setgid", "wdns"), 0, ()),
    "chroot": ("", ("groups", "userspec"), 1, ("moved",)),
    "setarch": ("", (), 1, ("status",)),
    "linux32": ("", (), 0, ("status",)),
    "linux64": ("", (), 0, ("status",)),
    "prlimit": ("p", ("pid",), 0, ("status",)),
    "choom": ("np", ("adjust", "pid"), 0, ("status",)),
    "numactl": ("CNilmpP", ("cpunodebind", "physcpubind", "interleave", "membind", "preferred", "localalloc"), 0,
                ("status",)),
    "catchsegv": ("", (), 0, ("status",)),
    "valgrind": ("", (), 0, ("status",)),
    "perf": ("", (), 1, ("status", "loose")),
    "faketime": ("f", (), 1, ("status",)),
    "fakeroot": ("lsib", ("lib", "faked"), 0, ("status",)),
    "dbus-run-session": ("", ("config-file", "dbus-daemon"), 0, ("status",)),
    "xvfb-run": ("efnpsw", ("error-file", "server-num", "auth-file", "server-args", "wait", "xauth-protocol"), 0,
                 ("status",)),
    "dotenv": ("ef", ("env", "file"), 0, ("status", "sub:run", "sub:--")),
    "direnv": ("", (), 2, ("status",)),
    "firejail": ("", (), 0, ("status", "elsewhere")),
    "proot": ("rbwqk", ("rootfs", "bind", "cwd", "pwd", "qemu", "kernel-release"), 0, ("status", "moved:-r", "moved:-b",
              "moved:-R", "moved:--rootfs", "moved:--bind")),
    "sshpass": ("pfdP", (), 0, ("status",)),
    "arch": ("e", ("arch",), 0, ("status",)),
    "eatmydata": ("", (), 0, ("status",)),
    "cpulimit": ("lpPe", ("limit", "pid", "exe", "path"), 0, ()),
    "ssh-agent": ("at", (), 0, ("status",)),
    "cross-env": ("", (), 0, ("status", "assigns")),
    "cross-env-shell": ("", (), 0, ("status", "assigns")),
    "env-cmd": ("fer", ("file", "environments"), 0, ("status",)),
    "corepack": ("", (), 0, ("status",)),
    "flatpak-spawn": ("", ("env", "directory"), 0, ("status", "elsewhere")),
    "watchexec": ("defiwrsSE", ("watch", "exts", "filter", "ignore", "delay-run", "shell", "env", "debounce", "signal"),
                  0, ()),
    "retry": ("tdbs", ("times", "delay", "tries", "sleep"), 0, ("status",)),
    "reflex": ("rgRGd", ("regex", "glob"), 0, ()),
    "rtk": ("", (), 0, ("status",)),
    "stdbuf": ("ioe", ("input", "output", "error"), 0, ("status",)),
    "setpriv": ("", ("reuid", "regid", "groups", "inh-caps", "ambient-caps", "bounding-set", "securebits", "ruid",
                "euid", "rgid", "egid"), 0, ("status",)),
    "entr": ("", (), 0, ()),
    "proxychains": ("f", (), 0, ("status",)),
    "proxychains4": ("f", (), 0, ("status",)),
    "torsocks": ("", (), 0, ("status",)),
    "chronic": ("", (), 0, ("status",)),
    "ts-node": ("", (), 99, ()),
    "rlwrap": ("", (), 0, ("status",)),
    "hyperfine": ("", (), 99, ()),
    "start-stop-daemon": ("", (), 99, ()),
}  # fmt: skip
"""Base name → how its own words end and where the command begins."""

NOT_FOLLOWED = frozenset(
    (
        "expect",
        "gdb",
        "capsh",
        "bwrap",
        "cmd",
        "powershell",
        *(name for name, wrapper in WRAPPERS.items() if wrapper[2] == 99),
    )
)
"""Programs that start what their words say in a way that is not followed."""

# PROJECT run WORD…: the word is started in the project's environment, and its exit status is passed on.
RUNNERS = {
    "uv": ("run", "p", ("python", "with", "package", "project", "directory", "extra", "group", "env-file",
           "with-requirements", "with-editable", "index", "color", "config-file", "cache-dir", "only-group")),
    "poetry": ("run", "CP", ("directory", "project")),
    "pipenv": ("run", "", ()),
    "pdm": ("run", "p", ("project",)),
    "hatch": ("run", "e", ("env",)),
    "rye": ("run", "", ("pyproject",)),
    "bundle": ("exec", "", ("gemfile",)),
    "mise": ("exec", "CE", ("cd", "env")),
    "devbox": ("run", "ce", ("config", "env", "env-file")),
    "doppler": ("run", "cpt", ("config", "project", "token", "scope")),
    "op": ("run", "", ("env-file", "account")),
    "infisical": ("run", "", ("env", "path", "projectId", "token")),
    "dotenvx": ("run", "fe", ("env-file", "env")),
    "pixi": ("run", "e", ("environment", "manifest-path")),
    "asdf": ("exec", "", ()),
    "tox": ("exec", "ec", ("conf",)),
    "lerna": ("exec", "", ("scope", "ignore", "concurrency", "since")),
    "volta": ("run", "", ("node", "npm", "pnpm", "yarn")),
    "flox": ("activate", "dr", ("dir", "remote")),
    "pipx": ("run", "", ("spec", "python", "pip-args", "index-url", "with")),
    "bun": ("x", "", ("cwd", "package")),
    "rbenv": ("exec", "", ()),
    "pyenv": ("exec", "", ()),
    "conda": ("run", "np", ("name", "prefix", "cwd")),
    "mamba": ("run", "np", ("name", "prefix", "cwd")),
    "npm": ("exec", "cwp", ("call", "workspace", "package")),
    "pnpm": ("exec", "C", ("dir", "filter")),
    "yarn": ("exec", "", ("cwd",)),
}  # fmt: skip

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
