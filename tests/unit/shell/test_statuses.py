"""What the exit status 0 of a script proves, where it keeps, tests and gives back statuses; bash is the judge.

`t` is a command that ends as the next bit says. Of every script all ways that four bits allow are run: where bash ends
with 0, whatever is claimed has run, as often as its loops go round, and has succeeded each time.
"""

from __future__ import annotations

import itertools
import os
import subprocess
from pathlib import Path

import pytest

from policy_engine.shell.dialects import parse_script
from policy_engine.shell.lexer import Budget
from policy_engine.shell.statuses import proven

STAND_IN = """
t() { read -r bits < "$PLACE/bits"; echo "${bits#?}" > "$PLACE/bits"; echo "$1 ${bits%"${bits#?}"}" >> "$PLACE/log"
      return "${bits%"${bits#?}"}"; }
"""
PROVES = [
    ("t a; rc=$?; echo done; exit $rc", "a"),
    ("t a > /dev/null; status=$?; t b; exit \"$status\"", "a"),
    ("t a; rc=$?; [ $rc -eq 0 ] || exit 1; t b; true", "a"),
    ("t a; rc=$?; if [ $rc -ne 0 ]; then echo red; exit $rc; fi; echo green", "a"),
    ("t a; rc=$?; test $rc = 0 && echo green; (exit $rc)", "a"),
    ("t a; if [ $? -ne 0 ]; then exit 1; fi; t b; x=$?; exit $x", "ab"),
    ("if ! t a; then exit 1; fi; echo on", "a"),
    ("t a || { echo red; exit 1; }; echo green", "a"),
    ("t a && status=0 || status=$?; echo $status; exit $status", "a"),
    ("t a; x=$?; t b; y=$?; exit $((x || y))", "ab"),
    ("t a; x=$?; t b; y=$?; [ $x -eq 0 ] && [ $y -eq 0 ]", "ab"),
    ("t a | cat; test ${PIPESTATUS[0]} -eq 0", "a"),
    ("t a | cat; rc=${PIPESTATUS[0]}; echo $rc; [ \"$rc\" -eq 0 ] || exit 1; echo", "a"),
    ("set -o pipefail; t a | cat; rc=$?; echo; exit $rc", "a"),
    ("set -e; t a; rc=$?; t b && t c; echo", "a"),
    ("out=$(t a 2>&1); rc=$?; echo \"$out\" | tail -1; exit $rc", "a"),
    ("t a; rc=$?; (( rc == 0 )) || exit 1; echo", "a"),
    ("t a; rc=$?; [[ $rc -ne 0 ]] && exit 1; true", "a"),
    ("bad=0; t a || bad=1; t b || bad=1; exit $bad", "ab"),
    ("t a; code=$?; case $code in 0) echo g;; *) echo r;; esac; exit $code", "a"),
    ("for p in x y; do (t a) || exit 1; done", "a"),
    ("for p in x y; do t a || { echo $p; exit 1; }; done; echo all", "a"),
    ("set -e; for p in x y; do t a; done; echo all", "a"),
    ("rc=0; for p in x y; do (true && t a) || rc=1; done; exit $rc", "a"),
    ("rc=0; for p in x y; do t a; s=$?; [ $s -eq 0 ] || rc=$s; done; exit $rc", "a"),
    ("rc=0; for p in x y; do t a; rc=$((rc | $?)); done; exit $rc", "a"),
    ("for p in x y; do for q in u v; do t a || exit 1; done; done", "a"),
    ("until true; do sleep 1; done; t a; rc=$?; echo; exit $rc", "a"),
]  # fmt: skip
PROVES_NOTHING = [
    "t a; rc=$?; exit 0", "t a; echo; rc=$?; exit $rc", "t a; rc=$?; rc=0; exit $rc", "t a; rc=$?; exit $other",
    "t a; rc=$?; true || exit $rc", "t a; rc=$?; false && exit $rc; true", "t a | cat; rc=$?; exit $rc",
    "t a | cat; test ${PIPESTATUS[1]} -eq 0", "t a | cat; echo; test ${PIPESTATUS[0]} -eq 0",
    "t a | cat; test ${PIPESTATUS[0]} -ge 0", "t a; test $? -ne 0", "t a; rc=$?; (exit $rc); echo",
    "t a | cat; exit ${PIPESTATUS[0]}", "t a | cat; rc=${PIPESTATUS[0]}; exit $rc",
    "t a | cat; [[ ${PIPESTATUS[0]} -eq 0 ]]", "t a | cat; [ ${PIPESTATUS[0]} -ne 0 ] && exit 1; true",
    "t a; rc=$?; read rc < /dev/null; exit $rc", "t a; rc=$?; unset rc; exit $rc", "rc=$?; t a; exit $rc",
    "t a; rc=$?; : ${rc:=0} $((rc=0)); exit $rc", "t a; rc=$?; [ $rc -eq 0 ] || [ $rc -eq 1 ]; exit $?",
    "t a; SECONDS=$?; exit $SECONDS", "t a; rc=$?; exit $rc 2", "trap 'exit 0' EXIT; t a; rc=$?; exit $rc",
    "exit() { :; }; t a; rc=$?; exit $rc; true", "t a; rc=$?; eval rc=0; exit $rc", "t a & rc=$?; wait; exit $rc",
    "t a; rc=256; exit $rc", "rc=0; { t a; rc=$?; } > /nowhere/x; exit $rc", "readonly rc=0\nt a\nrc=$?\nexit $rc",
    "if false; then t a || exit 1; fi; echo", "case y in x) t a || exit 1;; esac; rc=$?; exit $rc",
    "for p in x y; do t a; done", "for p in x y; do t a || break; done", "for p in x y; do t a || continue; done",
    "for p in x y; do (t a || exit 1); done", "for p in $NOTHING; do t a || exit 1; done",
    "for p in x y; do [ $p = x ] && continue; t a || exit 1; done", "for p in x y; do t a || exit 0; done",
    "rc=0; for p in x y; do t a; rc=$?; done; exit $rc", "rc=0; for p in x y; do (t a || rc=1); done; exit $rc",
    "set -e; for p in x y; do t a && echo $p; done", "for p in x y; do t a && exit 0; done; exit 1",
    "while t a; do exit 0; done", "(set -e; t a && t b; true); echo", "! (t a; t b)", "set -e; ! t a; echo",
    "( set -e; t a ); echo", "rc=0; for p in x y; do t a || rc=1; rc=0; done; exit $rc",
    f"{'for p in x y; do ' * 16}t a || exit 1{'; done' * 16}", "true; " * 6_000 + "t a; rc=$?; exit $rc",
    "for p in x y; do t a; rc=$?; done; exit $rc", "x=0; while read x; do t a || x=1; done < /dev/null; exit $x",
]  # fmt: skip


