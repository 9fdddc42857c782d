"""Code that is kept until something happens, and programs that take a line for a shell."""

from __future__ import annotations

import shlex
from random import Random

from tests.generated.disguises.base import Disguise, Line, Place


def later(line: Line, rng: Random, place: Place) -> Line | None:
    """Code that the shell keeps and runs when something happens."""
    text = shlex.quote(line.text)
    form = rng.choice(
        (
            f"trap {text} EXIT",
            f"trap -- {text} 0",
            f"trap {text} DEBUG; :",
            f"trap {text} ERR; false",
            f"trap {text} USR1; kill -USR1 $$; :",
            f"trap {text} EXIT; exit 0",
            f"command_not_found_handle() {{ {line.text}\n}}; nosuchcommand_",
            f"mapfile -C {text}'\n:' -c 1 a <<< x",
            f"PROMPT_COMMAND={text} bash --norc -i </dev/null",
            f"trap {text} RETURN; f() {{ :; }}; f",
            f"f() {{ {line.text}\n}}; export -f f; bash -c f",
            f"f() {{ {line.text}\n}}; trap f EXIT",
            f"true() {{ {line.text}\n}}; true",
            f"cd() {{ {line.text}\n}}; cd /tmp",
        )
    )
    if ("trap" in line.text and "trap" in form) or "RETURN" in form or "{ exec" in form:
        return None
    return Line(form)


def remembered(line: Line, rng: Random, place: Place) -> Line | None:
    """Another name for the program, in the shell's table."""
    if line.argv is None or "/" in line.argv[0]:
        return None
    return Line(f"hash -p {place.programs}/{line.argv[0]} zz; zz {shlex.join(line.argv[1:])}")


def other_machine(line: Line, rng: Random, place: Place) -> Line | None:
    text = shlex.quote(line.text)
    return Line(
        rng.choice(
            (
                f"ssh localhost {text}",
                f"ssh -t me@127.0.0.1 {text}",
                f"ssh localhost bash -c {shlex.quote(text)}",
                f"ssh localhost <<< {text}",
                f"echo {text} | ssh localhost bash",
                f"docker run -v /:/h alpine sh -c {text}",
                f"docker exec c bash -c {text}",
                f"kubectl exec p -- sh -c {text}",
                f"vagrant ssh -c {text}",
                f"docker compose exec web sh -c {text}",
                f"su -c {text}",
                f"su root -c {text}",
                f"sudo bash -c {text}",
                f"sudo sh <<< {text}",
                f"runuser -u me -- bash -c {text}",
            )
        )
    )


def started(line: Line, rng: Random, place: Place) -> Line | None:
    """Programs that take a line for a shell."""
    text = shlex.quote(line.text)
    return Line(
        rng.choice(
            (
                f"script -qc {text} /dev/null",
                f"script -q -c {text} out",
                f"flock lock -c {text}",
                f"flock -n lock -c {text}",
                f"xargs -I@@@ bash -c {text} <<< x",
                f"find . -maxdepth 0 -exec bash -c {text} \\;",
                f"setsid -w sh -c {text}",
                f"timeout 5 bash -c {text}",
                f"stdbuf -o0 bash -c {text}",
                f"env -S bash -c {text}",
            )
        )
    )


def started_elsewhere(line: Line, rng: Random, place: Place) -> Line | None:
    text = shlex.quote(line.text)
    return Line(
        rng.choice(
            (
                f"watch -n 1 {text}",
                f"watch {text}",
                f"tmux new -d {text}",
                f"tmux send-keys {text} Enter",
                f"at now <<< {text}",
                f"echo {text} | at now",
                f"batch <<< {text}",
                f"parallel ::: {text}",
                f"echo {text} | parallel",
                f"npx -c {text}",
                f"expect -c {shlex.quote(f'spawn {line.text}')}",
                f"screen -dm bash -c {text}",
                f"xterm -e {text}",
                f"systemd-run --user bash -c {text}",
                f"nix-shell --run {text}",
                f"hyperfine {text}",
                f"(crontab -l; echo {shlex.quote('* * * * * ' + line.text)}) | crontab -",
                f"entr sh -c {text} <<< a",
                f"su - dev -c {text}",
                f"unshare -r bash -c {text}",
                f"chroot / sh -c {text}",
                f"perf stat sh -c {text}",
            )
        )
    )


NEEDS = {"other_machine": ("-",), "started_elsewhere": ("-",), "started": ("script", "flock")}
DISGUISES: dict[str, Disguise] = {
    form.__name__: form for form in (later, remembered, other_machine, started, started_elsewhere)
}
