"""Lists, groups, loops, branches, functions around a line, and harmless neighbours."""

from __future__ import annotations

from random import Random

from tests.generated.disguises.base import Disguise, Line, Place, closed, grouped, one_line

_BEFORE = (
    "true && ",
    "true; ",
    ":; ",
    "false || ",
    "cd . && ",
    "echo a; ",
    "pwd && ",
    "test -d . && ",
    "[[ -d . ]] && ",
    "[ 1 = 1 ] && ",
    "sleep 0 & ",
    "echo x | cat; ",
    "! false && ",
    "(true); ",
    "((1)) && ",
    "set -e; ",
    "ls >/dev/null\n",
    "true &\n",
    "x=1; ",
)
_BEHIND = (
    " && true",
    "; true",
    " || true",
    " & wait",
    " ; echo b",
    " && echo ok",
    " 2>&1 | cat",
    " | tail -n 3",
    "\ntrue",
    " &\nwait",
    " |& cat",
    ";",
)


def before(line: Line, rng: Random, place: Place) -> Line | None:
    return Line(rng.choice(_BEFORE) + line.text)


def behind(line: Line, rng: Random, place: Place) -> Line | None:
    if not one_line(line.text):
        return Line(f"{line.text}\ntrue")
    return Line(line.text + rng.choice(_BEHIND))


def negated(line: Line, rng: Random, place: Place) -> Line | None:
    return Line(f"! {line.text}" if line.argv else f"! {grouped(line.text)}")


def group(line: Line, rng: Random, place: Place) -> Line | None:
    end = rng.choice(
        ("", "", " &\nwait", " >/dev/null", " 2>&1", " | cat", " && true", "; true", " || true", " </dev/null")
    )
    if rng.random() < 0.5:
        return Line(grouped(line.text) + end)
    blank = rng.choice(("", " ", "\n"))
    return Line(f"({blank}{line.text if one_line(line.text) else line.text + chr(10)}){end}")


def branch(line: Line, rng: Random, place: Place) -> Line | None:
    text = closed(line.text)
    forms = (
        f"if true; then {text}fi",
        f"if {text}then :; fi",
        f"if false; then :; else {text}fi",
        f"if ! true; then :; elif true; then {text}fi",
        f"case x in x) {text};; esac".replace("; ;;", ";;"),
        f"case x in (y) ;; *) {line.text}\n;; esac",
        f"case a in a) :;& b) {line.text}\n;; esac",
        f"[[ x == x ]] && {grouped(line.text)}",
        f"if [ -d . ]; then {text}fi",
        f"test 1 -eq 1 && {grouped(line.text)}",
    )
    return Line(rng.choice(forms))


def loop(line: Line, rng: Random, place: Place) -> Line | None:
    text = closed(line.text)
    forms = (
        f"for i in 1; do {text}done",
        f"while :; do {text}break; done",
        f"until false; do {text}break; done",
        f"for ((i=0; i<1; i++)); do {text}done",
        f"for i in 1 2; do {text}break; done",
        f"select i in a; do {text}break; done <<< 1",
        f"echo 1 | while read -r l; do {text}done",
        f"while read -r l; do {text}done <<< 1",
        f"for i in {{1..1}}\ndo\n{line.text}\ndone",
        f"while {text}do break; done",
        f"until {text}do break; done; true",
        f"seq 1 | while read i; do {text}done",
    )
    return Line(rng.choice(forms))


def function(line: Line, rng: Random, place: Place) -> Line | None:
    name = rng.choice(("f", "ls", "build", "_x", "my-fn"))
    head = rng.choice((f"{name}() ", f"function {name} ", f"{name} () "))
    body = rng.choice(
        (
            grouped(line.text),
            f"( {closed(line.text)})",
            f"if :; then {closed(line.text)}fi",
            f"for i in 1; do {closed(line.text)}done",
        )
    )
    if head.startswith("function") and body[0] == "(":
        return None
    return Line(
        head
        + body
        + rng.choice(("; ", "\n"))
        + rng.choice((name, f"{name} a b", f"{name} >/dev/null", f"true && {name}"))
    )


def nested(line: Line, rng: Random, place: Place) -> Line | None:
    return Line(f"g() {{ f() {grouped(line.text)}; f; }}; g")


def coprocess(line: Line, rng: Random, place: Place) -> Line | None:
    forms = [
        f"coproc {{ {closed(line.text)}}}; wait",
        f"coproc P {{ {closed(line.text)}}}; wait",
        f"coproc ( {closed(line.text)}); wait",
    ]
    if line.argv is not None:
        forms += [f"coproc {line.text}; wait", f"coproc {line.text}\nwait"]
    return Line(rng.choice(forms))


def pipeline(line: Line, rng: Random, place: Place) -> Line | None:
    text = line.text if line.argv else grouped(line.text)
    return Line(
        rng.choice(
            (
                f"echo a | {text}",
                f"true | {text} | cat",
                f"{text} | cat",
                f"time {text}",
                f"echo a |& {text}",
                f"yes | head -1 | {text}",
                f"{text} |\n cat",
                f"time -p {text}",
            )
        )
    )


DISGUISES: dict[str, Disguise] = {
    form.__name__: form
    for form in (before, behind, negated, group, branch, loop, function, nested, coprocess, pipeline)
}