SHOWS = [
    't a; rc=$?; t b; echo "rc=$rc"; true', "t a; echo $?; true",
    't a | cat; echo "EXIT ${PIPESTATUS[0]} of tests"; true', 't a; echo "exit: $?"; echo "exit: 0"',
    'printf x; t a; echo "exit: $?"; echo; echo "exit: 0"', 't a; printf "rc=%d\\n" $?; true',
    't a; printf "%s %i\\n" rc $?; t b; true', 't a; echo "--- $? ---"; true',
    "if t a; then echo PASS; else echo FAIL; fi", "t a && echo OK || echo FAILED",
    "t a && { echo one; echo OK; } || { echo FAILED; }; echo end",
    "if ! t a; then echo RED; else echo GREEN; fi; t b; true",
    "t a && echo OK || echo FAILED; t b && echo 2 || echo -2",
    "t a; echo $? > rc; cat rc", "t a; echo $? >rc; wc -l rc; cat rc",
    "t a; rc=$?; if [ $rc -eq 0 ]; then echo PASS; else echo FAIL; fi",
]  # fmt: skip
SHOWS_NOTHING = [
    'exec 3>&1; t a; echo "exit: $?"; t b; true',
    'echo "exit: 0"; t a && echo "exit: $?"; true', 't a; (echo "exit: $?"); echo "exit: 0"',
    't a; echo "exit: $?" > /dev/null; echo "exit: 0"',
    't a; echo -e "x\\nexit: $?"; true', "t a || true; echo \"exit: $?\"; true",
    'for p in x y; do t a; done; echo "exit: $?"',
    'if t a; then echo "exit: $?"; fi; echo "exit: 0"', 't a; echo "exit: $?" | cat; echo "exit: 0"',
    't a; printf "rc=%d\\n"; true', 't a; printf "rc=%d" $?; true', 't a; printf -v x "rc=%d\\n" $?; echo "rc=0"',
    "if t a; then echo OK; else echo OK; fi", "echo OK; t a && echo OK || echo FAILED",
    "t a || true; t b && echo OK || echo FAILED", "t a && echo OK; true", "t a && echo OK || true; echo OK",
    "if t a; then echo PASS; else echo FAIL >/dev/null; fi; echo PASS",
    "(t a && echo OK || echo FAILED) | grep -v F; echo OK",
    "t a && echo OK || echo FAILED > x; echo OK", "t a; echo $? > rc; echo 0 > rc; cat rc",
    "t a; echo $? > rc; { echo 0; } > rc; cat rc", "t a; echo $? > rc; echo 0 | tee rc; cat rc",
    "t a; echo $? > rc; (echo 0 > rc); cat rc",
    "t a; echo $? > rc; cat $(echo 0 > rc) rc", "t a; echo $? > rc; cp zero rc; cat rc",
    "t a; echo $? > rc; true; echo 0",
    "t a; echo $? > rc; sh -c 'echo 0 > rc' & wait; cat rc", "t a; echo $? >> rc; cat rc", "t a; echo $? 2> rc; cat rc",
    "t a; echo x $? > rc; cat rc",
]  # fmt: skip


