"""Text that is handed to another shell, or to this one once more."""

from __future__ import annotations

import shlex
from random import Random

from tests.generated.disguises.base import Disguise, Line, Place, double_quoted, heredoc, text_quoted


def dash_c(line: Line, rng: Random, place: Place) -> Line | None:
    """`bash -c TEXT`: a simple command again."""
    shell = rng.choice(
        (
            "bash -c",
            "bash -c --",
            "bash -ec",
            "bash -xc",
            "bash -lc",
            "bash --norc -c",
            "bash -e -c",
            "bash -o errexit -c",
            "bash +B -c",
            "bash -O extglob -c",
            "sh -c",
            "env bash -c",
            "exec bash -c",
            "/bin/bash -c",
            "nohup bash -c",
            "command bash -c",
        )
    )
    words = (*shell.split(), line.text)
    if words[0] == "exec":
        return Line(f"{shell} {text_quoted(line.text, rng)}")
    return Line(f"{shell} {text_quoted(line.text, rng)}", words if words[0] != "command" else None)


def dash_c_double(line: Line, rng: Random, place: Place) -> Line | None:
    return Line(f"bash -c {double_quoted(line.text)}", ("bash", "-c", line.text))


def other_shell(line: Line, rng: Random, place: Place) -> Line | None:
    return Line(
        rng.choice(("zsh", "ksh", "dash", "ash", "busybox sh", "mksh", "fish", "rbash"))
        + f" -c {shlex.quote(line.text)}"
    )


def parameters(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None:
        return None
    words = shlex.join(line.argv)
    return Line(
        rng.choice(
            (
                f"bash -c '$0 \"$@\"' {words}",
                f"bash -c '\"$@\"' _ {words}",
                f"bash -c 'exec \"$@\"' x {words}",
                f'bash -c \'"$0" "${{@:1}}"\' {words}',
                f"bash -s -- {words} <<< '\"$@\"'",
                f"sh -c '\"$@\"' sh {words}",
            )
        )
    )


def exported(line: Line, rng: Random, place: Place) -> Line | None:
    text = shlex.quote(line.text)
    return Line(
        rng.choice(
            (
                f"x={text} bash -c 'eval \"$x\"'",
                f"export x={text}; bash -c 'eval \"$x\"'",
                f"env x={text} bash -c 'eval \"$x\"'",
                f"BASH_ENV=<(echo {text}) bash -c :",
            )
        )
    )


def evaluated(line: Line, rng: Random, place: Place) -> Line | None:
    text = shlex.quote(line.text) if rng.random() < 0.5 else double_quoted(line.text)
    return Line(rng.choice(("eval", "builtin eval", "command eval", "eval --", "eval 'true;'")) + f" {text}")


def evaluated_words(line: Line, rng: Random, place: Place) -> Line | None:
    return None if line.argv is None else Line(f"eval {shlex.join(map(shlex.quote, line.argv))}")


def evaluated_twice(line: Line, rng: Random, place: Place) -> Line | None:
    return Line(f"eval eval {shlex.quote(shlex.quote(line.text))}")


def sourced(line: Line, rng: Random, place: Place) -> Line | None:
    source, text = rng.choice(("source", ".")), shlex.quote(line.text)
    if rng.random() < 0.3:
        return Line(f"{source} /dev/stdin {heredoc(line.text, rng)}")
    return Line(
        rng.choice(
            (
                f"{source} /dev/stdin <<< {text}",
                f"{source} <(echo {text})",
                f"{source} <(printf '%s\\n' {text})",
                f"command {source} <(echo {text})",
                f"{source} <(cat <<< {text})",
            )
        )
    )


def standard_input(line: Line, rng: Random, place: Place) -> Line | None:
    shell = rng.choice(
        ("bash", "bash -s", "bash -", "sh", "bash -e", "/bin/bash", "env bash", "bash /dev/stdin", "exec bash")
    )
    text = shlex.quote(line.text)
    forms = (
        f"{shell} <<< {text}",
        f"{shell} {heredoc(line.text, rng)}",
        f"echo {text} | {shell}",
        f"printf '%s\\n' {text} | {shell}",
        f"cat <<< {text} | {shell}",
        f"{shell} < <(echo {text})",
        f"<<< {text} {shell}",
        f"echo {text} | cat | {shell}",
        f"{{ echo {text}; }} | {shell}",
        f"(echo {text}) | {shell}",
        f"echo {text} | tee /dev/null | {shell}",
        f"printf {shlex.quote(_percent(line.text))} | {shell}",
        f"echo -n {text} | {shell}",
    )
    if rng.random() < 0.15 and "\\" in line.text:
        return None
    form = rng.choice(forms)
    return None if "echo" in form and line.text[:1] == "-" else Line(form)


def _percent(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "%%")


def file_of_process(line: Line, rng: Random, place: Place) -> Line | None:
    text = shlex.quote(line.text)
    return Line(
        rng.choice(
            (
                f"bash <(echo {text})",
                f"bash <(printf '%s\\n' {text})",
                f"sh <(echo {text})",
                f"bash -x <(cat <<< {text})",
                f"exec bash <(echo {text})",
                f"bash --rcfile <(echo {text}) -i",
                f"bash --init-file <(echo {text}) -i",
            )
        )
    )


def substituted(line: Line, rng: Random, place: Place) -> Line | None:
    text = shlex.quote(line.text)
    inner = rng.choice((f"echo {text}", f"printf '%s\\n' {text}", f"printf %s {text}", f"cat <<< {text}"))
    return Line(
        rng.choice(
            (
                f'bash -c "$({inner})"',
                f'eval "$({inner})"',
                f'bash <<< "$({inner})"',
                f'eval "$(bash -c {shlex.quote(inner)})"',
                f'x="$({inner})"; eval "$x"',
                f'sh -c "$({inner})"',
            )
        )
    )


def substituted_words(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None:
        return None
    program, rest = shlex.quote(line.argv[0]), shlex.join(line.argv[1:])
    return Line(
        rng.choice(
            (
                f"$(echo {program}) {rest}",
                f'"$(printf %s {program})" {rest}',
                f"`echo {program}` {rest}",
                f"$(printf '\\x{ord(line.argv[0][0]):02x}'){shlex.quote(line.argv[0][1:])} {rest}",
                f'"$(command -v {program})" {rest}',
                f"$(which {program}) {rest}",
                f"$(type -p {program}) {rest}",
            )
        )
    )


NEEDS = {"other_shell": ("zsh",)}
DISGUISES: dict[str, Disguise] = {
    form.__name__: form
    for form in (
        dash_c,
        dash_c_double,
        other_shell,
        parameters,
        exported,
        evaluated,
        evaluated_words,
        evaluated_twice,
        sourced,
        standard_input,
        file_of_process,
        substituted,
        substituted_words,
    )
}
