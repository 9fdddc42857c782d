"""Programs and builtins that start the program that their words name."""

from __future__ import annotations

import shlex
from random import Random

from tests.generated.disguises.base import Disguise, Line, Place, is_plain, simple, starts_program

_PREFIXES: dict[str, tuple[str, ...]] = {
    "env": ("env", "env --", "env A=1", "env -u FOO", "env A=1 B=2", "env -", "env -i", "env env", "/usr/bin/env"),
    "nohup": ("nohup", "nohup --"),
    "timeout": (
        "timeout 5",
        "timeout -k 1 5",
        "timeout -s KILL 5s",
        "timeout --signal=TERM 5",
        "timeout --foreground 9",
    ),
    "nice": ("nice", "nice -n 3", "nice -3", "nice --adjustment=3", "nice -n3"),
    "ionice": ("ionice", "ionice -c 3", "ionice -c2 -n7", "ionice -t"),
    "stdbuf": ("stdbuf -o0", "stdbuf -oL -eL", "stdbuf --output=0", "stdbuf -i0 -o 0"),
    "setsid": ("setsid", "setsid -w", "setsid --wait"),
    "taskset": ("taskset 1", "taskset -c 0"),
    "setarch": ("setarch -R", "linux64", "setarch x86_64", "setarch x86_64 -R"),
    "prlimit": ("prlimit", "prlimit --core=0"),
    "chrt": ("chrt -o 0", "chrt --other 0"),
    "choom": ("choom -n 0 --", "choom --adjust 0 --"),
    "setpriv": ("setpriv", "setpriv --"),
    "strace": ("strace -f -o /dev/null", "strace -o /dev/null", "strace -qq -e trace=none"),
    "unshare": ("unshare",),
    "flock": ("flock lock", "flock -n lock", "flock -w 1 lock"),
    "sudo": ("sudo", "sudo -n", "sudo -u root", "sudo --", "sudo -E A=1", "doas", "sudo -n -- env"),
    "busybox": ("busybox", "toybox", "busybox env", "busybox nohup"),
    "runner": ("uv run", "poetry run", "bundle exec", "npx", "pipenv run", "npm exec --", "uv run --"),
    "others": (
        "unbuffer",
        "perf stat",
        "fakeroot",
        "systemd-run --user",
        "chronic",
        "catchsegv",
        "firejail",
        "proxychains",
        "dbus-run-session --",
        "xvfb-run",
        "caffeinate",
        "chroot /",
        "numactl -N 0",
        "faketime 1d",
        "torsocks",
        "nsenter -t 1",
        "rlwrap",
        "valgrind",
        "ltrace -f",
        "gosu root",
        "su-exec root",
        "run0",
        "pkexec",
    ),
    "screen": ("screen -dm", "tmux new -d", "tmux new-session -d", "screen"),
    "container": (
        "docker run --rm alpine",
        "docker exec c1",
        "podman run -v /:/h alpine",
        "kubectl exec p --",
        "docker run -v /:/host -w /host alpine",
    ),
    "watched": ("watch", "watch -n 1", "watch -x", "entr", "hyperfine"),
}
NEEDS = {
    "sudo": ("sudo",),
    "busybox": ("busybox",),
    "runner": ("uv", "poetry"),
    "others": ("unbuffer",),
    "screen": ("screen",),
    "container": ("-",),
    "watched": ("hyperfine",),
    "strace": ("-",),
    "unshare": ("-",),
    "parallel": ("parallel",),
    "env": ("-",),
    "chrt": ("-",),
    "taskset": ("-",),
    "setarch": ("-",),
}
"""`-`: what it needs of the machine cannot be counted on."""


def _prefixed(forms: tuple[str, ...]) -> Disguise:
    def disguise(line: Line, rng: Random, place: Place) -> Line | None:
        if line.argv is None or not starts_program(line):
            return None
        words = tuple(shlex.split(rng.choice(forms)))
        return Line(f"{shlex.join(words)} {line.text}", words + line.argv)

    return disguise


def shell_prefix(line: Line, rng: Random, place: Place) -> Line | None:
    """Builtins and keywords: nothing can start the result as a program."""
    if not starts_program(line):
        return None
    form = rng.choice(
        (
            "command",
            "command --",
            "exec",
            "exec -a x",
            "exec --",
            "builtin command",
            "time",
            "time -p",
            "exec -c",
            "command command",
            "builtin exec",
            "command exec",
            "\\command",
            "time command",
        )
    )
    return Line(f"{form} {line.text}")