def claimed(script: str, printed: str = "") -> set[str]:
    nodes = proven(parse_script(script, "bash", Budget()), printed).values()
    return {node.text.split()[1] for node in nodes if node.text.startswith("t ")}


def ran(script: str, bits: tuple[str, ...], place: Path) -> tuple[int, str, list[str]]:
    """The status of a script in bash, what it prints, and how each `t` ended."""
    (place / "bits").write_text("".join(bits) + "1111\n")
    (place / "log").write_text("")
    words = ["/bin/bash", "-c", STAND_IN + script]
    (place / "zero").write_text("0\n")
    (place / "rc").unlink(missing_ok=True)
    env = {**os.environ, "PLACE": str(place)}
    done = subprocess.run(words, env=env, cwd=place, capture_output=True, check=False, text=True)
    return done.returncode, done.stdout, (place / "log").read_text().split("\n")


@pytest.mark.parametrize(
    ("script", "proves"), [*((script, True) for script in SHOWS), *((script, False) for script in SHOWS_NOTHING)]
)
def test_a_status_that_a_script_prints_proves_what_it_is_of(script: str, proves: bool, tmp_path: Path) -> None:
    for bits in itertools.product("01", repeat=3):
        _, printed, log = ran(script, bits, tmp_path)
        names = claimed(script, printed)
        assert ("a" in names) == (proves and bits[0] == "0")
        assert all(f"{name} 0" in log and f"{name} 1" not in log for name in names)


@pytest.mark.parametrize(("script", "names"), [*PROVES, *((script, "") for script in PROVES_NOTHING)])
def test_what_a_script_proves_is_so_in_bash(script: str, names: str, tmp_path: Path) -> None:
    assert claimed(script) == set(names)
    for bits in itertools.product("01", repeat=4) if names else ():
        status, _, log = ran(script, bits, tmp_path)
        if status == 0:
            rounds = 2 ** script.count("for ")
            assert {name: log.count(f"{name} 0") for name in names} == dict.fromkeys(names, rounds)
            assert not any(f"{name} 1" in log for name in names)
