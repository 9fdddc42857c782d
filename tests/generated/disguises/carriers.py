"""Programs that run a line although that is not what they are for."""

from __future__ import annotations

import shlex
from random import Random

from tests.generated.disguises.base import Disguise, Line, Place, one_line

_Q = "\x00"  # the line, quoted for the shell
_FORMS = (
    f"git -c alias.x=!{_Q} x",
    f"git -c core.pager={_Q} -p log",
    f"git -c core.sshCommand={_Q} fetch",
    f"GIT_SSH_COMMAND={_Q} git fetch",
    f"git -c core.fsmonitor={_Q} status",
    f"git rebase -x {_Q} HEAD~1",
    f"git bisect run sh -c {_Q}",
    f"git submodule foreach {_Q}",
    f"git filter-branch --tree-filter {_Q}",
    f"GIT_EDITOR={_Q} git commit",
    f"GIT_PAGER={_Q} git -p log",
    f"PAGER={_Q} git -p log",
    f"git -c diff.external={_Q} diff",
    f"GIT_EXTERNAL_DIFF={_Q} git diff",
    f"git difftool -y -x {_Q} HEAD",
    f"tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec={_Q} README.md",
    f"tar -xf a.tar --to-command={_Q}",
    f"tar -cf a.tar -I {_Q} src",
    f"tar -cf a.tar --use-compress-program={_Q} src",
    f"rsync -e {_Q} a h:b",
    f"rsync --rsync-path={_Q} a h:b",
    f"scp -S {_Q} a h:b",
    f"ssh -o ProxyCommand={_Q} h",
    f"sftp -S {_Q} h",
    f"sort --compress-program={_Q} a",
    f"man -P {_Q} ls",
    f"MANPAGER={_Q} man ls",
    f"EDITOR={_Q} crontab -e",
    f"less '+!'{_Q} README.md",
    f"split --filter={_Q} a",
    f"make -f - <<< $'a:\\n\\t'{_Q}",
    f"make --eval=$'a:\\n\\t'{_Q} a",
    f"make SHELL={_Q} a",
    f"npm exec -c {_Q}",
    f"npx -c {_Q}",
    f"npm --script-shell={_Q} test",
    f"vim -es -c '!'{_Q} -c q",
    f"vim -c ':!'{_Q}",
    f"nvim --cmd '!'{_Q}",
    f"ex -c '!'{_Q}",
    f"ed <<< '!'{_Q}",
    f"vi +'!'{_Q}",
    f"gdb -batch -ex '!'{_Q}",
    f"gdb -batch -ex 'shell '{_Q}",
    f"sqlite3 :memory: '.shell '{_Q}",
    f"sqlite3 :memory: <<< '.system '{_Q}",
    f"psql -c '\\! '{_Q}",
    f"mysql -e '\\! '{_Q}",
    f"find . -exec sh -c {_Q} \\;",
    f"fd -x sh -c {_Q}",
    f"curl -T - --config <(echo {_Q}) h",
    f"env FOO=1 sh -c {_Q}",
    f"capsh -- -c {_Q}",
    f"start-stop-daemon -S -x /bin/sh -- -c {_Q}",
    f"pre-commit try-repo . && sh -c {_Q}",
    f"pip install --global-option={_Q} x && sh -c {_Q}",
    f"dd if=/dev/null && sh -c {_Q}",
    f"nsenter -t 1 -m sh -c {_Q}",
    f"docker run --privileged -v /:/h a chroot /h sh -c {_Q}",
    f"busybox sh -c {_Q}",
    f"socat - EXEC:{_Q}",
    f"nc -l 1 -e {_Q}",
    f"ncat -l 1 -c {_Q}",
    f"gcc -wrapper sh,-c,{_Q} a.c",
    f"zip a.zip b -T -TT {_Q}",
    f"patch -g {_Q} && sh -c {_Q}",
    f"rg --pre {_Q} x",
    f"ag --pager {_Q} x",
    f"bat --pager {_Q} README.md",
    f"gh alias set -s x {_Q}; gh x",
    f"jq -n 'x' | sh -c {_Q}",
    f"service x start; sh -c {_Q}",
    f"logrotate <(echo {_Q}) ; sh -c {_Q}",
    f"uv run bash -c {_Q}",
    f"poetry run sh -c {_Q}",
    f"cargo run --config 'alias.x='{_Q} ; sh -c {_Q}",
    f"pkexec sh -c {_Q}",
    f"torsocks sh -c {_Q}",
    f"lftp -c '!'{_Q}",
    f"mail -s a -a {_Q} b; sh -c {_Q}",
    f"screen -X exec sh -c {_Q}",
    f"tmux run-shell {_Q}",
    f"xdg-open x; sh -c {_Q}",
)
"""Those that most machines have are apart; these cannot be tried, so the forms are the ones of their manuals."""


def carried(line: Line, rng: Random, place: Place) -> Line | None:
    """Whatever else the carrier is given, the last resort of each form runs the line in a shell."""
    if not one_line(line.text):
        return None
    return Line(rng.choice(_FORMS).replace(_Q, shlex.quote(line.text)))


_CODES = (
    "osascript -e 'do shell script \"{}\"'",
    "R -e 'system(\"{}\")'",
    "emacs --batch --eval '(shell-command \"{}\")'",
    "julia -e 'run(`{}`)'",
    "groovy -e '\"{}\".execute()'",
    "tclsh <<< 'exec {}'",
    "expect -c 'spawn {}'",
    'deno eval \'new Deno.Command("sh", {args: ["-c", "{}"]}).outputSync()\'',
)
_TCL = ("tclsh ", "expect")  # which start one command, and read what follows as their own language


def coded(line: Line, rng: Random, place: Place) -> Line | None:
    """Languages that are not modelled."""
    if not one_line(line.text) or set(line.text) & set("'\"\\`$[]{}"):
        return None
    codes = _CODES if not set(line.text) & set(";&|<>") else [one for one in _CODES if one[:6] not in _TCL]
    return Line(rng.choice(codes).replace("{}", line.text))


def sed(line: Line, rng: Random, place: Place) -> Line | None:
    if not one_line(line.text) or "\\" in line.text:
        return None
    quoted = shlex.quote(f"1e {line.text}")
    return Line(
        rng.choice(
            (
                f"echo a | sed {quoted}",
                f"sed -n {quoted} <<< a",
                f"echo {shlex.quote(line.text)} | sed 1e",
                f"sed s/a/b/e <<< {shlex.quote('a' + line.text[1:])}"
                if line.text[:1] == "b"
                else f"sed -e {quoted} <<< x",
                f"echo {shlex.quote(line.text)} | sed -n 'e'",
                f"echo x | sed {shlex.quote(f's|x|{line.text}|e')}"
                if not set(line.text) & set("|&\\")
                else f"sed {quoted} <<< a",
            )
        )
    )


def tar(line: Line, rng: Random, place: Place) -> Line | None:
    if not one_line(line.text):
        return None
    return Line(f"echo > t; tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec={shlex.quote(line.text)} t")


def split(line: Line, rng: Random, place: Place) -> Line | None:
    return Line(f"echo a | split --filter={shlex.quote(line.text)}")


NEEDS = {"carried": ("-",), "coded": ("-",)}
DISGUISES: dict[str, Disguise] = {form.__name__: form for form in (carried, coded, sed, tar, split)}
