"""Words that come out of variables, parameters, functions and aliases."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from random import Random

from tests.generated.disguises.base import Disguise, Line, Place, is_plain

Words = tuple[str, ...]


def _of(words: Words) -> str:
    return shlex.join(words)


def _with(words: Words, number: int, before: str, value: str) -> Line:
    """The words with one of them written in another way, after a statement."""
    rest = [shlex.quote(word) for word in words]
    rest[number] = value
    return Line(before + " ".join(rest))


def _word_by_word(form: Callable[[str, Random, str], tuple[str, str] | None]) -> Disguise:
    """One word of the command, mostly the program, is put into a variable and taken out again."""

    def disguise(line: Line, rng: Random, place: Place) -> Line | None:
        if line.argv is None:
            return None
        plain = [number for number, word in enumerate(line.argv) if is_plain(word)]
        if not plain:
            return None
        number = plain[0] if rng.random() < 0.6 else rng.choice(plain)
        made = form(line.argv[number], rng, rng.choice(("x", "v1", "_cmd", "Q")))
        return None if made is None else _with(line.argv, number, *made)

    return disguise


def assigned(word: str, rng: Random, name: str) -> tuple[str, str]:
    end = rng.choice(("; ", "\n", " && "))
    return f"{name}={rng.choice((word, shlex.quote(word), f'{chr(34)}{word}{chr(34)}'))}{end}", rng.choice(
        (f"${name}", f'"${name}"', f"${{{name}}}", f'"${{{name}}}"', f"${{{name}:-no}}", f"${{{name}-no}}")
    )


def halves(word: str, rng: Random, name: str) -> tuple[str, str]:
    cut = rng.randrange(len(word) + 1)
    return f"{name}={word[:cut]} {name}2={word[cut:]}; ", rng.choice((f"${name}${name}2", f'"${name}${{{name}2}}"'))


def half(word: str, rng: Random, name: str) -> tuple[str, str]:
    cut = rng.randrange(len(word))
    return f"{name}={word[cut:]}; ", f"{word[:cut]}${name}"


def appended(word: str, rng: Random, name: str) -> tuple[str, str]:
    cut = rng.randrange(len(word) + 1)
    return f"{name}={word[:cut]}; {name}+={word[cut:]}; ", f"${name}"


def default(word: str, rng: Random, name: str) -> tuple[str, str]:
    sign = rng.choice((":-", "-", ":=", "="))
    return f"unset {name}; ", f"${{{name}{sign}{word}}}"


def instead(word: str, rng: Random, name: str) -> tuple[str, str]:
    return f"{name}=1; ", f"${{{name}:+{word}}}"


def stripped(word: str, rng: Random, name: str) -> tuple[str, str]:
    return rng.choice(
        (
            (f"{name}=_{word}; ", f"${{{name}#_}}"),
            (f"{name}=__{word}; ", f"${{{name}##*__}}"),
            (f"{name}={word}_; ", f"${{{name}%_}}"),
            (f"{name}={word}_z; ", f"${{{name}%%_z}}"),
            (f"{name}=@@{word}; ", f"${{{name}//@@/}}"),
            (f"{name}=zz{word}; ", f"${{{name}:2}}"),
            (f"{name}=zz{word}zz; ", f"${{{name}:2:{len(word)}}}"),
            (f"{name}={word}; ", f"${{{name}@E}}"),
            (f"{name}=@{word[1:]}; ", f"${{{name}/@/{word[0]}}}"),
        )
    )


def lowered(word: str, rng: Random, name: str) -> tuple[str, str] | None:
    return (f"{name}={word.upper()}; ", f"${{{name},,}}") if word == word.lower() else None


def indirect(word: str, rng: Random, name: str) -> tuple[str, str]:
    return f"{name}=other other={word}; ", f"${{!{name}}}"


def reference(word: str, rng: Random, name: str) -> tuple[str, str]:
    return f"other={word}; declare -n {name}=other; ", f"${name}"


def declared(word: str, rng: Random, name: str) -> tuple[str, str]:
    return f"{rng.choice(('declare', 'export', 'readonly', 'typeset', 'declare -x'))} {name}={word}; ", f"${name}"


def element(word: str, rng: Random, name: str) -> tuple[str, str]:
    return rng.choice(
        (
            (f"{name}=(no {word}); ", f"${{{name}[1]}}"),
            (f"{name}[3]={word}; ", f"${{{name}[3]}}"),
            (f"{name}=({word}); ", f"${name}"),
            (f"declare -A {name}=([k]={word}); ", f"${{{name}[k]}}"),
        )
    )


def printed(word: str, rng: Random, name: str) -> tuple[str, str]:
    codes = "".join(f"\\x{ord(char):02x}" for char in word)
    return rng.choice((f"printf -v {name} %s {word}; ", f"printf -v {name} '{codes}'; ")), f"${name}"


def read(word: str, rng: Random, name: str) -> tuple[str, str]:
    return rng.choice(
        (f"read {name} <<< {word}; ", f"read -r {name} <<'E'\n{word}\nE\n", f"read -r {name} < <(echo {word}); ")
    ), f"${name}"


def mapped(word: str, rng: Random, name: str) -> tuple[str, str]:
    return f"mapfile -t {name} <<< {word}; ", f"${name}"


def looped(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None or not is_plain(line.argv[0]):
        return None
    return Line(f"for v in {line.argv[0]}; do $v {_of(line.argv[1:])}; done")


def underscore(line: Line, rng: Random, place: Place) -> Line | None:
    return None if line.argv is None else _with(line.argv, 0, f": {shlex.quote(line.argv[0])}; ", "$_")


def array(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None:
        return None
    return Line(f"a=({_of(line.argv)}); " + rng.choice(('"${a[@]}"', '"${a[@]:0}"', '${a[0]} "${a[@]:1}"')))


def positional(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None:
        return None
    return Line(f"set -- {_of(line.argv)}; " + rng.choice(('"$@"', '"${@}"', '$1 "${@:2}"', '"${@:1}"')))


def function(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None:
        return None
    head = rng.choice(("f() {", "function f {", "f () {"))
    words = line.argv
    return Line(
        rng.choice(
            (
                f'{head} "$@"; }}; f {_of(words)}',
                f'{head} {_of(words[:1])} "$@"; }}; f {_of(words[1:])}',
                f'{head} local c=$1; shift; $c "$@"; }}; f {_of(words)}',
                f'{head} $1 "${{@:2}}"; }}\nf {_of(words)}',
                f"{head} {_of(words)}; }}; f",
            )
        )
    )


def alias(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None:
        return None
    whole = rng.random() < 0.5
    value, rest = (_of(line.argv), "") if whole else (_of(line.argv[:1]), _of(line.argv[1:]))
    return Line(f"shopt -s expand_aliases\nalias zz={shlex.quote(value)}\nzz {rest}")


def fields(line: Line, rng: Random, place: Place) -> Line | None:
    """The whole command in one variable, cut by IFS."""
    if line.argv is None or not all(is_plain(word) and not set(word) & set(",:@") for word in line.argv):
        return None
    sign = rng.choice(",:@ ")
    before = f"IFS='{sign}'; " if sign != " " else ""
    return Line(f"{before}x='{sign.join(line.argv)}'; $x")


def fields_read(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None or not all(map(is_plain, line.argv)):
        return None
    return Line(f"read -ra a <<< '{' '.join(line.argv)}'; \"${{a[@]}}\"")


def braces(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None or len(line.argv) < 2 or not all(is_plain(w) and "," not in w for w in line.argv):
        return None
    cut = rng.randrange(2, len(line.argv) + 1)
    return Line(f"{{{','.join(line.argv[:cut])}}} {' '.join(line.argv[cut:])}", line.argv)


def code(line: Line, rng: Random, place: Place) -> Line | None:
    """Any line in a variable that is evaluated."""
    run = rng.choice(
        (
            'eval "$x"',
            "eval $x" if "\n" not in line.text and "  " not in line.text else 'eval "$x"',
            'bash -c "$x"',
            'source /dev/stdin <<< "$x"',
            'bash <<< "$x"',
            'echo "$x" | bash',
            'printf "%s\\n" "$x" | bash',
        )
    )
    if run == "eval $x" and set(line.text) & set("*?[~"):
        run = 'eval "$x"'
    return Line(f"x={shlex.quote(line.text)}; {run}")


DISGUISES: dict[str, Disguise] = {
    **{
        form.__name__: _word_by_word(form)
        for form in (
            assigned,
            halves,
            half,
            appended,
            default,
            instead,
            stripped,
            lowered,
            indirect,
            reference,
            declared,
            element,
            printed,
            read,
            mapped,
        )
    },
    **{
        form.__name__: form
        for form in (looped, underscore, array, positional, function, alias, fields, fields_read, braces, code)
    },
}