def assignment(line: Line, rng: Random, place: Place) -> Line | None:
    """Assignments and redirections before and behind a command."""
    if line.argv is None:
        return None
    before = rng.choice(("A=1 ", "A=1 B='x y' ", "LC_ALL=C ", ">/dev/null ", "2>&1 ", "</dev/null ", "A= <<<x ", ""))
    behind = rng.choice(("", " >/dev/null", " 2>&1", " &>/dev/null", " </dev/null", " 2>/dev/null", " <<<y", " 3>&1"))
    return Line(f"{before}{line.text}{behind}")


def split_string(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None or not starts_program(line) or not all(map(is_plain, line.argv)):
        return None
    words = rng.choice(
        (
            ("env", "-S", " ".join(line.argv)),
            ("env", f"-S{' '.join(line.argv)}"),
            ("env", f"--split-string={' '.join(line.argv)}"),
            ("env", "-S", line.argv[0], *line.argv[1:]),
        )
    )
    return simple(words)


def xargs(line: Line, rng: Random, place: Place) -> Line | None:
    words = line.argv
    if words is None or not starts_program(line) or not all(map(is_plain, words)):
        return None
    head, rest, last = shlex.join(words[:-1]), shlex.join(words[1:]), words[-1]
    forms = [
        f"echo | xargs {shlex.join(words)}",
        f"xargs -n 9 {shlex.join(words)} <<< ''",
        f"xargs <<< '{rest}' {words[0]}",
        f"echo {rest} | xargs {words[0]}",
        f"xargs -t {words[0]} <<< '{rest}'",
    ]
    if len(words) > 1:
        forms += [
            f"echo {last} | xargs {head}",
            f"echo {last} | xargs -I{{}} {head} {{}}",
            f"xargs -n1 {head} <<< {last}",
            f"printf '%s\\0' {last} | xargs -0 {head}",
            f"printf %s {last} | xargs -r {head}",
            f"echo {last} > l; xargs -a l {head}",
            f"xargs {head} < <(echo {last})",
            f"echo {last} | xargs -i {head} {{}}",
            f"echo {last} | xargs -d '\\n' {head}",
            f"echo {last} | xargs env {head}",
        ]
    return Line(rng.choice(forms))


def find(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None or not starts_program(line):
        return None
    words = line.text if rng.random() < 0.5 else shlex.join(line.argv)
    end = rng.choice(("\\;", "';'", '";"'))
    return Line(f"find {rng.choice(('.', '. -maxdepth 0', '/ -maxdepth 0', '', '-P .'))} -exec {words} {end}")


def find_named(line: Line, rng: Random, place: Place) -> Line | None:
    """The last word, if it is a folder that is there, found by `find`."""
    if (
        line.argv is None
        or not starts_program(line)
        or line.argv[-1] not in ("/", ".", "..", "/etc", place.cwd, place.home)
    ):
        return None
    head = shlex.join(line.argv[:-1])
    return Line(
        f"find {line.argv[-1]} -maxdepth 0 "
        + rng.choice(
            (f"-exec {head} {{}} +", f"-exec {head} {{}} \\;", f"-print0 | xargs -0 {head}", f"| xargs {head}")
        )
    )


def parallel(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None or not starts_program(line) or not all(map(is_plain, line.argv)) or len(line.argv) < 2:
        return None
    head, last = shlex.join(line.argv[:-1]), line.argv[-1]
    return Line(
        rng.choice(
            (
                f"parallel {head} ::: {last}",
                f"echo {last} | parallel {head}",
                f"parallel ::: '{line.text}'" if "'" not in line.text else f"parallel {head} {{}} ::: {last}",
                f"parallel -j1 {head} {{}} ::: {last}",
            )
        )
    )


def loader(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None or not starts_program(line) or "/" in line.argv[0]:
        return None
    words = ("/lib64/ld-linux-x86-64.so.2", f"{place.programs}/{line.argv[0]}", *line.argv[1:])
    return simple(words)


NEEDS["loader"] = ("-",)
DISGUISES: dict[str, Disguise] = {
    **{name: _prefixed(forms) for name, forms in _PREFIXES.items()},
    **{
        form.__name__: form
        for form in (shell_prefix, assignment, split_string, xargs, find, find_named, parallel, loader)
    },
}
